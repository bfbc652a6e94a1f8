//! Details of a comparison: the checks with certain answers, and one check in full.

use crate::vocabulary::{capitalized, location_in_words, vocabulary};
use crate::words::{answers_in_words, executed_in_words, letter, shown};
use model::{AnnotationKind, CheckAnswer, ComparedCheck, Comparison, ComparisonDomain, Input};
use std::str::FromStr;

/// A condition on the answer of an analyzer: `A=safe`, or for a script `A=unsat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerCondition {
    letter: String,
    word: CheckAnswer,
    /// The language that has this answer, unless all have it.
    language: Option<ComparisonDomain>,
}

impl FromStr for AnswerCondition {
    type Err = String;

    fn from_str(text: &str) -> Result<AnswerCondition, String> {
        let expected = || {
            format!(
                "`{text}` is not of the form A=safe, A=unsafe or A=unknown, or for scripts A=unsat, A=sat or A=unknown"
            )
        };
        let (letter, word) = text.split_once('=').ok_or_else(expected)?;
        let (word, language) = match word {
            "safe" => (CheckAnswer::Safe, Some(ComparisonDomain::C)),
            "unsafe" => (CheckAnswer::Unsafe, Some(ComparisonDomain::C)),
            "unsat" => (CheckAnswer::Safe, Some(ComparisonDomain::Smt)),
            "sat" => (CheckAnswer::Unsafe, Some(ComparisonDomain::Smt)),
            "unknown" => (CheckAnswer::Unknown, None),
            _ => return Err(expected()),
        };
        Ok(AnswerCondition { letter: letter.to_ascii_uppercase(), word, language })
    }
}

/// Lists the checks that satisfy all conditions, one per line. Returns an error if there is no such analyzer.
pub fn checks_where(comparison: &Comparison, conditions: &[AnswerCondition]) -> Result<String, String> {
    let mut wanted = Vec::new();
    for condition in conditions {
        if let Some(other) = condition.language.filter(|language| *language != comparison.language) {
            let words = vocabulary(comparison);
            return Err(format!(
                "`{}` is not an answer about a {}; the answers are {}, {} and unknown",
                condition.word.spelled(other),
                words.check,
                words.safe,
                words.not_safe
            ));
        }
        let place = (0..comparison.analyzers.len()).find(|place| letter(*place) == condition.letter);
        let last = letter(comparison.analyzers.len().saturating_sub(1));
        let place = place.ok_or_else(|| {
            format!("there is no analyzer {}; the analyzers are A to {last}", condition.letter)
        })?;
        wanted.push((place, condition.word));
    }
    let fits = |check: &&ComparedCheck| wanted.iter().all(|(place, word)| check.word(*place) == *word);
    let mut text = String::new();
    for check in comparison.checks.iter().filter(fits) {
        text.push_str(&format!(
            "{:>6}  {}{}  {}  [{}; {}]\n",
            check.number,
            check.seed,
            match comparison.language {
                ComparisonDomain::C => format!(":{}", check.line),
                ComparisonDomain::Smt => String::new(),
            },
            check.condition,
            answers_in_words(comparison, check),
            shown(comparison, check),
        ));
    }
    if text.is_empty() {
        text.push_str(&format!("There is no such {}.\n", vocabulary(comparison).check));
    }
    Ok(text)
}

/// A check with its program and the answers of all analyzers.
pub fn check_in_full(comparison: &Comparison, check: &ComparedCheck) -> String {
    let mut text = format!("{}\n\n", capitalized(&location_in_words(comparison, check)));
    for (place, analyzer) in comparison.analyzers.iter().enumerate() {
        let word = comparison.spelled(check.word(place));
        text.push_str(&format!("  {word:<8} {}  {}\n", letter(place), analyzer.id));
    }
    text.push_str(&format!("\n{}\n\n", executed_in_words(comparison, check)));
    text.push_str(&match &check.input {
        Input::C(program) => program.render(|annotation| match annotation.what {
            AnnotationKind::Check(_) => format!("assert({});", annotation.condition),
            AnnotationKind::Assume => format!("assume({});", annotation.condition),
        }),
        input => input.text(),
    });
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{random_comparison, random_scripts};
    use model::Random;

    #[test]
    fn checks_are_found_by_their_answers() {
        let comparison = random_comparison(&mut Random::for_case(1, 1), 3, 60);
        let conditions: Vec<AnswerCondition> =
            ["a=unsafe", "B=safe"].map(|text| text.parse().unwrap()).to_vec();
        let listed = checks_where(&comparison, &conditions).unwrap();
        let expected = comparison
            .checks
            .iter()
            .filter(|check| check.word(0) == CheckAnswer::Unsafe && check.word(1) == CheckAnswer::Safe)
            .count();
        assert!(expected > 0);
        assert_eq!(listed.lines().count(), expected);
        assert!("A:safe".parse::<AnswerCondition>().is_err() && "A=good".parse::<AnswerCondition>().is_err());
        let error = checks_where(&comparison, &["D=safe".parse().unwrap()]).unwrap_err();
        assert_eq!(error, "there is no analyzer D; the analyzers are A to C");
    }

    #[test]
    fn scripts_are_found_by_sat_and_unsat() {
        let comparison = random_scripts(&mut Random::for_case(1, 1), 3, 60);
        let conditions: Vec<AnswerCondition> =
            ["a=sat", "B=unsat"].map(|text| text.parse().unwrap()).to_vec();
        let listed = checks_where(&comparison, &conditions).unwrap();
        assert!(listed.contains(".smt2  2 assertions, QF_LIA  [sat"), "{listed}");
        let error = checks_where(&comparison, &["A=safe".parse().unwrap()]).unwrap_err();
        assert_eq!(error, "`safe` is not an answer about a script; the answers are unsat, sat and unknown");
        let programs = random_comparison(&mut Random::for_case(1, 1), 3, 6);
        assert!(checks_where(&programs, &["A=sat".parse().unwrap()]).is_err());
        let text = check_in_full(&comparison, &comparison.checks[0]);
        assert!(text.starts_with("Script 1 of ") && text.contains("(set-logic QF_LIA)\n"), "{text}");
    }

    #[test]
    fn a_check_is_shown_with_its_program() {
        let comparison = random_comparison(&mut Random::for_case(1, 1), 3, 4);
        let check = &comparison.checks[2];
        let text = check_in_full(&comparison, check);
        assert!(text.contains(&format!("assert({});", check.condition)), "{text}");
        assert!(comparison.analyzers.iter().all(|analyzer| text.contains(analyzer.id.as_str())), "{text}");
    }
}
