//! A case on a seed of no use.

use crate::{Case, Notes, Step};
use model::Answer;

/// A case that only says why its seed is of no use.
pub(crate) struct SkippedCase {
    reason: String,
    detail: String,
}

impl SkippedCase {
    /// The reason is one of a few; the detail says what exactly.
    pub(crate) fn new(reason: impl Into<String>, detail: impl Into<String>) -> SkippedCase {
        SkippedCase { reason: reason.into(), detail: detail.into() }
    }
}

impl Case for SkippedCase {
    fn next(&mut self, _answers: &[Answer], _notes: &mut Notes) -> Step {
        Step::Skip { reason: self.reason.clone(), detail: self.detail.clone() }
    }
}
