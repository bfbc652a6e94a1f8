//! What several cuts of one project cost in time and memory, and what each of them finds.

use model::Way;
use serde::{Deserialize, Serialize};

/// One cut, measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FrontierPoint {
    /// How the project was cut; `whole` if it was not.
    pub strategy: String,
    /// How the files were given to the tool.
    pub way: Way,
    /// The limit of the size of a part, in words, such as `18 files`.
    pub limit: String,
    /// The radius of neighbourhoods.
    pub radius: u32,
    /// The number of parts.
    pub parts: u64,
    /// The files of the largest part.
    pub largest_part: u64,
    /// The files of all parts.
    pub sum_of_sizes: u64,
    /// The time of the longest part: the best possible latency.
    pub latency_microseconds: u64,
    /// The CPU time of all parts.
    pub cpu_microseconds: u64,
    /// The largest peak of memory of a part.
    pub peak_memory_bytes: u64,
    /// Results of the whole that were found.
    pub found: u64,
    /// Results of the whole that were lost.
    pub lost: u64,
    /// Results that the whole does not report.
    pub new: u64,
}

impl FrontierPoint {
    /// The share of the results of the whole that were found; all if there are none.
    pub fn recall(&self) -> f64 {
        if self.lost == 0 { 1.0 } else { self.found as f64 / (self.found + self.lost) as f64 }
    }

    /// What should be small. A new result is as bad as a lost one, but neither makes up for the other.
    fn costs(&self) -> [u64; 4] {
        [self.latency_microseconds, self.peak_memory_bytes, self.lost, self.new]
    }

    /// True if this one is nowhere worse than the other, and better somewhere: in latency, memory, lost or new results.
    pub fn dominates(&self, other: &FrontierPoint) -> bool {
        let (own, others) = (self.costs(), other.costs());
        own != others && own.iter().zip(&others).all(|(own, other)| own <= other)
    }
}

/// For each point whether no other one dominates it.
pub fn pareto_optimal(points: &[FrontierPoint]) -> Vec<bool> {
    points.iter().map(|point| !points.iter().any(|other| other.dominates(point))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(latency_microseconds: u64, peak_memory_bytes: u64, lost: u64, new: u64) -> FrontierPoint {
        FrontierPoint {
            strategy: "grow".to_owned(),
            way: Way::Isolated,
            limit: "18 files".to_owned(),
            radius: 1,
            parts: 2,
            largest_part: 18,
            sum_of_sizes: 30,
            latency_microseconds,
            cpu_microseconds: 0,
            peak_memory_bytes,
            found: 3,
            lost,
            new,
        }
    }

    #[test]
    fn optimal_points_are_those_that_nothing_dominates() {
        let points = [
            point(10, 10, 0, 0),
            point(5, 5, 1, 0),
            point(5, 6, 1, 0),   // dominated by the one before
            point(5, 5, 1, 0),   // equal
            point(6, 5, 0, 9),   // finds everything, with new results
            point(11, 10, 0, 0), // slower than the first
        ];
        assert_eq!(pareto_optimal(&points), [true, true, false, true, true, false]);
        assert_eq!(pareto_optimal(&[]), [false; 0]);
        assert!((points[1].recall() - 0.75).abs() < 1e-12);
    }
}
