//! Comparing: every case is walked on the recorded answers, whoever has not answered is asked, and what everybody said
//! is gathered.
//!
//! Nothing but answers is recorded, so that a comparison that was broken off, or whose line-up has grown, asks only what
//! nobody knows yet. What is gathered is in the order of the cases, whoever walks faster.

use crate::{Campaign, Event, Leaving, POLL_INTERVAL, Progress, STATUS_EVERY};
use anyhow::Result;
use engine::{Asker, Journal};
use model::{AnalyzerInfo, Answer, ComparedAnalyzer, Comparison, ComparisonDomain, Query, Seed, Verdict};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use techniques::{Notes, Step, Technique};

/// Compares everybody under test on so many cases. The campaign has one technique. With [`Journal::ReadOnly`] nobody is
/// asked, and a case ends where an answer is missing.
pub fn compare(campaign: &Campaign<'_>, cases: u64, journal: Journal) -> Result<(Comparison, Progress)> {
    let table = Table {
        campaign,
        cases,
        journal,
        next: AtomicU64::new(0),
        gathered: Mutex::default(),
        progress: Mutex::new(Progress {
            answers_before: campaign.store.database.answer_count()?,
            ..Progress::default()
        }),
        failure: Mutex::new(None),
    };
    let running = AtomicU64::new(campaign.jobs.max(1) as u64);
    thread::scope(|scope| {
        for _ in 0..campaign.jobs.max(1) {
            scope.spawn(|| {
                let _leaving = Leaving(&running);
                table.work();
            });
        }
        table.watch(&running);
    });
    if let Some(error) = table.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut progress = table.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.answers = campaign.store.database.answer_count()?;
    progress.broken_off = cases.saturating_sub(progress.cases);
    campaign.budget.describe(&mut progress);
    let gathered = table.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((joined(campaign, gathered), progress))
}

/// What one case has brought.
type Gathered = Comparison;

/// What the workers share.
struct Table<'a> {
    campaign: &'a Campaign<'a>,
    cases: u64,
    journal: Journal,
    next: AtomicU64,
    gathered: Mutex<BTreeMap<u64, Gathered>>,
    progress: Mutex<Progress>,
    failure: Mutex<Option<anyhow::Error>>,
}

