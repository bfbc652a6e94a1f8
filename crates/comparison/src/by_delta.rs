//! The number of issues of each analyzer, by the number of other analyzers that contradict it.
//!
//! Every issue is counted once, at its delta. Issues of must-unsound answers are counted a second time as such, because
//! they are more severe than their delta suggests. Delta 0 is for issues that only execution shows.

use crate::issues::{IssueKind, Settled, judged};
use model::Comparison;

/// A number of issues, and how many of them are proved by execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Issues that execution does not refute.
    pub found: u64,
    /// Issues that execution proves.
    pub proved: u64,
}

impl Counted {
    fn add(&mut self, settled: Settled) {
        self.found += 1;
        self.proved += u64::from(settled == Settled::Proved);
    }
}

/// The issues of one analyzer of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssueCounts {
    /// All issues.
    pub all: Counted,
    /// Issues of must-unsound answers, regardless of their delta; imprecise answers have none.
    pub must: Counted,
    /// Issues with delta 0, 1, 2 and so on, up to the number of other analyzers.
    pub by_delta: Vec<Counted>,
    /// Issues that execution refutes; they are not counted anywhere else.
    pub refuted: u64,
}

/// The issues of one kind of every analyzer, in the order of the analyzers.
pub fn issues_by_delta(comparison: &Comparison, kind: IssueKind) -> Vec<IssueCounts> {
    let count = comparison.analyzers.len();
    let none = IssueCounts { by_delta: vec![Counted::default(); count], ..IssueCounts::default() };
    let mut counts = vec![none; count];
    for issue in judged(comparison).into_iter().filter(|issue| issue.kind == kind) {
        let Some(row) = counts.get_mut(issue.analyzer) else { continue };
        if issue.settled == Settled::Refuted {
            row.refuted += 1;
            continue;
        }
        row.all.add(issue.settled);
        if issue.must {
            row.must.add(issue.settled);
        }
        if let Some(cell) = row.by_delta.get_mut(issue.delta) {
            cell.add(issue.settled);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, random_comparison, violated};
    use crate::issues::issues;
    use model::{Approximation, Executed, Random};

    #[test]
    fn issues_are_counted_by_hand() {
        let approximations = [Approximation::Over, Approximation::Over, Approximation::Under];
        let comparison = Comparison {
            analyzers: approximations.map(|approximation| analyzer("a", "1", approximation)).to_vec(),
            checks: vec![
                check(1, "suu", Executed::Open),
                check(2, "suu", violated("1")),
                check(3, "suu", Executed::Never),
                check(4, "su?", Executed::Open),
                check(5, "s??", violated("1")),
            ],
            ..Comparison::default()
        };
        let counted = |found, proved| Counted { found, proved };
        let unsound = issues_by_delta(&comparison, IssueKind::Unsound);
        let expected = IssueCounts {
            all: counted(4, 2),
            must: counted(3, 2),
            by_delta: vec![counted(1, 1), counted(1, 0), counted(2, 1)],
            refuted: 1,
        };
        assert_eq!(unsound[0], expected);
        let imprecise = issues_by_delta(&comparison, IssueKind::Imprecise);
        let expected = IssueCounts {
            all: counted(3, 1),
            must: counted(0, 0),
            by_delta: vec![counted(0, 0), counted(3, 1), counted(0, 0)],
            refuted: 1,
        };
        assert_eq!(imprecise[1], expected);
    }

    #[test]
    fn every_issue_is_counted_once_at_its_delta() {
        for case in 0..100 {
            let comparison = random_comparison(&mut Random::for_case(13, case), case as usize % 7, 30);
            let kinds = [IssueKind::Unsound, IssueKind::Imprecise];
            let rows: Vec<IssueCounts> =
                kinds.into_iter().flat_map(|kind| issues_by_delta(&comparison, kind)).collect();
            let all: u64 = rows.iter().map(|row| row.all.found).sum();
            assert_eq!(all, issues(&comparison).len() as u64);
            for row in rows {
                assert_eq!(row.all.found, row.by_delta.iter().map(|cell| cell.found).sum::<u64>());
                assert_eq!(row.all.proved, row.by_delta.iter().map(|cell| cell.proved).sum::<u64>());
                assert!(row.must.found <= row.all.found && row.must.proved <= row.must.found);
            }
        }
    }
}
