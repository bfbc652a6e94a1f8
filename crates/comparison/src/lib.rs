//! The tables of `juvenal compare`, `juvenal tune` and `juvenal split`.
//!
//! A comparison shows how several analyzers, configurations or versions answered the same checks.
//!
//! Everything is computed from a [`model::Comparison`] alone, in exact counts: how precise and how sound the analyzers
//! are relative to each other (`matrix`), which answers are suspicious or proved wrong (`issues`), and what the answers
//! cost (`cost`). The result is rendered for a terminal, as CSV, as JSON and as one HTML page.
//!
//! Execution overrules every analyzer. If an execution violates a check, `unsafe` is right and `safe` is wrong; if every
//! input was run and the check never failed, it is the other way round. In a comparison of solvers, a check is a script,
//! and a model that the evaluator confirms counts as an execution that violates it.

mod by_delta;
mod cost;
mod counted;
mod csv;
mod details;
#[cfg(test)]
mod fixtures;
mod html;
mod html_charts;
mod html_checks;
mod html_plot;
mod issues;
mod json;
mod matrix;
mod split;
mod split_page;
mod split_tables;
mod summary;
mod terminal;
mod text_table;
mod tuned;
mod tuned_page;
mod vocabulary;
mod words;

pub use csv::{checks_csv, matrices_csv};
pub use details::{AnswerCondition, check_in_full, checks_where};
pub use html::html_page;
pub use issues::first_disputed;
pub use json::json_report;
pub use split::{frontier_csv, split_json, split_text};
pub use split_page::split_page;
pub use split_tables::outcome_in_words;
pub use terminal::{SHOWN_ISSUES, terminal_tables};
pub use tuned::{trials_csv, tuned_tables, tuned_toml};
pub use tuned_page::tuned_page;
pub use vocabulary::nouns;
