//! The cost of each analyzer's answers, and how many of them were useful.

use crate::matrix::Share;
use model::{CheckAnswer, Comparison};

/// The cost of one analyzer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzerCost {
    /// The number of times it was asked.
    pub queries: u64,
    /// Processor time of all queries, in seconds.
    pub cpu_seconds: f64,
    /// Processor time per check, in seconds; `None` without checks.
    pub cpu_seconds_per_check: Option<f64>,
    /// Wall time per query, in milliseconds; `None` without queries.
    pub wall_milliseconds_per_query: Option<f64>,
    /// The share of checks whose answer is unknown, for whatever reason.
    pub unknown: Share,
    /// Answers `unknown`.
    pub unknowns: u64,
    /// Queries that reached a limit.
    pub limits: u64,
    /// Queries that crashed it.
    pub crashes: u64,
    /// Programs that it rejected.
    pub refusals: u64,
}

/// The cost of every analyzer, in the order of the analyzers.
pub fn costs(comparison: &Comparison) -> Vec<AnalyzerCost> {
    let checks = comparison.checks.len() as u64;
    let cost_of = |(place, analyzer): (usize, &model::ComparedAnalyzer)| AnalyzerCost {
        queries: analyzer.queries,
        cpu_seconds: analyzer.cpu_microseconds as f64 / 1e6,
        cpu_seconds_per_check: divided(analyzer.cpu_microseconds, checks, 1e6),
        wall_milliseconds_per_query: divided(analyzer.wall_microseconds, analyzer.queries, 1e3),
        unknown: Share {
            numerator: comparison
                .checks
                .iter()
                .filter(|check| check.word(place) == CheckAnswer::Unknown)
                .count() as u64,
            denominator: checks,
        },
        unknowns: analyzer.unknowns,
        limits: analyzer.limits,
        crashes: analyzer.crashes,
        refusals: analyzer.refusals,
    };
    comparison.analyzers.iter().enumerate().map(cost_of).collect()
}

/// Converts microseconds to a larger unit, and divides them by a count.
fn divided(microseconds: u64, count: u64, unit: f64) -> Option<f64> {
    (count > 0).then(|| microseconds as f64 / unit / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check};
    use model::{Approximation, Executed};

    #[test]
    fn costs_are_for_each_check_and_each_query() {
        let mut asked = analyzer("a", "1", Approximation::Over);
        (asked.queries, asked.cpu_microseconds, asked.wall_microseconds) = (2, 3_000_000, 5_000_000);
        asked.crashes = 1;
        let idle = analyzer("b", "1", Approximation::Over);
        let checks =
            (1..=4).zip(["ss", "?s", "us", "us"]).map(|(number, it)| check(number, it, Executed::Open));
        let comparison =
            Comparison { analyzers: vec![asked, idle], checks: checks.collect(), ..Comparison::default() };
        let costs = costs(&comparison);
        assert_eq!(costs[0].cpu_seconds, 3.0);
        assert_eq!(costs[0].cpu_seconds_per_check, Some(0.75));
        assert_eq!(costs[0].wall_milliseconds_per_query, Some(2500.0));
        assert_eq!((costs[0].unknown.percent().as_str(), costs[0].crashes), ("25 %", 1));
        assert_eq!(costs[1].wall_milliseconds_per_query, None);
    }
}
