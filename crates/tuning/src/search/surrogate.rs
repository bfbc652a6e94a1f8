//! A model of what recipes are worth: a Gaussian process predicts the loss of recipes from those that were tried.
//!
//! Every recipe begins on a few programs, and continues on the others if it is worth it. Of two steps that are taken at once, one
//! tries the default with a single change, each option in turn: most of what can be gained is the sum of what few options gain
//! alone. The other step is the one with the greatest expected improvement for its time: a new recipe begins, or one that has
//! begun continues. A second process predicts that time. What recipes do on few programs is known to the model as an
//! observation that is less sure.

use super::gaussian::{Gaussian, Observation, Point, Prediction};
use super::racing::offspring;
use super::{Search, SearchKind, Trial};
use crate::{History, Ingredient, Objective, Outcome, Recipe, RecipeSpace};
use model::{Parameter, Random, Scale};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(super) const KIND: SearchKind = SearchKind {
    name: "surrogate",
    summary: "begins and continues the recipes with the greatest expected improvement for their time, as a model of all outcomes predicts",
    start: || Box::new(Surrogate { steps: 0, changes: None }),
};

/// Steps that are taken at once.
const STEPS: usize = 2;
/// Recipes that are changed, besides the default, and how often each.
const PARENTS: usize = 3;
const CANDIDATES: usize = 60;
/// One of so many steps is a random relative of good recipes.
const RANDOM_EVERY: usize = 8;
/// The model learns from no more recipes than this.
const MOST_OBSERVATIONS: usize = 120;
/// Recipes begin on programs with this share of the time of the default.
const FIRST_SHARE: f64 = 0.2;
/// How much each change from the default is expected to cost before anything is known: defaults are chosen with care.
const CHANGE_LOSS: f64 = 0.02;
/// How much worse or better than the default a recipe is does not matter beyond these shares of its loss.
const WORST: f64 = 0.5;
const LEAST: f64 = -3.0;
/// The variance of an observation on a single small program, as a share of that of all recipes.
const PARTIAL_NOISE: f64 = 0.2;

struct Surrogate {
    steps: usize,
    /// Single changes of the default that were not proposed yet, once they are known.
    changes: Option<VecDeque<(usize, String, String)>>,
}

impl Search for Surrogate {
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial> {
        let plan = Programs::of(history);
        let model = Model::learn(space, history, &plan);
        let mut chosen: Vec<Recipe> = Vec::new();
        for step in 0..STEPS {
            self.steps += 1;
            let single = if step == 0 { self.single_change(space, history, &chosen, random) } else { None };
            let is_random = self.steps.is_multiple_of(RANDOM_EVERY);
            let next = single.or_else(|| match &model {
                Some(model) if !is_random => model.choose(space, history, &plan, &chosen, random),
                _ => super::draw_new(history, &chosen, || offspring(space, history, random)),
            });
            let next =
                next.or_else(|| super::draw_new(history, &chosen, || offspring(space, history, random)));
            chosen.extend(next.or_else(|| any_waiting(history, &chosen)));
        }
        let mut trials = Vec::new();
        for recipe in chosen {
            trials.push(Trial { programs: plan.next(&recipe, history, random), recipe });
        }
        trials
    }
}

impl Surrogate {
    /// The default with one option changed, each option in turn.
    fn single_change(
        &mut self,
        space: &RecipeSpace,
        history: &History,
        chosen: &[Recipe],
        random: &mut Random,
    ) -> Option<Recipe> {
        let changes = self.changes.get_or_insert_with(|| single_changes(space, random));
        while let Some((analyzer, name, value)) = changes.pop_front() {
            let mut ingredient = Ingredient::default_of(analyzer);
            ingredient.options.insert(name, value);
            let recipe = Recipe(vec![space.normalized(&ingredient)]);
            if history.losses(&recipe).is_empty() && !chosen.contains(&recipe) {
                return Some(recipe);
            }
        }
        None
    }
}

