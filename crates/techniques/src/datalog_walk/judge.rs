//! What answers of engines must fulfil, and the exhibits that show that they do not.
//!
//! An answer alone is held against the reference engine, against its own rows, and against a second answer to the same
//! question; two answers against each other by the effect of the rewrite between their programs. The last is used where the
//! reference engine cannot tell.

use super::program::{Row, program_of, rows_of};
use super::stepwise;
use crate::Judgement;
use crate::failures::{self, ANSWERED};
use crate::rewrites::Effect;
use model::{Answer, Claim, Exhibit, Kind, OutputRows, Query, Relation, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// An output has the rows that follow from the program.
pub const FOLLOWS: &str = "an output has the rows that follow";
/// The rules, applied once to the rows of an answer, give these rows.
pub const FIXED: &str = "the rows of an answer follow from each other";
/// The same question has the same answer.
pub const STEADY: &str = "the same program has the same rows when asked again";
/// Two programs whose outputs must be the same.
pub const SAME: &str = "the rewritten program has the same rows";
/// The second program's output has no row that the first has not.
pub const FEWER: &str = "the rewritten program has no further rows";
/// The second program's output has all rows that the first has.
pub const MORE: &str = "the rewritten program has all rows";

/// How often a question is asked that may have several answers.
const REPETITIONS: u32 = 8;
/// The name of the compared relation.
const COMPARED: &str = "relation";

/// How an answer differs from what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Rows that follow and are not there.
    pub missing: Vec<Row>,
    /// Rows that are there and do not follow.
    pub extra: Vec<Row>,
}

impl Difference {
    /// How given rows differ from those that follow; none if they are the same.
    pub fn between(following: &BTreeSet<Row>, given: &BTreeSet<Row>) -> Option<Difference> {
        let missing: Vec<Row> = following.difference(given).cloned().collect();
        let extra: Vec<Row> = given.difference(following).cloned().collect();
        (!missing.is_empty() || !extra.is_empty()).then_some(Difference { missing, extra })
    }
}

/// The relation for an effect.
pub fn relation_for(effect: Effect) -> &'static str {
    match effect {
        Effect::Same => SAME,
        Effect::Fewer => FEWER,
        Effect::More => MORE,
    }
}

/// An answer that differs from what follows. Whether rows are missing or too many is not part of it: behind a negation,
/// the same mistake has both effects.
pub fn wrong(technique: &str, query: &Query, compared: &str) -> Exhibit {
    let title = "an output has wrong rows".to_owned();
    exhibit(technique, title, vec![query.clone()], FOLLOWS, &[(COMPARED, compared)])
}

/// An answer whose rows do not follow from each other.
pub fn unfounded(technique: &str, query: &Query, relation: &str) -> Exhibit {
    let title = "the rows of an answer do not follow from each other".to_owned();
    exhibit(technique, title, vec![query.clone()], FIXED, &[(COMPARED, relation)])
}

/// A question that was answered in two ways, asked some more times.
pub fn unsteady(technique: &str, query: &Query, relation: &str) -> Exhibit {
    let title = "the same program has other rows when asked again".to_owned();
    let again = |attempt| Query { attempt, fresh: true, ..query.clone() };
    exhibit(technique, title, (0..REPETITIONS).map(again).collect(), STEADY, &[(COMPARED, relation)])
}

/// Two answers that contradict each other.
pub fn contradictory(technique: &str, pair: [&Query; 2], compared: &str, effect: Effect) -> Exhibit {
    let title = match effect {
        Effect::Same => "a rewritten program has other rows",
        Effect::Fewer => "a program with less has further rows",
        Effect::More => "a program with more lacks rows",
    };
    let queries = pair.into_iter().cloned().collect();
    exhibit(technique, title.to_owned(), queries, relation_for(effect), &[(COMPARED, compared)])
}

fn exhibit(
    technique: &str,
    title: String,
    queries: Vec<Query>,
    name: &str,
    facts: &[(&str, &str)],
) -> Exhibit {
    let facts: BTreeMap<String, String> =
        facts.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let relation = Relation { name: name.to_owned(), facts };
    sampled(Exhibit {
        technique: technique.to_owned(),
        kind: Kind::Soundness,
        title,
        queries,
        relation,
        sample_key: None,
    })
}

/// The same exhibit about another relation.
pub fn about(exhibit: &Exhibit, compared: &str) -> Exhibit {
    let mut other = exhibit.clone();
    other.relation.facts.insert(COMPARED.to_owned(), compared.to_owned());
    other
}

/// The name of the compared relation of an exhibit.
pub fn compared(exhibit: &Exhibit) -> &str {
    exhibit.relation.facts.get(COMPARED).map_or("", String::as_str)
}