impl Table<'_> {
    fn work(&self) {
        let mut asker = Asker::new(self.campaign.engine, Some(self.campaign.store), self.journal);
        while !self.campaign.is_over() {
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            if number >= self.cases {
                return;
            }
            if let Err(error) = self.walk_case(number, &mut asker) {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.campaign.stop.store(true, Ordering::SeqCst);
            }
        }
    }

    fn walk_case(&self, number: u64, asker: &mut Asker<'_>) -> Result<()> {
        let (technique, seed) = self.campaign.parts_of(number)?;
        let seed = match seed {
            Ok(seed) => seed,
            Err(problem) => {
                self.skip(problem.reason.to_owned(), problem.detail);
                return Ok(());
            }
        };
        let mut gathered = empty(self.campaign);
        let walk = || self.walk(number, technique, &seed, asker, &mut gathered);
        // A fault of ours on one seed must not end the comparison; it is counted and shown, with the seed's name.
        let walked = catch_unwind(AssertUnwindSafe(walk));
        if walked.is_err() {
            self.skip(crate::case::OWN_FAULT.to_owned(), format!("{} (case {number})", seed.name));
        }
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner).insert(number, gathered);
        walked.unwrap_or(Ok(()))
    }

    fn walk(
        &self,
        number: u64,
        technique: &Technique,
        seed: &Seed,
        asker: &mut Asker<'_>,
        gathered: &mut Gathered,
    ) -> Result<()> {
        let mut case = self.campaign.open(number, technique, seed)?;
        let mut answers = Vec::new();
        while !self.campaign.is_over() {
            let mut notes = Notes::default();
            let step = case.next(&answers, &mut notes);
            gathered.checks.append(&mut notes.compared);
            match step {
                Step::Ask(queries) => {
                    let Some(given) = asker.ask_until(&queries, &|| self.campaign.is_over())? else {
                        return Ok(());
                    };
                    take_costs(&mut gathered.analyzers, &queries, &given);
                    answers = given;
                    let tally = asker.take_tally();
                    let is_known = tally.missing == 0;
                    self.progress.lock().unwrap_or_else(PoisonError::into_inner).tally.add(&tally);
                    if !is_known {
                        return Ok(());
                    }
                }
                Step::Done => {
                    self.progress.lock().unwrap_or_else(PoisonError::into_inner).cases += 1;
                    return Ok(());
                }
                Step::Skip { reason, detail } => {
                    // What makes a seed useless may show late.
                    gathered.checks.clear();
                    self.skip(reason, detail);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn skip(&self, reason: String, detail: String) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.cases += 1;
        progress.skip_examples.entry(reason.clone()).or_insert(detail);
        *progress.skipped.entry(reason).or_default() += 1;
    }

    /// Tells the watcher how it goes while workers run.
    fn watch(&self, running: &AtomicU64) {
        let mut glances = 0u64;
        while running.load(Ordering::SeqCst) > 0 {
            thread::sleep(POLL_INTERVAL);
            glances += 1;
            if glances.is_multiple_of(STATUS_EVERY) {
                let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
                self.campaign.budget.describe(&mut progress);
                progress.cases_wanted = Some(self.cases);
                self.campaign.watcher.event(&Event::Status(&progress));
            }
        }
    }
}

/// A comparison of everybody under test that the technique can ask, without a check.
fn empty(campaign: &Campaign<'_>) -> Comparison {
    let language = campaign.techniques.first().and_then(|technique| ComparisonDomain::of(technique.language));
    let language = language.unwrap_or(ComparisonDomain::C);
    let approximation = |member: &AnalyzerInfo| match language {
        ComparisonDomain::C => member.reachability().map(|role| role.approximation),
        ComparisonDomain::Smt => member.smt().map(|role| role.approximation),
    };
    let analyzer = |member: &AnalyzerInfo| {
        Some(ComparedAnalyzer {
            id: member.id.clone(),
            approximation: approximation(member)?,
            queries: 0,
            cpu_microseconds: 0,
            wall_microseconds: 0,
            unknowns: 0,
            limits: 0,
            crashes: 0,
            refusals: 0,
        })
    };
    let members: Vec<&AnalyzerInfo> =
        campaign.lineup.subjects.iter().filter(|member| approximation(member).is_some()).collect();
    Comparison {
        language,
        analyzers: members.iter().filter_map(|member| analyzer(member)).collect(),
        checks: Vec::new(),
        // No configuration of a solver is known to decide more than another.
        orders: match language {
            ComparisonDomain::C => techniques::differential::orders(&members),
            ComparisonDomain::Smt => Vec::new(),
        },
    }
}

fn take_costs(analyzers: &mut [ComparedAnalyzer], queries: &[Query], answers: &[Answer]) {
    for (query, answer) in queries.iter().zip(answers) {
        let Some(analyzer) = analyzers.iter_mut().find(|it| it.id == query.analyzer) else { continue };
        analyzer.queries += 1;
        analyzer.cpu_microseconds += answer.cost.cpu_microseconds;
        analyzer.wall_microseconds += answer.cost.wall_microseconds;
        match &answer.verdict {
            Verdict::Claim(_) => {}
            Verdict::Unknown | Verdict::Unreadable(_) => analyzer.unknowns += 1,
            Verdict::Limit(_) => analyzer.limits += 1,
            Verdict::Crash(_) => analyzer.crashes += 1,
            Verdict::Rejected(_) => analyzer.refusals += 1,
        }
    }
}

/// One comparison of all cases, with its checks numbered from 1.
fn joined(campaign: &Campaign<'_>, gathered: BTreeMap<u64, Gathered>) -> Comparison {
    let mut whole = empty(campaign);
    for part in gathered.into_values() {
        for (sum, it) in whole.analyzers.iter_mut().zip(&part.analyzers) {
            sum.queries += it.queries;
            sum.cpu_microseconds += it.cpu_microseconds;
            sum.wall_microseconds += it.wall_microseconds;
            sum.unknowns += it.unknowns;
            sum.limits += it.limits;
            sum.crashes += it.crashes;
            sum.refusals += it.refusals;
        }
        whole.checks.extend(part.checks);
    }
    whole.checks.iter_mut().zip(1..).for_each(|(check, number)| check.number = number);
    whole
}
