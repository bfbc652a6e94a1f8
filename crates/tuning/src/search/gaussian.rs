//! A Gaussian process over recipes: predicts a number for recipes that were not tried, and how sure it is of it.
//!
//! Its covariance is a sum of three parts. Options add up, so recipes with the same value of an option have a share in common;
//! recipes that differ in few options are near each other, whatever their options do together; and every change from the
//! default may be worth about the same, since most changes make things worse. How much each part counts, and how fast
//! neighbours become unlike, is chosen by the likelihood of what was observed.

use crate::{Ingredient, Recipe, RecipeSpace};
use model::{Parameter, Scale};

/// One option of a recipe as a number or a word.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Code {
    /// There is no such ingredient, or the option has a default that is none of its values.
    Absent,
    /// The number of a word.
    Word(usize),
    /// The place among ascending values, from 0 to 1.
    Place(f64),
}

/// A recipe as a point: a code for each option of each possible ingredient.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    codes: Vec<Code>,
    changes: f64,
}

/// What was observed at a point.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) point: Point,
    pub(super) value: f64,
    /// The variance of the observation, as a share of the variance of all values.
    pub(super) noise: f64,
}

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

/// How similar two points are expected to be.
#[derive(Clone, Copy, Debug)]
struct Covariance {
    /// The share of effects of options that add up; the rest belongs to what options do together.
    additive: f64,
    /// How much of their similarity two recipes lose by each option in which they differ.
    decay: f64,
}

/// What was learned from observations.
pub(super) struct Gaussian {
    covariance: Covariance,
    points: Vec<Point>,
    /// The lower triangle of the factor of the covariance matrix.
    factor: Vec<Vec<f64>>,
    weights: Vec<f64>,
    variance: f64,
}

/// Shares and decays among which the likelihood chooses.
const ADDITIVE: [f64; 3] = [0.2, 0.5, 0.8];
const DECAYS: [f64; 3] = [0.25, 0.6, 1.5];
/// The variance of what each change may be worth on average.
const CHANGE_VARIANCE: f64 = 0.02;
/// The deviation of values before anything was observed. It counts like two observations.
const PRIOR_DEVIATION: f64 = 0.1;
const PRIOR_OBSERVATIONS: f64 = 2.0;
/// Every observation has so much noise, which also keeps the matrix regular.
const LEAST_NOISE: f64 = 1e-3;

impl Point {
    /// The point of a recipe.
    pub(super) fn of(recipe: &Recipe, space: &RecipeSpace) -> Point {
        let mut codes = Vec::new();
        for place in 0..space.longest {
            let ingredient = recipe.0.get(place);
            codes.push(ingredient.map_or(Code::Absent, |it| Code::Word(it.analyzer)));
            for (analyzer, of_analyzer) in space.analyzers.iter().enumerate() {
                let used = ingredient.filter(|it| it.analyzer == analyzer);
                for parameter in &of_analyzer.parameters {
                    push_codes(parameter, used, &mut codes);
                }
            }
        }
        Point { codes, changes: recipe.changes() as f64 }
    }
}

/// One code for an option; for a set, one for each of its words.
fn push_codes(parameter: &Parameter, ingredient: Option<&Ingredient>, codes: &mut Vec<Code>) {
    let given = ingredient.and_then(|it| it.options.get(&parameter.name).or(parameter.default.as_ref()));
    let place = || given.and_then(|given| parameter.values.iter().position(|value| value == given));
    match parameter.scale {
        Scale::Ascending => {
            let last = parameter.values.len().saturating_sub(1).max(1) as f64;
            codes.push(place().map_or(Code::Absent, |place| Code::Place(place as f64 / last)));
        }
        Scale::Words => codes.push(place().map_or(Code::Absent, Code::Word)),
        Scale::Set => {
            let has = |word: &String| given.is_some_and(|given| given.split(',').any(|it| it == word));
            let code = |word| if has(word) { Code::Word(0) } else { Code::Absent };
            codes.extend(parameter.values.iter().map(code));
        }
    }
}

/// 1 for the same value, 0 for unlike ones, and a number between them for values that are near each other.
fn similarity(one: Code, other: Code) -> f64 {
    match (one, other) {
        (Code::Place(one), Code::Place(other)) => (-3.0 * (one - other).abs()).exp(),
        _ => f64::from(u8::from(one == other)),
    }
}

/// How similar two points are in all options together, which takes longest to compute and is the same for every covariance.
fn similarity_sum(one: &Point, other: &Point) -> f64 {
    one.codes.iter().zip(&other.codes).map(|(one, other)| similarity(*one, *other)).sum()
}

impl Covariance {
    fn of(self, one: &Point, other: &Point, sum: f64) -> f64 {
        let count = one.codes.len().max(1) as f64;
        let together = (-self.decay * (count - sum)).exp();
        self.additive * sum / count
            + (1.0 - self.additive) * together
            + CHANGE_VARIANCE * one.changes * other.changes
    }
}

impl Gaussian {
    /// Learns from observations, which must not be empty.
    pub(super) fn learn(observations: &[Observation]) -> Option<Gaussian> {
        let row = |(row, one): (usize, &Observation)| -> Vec<f64> {
            observations[..=row].iter().map(|other| similarity_sum(&one.point, &other.point)).collect()
        };
        let sums: Vec<Vec<f64>> = observations.iter().enumerate().map(row).collect();
        let mut best: Option<(f64, Gaussian)> = None;
        for additive in ADDITIVE {
            for decay in DECAYS {
                let Some((likelihood, model)) =
                    Gaussian::fit(Covariance { additive, decay }, observations, &sums)
                else {
                    continue;
                };
                if best.as_ref().is_none_or(|(known, _)| likelihood > *known) {
                    best = Some((likelihood, model));
                }
            }
        }
        best.map(|(_, model)| model)
    }

