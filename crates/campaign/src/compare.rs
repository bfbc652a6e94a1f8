//! The job of `juvenal compare`: walk every case and tabulate the analyzers' answers to its checks.
//!
//! Only answers are recorded. When a comparison is continued, or an analyzer is added, only the missing queries are asked.
//! The rows of the table are in the order of the cases.

use crate::{Campaign, Cases};
use anyhow::{Context, Result};
use engine::{Journal, is_interruption};
use model::{AnalyzerInfo, Answer, ComparedAnalyzer, Comparison, ComparisonDomain, Query, Verdict};
use schedule::{End, InOrder, Job, OWN_FAULT, Progress, Walker, Worker, drive};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use techniques::Notes;

/// Compares the analyzers under test on the cases of the budget. The campaign has one technique. With
/// [`Journal::ReadOnly`] no analyzer runs, and a case ends where an answer is missing.
pub fn compare(campaign: &Campaign<'_>, journal: Journal) -> Result<(Comparison, Progress)> {
    compare_by(campaign, journal, &Compare::new(campaign)?)
}

/// Like [`compare`], with a job that runs its units elsewhere.
pub fn compare_by(
    campaign: &Campaign<'_>,
    journal: Journal,
    job: &impl Job<Outcome = ComparedCase>,
) -> Result<(Comparison, Progress)> {
    let store = campaign.store;
    let mut whole = empty(campaign)?;
    let mut recorder = InOrder::new(|_, part: ComparedCase, progress: &mut Progress| {
        match part.skipped {
            Some((reason, detail)) => progress.skip(reason, detail),
            None => progress.cases += u64::from(part.is_complete),
        }
        add(&mut whole, part.comparison);
        Ok(ControlFlow::Continue(()))
    });
    let before = Progress { answers_before: store.answers.count()?, ..Progress::default() };
    let mut progress = campaign.pool(journal).run(job, &mut recorder, before)?;
    progress.answers = store.answers.count()?;
    progress.broken_off = campaign.stop.budget.units.unwrap_or(0).saturating_sub(progress.cases);
    whole.checks.iter_mut().zip(1..).for_each(|(check, number)| check.number = number);
    Ok((whole, progress))
}

/// The rows of one case.
#[derive(Serialize, Deserialize)]
pub struct ComparedCase {
    comparison: Comparison,
    /// The reason and its details, if the case was skipped.
    skipped: Option<(String, String)>,
    is_complete: bool,
}

/// The comparison as a job; a unit is a case.
pub struct Compare<'a> {
    cases: Cases<'a>,
    empty: Comparison,
}

impl<'a> Compare<'a> {
    /// The job of a campaign.
    pub fn new(campaign: &'a Campaign<'a>) -> Result<Compare<'a>> {
        Ok(Compare { cases: campaign.cases(), empty: empty(campaign)? })
    }
}

impl Job for Compare<'_> {
    type Outcome = ComparedCase;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<ComparedCase> {
        let mut part = ComparedCase { comparison: self.empty.clone(), skipped: None, is_complete: false };
        let ready = match self.cases.prepare(unit) {
            Ok(Ok(ready)) => ready,
            Err(error) if is_interruption(&error) => return Ok(part),
            Err(error) => return Err(error),
            Ok(Err(problem)) => {
                part.skipped = Some((problem.reason.to_owned(), problem.detail));
                return Ok(part);
            }
        };
        let mut walk = CompareWalk { worker, comparison: &mut part.comparison };
        let end = drive(self.cases.opener(unit, &ready), &mut walk)?;
        walk.worker.report_tally();
        match end {
            End::Done => part.is_complete = true,
            End::Stopped => {}
            End::Skipped { reason, detail } => {
                // A seed may turn out to be unusable after some of its checks were compared.
                part.comparison.checks.clear();
                part.skipped = Some((reason, detail));
            }
            End::Panicked => {
                part.skipped = Some((OWN_FAULT.to_owned(), format!("{} (case {unit})", ready.seed.name)));
            }
        }
        Ok(part)
    }
}

struct CompareWalk<'a, 'w, 'p> {
    worker: &'w mut Worker<'p>,
    comparison: &'a mut Comparison,
}

impl Walker for CompareWalk<'_, '_, '_> {
    fn see(&mut self, mut notes: Notes) -> Result<ControlFlow<()>> {
        self.comparison.checks.append(&mut notes.compared);
        Ok(ControlFlow::Continue(()))
    }

    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
        let stop = self.worker.stop;
        let Some(answers) = self.worker.asker.ask_until(queries, &|| stop.is_over())? else {
            return Ok(None);
        };
        add_costs(&mut self.comparison.analyzers, queries, &answers);
        Ok((self.worker.report_tally() == 0).then_some(answers))
    }

    fn is_over(&self) -> bool {
        self.worker.stop.is_over()
    }
}

/// A comparison of the analyzers under test that the technique can ask, without any check.
fn empty(campaign: &Campaign<'_>) -> Result<Comparison> {
    let language = campaign.techniques.first().and_then(|technique| technique.language.kind().comparison);
    let language = language.context("the language of this technique has no comparison")?;
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
    Ok(Comparison {
        language,
        analyzers: members.iter().filter_map(|member| analyzer(member)).collect(),
        checks: Vec::new(),
        // No configuration of a solver is known to be more precise than another.
        weaknesses: Vec::new(),
        orders: match language {
            ComparisonDomain::C => techniques::differential::orders(&members),
            ComparisonDomain::Smt => Vec::new(),
        },
    })
}

fn add_costs(analyzers: &mut [ComparedAnalyzer], queries: &[Query], answers: &[Answer]) {
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

/// Adds the costs and checks of one case.
fn add(whole: &mut Comparison, part: Comparison) {
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
