//! What a reduced exhibit is made of. Findings with the same features are taken for one bug.

use super::judge;
use crate::failures;
use c::syntax::{ExpressionKind, StatementKind};
use model::{Answer, CInput, Exhibit};
use std::collections::BTreeSet;

/// The kind of error, the checker, what the path says, and the kinds of statements and types in the program.
pub fn features(reduced: &Exhibit, answers: &[Answer]) -> BTreeSet<String> {
    if let Some(features) = failures::features(reduced) {
        return features;
    }
    let mut features = BTreeSet::new();
    features.extend(judge::error_kind(reduced).map(|kind| kind.word().to_owned()));
    if let Some(warning) = answers.first().and_then(|answer| judge::refuted(reduced, answer)) {
        features.insert(format!("checker {}", warning.checker));
    }
    if let Some(program) = reduced.queries.first().and_then(|query| query.input.c()) {
        features.extend(shape(program));
    }
    features
}

/// What the program needs besides assignments.
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
