//! A model of what recipes are worth: a forest predicts the loss of recipes that were not tried from those that were.
//!
//! Many recipes are drawn; the one with the greatest expected improvement for the CPU time that it will probably take is
//! tried, in a race. A second forest predicts that time. One recipe of each batch is a random relative of good ones, so that
//! the model also learns where it expects nothing.

use super::forest::{Forest, Prediction, Sample};
use super::racing::{Race, best_recipes, beyond_default, offspring};
use super::{Search, SearchKind, Trial, draw_new};
use crate::{History, Ingredient, Recipe, RecipeSpace};
use model::{Parameter, Random, Scale};

pub(super) const KIND: SearchKind = SearchKind {
    name: "surrogate",
    summary: "races the recipes with the greatest expected improvement for their time, as a model of all outcomes predicts",
    start: || Box::new(Surrogate { race: Race::default(), drawn: 0 }),
};

/// Recipes to try before there is a model.
const FIRST_SAMPLES: usize = 6;
/// Candidates among which the model chooses.
const CANDIDATES: usize = 300;
/// One of so many recipes is chosen without the model.
const RANDOM_EVERY: usize = 4;

struct Surrogate {
    race: Race,
    drawn: usize,
}

impl Search for Surrogate {
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial> {
        let model = (history.recipes_tried() > FIRST_SAMPLES).then(|| Model::learn(space, history, random));
        let counter = &mut self.drawn;
        self.race.ask(history, |running| {
            *counter += 1;
            let by_model = model.as_ref().filter(|_| !counter.is_multiple_of(RANDOM_EVERY));
            match by_model {
                Some(model) => model.choose(space, history, running, random),
                None if model.is_none() => first_recipe(*counter - 1, space, history, running)
                    .or_else(|| draw_new(history, running, || space.draw(1, random))),
                None => draw_new(history, running, || offspring(space, history, random)),
            }
        })
    }
}

/// Before there is a model, domains are tried, which matter most: from the lower quarter of the first analyzer's to the most
/// precise.
fn first_recipe(number: usize, space: &RecipeSpace, history: &History, running: &[Recipe]) -> Option<Recipe> {
    let mut ingredient = Ingredient::default_of(0);
    let (name, values) = {
        let (parameter, _) = space.domain_of(&ingredient)?;
        (parameter.name.clone(), parameter.values.clone())
    };
    let count = values.len();
    let place = *[count / 4, count / 2, count * 3 / 4, count - 1].get(number)?;
    ingredient.options.insert(name, values.get(place)?.clone());
    let recipe = Recipe(vec![space.normalized(&ingredient)]);
    (history.losses(&recipe).is_empty() && !running.contains(&recipe)).then_some(recipe)
}

/// What was learned from the outcomes.
struct Model {
    losses: Forest,
    /// The logarithm of the CPU time, relative to the default.
    times: Forest,
    best_loss: f64,
}

impl Model {
    fn learn(space: &RecipeSpace, history: &History, random: &mut Random) -> Model {
        let (mut losses, mut times) = (Vec::new(), Vec::new());
        for (recipe, outcomes) in history.outcomes() {
            let features = features(recipe, space);
            // A refuted recipe is worth nothing, however much it claims.
            let relative = match history.is_refuted(recipe) {
                true => Some(1.0),
                false => beyond_default(recipe, history),
            };
            if let Some(value) = relative {
                losses.push(Sample { features: features.clone(), value });
            }
            let ratios: Vec<f64> = outcomes
                .iter()
                .filter_map(|(program, outcome)| {
                    let default = history.default_outcome(*program)?;
                    let seconds = |microseconds: u64| microseconds.max(1000) as f64;
                    Some((seconds(outcome.cpu_microseconds) / seconds(default.cpu_microseconds)).ln())
                })
                .collect();
            if !ratios.is_empty() {
                let value = ratios.iter().sum::<f64>() / ratios.len() as f64;
                times.push(Sample { features, value });
            }
        }
        let best_loss = history.best().and_then(|best| beyond_default(&best.recipe, history)).unwrap_or(0.0);
        Model { losses: Forest::grow(&losses, random), times: Forest::grow(&times, random), best_loss }
    }

