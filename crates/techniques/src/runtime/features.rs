//! The features of a reduced exhibit. Findings with the same features count as one bug.

use super::judge;
use super::relation::RuntimeRelation;
use crate::failures;
use c::syntax::{ExpressionKind, StatementKind};
use model::{Answer, CInput, Exhibit};
use std::collections::BTreeSet;

/// The kind of error, the checker, and the kinds of statements and expressions in the program.
pub fn features(reduced: &Exhibit, answers: &[Answer]) -> BTreeSet<String> {
    let relation = RuntimeRelation::of(reduced);
    if relation == Some(RuntimeRelation::Analyzed) {
        return failures::features(reduced);
    }
    let mut features = BTreeSet::new();
    features.extend(relation.and_then(|relation| relation.error()).map(|error| error.word().to_owned()));
    if let Some(warning) = answers.first().and_then(|answer| judge::refuted(reduced, answer)) {
        features.insert(format!("checker {}", warning.checker));
    }
    if let Some(program) = reduced.queries.first().and_then(|query| query.input.c()) {
        features.extend(shape(program));
    }
    features
}

/// The features of the program other than assignments.
fn shape(input: &CInput) -> BTreeSet<String> {
    let Ok(program) = c::parse_input("reduced", input) else { return BTreeSet::new() };
    let statement = |kind: &StatementKind| match kind {
        StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For(_) => Some("loop"),
        StatementKind::Switch { .. } => Some("switch"),
        StatementKind::Goto(_) => Some("goto"),
        _ => None,
    };
    let expression = |kind: &ExpressionKind| match kind {
        ExpressionKind::Call { .. } => Some("call"),
        ExpressionKind::Member { .. } => Some("member"),
        ExpressionKind::Index { .. } => Some("index"),
        _ => None,
    };
    let statements = program.statements.iter().filter_map(|it| statement(&it.kind));
    let expressions = program.expressions.iter().filter_map(|it| expression(&it.kind));
    statements.chain(expressions).map(str::to_owned).collect()
}
