//! The outcomes of the proposals so far: all that a search sees.

use crate::objective::{Caps, Loss};
use crate::{Objective, Outcome, Recipe, WORST_LOSS};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The outcomes of the proposals so far.
#[derive(Clone, Debug)]
pub struct History {
    objective: Objective,
    caps: Caps,
    /// The outcome of the default, for each program.
    defaults: Vec<Outcome>,
    outcomes: BTreeMap<Recipe, BTreeMap<usize, Outcome>>,
    /// CPU time of everything that was tried.
    spent_microseconds: u64,
}

/// A recipe that was tried on every program.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The recipe.
    pub recipe: Recipe,
    /// Its mean loss.
    pub loss: Loss,
}

impl History {
    /// A history that begins with the defaults, tried on every program.
    pub fn new(objective: Objective, caps: Caps, defaults: Vec<Outcome>) -> History {
        let mut history = History {
            objective,
            caps,
            defaults: defaults.clone(),
            outcomes: BTreeMap::new(),
            spent_microseconds: 0,
        };
        for (program, outcome) in defaults.into_iter().enumerate() {
            history.tell(&Recipe::default_recipe(), program, outcome);
        }
        history
    }

    /// Adds an outcome. What is known already is not paid for again.
    pub fn tell(&mut self, recipe: &Recipe, program: usize, outcome: Outcome) {
        let known = self.outcomes.entry(recipe.clone()).or_default();
        if let Entry::Vacant(place) = known.entry(program) {
            self.spent_microseconds += outcome.cpu_microseconds;
            place.insert(outcome);
        }
    }

    /// What is minimized.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The number of programs.
    pub fn programs(&self) -> usize {
        self.defaults.len()
    }

    /// The CPU time of everything that was tried.
    pub fn spent_microseconds(&self) -> u64 {
        self.spent_microseconds
    }

    /// The number of recipes that were tried on some program.
    pub fn recipes_tried(&self) -> usize {
        self.outcomes.len()
    }

