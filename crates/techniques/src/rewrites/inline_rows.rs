//! The rows of a relation in the place of its rules.
//!
//! The relation has the same rows as facts, and everything that is computed from it comes out the same, also where it
//! stood in a circle: the others' least fixed point for these rows is the one that they had. The rows are those of the
//! reference engine; relations with floats are left alone, whose text may lose digits. Thesis: FactInline.

use super::{Effect, Rewrite, View};
use datalog::{Program, RelationId, Type, check, reference};
use model::Random;

/// More rows than this are not looked at, lest the step take long.
const FUEL: u64 = 50_000;
/// More rows than this are not written down.
const MOST_ROWS: usize = 200;

/// Puts the rows of a relation in the place of its rules.
pub struct InlineRows;

impl Rewrite for InlineRows {
    fn name(&self) -> &'static str {
        "inline-rows"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let is_fit = |id: &RelationId| {
            let relation = program.relation(*id);
            program.rules_of(*id).next().is_some()
                && !relation.columns.contains(&Type::Float)
                && *id != view.compared
        };
        // What is not understood may give rows that the reference engine does not know of.
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
