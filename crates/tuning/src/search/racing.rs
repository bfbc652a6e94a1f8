//! Racing: every recipe begins on few programs, and continues only as long as it may be better than the best.
//!
//! The programs on which the default leaves something open come first, cheap ones before expensive ones: they show soonest
//! what a recipe is worth.

use super::two_phases::draw_domains;
use super::{Search, SearchKind, Trial, draw_new};
use crate::{History, Objective, Recipe, RecipeSpace};
use model::Random;

pub(super) const KIND: SearchKind = SearchKind {
    name: "racing",
    summary: "tries mutations of good recipes on few programs first and drops those that fall behind the best",
    start: || Box::new(Racing { race: Race::default() }),
};

/// How much losses are expected to vary between programs before anything is known of it. Without it, one program on which a
/// recipe takes a little longer would be enough to drop it. As a share of the loss of the default.
const PRIOR_DEVIATION: f64 = 0.15;
/// Among so many of the best recipes, one is chosen to be mutated.
const PARENTS: usize = 5;
/// Recipes that are tried at once: one continues, one begins. Each has several programs, so this keeps workers busy.
const RACERS: usize = 2;
/// Recipes that have begun and may continue later.
const MOST_WAITING: usize = 8;

struct Racing {
    race: Race,
}

impl Search for Racing {
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial> {
        self.race.ask(history, |drawn| draw_new(history, drawn, || offspring(space, history, random)))
    }
}

/// A random recipe, a mutation of a good one, or a mixture of two.
pub(super) fn offspring(space: &RecipeSpace, history: &History, random: &mut Random) -> Recipe {
    let parents = best_recipes(history, PARENTS);
    match (random.below(10), random.choose(&parents).cloned()) {
        (0..=2, _) | (_, None) => {
            let length = random.between(1, space.longest);
            // The domain matters more than all other options, so half of the draws change nothing else.
            if random.coin() { draw_domains(length, space, random) } else { space.draw(length, random) }
        }
        (3..=4, Some(one)) => match random.choose(&parents) {
            Some(other) => mixture(&one, other, space, random),
            None => space.mutate(&one, random),
        },
        (_, Some(one)) => {
            let mut mutant = space.mutate(&one, random);
            while random.percent(30) {
                mutant = space.mutate(&mutant, random);
            }
            mutant
        }
    }
}

/// The best recipes, best first.
fn best_recipes(history: &History, most: usize) -> Vec<Recipe> {
    let mut standings = history.standings();
    standings.sort_by(|one, other| {
        one.loss.whole().total_cmp(&other.loss.whole()).then_with(|| one.recipe.cmp(&other.recipe))
    });
    standings.into_iter().take(most).map(|standing| standing.recipe).collect()
}

/// A recipe whose options come from one or the other parent.
fn mixture(one: &Recipe, other: &Recipe, space: &RecipeSpace, random: &mut Random) -> Recipe {
    let mut child = one.clone();
    for (place, ingredient) in child.0.iter_mut().enumerate() {
        let Some(mate) = other.0.get(place).filter(|mate| mate.analyzer == ingredient.analyzer) else {
            continue;
        };
        for parameter in space.parameters(mate) {
            if random.coin() {
                match mate.options.get(&parameter.name) {
                    Some(value) => ingredient.options.insert(parameter.name.clone(), value.clone()),
                    None => ingredient.options.remove(&parameter.name),
                };
            }
        }
        *ingredient = space.normalized(ingredient);
    }
    child
}

/// Recipes that are being tried, each on some of the programs.
#[derive(Default)]
pub(super) struct Race {
    running: Vec<Recipe>,
    /// Those that have begun and are not worse than the best so far, best first.
    waiting: Vec<Recipe>,
}

/// The mean difference of a recipe's losses from those of the default on the same programs, as a share of the latter: losses of
/// times are much smaller than those of what is left open. How much worse a bad recipe is does not matter.
fn beyond_default(recipe: &Recipe, history: &History) -> Option<f64> {
    let default = Recipe::default_recipe();
    let losses = history.losses(recipe);
    let (mut sum, mut usual) = (0.0, 0.0);
    for (program, loss) in &losses {
        let of_default = history.loss(&default, *program)?;
        sum += loss - of_default;
        usual += of_default;
    }
    (!losses.is_empty()).then(|| (sum / f64::max(usual, 1e-9)).clamp(-1.0, 1.0))
}

