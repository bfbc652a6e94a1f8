//! The features of a reduced exhibit. Findings with the same features count as one bug.

use super::plan::{Bits, LocalValue, Maze};
use super::relation::{Law, MazeRelation};
use crate::failures;
use crate::keywords_in::keywords_in;
use model::{Answer, Exhibit};
use smt::{Head, TermId};
use std::collections::BTreeSet;

/// Keywords that count as features.
const TELLING: [&str; 2] = ["switch", "goto"];

/// The law, the operators of the guards, the telling keywords of the program, and the options.
pub(super) fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    let Some(relation) = MazeRelation::of(reduced) else { return BTreeSet::new() };
    let law = match relation.law {
        Law::Analyzed => return failures::features(reduced),
        Law::ReachableIsNotVerified { .. } => "verified",
        Law::UnreachableIsNotViolated { .. } => "violated",
    };
    let mut features = BTreeSet::from([law.to_owned()]);
    let Some(accused) = reduced.queries.first() else { return features };
    features.extend(accused.options.iter().map(|(name, value)| format!("option {name}={value}")));
    features.extend(Maze::read(&relation.maze).map(|maze| operators(&maze)).unwrap_or_default());
    if let Some(program) = accused.input.c() {
        features.extend(keywords_in(&program.base, &TELLING));
    }
    features
}

/// The operators of all guards and of what they read, and the widths of the variables.
fn operators(maze: &Maze) -> BTreeSet<String> {
    let terms = &maze.script.terms;
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut stack: Vec<TermId> = maze.plan.terms().into_iter().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Head::Operator(operator) = terms.head(term) {
            found.insert(operator.name().to_owned());
        }
        stack.extend(terms.children(term));
    }
    for local in &maze.plan.locals {
        if let LocalValue::Table { .. } = local.value {
            found.insert("table".to_owned());
        }
    }
    let sorts = maze.plan.inputs.iter().map(|it| it.sort).chain(maze.plan.locals.iter().map(|it| it.sort));
    found.extend(sorts.map(|sort| match sort {
        Bits::Bool => "Bool".to_owned(),
        Bits::Vector(0..=16) => "up to 16 bits".to_owned(),
        Bits::Vector(17..=32) => "up to 32 bits".to_owned(),
        Bits::Vector(_) => "more than 32 bits".to_owned(),
    }));
    found
}
