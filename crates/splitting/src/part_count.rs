//! How large parts must be for a number of them.

use crate::{Cut, CutSettings, DependencyGraph, SizeLimit, SourceFile, Strategy};

/// The number of cuts that are tried.
const TRIES: u32 = 16;

/// About the smallest limit under which a strategy makes at most this many parts.
///
/// Below a limit the number of parts rises, if not in every single step, so halving the range comes close.
pub fn limit_for(
    parts: usize,
    strategy: &Strategy,
    files: &[SourceFile],
    graph: &DependencyGraph,
    settings: &CutSettings,
) -> SizeLimit {
    let measure = settings.limit.measure;
    let total: u64 = files.iter().map(|file| measure.of(file)).sum();
    let with_limit = |most: u64| SizeLimit { most, measure };
    let is_enough = |most: u64| {
        let settings = CutSettings { limit: with_limit(most), ..settings.clone() };
        strategy.partition(&Cut::new(files, graph, &settings)).len() <= parts.max(1)
    };
    // No part can be smaller than its share of the whole.
    let (mut low, mut high) = (total.div_ceil(parts.max(1) as u64).max(1), total.max(1));
    for _ in 0..TRIES {
        if low >= high {
            break;
        }
        let middle = low + (high - low) / 2;
        match is_enough(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    with_limit(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Measure, STRATEGIES};

    #[test]
    fn there_are_at_most_as_many_parts_as_wanted() {
        let files: Vec<SourceFile> = (0..50u64)
            .map(|number| SourceFile { name: format!("{number:02}"), bytes: 10 + number % 7, lines: number })
            .collect();
        let graph = DependencyGraph::new((0..50).map(|file| vec![file / 2, file / 3]).collect());
        for measure in [Measure::Files, Measure::Lines, Measure::Bytes] {
            let settings = CutSettings { radius: 1, ..CutSettings::new(SizeLimit { most: 1, measure }) };
            for strategy in &STRATEGIES {
                for wanted in [1, 2, 5, 50] {
                    let limit = limit_for(wanted, strategy, &files, &graph, &settings);
                    let settings = CutSettings { limit, ..settings.clone() };
                    let parts = strategy.partition(&Cut::new(&files, &graph, &settings)).len();
                    assert!(parts <= wanted && parts > 0, "{} {limit} {wanted} {parts}", strategy.name);
                }
            }
        }
    }
}
