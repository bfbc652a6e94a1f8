//! Counts of queries, for the status, the statistics and the benchmarks.

use model::{Answer, Mode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an asker has done since its tally was last taken.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Queries put to an analyzer.
    pub asked: u64,
    /// Queries answered from the store.
    pub recalled: u64,
    /// Queries without a recorded answer that could not be asked, because no analyzer may run.
    pub missing: u64,
    /// Recorded answers that today's reader read again.
    pub reread: u64,
    /// Those of them whose verdict changed.
    pub changed: u64,
    /// Recorded answers of another reader that kept their verdict, because their output is not recorded as a whole.
    pub not_rereadable: u64,
    /// Answers by the word of their verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// CPU microseconds spent inside analyzers.
    pub analyzer_cpu_microseconds: u64,
    /// The share of each mode.
    pub modes: BTreeMap<Mode, ModeTally>,
}

/// What one mode cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ModeTally {
    /// Queries asked in this mode.
    pub asked: u64,
    /// CPU microseconds of the analyzers.
    pub cpu_microseconds: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, mode: Mode, answer: &Answer) {
        self.asked += 1;
        *self.verdicts.entry(answer.verdict.word().to_owned()).or_default() += 1;
        self.analyzer_cpu_microseconds += answer.cost.cpu_microseconds;
        let share = self.modes.entry(mode).or_default();
        share.asked += 1;
        share.cpu_microseconds += answer.cost.cpu_microseconds;
    }

    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Tally) {
        self.asked += other.asked;
        self.recalled += other.recalled;
        self.missing += other.missing;
        self.reread += other.reread;
        self.changed += other.changed;
        self.not_rereadable += other.not_rereadable;
        self.analyzer_cpu_microseconds += other.analyzer_cpu_microseconds;
        for (word, count) in &other.verdicts {
            *self.verdicts.entry(word.clone()).or_default() += count;
        }
        for (mode, share) in &other.modes {
            let mine = self.modes.entry(*mode).or_default();
            mine.asked += share.asked;
            mine.cpu_microseconds += share.cpu_microseconds;
        }
    }
}
