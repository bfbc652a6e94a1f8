//! What `solver_differential` counts.

use crate::Count;

pub const SCRIPTS: Count = Count::new("scripts");
pub const SCRIPTS_DRAWN_TWICE: Count = Count::new("scripts drawn twice");
pub const DISAGREEMENTS: Count = Count::new("scripts on which solvers disagree");
pub const ANSWERS: Count = Count::new("answers *");
pub const MODELS_CONFIRMED: Count = Count::new("models confirmed");
pub const MODELS_REFUTED: Count = Count::new("models refuted");
pub const MODELS_LEFT_OPEN: Count = Count::new("models left open");
pub const UNDECIDED_BY_NEWER: Count = Count::new("undecided by a newer version only");
pub const CASES_GIVEN_UP: Count = Count::scoped("cases given up for lack of claims");
