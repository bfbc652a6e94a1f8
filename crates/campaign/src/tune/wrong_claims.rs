//! Claims of recipes that evidence contradicts: they are confirmed, reduced and reported like all findings.
//!
//! Before a claim is reported, the options without which it is still wrong are left out. Further claims of recipes with the
//! options that remain are alike, and only a few of them are confirmed.

use super::trials::Accusation;
use crate::Campaign;
use crate::commit::Committer;
use crate::hunt::CaseOutcome;
use anyhow::Result;
use engine::{Journal, is_interruption};
use findings::{Confirmation, Examination, ReduceBudget, Stops, confirm};
use model::{Exhibit, Hash, Input};
use parking_lot::Mutex;
use schedule::{Progress, Worker};
use std::collections::{BTreeMap, BTreeSet};
use store::{CaseRecord, SkipReason};
use techniques::Technique;

/// Claims alike that are reduced; further ones are only confirmed.
const REDUCED_ALIKE: u32 = 2;
/// Claims alike that are confirmed; further ones are believed to be wrong, too.
const CONFIRMED_ALIKE: u32 = 5;

/// An option with its value.
type Choice = (String, String);

/// Examines wrong claims in the order in which they were made, which numbers them.
pub(super) struct WrongClaims<'a> {
    campaign: &'a Campaign<'a>,
    committer: Committer<'a>,
    /// Whether the claims that are recorded hold, by what is asked. A search that continues may make them in another order.
    recorded: BTreeMap<Hash, bool>,
    next: u64,
    /// The claims that were examined since the search began.
    seen: BTreeMap<Hash, ClaimStatus>,
    causes: Vec<Cause>,
}

/// Options that make an analyzer wrong.
struct Cause {
    options: BTreeSet<Choice>,
    /// How many claims with these options were confirmed to be wrong.
    confirmed: u32,
}

/// What examining a claim showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClaimStatus {
    /// It is wrong.
    Wrong,
    /// The analyzer does not make it again.
    NotReproduced,
    /// There was no time.
    Interrupted,
}

