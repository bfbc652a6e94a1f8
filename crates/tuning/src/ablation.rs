//! Which options of the best recipe have an effect: each is left out alone, and stays out if nothing gets worse.

use crate::recipe::Change;
use crate::{History, Loss, Recipe, RecipeSpace, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An ablation of a recipe.
#[derive(Clone, Debug)]
pub struct Ablation {
    recipe: Recipe,
    space: RecipeSpace,
    /// The least loss of the recipes that it was. Comparing with the present one would let each step cost a little more.
    least: Option<Loss>,
}

/// What one change of the final recipe contributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// The change from the default.
    pub change: Change,
    /// How much greater the mean loss is without it.
    pub gain: f64,
}

impl Ablation {
    /// Begins with a recipe that was tried on every program.
    pub fn new(recipe: Recipe, space: RecipeSpace) -> Ablation {
        Ablation { recipe, space, least: None }
    }

    /// Every recipe with one change less, without options that then lack what they need.
    fn simpler(&self) -> Vec<(Recipe, Change)> {
        let normal = |recipe: Recipe| Recipe(recipe.0.iter().map(|it| self.space.normalized(it)).collect());
        self.recipe.simpler().into_iter().map(|(recipe, change)| (normal(recipe), change)).collect()
    }

    /// The recipes to try next: the present one without each of its changes, and then without all that do not pay alone.
    /// Nothing when every change that is left pays.
    pub fn ask(&mut self, history: &History) -> Vec<Trial> {
        loop {
            let trials = untried(history, self.simpler().into_iter().map(|(recipe, _)| recipe));
            if !trials.is_empty() {
                return trials;
            }
            let simpler = self.as_good(history);
            let Some(best) = simpler.first().cloned() else { return Vec::new() };
            // Options that are superfluous alone may replace each other, so leaving out all of them is tried first.
            let without_all = self.without_all(&simpler);
            let trials = untried(history, std::iter::once(without_all.clone()));
            if !trials.is_empty() {
                return trials;
            }
            let is_better = without_all != self.recipe && self.is_as_good(&without_all, history);
            self.least = self.reference(history);
            self.recipe = if is_better { without_all } else { best };
        }
    }

    /// The loss that simpler recipes must not exceed.
    fn reference(&self, history: &History) -> Option<Loss> {
        let losses = self.least.into_iter().chain(history.mean_parts(&self.recipe));
        losses.min_by(|one, other| one.whole().total_cmp(&other.whole()))
    }

    /// The recipes with one change less that are as good, best first.
    fn as_good(&self, history: &History) -> Vec<Recipe> {
        let simpler = self.simpler().into_iter().map(|(recipe, _)| recipe);
        let mut simpler: Vec<(f64, Recipe)> = simpler
            .filter(|recipe| self.is_as_good(recipe, history))
            .filter_map(|recipe| Some((history.mean_loss(&recipe)?, recipe)))
            .collect();
        simpler.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        simpler.into_iter().map(|(_, recipe)| recipe).collect()
    }

    fn is_as_good(&self, recipe: &Recipe, history: &History) -> bool {
        let losses = history.mean_parts(recipe).zip(self.reference(history));
        !history.is_refuted(recipe) && losses.is_some_and(|(other, own)| other.is_as_good_as(own))
    }

    /// The recipe without every option that some of these lack.
    fn without_all(&self, simpler: &[Recipe]) -> Recipe {
        let is_kept = |place: usize, name: &String| {
            let same_length = simpler.iter().filter(|it| it.0.len() == self.recipe.0.len());
            same_length.filter_map(|it| it.0.get(place)).all(|it| it.options.contains_key(name))
        };
        let mut recipe = self.recipe.clone();
        for (place, ingredient) in recipe.0.iter_mut().enumerate() {
            ingredient.options.retain(|name, _| is_kept(place, name));
        }
        recipe
    }

    /// The recipe as it is now.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What each change contributes, greatest first.
    pub fn contributions(&self, history: &History) -> Vec<Contribution> {
        let Some(loss) = history.mean_loss(&self.recipe) else { return Vec::new() };
        let contribution = |(recipe, change): (Recipe, Change)| {
            Some(Contribution { change, gain: history.mean_loss(&recipe)? - loss })
        };
        let mut contributions: Vec<Contribution> =
            self.simpler().into_iter().filter_map(contribution).collect();
        contributions.sort_by(|one, other| {
            other.gain.total_cmp(&one.gain).then_with(|| one.change.cmp(&other.change))
        });
        contributions
    }
}

