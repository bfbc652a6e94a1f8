//! The tables of `juvenal compare`: how several analyzers, configurations or versions answered the same checks.
//!
//! Everything is computed from a [`model::Comparison`] and from nothing else, in exact counts: how precise and how
//! sound the analyzers are relative to each other ([`matrices`], [`pair_tables`]), which answers are suspicious or
//! proved wrong ([`issues`], [`order_violations`], [`regressions`]), and what the answers cost ([`costs`]). It is
//! rendered for a terminal, as CSV, as JSON and as one page of HTML.
//!
//! Execution overrules every analyzer. Where an execution violates a check, `unsafe` is right and `safe` is wrong;
//! where every input was run and the check never failed, it is the other way round. Between solvers a check is a
//! script, and a model that the evaluator confirms stands for an execution that violates it.

mod by_delta;
mod cost;
mod csv;
mod details;
#[cfg(test)]
mod fixtures;
mod html;
mod html_charts;
mod html_checks;
mod issues;
mod json;
mod matrix;
mod summary;
mod terminal;
mod text_table;
mod vocabulary;
mod words;

pub use by_delta::{Counted, IssueCounts, issues_by_delta};
pub use cost::{AnalyzerCost, costs};
pub use csv::{comparison_csv, comparison_matrices_csv};
pub use details::{Said, check_in_full, checks_where};
pub use html::comparison_html;
pub use issues::{
    Issue, IssueKind, OrderViolation, Regression, Settled, first_disputed, issues, order_violations,
    regressions,
};
pub use json::comparison_json;
pub use matrix::{Matrices, PairTable, Share, WORD_ORDER, matrices, pair_tables};
pub use summary::{AnalyzerSummary, Overview, overview, summaries};
pub use terminal::{SHOWN_ISSUES, comparison_terminal};
