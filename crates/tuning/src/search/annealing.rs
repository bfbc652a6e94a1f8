//! Simulated annealing over recipes of domains (Alg. 7 of the paper).
//!
//! What is corrected: in the released tool the probability of a worse recipe is undefined after two failures in a row; a
//! failure has a loss here.

use super::SearchKind;
use super::two_phases::{Generator, TwoPhases};
use model::Random;

pub(super) const KIND: SearchKind = SearchKind {
    name: "annealing",
    summary: "moves between neighbouring domains, at first also to worse ones, then mutates the settings of the best",
    start: || Box::new(TwoPhases::new(Annealing)),
};

struct Annealing;

impl Generator for Annealing {
    /// The probability of accepting a worse recipe falls with the increase of the loss and with the number of recipes.
    fn accepts(&mut self, current: f64, next: f64, explored: usize, random: &mut Random) -> bool {
        let probability = (-(next - current) * explored as f64).exp();
        next < current || random.percent((100.0 * probability) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_recipes_are_accepted_early_and_hardly_ever_late() {
        let mut random = Random::for_case(1, 2);
        let mut accepted =
            |explored| (0..1000).filter(|_| Annealing.accepts(0.5, 0.6, explored, &mut random)).count();
        assert!(accepted(1) > 800);
        assert!(accepted(100) < 5);
        assert!(Annealing.accepts(0.5, 0.4, 100, &mut random));
    }
}
