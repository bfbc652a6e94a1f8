//! Sampling of exhibits that are so common that a campaign examines only the first few of each kind.
//!
//! Which are the first must not depend on the speed of workers. A case therefore leaves its common exhibits in this queue,
//! which chooses among them in the order of the cases of each technique. Any worker may then examine the chosen ones.

use crate::Turns;
use crate::hunt::CaseOutcome;
use std::collections::{BTreeMap, BTreeSet};
use store::CaseRecord;

/// The number of exhibits of a kind that are examined, whether or not they turn out to be confirmed.
const EXAMINED: u64 = 3;

/// Cases between their walk and their examination.
pub(crate) struct SamplingQueue {
    turns: Turns,
    /// The number of cases of each technique that have passed.
    passed: Vec<u64>,
    recorded: BTreeSet<u64>,
    walked: BTreeMap<u64, CaseOutcome>,
    chosen: BTreeMap<u64, CaseOutcome>,
    /// The number of exhibits chosen so far, by sample key.
    examined: BTreeMap<String, u64>,
}

impl SamplingQueue {
    /// A queue that continues after the recorded cases.
    pub fn new(turns: Turns, recorded: &BTreeMap<u64, CaseRecord>) -> SamplingQueue {
        let mut examined: BTreeMap<String, u64> = BTreeMap::new();
        for (key, count) in recorded.values().flat_map(|record| &record.sampled) {
            *examined.entry(key.clone()).or_default() += count;
        }
        SamplingQueue {
            passed: vec![0; turns.techniques()],
            turns,
            recorded: recorded.keys().copied().collect(),
            walked: BTreeMap::new(),
            chosen: BTreeMap::new(),
            examined,
        }
    }

    /// Takes a walked case. Returns the cases that have nothing left to examine, and the number of exhibits dropped.
    pub fn receive(&mut self, number: u64, outcome: CaseOutcome) -> (Vec<(u64, CaseOutcome)>, u64) {
        self.walked.insert(number, outcome);
        let (mut ready, mut dropped) = (Vec::new(), 0);
        let (technique, _) = self.turns.turn_of(number);
        loop {
            let turn = self.turns.case(technique, self.passed[technique]);
            // An interrupted case holds up those after it, because its exhibits are not all known.
            let is_complete = self.walked.get(&turn).is_some_and(|outcome| outcome.record.is_some());
            if is_complete && let Some(mut outcome) = self.walked.remove(&turn) {
                dropped += self.choose(&mut outcome);
                match outcome.sampled.is_empty() {
                    true => ready.push((turn, outcome)),
                    false => drop(self.chosen.insert(turn, outcome)),
                }
            } else if !self.recorded.contains(&turn) {
                return (ready, dropped);
            }
            self.passed[technique] += 1;
        }
    }

    /// Keeps the exhibits of a case that are among the first of their kind. Returns the number of the others.
    fn choose(&mut self, outcome: &mut CaseOutcome) -> u64 {
        let mut wanted = outcome.sampled_keys();
        for (key, count) in &mut wanted {
            let examined = self.examined.entry(key.clone()).or_default();
            *count = (*count).min(EXAMINED.saturating_sub(*examined));
            *examined += *count;
        }
        outcome.keep_sampled(&wanted)
    }

    /// The first case with exhibits to examine.
    pub fn take_chosen(&mut self) -> Option<(u64, CaseOutcome)> {
        self.chosen.pop_first()
    }

    /// The first case with exhibits to examine, once the campaign is over. Its findings are provisional.
    pub fn take_provisional(&mut self) -> Option<(u64, CaseOutcome)> {
        let waiting = || self.walked.iter().find(|(_, outcome)| !outcome.sampled.is_empty());
        let number = match self.chosen.first_key_value() {
            Some((number, _)) => *number,
            None => *waiting()?.0,
        };
        let outcome = self.chosen.remove(&number).or_else(|| self.walked.remove(&number))?;
        Some((number, CaseOutcome { record: None, ..outcome }))
    }

    /// The remaining cases, once the campaign is over. All of them are interrupted.
    pub fn take_rest(&mut self) -> Vec<(u64, CaseOutcome)> {
        let waiting = std::mem::take(&mut self.walked).into_iter().chain(std::mem::take(&mut self.chosen));
        waiting.map(|(number, outcome)| (number, CaseOutcome { record: None, ..outcome })).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{EXAMINED, SamplingQueue};
    use crate::Turns;
    use crate::hunt::CaseOutcome;
    use model::{Exhibit, Kind};
    use std::collections::BTreeMap;
    use store::CaseRecord;

    fn walked(words: &[&str]) -> CaseOutcome {
        let exhibit = Exhibit {
            technique: String::new(),
            kind: Kind::Precision,
            title: String::new(),
            queries: Vec::new(),
            relation: serde_json::from_str(r#"{"schema": 1, "data": null}"#).unwrap(),
            sample_key: None,
        };
        let sampled =
            words.iter().map(|word| Exhibit { sample_key: Some((*word).to_owned()), ..exhibit.clone() });
        CaseOutcome {
            seed_name: String::new(),
            record: Some(CaseRecord::default()),
            examined: Vec::new(),
            sampled: sampled.collect(),
        }
    }

    /// What is chosen from these cases when they are walked in this order.
    fn chosen(order: &[usize], cases: &[&[&str]]) -> Vec<(u64, Vec<String>)> {
        let mut queue = SamplingQueue::new(Turns::with(vec![1]), &BTreeMap::new());
        for number in order {
            queue.receive(*number as u64, walked(cases[*number]));
        }
        let words = |it: CaseOutcome| it.sampled.into_iter().filter_map(|it| it.sample_key).collect();
        std::iter::from_fn(|| queue.take_chosen()).map(|(number, it)| (number, words(it))).collect()
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
    fn an_interrupted_case_holds_up_those_after_it() {
        let mut queue = SamplingQueue::new(Turns::with(vec![1]), &BTreeMap::new());
        let (ready, _) = queue.receive(0, CaseOutcome { record: None, ..walked(&[]) });
        assert!(ready.is_empty());
        let (ready, _) = queue.receive(1, walked(&["a"]));
        assert!(ready.is_empty() && queue.take_chosen().is_none());
        assert_eq!(queue.take_rest().into_iter().map(|(number, _)| number).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_technique_does_not_wait_for_another() {
        let mut queue = SamplingQueue::new(Turns::with(vec![1, 1]), &BTreeMap::new());
        let (ready, _) = queue.receive(1, walked(&[]));
        assert_eq!(ready.len(), 1);
        let (ready, _) = queue.receive(2, walked(&[]));
        assert!(ready.is_empty());
        let (ready, _) = queue.receive(0, walked(&[]));
        assert_eq!(ready.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn what_was_examined_before_a_resumption_counts() {
        let sampled = BTreeMap::from([("a".to_owned(), EXAMINED)]);
        let finished = BTreeMap::from([(0, CaseRecord { sampled, ..CaseRecord::default() })]);
        let mut queue = SamplingQueue::new(Turns::with(vec![1]), &finished);
        let (ready, dropped) = queue.receive(1, walked(&["a"]));
        assert_eq!((ready.len(), dropped), (1, 1));
    }
}