impl<'a> WrongClaims<'a> {
    pub(super) fn new(campaign: &'a Campaign<'a>) -> Result<WrongClaims<'a>> {
        let cases = campaign.store.ledger.cases()?;
        let committer = Committer::new(campaign.store, &cases)?;
        let known = cases.values().filter_map(|record| Some((record.seed?, record.skipped.is_none())));
        let next = cases.keys().next_back().map_or(0, |last| last + 1);
        let (recorded, seen) = (known.collect(), BTreeMap::new());
        Ok(WrongClaims { campaign, committer, recorded, next, seen, causes: Vec::new() })
    }

    /// Confirms a claim and records it as a finding.
    pub(super) fn examine(&mut self, seed_name: &str, accusation: &Accusation) -> Result<ClaimStatus> {
        let identity = identity_of(&accusation.exhibit);
        if let Some(status) = self.seen.get(&identity) {
            return Ok(*status);
        }
        let options: BTreeSet<Choice> = accusation.choices.iter().cloned().collect();
        let known = self.causes.iter().position(|cause| cause.explains(&options));
        if known.is_some_and(|known| self.causes[known].confirmed >= CONFIRMED_ALIKE) {
            return Ok(ClaimStatus::Wrong);
        }
        let status = match known {
            Some(known) => self.record(identity, seed_name, &accusation.exhibit, known)?,
            None => self.examine_new(identity, seed_name, accusation)?,
        };
        if status != ClaimStatus::Interrupted {
            self.seen.insert(identity, status);
        }
        Ok(status)
    }

    /// Examines a claim that no known cause explains. Only the options that it needs are reported.
    fn examine_new(&mut self, identity: Hash, seed_name: &str, claim: &Accusation) -> Result<ClaimStatus> {
        // On the record, this asks nothing again.
        match self.confirmed(&claim.exhibit)? {
            ClaimStatus::Wrong => {}
            ClaimStatus::NotReproduced => {
                let mut record = CaseRecord { seed: Some(identity), ..CaseRecord::default() };
                record.skip(SkipReason::NotReproduced, seed_name.to_owned());
                self.finish(identity, seed_name, record, Vec::new())?;
                return Ok(ClaimStatus::NotReproduced);
            }
            ClaimStatus::Interrupted => return Ok(ClaimStatus::Interrupted),
        }
        let mut needed = claim.clone();
        for choice in &claim.choices {
            let simpler = without(&needed, choice);
            match self.confirmed(&simpler.exhibit)? {
                ClaimStatus::Wrong => needed = simpler,
                ClaimStatus::NotReproduced => {}
                ClaimStatus::Interrupted => return Ok(ClaimStatus::Interrupted),
            }
        }
        let options: BTreeSet<Choice> = needed.choices.iter().cloned().collect();
        let known = self.causes.iter().position(|cause| cause.options == options);
        let cause = known.unwrap_or_else(|| {
            self.causes.push(Cause { options, confirmed: 0 });
            self.causes.len() - 1
        });
        self.record(identity, seed_name, &needed.exhibit, cause)
    }

    /// Confirms an exhibit, reduces it if it is one of the first of its cause, and records it, unless that was done before.
    fn record(
        &mut self,
        identity: Hash,
        seed_name: &str,
        exhibit: &Exhibit,
        cause: usize,
    ) -> Result<ClaimStatus> {
        let is_wrong = match self.recorded.get(&identity) {
            Some(is_wrong) => *is_wrong,
            None => {
                let is_reduced = self.causes[cause].confirmed < REDUCED_ALIKE;
                let candidates = if is_reduced { self.campaign.reduce_candidates } else { 0 };
                let mut record = CaseRecord { seed: Some(identity), ..CaseRecord::default() };
                let examined = match self.examination(exhibit, candidates)? {
                    Examination::Held(examined) => vec![*examined],
                    Examination::Fleeting => {
                        record.skip(SkipReason::NotReproduced, seed_name.to_owned());
                        Vec::new()
                    }
                    Examination::BrokenOff => return Ok(ClaimStatus::Interrupted),
                };
                let is_wrong = !examined.is_empty();
                self.finish(identity, seed_name, record, examined)?;
                is_wrong
            }
        };
        if !is_wrong {
            return Ok(ClaimStatus::NotReproduced);
        }
        self.causes[cause].confirmed += 1;
        Ok(ClaimStatus::Wrong)
    }

    fn finish(
        &mut self,
        identity: Hash,
        seed_name: &str,
        record: CaseRecord,
        examined: Vec<findings::Examined>,
    ) -> Result<()> {
        if self.recorded.contains_key(&identity) {
            return Ok(());
        }
        self.recorded.insert(identity, !examined.is_empty());
        let (seed_name, sampled) = (seed_name.to_owned(), Vec::new());
        let outcome = CaseOutcome { seed_name, record: Some(record), examined, sampled };
        self.committer.finish(self.next, outcome, self.campaign.watcher)?;
        self.next += 1;
        Ok(())
    }

    /// Adds the findings to the figures.
    pub(super) fn describe(&self, progress: &mut Progress) {
        self.committer.describe(progress);
    }

    fn technique_of(&self, exhibit: &Exhibit) -> Option<&'a Technique> {
        let mut techniques = self.campaign.techniques.iter().copied();
        techniques.find(|technique| technique.name == exhibit.technique)
    }

    /// Asks the queries of an exhibit again, twice.
    fn confirmed(&self, exhibit: &Exhibit) -> Result<ClaimStatus> {
        let Some(technique) = self.technique_of(exhibit) else { return Ok(ClaimStatus::NotReproduced) };
        self.with_worker(|worker| match confirm(&mut worker.asker, technique, exhibit) {
            Ok(Confirmation::Confirmed(_)) => Ok(ClaimStatus::Wrong),
            Ok(Confirmation::Fleeting) => Ok(ClaimStatus::NotReproduced),
            Err(error) if is_interruption(&error) || worker.stop.is_requested() => {
                Ok(ClaimStatus::Interrupted)
            }
            Err(error) => Err(error),
        })
    }

    fn examination(&self, exhibit: &Exhibit, candidates: usize) -> Result<Examination> {
        let Some(technique) = self.technique_of(exhibit) else { return Ok(Examination::Fleeting) };
        self.with_worker(|worker| {
            let stop = worker.stop;
            let stops = Stops { search: &|| stop.is_over(), asking: &|| stop.is_requested() };
            let budget = ReduceBudget { candidates };
            let askers = std::slice::from_mut(&mut worker.asker);
            match findings::examine(askers, technique, self.campaign.lineup, exhibit, budget, &stops) {
                Err(error) if is_interruption(&error) => Ok(Examination::BrokenOff),
                examination => examination,
            }
        })
    }

    fn with_worker<T>(&self, work: impl FnOnce(&mut Worker<'_>) -> T) -> T {
        let pool = self.campaign.pool(Journal::ReadAndWrite);
        let progress = Mutex::default();
        work(&mut pool.worker(&progress))
    }
}

impl Cause {
    /// True if a recipe with these options is wrong for this cause. Defaults that are wrong explain only themselves: a recipe
    /// changes them.
    fn explains(&self, options: &BTreeSet<Choice>) -> bool {
        if self.options.is_empty() { options.is_empty() } else { self.options.is_subset(options) }
    }
}

/// The claim of the same analyzer without one of its options.
fn without(accusation: &Accusation, choice: &Choice) -> Accusation {
    let mut simpler = accusation.clone();
    simpler.choices.retain(|it| it != choice);
    let accused = simpler.exhibit.queries.first().map(|query| query.analyzer.clone());
    for query in simpler.exhibit.queries.iter_mut().filter(|query| Some(&query.analyzer) == accused.as_ref())
    {
        query.options.retain(|it| it != choice);
        // The options of a solver are in the script.
        if let Input::Smt(script) = &mut query.input {
            let line = techniques::assess::script_option(&choice.0, &choice.1);
            script.options = script.options.replace(&line, "").into();
        }
    }
    simpler
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

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> BTreeSet<Choice> {
        words.iter().map(|word| ((*word).to_owned(), "on".to_owned())).collect()
    }

    #[test]
    fn a_cause_explains_recipes_with_all_of_its_options() {
        let cause = |words: &[&str]| Cause { options: options(words), confirmed: 1 };
        assert!(cause(&["trust"]).explains(&options(&["noise", "trust"])));
        assert!(!cause(&["trust"]).explains(&options(&["noise", "precision"])));
        assert!(!cause(&["fast", "trust"]).explains(&options(&["trust"])));
        assert!(cause(&[]).explains(&options(&[])) && !cause(&[]).explains(&options(&["trust"])));
    }
}
