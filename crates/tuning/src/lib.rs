//! Searching for the best configuration of an analyzer: spaces, recipes, searches and what became of their proposals.
//!
//! A [`Search`] proposes [`Trial`]s: a [`Recipe`] and the programs on which it is to be tried. Somebody else runs them and
//! adds each [`Outcome`] to the [`History`], which is all that a search sees. [`ablation`] removes the options that do not
//! pay from the best recipe, [`front`] lists the recipes that nothing else beats, and [`folds`] holds programs out.
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
