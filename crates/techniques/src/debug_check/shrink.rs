//! Smaller exhibits: the program shrinks as long as the conditions still follow.

use super::judge;
use super::relation::DebugCheckRelation;
use crate::drawn_options::DropOptions;
use crate::text_pass::{TextPass, first_program};
use crate::{Pass, Patch};
use c::reduce::{self, Pass as Over, Reduced};
use model::{CInput, Exhibit, Input};

/// The passes, in the order in which they are tried.
pub const PASSES: &[&dyn Pass] = &[
    &DropOptions,
    &DropChecks,
    &TextPass { pass: Over::Initialize, put: put_program },
    &TextPass { pass: Over::Statements, put: put_program },
    &TextPass { pass: Over::Expressions, put: put_program },
    &TextPass { pass: Over::Declarations, put: put_program },
    &TextPass { pass: Over::Layout, put: put_program },
];

/// Drops checks where the analyzer died. Every other relation is about its checks and needs all of them.
struct DropChecks;

impl Pass for DropChecks {
    fn name(&self) -> &'static str {
        "checks"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        match first_program(exhibit) {
            Some(program) if is_failure(exhibit) => {
                (0..program.annotations.len()).map(Patch::DropAnnotation).collect()
            }
            _ => Vec::new(),
        }
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let mut smaller = exhibit.clone();
        for query in &mut smaller.queries {
            let Input::C(program) = &mut query.input else { continue };
            let mut position = 0;
            program.annotations.retain(|_| {
                position += 1;
                !patches.contains(&Patch::DropAnnotation(position - 1))
            });
        }
        Some(smaller)
    }
}

/// The exhibit with another text of its program; `None` if the conditions would no longer follow.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    put_program(exhibit, reduce::with_text(first_program(exhibit)?, text)?)
}

/// All queries share one text, and each keeps its own annotations.
fn put_program(exhibit: &Exhibit, Reduced { program: after, edits: replaced }: Reduced) -> Option<Exhibit> {
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        let annotations = reduce::moved_annotations(&query.input.c()?.annotations, &replaced);
        query.input = Input::C(CInput { annotations, ..after.clone() });
    }
    let follow = |program| judge::derivations(program).is_some();
    (is_failure(exhibit) || judge::questions(&smaller).all(follow)).then_some(smaller)
}

/// True if the analyzer crashed or refused the program.
fn is_failure(exhibit: &Exhibit) -> bool {
    DebugCheckRelation::of(exhibit) == Some(DebugCheckRelation::Analyzed)
}
