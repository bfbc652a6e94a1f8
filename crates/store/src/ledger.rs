//! What a campaign remembers in addition to its answers, independent of the database.

use crate::{BugRow, CaseRecord, CaseResults};
use anyhow::Result;
use model::Finding;
use std::collections::BTreeMap;

/// The results of a campaign: finished cases, findings and bugs.
///
/// Everything that one unit of a job may learn from another goes through here, an
/// [`AnswerLog`](crate::AnswerLog) or a [`SeedLog`](crate::SeedLog), so units can run in other processes and on other machines.
pub trait Ledger: Send + Sync {
    /// Every finished case, by number.
    fn cases(&self) -> Result<BTreeMap<u64, CaseRecord>>;

    /// Records the results of a case, all or nothing.
    ///
    /// Findings of a case without a record are provisional: the case was interrupted, or waits for one that was.
    /// [`Ledger::remove_provisional`] removes them before the case runs again.
    ///
    /// A bug that has been merged into another keeps its number reserved.
    fn record_results(&self, results: &CaseResults<'_>) -> Result<()>;

    /// Every finding, by number.
    fn findings(&self) -> Result<Vec<Finding>>;

    /// Every bug, by number.
    fn bugs(&self) -> Result<Vec<BugRow>>;

    /// The largest number that any bug has had; 0 if there was none.
    fn last_bug_number(&self) -> Result<u32>;

    /// Removes every provisional finding, and the hits that came with it.
    fn remove_provisional(&self) -> Result<()>;

    /// Replaces a finding.
    fn replace_finding(&self, finding: &Finding) -> Result<()>;

    /// True if the finding's case is recorded. Otherwise the case was interrupted, or waits for one that was, and the
    /// finding is removed when the campaign continues.
    fn is_settled(&self, finding: &Finding) -> Result<bool>;
}
