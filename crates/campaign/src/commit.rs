//! Recording finished cases in the order of their numbers, whoever finishes first.

use crate::case::CaseOutcome;
use crate::{Event, Progress, Watcher};
use anyhow::Result;
use findings::{Bugs, Examined, directory_name, finding_files};
use model::{Answer, Finding};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::{BugRow, CaseRecord, CaseResults, Store};

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
        store.take_back_unsettled()?;
        let findings = store.findings()?;
        store.keep_finding_directories(&findings.iter().map(directory_name).collect())?;
        let bugs = store.bugs()?;
        let mut totals = Progress { bugs: bugs.len() as u64, ..Progress::default() };
        findings.iter().for_each(|finding| add_finding(&mut totals, finding));
        Ok(Committer {
            store,
            next: 0,
            finished_before: finished.keys().copied().collect(),
            waiting: BTreeMap::new(),
            bugs: Bugs::new(bugs),
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
    pub fn show_the_rest(&mut self, watcher: &dyn Watcher) -> Result<()> {
        while let Some((number, outcome)) = self.waiting.pop_first() {
            self.commit(number, CaseOutcome { record: None, ..outcome }, watcher)?;
        }
        Ok(())
    }

    /// Puts the totals of the findings into the figures.
    pub fn describe(&self, progress: &mut Progress) {
        progress.findings = self.totals.findings.clone();
        progress.bugs = self.totals.bugs;
    }

    /// Records what came of a case, all or nothing.
    fn commit(&mut self, number: u64, outcome: CaseOutcome, watcher: &dyn Watcher) -> Result<()> {
        let mut found: Vec<(Finding, u64)> = Vec::new();
        let mut merged = Vec::new();
        for examined in outcome.examined {
            let accused = examined.reduced.queries.first().map_or("", |query| query.analyzer.name());
            let placed = self.bugs.place(accused, examined.exhibit.kind, &examined.features);
            for gone in placed.merged {
                found
                    .iter_mut()
                    .filter(|(it, _)| it.bug == gone)
                    .for_each(|(it, _)| it.bug = placed.bug.number);
                merged.push((gone, placed.bug.number));
            }
            if placed.keep {
                let finding = self.finding(number, &outcome.seed_name, &placed.bug, examined);
                found.push((finding, placed.bug.hits));
            }
        }
        // The files come first: what is in the store is taken to be on disk as a whole.
        for (finding, _) in &found {
            write_finding(self.store, finding)?;
        }
        let findings: Vec<Finding> = found.iter().map(|(finding, _)| finding.clone()).collect();
        self.store.record_results(&CaseResults {
            number,
            record: outcome.record.as_ref(),
            findings: &findings,
            bugs: self.bugs.rows(),
            // What is not settled must not change what is.
            merged: if outcome.record.is_some() { &merged } else { &[] },
        })?;
        self.totals.bugs = self.bugs.rows().len() as u64;
        for (finding, hits) in &found {
            add_finding(&mut self.totals, finding);
            watcher.event(&Event::Finding { finding, hits: *hits });
        }
        Ok(())
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
            outputs: outputs(&examined.answers),
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
        store.write_file(&directory.join(&file.name), file.text.as_bytes())?;
    }
    Ok(())
}

/// Puts a further reduced exhibit in the place of a stored one.
pub fn update_finding(store: &Store, finding: Finding, examined: Examined) -> Result<Finding> {
    let changed = Finding {
        reduced: examined.reduced,
        fully_reduced: examined.fully_reduced,
        outputs: outputs(&examined.answers),
        answers: examined.answers,
        runs: examined.runs,
        weighed: examined.weighed,
        ..finding
    };
    store.put_finding(&changed)?;
    write_finding(store, &changed)?;
    Ok(changed)
}

fn outputs(answers: &[Answer]) -> Vec<String> {
    answers.iter().map(|answer| String::from_utf8_lossy(&answer.output).into_owned()).collect()
}

fn add_finding(totals: &mut Progress, finding: &Finding) {
    *totals.findings.entry((finding.exhibit.kind, finding.weighed.evidence)).or_default() += 1;
}
