//! Answers that are wrong or deviate from those of other analyzers.
//!
//! An analyzer is *delta-unsound* on a check if it says safe while delta others say unsafe, *must-unsound* if one of
//! those shows only violations that are real, and *delta-imprecise* if it says unsafe while delta others say safe;
//! under-approximating analyzers do not count as such others. Disagreement alone does not show which analyzer is right.
//! Execution does: an issue that it proves is a fact, and one that it refutes is not listed.
//!
//! There are two more kinds of errors: a configuration that should be more precise verifies less than one that should be
//! less precise ([`OrderViolation`]), and a version verifies less than the one before it ([`Regression`]).

use model::{Approximation, CheckAnswer, ComparedCheck, Comparison, ComparisonDomain, Executed};
use std::cmp::{Ordering, Reverse};

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IssueKind {
    /// It says safe, and the check can fail.
    Unsound,
    /// It says unsafe, and the check cannot fail.
    Imprecise,
}

impl IssueKind {
    /// The word in tables and files.
    pub fn word(self) -> &'static str {
        match self {
            IssueKind::Unsound => "unsound",
            IssueKind::Imprecise => "imprecise",
        }
    }
}

/// What execution shows about an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settled {
    /// The analyzer is wrong.
    Proved,
    /// Execution does not decide it.
    Open,
    /// The analyzer is right and the others are wrong. Such an issue is only counted.
    Refuted,
}

impl Settled {
    /// The word in tables and files.
    pub fn word(self) -> &'static str {
        match self {
            Settled::Proved => "proved",
            Settled::Open => "open",
            Settled::Refuted => "refuted",
        }
    }
}

/// An answer that is wrong or that others contradict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The index of the analyzer in the comparison.
    pub analyzer: usize,
    /// The index of the check in the comparison.
    pub check: usize,
    /// What is wrong with the answer.
    pub kind: IssueKind,
    /// The number of other analyzers that contradict it; 0 if only execution does.
    pub delta: usize,
    /// True if it says safe and an execution, or an analyzer that shows only real violations, shows a violation.
    pub must: bool,
    /// What execution shows about it.
    pub settled: Settled,
}

/// All issues that execution does not refute, the most severe first: proved ones, then those of must-unsound answers, then
/// by descending delta, then by the number of the check.
pub fn issues(comparison: &Comparison) -> Vec<Issue> {
    let mut issues = judged(comparison);
    issues.retain(|issue| issue.settled != Settled::Refuted);
    let number = |issue: &Issue| comparison.checks.get(issue.check).map_or(0, |check| check.number);
    issues.sort_by_key(|issue| {
        (issue.settled, !issue.must, Reverse(issue.delta), number(issue), issue.kind, issue.analyzer)
    });
    issues
}

/// The number of the check with the most severe issue; without issues, that of the first check.
pub fn first_disputed(comparison: &Comparison) -> u64 {
    let number = |place: usize| comparison.checks.get(place).map(|check| check.number);
    issues(comparison).first().and_then(|issue| number(issue.check)).or_else(|| number(0)).unwrap_or(1)
}

/// All issues, including those that execution refutes, by check and analyzer. Analyzers that drop paths by design have none,
/// because none of their answers is binding.
pub(crate) fn judged(comparison: &Comparison) -> Vec<Issue> {
    let is_binding = |place: &usize| {
        let analyzer = comparison.analyzers.get(*place);
        analyzer.is_some_and(|it| it.approximation != Approximation::Neither)
    };
    let places: Vec<usize> = (0..comparison.analyzers.len()).filter(is_binding).collect();
    let of_check = |(place, check)| {
        places.clone().into_iter().filter_map(move |analyzer| match ComparedCheck::word(check, analyzer) {
            CheckAnswer::Safe => unsoundness(comparison, place, check, analyzer),
            CheckAnswer::Unsafe => imprecision(comparison, place, check, analyzer),
            CheckAnswer::Unknown => None,
        })
    };
    comparison.checks.iter().enumerate().flat_map(of_check).collect()
}

/// The approximations of the other analyzers that give this answer to a check, without those that drop paths by design.
fn others<'a>(
    comparison: &'a Comparison,
    check: &'a ComparedCheck,
    analyzer: usize,
    word: CheckAnswer,
) -> impl Iterator<Item = Approximation> + 'a {
    let all = comparison.analyzers.iter().enumerate();
    let saying = all.filter(move |(other, _)| *other != analyzer && check.word(*other) == word);
    saying.map(|(_, other)| other.approximation).filter(|it| *it != Approximation::Neither)
}

