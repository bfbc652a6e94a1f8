//! The texts of the seeds as earlier cases read them.

use crate::Campaign;
use engine::SeedProblem;
use model::{Hash, Seed};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use store::CaseRecord;

/// The identity of every seed that a case of the campaign has read, by the seed's place.
///
/// Seeds are read one at a time, when a case needs them, so this is also when a change is noticed.
pub(crate) struct KnownSeeds(Mutex<BTreeMap<usize, Hash>>);

impl KnownSeeds {
    /// What the recorded cases have read.
    pub fn new(campaign: &Campaign<'_>, cases: &BTreeMap<u64, CaseRecord>) -> KnownSeeds {
        let read = cases.iter().filter_map(|(number, case)| Some((campaign.turn(*number).1?, case.seed?)));
        KnownSeeds(Mutex::new(read.collect()))
    }

    /// The identity of a seed, which must be the one that earlier cases had. Another text would be another campaign,
    /// so a case on a changed seed is skipped.
    pub fn check(&self, place: Option<usize>, seed: &Seed) -> Result<Hash, SeedProblem> {
        let hash = seed.identity();
        // A seed that was made from nothing depends on nothing that could change.
        let Some(place) = place else { return Ok(hash) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *known.entry(place).or_insert(hash) != hash {
            let reason = "the seed has changed since the campaign read it";
            return Err(SeedProblem { reason, detail: seed.name.to_string() });
        }
        Ok(hash)
    }
}
