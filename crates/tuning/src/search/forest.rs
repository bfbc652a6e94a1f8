//! A forest of extremely randomized trees: predicts a number from features, and how sure it is of it.

use model::Random;

const TREES: usize = 40;
/// Nodes with fewer samples are leaves.
const LEAST_SAMPLES: usize = 4;

/// What was seen: features and a number.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) features: Vec<f64>,
    pub(super) value: f64,
}

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    pub(super) mean: f64,
    /// How far the trees differ.
    pub(super) deviation: f64,
}

/// A forest.
pub(super) struct Forest {
    trees: Vec<Tree>,
}

enum Tree {
    Leaf(f64),
    Split { feature: usize, threshold: f64, below: Box<Tree>, above: Box<Tree> },
}

impl Forest {
    /// Learns from samples, which must not be empty.
    pub(super) fn grow(samples: &[Sample], random: &mut Random) -> Forest {
        let all: Vec<&Sample> = samples.iter().collect();
        Forest { trees: (0..TREES).map(|_| Tree::grow(&all, random)).collect() }
    }

    /// The prediction for these features.
    pub(super) fn predict(&self, features: &[f64]) -> Prediction {
        let values: Vec<f64> = self.trees.iter().map(|tree| tree.predict(features)).collect();
        let mean = mean(values.iter().copied());
        let deviation = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        Prediction { mean, deviation: deviation.sqrt() }
    }
}

impl Tree {
    fn grow(samples: &[&Sample], random: &mut Random) -> Tree {
        let leaf = || Tree::Leaf(mean(samples.iter().map(|sample| sample.value)));
        let is_even = samples.iter().all(|sample| (sample.value - samples[0].value).abs() < 1e-12);
        if samples.len() < LEAST_SAMPLES || is_even {
            return leaf();
        }
        let Some((feature, threshold)) = best_split(samples, random) else { return leaf() };
        let (below, above): (Vec<&Sample>, Vec<&Sample>) =
            samples.iter().copied().partition(|sample| sample.features[feature] < threshold);
        let (below, above) = (Tree::grow(&below, random), Tree::grow(&above, random));
        Tree::Split { feature, threshold, below: Box::new(below), above: Box::new(above) }
    }

    fn predict(&self, features: &[f64]) -> f64 {
        match self {
            Tree::Leaf(value) => *value,
            Tree::Split { feature, threshold, below, above } => {
                let is_below = features.get(*feature).is_some_and(|value| value < threshold);
                if is_below { below.predict(features) } else { above.predict(features) }
            }
        }
    }
}

/// The best of some random splits: a third of the features, each at a random threshold.
fn best_split(samples: &[&Sample], random: &mut Random) -> Option<(usize, f64)> {
    let count = samples[0].features.len();
    let mut features: Vec<usize> = (0..count).filter(|feature| range(samples, *feature).is_some()).collect();
    random.shuffle(&mut features);
    features.truncate(count.div_ceil(3).max(4));
    let mut best: Option<(f64, usize, f64)> = None;
    for feature in features {
        let Some((least, most)) = range(samples, feature) else { continue };
        // Never the least value, so that neither side is empty.
        let threshold = least + (most - least) * (random.below(1000) + 1) as f64 / 1000.0;
        let remaining = spread_after(samples, feature, threshold);
        if best.is_none_or(|(known, ..)| remaining < known) {
            best = Some((remaining, feature, threshold));
        }
    }
    best.map(|(_, feature, threshold)| (feature, threshold))
}

/// The least and the greatest value of a feature; none if they are the same.
fn range(samples: &[&Sample], feature: usize) -> Option<(f64, f64)> {
    let values = || samples.iter().map(|sample| sample.features[feature]);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    (least < most).then_some((least, most))
}

/// The sum of squared distances from the means of both sides.
fn spread_after(samples: &[&Sample], feature: usize, threshold: f64) -> f64 {
    let side = |is_below: bool| {
        let values = || {
            let of_side =
                samples.iter().filter(move |sample| (sample.features[feature] < threshold) == is_below);
            of_side.map(|sample| sample.value)
        };
        let mean = mean(values());
        values().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    side(true) + side(false)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_which_feature_matters_and_is_unsure_where_it_saw_nothing() {
        let mut random = Random::for_case(1, 0);
        let sample = |random: &mut Random| {
            let features: Vec<f64> = (0..6).map(|_| random.below(10) as f64).collect();
            let value = if features[2] < 5.0 { 1.0 } else { 0.0 };
            Sample { features, value }
        };
        let samples: Vec<Sample> = (0..200).map(|_| sample(&mut random)).collect();
        let forest = Forest::grow(&samples, &mut random);
        let low = forest.predict(&[5.0, 5.0, 1.0, 5.0, 5.0, 5.0]);
        let high = forest.predict(&[5.0, 5.0, 8.0, 5.0, 5.0, 5.0]);
        assert!(low.mean > 0.9 && high.mean < 0.1, "{low:?} {high:?}");
        let edge = forest.predict(&[5.0, 5.0, 4.5, 5.0, 5.0, 5.0]);
        assert!(edge.deviation > low.deviation, "{edge:?}");
    }

    #[test]
    fn few_or_equal_samples_give_their_mean() {
        let mut random = Random::for_case(1, 0);
        let sample = |value| Sample { features: vec![1.0], value };
        let forest = Forest::grow(&[sample(1.0), sample(3.0)], &mut random);
        assert_eq!(forest.predict(&[0.0]), Prediction { mean: 2.0, deviation: 0.0 });
    }
}
