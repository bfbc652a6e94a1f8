//! Relative precision and soundness, and tables of pairs.
//!
//! The relative precision of A with respect to B is the probability that A says safe given that B says safe; the
//! relative soundness is the same for unsafe. Both are kept as exact counts, see [`Share`]. A [`PairTable`] counts
//! each combination of the answers of two analyzers.

use model::{CheckAnswer, Comparison};
use std::fmt;

/// The order of the rows and columns of a table of a pair.
pub const WORD_ORDER: [CheckAnswer; 3] = [CheckAnswer::Unsafe, CheckAnswer::Unknown, CheckAnswer::Safe];

/// A share in exact counts. It is rounded to two digits, but only exact values are shown as 0 or 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The size of the part.
    pub numerator: u64,
    /// The size of the whole.
    pub denominator: u64,
}

impl Share {
    /// The share as a number from 0 to 1; `None` if the whole is empty.
    pub fn value(self) -> Option<f64> {
        (self.denominator > 0).then(|| self.numerator as f64 / self.denominator as f64)
    }

    /// The share in hundredths, rounded to the nearest.
    fn hundredths(self) -> u128 {
        let (part, whole) = (u128::from(self.numerator), u128::from(self.denominator));
        (200 * part + whole) / (2 * whole).max(1)
    }

    fn is_almost_none(self) -> bool {
        self.numerator > 0 && 100 * u128::from(self.numerator) < u128::from(self.denominator)
    }

    fn is_almost_all(self) -> bool {
        self.numerator < self.denominator
            && 100 * u128::from(self.numerator) > 99 * u128::from(self.denominator)
    }

    /// The share as a percentage: `61 %`, `< 1 %`, or a dash.
    pub fn percent(self) -> String {
        match self {
            Share { denominator: 0, .. } => "-".to_owned(),
            _ if self.is_almost_none() => "< 1 %".to_owned(),
            _ if self.is_almost_all() => "> 99 %".to_owned(),
            _ => format!("{} %", self.hundredths()),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Share { denominator: 0, .. } => f.pad("-"),
            _ if self.is_almost_none() => f.pad("<0.01"),
            _ if self.is_almost_all() => f.pad(">0.99"),
            _ => f.pad(&format!("{}.{:02}", self.hundredths() / 100, self.hundredths() % 100)),
        }
    }
}

/// Relative precision and soundness of all analyzers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrices {
    /// In row i and column j: of the checks that j says are safe, those that i says are safe.
    pub precision: Vec<Vec<Share>>,
    /// In row i and column j: of the checks that j says are unsafe, those that i says are unsafe.
    pub soundness: Vec<Vec<Share>>,
}

/// Computes the matrices of a comparison.
pub fn matrices(comparison: &Comparison) -> Matrices {
    Matrices {
        precision: matrix(comparison, CheckAnswer::Safe),
        soundness: matrix(comparison, CheckAnswer::Unsafe),
    }
}

fn matrix(comparison: &Comparison, word: CheckAnswer) -> Vec<Vec<Share>> {
    let count = comparison.analyzers.len();
    let mut shares = vec![vec![Share::default(); count]; count];
    for check in &comparison.checks {
        for (row, cells) in shares.iter_mut().enumerate() {
            let said = check.word(row) == word;
            for (column, share) in cells.iter_mut().enumerate() {
                if check.word(column) == word {
                    share.denominator += 1;
                    share.numerator += u64::from(said);
                }
            }
        }
    }
    shares
}

/// The number of checks for each combination of the answers of two analyzers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTable {
    /// The index of the analyzer in the rows.
    pub first: usize,
    /// The index of the analyzer in the columns.
    pub second: usize,
    /// Rows and columns in the order of [`WORD_ORDER`].
    pub counts: [[u64; 3]; 3],
}

impl PairTable {
    /// The number of checks to which they give different answers.
    pub fn disagreements(&self) -> u64 {
        let agreements: u64 = (0..3).map(|index| self.counts[index][index]).sum();
        self.counts.iter().flatten().sum::<u64>() - agreements
    }

    /// The number of checks that one says are safe and the other says are unsafe.
    pub fn contradictions(&self) -> u64 {
        self.counts[0][2] + self.counts[2][0]
    }
}

/// The index of an answer in [`WORD_ORDER`].
fn word_place(word: CheckAnswer) -> usize {
    match word {
        CheckAnswer::Unsafe => 0,
        CheckAnswer::Unknown => 1,
        CheckAnswer::Safe => 2,
    }
}

/// The tables of all pairs, the earlier analyzer in the rows.
pub fn pair_tables(comparison: &Comparison) -> Vec<PairTable> {
    let count = comparison.analyzers.len();
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    pairs.map(|(first, second)| pair_table(comparison, first, second)).collect()
}

