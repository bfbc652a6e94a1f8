//! Rounds of parts: those that fail are divided for the next round.

use super::{SplitProject, SplitState};
use anyhow::Result;
use engine::is_interruption;
use model::{Answer, Claim, FileFailure, LimitKind, ProjectReport, Verdict, Way};
use parking_lot::Mutex;
use schedule::{InOrder, Job, Pool, Progress, Stop, Worker};
use serde::{Deserialize, Serialize};
use splitting::{Part, PartOutcome, PartReport, PartSummary, halves};
use std::ops::ControlFlow;
use store::AnswerLog;

/// Parts that are analyzed at the same time, with their numbers.
pub(super) struct Round(Vec<(u32, Part)>);

impl Round {
    /// The first round.
    pub(super) fn first(parts: Vec<Part>) -> Round {
        Round((1..).zip(parts).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The answer about a part; none if the user interrupted.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PartAnswer {
    answer: Option<Answer>,
    is_recorded: bool,
}

/// A round as a job: a unit is a part.
pub(crate) struct SplitRound<'r, 'a> {
    pub(crate) project: &'r SplitProject<'a>,
    pub(crate) way: Way,
    pub(crate) parts: &'r [(u32, Part)],
    pub(crate) log: &'r dyn AnswerLog,
    /// What is shown while the round runs. No outcome depends on it.
    pub(crate) state: &'r Mutex<SplitState>,
    pub(crate) report: &'r (dyn Fn(&SplitState) + Sync),
}

impl Job for SplitRound<'_, '_> {
    type Outcome = PartAnswer;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> Result<PartAnswer> {
        let (_, part) = &self.parts[unit as usize];
        match self.project.ask(part, self.way, self.log) {
            Ok((answer, is_recorded)) => {
                self.tell(&answer, is_recorded);
                Ok(PartAnswer { answer: Some(answer), is_recorded })
            }
            Err(error) if is_interruption(&error) => Ok(PartAnswer { answer: None, is_recorded: false }),
            Err(error) => Err(error),
        }
    }
}

impl SplitRound<'_, '_> {
    fn tell(&self, answer: &Answer, is_recorded: bool) {
        let mut state = self.state.lock();
        state.done += 1;
        state.recorded += usize::from(is_recorded);
        state.results += report_of(&answer.verdict).map_or(0, |report| report.results.len());
        (self.report)(&state);
    }
}

/// All rounds of a split.
pub(super) struct Rounds<'r, 'a> {
    project: &'r SplitProject<'a>,
    way: Way,
    pool: &'r Pool<'r>,
    report: &'r (dyn Fn(&SplitState) + Sync),
    state: Mutex<SplitState>,
    summaries: Vec<PartSummary>,
    reports: Vec<PartReport>,
    next_number: u32,
    is_broken_off: bool,
}

impl<'r, 'a> Rounds<'r, 'a> {
    pub(super) fn new(
        project: &'r SplitProject<'a>,
        way: Way,
        pool: &'r Pool<'r>,
        report: &'r (dyn Fn(&SplitState) + Sync),
    ) -> Rounds<'r, 'a> {
        Rounds {
            project,
            way,
            pool,
            report,
            state: Mutex::default(),
            summaries: Vec::new(),
            reports: Vec::new(),
            next_number: 1,
            is_broken_off: false,
        }
    }

    pub(super) fn is_broken_off(&self) -> bool {
        self.is_broken_off
    }

    /// Runs a round; returns the next one.
    pub(super) fn run(&mut self, round: Round) -> Result<Round> {
        let parts = round.0;
        self.next_number =
            self.next_number.max(parts.iter().map(|(number, _)| number + 1).max().unwrap_or(1));
        {
            let mut state = self.state.lock();
            state.parts += parts.len();
            (self.report)(&state);
        }
        let outcomes = self.outcomes(&parts)?;
        self.is_broken_off = outcomes.len() < parts.len() || outcomes.iter().any(|it| it.answer.is_none());
        // If the tool refuses every part, as it does without its configuration, smaller parts are refused as well.
        let is_refused = |it: &PartAnswer| {
            it.answer.as_ref().is_some_and(|answer| matches!(answer.verdict, Verdict::Rejected(_)))
        };
        let is_hopeless = !outcomes.is_empty() && outcomes.iter().all(is_refused);
        let mut next = Vec::new();
        for ((number, part), part_answer) in parts.into_iter().zip(outcomes) {
            let Some(answer) = part_answer.answer else { continue };
            let smaller = match is_hopeless || self.is_broken_off || !is_incomplete(&answer.verdict) {
                true => Vec::new(),
                false => halves(&part, self.project.graph()),
            };
            let mut summary = self.summary(number, &part, &answer, part_answer.is_recorded);
            if smaller.is_empty() {
                self.reports.push(self.part_report(part, &answer.verdict));
            } else {
                summary.outcome = PartOutcome::SplitAgain(smaller.len() as u32);
                self.state.lock().divided += 1;
                next.extend(smaller.into_iter().map(|part| {
                    self.next_number += 1;
                    (self.next_number - 1, part)
                }));
            }
            self.summaries.push(summary);
        }
        Ok(Round(next))
    }

    /// The outcomes of the first parts up to the first that did not run.
    fn outcomes(&self, parts: &[(u32, Part)]) -> Result<Vec<PartAnswer>> {
        let Some(store) = self.pool.store else { anyhow::bail!("a split without a store") };
        let job = SplitRound {
            project: self.project,
            way: self.way,
            parts,
            log: &*store.answers,
            state: &self.state,
            report: self.report,
        };
        let mut outcomes = Vec::new();
        let mut recorder = InOrder::new(|_, answer: PartAnswer, _: &mut Progress| {
            outcomes.push(answer);
            Ok(ControlFlow::Continue(()))
        });
        let budget = self.pool.stop.budget.with_units(parts.len() as u64);
        let pool = Pool { stop: Stop { budget, ..self.pool.stop }, ..*self.pool };
        pool.run(&job, &mut recorder, Progress::default())?;
        Ok(outcomes)
    }

    pub(super) fn into_results(self) -> (Vec<PartSummary>, Vec<PartReport>, bool) {
        (self.summaries, self.reports, self.is_broken_off)
    }

    fn summary(&self, number: u32, part: &Part, answer: &Answer, is_recorded: bool) -> PartSummary {
        let files = || part.files.iter().filter_map(|&file| self.project.contents().files.get(file as usize));
        let report = report_of(&answer.verdict);
        PartSummary {
            number,
            files: part.files.len() as u64,
            owned: part.owned.len() as u64,
            lines: files().map(|file| file.lines).sum(),
            bytes: files().map(|file| file.bytes).sum(),
            cost: answer.cost.into(),
            outcome: outcome(&answer.verdict),
            results: report.map_or(0, |report| report.results.len() as u64),
            failures: report.map_or(0, |report| report.failures.len() as u64),
            is_recorded,
        }
    }

    /// What a part contributes to the merged report. A part that failed says so for each of its files.
    fn part_report(&self, part: Part, verdict: &Verdict) -> PartReport {
        match report_of(verdict) {
            Some(report) if report.is_partial => {
                PartReport { part, analyzed: Vec::new(), report: report.clone() }
            }
            Some(report) => {
                PartReport { analyzed: self.project.analyzed(&part), report: report.clone(), part }
            }
            None => {
                let message = why(verdict);
                let named = self.project.named(&part).into_iter().filter(|&file| part.owns(file));
                let failures = named
                    .map(|file| FileFailure {
                        file: Some(self.project.name(file).to_owned()),
                        message: message.clone(),
                    })
                    .collect();
                PartReport {
                    part,
                    analyzed: Vec::new(),
                    report: ProjectReport { failures, ..ProjectReport::default() },
                }
            }
        }
    }
}

fn report_of(verdict: &Verdict) -> Option<&ProjectReport> {
    match verdict {
        Verdict::Claim(Claim::Report(report)) => Some(report),
        _ => None,
    }
}

/// True if smaller parts may give more than this.
fn is_incomplete(verdict: &Verdict) -> bool {
    report_of(verdict).is_none_or(|report| report.is_partial)
}

fn outcome(verdict: &Verdict) -> PartOutcome {
    match verdict {
        Verdict::Claim(_) => PartOutcome::Ok,
        Verdict::Limit(_) => PartOutcome::Limit(why(verdict)),
        Verdict::Crash(text) => PartOutcome::Crash(text.clone()),
        Verdict::Unknown | Verdict::Rejected(_) | Verdict::Unreadable(_) => PartOutcome::Failed(why(verdict)),
    }
}

/// Why there is no report, for the user.
pub(super) fn why(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Limit(LimitKind::Time) => "it took longer than the time limit".to_owned(),
        Verdict::Limit(LimitKind::Memory) => "it needed more than the memory limit".to_owned(),
        Verdict::Limit(LimitKind::Output) => "it printed more than can be read".to_owned(),
        Verdict::Limit(LimitKind::Resource) => "it gave up at a limit of its own".to_owned(),
        Verdict::Crash(text) => format!("the tool crashed: {text}"),
        Verdict::Rejected(text) => format!("the tool refused it: {text}"),
        Verdict::Unreadable(text) => format!("its output cannot be read: {text}"),
        Verdict::Claim(_) | Verdict::Unknown => "there is no report".to_owned(),
    }
}
