//! The figures of a job, for the status, the statistics and the summary.

use engine::Tally;
use model::{Evidence, Finding, Kind, Profile};
use std::collections::BTreeMap;
use store::{CaseRecord, SkipReason, WalkCounts};

/// Something that happened while a job ran.
pub enum Event<'a> {
    /// The current figures.
    Status(&'a Progress),
    /// A finding was recorded.
    Finding {
        /// The finding.
        finding: &'a Finding,
        /// The number of hits of its bug so far, this one included.
        hits: u64,
    },
}

/// Receives the events of a job.
pub trait Watcher: Sync {
    /// Called from several threads.
    fn event(&self, event: &Event<'_>);
}

/// A watcher that ignores everything.
pub struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

/// The figures of a job. A case is a unit that walks one.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Wall seconds of this run.
    pub seconds: f64,
    /// Wall seconds left, if there is a limit.
    pub seconds_left: Option<f64>,
    /// The number of cases to run, if limited.
    pub cases_wanted: Option<u64>,
    /// Finished cases, including those of earlier runs. At the end of a run, only those that are recorded.
    pub cases: u64,
    /// Finished cases of earlier runs.
    pub cases_before: u64,
    /// Cases that were interrupted at the end of the run, or wait for one that was; a later run repeats them.
    pub broken_off: u64,
    /// Recorded answers, including those of earlier runs.
    pub answers: u64,
    /// Recorded answers of earlier runs.
    pub answers_before: u64,
    /// Skipped cases, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// One example for each reason.
    pub skip_examples: BTreeMap<SkipReason, String>,
    /// What the walks counted.
    pub walks: WalkCounts,
    /// What the techniques counted.
    pub counts: BTreeMap<String, u64>,
    /// How often the engines of analyzers knew what follows from a condition.
    pub profile: Profile,
    /// The queries of this run.
    pub tally: Tally,
    /// CPU microseconds of juvenal itself in this run.
    pub own_cpu_microseconds: u64,
    /// Exhibits that are currently being examined.
    pub examining: u64,
    /// Exhibits that could not be confirmed.
    pub fleeting: u64,
    /// Exhibits that were not examined, because enough similar ones were.
    pub not_examined: u64,
    /// Kept findings by kind and evidence.
    pub findings: BTreeMap<(Kind, Evidence), u64>,
    /// The number of bugs.
    pub bugs: u64,
}

impl Progress {
    /// The figures of a campaign's earlier runs.
    pub fn resumed(finished: &BTreeMap<u64, CaseRecord>, answers_before: u64) -> Progress {
        let cases_before = finished.len() as u64;
        let mut progress = Progress { cases_before, answers_before, ..Progress::default() };
        finished.values().for_each(|record| progress.add_case(record));
        progress
    }

    /// Counts the recorded cases again. While a job runs, cases count as soon as they end, and some are never recorded.
    pub fn count_again(&mut self, recorded: &BTreeMap<u64, CaseRecord>) {
        self.cases = 0;
        self.skipped.clear();
        self.skip_examples.clear();
        self.walks = WalkCounts::default();
        self.counts.clear();
        self.profile.clear();
        recorded.values().for_each(|record| self.add_case(record));
    }

    /// Counts a finished case.
    pub fn add_case(&mut self, record: &CaseRecord) {
        self.cases += 1;
        if let Some(reason) = &record.skipped {
            *self.skipped.entry(reason.clone()).or_default() += 1;
            let example = record.detail.clone().unwrap_or_default();
            self.skip_examples.entry(reason.clone()).or_insert(example);
        }
        self.walks.add(&record.walk);
        for (name, count) in &record.counts {
            *self.counts.entry(name.clone()).or_default() += count;
        }
        self.profile.add(&record.profile);
    }

    /// The share of CPU time spent inside analyzers, in percent.
    pub fn percent_inside(&self) -> Option<u64> {
        let inside = self.tally.analyzer_cpu_microseconds;
        (inside * 100).checked_div(inside + self.own_cpu_microseconds)
    }

    /// Counts a skipped case.
    pub fn skip(&mut self, reason: SkipReason, detail: String) {
        let record = CaseRecord { skipped: Some(reason), detail: Some(detail), ..CaseRecord::default() };
        self.add_case(&record);
    }

    /// True if every case was skipped because of its seed.
    pub fn all_seeds_unusable(&self) -> bool {
        let for_seeds = self.skipped.iter().filter(|(reason, _)| **reason != SkipReason::OwnFault);
        for_seeds.map(|(_, count)| *count).sum::<u64>() >= self.cases
    }

    /// True if at least one claim was judged, in this run or before. Claims about a seed that is skipped later do not
    /// count.
    pub fn has_judged(&self) -> bool {
        let all_skipped = self.cases > 0 && self.all_seeds_unusable() && self.broken_off == 0;
        let has_claims = self.claims() > 0 || self.walks.claims > 0;
        has_claims && !all_skipped
    }

    /// The number of findings.
    pub fn findings_total(&self) -> u64 {
        self.findings.values().sum()
    }

    /// The number of claims in this run.
    pub fn claims(&self) -> u64 {
        self.tally.verdicts.get("claim").copied().unwrap_or(0)
    }

    /// One line of `stats.jsonl` and of `--json`.
    pub fn statistics_line(&self) -> String {
        let findings: BTreeMap<String, u64> = self
            .findings
            .iter()
            .map(|((kind, evidence), count)| (format!("{kind}/{evidence}"), *count))
            .collect();
        let modes: BTreeMap<String, [u64; 2]> = self
            .tally
            .modes
            .iter()
            .map(|(mode, share)| (mode.to_string(), [share.asked, share.cpu_microseconds]))
            .collect();
        let cells = self.profile.cells().map(|(cell, count)| (cell.to_string(), count));
        let walks = self.walks.named().map(|(name, count)| (name.to_owned(), count));
        let counts: BTreeMap<String, u64> =
            self.counts.clone().into_iter().chain(walks).chain(cells).collect();
        let skipped: BTreeMap<String, u64> =
            self.skipped.iter().map(|(reason, count)| (reason.to_string(), *count)).collect();
        serde_json::json!({
            "event": "status",
            "seconds": self.seconds,
            "cases": self.cases,
            "cases-before": self.cases_before,
            "broken-off": self.broken_off,
            "answers": self.answers,
            "queries": self.tally.asked,
            "recalled": self.tally.recalled,
            "verdicts": self.tally.verdicts,
            "modes": modes,
            "skipped": skipped,
            "counts": counts,
            "fleeting": self.fleeting,
            "not-examined": self.not_examined,
            "findings": findings,
            "bugs": self.bugs,
            "analyzer-cpu-seconds": self.tally.analyzer_cpu_microseconds as f64 / 1e6,
            "own-cpu-seconds": self.own_cpu_microseconds as f64 / 1e6,
        })
        .to_string()
    }
}
