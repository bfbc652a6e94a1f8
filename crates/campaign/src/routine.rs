//! Routine exhibits: so common that only the first few of a kind are examined in a campaign.
//!
//! Which are the first must not depend on who walks faster, so a case puts its routine exhibits on this desk, and they
//! are chosen in the order of the cases of each technique. Any worker then examines what was chosen; the results are
//! recorded in order.

use crate::Rota;
use crate::case::{CaseOutcome, NOT_EXAMINED};
use model::Exhibit;
use std::collections::{BTreeMap, BTreeSet};
use store::CaseRecord;

/// So many routine exhibits of a kind are examined. Which of them hold is not known when they are chosen.
const EXAMINED: u64 = 3;

/// A routine exhibit, with the word for its kind.
pub(crate) struct RoutineExhibit {
    /// The technique's word for what is common.
    pub word: String,
    /// The exhibit.
    pub exhibit: Exhibit,
}

/// Walked cases on their way to being recorded.
pub(crate) struct RoutineDesk {
    rota: Rota,
    /// How many cases of each technique have passed.
    passed: Vec<u64>,
    finished_before: BTreeSet<u64>,
    walked: BTreeMap<u64, CaseOutcome>,
    chosen: BTreeMap<u64, CaseOutcome>,
    examined: BTreeMap<String, u64>,
}

impl RoutineDesk {
    /// Goes on from what is stored, in a campaign with these turns.
    pub fn new(rota: Rota, finished: &BTreeMap<u64, CaseRecord>) -> RoutineDesk {
        let mut examined: BTreeMap<String, u64> = BTreeMap::new();
        for (word, count) in finished.values().flat_map(|record| &record.sampled) {
            *examined.entry(word.clone()).or_default() += count;
        }
        let finished_before = finished.keys().copied().collect();
        let passed = vec![0; rota.techniques()];
        RoutineDesk {
            rota,
            passed,
            finished_before,
            walked: BTreeMap::new(),
            chosen: BTreeMap::new(),
            examined,
        }
    }

    /// Takes a walked case. Returns the cases of which nothing is to be examined any more, and how many routine
    /// exhibits were put aside.
    pub fn receive(&mut self, number: u64, outcome: CaseOutcome) -> (Vec<(u64, CaseOutcome)>, u64) {
        self.walked.insert(number, outcome);
        let (mut ready, mut dropped) = (Vec::new(), 0);
        let (technique, _) = self.rota.place(number);
        loop {
            let turn = self.rota.case(technique, self.passed[technique]);
            // A case that was broken off holds up those behind it: what it would put up is not known.
            let is_whole = self.walked.get(&turn).is_some_and(|outcome| outcome.record.is_some());
            if is_whole && let Some(mut outcome) = self.walked.remove(&turn) {
                dropped += self.choose(&mut outcome);
                match outcome.routine.is_empty() {
                    true => ready.push((turn, outcome)),
                    false => drop(self.chosen.insert(turn, outcome)),
                }
            } else if !self.finished_before.contains(&turn) {
                return (ready, dropped);
            }
            self.passed[technique] += 1;
        }
    }

    /// Keeps the exhibits of a case that are among the first of their kind. Returns how many are not.
    fn choose(&mut self, outcome: &mut CaseOutcome) -> u64 {
        let Some(record) = &mut outcome.record else { return 0 };
        let before = outcome.routine.len();
        outcome.routine.retain(|it| {
            let examined = self.examined.entry(it.word.clone()).or_default();
            let is_wanted = *examined < EXAMINED;
            if is_wanted {
                *examined += 1;
                *record.sampled.entry(it.word.clone()).or_default() += 1;
            }
            is_wanted
        });
        let dropped = (before - outcome.routine.len()) as u64;
        outcome.count(NOT_EXAMINED, dropped);
        dropped
    }

    /// The first case with exhibits to examine.
    pub fn take_chosen(&mut self) -> Option<(u64, CaseOutcome)> {
        self.chosen.pop_first()
    }

