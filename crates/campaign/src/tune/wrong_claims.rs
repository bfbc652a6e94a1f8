//! Claims of recipes that evidence contradicts: they are confirmed, reduced and reported like all findings.

use crate::Campaign;
use crate::commit::Committer;
use crate::hunt::CaseOutcome;
use anyhow::Result;
use engine::{Journal, is_interruption};
use findings::{Examination, ReduceBudget, Stops};
use model::Exhibit;
use parking_lot::Mutex;
use schedule::Progress;
use std::collections::BTreeMap;
use store::CaseRecord;

/// Claims that look alike and are reduced; further ones are only confirmed.
const REDUCED_ALIKE: u32 = 2;
/// Claims that look alike and are confirmed; further ones are believed to be wrong, too.
const CONFIRMED_ALIKE: u32 = 5;
/// The reason why a claim counts for nothing.
const NOT_REPRODUCED: &str = "the claim was not made again";

/// Examines wrong claims in the order in which they were made, which numbers them.
pub(super) struct WrongClaims<'a> {
    campaign: &'a Campaign<'a>,
    committer: Committer<'a>,
    /// What earlier runs examined, by number.
    recorded: BTreeMap<u64, CaseRecord>,
    next: u64,
    alike: BTreeMap<String, u32>,
}

/// What examining a claim showed.
pub(super) enum Shown {
    /// It is wrong.
    Wrong,
    /// The analyzer does not make it again.
    NotReproduced,
    /// There was no time.
    Interrupted,
}

impl<'a> WrongClaims<'a> {
    pub(super) fn new(campaign: &'a Campaign<'a>) -> Result<WrongClaims<'a>> {
        let recorded = campaign.store.ledger.cases()?;
        let committer = Committer::new(campaign.store, &recorded)?;
        Ok(WrongClaims { campaign, committer, recorded, next: 0, alike: BTreeMap::new() })
    }

    /// Confirms a claim and records it as a finding.
    pub(super) fn examine(&mut self, seed_name: &str, exhibit: &Exhibit) -> Result<Shown> {
        let number = self.next;
        self.next += 1;
        let accused = exhibit.queries.first().map(|query| query.analyzer.to_string()).unwrap_or_default();
        let alike = self.alike.entry(format!("{accused} {}", exhibit.title)).or_default();
        *alike += 1;
        if *alike > CONFIRMED_ALIKE {
            return Ok(Shown::Wrong);
        }
        let candidates = if *alike <= REDUCED_ALIKE { self.campaign.reduce_candidates } else { 0 };
        if let Some(record) = self.recorded.get(&number) {
            return Ok(if record.skipped.is_some() { Shown::NotReproduced } else { Shown::Wrong });
        }
        let mut record = CaseRecord::default();
        let (shown, examined) = match self.examination(exhibit, candidates)? {
            Examination::Held(examined) => (Shown::Wrong, vec![*examined]),
            Examination::Fleeting => {
                record.skip(NOT_REPRODUCED, seed_name);
                (Shown::NotReproduced, Vec::new())
            }
            Examination::BrokenOff => return Ok(Shown::Interrupted),
        };
        let outcome = CaseOutcome {
            seed_name: seed_name.to_owned(),
            record: Some(record),
            examined,
            sampled: Vec::new(),
        };
        self.committer.finish(number, outcome, self.campaign.watcher)?;
        Ok(shown)
    }

    /// Adds the findings to the figures.
    pub(super) fn describe(&self, progress: &mut Progress) {
        self.committer.describe(progress);
    }

    fn examination(&self, exhibit: &Exhibit, candidates: usize) -> Result<Examination> {
        let technique = self.campaign.techniques.iter().find(|technique| technique.name == exhibit.technique);
        let Some(technique) = technique else { return Ok(Examination::Fleeting) };
        let pool = self.campaign.pool(Journal::ReadAndWrite);
        let progress = Mutex::default();
        let mut worker = pool.worker(&progress);
        let stop = worker.stop;
        let stops = Stops { search: &|| stop.is_over(), asking: &|| stop.is_requested() };
        let budget = ReduceBudget { candidates };
        let askers = std::slice::from_mut(&mut worker.asker);
        match findings::examine(askers, technique, self.campaign.lineup, exhibit, budget, &stops) {
            Err(error) if is_interruption(&error) => Ok(Examination::BrokenOff),
            examination => examination,
        }
    }
}
