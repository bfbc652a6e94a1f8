//! The words that the terminal and the page share: letters for analyzers, sentences for answers and issues.

use super::issues::{Issue, IssueKind, Settled};
use super::matrix::WORD_ORDER;
use super::summary::Overview;
use crate::report_markdown::counted;
use model::{Approximation, ComparedCheck, Comparison, Executed};

/// The letter of an analyzer: A to Z, then AA and so on.
pub(super) fn letter(place: usize) -> String {
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

/// What the answers of an analyzer mean, in a few words.
pub(super) fn approximation_in_words(approximation: Approximation) -> &'static str {
    match approximation {
        Approximation::Exact => "both answers bind",
        Approximation::Over => "safe binds",
        Approximation::Under => "unsafe binds",
        Approximation::Neither => "no answer binds",
    }
}

/// Who said what of a check: `unsafe B C, safe A`.
pub(super) fn who_said_what(comparison: &Comparison, check: &ComparedCheck) -> String {
    let said = WORD_ORDER.iter().filter_map(|word| {
        let places = (0..comparison.analyzers.len()).filter(|place| check.word(*place) == *word);
        let letters: Vec<String> = places.map(letter).collect();
        (!letters.is_empty()).then(|| format!("{word} {}", letters.join(" ")))
    });
    said.collect::<Vec<String>>().join(", ")
}

/// What execution shows, as a sentence.
pub(super) fn executed_in_words(executed: &Executed) -> String {
    match executed {
        Executed::Violated { inputs } if inputs.trim().is_empty() => "Executed, it fails.".to_owned(),
        Executed::Violated { inputs } => format!("Executed, it fails with the inputs {inputs}."),
        Executed::Never => "Executed with every input, it never fails.".to_owned(),
        Executed::Open => "Execution shows nothing.".to_owned(),
    }
}

/// What an analyzer is accused of: `A is unsound, proved by execution; 3 others disagree`.
pub(super) fn issue_in_words(issue: &Issue) -> String {
    let kind = issue.kind.word();
    let claim = match (issue.settled, issue.must) {
        (Settled::Proved, _) => format!("is {kind}, proved by execution"),
        (_, true) => format!("must be {kind}, since the violations of one that disagrees are real"),
        _ => format!("may be {kind}"),
    };
    let others = match issue.delta {
        0 => "nobody else disagrees".to_owned(),
        1 => "1 other disagrees".to_owned(),
        delta => format!("{delta} others disagree"),
    };
    format!("{} {claim}; {others}", letter(issue.analyzer))
}

/// What the columns of the issues of a kind count.
pub(super) fn delta_in_words(kind: IssueKind) -> &'static str {
    match kind {
        IssueKind::Unsound => "Answers `safe` by the number of others that say unsafe",
        IssueKind::Imprecise => "Answers `unsafe` by the number of others that say safe",
    }
}

/// The first sentences of every rendering.
pub(super) fn overview_in_words(overview: &Overview) -> [String; 3] {
    let number = |count: usize, noun: &str| counted(count as u64, noun);
    [
        format!(
            "{} answered {} in {}; all say the same of {}.",
            number(overview.analyzers, "analyzer"),
            number(overview.checks, "check"),
            number(overview.seeds, "seed"),
            overview.unanimous
        ),
        format!(
            "Execution shows that {} can fail and that {} never fail; of {} it shows nothing.",
            overview.violated,
            overview.never,
            overview.checks - overview.violated - overview.never
        ),
        format!(
            "{} may hold: no execution violates them, nor does an analyzer whose violations are real.",
            number(overview.may_hold, "check")
        ),
    ]
}

/// A number with as many decimals as are of use, or a dash.
pub(super) fn decimal(value: Option<f64>) -> String {
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
    use crate::comparison::made_up::{analyzer, check, violated};

    #[test]
    fn letters_go_on_after_the_alphabet() {
        let letters: Vec<String> = [0, 25, 26, 51, 52, 701, 702].into_iter().map(letter).collect();
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn sentences_are_plain() {
        let comparison = Comparison {
            analyzers: ["a", "b", "c"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec(),
            checks: vec![check(1, "suu", violated("3, 4"))],
            orders: Vec::new(),
        };
        let check = &comparison.checks[0];
        assert_eq!(who_said_what(&comparison, check), "unsafe B C, safe A");
        assert_eq!(executed_in_words(&check.executed), "Executed, it fails with the inputs 3, 4.");
        let issue = &super::super::issues(&comparison)[0];
        assert_eq!(issue_in_words(issue), "A is unsound, proved by execution; 2 others disagree");
        let open = Issue { settled: Settled::Open, must: false, delta: 1, ..issue.clone() };
        assert_eq!(issue_in_words(&open), "A may be unsound; 1 other disagrees");
        let must = Issue { must: true, ..open };
        assert!(issue_in_words(&must).starts_with("A must be unsound, since"));
        assert_eq!(decimal(Some(0.314)), "0.31");
        assert_eq!(decimal(Some(1234.5)), "1234");
        assert_eq!(decimal(None), "-");
    }
}