    /// The same when the campaign is over: what still waits may be shown, but it is not settled.
    pub fn take_for_show(&mut self) -> Option<(u64, CaseOutcome)> {
        let waiting = || self.walked.iter().find(|(_, outcome)| !outcome.routine.is_empty());
        let number = match self.chosen.first_key_value() {
            Some((number, _)) => *number,
            None => *waiting()?.0,
        };
        let outcome = self.chosen.remove(&number).or_else(|| self.walked.remove(&number))?;
        Some((number, CaseOutcome { record: None, ..outcome }))
    }

    /// What is left when the campaign is over. None of it is complete.
    pub fn rest(self) -> impl Iterator<Item = (u64, CaseOutcome)> {
        let waiting = self.walked.into_iter().chain(self.chosen);
        waiting.map(|(number, outcome)| (number, CaseOutcome { record: None, ..outcome }))
    }
}

#[cfg(test)]
mod tests {
    use super::{EXAMINED, RoutineDesk, RoutineExhibit};
    use crate::Rota;
    use crate::case::CaseOutcome;
    use model::{Exhibit, Kind, Relation};
    use std::collections::BTreeMap;
    use store::CaseRecord;

    fn walked(words: &[&str]) -> CaseOutcome {
        let exhibit = Exhibit {
            technique: String::new(),
            kind: Kind::Precision,
            title: String::new(),
            queries: Vec::new(),
            relation: Relation { name: String::new(), facts: BTreeMap::new() },
            sample_key: None,
        };
        let routine =
            words.iter().map(|word| RoutineExhibit { word: (*word).to_owned(), exhibit: exhibit.clone() });
        CaseOutcome {
            seed_name: String::new(),
            record: Some(CaseRecord::default()),
            examined: Vec::new(),
            routine: routine.collect(),
        }
    }

    /// What is chosen from these cases when they are walked in this order.
    fn chosen(order: &[usize], cases: &[&[&str]]) -> Vec<(u64, Vec<String>)> {
        let mut desk = RoutineDesk::new(Rota::with(vec![1]), &BTreeMap::new());
        for number in order {
            desk.receive(*number as u64, walked(cases[*number]));
        }
        let words = |it: CaseOutcome| it.routine.into_iter().map(|it| it.word).collect();
        std::iter::from_fn(|| desk.take_chosen()).map(|(number, it)| (number, words(it))).collect()
    }

    #[test]
    fn the_first_few_are_chosen_in_whatever_order_cases_are_walked() {
        let cases: [&[&str]; 4] = [&["a", "b"], &[], &["a", "a"], &["a", "b"]];
        let in_order = chosen(&[0, 1, 2, 3], &cases);
        let names = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(in_order, [(0, names(&["a", "b"])), (2, names(&["a", "a"])), (3, names(&["b"]))]);
        assert_eq!(chosen(&[3, 1, 2, 0], &cases), in_order);
    }

    #[test]
    fn a_case_that_was_broken_off_holds_up_those_behind_it() {
        let mut desk = RoutineDesk::new(Rota::with(vec![1]), &BTreeMap::new());
        let (ready, _) = desk.receive(0, CaseOutcome { record: None, ..walked(&[]) });
        assert!(ready.is_empty());
        let (ready, _) = desk.receive(1, walked(&["a"]));
        assert!(ready.is_empty() && desk.take_chosen().is_none());
        assert_eq!(desk.rest().map(|(number, _)| number).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_technique_does_not_wait_for_another() {
        let mut desk = RoutineDesk::new(Rota::with(vec![1, 1]), &BTreeMap::new());
        let (ready, _) = desk.receive(1, walked(&[]));
        assert_eq!(ready.len(), 1);
        let (ready, _) = desk.receive(2, walked(&[]));
        assert!(ready.is_empty());
        let (ready, _) = desk.receive(0, walked(&[]));
        assert_eq!(ready.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn what_was_examined_before_a_resumption_counts() {
        let routine = BTreeMap::from([("a".to_owned(), EXAMINED)]);
        let finished = BTreeMap::from([(0, CaseRecord { sampled: routine, ..CaseRecord::default() })]);
        let mut desk = RoutineDesk::new(Rota::with(vec![1]), &finished);
        let (ready, dropped) = desk.receive(1, walked(&["a"]));
        assert_eq!((ready.len(), dropped), (1, 1));
    }
}
