//! A recorder for jobs whose outcomes are simply taken one after the other.

use crate::{Progress, Recorder};
use anyhow::Result;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Passes outcomes to a function in the order of their units, until it breaks.
pub struct InOrder<Outcome, Take> {
    next: u64,
    waiting: BTreeMap<u64, Outcome>,
    take: Take,
    is_full: bool,
}

impl<Outcome, Take> InOrder<Outcome, Take>
where
    Take: FnMut(u64, Outcome, &mut Progress) -> Result<ControlFlow<()>>,
{
    /// A recorder that calls `take` with every outcome.
    pub fn new(take: Take) -> InOrder<Outcome, Take> {
        InOrder { next: 0, waiting: BTreeMap::new(), take, is_full: false }
    }
}

impl<Outcome: Send, Take> Recorder<Outcome> for InOrder<Outcome, Take>
where
    Take: FnMut(u64, Outcome, &mut Progress) -> Result<ControlFlow<()>> + Send,
{
    fn receive(&mut self, unit: u64, outcome: Outcome, progress: &mut Progress) -> Result<()> {
        self.waiting.insert(unit, outcome);
        while !self.is_full
            && let Some(outcome) = self.waiting.remove(&self.next)
        {
            self.is_full = (self.take)(self.next, outcome, progress)?.is_break();
            self.next += 1;
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.is_full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_taken_in_the_order_of_their_units_until_the_function_breaks() {
        let mut taken = Vec::new();
        let mut recorder = InOrder::new(|unit, outcome: &str, _: &mut Progress| {
            taken.push((unit, outcome));
            Ok(if outcome == "c" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        for (unit, outcome) in [(2, "c"), (0, "a"), (3, "d"), (1, "b")] {
            recorder.receive(unit, outcome, &mut Progress::default()).unwrap();
        }
        assert!(recorder.is_full());
        assert_eq!(taken, [(0, "a"), (1, "b"), (2, "c")]);
    }
}