impl Race {
    /// The next programs of the recipes that are still running, and new recipes in the place of those that are not.
    pub(super) fn ask(
        &mut self,
        history: &History,
        mut draw: impl FnMut(&[Recipe]) -> Option<Recipe>,
    ) -> Vec<Trial> {
        self.running.retain(|recipe| !history.untried(recipe).is_empty() && !falls_behind(recipe, history));
        // Only the best of those that have begun continues; the others wait, or new ones take their place.
        self.waiting.append(&mut self.running);
        self.waiting.retain(|recipe| !falls_behind(recipe, history));
        let worth = |recipe: &Recipe| beyond_default(recipe, history).unwrap_or(0.0);
        self.waiting.sort_by(|one, other| worth(one).total_cmp(&worth(other)));
        self.waiting.truncate(MOST_WAITING);
        if !self.waiting.is_empty() {
            self.running.push(self.waiting.remove(0));
        }
        while self.running.len() < RACERS {
            let taken: Vec<Recipe> = self.running.iter().chain(&self.waiting).cloned().collect();
            let Some(recipe) = draw(&taken) else { break };
            self.running.push(recipe);
        }
        if self.running.is_empty() || (self.running.len() < RACERS && !self.waiting.is_empty()) {
            self.running.extend(self.waiting.pop());
        }
        let order = program_order(history);
        let trial = |recipe: &Recipe| Trial {
            programs: next_programs(recipe, history, &order),
            recipe: recipe.clone(),
        };
        self.running.iter().map(trial).collect()
    }
}

/// The programs in the order in which recipes are tried on them.
fn program_order(history: &History) -> Vec<usize> {
    let mut order: Vec<usize> = (0..history.programs()).collect();
    order.sort_by_key(|program| {
        let outcome = history.default_outcome(*program);
        let is_settled = history.objective() == Objective::Unresolved
            && outcome.is_some_and(|it| it.is_finished() && it.unresolved == 0);
        (is_settled, outcome.map_or(0, |it| it.cpu_microseconds), *program)
    });
    order
}

/// The next programs of a recipe: a quarter of them at first, and all others if it is not dropped after that.
fn next_programs(recipe: &Recipe, history: &History, order: &[usize]) -> Vec<usize> {
    let is_untried = |program: &&usize| history.outcome(recipe, **program).is_none();
    let count = if history.losses(recipe).is_empty() { order.len().div_ceil(4) } else { order.len() };
    order.iter().filter(is_untried).take(count).copied().collect()
}

/// True if a recipe is worse than the best on the programs that both know, beyond what their differences explain (a paired
/// test with one standard error), or if it cannot catch up any more.
fn falls_behind(recipe: &Recipe, history: &History) -> bool {
    if history.is_hopeless(recipe) {
        return true;
    }
    let Some(best) = history.best() else { return false };
    let losses = history.losses(recipe);
    let differences: Vec<f64> = losses
        .iter()
        .filter_map(|(program, loss)| Some(loss - history.loss(&best.recipe, *program)?))
        .collect();
    let count = differences.len() as f64;
    if differences.is_empty() {
        return false;
    }
    let mean = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let prior = PRIOR_DEVIATION * history.default_loss();
    mean > ((variance + prior * prior) / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::{CAPS, outcome, recipe};

    #[test]
    fn a_recipe_that_is_worse_on_the_first_programs_is_dropped() {
        let defaults = vec![outcome(5, 30), outcome(0, 10), outcome(5, 20)];
        let mut history = History::new(Objective::Unresolved, CAPS, defaults);
        assert_eq!(program_order(&history), [2, 0, 1]);
        let mut race = Race::default();
        let mut left = vec![recipe("2"), recipe("1")];
        let trials = race.ask(&history, |_| left.pop());
        assert_eq!(trials.iter().map(|it| it.programs.clone()).collect::<Vec<_>>(), [[2], [2]]);
        history.tell(&recipe("1"), 2, outcome(7, 20));
        history.tell(&recipe("2"), 2, outcome(2, 20));
        let trials = race.ask(&history, |_| None);
        assert_eq!(trials, [Trial { recipe: recipe("2"), programs: vec![0, 1] }]);
    }
}
