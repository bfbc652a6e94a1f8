//! Counting what was asked, for the status, the statistics and the bench.

use model::{Answer, Mode};
use std::collections::BTreeMap;

/// What an asker has done since its tally was last taken.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Queries put to an analyzer.
    pub asked: u64,
    /// Queries answered from the store.
    pub recalled: u64,
    /// Queries whose answer should have been in the store and was not, while judging again.
    pub missing: u64,
    /// Answers by the word of their verdict.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// CPU microseconds spent inside analyzers.
    pub analyzer_cpu_microseconds: u64,
    /// The share of each mode.
    pub modes: BTreeMap<Mode, ModeTally>,
}

/// What one mode cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModeTally {
    /// Queries asked in this mode.
    pub asked: u64,
    /// CPU microseconds of the analyzers.
    pub cpu_microseconds: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, mode: Mode, answer: &Answer) {
        self.asked += 1;
        *self.verdicts.entry(answer.verdict.word()).or_default() += 1;
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
        self.analyzer_cpu_microseconds += other.analyzer_cpu_microseconds;
        for (word, count) in &other.verdicts {
            *self.verdicts.entry(word).or_default() += count;
        }
        for (mode, share) in &other.modes {
            let mine = self.modes.entry(*mode).or_default();
            mine.asked += share.asked;
            mine.cpu_microseconds += share.cpu_microseconds;
        }
    }
}

/// CPU time that juvenal itself has used so far, without its children; 0 where /proc is missing.
pub fn own_cpu_microseconds() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/stat") else { return 0 };
    // The name of the program may hold anything, so fields are counted behind its closing parenthesis.
    let fields: Vec<&str> = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    const MICROSECONDS_PER_TICK: u64 = 10_000;
    (ticks(11) + ticks(12)) * MICROSECONDS_PER_TICK
}
