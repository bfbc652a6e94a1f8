//! Records finished cases in the order of their numbers, even if they finish in another order.

use crate::hunt::CaseOutcome;
use anyhow::Result;
use findings::{Bugs, Examined, Sighting, directory_name, finding_files};
use model::Finding;
use schedule::{Event, Progress, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::{BugRow, CaseRecord, CaseResults, Ledger, Store};

/// The part of a campaign that writes findings.
pub(crate) struct Committer<'a> {
    store: &'a Store,
    /// Cases below this are recorded, or were before.
    next: u64,
    finished_before: BTreeSet<u64>,
    waiting: BTreeMap<u64, CaseOutcome>,
    bugs: Bugs,
    next_finding: u32,
    totals: Progress,
}

impl<'a> Committer<'a> {
    /// Goes on from what is stored.
    pub fn new(store: &'a Store, finished: &BTreeMap<u64, CaseRecord>) -> Result<Committer<'a>> {
        store.database.remove_provisional()?;
        let findings = store.database.findings()?;
        store.directory.keep_finding_directories(&findings.iter().map(directory_name).collect())?;
        let bugs = store.database.bugs()?;
        let mut totals = Progress { bugs: bugs.len() as u64, ..Progress::default() };
        findings.iter().for_each(|finding| add_finding(&mut totals, finding));
        Ok(Committer {
            store,
            next: 0,
            finished_before: finished.keys().copied().collect(),
            waiting: BTreeMap::new(),
            bugs: Bugs::new(bugs, store.database.last_bug_number()?, &findings),
            next_finding: findings.last().map_or(1, |finding| finding.number + 1),
            totals,
        })
    }

    /// Takes a finished case and records every case whose turn has come.
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
                Some(broken_off) => {
                    self.waiting.insert(self.next, broken_off);
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    /// Shows what still waits at the end of a run: the findings of cases that were broken off, and of those that
    /// wait for them. They are not settled: a later run walks these cases again and finds them again in their turn.
    /// Returns how many cases these are.
    pub fn show_the_rest(&mut self, watcher: &dyn Watcher) -> Result<u64> {
        let unsettled = self.waiting.len() as u64;
        while let Some((number, outcome)) = self.waiting.pop_first() {
            self.commit(number, CaseOutcome { record: None, ..outcome }, watcher)?;
        }
        Ok(unsettled)
    }

    /// Puts the totals of the findings into the figures.
    pub fn describe(&self, progress: &mut Progress) {
        progress.findings = self.totals.findings.clone();
        progress.bugs = self.totals.bugs;
    }

    /// Records what came of a case, all or nothing.
    fn commit(&mut self, number: u64, outcome: CaseOutcome, watcher: &dyn Watcher) -> Result<()> {
        let is_settled = outcome.record.is_some();
        let mut found: Vec<(Finding, u64)> = Vec::new();
        let mut merged = BTreeMap::new();
        let mut is_changed = false;
        for examined in outcome.examined {
            let sighting = Sighting::of(&examined);
            // What is not settled must not change what is.
            let placed =
                if is_settled { self.bugs.place(&sighting) } else { self.bugs.place_for_show(&sighting) };
            is_changed |= placed.renamed || !placed.merged.is_empty();
            merged.extend(placed.merged.into_iter().map(|gone| (gone, placed.bug.number)));
            if placed.keep {
                let finding = self.finding(number, &outcome.seed_name, &placed.bug, examined);
                found.push((finding, placed.bug.hits));
            }
        }
        let mut moved = Vec::new();
        if is_changed {
            for (finding, _) in &mut found {
                self.follow(finding, &merged);
            }
            moved = self.store.database.findings()?;
            moved.retain_mut(|finding| self.follow(finding, &merged));
        }
        // The files come first: what is in the store is taken to be on disk as a whole.
        for finding in moved.iter().chain(found.iter().map(|(finding, _)| finding)) {
            write_finding(self.store, finding)?;
        }
        let findings: Vec<Finding> = found.iter().map(|(finding, _)| finding.clone()).collect();
        self.store.database.record_results(&CaseResults {
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

    /// Gives a finding the bug that took in its own, and the fingerprint by which that goes now. True if this
    /// changed anything.
    fn follow(&self, finding: &mut Finding, merged: &BTreeMap<u32, u32>) -> bool {
        let mut number = finding.bug;
        // A bug is only ever taken in by an earlier one.
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

/// Puts a further reduced exhibit in the place of a stored one. The files come first here, too.
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
    store.database.replace_finding(&changed)?;
    Ok(changed)
}

fn add_finding(totals: &mut Progress, finding: &Finding) {
    *totals.findings.entry((finding.kind(), finding.weighed.evidence)).or_default() += 1;
}
