//! What answers of engines must fulfil, and the exhibits that show that they do not.
//!
//! An answer alone is held against the reference engine, and two answers against each other by the effect of the rewrite
//! between their programs. The second is used where the reference engine cannot tell.

use super::program::{Row, program_of, rows_of};
use crate::rewrites::Effect;
use crate::silence::{self, ANSWERED};
use model::{Answer, Exhibit, Kind, Query, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// An output has the rows that follow from the program.
pub const FOLLOWS: &str = "an output has the rows that follow";
/// Two programs whose outputs must be the same.
pub const SAME: &str = "the rewritten program has the same rows";
/// The second program's output has no row that the first has not.
pub const FEWER: &str = "the rewritten program has no further rows";
/// The second program's output has all rows that the first has.
pub const MORE: &str = "the rewritten program has all rows";

/// The name of the compared relation.
const COMPARED: &str = "relation";
/// What is wrong with the rows.
const WRONG: &str = "rows";

/// How an answer differs from what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Rows that follow and are not there.
    pub missing: Vec<Row>,
    /// Rows that are there and do not follow.
    pub extra: Vec<Row>,
}

impl Difference {
    /// One word for what is wrong.
    pub fn word(&self) -> &'static str {
        match (self.missing.is_empty(), self.extra.is_empty()) {
            (false, true) => "missing",
            (true, false) => "extra",
            _ => "missing and extra",
        }
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

/// An answer that differs from what follows.
pub fn wrong(technique: &str, query: &Query, compared: &str, difference: &Difference) -> Exhibit {
    let title = match difference.word() {
        "missing" => "a row that follows is missing",
        "extra" => "a row is there that does not follow",
        _ => "rows are missing, and others do not follow",
    };
    let facts = [(COMPARED, compared), (WRONG, difference.word())];
    exhibit(technique, title.to_owned(), vec![query.clone()], FOLLOWS, &facts)
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
    Exhibit { technique: technique.to_owned(), kind: Kind::Soundness, title, queries, relation }
}

/// The name of the compared relation of an exhibit.
pub fn compared(exhibit: &Exhibit) -> &str {
    exhibit.relation.facts.get(COMPARED).map_or("", String::as_str)
}

/// How an answer differs from what follows; none if it does not, or if it cannot be told.
pub fn difference(query: &Query, compared: &str, answer: &Answer) -> Option<Difference> {
    let program = program_of(&query.input)?;
    let expected = rows_of(&program, program.find(compared)?)?;
    let given: BTreeSet<Row> = answer.rows(compared)?.iter().cloned().collect();
    let missing: Vec<Row> = expected.difference(&given).cloned().collect();
    let extra: Vec<Row> = given.difference(&expected).cloned().collect();
    (!missing.is_empty() || !extra.is_empty()).then_some(Difference { missing, extra })
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

/// The judge.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    match (exhibit.relation.name.as_str(), answers, exhibit.queries.as_slice()) {
        (ANSWERED, _, _) => silence::is_broken(exhibit, answers),
        (FOLLOWS, [answer], [query]) => {
            let wanted = exhibit.relation.facts.get(WRONG).map(String::as_str);
            difference(query, compared(exhibit), answer).is_some_and(|it| Some(it.word()) == wanted)
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

/// What looks alike is examined a few times only: the same mistake of one engine on programs of one shape.
pub fn routine(exhibit: &Exhibit) -> Option<String> {
    let accused = &exhibit.queries.first()?.analyzer;
    let features: Vec<String> = features(exhibit).into_iter().collect();
    Some(format!("{}: {accused}: {}", exhibit.relation.name, features.join(", ")))
}

/// What a reduced exhibit is made of.
pub fn features(exhibit: &Exhibit) -> BTreeSet<String> {
    if let Some(features) = silence::features(exhibit) {
        return features;
    }
    let program = exhibit.queries.first().and_then(|query| program_of(&query.input));
    let mut features = program.map(|program| super::shrink::shape(&program)).unwrap_or_default();
    features.insert(exhibit.title.clone());
    features
}