/// The issue of an analyzer that says safe, if any.
fn unsoundness(
    comparison: &Comparison,
    place: usize,
    check: &ComparedCheck,
    analyzer: usize,
) -> Option<Issue> {
    let delta = others(comparison, check, analyzer, CheckAnswer::Unsafe).count();
    // For solvers, unsat is as binding as sat, so neither proves the other wrong.
    let is_shown = comparison.language == ComparisonDomain::C
        && others(comparison, check, analyzer, CheckAnswer::Unsafe)
            .any(|approximation| approximation.binds_showings());
    let settled = match check.executed {
        Executed::Violated { .. } => Settled::Proved,
        Executed::Never => Settled::Refuted,
        Executed::Open => Settled::Open,
    };
    let must = is_shown || settled == Settled::Proved;
    // An analyzer that has run every input is not suspicious just because others cannot verify the check.
    let has_run_all = comparison.language == ComparisonDomain::C
        && comparison.analyzers.get(analyzer).is_some_and(|it| it.approximation == Approximation::Exact);
    if has_run_all && !must {
        return None;
    }
    let issue = Issue { analyzer, check: place, kind: IssueKind::Unsound, delta, must, settled };
    (delta > 0 || settled == Settled::Proved).then_some(issue)
}

/// The issue of an analyzer that says unsafe, if any.
fn imprecision(
    comparison: &Comparison,
    place: usize,
    check: &ComparedCheck,
    analyzer: usize,
) -> Option<Issue> {
    let saying_safe = others(comparison, check, analyzer, CheckAnswer::Safe);
    let delta = saying_safe.filter(|approximation| approximation.binds_exclusions()).count();
    let settled = match check.executed {
        Executed::Violated { .. } => Settled::Refuted,
        Executed::Never => Settled::Proved,
        Executed::Open => Settled::Open,
    };
    let issue = Issue { analyzer, check: place, kind: IssueKind::Imprecise, delta, must: false, settled };
    (delta > 0 || settled == Settled::Proved).then_some(issue)
}

/// A check that the less precise of two configurations verifies and the more precise one does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderViolation {
    /// The index of the more precise one.
    pub more_precise: usize,
    /// The index of the less precise one.
    pub less_precise: usize,
    /// The index of the check in the comparison.
    pub check: usize,
    /// The answer of the more precise one: unsafe or unknown.
    pub word: CheckAnswer,
    /// Proved if every input was run and the check never failed: then the less precise one is right.
    pub settled: Settled,
}

/// Checks on which the orders of a comparison are violated, by pair and check. If an execution violates the check, it is the
/// less precise one that is wrong, which is an [`Issue`].
pub fn order_violations(comparison: &Comparison) -> Vec<OrderViolation> {
    let known = |place: usize| place < comparison.analyzers.len();
    let orders = comparison.orders.iter().filter(|(more, less)| more != less && known(*more) && known(*less));
    let of_pair = |&(more_precise, less_precise): &(usize, usize)| {
        lost(comparison, more_precise, less_precise).map(move |(check, word, settled)| OrderViolation {
            more_precise,
            less_precise,
            check,
            word,
            settled,
        })
    };
    orders.flat_map(of_pair).collect()
}

/// The checks that one analyzer verifies and another does not, although it should.
fn lost(
    comparison: &Comparison,
    expected: usize,
    reference: usize,
) -> impl Iterator<Item = (usize, CheckAnswer, Settled)> + '_ {
    let binds =
        |place: usize| comparison.analyzers.get(place).is_some_and(|it| it.approximation.binds_exclusions());
    let is_binding = binds(reference) && binds(expected);
    comparison.checks.iter().enumerate().filter_map(move |(place, check)| {
        // An unknown answer may be due to a limit or an unsupported program.
        let is_lost = check.word(reference) == CheckAnswer::Safe
            && check.word(expected) == CheckAnswer::Unsafe
            && is_binding;
        let settled = match check.executed {
            Executed::Violated { .. } => return None,
            Executed::Never => Settled::Proved,
            Executed::Open => Settled::Open,
        };
        is_lost.then(|| (place, check.word(expected), settled))
    })
}

/// A check on which a version is worse than the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regression {
    /// The index of the older version.
    pub older: usize,
    /// The index of the newer version.
    pub newer: usize,
    /// The index of the check in the comparison.
    pub check: usize,
    /// Unsound: an execution violates the check, and only the newer version says safe.
    /// Imprecise: the older version says safe, and the newer one does not.
    pub kind: IssueKind,
    /// What execution shows about it.
    pub settled: Settled,
}