    /// The model with this covariance, and the logarithm of its likelihood. None if the matrix is singular.
    fn fit(
        covariance: Covariance,
        observations: &[Observation],
        sums: &[Vec<f64>],
    ) -> Option<(f64, Gaussian)> {
        let count = observations.len();
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(count);
        for (row, one) in observations.iter().enumerate() {
            let mut line: Vec<f64> = Vec::with_capacity(row + 1);
            for (column, other) in observations[..=row].iter().enumerate() {
                let noise = if row == column { LEAST_NOISE + one.noise } else { 0.0 };
                let known = if row == column { &line } else { &factor[column] };
                let sum: f64 = line[..column].iter().zip(&known[..column]).map(|(a, b)| a * b).sum();
                let shared = covariance.of(&one.point, &other.point, sums[row][column]);
                let rest = shared + noise - sum;
                if row == column {
                    if rest <= 0.0 {
                        return None;
                    }
                    line.push(rest.sqrt());
                } else {
                    line.push(rest / factor[column][column]);
                }
            }
            factor.push(line);
        }
        let values: Vec<f64> = observations.iter().map(|it| it.value).collect();
        let halfway = solve_lower(&factor, &values);
        let fit: f64 = halfway.iter().map(|it| it * it).sum();
        let prior = PRIOR_OBSERVATIONS * PRIOR_DEVIATION * PRIOR_DEVIATION;
        let variance = (fit + prior) / (count as f64 + PRIOR_OBSERVATIONS);
        let volume: f64 = factor.iter().filter_map(|line| line.last()).map(|it| it.ln()).sum();
        let likelihood = -0.5 * (count as f64 + PRIOR_OBSERVATIONS) * variance.ln() - volume;
        let weights = solve_upper(&factor, halfway);
        let points = observations.iter().map(|it| it.point.clone()).collect();
        Some((likelihood, Gaussian { covariance, points, factor, weights, variance }))
    }

    /// The prediction at a point.
    pub(super) fn predict(&self, point: &Point) -> Prediction {
        let covariance =
            |one: &Point, other: &Point| self.covariance.of(one, other, similarity_sum(one, other));
        let shared: Vec<f64> = self.points.iter().map(|known| covariance(point, known)).collect();
        let mean = shared.iter().zip(&self.weights).map(|(share, weight)| share * weight).sum();
        let explained: f64 = solve_lower(&self.factor, &shared).iter().map(|it| it * it).sum();
        let rest = (covariance(point, point) - explained).max(0.0);
        Prediction { mean, deviation: (self.variance * rest).sqrt() }
    }
}

/// Solves `factor * x = values` for a lower triangle.
fn solve_lower(factor: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
    let mut solved: Vec<f64> = Vec::with_capacity(values.len());
    for (line, value) in factor.iter().zip(values) {
        let sum: f64 = line.iter().zip(&solved).map(|(a, b)| a * b).sum();
        let diagonal = line.last().copied().unwrap_or(1.0);
        solved.push((value - sum) / diagonal);
    }
    solved
}

/// Solves `transposed factor * x = values`.
fn solve_upper(factor: &[Vec<f64>], mut values: Vec<f64>) -> Vec<f64> {
    for row in (0..values.len()).rev() {
        let solved = values[row] / factor[row][row];
        values[row] = solved;
        for (value, entry) in values[..row].iter_mut().zip(&factor[row]) {
            *value -= entry * solved;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::space;
    use model::Random;

    #[test]
    fn it_expects_good_options_to_be_good_together_and_is_unsure_where_it_saw_nothing() {
        let space = space(1);
        let value = |recipe: &Recipe| {
            let has = |name: &str, value: &str| recipe.0[0].options.get(name).is_some_and(|it| it == value);
            f64::from(u8::from(has("domain", "oct"))) * -0.4 + f64::from(u8::from(has("level", "5"))) * -0.3
        };
        let mut random = Random::for_case(1, 0);
        let mut recipes: Vec<Recipe> = (0..60).map(|_| space.draw(1, &mut random)).collect();
        let both = |recipe: &Recipe| value(recipe) < -0.6;
        recipes.retain(|recipe| !both(recipe));
        let observations: Vec<Observation> = recipes
            .iter()
            .map(|recipe| Observation { point: Point::of(recipe, &space), value: value(recipe), noise: 0.0 })
            .collect();
        let model = Gaussian::learn(&observations).unwrap();
        let mut best = Recipe::default_recipe();
        for (name, value) in [("domain", "oct"), ("level", "5")] {
            best.0[0].options.insert(name.to_owned(), value.to_owned());
        }
        let predicted = model.predict(&Point::of(&best, &space));
        assert!(predicted.mean < -0.15, "{predicted:?}");
        let known = model.predict(&observations[0].point);
        assert!((known.mean - observations[0].value).abs() < 0.05 && known.deviation < predicted.deviation);
    }

    #[test]
    fn recipes_have_equally_many_codes_and_different_recipes_differ() {
        let space = space(2);
        let mut random = Random::for_case(1, 0);
        let count = Point::of(&Recipe::default_recipe(), &space).codes.len();
        for _ in 0..100 {
            let (one, other) = (space.draw(1, &mut random), space.draw(2, &mut random));
            let (first, second) = (Point::of(&one, &space), Point::of(&other, &space));
            assert_eq!((first.codes.len(), second.codes.len()), (count, count));
            assert_ne!(first, second);
        }
    }
}
