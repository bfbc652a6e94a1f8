//! Replaces the rules of a relation by its rows.
//!
//! The relation has the same rows as facts, so everything that depends on it stays the same, even within a cycle: the least
//! fixed point of the other relations for these rows is the one that they had. The reference engine computes the rows.
//! Relations with floats are excluded, because printing may lose digits. Thesis: FactInline.

use super::{Effect, Rewrite, View};
use datalog::{Program, RelationId, Type, check, reference};
use model::Random;

/// The number of rows that the evaluation may visit, to keep the step fast.
const FUEL: u64 = 50_000;
/// The maximum number of rows that become facts.
const MOST_ROWS: usize = 200;

/// Replaces the rules of a relation by its rows.
pub struct InlineRows;

impl Rewrite for InlineRows {
    fn name(&self) -> &'static str {
        "inline-rows"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let rules = program.rules_by_relation();
        let is_fit = |id: &RelationId| {
            let relation = program.relation(*id);
            !rules[id.index()].is_empty() && !relation.columns.contains(&Type::Float) && *id != view.compared
        };
        // Opaque statements may derive rows that the reference engine does not know.
        if !program.opaque.is_empty() {
            return false;
        }
        let choices: Vec<RelationId> = view.choices.iter().copied().filter(is_fit).collect();
        let Some(relation) = random.choose(&choices).copied() else { return false };
        let Ok(strata) = check(program) else { return false };
        let Ok(evaluation) = reference::evaluate(program, &strata, FUEL) else { return false };
        if evaluation.count(relation) > MOST_ROWS {
            return false;
        }
        let rows = evaluation.rows(relation).into_iter().collect();
        program.relations[relation.index()].facts = rows;
        program.rules.retain(|rule| rule.head.relation != relation);
        true
    }
}