/// Regressions between versions of one analyzer with the same configuration, by pair and check. Each version is
/// compared with the next older one in the comparison: every regression happened in one of these steps.
pub fn regressions(comparison: &Comparison) -> Vec<Regression> {
    let steps = version_steps(comparison);
    steps.into_iter().flat_map(|(older, newer)| step_regressions(comparison, older, newer)).collect()
}

/// Pairs (older, newer) of versions with none in between.
pub(crate) fn version_steps(comparison: &Comparison) -> Vec<(usize, usize)> {
    let count = comparison.analyzers.len();
    let is_older = |left: usize, right: usize| {
        let (left, right) = (&comparison.analyzers[left].id, &comparison.analyzers[right].id);
        left.name() == right.name()
            && left.choices() == right.choices()
            && model::compare_versions(left.version(), right.version()) == Ordering::Less
    };
    let pairs = (0..count).flat_map(|older| (0..count).map(move |newer| (older, newer)));
    let is_step = |&(older, newer): &(usize, usize)| {
        is_older(older, newer)
            && !(0..count).any(|between| is_older(older, between) && is_older(between, newer))
    };
    pairs.filter(is_step).collect()
}

fn step_regressions(comparison: &Comparison, older: usize, newer: usize) -> Vec<Regression> {
    let precision = lost(comparison, newer, older).map(|(check, _, settled)| Regression {
        older,
        newer,
        check,
        kind: IssueKind::Imprecise,
        settled,
    });
    let checks = comparison.checks.iter().enumerate();
    let is_newly_wrong = |check: &ComparedCheck| {
        check.executed.is_violated()
            && check.word(newer) == CheckAnswer::Safe
            && check.word(older) != CheckAnswer::Safe
    };
    let soundness = checks.filter(|(_, check)| is_newly_wrong(check)).map(|(check, _)| Regression {
        older,
        newer,
        check,
        kind: IssueKind::Unsound,
        settled: Settled::Proved,
    });
    soundness.chain(precision).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, random_comparison, violated};
    use model::Random;

    /// The example of the paper on differential testing of analyzers: the two checks of its program, one in a loop
    /// that can fail, one after it that cannot. SMACK replaces the bound of the loop by a smaller one.
    fn size_reduction(cbmc: Approximation, executed: [Executed; 2]) -> Comparison {
        let over = Approximation::Over;
        let named = [
            ("cbmc", cbmc),
            ("cpachecker", over),
            ("crab", over),
            ("seahorn", over),
            ("smack", over),
            ("uautomizer", over),
        ];
        let [in_loop, after_loop] = executed;
        Comparison {
            analyzers: named.iter().map(|(name, what)| analyzer(name, "1", *what)).collect(),
            checks: vec![check(1, "?uuusu", in_loop), check(2, "ssssus", after_loop)],
            ..Comparison::default()
        }
    }

    fn of_smack(comparison: &Comparison) -> Vec<Issue> {
        issues(comparison).into_iter().filter(|issue| issue.analyzer == 4).collect()
    }

    #[test]
    fn smack_is_unsound_in_the_loop_and_imprecise_after_it() {
        let comparison = size_reduction(Approximation::Under, [Executed::Open, Executed::Open]);
        let issue = |check, kind, delta| Issue {
            analyzer: 4,
            check,
            kind,
            delta,
            must: false,
            settled: Settled::Open,
        };
        // CBMC answers unknown to the first check, and its answer to the second does not count.
        let expected = [issue(0, IssueKind::Unsound, 4), issue(1, IssueKind::Imprecise, 4)];
        assert_eq!(of_smack(&comparison), expected);
        let others = issues(&comparison).into_iter().filter(|issue| issue.analyzer != 4);
        assert!(others.clone().all(|issue| issue.delta == 1));
        assert_eq!(others.count(), 4 + 5);
        // With an exact analyzer in its place, all five others disagree after the loop.
        let exact = size_reduction(Approximation::Exact, [Executed::Open, Executed::Open]);
        assert_eq!(of_smack(&exact)[0], issue(1, IssueKind::Imprecise, 5));
    }

    #[test]
    fn execution_leaves_only_smack() {
        let comparison = size_reduction(Approximation::Under, [violated("13"), Executed::Never]);
        let found = issues(&comparison);
        assert_eq!(found, of_smack(&comparison));
        assert_eq!(
            (found[0].kind, found[0].settled, found[0].must),
            (IssueKind::Unsound, Settled::Proved, true)
        );
        assert_eq!((found[1].kind, found[1].settled), (IssueKind::Imprecise, Settled::Proved));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_real_violation_makes_an_answer_must_unsound() {
        let pair = |approximation| Comparison {
            analyzers: vec![analyzer("a", "1", Approximation::Over), analyzer("b", "1", approximation)],
            checks: vec![check(1, "su", Executed::Open)],
            ..Comparison::default()
        };
        for (approximation, must) in
            [(Approximation::Under, true), (Approximation::Exact, true), (Approximation::Over, false)]
        {
            let found = issues(&pair(approximation));
            assert_eq!((found[0].analyzer, found[0].must), (0, must), "{approximation:?}");
        }
        assert!(
            issues(&pair(Approximation::Neither)).is_empty(),
            "an analyzer that drops paths does not count"
        );
    }

    #[test]
    fn the_most_severe_comes_first() {
        let comparison = Comparison {
            analyzers: ["a", "b", "c", "d"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec(),
            checks: vec![
                check(1, "su??", Executed::Open),
                check(2, "suuu", Executed::Open),
                check(3, "u???", Executed::Never),
                check(4, "s???", violated("1")),
            ],
            ..Comparison::default()
        };
        let order: Vec<(usize, IssueKind)> =
            issues(&comparison).iter().map(|issue| (issue.check, issue.kind)).collect();
        let (unsound, imprecise) = (IssueKind::Unsound, IssueKind::Imprecise);
        assert_eq!(order[..4], [(3, unsound), (2, imprecise), (1, unsound), (0, unsound)]);
        assert_eq!(issues(&comparison)[0].delta, 0, "only execution disagrees");
    }

    #[test]
    fn no_issue_contradicts_an_execution() {
        for case in 0..300 {
            let comparison = random_comparison(&mut Random::for_case(12, case), 1 + case as usize % 6, 30);
            for issue in judged(&comparison) {
                let check = &comparison.checks[issue.check];
                let expected = match (&check.executed, issue.kind) {
                    (Executed::Open, _) => Settled::Open,
                    (Executed::Never, IssueKind::Unsound) => Settled::Refuted,
                    (Executed::Violated { .. }, IssueKind::Imprecise) => Settled::Refuted,
                    _ => Settled::Proved,
                };
                assert_eq!(issue.settled, expected);
                assert!(issue.delta < comparison.analyzers.len());
            }
            assert!(issues(&comparison).iter().all(|issue| issue.settled != Settled::Refuted));
            let is_violated = |place: usize| comparison.checks[place].executed.is_violated();
            assert!(order_violations(&comparison).iter().all(|violation| !is_violated(violation.check)));
            for regression in regressions(&comparison) {
                assert_eq!(is_violated(regression.check), regression.kind == IssueKind::Unsound);
            }
        }
    }

    #[test]
    fn a_more_precise_configuration_must_verify_as_much() {
        let comparison = Comparison {
            analyzers: ["octagons", "intervals"]
                .map(|name| analyzer(name, "1", Approximation::Over))
                .to_vec(),
            checks: vec![
                check(1, "us", Executed::Open),
                check(2, "us", Executed::Never),
                check(3, "us", violated("0")),
                check(4, "su", Executed::Open),
                // An unknown answer is not a violation.
                check(5, "?s", Executed::Never),
            ],
            orders: vec![(0, 1), (0, 9), (1, 1)],
            ..Comparison::default()
        };
        let found = order_violations(&comparison);
        assert_eq!(
            found.iter().map(|it| (it.check, it.word)).collect::<Vec<_>>(),
            [(0, CheckAnswer::Unsafe), (1, CheckAnswer::Unsafe)]
        );
        assert_eq!(found.iter().map(|it| it.settled).collect::<Vec<_>>(), [Settled::Open, Settled::Proved]);
    }

    #[test]
    fn a_newer_version_is_compared_with_the_next_older_one() {
        let versions = ["10.2", "9.1", "8.0"];
        let mut analyzers = versions.map(|version| analyzer("v", version, Approximation::Over)).to_vec();
        analyzers.push(analyzer("w", "7.0", Approximation::Over));
        let checks = vec![
            check(1, "uus?", Executed::Open),
            check(2, "suus", violated("1")),
            check(3, "uss?", violated("1")),
            check(4, "uss?", Executed::Never),
        ];
        let comparison = Comparison { analyzers, checks, ..Comparison::default() };
        assert_eq!(version_steps(&comparison), [(1, 0), (2, 1)]);
        let regression =
            |older, newer, check, kind, settled| Regression { older, newer, check, kind, settled };
        assert_eq!(
            regressions(&comparison),
            [
                regression(1, 0, 1, IssueKind::Unsound, Settled::Proved),
                regression(1, 0, 3, IssueKind::Imprecise, Settled::Proved),
                regression(2, 1, 0, IssueKind::Imprecise, Settled::Open),
            ]
        );
    }
}