    /// Every recipe with its outcomes, by program.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Recipe, &BTreeMap<usize, Outcome>)> {
        self.outcomes.iter()
    }

    /// The outcome of a recipe on a program.
    pub fn outcome(&self, recipe: &Recipe, program: usize) -> Option<&Outcome> {
        self.outcomes.get(recipe)?.get(&program)
    }

    /// The outcome of the default on a program.
    pub fn default_outcome(&self, program: usize) -> Option<&Outcome> {
        self.defaults.get(program)
    }

    /// The programs on which a recipe was not tried.
    pub fn untried(&self, recipe: &Recipe) -> Vec<usize> {
        (0..self.programs()).filter(|program| self.outcome(recipe, *program).is_none()).collect()
    }

    /// The loss of a recipe on a program.
    pub fn loss(&self, recipe: &Recipe, program: usize) -> Option<f64> {
        let outcome = self.outcome(recipe, program)?;
        Some(self.parts(outcome, program)?.whole())
    }

    fn parts(&self, outcome: &Outcome, program: usize) -> Option<Loss> {
        Some(self.objective.loss(outcome, self.defaults.get(program)?, &self.caps))
    }

    /// The losses of a recipe on the programs on which it was tried.
    pub fn losses(&self, recipe: &Recipe) -> BTreeMap<usize, f64> {
        (0..self.programs()).filter_map(|program| Some((program, self.loss(recipe, program)?))).collect()
    }

    /// The mean loss of a recipe over all programs, each of which counts the same; none if it was not tried on all of them.
    pub fn mean_loss(&self, recipe: &Recipe) -> Option<f64> {
        self.mean_parts(recipe).map(Loss::whole)
    }

    /// The same in its parts.
    pub fn mean_parts(&self, recipe: &Recipe) -> Option<Loss> {
        let outcomes = self.outcomes.get(recipe)?;
        let count = self.programs();
        if count == 0 || outcomes.len() < count {
            return None;
        }
        Loss::mean(outcomes.iter().filter_map(|(program, outcome)| self.parts(outcome, *program)))
    }

    /// True if a recipe claims what is not true of some program.
    pub fn is_refuted(&self, recipe: &Recipe) -> bool {
        self.outcomes.get(recipe).is_some_and(|outcomes| outcomes.values().any(Outcome::is_refuted))
    }

    /// The mean loss over the programs on which a recipe was tried.
    pub fn mean_of_known(&self, recipe: &Recipe) -> Option<f64> {
        let losses = self.losses(recipe);
        (!losses.is_empty()).then(|| losses.values().sum::<f64>() / losses.len() as f64)
    }

    /// True if a recipe needs to be tried no further: it was refuted, or gave no answer on so many programs that it cannot
    /// become better than the best.
    pub fn is_hopeless(&self, recipe: &Recipe) -> bool {
        if self.is_refuted(recipe) {
            return true;
        }
        let Some(best) = self.best() else { return false };
        let sum: f64 = self.losses(recipe).values().sum();
        sum > best.loss.whole() * self.programs() as f64 * 1.01
    }

    /// The best recipe that was tried on every program and is not refuted. Of those that are as good as the best, the one with
    /// the fewest changes.
    pub fn best(&self) -> Option<Standing> {
        let standings = self.standings();
        let least = standings
            .iter()
            .map(|standing| standing.loss)
            .min_by(|one, other| one.open.total_cmp(&other.open).then(one.cost.total_cmp(&other.cost)))?;
        let as_good = standings.into_iter().filter(|standing| standing.loss.is_as_good_as(least));
        as_good.min_by(|one, other| {
            let key = |standing: &Standing| (standing.recipe.changes(), standing.recipe.clone());
            key(one).cmp(&key(other))
        })
    }

    /// Every recipe that was tried on every program and is not refuted.
    pub fn standings(&self) -> Vec<Standing> {
        let standing = |recipe: &Recipe| {
            let loss = self.mean_parts(recipe).filter(|_| !self.is_refuted(recipe))?;
            Some(Standing { recipe: recipe.clone(), loss })
        };
        self.outcomes.keys().filter_map(standing).collect()
    }

    /// The mean loss of the default.
    pub fn default_loss(&self) -> f64 {
        self.mean_loss(&Recipe::default_recipe()).unwrap_or(WORST_LOSS)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::State;

    /// A limit of ten seconds.
    pub(crate) const CAPS: Caps = Caps { cpu_microseconds: 10_000_000, memory_bytes: 1000 };

    /// An outcome after so many hundredths of a second.
    pub(crate) fn outcome(unresolved: u32, hundredths: u64) -> Outcome {
        let cpu_microseconds = 10_000 * hundredths;
        Outcome {
            state: State::Finished,
            unresolved,
            total: 10,
            cpu_microseconds,
            wall_microseconds: cpu_microseconds,
            peak_memory_bytes: 0,
        }
    }

    pub(crate) fn recipe(value: &str) -> Recipe {
        let mut recipe = Recipe::default_recipe();
        recipe.0[0].options.insert("level".to_owned(), value.to_owned());
        recipe
    }

    #[test]
    fn the_best_recipe_was_tried_everywhere_is_not_refuted_and_has_few_changes() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(5, 10), outcome(5, 10)]);
        assert_eq!(history.best().unwrap().recipe, Recipe::default_recipe());
        history.tell(&recipe("1"), 0, outcome(0, 10));
        assert_eq!(history.best().unwrap().recipe, Recipe::default_recipe());
        history.tell(&recipe("1"), 1, outcome(4, 10));
        assert_eq!(history.best().unwrap().recipe, recipe("1"));
        let mut longer = recipe("1");
        longer.0[0].options.insert("features".to_owned(), "a".to_owned());
        history.tell(&longer, 0, outcome(0, 10));
        history.tell(&longer, 1, outcome(4, 10));
        assert_eq!(history.best().unwrap().recipe, recipe("1"));
        let refuted = Outcome { state: State::Refuted("a check".to_owned()), ..outcome(0, 1) };
        history.tell(&recipe("5"), 0, refuted);
        history.tell(&recipe("5"), 1, outcome(0, 1));
        assert_eq!(history.best().unwrap().recipe, recipe("1"));
        assert!(history.is_hopeless(&recipe("5")));
    }

    #[test]
    fn what_is_known_is_paid_for_once() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(5, 10)]);
        history.tell(&recipe("1"), 0, outcome(0, 7));
        history.tell(&recipe("1"), 0, outcome(3, 7));
        assert_eq!(history.spent_microseconds(), 170_000);
        assert_eq!(history.outcome(&recipe("1"), 0).unwrap().unresolved, 0);
    }

    #[test]
    fn what_cannot_become_better_is_hopeless() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(1, 0); 3]);
        history.tell(&recipe("1"), 0, outcome(2, 0));
        assert!(!history.is_hopeless(&recipe("1")));
        history.tell(&recipe("1"), 1, outcome(2, 0));
        assert!(history.is_hopeless(&recipe("1")));
    }
}
