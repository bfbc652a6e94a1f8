//! Judging the recorded answers again, without asking anybody.

use crate::Campaign;
use crate::known_seeds::KnownSeeds;
use anyhow::Result;
use engine::{Asker, Journal};
use findings::{Confirmation, confirm};
use model::Finding;
use techniques::{Notes, Step, find};

/// What judging again came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Recorded cases walked again.
    pub cases: u64,
    /// Answers read from the store.
    pub answers: u64,
    /// Cases that could not be walked to their end because an answer was never recorded.
    pub incomplete: u64,
    /// Exhibits that the walks put up.
    pub exhibits: u64,
    /// Findings whose recorded answers still break their relation.
    pub upheld: Vec<u32>,
    /// Findings whose recorded answers no longer do: the judge has changed its mind.
    pub overturned: Vec<u32>,
    /// Findings of which some answers are not recorded.
    pub undecided: Vec<u32>,
}

/// Walks every recorded case again on the recorded answers, and judges every finding again.
pub fn judge(campaign: &Campaign<'_>) -> Result<Judged> {
    let mut asker = Asker::new(campaign.engine, Some(campaign.store), Journal::ReadOnly);
    let mut judged = Judged::default();
    let cases = campaign.store.cases()?;
    let seeds = KnownSeeds::new(campaign, &cases);
    for number in cases.keys() {
        walk_again(campaign, &seeds, *number, &mut asker, &mut judged)?;
    }
    for finding in campaign.store.findings()? {
        judge_finding(campaign, &finding, &mut asker, &mut judged)?;
    }
    Ok(judged)
}

fn walk_again(
    campaign: &Campaign<'_>,
    seeds: &KnownSeeds,
    number: u64,
    asker: &mut Asker<'_>,
    judged: &mut Judged,
) -> Result<()> {
    judged.cases += 1;
    let (technique, seed) = campaign.parts_of(number);
    let Ok(seed) = seed else { return Ok(()) };
    seeds.check(campaign.seed_index(number), &seed)?;
    let mut case = campaign.open(number, technique, &seed)?;
    let mut answers = Vec::new();
    loop {
        let mut notes = Notes::default();
        let step = case.next(&answers, &mut notes);
        judged.exhibits += notes.exhibits.len() as u64;
        let Step::Ask(queries) = step else { return Ok(()) };
        answers = asker.ask(&queries)?;
        let tally = asker.take_tally();
        judged.answers += tally.recalled;
        if tally.missing > 0 {
            judged.incomplete += 1;
            return Ok(());
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
    let confirmation = confirm(asker, technique, &finding.reduced)?;
    let tally = asker.take_tally();
    judged.answers += tally.recalled;
    let list = match confirmation {
        _ if tally.missing > 0 => &mut judged.undecided,
        Confirmation::Confirmed(_) => &mut judged.upheld,
        Confirmation::Fleeting => &mut judged.overturned,
    };
    list.push(finding.number);
    Ok(())
}
