//! Searching for the best configuration of an analyzer: spaces, recipes, searches and the outcomes of their proposals.
//!
//! A [`Search`] proposes [`Trial`]s: a [`Recipe`] and the programs to try it on. The caller runs them and adds each
//! [`Outcome`] to the [`History`], which is all that a search sees. [`Ablation`] removes options without effect from the
//! best recipe, [`front()`] lists the Pareto-optimal recipes, [`folds()`] holds programs out, and [`verdict()`] decides
//! what to recommend.
//!
//! Invariant: everything here is pure. The same seed, settings and outcomes give the same proposals.

mod ablation;
mod folds;
mod front;
mod history;
mod objective;
mod outcome;
mod recipe;
mod replay;
mod search;
mod space;
mod tuned;
mod verdict;

pub use ablation::{Ablation, Contribution};
pub use folds::{Fold, folds};
pub use front::{Totals, front};
pub use history::{History, Standing};
pub use objective::{Caps, Loss, Objective, WORST_LOSS};
pub use outcome::{Outcome, State};
pub use recipe::{Change, Ingredient, Recipe};
pub use replay::{Grid, GridTrial, ReplayPoint, Replayed, replay};
pub use search::{SEARCHES, Search, SearchKind, Trial, search_named};
pub use space::{RecipeSpace, SpaceProblem};
pub use tuned::{FoldResult, ProgramResult, Tuned, UnusableProgram, Verdict};
pub use verdict::verdict;
