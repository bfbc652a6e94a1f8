//! The optimization engine of the paper (Alg. 6): first the abstract domains of ever longer recipes, then the settings of the
//! best recipe.
//!
//! What is corrected:
//! - Line 11: ACCEPT is inside of "better than the best" there, so a worse recipe could never be accepted and annealing
//!   would never go uphill. Here it is beside that test.
//! - Line 12 replaces the best recipe; here it replaces the current one, which is what mutations start from.
//! - Line 5 begins with recipes of length 0, line 15 runs `l_max` + 1 times where the text says `i_set`. Here lengths begin at
//!   1, and there are `i_set` mutations.
//!
//! What is added: spaces without abstract domains go to the second phase at once; a recipe from which a search starts again is
//! tried itself, so that its neighbours are compared with it; when both phases are over, they begin again with twice the
//! numbers, from the best recipe, for as long as there is a budget.

use super::neighbour::neighbour;
use super::{BATCH, Trial, draw_new, on_all_programs};
use crate::{History, Ingredient, Recipe, RecipeSpace};
use model::Random;

/// Recipes in the first phase for each ingredient, and mutations in the second, as in the paper's experiments.
const DOMAIN_SAMPLES: usize = 5;
const SETTING_SAMPLES: usize = 10;
/// Where everything was tried, phases are over at once, and the numbers of samples must not grow for ever.
const MOST_FACTOR: usize = 1 << 16;
/// After so many empty rounds there is nothing left to propose.
const MOST_EMPTY_ROUNDS: usize = 3;

/// How a search differs from others of this shape.
pub(super) trait Generator: Send {
    /// The next recipe of the first phase, with at most so many ingredients: by default, a neighbour of the current one.
    fn generate(
        &mut self,
        current: &Recipe,
        longest: usize,
        space: &RecipeSpace,
        random: &mut Random,
    ) -> Recipe {
        neighbour(current, longest, space, random)
    }

    /// True if mutations continue from a recipe with this loss instead of the current one. `explored` counts the recipes.
    fn accepts(&mut self, current: f64, next: f64, explored: usize, random: &mut Random) -> bool;

    /// A recipe from which to start again, if it is time to.
    fn restart(&mut self, _explored: usize, _space: &RecipeSpace, _random: &mut Random) -> Option<Recipe> {
        None
    }
}

/// The state of a search in two phases.
pub(super) struct TwoPhases<G> {
    generator: G,
    current: Option<Recipe>,
    /// The current recipe, if it has yet to be tried.
    fresh: Option<Recipe>,
    proposed: Vec<Recipe>,
    phase: Phase,
    /// Both numbers of samples are multiplied by it.
    factor: usize,
    explored: usize,
}

enum Phase {
    Domains { length: usize, left: usize },
    Settings { left: usize },
}

impl<G: Generator> TwoPhases<G> {
    pub(super) fn new(generator: G) -> TwoPhases<G> {
        let phase = Phase::Domains { length: 1, left: DOMAIN_SAMPLES };
        TwoPhases {
            generator,
            current: None,
            fresh: None,
            proposed: Vec::new(),
            phase,
            factor: 1,
            explored: 0,
        }
    }

    /// Decides, for each recipe of the last round, if mutations continue from it.
    fn accept(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) {
        for next in std::mem::take(&mut self.proposed) {
            self.explored += 1;
            let current = self.current.get_or_insert_with(Recipe::default_recipe);
            let loss = |recipe: &Recipe| {
                let is_usable = !history.is_refuted(recipe);
                history.mean_of_known(recipe).filter(|_| is_usable).unwrap_or(crate::WORST_LOSS)
            };
            if self.generator.accepts(loss(current), loss(&next), self.explored, random) {
                *current = next;
            }
            // The rest of the round are neighbours of the current recipe, so it is replaced only after them.
            self.fresh = self.generator.restart(self.explored, space, random).or(self.fresh.take());
        }
        if let Some(fresh) = &self.fresh {
            self.current = Some(fresh.clone());
        }
    }

