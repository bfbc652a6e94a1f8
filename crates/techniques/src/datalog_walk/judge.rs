//! The judge of the techniques for Datalog engines, and the exhibits that it judges.
//!
//! An answer alone is held against the reference engine, against its own rows, and against a second answer to the same
//! question; two answers against each other by the effect of the rewrite between their programs. The last is used where the
//! reference engine cannot tell.

use super::program::{Outputs, Row, program_of, rows_of};
use super::relation::DatalogRelation;
use super::stepwise;
use crate::Judgement;
use crate::failures;
use crate::rewrites::Effect;
use model::{Answer, Claim, Exhibit, Kind, OutputRows, Query, Relation, Verdict};
use std::collections::BTreeSet;

/// How often a query with several answers is asked.
const REPETITIONS: u32 = 8;

/// How an answer differs from the rows that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Rows that follow and are not there.
    pub missing: Vec<Row>,
    /// Rows that are there and do not follow.
    pub extra: Vec<Row>,
}

impl Difference {
    /// How given rows differ from those that follow; `None` if they are the same.
    pub fn between(following: &BTreeSet<Row>, given: &BTreeSet<Row>) -> Option<Difference> {
        let missing: Vec<Row> = following.difference(given).cloned().collect();
        let extra: Vec<Row> = given.difference(following).cloned().collect();
        (!missing.is_empty() || !extra.is_empty()).then_some(Difference { missing, extra })
    }
}

/// An answer that differs from what follows. Whether rows are missing or too many is not part of it: after a negation,
/// the same mistake has both effects.
pub fn wrong(technique: &str, query: &Query, compared: &str) -> Exhibit {
    let title = "an output has wrong rows".to_owned();
    let relation = DatalogRelation::HasFollowingRows { compared: compared.to_owned() };
    exhibit(technique, title, vec![query.clone()], &relation)
}

/// An answer whose rows do not follow from each other.
pub fn unfounded(technique: &str, query: &Query, compared: &str) -> Exhibit {
    let title = "the rows of an answer do not follow from each other".to_owned();
    let relation = DatalogRelation::IsFixedPoint { compared: compared.to_owned() };
    exhibit(technique, title, vec![query.clone()], &relation)
}

/// A query with two different answers, asked several more times.
pub fn unsteady(technique: &str, query: &Query, compared: &str) -> Exhibit {
    let title = "the same program has other rows when asked again".to_owned();
    let again = |attempt| Query { attempt, fresh: true, ..query.clone() };
    let relation = DatalogRelation::IsDeterministic { compared: compared.to_owned() };
    exhibit(technique, title, (0..REPETITIONS).map(again).collect(), &relation)
}

/// Two answers that contradict each other.
pub fn contradictory(technique: &str, pair: [&Query; 2], compared: &str, effect: Effect) -> Exhibit {
    let title = match effect {
        Effect::Same => "a rewritten program has other rows",
        Effect::Fewer => "a program with less has further rows",
        Effect::More => "a program with more lacks rows",
    };
    let queries = pair.into_iter().cloned().collect();
    let relation = DatalogRelation::Rewritten { effect, compared: compared.to_owned() };
    exhibit(technique, title.to_owned(), queries, &relation)
}

fn exhibit(technique: &str, title: String, queries: Vec<Query>, relation: &DatalogRelation) -> Exhibit {
    sampled(Exhibit {
        technique: technique.to_owned(),
        kind: Kind::Soundness,
        title,
        queries,
        relation: Relation::of(relation),
        sample_key: None,
    })
}

/// Accuses an engine of the first output of an answer that has other rows than those that follow.
pub fn wrong_rows(query: &Query, answer: &Answer, expected: &Outputs) -> Option<Exhibit> {
    let is_wrong = |(name, rows): &(&String, &BTreeSet<Row>)| difference_from(rows, name, answer).is_some();
    let (name, _) = expected.iter().find(is_wrong)?;
    Some(wrong(crate::precedence_graph::TECHNIQUE.name, query, name))
}

/// How an answer differs from the rows that follow; `None` if it does not, or if that is unknown.
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

/// A relation for which two answers to one query have different rows.
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

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    Judgement::when_complete(exhibit, answers, broken)
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(relation) = DatalogRelation::of(exhibit) else { return false };
    match (relation, answers, exhibit.queries.as_slice()) {
        (DatalogRelation::Analyzed, _, _) => failures::is_broken(exhibit, answers),
        (DatalogRelation::HasFollowingRows { compared }, [answer], [query]) => {
            difference(query, &compared, answer).is_some()
        }
        (DatalogRelation::IsFixedPoint { compared }, [answer], [query]) => {
            let Some(program) = program_of(&query.input) else { return false };
            let found = stepwise::contradictions(&program, answer);
            found.iter().any(|(relation, _)| *relation == compared)
        }
        (DatalogRelation::IsDeterministic { compared }, [first, others @ ..], _) => {
            let given = |answer: &Answer| answer.rows(&compared).map(<[Row]>::to_vec);
            let first = given(first);
            first.is_some()
                && others.iter().map(given).all(|it| it.is_some())
                && others.iter().any(|it| given(it) != first)
        }
        (DatalogRelation::Rewritten { effect, compared }, [before, after], _) => {
            let rows = before.rows(&compared).zip(after.rows(&compared));
            rows.is_some_and(|(before, after)| !agree(effect, before, after))
        }
        (
            DatalogRelation::HasFollowingRows { .. }
            | DatalogRelation::IsFixedPoint { .. }
            | DatalogRelation::IsDeterministic { .. }
            | DatalogRelation::Rewritten { .. },
            _,
            _,
        ) => false,
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
    let words = DatalogRelation::of(exhibit)?.words();
    let features: Vec<String> = features(exhibit, &[]).into_iter().collect();
    Some(format!("{}: {words}: {accused}: {}", exhibit.technique, features.join(", ")))
}

/// The features of a reduced exhibit.
pub fn features(exhibit: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    let relation = DatalogRelation::of(exhibit);
    if relation == Some(DatalogRelation::Analyzed) {
        let features = failures::features(exhibit);
        return match exhibit.kind {
            Kind::Refusal => features.iter().map(|text| without_numbers(text)).collect(),
            _ => features.iter().map(|text| at_place(text)).collect(),
        };
    }
    let program = exhibit.queries.first().and_then(|query| program_of(&query.input));
    let mut features = program.map(|program| super::shrink::shape(&program)).unwrap_or_default();
    if !matches!(relation, Some(DatalogRelation::HasFollowingRows { .. })) {
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