/// How an answer differs from what follows; none if it does not, or if it cannot be told.
pub fn difference(query: &Query, compared: &str, answer: &Answer) -> Option<Difference> {
    let program = program_of(&query.input)?;
    let expected = rows_of(&program, program.find(compared)?)?;
    difference_from(&expected, compared, answer)
}

/// The same where it is known what follows.
pub fn difference_from(expected: &BTreeSet<Row>, compared: &str, answer: &Answer) -> Option<Difference> {
    let given: BTreeSet<Row> = answer.rows(compared)?.iter().cloned().collect();
    Difference::between(expected, &given)
}

/// A relation of which two answers to one question have different rows.
pub fn changed_relation<'a>(first: &'a Answer, second: &Answer) -> Option<&'a str> {
    let Verdict::Claim(Claim::Rows(outputs)) = &first.verdict else { return None };
    let has_changed =
        |output: &&OutputRows| second.rows(&output.relation).is_some_and(|rows| rows != output.rows);
    outputs.iter().find(has_changed).map(|output| output.relation.as_str())
}

/// True if two answers have the effect that they must have.
pub fn agree(effect: Effect, before: &[Row], after: &[Row]) -> bool {
    let before: BTreeSet<&Row> = before.iter().collect();
    let after: BTreeSet<&Row> = after.iter().collect();
    match effect {
        Effect::Same => before == after,
        Effect::Fewer => after.is_subset(&before),
        Effect::More => before.is_subset(&after),
    }
}

/// The effect that a relation demands.
pub fn effect_of(exhibit: &Exhibit) -> Option<Effect> {
    match exhibit.relation.name.as_str() {
        SAME => Some(Effect::Same),
        FEWER => Some(Effect::Fewer),
        MORE => Some(Effect::More),
        _ => None,
    }
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    match answers.len() < exhibit.queries.len() {
        true => Judgement::NeedMore,
        false => Judgement::on_all(broken(exhibit, answers)),
    }
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    match (exhibit.relation.name.as_str(), answers, exhibit.queries.as_slice()) {
        (ANSWERED, _, _) => failures::is_broken(exhibit, answers),
        (FOLLOWS, [answer], [query]) => difference(query, compared(exhibit), answer).is_some(),
        (FIXED, [answer], [query]) => {
            let Some(program) = program_of(&query.input) else { return false };
            let found = stepwise::contradictions(&program, answer);
            found.iter().any(|(relation, _)| relation == compared(exhibit))
        }
        (STEADY, [first, others @ ..], _) => {
            let name = compared(exhibit);
            let given = |answer: &Answer| answer.rows(name).map(<[Row]>::to_vec);
            let first = given(first);
            first.is_some()
                && others.iter().map(given).all(|it| it.is_some())
                && others.iter().any(|it| given(it) != first)
        }
        (_, [before, after], _) => {
            let name = compared(exhibit);
            let rows = before.rows(name).zip(after.rows(name));
            effect_of(exhibit)
                .zip(rows)
                .is_some_and(|(effect, (before, after))| !agree(effect, before, after))
        }
        _ => false,
    }
}

/// The exhibit with its key for sampling.
pub fn sampled(exhibit: Exhibit) -> Exhibit {
    Exhibit { sample_key: sample_key(&exhibit), ..exhibit }
}

/// A campaign examines only a few exhibits that look alike: the same mistake of one engine on programs of one shape, for
/// each technique.
fn sample_key(exhibit: &Exhibit) -> Option<String> {
    let accused = &exhibit.queries.first()?.analyzer;
    let features: Vec<String> = features(exhibit, &[]).into_iter().collect();
    Some(format!("{}: {}: {accused}: {}", exhibit.technique, exhibit.relation.name, features.join(", ")))
}

/// What a reduced exhibit is made of.
pub fn features(exhibit: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    if let Some(features) = failures::features(exhibit) {
        return match exhibit.kind {
            Kind::Refusal => features.iter().map(|text| without_numbers(text)).collect(),
            _ => features.iter().map(|text| at_place(text)).collect(),
        };
    }
    let program = exhibit.queries.first().and_then(|query| program_of(&query.input));
    let mut features = program.map(|program| super::shrink::shape(&program)).unwrap_or_default();
    if exhibit.relation.name != FOLLOWS {
        features.insert(exhibit.title.clone());
    }
    features
}

/// Messages name lines and columns, which tell nothing about the cause.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// A crash is known by its place. Numbers in the message before it differ from program to program.
fn at_place(text: &str) -> String {
    match text.rsplit_once(" at ") {
        Some((message, place)) => format!("{} at {place}", without_numbers(message)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_at_one_place_are_one_bug() {
        let crash =
            |index: u32, line: u32| at_place(&format!("crash: the index is {index} at a.rs:{line}:8"));
        assert_eq!(crash(1, 320), crash(2, 320));
        assert_ne!(crash(1, 320), crash(1, 321));
    }
}
