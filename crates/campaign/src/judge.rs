//! Judging the recorded answers again, without asking anybody.

use crate::Campaign;
use anyhow::Result;
use engine::{Asker, Journal};
use findings::{Confirmation, confirm};
use model::{Finding, Seed};
use std::panic::{AssertUnwindSafe, catch_unwind};
use store::{CaseRecord, Ledger};
use techniques::{Notes, Step, Technique, find};

/// What judging again came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Recorded cases walked again, those that are incomplete included.
    pub cases: u64,
    /// Recorded cases that the hunt skipped, and that have nothing to judge.
    pub skipped: u64,
    /// Answers read from the store.
    pub answers: u64,
    /// Answers in the store, also those that only reductions, witnesses or cases that were broken off asked for.
    pub recorded: u64,
    /// Cases that could not be walked to their end: an answer was never recorded, the seed is gone or has
    /// changed, or juvenal itself failed.
    pub incomplete: u64,
    /// Exhibits that the walks put up.
    pub exhibits: u64,
    /// Findings whose recorded answers still break their relation.
    pub upheld: Vec<u32>,
    /// Findings whose recorded answers no longer do: the judge has changed its mind.
    pub overturned: Vec<u32>,
    /// Findings of which some answers are not recorded, or on which juvenal itself failed.
    pub undecided: Vec<u32>,
}

/// Walks every recorded case again on the recorded answers, and judges every finding again.
pub fn judge(campaign: &Campaign<'_>) -> Result<Judged> {
    let mut asker = Asker::new(campaign.engine, Some(campaign.store), Journal::ReadOnly);
    let mut judged = Judged { recorded: campaign.store.database.answer_count()?, ..Judged::default() };
    for (number, record) in &campaign.store.database.cases()? {
        if record.skipped.is_some() {
            judged.skipped += 1;
            continue;
        }
        judged.cases += 1;
        if !walk_again(campaign, *number, record, &mut asker, &mut judged)? {
            judged.incomplete += 1;
        }
    }
    for finding in campaign.store.database.findings()? {
        judge_finding(campaign, &finding, &mut asker, &mut judged)?;
    }
    Ok(judged)
}

/// True if the case could be walked to its end.
fn walk_again(
    campaign: &Campaign<'_>,
    number: u64,
    record: &CaseRecord,
    asker: &mut Asker<'_>,
    judged: &mut Judged,
) -> Result<bool> {
    let (technique, seed) = campaign.parts_of(number)?;
    let Ok(seed) = seed else { return Ok(false) };
    if record.seed.is_some_and(|hash| hash != seed.identity()) {
        return Ok(false);
    }
    let walk = || walk(campaign, number, technique, &seed, asker, judged);
    // A fault of ours in one case must not keep the others from being judged.
    catch_unwind(AssertUnwindSafe(walk)).unwrap_or(Ok(false))
}

fn walk(
    campaign: &Campaign<'_>,
    number: u64,
    technique: &Technique,
    seed: &Seed,
    asker: &mut Asker<'_>,
    judged: &mut Judged,
) -> Result<bool> {
    let mut case = campaign.open(number, technique, seed)?;
    let mut answers = Vec::new();
    loop {
        let mut notes = Notes::default();
        let step = case.next(&answers, &mut notes);
        judged.exhibits += notes.exhibits.len() as u64;
        let Step::Ask(queries) = step else { return Ok(true) };
        answers = asker.ask(&queries)?;
        let tally = asker.take_tally();
        judged.answers += tally.recalled;
        if tally.missing > 0 {
            return Ok(false);
        }
    }
}

fn judge_finding(
    campaign: &Campaign<'_>,
    finding: &Finding,
    asker: &mut Asker<'_>,
    judged: &mut Judged,
) -> Result<()> {
    let Some(technique) = find(&campaign.techniques, &finding.exhibit.technique) else {
        judged.undecided.push(finding.number);
        return Ok(());
    };
    let ask = || confirm(asker, technique, &finding.reduced);
    let confirmation = catch_unwind(AssertUnwindSafe(ask)).ok().transpose()?;
    let tally = asker.take_tally();
    judged.answers += tally.recalled;
    let list = match confirmation {
        Some(Confirmation::Confirmed(_)) if tally.missing == 0 => &mut judged.upheld,
        Some(Confirmation::Fleeting) if tally.missing == 0 => &mut judged.overturned,
        _ => &mut judged.undecided,
    };
    list.push(finding.number);
    Ok(())
}