/// Trials of the recipes that were not tried on every program, each once: without options that lack what they need, two of
/// them may be the same.
fn untried(history: &History, recipes: impl Iterator<Item = Recipe>) -> Vec<Trial> {
    let trial = |recipe: Recipe| Trial { programs: history.untried(&recipe), recipe };
    let distinct: BTreeSet<Recipe> = recipes.collect();
    distinct
        .into_iter()
        .map(trial)
        .filter(|trial| !trial.programs.is_empty() && !history.is_refuted(&trial.recipe))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Objective;
    use crate::history::tests::{CAPS, outcome};
    use crate::space::tests::parameter;

    fn recipe(options: &[&str]) -> Recipe {
        let mut recipe = Recipe::default_recipe();
        recipe.0[0].options = options.iter().map(|name| ((*name).to_owned(), "on".to_owned())).collect();
        recipe
    }

    fn space() -> RecipeSpace {
        let parameters =
            ["a", "b", "c"].map(|name| parameter(name, model::Scale::Words, &["on"], None)).to_vec();
        RecipeSpace::new(vec![model::Space { parameters }], 2).unwrap()
    }

    #[test]
    fn an_ingredient_that_does_not_pay_is_dropped() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(8, 10)]);
        let mut two = recipe(&["a"]);
        two.0.extend(recipe(&[]).0);
        history.tell(&two, 0, outcome(5, 20));
        let mut ablation = Ablation::new(two, space());
        for _ in 0..10 {
            for trial in ablation.ask(&history) {
                let has = trial.recipe.0.iter().any(|it| it.options.contains_key("a"));
                history.tell(&trial.recipe, 0, outcome(if has { 5 } else { 8 }, 10));
            }
        }
        assert_eq!(*ablation.recipe(), recipe(&["a"]));
    }

    #[test]
    fn what_does_not_pay_is_dropped_and_what_pays_is_listed() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(8, 10)]);
        // `a` settles three checks, `b` two, and `c` nothing.
        let tell = |history: &mut History, it: &Recipe| {
            let has = |name: &str| u32::from(it.0[0].options.contains_key(name));
            history.tell(it, 0, outcome(8 - 3 * has("a") - 2 * has("b"), 10));
        };
        let mut ablation = Ablation::new(recipe(&["a", "b", "c"]), space());
        tell(&mut history, ablation.recipe());
        loop {
            let trials = ablation.ask(&history);
            if trials.is_empty() {
                break;
            }
            trials.iter().for_each(|trial| tell(&mut history, &trial.recipe));
        }
        assert_eq!(*ablation.recipe(), recipe(&["a", "b"]));
        let contributions = ablation.contributions(&history);
        let shown: Vec<String> =
            contributions.iter().map(|it| format!("{} {:.1}", it.change, it.gain)).collect();
        assert_eq!(shown, ["a=on 0.3", "b=on 0.2"]);
    }

    /// Each of five options saves a little less time than noise, which together is half of the time.
    #[test]
    fn many_options_that_hardly_pay_alone_are_not_all_dropped() {
        let names = ["a", "b", "c", "d", "e"];
        let parameters = names.map(|name| parameter(name, model::Scale::Words, &["on"], None)).to_vec();
        let space = RecipeSpace::new(vec![model::Space { parameters }], 1).unwrap();
        let hundredths = |it: &Recipe| 300 + 14 * (names.len() - it.0[0].options.len()) as u64;
        let mut history = History::new(Objective::Time, CAPS, vec![outcome(0, hundredths(&recipe(&[])))]);
        let best = recipe(&names);
        history.tell(&best, 0, outcome(0, hundredths(&best)));
        let mut ablation = Ablation::new(best, space);
        loop {
            let trials = ablation.ask(&history);
            if trials.is_empty() {
                break;
            }
            for trial in trials {
                history.tell(&trial.recipe, 0, outcome(0, hundredths(&trial.recipe)));
            }
        }
        assert_eq!(ablation.recipe().changes(), 4);
    }

    #[test]
    fn two_removals_that_are_the_same_are_tried_once() {
        let needy = model::Parameter {
            needs: Some(model::Condition { option: "a".to_owned(), values: vec!["on".to_owned()] }),
            ..parameter("b", model::Scale::Words, &["on"], None)
        };
        let parameters = vec![parameter("a", model::Scale::Words, &["on"], None), needy];
        let space = RecipeSpace::new(vec![model::Space { parameters }], 2).unwrap();
        let mut two = recipe(&["a"]);
        two.0.extend(recipe(&["a", "b"]).0);
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(8, 10)]);
        history.tell(&two, 0, outcome(5, 20));
        let trials = Ablation::new(two, space).ask(&history);
        let distinct: BTreeSet<&Recipe> = trials.iter().map(|trial| &trial.recipe).collect();
        assert_eq!(distinct.len(), trials.len(), "{trials:?}");
    }
}
