//! Domain-aware random sampling: random recipes in which no domain is more precise than another, shorter ones first; then
//! mutations of the settings of the best.

use super::SearchKind;
use super::two_phases::{Generator, TwoPhases, draw_domains};
use crate::{Recipe, RecipeSpace};
use model::Random;

pub(super) const KIND: SearchKind = SearchKind {
    name: "domain-aware",
    summary: "draws recipes of domains that do not subsume each other, then mutates the settings of the best",
    start: || Box::new(TwoPhases::new(DomainAware)),
};

struct DomainAware;

impl Generator for DomainAware {
    fn generate(
        &mut self,
        _current: &Recipe,
        longest: usize,
        space: &RecipeSpace,
        random: &mut Random,
    ) -> Recipe {
        draw_domains(random.between(1, longest), space, random)
    }

    /// Every recipe is drawn from scratch, so there is no current one.
    fn accepts(&mut self, _current: f64, _next: f64, _explored: usize, _random: &mut Random) -> bool {
        false
    }
}
