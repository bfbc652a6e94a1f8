//! Claims of recipes that evidence contradicts: they are confirmed, reduced and reported like all findings.

use crate::Campaign;
use crate::commit::Committer;
use crate::hunt::CaseOutcome;
use anyhow::Result;
use engine::{Journal, is_interruption};
use findings::{Examination, ReduceBudget, Stops};
use model::{Exhibit, Hash};
use parking_lot::Mutex;
use schedule::Progress;
use std::collections::BTreeMap;
use store::CaseRecord;

/// Claims with the same option that are reduced; further ones are only confirmed.
const REDUCED_ALIKE: u32 = 2;
/// Claims with the same option that are confirmed; further ones are believed to be wrong, too.
const CONFIRMED_ALIKE: u32 = 5;
/// The reason why a claim counts for nothing.
const NOT_REPRODUCED: &str = "the claim was not made again";

/// Examines wrong claims in the order in which they were made, which numbers them.
pub(super) struct WrongClaims<'a> {
    campaign: &'a Campaign<'a>,
    committer: Committer<'a>,
    /// Whether the claims that were examined hold, by what is asked. A search that continues may make them in another order.
    examined: BTreeMap<Hash, bool>,
    next: u64,
    /// How often a claim with this option was confirmed to be wrong.
    confirmed: BTreeMap<(String, String), u32>,
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
        let known = recorded.values().filter_map(|record| Some((record.seed?, record.skipped.is_none())));
        let next = recorded.keys().next_back().map_or(0, |last| last + 1);
        Ok(WrongClaims { campaign, committer, examined: known.collect(), next, confirmed: BTreeMap::new() })
    }

    /// Confirms a claim and records it as a finding.
    pub(super) fn examine(&mut self, seed_name: &str, exhibit: &Exhibit) -> Result<Shown> {
        let identity = identity_of(exhibit);
        if let Some(is_wrong) = self.examined.get(&identity).copied() {
            return Ok(self.note(exhibit, is_wrong));
        }
        // Of the options of this claim, the one with the most confirmed claims is probably to blame for it, too.
        let alike =
            options_of(exhibit).filter_map(|option| self.confirmed.get(option)).max().copied().unwrap_or(0);
        if alike >= CONFIRMED_ALIKE {
            return Ok(Shown::Wrong);
        }
        let candidates = if alike < REDUCED_ALIKE { self.campaign.reduce_candidates } else { 0 };
        let mut record = CaseRecord { seed: Some(identity), ..CaseRecord::default() };
        let examined = match self.examination(exhibit, candidates)? {
            Examination::Held(examined) => vec![*examined],
            Examination::Fleeting => {
                record.skip(NOT_REPRODUCED, seed_name);
                Vec::new()
            }
            Examination::BrokenOff => return Ok(Shown::Interrupted),
        };
        let is_wrong = !examined.is_empty();
        let (seed_name, sampled) = (seed_name.to_owned(), Vec::new());
        let outcome = CaseOutcome { seed_name, record: Some(record), examined, sampled };
        self.committer.finish(self.next, outcome, self.campaign.watcher)?;
        self.next += 1;
        self.examined.insert(identity, is_wrong);
        Ok(self.note(exhibit, is_wrong))
    }

    fn note(&mut self, exhibit: &Exhibit, is_wrong: bool) -> Shown {
        if !is_wrong {
            return Shown::NotReproduced;
        }
        for option in options_of(exhibit) {
            *self.confirmed.entry(option.clone()).or_default() += 1;
        }
        Shown::Wrong
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

/// The options of the accused.
fn options_of(exhibit: &Exhibit) -> impl Iterator<Item = &(String, String)> {
    exhibit.queries.first().into_iter().flat_map(|query| &query.options)
}

/// What is asked, and about what.
fn identity_of(exhibit: &Exhibit) -> Hash {
    let mut parts: Vec<Vec<u8>> = vec![exhibit.title.clone().into_bytes()];
    for query in &exhibit.queries {
        let options: Vec<String> =
            query.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        parts.push(format!("{} {} {}", query.analyzer, query.role, options.join(",")).into_bytes());
        parts.push(query.input.identity().0.to_vec());
    }
    Hash::of_parts(parts.iter().map(Vec::as_slice))
}
