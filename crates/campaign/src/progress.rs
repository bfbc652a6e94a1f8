//! How a campaign is doing, for the status, the statistics and the summary.

use crate::case::OWN_FAULT;
use engine::Tally;
use model::{Evidence, Finding, Kind};
use std::collections::BTreeMap;
use store::CaseRecord;

/// The count of answers with a claim, recorded with every case.
pub(crate) const CLAIMS: &str = "answers with a claim";

/// Something worth telling.
pub enum Event<'a> {
    /// The figures of the moment.
    Status(&'a Progress),
    /// A finding was recorded; `hits` counts its bug's, this one included.
    Finding {
        /// The finding.
        finding: &'a Finding,
        /// How often its bug was hit so far.
        hits: u64,
    },
}

/// Who is told what happens.
pub trait Watcher: Sync {
    /// Called from several threads.
    fn event(&self, event: &Event<'_>);
}

/// The figures of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Wall seconds of this run.
    pub seconds: f64,
    /// Wall seconds left, if there is a limit.
    pub seconds_left: Option<f64>,
    /// How many cases were asked for, if there is such a limit.
    pub cases_wanted: Option<u64>,
    /// Cases brought to their end, those of earlier runs included. At the end of a run, only those that are
    /// recorded.
    pub cases: u64,
    /// Those of earlier runs alone.
    pub cases_before: u64,
    /// Cases at the end of a run that were broken off or wait for one that was; a later run walks them again.
    pub broken_off: u64,
    /// Answers recorded, those of earlier runs included.
    pub answers: u64,
    /// Those of earlier runs alone.
    pub answers_before: u64,
    /// Cases whose seed was of no use, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// One example for each of these reasons.
    pub skip_examples: BTreeMap<String, String>,
    /// What the techniques counted.
    pub counts: BTreeMap<String, u64>,
    /// What was asked in this run.
    pub tally: Tally,
    /// CPU microseconds of juvenal itself in this run.
    pub own_cpu_microseconds: u64,
    /// Exhibits that are being confirmed, reduced and weighed.
    pub examining: u64,
    /// Exhibits that did not hold when asked again.
    pub fleeting: u64,
    /// Exhibits that look like others that were examined.
    pub not_examined: u64,
    /// Kept findings by kind and evidence.
    pub findings: BTreeMap<(Kind, Evidence), u64>,
    /// Bugs, each with its hits.
    pub bugs: u64,
}

impl Progress {
    pub(crate) fn resumed(finished: &BTreeMap<u64, CaseRecord>, answers_before: u64) -> Progress {
        let cases_before = finished.len() as u64;
        let mut progress = Progress { cases_before, answers_before, ..Progress::default() };
        finished.values().for_each(|record| progress.add_case(record));
        progress
    }

    /// Counts the cases anew. Those that ended but are not recorded were counted while the campaign ran.
    pub(crate) fn count_again(&mut self, recorded: &BTreeMap<u64, CaseRecord>) {
        self.cases = 0;
        self.skipped.clear();
        self.skip_examples.clear();
        self.counts.clear();
        recorded.values().for_each(|record| self.add_case(record));
    }

    pub(crate) fn add_case(&mut self, record: &CaseRecord) {
        self.cases += 1;
        if let Some(reason) = &record.skipped {
            *self.skipped.entry(reason.clone()).or_default() += 1;
            let example = record.detail.clone().unwrap_or_default();
            self.skip_examples.entry(reason.clone()).or_insert(example);
        }
        for (name, count) in &record.counts {
            *self.counts.entry(name.clone()).or_default() += count;
        }
    }

    /// The share of CPU time spent inside analyzers, in percent.
    pub fn percent_inside(&self) -> Option<u64> {
        let inside = self.tally.analyzer_cpu_microseconds;
        (inside * 100).checked_div(inside + self.own_cpu_microseconds)
    }

    /// True if every case was skipped for its seed.
    pub fn is_of_no_use(&self) -> bool {
        let for_seeds = self.skipped.iter().filter(|(reason, _)| *reason != OWN_FAULT);
        for_seeds.map(|(_, count)| *count).sum::<u64>() >= self.cases
    }

    /// True if at least one claim was judged, in this run or before. A claim about a seed that is then skipped is
    /// not judged.
    pub fn has_judged(&self) -> bool {
        let all_skipped = self.cases > 0 && self.is_of_no_use() && self.broken_off == 0;
        let has_claims = self.claims() > 0 || self.counts.get(CLAIMS).is_some_and(|claims| *claims > 0);
        has_claims && !all_skipped
    }

    /// How many claims were made in this run.
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
            "skipped": self.skipped,
            "counts": self.counts,
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
