//! Searches: they propose what to try next, and never run anything.

mod annealing;
mod domain_aware;
mod exhaustive;
mod gaussian;
mod hill_climbing;
mod neighbour;
mod racing;
mod random;
mod surrogate;
mod two_phases;

use crate::{History, Recipe, RecipeSpace};
use model::Random;

/// Recipes that are proposed at once. It does not depend on the number of workers, so neither does the search.
pub(crate) const BATCH: usize = 4;
/// Attempts to draw a recipe that was not tried before. A small space may have no other.
const ATTEMPTS: usize = 200;

/// A recipe, and the programs on which it is to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The recipe.
    pub recipe: Recipe,
    /// The programs, in the order in which they are tried.
    pub programs: Vec<usize>,
}

/// A way to search.
pub trait Search: Send {
    /// What to try next. Nothing if the search has nothing left to propose. The outcomes of what it proposed are in the
    /// history when it is asked again.
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial>;
}

/// A row of the list of searches.
pub struct SearchKind {
    /// The name that users type.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Starts it.
    pub start: fn() -> Box<dyn Search>,
}

/// Every search; the first is the default.
pub static SEARCHES: [SearchKind; 7] = [
    surrogate::KIND,
    racing::KIND,
    hill_climbing::KIND,
    annealing::KIND,
    domain_aware::KIND,
    random::KIND,
    exhaustive::KIND,
];

/// The search with this name.
pub fn search_named(name: &str) -> Option<&'static SearchKind> {
    SEARCHES.iter().find(|kind| kind.name == name)
}

/// Draws a recipe that was not tried and is not among those that were just drawn.
fn draw_new(history: &History, drawn: &[Recipe], mut draw: impl FnMut() -> Recipe) -> Option<Recipe> {
    let is_new = |recipe: &Recipe| history.losses(recipe).is_empty() && !drawn.contains(recipe);
    (0..ATTEMPTS).map(|_| draw()).find(is_new)
}

/// Trials of recipes on every program on which they were not tried.
fn on_all_programs(history: &History, recipes: Vec<Recipe>) -> Vec<Trial> {
    let trial = |recipe: Recipe| Trial { programs: history.untried(&recipe), recipe };
    recipes.into_iter().map(trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::CAPS;
    use crate::space::tests::space;
    use crate::{Objective, Outcome, State};

    /// A world in which a precise domain and a level settle more, both cost time, and the pair of a slow domain and a high
    /// level runs into the limit.
    fn outcome(recipe: &Recipe, program: usize) -> Outcome {
        let has = |name: &str, value: &str| {
            recipe.0.iter().any(|it| it.options.get(name).is_some_and(|it| it == value))
        };
        let mut open = 10u32;
        let mut cpu = 20 + 5 * program as u64;
        for (domain, gain, cost) in [("zones", 1, 10), ("oct", 3, 60), ("poly", 4, 400), ("term", 2, 10)] {
            if has("domain", domain) {
                open = u32::saturating_sub(open, gain);
                cpu += cost;
            }
        }
        for (level, gain, cost) in [("1", 1, 5), ("2", 2, 20), ("5", 4, 100)] {
            if has("level", level) {
                open = open.saturating_sub(gain.min(program as u32 + 1));
                cpu += cost;
            }
        }
        let is_slow = has("domain", "poly") && has("level", "5");
        let cpu = 10_000 * cpu;
        Outcome {
            state: if is_slow { State::Limit } else { State::Finished },
            unresolved: open,
            total: 10,
            cpu_microseconds: cpu,
            wall_microseconds: cpu,
            peak_memory_bytes: 1,
        }
    }

    fn run(kind: &SearchKind, longest: usize, seed: u64, rounds: usize) -> (History, Vec<Trial>) {
        let space = space(longest);
        let defaults: Vec<Outcome> = (0..4).map(|it| outcome(&Recipe::default_recipe(), it)).collect();
        let mut history = History::new(Objective::Unresolved, CAPS, defaults);
        let mut random = Random::for_case(seed, 0);
        let mut search = (kind.start)();
        let mut all = Vec::new();
        for _ in 0..rounds {
            let trials = search.ask(&space, &history, &mut random);
            for trial in &trials {
                for program in &trial.programs {
                    history.tell(&trial.recipe, *program, outcome(&trial.recipe, *program));
                }
            }
            all.extend(trials);
        }
        (history, all)
    }

    #[test]
    fn every_search_becomes_better_than_the_default_and_repeats_itself() {
        for kind in &SEARCHES {
            let (history, trials) = run(kind, 2, 7, 60);
            let best = history.best().unwrap();
            assert!(best.loss.whole() < 0.6 * history.default_loss(), "{}: {best:?}", kind.name);
            let (_, again) = run(kind, 2, 7, 60);
            assert_eq!(trials, again, "{}", kind.name);
            let (_, other) = run(kind, 2, 8, 60);
            assert_ne!(trials, other, "{}", kind.name);
        }
    }

    #[test]
    fn proposals_are_allowed_and_short_enough_and_nothing_is_asked_twice() {
        let space = space(2);
        for kind in &SEARCHES {
            let (_, trials) = run(kind, 2, 3, 40);
            let mut asked = std::collections::BTreeSet::new();
            for trial in &trials {
                assert!(trial.recipe.0.len() <= 2, "{}", kind.name);
                assert!(trial.recipe.0.iter().all(|it| space.allows(it)), "{}: {trial:?}", kind.name);
                assert!(!trial.programs.is_empty(), "{}", kind.name);
                for program in &trial.programs {
                    assert!(asked.insert((trial.recipe.clone(), *program)), "{}: {trial:?}", kind.name);
                }
            }
        }
    }

    #[test]
    fn a_search_ends_when_the_space_is_used_up() {
        let only = crate::space::tests::parameter("fast", model::Scale::Words, &["on"], None);
        let space = RecipeSpace::new(vec![model::Space { parameters: vec![only] }], 1).unwrap();
        for kind in &SEARCHES {
            let defaults = vec![outcome(&Recipe::default_recipe(), 0)];
            let mut history = History::new(Objective::Unresolved, CAPS, defaults);
            let (mut random, mut search) = (Random::for_case(1, 0), (kind.start)());
            let mut rounds = 0;
            loop {
                let trials = search.ask(&space, &history, &mut random);
                if trials.is_empty() {
                    break;
                }
                for trial in trials {
                    for program in trial.programs {
                        history.tell(&trial.recipe, program, outcome(&trial.recipe, program));
                    }
                }
                rounds += 1;
                assert!(rounds < 100, "{} does not end", kind.name);
            }
            assert_eq!(history.recipes_tried(), 2, "{}", kind.name);
        }
    }

    #[test]
    fn names_are_unique_and_found() {
        for kind in &SEARCHES {
            assert_eq!(search_named(kind.name).map(|it| it.name), Some(kind.name));
        }
    }
}
