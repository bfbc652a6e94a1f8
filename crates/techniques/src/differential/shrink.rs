//! Smaller exhibits: one program with one check, which stays a program without undefined behaviour that no sanitizer
//! sees, the check included.

use super::judge::CHECK;
use super::relation::DifferentialRelation;
use crate::text_pass::{TextPass, first_program};
use crate::{Pass, Patch};
use c::analyze::{is_deterministic, with_checks_as_statements};
use c::reduce::{self, Pass as Over, Reduced};
use model::{Annotation, AnnotationKind, CInput, Exhibit, Input};

/// The passes, in the order in which they are tried.
pub const PASSES: &[&dyn Pass] = &[
    &OneConjunct,
    &TextPass { pass: Over::Initialize, put: put_program },
    &TextPass { pass: Over::Statements, put: put_program },
    &TextPass { pass: Over::Expressions, put: put_program },
    &TextPass { pass: Over::Declarations, put: put_program },
    &TextPass { pass: Over::Layout, put: put_program },
];

/// Replaces the condition of the check by one of its conjuncts.
struct OneConjunct;

impl Pass for OneConjunct {
    fn name(&self) -> &'static str {
        "conjuncts"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let Some(program) = first_program(exhibit) else { return Vec::new() };
        let condition = |part: String| Patch::Condition { annotation: 0, condition: part.into() };
        conjuncts(program).into_iter().map(condition).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let [Patch::Condition { condition, .. }] = patches else { return None };
        let mut smaller = exhibit.clone();
        for query in &mut smaller.queries {
            let Input::C(program) = &mut query.input else { continue };
            for annotation in &mut program.annotations {
                annotation.condition = condition.clone();
            }
        }
        Some(smaller)
    }
}

/// The exhibit with another text of its program.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    put_program(exhibit, reduce::with_text(first_program(exhibit)?, text)?)
}

/// The conjuncts of the check, if it has several.
fn conjuncts(program: &CInput) -> Vec<String> {
    let check = program.annotations.iter().find(|it| it.what == AnnotationKind::Check(CHECK));
    let parts = check
        .map(|it| super::check::parts(&it.condition).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .unwrap_or_default();
    if parts.len() > 1 { parts } else { Vec::new() }
}

/// All queries are about one program. Rejects results that could have undefined behaviour which no sanitizer detects.
fn put_program(exhibit: &Exhibit, Reduced { program: after, edits: replaced }: Reduced) -> Option<Exhibit> {
    let before = first_program(exhibit)?;
    let annotations = reduce::moved_annotations(&before.annotations, &replaced);
    let after = CInput { annotations, ..after };
    let sites = c::sites(&c::parse_input("reduced", &after).ok()?);
    let stands = |it: &Annotation| sites.iter().any(|site| site.place == it.place);
    let is_proof =
        matches!(DifferentialRelation::of(exhibit)?, DifferentialRelation::NeverViolatedIsVerified { .. });
    if is_proof && !is_deterministic(&after) {
        return None;
    }
    if !after.annotations.iter().all(stands)
        || !reduce::is_safe(&with_checks_as_statements(before), &with_checks_as_statements(&after))
    {
        return None;
    }
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        query.input = Input::C(after.clone());
    }
    Some(smaller)
}
