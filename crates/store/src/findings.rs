//! The rows of bugs, and the results of a case.

use crate::CaseRecord;
use model::{Finding, Fingerprint};
use serde::{Deserialize, Serialize};

/// One bug: its fingerprint and how often it was hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BugRow {
    /// Its number within the campaign, from 1.
    pub number: u32,
    /// The features that its findings have in common.
    pub fingerprint: Fingerprint,
    /// All hits, including those whose finding was not kept.
    pub hits: u64,
}

/// The results of one case.
pub struct CaseResults<'a> {
    /// The case.
    pub number: u64,
    /// The record of the case; none if its findings are provisional.
    pub record: Option<&'a CaseRecord>,
    /// Its findings.
    pub findings: &'a [Finding],
    /// Every bug of the campaign from now on.
    pub bugs: &'a [BugRow],
    /// Findings of earlier cases whose bug was merged into another, or whose bug has a new fingerprint.
    pub moved: &'a [Finding],
}
