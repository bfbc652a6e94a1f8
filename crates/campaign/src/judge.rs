//! The job of `juvenal judge`: walk the recorded cases and judge the findings again, without asking any analyzer.

use crate::{Campaign, Cases};
use anyhow::Result;
use engine::{Journal, Tally};
use findings::{Confirmation, confirm};
use model::{Answer, Finding, Query};
use schedule::{End, InOrder, Job, Progress, Walker, Worker, drive};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use store::{CaseRecord, Ledger};
use techniques::{Notes, find};

/// The result of judging again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Recorded cases that were walked again, including the incomplete ones.
    pub cases: u64,
    /// Recorded cases that the hunt skipped; they have nothing to judge.
    pub skipped: u64,
    /// Answers read from the store.
    pub answers: u64,
    /// Answers that today's reader read again, because another one made the verdict or the user asked for it.
    pub reread: u64,
    /// Those of them whose verdict changed.
    pub changed: u64,
    /// Answers that kept the verdict of another reader, because their output is not recorded in full.
    pub not_rereadable: u64,
    /// Answers in the store, including those that only reductions, witnesses or interrupted cases asked for.
    pub recorded: u64,
    /// Cases that could not be walked to their end: an answer is missing, the seed is gone, or juvenal itself failed.
    pub incomplete: u64,
    /// Exhibits that the walks found.
    pub exhibits: u64,
    /// Findings whose recorded answers still break their relation.
    pub upheld: Vec<u32>,
    /// Findings whose recorded answers no longer break their relation: the judge has changed its mind.
    pub overturned: Vec<u32>,
    /// Findings with missing answers, or on which juvenal itself failed.
    pub undecided: Vec<u32>,
}

/// Walks every recorded case again on the recorded answers, and judges every finding again.
pub fn judge(campaign: &Campaign<'_>, journal: Journal) -> Result<Judged> {
    let database = &campaign.store.database;
    let job = Judge {
        cases: campaign.cases(),
        recorded: database.cases()?.into_iter().collect(),
        findings: database.findings()?,
    };
    let mut judged = Judged { recorded: database.answer_count()?, ..Judged::default() };
    let mut recorder = InOrder::new(|_, part: Judged, _: &mut Progress| {
        judged.add(part);
        Ok(ControlFlow::Continue(()))
    });
    let mut pool = campaign.pool(journal);
    pool.stop.budget.units = Some((job.recorded.len() + job.findings.len()) as u64);
    pool.run(&job, &mut recorder, Progress::default())?;
    Ok(judged)
}

/// The units are the recorded cases, then the findings.
struct Judge<'a> {
    cases: Cases<'a>,
    recorded: Vec<(u64, CaseRecord)>,
    findings: Vec<Finding>,
}

impl Job for Judge<'_> {
    type Outcome = Judged;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Judged> {
        let unit = unit as usize;
        match (self.recorded.get(unit), self.findings.get(unit.wrapping_sub(self.recorded.len()))) {
            (Some((number, record)), _) => self.judge_case(*number, record, worker),
            (None, Some(finding)) => self.judge_finding(finding, worker),
            (None, None) => Ok(Judged::default()),
        }
    }
}

impl Judge<'_> {
    fn judge_case(&self, number: u64, record: &CaseRecord, worker: &mut Worker<'_>) -> Result<Judged> {
        if record.skipped.is_some() {
            return Ok(Judged { skipped: 1, ..Judged::default() });
        }
        let mut walk = JudgeWalk { worker, judged: Judged { cases: 1, incomplete: 1, ..Judged::default() } };
        if let Ok(ready) = self.cases.prepare(number)?
            && record.seed.is_none_or(|hash| hash == ready.seed.identity())
            && let End::Done | End::Skipped { .. } = drive(|| self.cases.open(number, &ready), &mut walk)?
        {
            walk.judged.incomplete = 0;
        }
        Ok(walk.judged)
    }

    fn judge_finding(&self, finding: &Finding, worker: &mut Worker<'_>) -> Result<Judged> {
        let mut judged = Judged::default();
        let Some(technique) = find(&self.cases.techniques, &finding.exhibit.technique) else {
            judged.undecided.push(finding.number);
            return Ok(judged);
        };
        let ask = || confirm(&mut worker.asker, technique, &finding.reduced);
        let confirmation = catch_unwind(AssertUnwindSafe(ask)).ok().transpose()?;
        let tally = worker.asker.take_tally();
        judged.count(&tally);
        let list = match confirmation {
            Some(Confirmation::Confirmed(_)) if tally.missing == 0 => &mut judged.upheld,
            Some(Confirmation::Fleeting) if tally.missing == 0 => &mut judged.overturned,
            _ => &mut judged.undecided,
        };
        list.push(finding.number);
        Ok(judged)
    }
}

struct JudgeWalk<'w, 'p> {
    worker: &'w mut Worker<'p>,
    judged: Judged,
}

impl Walker for JudgeWalk<'_, '_> {
    fn see(&mut self, notes: Notes) -> Result<ControlFlow<()>> {
        self.judged.exhibits += notes.exhibits.len() as u64;
        Ok(ControlFlow::Continue(()))
    }

    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
        let answers = self.worker.asker.ask(queries)?;
        let tally = self.worker.asker.take_tally();
        self.judged.count(&tally);
        Ok((tally.missing == 0).then_some(answers))
    }
}

impl Judged {
    fn count(&mut self, tally: &Tally) {
        self.answers += tally.recalled;
        self.reread += tally.reread;
        self.changed += tally.changed;
        self.not_rereadable += tally.not_rereadable;
    }

    fn add(&mut self, part: Judged) {
        self.cases += part.cases;
        self.skipped += part.skipped;
        self.answers += part.answers;
        self.reread += part.reread;
        self.changed += part.changed;
        self.not_rereadable += part.not_rereadable;
        self.incomplete += part.incomplete;
        self.exhibits += part.exhibits;
        self.upheld.extend(part.upheld);
        self.overturned.extend(part.overturned);
        self.undecided.extend(part.undecided);
    }
}