    /// The candidate with the greatest expected improvement for its time.
    fn choose(
        &self,
        space: &RecipeSpace,
        history: &History,
        running: &[Recipe],
        random: &mut Random,
    ) -> Option<Recipe> {
        let mut best: Option<(f64, Recipe)> = None;
        for candidate in candidates(space, history, random) {
            if running.contains(&candidate) || !history.losses(&candidate).is_empty() {
                continue;
            }
            let merit = self.merit(&candidate, space);
            if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                best = Some((merit, candidate));
            }
        }
        match best {
            Some((_, recipe)) => Some(recipe),
            None => draw_new(history, running, || offspring(space, history, random)),
        }
    }

    fn merit(&self, recipe: &Recipe, space: &RecipeSpace) -> f64 {
        let features = features(recipe, space);
        let improvement = expected_improvement(self.losses.predict(&features), self.best_loss);
        let time = self.times.predict(&features).mean.exp();
        // The square root: what is expensive is tried later, not never.
        improvement / time.sqrt().max(1e-3)
    }
}

/// Relatives of the best recipes, and random ones.
fn candidates(space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Recipe> {
    let mut candidates: Vec<Recipe> = (0..CANDIDATES).map(|_| offspring(space, history, random)).collect();
    for parent in best_recipes(history, 2) {
        for _ in 0..CANDIDATES / 4 {
            candidates.push(space.mutate(&parent, random));
        }
    }
    candidates
}

/// How much better than the best a recipe is expected to be, if its loss is normally distributed.
fn expected_improvement(prediction: Prediction, best: f64) -> f64 {
    // A forest that saw little is too sure of itself.
    let deviation = prediction.deviation.max(0.01);
    let distance = (best - prediction.mean) / deviation;
    let density = (-distance * distance / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (best - prediction.mean) * normal_below(distance) + deviation * density
}

/// The probability that a standard normal number is below this one, by a logistic approximation that errs by less than 0.02.
fn normal_below(value: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * value).exp())
}

/// A recipe as numbers: for each possible ingredient whether it is there, its analyzer, and its options.
fn features(recipe: &Recipe, space: &RecipeSpace) -> Vec<f64> {
    let mut features = Vec::new();
    for place in 0..space.longest {
        let ingredient = recipe.0.get(place);
        features.push(f64::from(u8::from(ingredient.is_some())));
        for (analyzer, of_analyzer) in space.analyzers.iter().enumerate() {
            let used = ingredient.filter(|it| it.analyzer == analyzer);
            features.push(f64::from(u8::from(used.is_some())));
            for parameter in &of_analyzer.parameters {
                option_features(parameter, used, &mut features);
            }
        }
    }
    features
}

/// The place of the value where values ascend, otherwise a number for each value.
fn option_features(parameter: &Parameter, ingredient: Option<&Ingredient>, features: &mut Vec<f64>) {
    let given = ingredient.and_then(|it| it.options.get(&parameter.name)).or(parameter.default.as_ref());
    let is_there = |value: &String| match parameter.scale {
        Scale::Set => given.is_some_and(|given| given.split(',').any(|word| word == value)),
        Scale::Words | Scale::Ascending => given == Some(value),
    };
    match parameter.scale {
        Scale::Ascending => {
            let place = parameter.values.iter().position(is_there).map_or(-1.0, |place| place as f64);
            features.push(if ingredient.is_some() { place } else { -2.0 });
        }
        Scale::Words | Scale::Set => {
            let number = |value: &String| f64::from(u8::from(ingredient.is_some() && is_there(value)));
            features.extend(parameter.values.iter().map(number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::space;

    #[test]
    fn improvement_is_expected_of_the_better_and_of_the_unknown() {
        let expect = |mean, deviation| expected_improvement(Prediction { mean, deviation }, 0.0);
        assert!(expect(-0.5, 0.1) > expect(-0.1, 0.1));
        assert!(expect(0.1, 0.5) > expect(0.1, 0.1));
        assert!(expect(1.0, 0.1) < 1e-3);
    }

    #[test]
    fn recipes_have_equally_many_features_and_different_recipes_differ() {
        let space = space(2);
        let mut random = Random::for_case(1, 0);
        let count = features(&Recipe::default_recipe(), &space).len();
        for _ in 0..100 {
            let (one, other) = (space.draw(1, &mut random), space.draw(2, &mut random));
            let (first, second) = (features(&one, &space), features(&other, &space));
            assert_eq!((first.len(), second.len()), (count, count));
            assert_ne!(first, second);
        }
    }
}
