//! A closer look at a comparison: the checks of which analyzers say certain words, and one check in full.

use super::words::{executed_in_words, letter, who_said_what};
use model::{ComparedCheck, Comparison, Demand, Word};
use std::str::FromStr;

/// That an analyzer says a word: `A=safe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    letter: String,
    word: Word,
}

impl FromStr for Said {
    type Err = String;

    fn from_str(text: &str) -> Result<Said, String> {
        let expected = || format!("`{text}` is not of the form A=safe, A=unsafe or A=unknown");
        let (letter, word) = text.split_once('=').ok_or_else(expected)?;
        let word = match word {
            "safe" => Word::Safe,
            "unsafe" => Word::Unsafe,
            "unknown" => Word::Unknown,
            _ => return Err(expected()),
        };
        Ok(Said { letter: letter.to_ascii_uppercase(), word })
    }
}

/// The checks of which everything given is said, a line each; an error if there is no such analyzer.
pub fn checks_where(comparison: &Comparison, all: &[Said]) -> Result<String, String> {
    let mut wanted = Vec::new();
    for said in all {
        let place = (0..comparison.analyzers.len()).find(|place| letter(*place) == said.letter);
        let last = letter(comparison.analyzers.len().saturating_sub(1));
        let place =
            place.ok_or_else(|| format!("there is no analyzer {}; they are A to {last}", said.letter))?;
        wanted.push((place, said.word));
    }
    let fits = |check: &&ComparedCheck| wanted.iter().all(|(place, word)| check.word(*place) == *word);
    let mut text = String::new();
    for check in comparison.checks.iter().filter(fits) {
        text.push_str(&format!(
            "{:>6}  {}:{}  {}  [{}; {}]\n",
            check.number,
            check.seed,
            check.line,
            check.condition,
            who_said_what(comparison, check),
            check.executed.word(),
        ));
    }
    if text.is_empty() {
        text.push_str("There is no such check.\n");
    }
    Ok(text)
}

/// A check with its program and what everybody said.
pub fn check_in_full(comparison: &Comparison, check: &ComparedCheck) -> String {
    let mut text = format!("Check {} at {}:{}\n\n", check.number, check.seed, check.line);
    for (place, analyzer) in comparison.analyzers.iter().enumerate() {
        text.push_str(&format!("  {:<8} {}  {}\n", check.word(place), letter(place), analyzer.id));
    }
    text.push_str(&format!("\n{}\n\n", executed_in_words(&check.executed)));
    let program = check.input.render(|annotation| match annotation.what {
        Demand::Check(_) => format!("assert({});", annotation.condition),
        Demand::Assume => format!("assume({});", annotation.condition),
    });
    text.push_str(&program);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::made_up::made_up;
    use super::*;
    use model::Random;

    #[test]
    fn checks_are_found_by_what_is_said_of_them() {
        let comparison = made_up(&mut Random::for_case(1, 1), 3, 60);
        let said: Vec<Said> = ["a=safe", "C=unsafe"].map(|text| text.parse().unwrap()).to_vec();
        let listed = checks_where(&comparison, &said).unwrap();
        let expected = comparison
            .checks
            .iter()
            .filter(|check| check.word(0) == Word::Safe && check.word(2) == Word::Unsafe)
            .count();
        assert!(expected > 0);
        assert_eq!(listed.lines().count(), expected);
        assert!("A:safe".parse::<Said>().is_err() && "A=good".parse::<Said>().is_err());
        let error = checks_where(&comparison, &["D=safe".parse().unwrap()]).unwrap_err();
        assert_eq!(error, "there is no analyzer D; they are A to C");
    }

    #[test]
    fn a_check_is_shown_with_its_program() {
        let comparison = made_up(&mut Random::for_case(1, 1), 3, 4);
        let check = &comparison.checks[2];
        let text = check_in_full(&comparison, check);
        assert!(text.contains(&format!("assert({});", check.condition)), "{text}");
        assert!(comparison.analyzers.iter().all(|analyzer| text.contains(analyzer.id.as_str())), "{text}");
    }
}