    fn propose(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Option<Recipe> {
        let has_domains = space.analyzers.iter().any(|analyzer| analyzer.domain().is_some());
        let best = history.best().map_or_else(Recipe::default_recipe, |standing| standing.recipe);
        let is_new = |it: &Recipe| history.losses(it).is_empty() && !self.proposed.contains(it);
        let drawn = match &self.phase {
            Phase::Domains { .. } if self.fresh.as_ref().is_some_and(is_new) => self.fresh.take(),
            Phase::Domains { length, .. } if has_domains || space.longest > 1 => {
                self.fresh = None;
                let current = self.current.get_or_insert_with(Recipe::default_recipe).clone();
                let generator = &mut self.generator;
                draw_new(history, &self.proposed, || generator.generate(&current, *length, space, random))
            }
            Phase::Domains { .. } => None,
            Phase::Settings { .. } => draw_new(history, &self.proposed, || {
                let mut mutant = best.clone();
                let place = random.below(mutant.0.len());
                // Where all neighbours are known, a second step leads further.
                for _ in 0..random.between(1, 2) {
                    mutant.0[place] = space.mutate_settings(&mutant.0[place], random);
                }
                mutant
            }),
        };
        self.count_down(drawn.is_some(), space);
        drawn
    }

    fn count_down(&mut self, was_drawn: bool, space: &RecipeSpace) {
        let (domains, settings) = (DOMAIN_SAMPLES * self.factor, SETTING_SAMPLES * self.factor);
        match &mut self.phase {
            Phase::Domains { left, .. } | Phase::Settings { left } if was_drawn && *left > 1 => *left -= 1,
            Phase::Domains { length, .. } if *length < space.longest => {
                self.phase = Phase::Domains { length: *length + 1, left: domains * (*length + 1) };
            }
            Phase::Domains { .. } => self.phase = Phase::Settings { left: settings },
            Phase::Settings { .. } => {
                self.factor = (2 * self.factor).min(MOST_FACTOR);
                self.phase = Phase::Domains { length: 1, left: DOMAIN_SAMPLES * self.factor };
            }
        }
    }
}

impl<G: Generator> super::Search for TwoPhases<G> {
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial> {
        self.accept(space, history, random);
        let mut empty = 0;
        while self.proposed.len() < BATCH && empty < MOST_EMPTY_ROUNDS * (space.longest + 2) {
            match self.propose(space, history, random) {
                Some(recipe) => self.proposed.push(recipe),
                None => empty += 1,
            }
        }
        on_all_programs(history, self.proposed.clone())
    }
}

/// An ingredient with this domain and no other option.
pub(super) fn with_domain(analyzer: usize, space: &RecipeSpace, value: &str) -> Ingredient {
    let mut ingredient = Ingredient::default_of(analyzer);
    if let Some(domain) = space.analyzers.get(analyzer).and_then(|space| space.domain()) {
        ingredient.options.insert(domain.name.clone(), value.to_owned());
    }
    space.normalized(&ingredient)
}

/// A random analyzer with a random domain, or with its defaults if it has no domains.
pub(super) fn draw_domain(space: &RecipeSpace, random: &mut Random) -> Ingredient {
    let analyzer = random.below(space.analyzers.len());
    let domain = space.analyzers.get(analyzer).and_then(|space| space.domain());
    match domain.and_then(|domain| random.choose(&domain.values)) {
        Some(value) => with_domain(analyzer, space, value),
        None => Ingredient::default_of(analyzer),
    }
}

/// A random recipe of domains none of which is more precise than another.
pub(super) fn draw_domains(length: usize, space: &RecipeSpace, random: &mut Random) -> Recipe {
    let mut recipe = Recipe(vec![draw_domain(space, random)]);
    for _ in 1..length {
        let fits = |it: &Ingredient| recipe.0.iter().all(|known| !space.are_comparable(known, it));
        let found = (0..super::ATTEMPTS).map(|_| draw_domain(space, random)).find(fits);
        recipe.0.extend(found);
    }
    recipe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Objective;
    use crate::history::tests::{CAPS, outcome};
    use crate::search::Search;
    use crate::space::tests::space;

    /// Starts again once, from the domain `bool`, and accepts nothing.
    struct Restarting;

    impl Generator for Restarting {
        fn generate(&mut self, _: &Recipe, _: usize, space: &RecipeSpace, random: &mut Random) -> Recipe {
            draw_domains(1, space, random)
        }

        fn accepts(&mut self, _: f64, _: f64, _: usize, _: &mut Random) -> bool {
            false
        }

        fn restart(&mut self, explored: usize, space: &RecipeSpace, _: &mut Random) -> Option<Recipe> {
            (explored == 1).then(|| Recipe(vec![with_domain(0, space, "bool")]))
        }
    }

    #[test]
    fn a_recipe_from_which_a_search_starts_again_is_tried_once() {
        let space = space(1);
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(5, 10)]);
        let mut random = Random::for_case(1, 0);
        let start = Recipe(vec![with_domain(0, &space, "bool")]);
        let mut search = TwoPhases::new(Restarting);
        search.phase = Phase::Domains { length: 1, left: 100 };
        search.proposed = vec![Recipe::default_recipe()];
        let trials = search.ask(&space, &history, &mut random);
        assert_eq!(trials[0].recipe, start);
        assert_eq!(trials.iter().filter(|trial| trial.recipe == start).count(), 1);
        trials.iter().for_each(|trial| history.tell(&trial.recipe, 0, outcome(5, 10)));
        assert!(search.ask(&space, &history, &mut random).iter().all(|trial| trial.recipe != start));
    }
}
