//! The knowledge base: programs that were asked, with what was said of them, one for each diversity profile.

use super::annotated::Annotated;
use crate::checks::Statuses;
use model::Random;
use std::collections::BTreeMap;

/// Percentage of choices that fall on the first entry.
const BEGIN_AGAIN: usize = 20;

/// A program and the analyzer's answer about its checks.
#[derive(Clone, Debug)]
pub struct Known {
    /// The program.
    pub program: Annotated,
    /// What was said of its checks.
    pub statuses: Statuses,
    /// At how many points a check fails.
    pub failing_places: usize,
    /// How often it may be chosen before another of the same profile takes its place.
    pub life: usize,
}

/// The programs that are kept for a seed. The profile of an entry states for each point whether a check fails there.
#[derive(Debug)]
pub struct Knowledge {
    by_profile: BTreeMap<Vec<bool>, usize>,
    entries: Vec<Known>,
    life: usize,
}

impl Knowledge {
    /// Knowledge of one program without checks. `life` is how often an entry may be chosen before it can be
    /// replaced; 0 for ever.
    pub fn new(points: usize, life: usize) -> Knowledge {
        let first =
            Known { program: Annotated::default(), statuses: Statuses::new(), failing_places: 0, life };
        // Programs in which nothing fails are not kept beside it: most have assumed so much that nothing is left.
        Knowledge { by_profile: BTreeMap::from([(vec![false; points], 0)]), entries: vec![first], life }
    }

    /// One of the entries, which is thereby used once more: of two drawn, the one with more failing checks. Where
    /// checks fail, executions arrive; a program in which none does has mostly assumed too much.
    ///
    /// Now and then it is the program without checks: a mistake that every program with an assumption at some point
    /// brings about shows only on the way from one that has none.
    pub fn choose(&mut self, random: &mut Random) -> Known {
        let (one, other) = (random.below(self.entries.len()), random.below(self.entries.len()));
        let failing = |index: usize| self.entries[index].failing_places;
        let index = match random.percent(BEGIN_AGAIN) {
            true => 0,
            false if failing(one) >= failing(other) => one,
            false => other,
        };
        let entry = &mut self.entries[index];
        entry.life = entry.life.saturating_sub(1);
        entry.clone()
    }

    /// Keeps a program if its profile is new, or if the life of the one that has its profile is over.
    pub fn remember(&mut self, profile: Vec<bool>, program: Annotated, statuses: Statuses) -> bool {
        let failing_places = profile.iter().filter(|fails| **fails).count();
        let known = Known { program, statuses, failing_places, life: self.life };
        match self.by_profile.get(&profile) {
            None => {
                self.by_profile.insert(profile, self.entries.len());
                self.entries.push(known);
                true
            }
            // The first entry is the bare seed, from which everything can begin again.
            Some(index) if *index > 0 && self.life > 0 && self.entries[*index].life == 0 => {
                self.entries[*index] = known;
                true
            }
            Some(_) => false,
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_replaced_only_when_its_life_is_over() {
        let mut random = Random::for_case(1, 1);
        let mut knowledge = Knowledge::new(2, 3);
        let keep = |knowledge: &mut Knowledge, profile: [bool; 2]| {
            knowledge.remember(profile.to_vec(), Annotated::default(), Statuses::new())
        };
        assert!(keep(&mut knowledge, [true, false]));
        assert_eq!(knowledge.len(), 2);
        for _ in 0..100 {
            knowledge.choose(&mut random);
        }
        assert!(keep(&mut knowledge, [true, false]), "its life is over");
        assert!(!keep(&mut knowledge, [true, false]), "the new one lives");
        assert!(!keep(&mut knowledge, [false, false]), "the bare seed stays, whatever its life");
        assert_eq!(knowledge.len(), 2);
    }

    #[test]
    fn without_a_time_to_live_nothing_is_replaced() {
        let mut random = Random::for_case(1, 1);
        let mut knowledge = Knowledge::new(1, 0);
        assert!(knowledge.remember(vec![true], Annotated::default(), Statuses::new()));
        for _ in 0..100 {
            knowledge.choose(&mut random);
        }
        assert!(!knowledge.remember(vec![true], Annotated::default(), Statuses::new()));
    }
}
