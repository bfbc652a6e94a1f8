//! Words that the terminal and the page share: letters for analyzers, sentences for answers and issues.

use crate::counted::counted;
use crate::issues::{Issue, IssueKind, Settled};
use crate::matrix::WORD_ORDER;
use crate::summary::Overview;
use crate::vocabulary::vocabulary;
use model::{Approximation, CheckAnswer, ComparedCheck, Comparison, ComparisonDomain, Executed};

/// The letter of an analyzer: A to Z, then AA and so on.
pub(crate) fn letter(place: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = place;
    loop {
        letters.push(char::from(b'A' + (rest % 26) as u8));
        match rest / 26 {
            0 => break,
            more => rest = more - 1,
        }
    }
    letters.iter().rev().collect()
}

/// What the machines could not promise about security: a table of answers does not show what confined whom.
pub(crate) fn weaknesses_in_words(weaknesses: &[String]) -> Vec<String> {
    weaknesses
        .iter()
        .map(|sentence| format!("Weaker than promised (see the chapter on security): {sentence}."))
        .collect()
}

/// Describes which answers of an analyzer are binding.
pub(crate) fn approximation_in_words(comparison: &Comparison, approximation: Approximation) -> String {
    let words = vocabulary(comparison);
    match approximation {
        Approximation::Exact => format!("{}, {}", words.safe, words.not_safe),
        Approximation::Over => words.safe.to_owned(),
        Approximation::Under => words.not_safe.to_owned(),
        Approximation::Neither => "none".to_owned(),
    }
}

/// The answers to a check, with the analyzers that gave them: `unsafe B C, safe A`.
pub(crate) fn answers_in_words(comparison: &Comparison, check: &ComparedCheck) -> String {
    let said = WORD_ORDER.iter().filter_map(|word| {
        let places = (0..comparison.analyzers.len()).filter(|place| check.word(*place) == *word);
        let letters: Vec<String> = places.map(letter).collect();
        (!letters.is_empty()).then(|| format!("{} {}", comparison.spelled(*word), letters.join(" ")))
    });
    said.collect::<Vec<String>>().join(", ")
}

/// The result of execution or of the evaluator, as a sentence.
pub(crate) fn executed_in_words(comparison: &Comparison, check: &ComparedCheck) -> String {
    match &check.executed {
        Executed::Violated { inputs } if comparison.language == ComparisonDomain::Smt => {
            format!("The evaluator confirms a model: {inputs}.")
        }
        _ if comparison.language == ComparisonDomain::Smt => "The evaluator confirms no model.".to_owned(),
        Executed::Violated { inputs } if matches!(inputs.trim(), "" | "-") => {
            "It fails when executed.".to_owned()
        }
        Executed::Violated { inputs } => format!("It fails when executed with the inputs {inputs}."),
        Executed::Never => "It does not fail with any input.".to_owned(),
        Executed::Open if is_disputed(comparison, check) => "Executions do not decide it.".to_owned(),
        Executed::Open => "It was not executed, because the analyzers agree.".to_owned(),
    }
}

/// True if one analyzer says safe and another says unsafe.
fn is_disputed(comparison: &Comparison, check: &ComparedCheck) -> bool {
    let says = |word: CheckAnswer| (0..comparison.analyzers.len()).any(|place| check.word(place) == word);
    says(CheckAnswer::Safe) && says(CheckAnswer::Unsafe)
}

/// The result of execution in a word, `violated`, `never` or `open`; for scripts, `confirmed` or `open`.
pub(crate) fn shown(comparison: &Comparison, check: &ComparedCheck) -> &'static str {
    match (comparison.language, &check.executed) {
        (ComparisonDomain::Smt, Executed::Violated { .. }) => "confirmed",
        (ComparisonDomain::Smt, _) => "open",
        (ComparisonDomain::C, executed) => executed.word(),
    }
}

/// Describes an issue: `A is unsound, proved by execution; 3 others disagree`.
pub(crate) fn issue_in_words(comparison: &Comparison, issue: &Issue) -> String {
    let kind = issue.kind.word();
    let oracle = vocabulary(comparison).oracle;
    let claim = match (issue.settled, issue.must) {
        (Settled::Proved, _) => format!("is {kind}, proved by {oracle}"),
        (_, true) => {
            format!("must be {kind}, because an analyzer that reports only real violations disagrees")
        }
        _ => format!("may be {kind}"),
    };
    let others = match issue.delta {
        0 => "no other analyzer disagrees".to_owned(),
        1 => "1 other disagrees".to_owned(),
        delta => format!("{delta} others disagree"),
    };
    format!("{} {claim}; {others}", letter(issue.analyzer))
}