fn pair_table(comparison: &Comparison, first: usize, second: usize) -> PairTable {
    let mut counts = [[0; 3]; 3];
    for check in &comparison.checks {
        counts[word_place(check.word(first))][word_place(check.word(second))] += 1;
    }
    PairTable { first, second, counts }
}

/// The tables of the pairs that disagree somewhere, those with the most contradictions first.
pub(crate) fn disagreeing_pairs(comparison: &Comparison) -> Vec<PairTable> {
    let mut pairs = pair_tables(comparison);
    pairs.retain(|pair| pair.disagreements() > 0);
    pairs.sort_by_key(|pair| std::cmp::Reverse((pair.contradictions(), pair.disagreements())));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, random_comparison};
    use model::{Approximation, Executed, Random};

    fn share(numerator: u64, denominator: u64) -> Share {
        Share { numerator, denominator }
    }

    /// Three analyzers and five checks, counted by hand.
    fn example() -> Comparison {
        let names = ["a", "b", "c"];
        let words = ["sss", "ssu", "s?u", "uuu", "us?"];
        Comparison {
            analyzers: names.iter().map(|name| analyzer(name, "1", Approximation::Over)).collect(),
            checks: (1..).zip(words).map(|(number, words)| check(number, words, Executed::Open)).collect(),
            ..Comparison::default()
        }
    }

    #[test]
    fn the_matrices_are_those_counted_by_hand() {
        let matrices = matrices(&example());
        let precision = vec![
            vec![share(3, 3), share(2, 3), share(1, 1)],
            vec![share(2, 3), share(3, 3), share(1, 1)],
            vec![share(1, 3), share(1, 3), share(1, 1)],
        ];
        let soundness = vec![
            vec![share(2, 2), share(1, 1), share(1, 3)],
            vec![share(1, 2), share(1, 1), share(1, 3)],
            vec![share(1, 2), share(1, 1), share(3, 3)],
        ];
        assert_eq!(matrices, Matrices { precision, soundness });
    }

    #[test]
    fn the_tables_of_pairs_are_those_counted_by_hand() {
        let pairs = pair_tables(&example());
        assert_eq!(pairs.len(), 3);
        assert_eq!(pairs[0], PairTable { first: 0, second: 1, counts: [[1, 0, 1], [0, 0, 0], [0, 1, 2]] });
        assert_eq!(pairs[1], PairTable { first: 0, second: 2, counts: [[1, 1, 0], [0, 0, 0], [2, 0, 1]] });
        assert_eq!((pairs[0].disagreements(), pairs[0].contradictions()), (2, 1));
        assert_eq!((pairs[1].disagreements(), pairs[1].contradictions()), (3, 2));
        let order = disagreeing_pairs(&example());
        let order: Vec<(usize, usize)> = order.iter().map(|pair| (pair.first, pair.second)).collect();
        assert_eq!(order, [(0, 2), (1, 2), (0, 1)], "those that contradict each other most come first");
    }

    #[test]
    fn shares_are_written_as_in_the_literature() {
        let cases = [
            ((0, 0), "-", "-"),
            ((0, 7), "0.00", "0 %"),
            ((1, 1000), "<0.01", "< 1 %"),
            ((1, 100), "0.01", "1 %"),
            ((97, 100), "0.97", "97 %"),
            ((2, 3), "0.67", "67 %"),
            ((99, 100), "0.99", "99 %"),
            ((991, 1000), ">0.99", "> 99 %"),
            ((7, 7), "1.00", "100 %"),
            ((u64::MAX - 1, u64::MAX), ">0.99", "> 99 %"),
        ];
        for ((numerator, denominator), fraction, percent) in cases {
            let share = share(numerator, denominator);
            assert_eq!((share.to_string().as_str(), share.percent().as_str()), (fraction, percent));
        }
        assert_eq!(format!("{:>6}", share(1, 2)), "  0.50");
    }

    #[test]
    fn diagonals_are_one_or_nothing_and_tables_add_up() {
        for case in 0..200 {
            let comparison =
                random_comparison(&mut Random::for_case(11, case), (case % 7) as usize, case as usize % 40);
            let Matrices { precision, soundness } = matrices(&comparison);
            for (place, _) in comparison.analyzers.iter().enumerate() {
                for share in [precision[place][place], soundness[place][place]] {
                    assert_eq!(share.numerator, share.denominator);
                    assert!(["1.00", "-"].contains(&share.to_string().as_str()));
                }
            }
            assert!(precision.iter().flatten().all(|share| share.numerator <= share.denominator));
            for pair in pair_tables(&comparison) {
                assert_eq!(pair.counts.iter().flatten().sum::<u64>(), comparison.checks.len() as u64);
                let both_safe = precision[pair.first][pair.second].numerator;
                assert_eq!(pair.counts[2][2], both_safe);
                assert_eq!(pair.counts[0][0], soundness[pair.first][pair.second].numerator);
            }
        }
    }
}
