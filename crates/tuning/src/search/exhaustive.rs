//! Every configuration of a small space, in a scattered order, so that an interrupted search has seen a fair sample.

use super::{BATCH, Search, SearchKind, Trial, on_all_programs};
use crate::space::choices;
use crate::{History, Ingredient, Recipe, RecipeSpace};
use model::{Parameter, Random, Scale};

pub(super) const KIND: SearchKind = SearchKind {
    name: "exhaustive",
    summary: "tries every configuration of one ingredient on every program; for small spaces",
    start: || Box::new(Exhaustive { start: None, step: 0, next: 0 }),
};

struct Exhaustive {
    start: Option<u64>,
    step: u64,
    next: u64,
}

impl Search for Exhaustive {
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial> {
        let size = space.size();
        let start = *self.start.get_or_insert_with(|| random.word() % size);
        self.step = scattered_step(size);
        let mut recipes: Vec<Recipe> = Vec::new();
        while recipes.len() < BATCH && self.next < size {
            let number =
                (u128::from(start) + u128::from(self.next) * u128::from(self.step)) % u128::from(size);
            self.next += 1;
            let recipe = Recipe(vec![configuration(space, number as u64)]);
            if !history.untried(&recipe).is_empty() && !recipes.contains(&recipe) {
                recipes.push(recipe);
            }
        }
        on_all_programs(history, recipes)
    }
}

/// A number without a common divisor with the size, so that its multiples reach everything.
fn scattered_step(size: u64) -> u64 {
    let golden = (size as f64 * 0.618_033_988_749_895) as u64;
    (golden.max(1)..).find(|step| greatest_divisor(*step, size) == 1).unwrap_or(1)
}

fn greatest_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

/// The configuration with this number.
fn configuration(space: &RecipeSpace, mut number: u64) -> Ingredient {
    for (analyzer, of_analyzer) in space.analyzers.iter().enumerate() {
        let sizes = || of_analyzer.parameters.iter().map(choices);
        let size = sizes().fold(1u64, u64::saturating_mul);
        if number >= size {
            number -= size;
            continue;
        }
        let mut ingredient = Ingredient::default_of(analyzer);
        for (parameter, size) in of_analyzer.parameters.iter().zip(sizes()) {
            if let Some(value) = value(parameter, number % size) {
                ingredient.options.insert(parameter.name.clone(), value);
            }
            number /= size;
        }
        return space.normalized(&ingredient);
    }
    Ingredient::default_of(0)
}

/// The value with this number; none for leaving the option out.
fn value(parameter: &Parameter, number: u64) -> Option<String> {
    match parameter.scale {
        Scale::Set => {
            let chosen = parameter.values.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
            let words: Vec<&str> = chosen.map(|(_, word)| word.as_str()).collect();
            (!words.is_empty()).then(|| words.join(","))
        }
        Scale::Words | Scale::Ascending => parameter.values.get(number as usize).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::space;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_is_a_configuration_and_every_configuration_has_one() {
        let space = space(1);
        let all: BTreeSet<Ingredient> =
            (0..space.size()).map(|number| configuration(&space, number)).collect();
        assert!(all.iter().all(|ingredient| space.allows(ingredient)));
        assert!(all.contains(&Ingredient::default_of(0)));
        // The option `fast` excludes levels, and `through-calls` needs two of the domains: 8 sets, (4 + 2 * 2) domains with
        // it or without, (4 + 1) levels or fast.
        assert_eq!(all.len(), 8 * (4 + 2 * 2) * 5);
    }

    #[test]
    fn steps_reach_everything() {
        for size in [1, 2, 7, 768, 1000] {
            assert_eq!(greatest_divisor(scattered_step(size), size), 1);
        }
    }
}
