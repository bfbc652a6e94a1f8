//! Recording finished cases in the order of their numbers, whoever finishes first.

use crate::case::CaseOutcome;
use crate::{Event, Progress, Watcher};
use anyhow::Result;
use findings::{Bugs, Examined, directory_name, finding_files};
use model::{Answer, Exhibit, Finding, Hash};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::{CaseRecord, Store};

/// The part of a campaign that writes findings.
pub(crate) struct Committer<'a> {
    store: &'a Store,
    /// Cases below this are recorded, or were before.
    next: u64,
    finished_before: BTreeSet<u64>,
    waiting: BTreeMap<u64, CaseOutcome>,
    bugs: Bugs,
    next_finding: u32,
    known: BTreeSet<Hash>,
    totals: Progress,
}

impl<'a> Committer<'a> {
    /// Goes on from what is stored.
    pub fn new(store: &'a Store, finished: &BTreeMap<u64, CaseRecord>) -> Result<Committer<'a>> {
        let findings = store.findings()?;
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
            known: findings.iter().map(|finding| identity(&finding.exhibit)).collect(),
            totals,
        })
    }

    /// Takes a finished case and records every case whose turn has come.
    pub fn finish(&mut self, number: u64, outcome: CaseOutcome, watcher: &dyn Watcher) -> Result<()> {
        self.waiting.insert(number, outcome);
        loop {
            if self.finished_before.contains(&self.next) {
                self.next += 1;
            } else if let Some(outcome) = self.waiting.remove(&self.next) {
                self.commit(self.next, outcome, watcher)?;
                self.next += 1;
            } else {
                return Ok(());
            }
        }
    }

    /// Records what still waits, at the end of a run.
    pub fn commit_the_rest(&mut self, watcher: &dyn Watcher) -> Result<()> {
        while let Some((number, outcome)) = self.waiting.pop_first() {
            self.commit(number, outcome, watcher)?;
        }
        Ok(())
    }

    /// Puts the totals of the findings into the figures.
    pub fn describe(&self, progress: &mut Progress) {
        progress.findings = self.totals.findings.clone();
        progress.bugs = self.totals.bugs;
    }

    fn commit(&mut self, number: u64, outcome: CaseOutcome, watcher: &dyn Watcher) -> Result<()> {
        for examined in outcome.examined {
            // A case that was broken off puts up the same exhibits again when it is run again.
            if self.known.insert(identity(&examined.exhibit)) {
                self.record_finding(number, &outcome.seed_name, examined, watcher)?;
            }
        }
        if let Some(record) = &outcome.record {
            self.store.record_case(number, record)?;
        }
        Ok(())
    }

    fn record_finding(
        &mut self,
        case_number: u64,
        seed_name: &str,
        examined: Examined,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let accused = examined.reduced.queries.first().map_or("", |query| query.analyzer.name());
        let placed = self.bugs.place(accused, examined.exhibit.kind, &examined.features);
        self.store.put_bug(&placed.bug)?;
        self.totals.bugs = self.totals.bugs.max(u64::from(placed.bug.number));
        if !placed.keep {
            return Ok(());
        }
        let finding = Finding {
            number: self.next_finding,
            bug: placed.bug.number,
            fingerprint: placed.bug.fingerprint.clone(),
            case_number,
            seed_name: seed_name.to_owned(),
            exhibit: examined.exhibit,
            reduced: examined.reduced,
            fully_reduced: examined.fully_reduced,
            outputs: outputs(&examined.answers),
            answers: examined.answers,
            runs: examined.runs,
            weighed: examined.weighed,
        };
        self.next_finding += 1;
        self.store.put_finding(&finding)?;
        write_finding(self.store, &finding)?;
        add_finding(&mut self.totals, &finding);
        watcher.event(&Event::Finding { finding: &finding, hits: placed.bug.hits });
        Ok(())
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

fn identity(exhibit: &Exhibit) -> Hash {
    let mut parts: Vec<Vec<u8>> = vec![exhibit.kind.to_string().into_bytes(), exhibit.relation.name.clone().into_bytes()];
    for query in &exhibit.queries {
        parts.push(query.analyzer.as_str().as_bytes().to_vec());
        parts.push(query.input.identity().0.to_vec());
        parts.push(vec![query.mode as u8]);
    }
    Hash::of_parts(parts.iter().map(Vec::as_slice))
}
