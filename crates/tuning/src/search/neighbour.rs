//! The recipes next to a recipe of domains (Alg. 7 of the paper).
//!
//! What is corrected: line 16, which replaces the ingredient, belongs to all three ways to change one, or two of them would
//! have no effect; line 19 tries again without a bound where no recipe is compatible, and is bounded here.

use super::two_phases::{draw_domain, draw_domains, with_domain};
use crate::space::{least, next_values};
use crate::{Ingredient, Recipe, RecipeSpace};
use model::Random;

/// Attempts to find a recipe without comparable domains.
const ATTEMPTS: usize = 50;

/// A recipe next to this one: with an ingredient more (20 %), or with another domain for one ingredient: the next more precise
/// one (50 % of the rest), the next less precise one (30 %) or a least precise one among those incomparable with all others.
pub(super) fn neighbour(recipe: &Recipe, longest: usize, space: &RecipeSpace, random: &mut Random) -> Recipe {
    for _ in 0..ATTEMPTS {
        let mut next = recipe.clone();
        if random.percent(20) && recipe.0.len() < longest {
            next.0.extend(least_incomparable(&recipe.0, space, random));
        } else {
            let place = random.below(recipe.0.len());
            let others: Vec<Ingredient> = recipe
                .0
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != place)
                .map(|(_, it)| it.clone())
                .collect();
            let changed = match random.below(10) {
                0..=4 => step(&recipe.0[place], true, space, random),
                5..=7 => step(&recipe.0[place], false, space, random),
                _ => least_incomparable(&others, space, random),
            };
            if let Some(changed) = changed {
                next.0[place] = changed;
            }
        }
        if next != *recipe && space.is_incomparable(&next) {
            return next;
        }
    }
    draw_domains(longest.min(recipe.0.len().max(1)), space, random)
}

/// The same ingredient with a domain that is next above or below.
fn step(
    ingredient: &Ingredient,
    upwards: bool,
    space: &RecipeSpace,
    random: &mut Random,
) -> Option<Ingredient> {
    let (domain, value) = space.domain_of(ingredient)?;
    let next = next_values(domain, &value?, upwards);
    let chosen = random.choose(&next)?;
    let mut changed = ingredient.clone();
    changed.options.insert(domain.name.clone(), chosen.clone());
    Some(space.normalized(&changed))
}

/// A least precise domain among those that are incomparable with all of these; another analyzer may have it.
fn least_incomparable(others: &[Ingredient], space: &RecipeSpace, random: &mut Random) -> Option<Ingredient> {
    let analyzer = random.below(space.analyzers.len());
    let Some(domain) = space.analyzers.get(analyzer)?.domain() else {
        let drawn = draw_domain(space, random);
        return others.iter().all(|other| !space.are_comparable(other, &drawn)).then_some(drawn);
    };
    let fits = |value: &&String| {
        let candidate = with_domain(analyzer, space, value);
        others.iter().all(|other| !space.are_comparable(other, &candidate))
    };
    let incomparable: Vec<String> = domain.values.iter().filter(fits).cloned().collect();
    let lowest = least(domain, &incomparable);
    random.choose(&lowest).map(|value| with_domain(analyzer, space, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::space;

    #[test]
    fn neighbours_have_no_comparable_domains_and_reach_every_domain() {
        let space = space(3);
        let mut random = Random::for_case(1, 1);
        let mut recipe = Recipe::default_recipe();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..500 {
            recipe = neighbour(&recipe, 3, &space, &mut random);
            assert!(space.is_incomparable(&recipe) && recipe.0.len() <= 3, "{recipe:?}");
            seen.extend(recipe.0.iter().filter_map(|it| space.domain_of(it)?.1));
        }
        assert_eq!(seen.len(), 6, "{seen:?}");
    }
}
