//! Records finished cases in the order of their numbers, even if they finish in a different order.
//!
//! Findings get their numbers and bugs here, so both depend only on the answers and never on the speed of workers.

use crate::hunt::CaseOutcome;
use anyhow::Result;
use findings::{Bugs, Examined, Sighting, directory_name, finding_files};
use model::Finding;
use schedule::{Event, Progress, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::{BugRow, CaseRecord, CaseResults, Store};

/// The part of a campaign that writes findings.
pub(crate) struct Committer<'a> {
    store: &'a Store,
    /// All cases below this number are recorded.
    next: u64,
    finished_before: BTreeSet<u64>,
    waiting: BTreeMap<u64, CaseOutcome>,
    bugs: Bugs,
    next_finding: u32,
    totals: Progress,
}

impl<'a> Committer<'a> {
    /// Continues after the stored cases.
    pub fn new(store: &'a Store, finished: &BTreeMap<u64, CaseRecord>) -> Result<Committer<'a>> {
        store.ledger.remove_provisional()?;
        let findings = store.ledger.findings()?;
        store.directory.keep_finding_directories(&findings.iter().map(directory_name).collect())?;
        let bugs = store.ledger.bugs()?;
        let mut totals = Progress { bugs: bugs.len() as u64, ..Progress::default() };
        findings.iter().for_each(|finding| add_finding(&mut totals, finding));
        Ok(Committer {
            store,
            next: 0,
            finished_before: finished.keys().copied().collect(),
            waiting: BTreeMap::new(),
            bugs: Bugs::new(bugs, store.ledger.last_bug_number()?, &findings),
            next_finding: findings.last().map_or(1, |finding| finding.number + 1),
            totals,
        })
    }

    /// Takes a finished case, and records every case whose predecessors are all recorded.
    pub fn finish(&mut self, number: u64, outcome: CaseOutcome, watcher: &dyn Watcher) -> Result<()> {
        self.waiting.insert(number, outcome);
        loop {
            if self.finished_before.contains(&self.next) {
                self.next += 1;
                continue;
            }
            match self.waiting.remove(&self.next) {
                Some(outcome) if outcome.record.is_some() => {
                    self.commit(self.next, outcome, watcher)?;
                    self.next += 1;
                }
                Some(interrupted) => {
                    self.waiting.insert(self.next, interrupted);
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    /// Records the findings of interrupted cases, and of the cases that wait for them, as provisional at the end of a run. A
    /// later run walks these cases again. Returns their number.
    pub fn record_provisional(&mut self, watcher: &dyn Watcher) -> Result<u64> {
        let cases = self.waiting.len() as u64;
        while let Some((number, outcome)) = self.waiting.pop_first() {
            self.commit(number, CaseOutcome { record: None, ..outcome }, watcher)?;
        }
        Ok(cases)
    }

    /// Copies the totals of the findings into the figures.
    pub fn describe(&self, progress: &mut Progress) {
        progress.findings = self.totals.findings.clone();
        progress.bugs = self.totals.bugs;
    }

    /// Records the results of a case, all or nothing.
    fn commit(&mut self, number: u64, outcome: CaseOutcome, watcher: &dyn Watcher) -> Result<()> {
        let is_settled = outcome.record.is_some();
        let mut found: Vec<(Finding, u64)> = Vec::new();
        let mut merged = BTreeMap::new();
        let mut is_changed = false;
        for examined in outcome.examined {
            let sighting = Sighting::of(&examined);
            // Provisional findings must not change settled bugs.
            let assigned = if is_settled {
                self.bugs.assign(&sighting)
            } else {
                self.bugs.assign_provisional(&sighting)
            };
            is_changed |= assigned.renamed || !assigned.merged.is_empty();
            merged.extend(assigned.merged.into_iter().map(|gone| (gone, assigned.bug.number)));
            if assigned.keep {
                let finding = self.finding(number, &outcome.seed_name, &assigned.bug, examined);
                found.push((finding, assigned.bug.hits));
            }
        }
        let mut moved = Vec::new();
        if is_changed {
            for (finding, _) in &mut found {
                self.follow(finding, &merged);
            }
            moved = self.store.ledger.findings()?;
            moved.retain_mut(|finding| self.follow(finding, &merged));
        }
        // The files come first: a finding in the store is assumed to have all of its files.
        for finding in moved.iter().chain(found.iter().map(|(finding, _)| finding)) {
            write_finding(self.store, finding)?;
        }
        let findings: Vec<Finding> = found.iter().map(|(finding, _)| finding.clone()).collect();
        self.store.ledger.record_results(&CaseResults {
            number,
            record: outcome.record.as_ref(),
            findings: &findings,
            bugs: self.bugs.rows(),
            moved: &moved,
        })?;
        self.totals.bugs = self.bugs.rows().len() as u64;
        for (finding, hits) in &found {
            add_finding(&mut self.totals, finding);
            watcher.event(&Event::Finding { finding, hits: *hits });
        }
        Ok(())
    }

    /// Moves a finding to the bug that its own was merged into, and updates its fingerprint. Returns whether anything
    /// changed.
    fn follow(&self, finding: &mut Finding, merged: &BTreeMap<u32, u32>) -> bool {
        let mut number = finding.bug;
        // This ends, because a bug is merged only into an earlier one.
        while let Some(into) = merged.get(&number) {
            number = *into;
        }
        let fingerprint = self.bugs.find(number).map(|bug| bug.fingerprint.clone()).unwrap_or_default();
        let is_changed = finding.bug != number || finding.fingerprint != fingerprint;
        finding.bug = number;
        finding.fingerprint = fingerprint;
        is_changed
    }

    fn finding(&mut self, case_number: u64, seed_name: &str, bug: &BugRow, examined: Examined) -> Finding {
        let number = self.next_finding;
        self.next_finding += 1;
        Finding {
            number,
            bug: bug.number,
            fingerprint: bug.fingerprint.clone(),
            case_number,
            seed_name: seed_name.to_owned(),
            exhibit: examined.exhibit,
            reduced: examined.reduced,
            fully_reduced: examined.fully_reduced,
            outputs: examined.outputs,
            answers: examined.answers,
            runs: examined.runs,
            weighed: examined.weighed,
        }
    }
}

/// Writes the directory of a finding.
fn write_finding(store: &Store, finding: &Finding) -> Result<()> {
    let directory = Path::new("findings").join(directory_name(finding));
    for file in finding_files(finding)? {
        store.directory.write_file(&directory.join(&file.name), file.text.as_bytes())?;
    }
    Ok(())
}

/// Replaces a stored exhibit with a further reduced one. The files come first here, too.
pub fn update_finding(store: &Store, finding: Finding, examined: Examined) -> Result<Finding> {
    let changed = Finding {
        reduced: examined.reduced,
        fully_reduced: examined.fully_reduced,
        outputs: examined.outputs,
        answers: examined.answers,
        runs: examined.runs,
        weighed: examined.weighed,
        ..finding
    };
    write_finding(store, &changed)?;
    store.ledger.replace_finding(&changed)?;
    Ok(changed)
}

fn add_finding(totals: &mut Progress, finding: &Finding) {
    *totals.findings.entry((finding.kind(), finding.weighed.evidence)).or_default() += 1;
}
