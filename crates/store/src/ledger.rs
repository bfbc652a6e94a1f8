//! What a campaign remembers in addition to its answers, independent of the database.

use crate::{BugRow, CaseRecord, CaseResults};
use anyhow::Result;
use model::{Finding, Seed};
use std::collections::BTreeMap;

/// The results of a campaign: finished cases, findings, bugs, and the seeds as they were first read.
///
/// Everything that one unit of a job may learn from another goes through here or through an
/// [`AnswerLog`](crate::AnswerLog), so units can run in other processes and on other machines.
pub trait Ledger: Sync {
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

    /// The largest number that any bug ever had; 0 if there was none.
    fn last_bug_number(&self) -> Result<u32>;

    /// Removes every provisional finding, and the hits that came with it.
    fn remove_provisional(&self) -> Result<()>;

    /// The seed at a place as the first case that needed it read it.
    fn seed(&self, place: usize) -> Result<Option<Seed>>;

    /// Keeps a seed, and returns the one that is kept: if two workers read a seed at the same time, both continue with the
    /// text that was stored first.
    fn keep_seed(&self, place: usize, seed: Seed) -> Result<Seed>;
}
