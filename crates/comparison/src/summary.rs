//! The most important figures: how much each analyzer verifies, how often it is proved wrong, and what it costs.
//!
//! A check *may hold* if every input was run and it never failed, or if an analyzer whose `safe` is binding verifies it and
//! neither an execution nor an analyzer whose `unsafe` is binding contradicts it. An analyzer is rated by the share of these
//! checks that it verifies.

use crate::by_delta::{Counted, IssueCounts, issues_by_delta};
use crate::cost::{AnalyzerCost, costs};
use crate::issues::IssueKind;
use crate::matrix::Share;
use model::{CheckAnswer, ComparedCheck, Comparison, Executed};
use std::collections::BTreeSet;

/// The comparison in a few numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// The number of analyzers.
    pub analyzers: usize,
    /// The number of checks.
    pub checks: usize,
    /// The number of seeds with checks.
    pub seeds: usize,
    /// Checks to which all analyzers give the same answer.
    pub unanimous: usize,
    /// Checks that an execution violates.
    pub violated: usize,
    /// Checks that no input violates.
    pub never: usize,
    /// Checks that may hold.
    pub may_hold: usize,
}

/// One analyzer in a few numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzerSummary {
    /// The share of the checks that may hold that it verifies.
    pub verified: Share,
    /// Its unsound answers.
    pub unsound: Counted,
    /// Its imprecise answers.
    pub imprecise: Counted,
    /// Processor time per check, in seconds; `None` without checks.
    pub cpu_seconds_per_check: Option<f64>,
}

/// The comparison in a few numbers.
pub fn overview(comparison: &Comparison) -> Overview {
    let count =
        |test: &dyn Fn(&ComparedCheck) -> bool| comparison.checks.iter().filter(|check| test(check)).count();
    let seeds: BTreeSet<&str> = comparison.checks.iter().map(|check| check.seed.as_str()).collect();
    Overview {
        analyzers: comparison.analyzers.len(),
        checks: comparison.checks.len(),
        seeds: seeds.len(),
        unanimous: count(&|check| comparison.is_unanimous(check)),
        violated: count(&|check| check.executed.is_violated()),
        never: count(&|check| check.executed == Executed::Never),
        may_hold: count(&|check| may_hold(comparison, check)),
    }
}

/// Every analyzer in a few numbers, in the order of the analyzers.
pub fn summaries(comparison: &Comparison) -> Vec<AnalyzerSummary> {
    let unsound = issues_by_delta(comparison, IssueKind::Unsound);
    let imprecise = issues_by_delta(comparison, IssueKind::Imprecise);
    let all = |rows: &[IssueCounts], place: usize| rows.get(place).map_or(Counted::default(), |row| row.all);
    let summary = |(place, cost): (usize, AnalyzerCost)| AnalyzerSummary {
        verified: verified(comparison, place),
        unsound: all(&unsound, place),
        imprecise: all(&imprecise, place),
        cpu_seconds_per_check: cost.cpu_seconds_per_check,
    };
    costs(comparison).into_iter().enumerate().map(summary).collect()
}

fn verified(comparison: &Comparison, analyzer: usize) -> Share {
    let mut share = Share::default();
    for check in comparison.checks.iter().filter(|check| may_hold(comparison, check)) {
        share.denominator += 1;
        share.numerator += u64::from(check.word(analyzer) == CheckAnswer::Safe);
    }
    share
}

fn may_hold(comparison: &Comparison, check: &ComparedCheck) -> bool {
    let mut analyzers = comparison.analyzers.iter().enumerate();
    match check.executed {
        Executed::Violated { .. } => false,
        Executed::Never => true,
        Executed::Open => {
            let says = |place: usize, word: CheckAnswer| check.word(place) == word;
            let is_shown = analyzers
                .clone()
                .any(|(place, it)| it.approximation.binds_showings() && says(place, CheckAnswer::Unsafe));
            let is_verified = analyzers
                .any(|(place, it)| it.approximation.binds_exclusions() && says(place, CheckAnswer::Safe));
            is_verified && !is_shown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, violated};
    use model::Approximation;

    #[test]
    fn only_real_violations_take_a_check_away() {
        let approximations = [Approximation::Over, Approximation::Under];
        let comparison = Comparison {
            analyzers: approximations.map(|approximation| analyzer("a", "1", approximation)).to_vec(),
            checks: vec![
                check(1, "s?", Executed::Open),
                check(2, "su", Executed::Open),
                check(3, "u?", Executed::Open),
                check(4, "su", Executed::Never),
                check(5, "s?", violated("1")),
                check(6, "uu", violated("1")),
            ],
            ..Comparison::default()
        };
        let expected =
            Overview { analyzers: 2, checks: 6, seeds: 1, unanimous: 1, violated: 2, never: 1, may_hold: 2 };
        assert_eq!(overview(&comparison), expected);
        let summaries = summaries(&comparison);
        assert_eq!(summaries[0].verified, Share { numerator: 2, denominator: 2 });
        assert_eq!(summaries[0].unsound, Counted { found: 2, proved: 1 });
        assert_eq!(summaries[1].imprecise, Counted { found: 2, proved: 1 }, "its answers to 2 and 4");
    }
}