/// Every option of every analyzer with a few of its values: domains first, which matter most, and then one value of each option,
/// in a random order, before a second one of any.
fn single_changes(space: &RecipeSpace, random: &mut Random) -> VecDeque<(usize, String, String)> {
    let mut ranked: Vec<(usize, usize, (usize, String, String))> = Vec::new();
    for (analyzer, of_analyzer) in space.analyzers.iter().enumerate() {
        for parameter in &of_analyzer.parameters {
            let order = random.below(1 << 16);
            for (rank, value) in few_values(parameter, random).into_iter().enumerate() {
                let rank = if parameter.is_domain { 0 } else { rank + 1 };
                ranked.push((rank, order, (analyzer, parameter.name.clone(), value)));
            }
        }
    }
    ranked.sort_by_key(|(rank, order, _)| (*rank, *order));
    ranked.into_iter().map(|(_, _, change)| change).collect()
}

/// A few values of an option other than the default: those at the quarters of a domain, a middle and the greatest one of
/// other ascending values, and otherwise all of them.
fn few_values(parameter: &Parameter, random: &mut Random) -> Vec<String> {
    let count = parameter.values.len();
    let places: Vec<usize> = match parameter.scale {
        _ if parameter.is_domain => vec![count / 4, count / 2, count * 3 / 4, count.saturating_sub(1)],
        Scale::Ascending => vec![count / 2, count.saturating_sub(1)],
        Scale::Words | Scale::Set => {
            let mut all: Vec<usize> = (0..count).collect();
            random.shuffle(&mut all);
            all
        }
    };
    let mut values: Vec<String> = Vec::new();
    for value in places.into_iter().filter_map(|place| parameter.values.get(place)) {
        if parameter.default.as_ref() != Some(value) && !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}

/// A recipe that has begun, where there is nothing new.
fn any_waiting(history: &History, chosen: &[Recipe]) -> Option<Recipe> {
    waiting(history).into_iter().find(|recipe| !chosen.contains(recipe))
}

/// The recipes that have begun and may continue: those that are not refuted and may still become better than the best.
fn waiting(history: &History) -> Vec<Recipe> {
    let most =
        history.best().map_or(f64::INFINITY, |best| best.loss.whole() * history.programs() as f64 * 1.01);
    let may = |recipe: &&Recipe| {
        !history.untried(recipe).is_empty()
            && !history.is_refuted(recipe)
            && history.losses(recipe).values().sum::<f64>() <= most
    };
    history.outcomes().map(|(recipe, _)| recipe).filter(may).cloned().collect()
}

/// What the default does on the programs.
struct Programs {
    /// Those on which it leaves something open, if that is what is minimized; they come first.
    telling: Vec<bool>,
    /// A loss to which those of recipes on each program are compared. Where the default gives no answer, it is a usual one.
    scales: Vec<f64>,
    times: Vec<f64>,
}

impl Programs {
    fn of(history: &History) -> Programs {
        let default = Recipe::default_recipe();
        let all = 0..history.programs();
        let outcomes: Vec<&Outcome> = all.filter_map(|it| history.default_outcome(it)).collect();
        let is_settled = |it: &Outcome| it.is_finished() && it.unresolved == 0;
        let is_open = history.objective() == Objective::Unresolved;
        let telling = outcomes.iter().map(|it| !is_open || !is_settled(it)).collect();
        let loss = |it| history.loss(&default, it).unwrap_or(0.0);
        let finished = || (0..outcomes.len()).filter(|it| outcomes[*it].is_finished());
        let usual = match finished().count() {
            0 => 1.0,
            count => finished().map(loss).sum::<f64>() / count as f64,
        };
        let scale = |it: usize| if outcomes[it].is_finished() { loss(it) } else { usual };
        let scales = (0..outcomes.len()).map(|it| scale(it).max(1e-9)).collect();
        let times = outcomes.iter().map(|it| it.cpu_microseconds.max(1000) as f64).collect();
        Programs { telling, scales, times }
    }

    /// The next programs of a recipe: if it has not begun, a few at random, so that no option is judged by the same ones every
    /// time; otherwise all others.
    fn next(&self, recipe: &Recipe, history: &History, random: &mut Random) -> Vec<usize> {
        let mut left = history.untried(recipe);
        random.shuffle(&mut left);
        left.sort_by_key(|it| !self.telling[*it]);
        let enough = self.next_share(recipe, history) * self.times.iter().sum::<f64>();
        let mut sum = 0.0;
        left.retain(|it| {
            let is_taken = sum < enough;
            sum += self.times[*it];
            is_taken
        });
        left
    }

    /// How much more a recipe loses than the default on the programs on which it was tried, as a share of what is lost there.
    /// How much worse a bad recipe is does not matter.
    fn relative_loss(&self, recipe: &Recipe, history: &History) -> Option<f64> {
        let default = Recipe::default_recipe();
        let (mut sum, mut usual) = (0.0, 0.0);
        for (program, loss) in history.losses(recipe) {
            sum += loss - history.loss(&default, program)?;
            usual += self.scales[program];
        }
        (usual > 0.0).then(|| (sum / usual).clamp(LEAST, WORST))
    }

    /// The share of the default's time that the next programs of a recipe take.
    fn next_share(&self, recipe: &Recipe, history: &History) -> f64 {
        match history.losses(recipe).is_empty() {
            true => FIRST_SHARE,
            // A little more than what is left, so that no program is left out by rounding.
            false => 1.01 - self.known_share(&self.times, recipe, history),
        }
    }

    /// The share of the default's loss, or time, on programs on which a recipe was tried.
    fn known_share(&self, of: &[f64], recipe: &Recipe, history: &History) -> f64 {
        let is_known = |it: &usize| history.outcome(recipe, *it).is_some();
        let known: f64 = (0..of.len()).filter(is_known).map(|it| of[it]).sum();
        known / of.iter().sum::<f64>().max(1e-9)
    }
}

/// What was learned from the outcomes.
struct Model {
    /// The loss relative to that of the default.
    losses: Gaussian,
    /// The logarithm of the CPU time relative to that of the default.
    times: Gaussian,
    best: f64,
}

impl Model {
    fn learn(space: &RecipeSpace, history: &History, plan: &Programs) -> Option<Model> {
        let (mut losses, mut times) = (Vec::new(), Vec::new());
        for recipe in learned_from(history, plan) {
            let point = Point::of(&recipe, space);
            let noise = PARTIAL_NOISE * (1.0 - plan.known_share(&plan.scales, &recipe, history)).max(0.0);
            // A refuted recipe is worth nothing, however much it claims.
            let value = match history.is_refuted(&recipe) {
                true => Some(WORST),
                false => plan.relative_loss(&recipe, history),
            };
            let prior = CHANGE_LOSS * recipe.changes() as f64;
            losses.extend(value.map(|value| Observation {
                point: point.clone(),
                value: value - prior,
                noise,
            }));
            let value = time_ratio(&recipe, history);
            times.extend(value.map(|value| Observation { point, value: value.ln(), noise }));
        }
        let best = history.best().and_then(|best| plan.relative_loss(&best.recipe, history)).unwrap_or(0.0);
        Some(Model { losses: Gaussian::learn(&losses)?, times: Gaussian::learn(&times)?, best })
    }

    /// The step with the greatest merit.
    fn choose(
        &self,
        space: &RecipeSpace,
        history: &History,
        plan: &Programs,
        chosen: &[Recipe],
        random: &mut Random,
    ) -> Option<Recipe> {
        let is_free = |recipe: &Recipe| !chosen.contains(recipe);
        let mut merits: BTreeMap<Recipe, f64> = BTreeMap::new();
        // What is new must be better than what has begun and is expected to be good, or it would never be continued.
        let mut hoped_for = self.best;
        for recipe in waiting(history).into_iter().filter(is_free) {
            let promised = self.predict(&Point::of(&recipe, space), &recipe);
            hoped_for = hoped_for.min(promised.mean);
            let merit = self.merit(&recipe, self.best, plan.next_share(&recipe, history), space);
            merits.insert(recipe, merit);
        }
        for recipe in self.candidates(space, history, random).into_iter().filter(is_free) {
            if history.losses(&recipe).is_empty() {
                let merit = self.merit(&recipe, hoped_for, plan.next_share(&recipe, history), space);
                merits.insert(recipe, merit);
            }
        }
        let mut best: Option<(f64, Recipe)> = None;
        for (recipe, merit) in merits {
            if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                best = Some((merit, recipe));
            }
        }
        best.map(|(_, recipe)| recipe)
    }

    /// Single changes of the recipes that are expected to be best, and of the default.
    fn candidates(&self, space: &RecipeSpace, history: &History, random: &mut Random) -> BTreeSet<Recipe> {
        let expected = |recipe: &Recipe| self.predict(&Point::of(recipe, space), recipe).mean;
        let known = history.outcomes().map(|(recipe, _)| recipe).filter(|recipe| !history.is_refuted(recipe));
        let mut parents: Vec<(f64, &Recipe)> = known.map(|recipe| (expected(recipe), recipe)).collect();
        parents.sort_by(|(one, first), (other, second)| one.total_cmp(other).then_with(|| first.cmp(second)));
        parents.truncate(PARENTS);
        let default = Recipe::default_recipe();
        let mut candidates = BTreeSet::new();
        for parent in parents.into_iter().map(|(_, recipe)| recipe).chain([&default]) {
            candidates.extend((0..CANDIDATES).map(|_| space.mutate(parent, random)));
        }
        candidates
    }

    fn predict(&self, point: &Point, recipe: &Recipe) -> Prediction {
        let prediction = self.losses.predict(point);
        Prediction { mean: prediction.mean + CHANGE_LOSS * recipe.changes() as f64, ..prediction }
    }

    /// The expected improvement on what is known for the time of the next step.
    fn merit(&self, recipe: &Recipe, known: f64, share: f64, space: &RecipeSpace) -> f64 {
        let point = Point::of(recipe, space);
        let improvement = expected_improvement(self.predict(&point, recipe), known);
        let time = self.times.predict(&point).mean.exp() * share;
        // The square root: what is expensive is tried later, not never.
        improvement / time.sqrt().max(1e-3)
    }
}

