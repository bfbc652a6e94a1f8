//! The job of `juvenal judge`: walk the recorded cases and judge the findings again, without running any analyzer.

use crate::{Campaign, Cases};
use anyhow::Result;
use engine::{Journal, Tally};
use findings::{Confirmation, confirm};
use model::{Answer, Finding, Query};
use schedule::{End, InOrder, Job, Progress, Walker, Worker, drive};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use store::CaseRecord;
use techniques::{Notes, judge_of};

/// The result of judging again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgeTotals {
    /// Recorded cases that were walked again, including the incomplete ones.
    pub cases: u64,
    /// Recorded cases that the hunt skipped; they have nothing to judge.
    pub skipped: u64,
    /// Answers that were read again, because another reader produced the verdict or the user asked for it.
    pub reread: u64,
    /// Reread answers whose verdict changed.
    pub changed: u64,
    /// Answers that kept the verdict of another reader, because their output is not recorded in full.
    pub not_rereadable: u64,
    /// Answers in the store, including those to queries of reductions, witnesses and interrupted cases.
    pub recorded: u64,
    /// Cases that could not be walked to their end: an answer is missing, the seed is gone, or juvenal itself failed.
    pub incomplete: u64,
    /// Exhibits that the walks found.
    pub exhibits: u64,
    /// Findings whose recorded answers still break their relation.
    pub upheld: Vec<u32>,
    /// Findings whose recorded answers no longer break their relation, because the judge has changed.
    pub overturned: Vec<u32>,
    /// Findings with missing answers, or on which juvenal itself failed.
    pub undecided: Vec<u32>,
    /// Findings that the techniques of the plan cannot read.
    pub unjudgeable: Vec<u32>,
}

/// Walks every recorded case again on the recorded answers, and judges every finding again.
pub fn judge(campaign: &Campaign<'_>, journal: Journal) -> Result<JudgeTotals> {
    judge_by(campaign, journal, &Judge::new(campaign)?)
}

/// Judges every finding again. The cases of a search are claims, which are not walked.
pub fn judge_findings(campaign: &Campaign<'_>, journal: Journal) -> Result<JudgeTotals> {
    judge_by(campaign, journal, &Judge::of_findings(campaign)?)
}

/// Like [`judge`], with a job that runs its units elsewhere.
pub fn judge_by(
    campaign: &Campaign<'_>,
    journal: Journal,
    job: &impl Job<Outcome = JudgeTotals>,
) -> Result<JudgeTotals> {
    let ledger = &campaign.store.ledger;
    let units = ledger.cases()?.len() + ledger.findings()?.len();
    let mut judged = JudgeTotals { recorded: campaign.store.answers.count()?, ..JudgeTotals::default() };
    let mut recorder = InOrder::new(|_, part: JudgeTotals, _: &mut Progress| {
        judged.add(part);
        Ok(ControlFlow::Continue(()))
    });
    let mut pool = campaign.pool(journal);
    pool.stop.budget.units = Some(units as u64);
    pool.run(job, &mut recorder, Progress::default())?;
    Ok(judged)
}

/// Judging again as a job. The units are the recorded cases, then the findings.
pub struct Judge<'a> {
    cases: Cases<'a>,
    recorded: Vec<(u64, CaseRecord)>,
    findings: Vec<Finding>,
}

impl<'a> Judge<'a> {
    /// The job of a campaign.
    pub fn new(campaign: &'a Campaign<'a>) -> Result<Judge<'a>> {
        let ledger = &campaign.store.ledger;
        let recorded = ledger.cases()?.into_iter().collect();
        Ok(Judge { recorded, ..Judge::of_findings(campaign)? })
    }

    /// The same without the cases.
    pub fn of_findings(campaign: &'a Campaign<'a>) -> Result<Judge<'a>> {
        let findings = campaign.store.ledger.findings()?;
        Ok(Judge { cases: campaign.cases(), recorded: Vec::new(), findings })
    }
}

impl Job for Judge<'_> {
    type Outcome = JudgeTotals;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<JudgeTotals> {
        let unit = unit as usize;
        match (self.recorded.get(unit), self.findings.get(unit.wrapping_sub(self.recorded.len()))) {
            (Some((number, record)), _) => self.judge_case(*number, record, worker),
            (None, Some(finding)) => self.judge_finding(finding, worker),
            (None, None) => Ok(JudgeTotals::default()),
        }
    }
}

impl Judge<'_> {
    fn judge_case(&self, number: u64, record: &CaseRecord, worker: &mut Worker<'_>) -> Result<JudgeTotals> {
        if record.skipped.is_some() {
            return Ok(JudgeTotals { skipped: 1, ..JudgeTotals::default() });
        }
        let mut walk =
            JudgeWalk { worker, judged: JudgeTotals { cases: 1, incomplete: 1, ..JudgeTotals::default() } };
        if let Ok(ready) = self.cases.prepare(number)?
            && record.seed.is_none_or(|hash| hash == ready.seed.identity())
            && let End::Done | End::Skipped { .. } = drive(self.cases.opener(number, &ready), &mut walk)?
        {
            walk.judged.incomplete = 0;
        }
        Ok(walk.judged)
    }

    fn judge_finding(&self, finding: &Finding, worker: &mut Worker<'_>) -> Result<JudgeTotals> {
        let mut judged = JudgeTotals::default();
        let Ok(technique) = judge_of(&self.cases.techniques, &finding.reduced) else {
            judged.unjudgeable.push(finding.number);
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
    judged: JudgeTotals,
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

    fn is_over(&self) -> bool {
        self.worker.stop.is_over()
    }
}

impl JudgeTotals {
    fn count(&mut self, tally: &Tally) {
        self.reread += tally.reread;
        self.changed += tally.changed;
        self.not_rereadable += tally.not_rereadable;
    }

    fn add(&mut self, part: JudgeTotals) {
        self.cases += part.cases;
        self.skipped += part.skipped;
        self.reread += part.reread;
        self.changed += part.changed;
        self.not_rereadable += part.not_rereadable;
        self.incomplete += part.incomplete;
        self.exhibits += part.exhibits;
        self.upheld.extend(part.upheld);
        self.overturned.extend(part.overturned);
        self.undecided.extend(part.undecided);
        self.unjudgeable.extend(part.unjudgeable);
    }
}
