//! What `differential` counts.

use crate::Count;

pub const SEED_ANSWERED: Count = Count::scoped("seed answered * by *");
pub const BATCHES: Count = Count::new("batches of checks");
pub const BATCHES_WITH_DISAGREEMENT: Count = Count::new("batches on which analyzers disagree");
pub const BATCHES_ASKED_AGAIN: Count = Count::new("batches asked again without checks that fail");
pub const CHECKS: Count = Count::scoped("checks");