/// Describes the columns of the issues of a kind.
pub(crate) fn delta_in_words(comparison: &Comparison, kind: IssueKind) -> String {
    let words = vocabulary(comparison);
    let (own, theirs) = match kind {
        IssueKind::Unsound => (words.safe, words.not_safe),
        IssueKind::Imprecise => (words.not_safe, words.safe),
    };
    format!("Answers `{own}` by the number of others that say {theirs}")
}

/// The first sentences of every rendering.
pub(crate) fn overview_in_words(comparison: &Comparison, overview: &Overview) -> [String; 3] {
    let number = |count: usize, noun: &str| counted(count as u64, noun);
    let words = vocabulary(comparison);
    let first = format!(
        "{} answered {} in {} and agree on {}.",
        number(overview.analyzers, "analyzer"),
        number(overview.checks, words.check),
        number(overview.seeds, "seed"),
        overview.unanimous
    );
    if comparison.language == ComparisonDomain::Smt {
        return [
            first,
            format!(
                "The evaluator confirms a model for {}; it does not decide {}.",
                overview.violated,
                overview.checks - overview.violated
            ),
            format!("{} may be unsatisfiable: no solver says sat.", number(overview.may_hold, "script")),
        ];
    }
    [
        first,
        format!(
            "Executions show that {} can fail and that {} cannot; not executed or undecided: {}.",
            overview.violated,
            overview.never,
            overview.checks - overview.violated - overview.never
        ),
        format!(
            "{} may hold: not violated by any input, or verified by an analyzer and not refuted.",
            number(overview.may_hold, "check")
        ),
    ]
}

/// A number with a suitable number of decimals, or a dash.
pub(crate) fn decimal(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value >= 100.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, violated};

    #[test]
    fn letters_continue_after_z() {
        let letters: Vec<String> = [0, 25, 26, 51, 52, 701, 702].into_iter().map(letter).collect();
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn sentences_read_as_expected() {
        let comparison = Comparison {
            analyzers: ["a", "b", "c"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec(),
            checks: vec![check(1, "suu", violated("3, 4"))],
            ..Comparison::default()
        };
        let check = &comparison.checks[0];
        assert_eq!(answers_in_words(&comparison, check), "unsafe B C, safe A");
        assert_eq!(executed_in_words(&comparison, check), "It fails when executed with the inputs 3, 4.");
        let issue = &crate::issues::issues(&comparison)[0];
        assert_eq!(
            issue_in_words(&comparison, issue),
            "A is unsound, proved by execution; 2 others disagree"
        );
        let open = Issue { settled: Settled::Open, must: false, delta: 1, ..issue.clone() };
        assert_eq!(issue_in_words(&comparison, &open), "A may be unsound; 1 other disagrees");
        let must = Issue { must: true, ..open };
        assert!(issue_in_words(&comparison, &must).starts_with("A must be unsound, because"));
        assert_eq!(decimal(Some(0.314)), "0.31");
        assert_eq!(decimal(Some(1234.5)), "1234");
        assert_eq!(decimal(None), "-");
    }

    #[test]
    fn scripts_have_their_own_vocabulary() {
        let comparison = Comparison {
            language: ComparisonDomain::Smt,
            analyzers: ["a", "b", "c"].map(|name| analyzer(name, "1", Approximation::Exact)).to_vec(),
            checks: vec![
                check(1, "suu", violated("(define-fun x () Int 1)")),
                check(2, "su?", Executed::Open),
            ],
            ..Comparison::default()
        };
        let check = &comparison.checks[0];
        assert_eq!(answers_in_words(&comparison, check), "sat B C, unsat A");
        let shown = executed_in_words(&comparison, check);
        assert_eq!(shown, "The evaluator confirms a model: (define-fun x () Int 1).");
        let issues = crate::issues::issues(&comparison);
        assert_eq!(
            issue_in_words(&comparison, &issues[0]),
            "A is unsound, proved by the evaluator; 2 others disagree"
        );
        assert_eq!(issue_in_words(&comparison, &issues[1]), "A may be unsound; 1 other disagrees");
        let delta = delta_in_words(&comparison, IssueKind::Unsound);
        assert_eq!(delta, "Answers `unsat` by the number of others that say sat");
    }
}