/// The recipes that a model learns from: all of them, or the best half and some of the others.
fn learned_from(history: &History, plan: &Programs) -> Vec<Recipe> {
    let worth = |recipe: &Recipe| plan.relative_loss(recipe, history).unwrap_or(1.0);
    let mut all: Vec<(f64, Recipe)> = history.outcomes().map(|(it, _)| (worth(it), it.clone())).collect();
    all.sort_by(|(one, first), (other, second)| one.total_cmp(other).then_with(|| first.cmp(second)));
    let half = MOST_OBSERVATIONS / 2;
    let step = all.len().saturating_sub(half).div_ceil(half).max(1);
    let is_kept = |place: usize| place < half || (place - half).is_multiple_of(step);
    let kept = all.into_iter().enumerate().filter(|(place, _)| is_kept(*place));
    kept.map(|(_, (_, recipe))| recipe).collect()
}

/// The CPU time of a recipe relative to that of the default on the same programs.
fn time_ratio(recipe: &Recipe, history: &History) -> Option<f64> {
    let (mut own, mut usual) = (0, 0);
    for program in 0..history.programs() {
        if let Some(outcome) = history.outcome(recipe, program) {
            own += outcome.cpu_microseconds;
            usual += history.default_outcome(program)?.cpu_microseconds;
        }
    }
    (usual > 0).then(|| own.max(1000) as f64 / usual.max(1000) as f64)
}

/// How much better than the best a recipe is expected to be, if its loss is normally distributed.
fn expected_improvement(prediction: Prediction, best: f64) -> f64 {
    let deviation = prediction.deviation.max(1e-4);
    let distance = (best - prediction.mean) / deviation;
    let density = (-distance * distance / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (best - prediction.mean) * normal_below(distance) + deviation * density
}

/// The probability that a standard normal number is below this one (Abramowitz and Stegun, 26.2.17). It is a multiple of the
/// density, so that an improvement is never expected to be negative where it is unlikely.
fn normal_below(value: f64) -> f64 {
    const FACTORS: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let density = (-value * value / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let step = 1.0 / (1.0 + 0.231_641_9 * value.abs());
    let tail = density * FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * step);
    if value < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn improvement_is_expected_of_the_better_and_of_the_unknown() {
        let expect = |mean, deviation| expected_improvement(Prediction { mean, deviation }, 0.0);
        assert!(expect(-0.5, 0.1) > expect(-0.1, 0.1));
        assert!(expect(0.1, 0.5) > expect(0.1, 0.1));
        assert!(expect(1.0, 0.1) < 1e-3);
    }
}
