//! Hill climbing over recipes of domains, with restarts.
//!
//! What is corrected: the released tool accepts every neighbour, which is a random walk. Here only a better recipe is
//! accepted. As in the paper, every ten recipes it starts again from a random one.

use super::SearchKind;
use super::two_phases::{Generator, TwoPhases, draw_domains};
use crate::{Recipe, RecipeSpace};
use model::Random;

pub(super) const KIND: SearchKind = SearchKind {
    name: "hill-climbing",
    summary: "moves to better neighbours only and starts again every ten recipes, then mutates the settings of the best",
    start: || Box::new(TwoPhases::new(HillClimbing)),
};

/// Recipes between two restarts.
const RECIPES_PER_CLIMB: usize = 10;

struct HillClimbing;

impl Generator for HillClimbing {
    fn accepts(&mut self, current: f64, next: f64, _explored: usize, _random: &mut Random) -> bool {
        next < current
    }

    fn restart(&mut self, explored: usize, space: &RecipeSpace, random: &mut Random) -> Option<Recipe> {
        let length = random.between(1, space.longest);
        explored.is_multiple_of(RECIPES_PER_CLIMB).then(|| draw_domains(length, space, random))
    }
}
