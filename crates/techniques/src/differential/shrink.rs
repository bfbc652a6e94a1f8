//! Smaller exhibits: one program with one check, which stays a program without undefined behaviour that no sanitizer
//! sees, the check included.

use super::judge::{CHECK, EXHAUSTED};
use crate::Edit;
use crate::reduction::{self, DECLARATIONS, EXPRESSIONS, INITIALIZE, LAYOUT, STATEMENTS, each};
use c::analyze::{is_deterministic, with_checks_as_statements};
use c::reduce::Reduced;
use model::{Annotation, AnnotationKind, CInput, Exhibit, Input};

/// The passes, in the order in which they are tried.
pub const PASSES: &[&str] = &[CONJUNCTS, INITIALIZE, STATEMENTS, EXPRESSIONS, DECLARATIONS, LAYOUT];
/// Drops conjuncts of the check.
const CONJUNCTS: &str = "conjuncts";

/// The edits of one pass.
pub fn edits(exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
    let Some(program) = program(exhibit) else { return Vec::new() };
    match pass {
        CONJUNCTS => each([(0, 0..conjuncts(program).len())].into_iter()),
        _ => reduction::edits(program, pass),
    }
}

/// Applies edits of one pass; none if the result could have undefined behaviour that no sanitizer sees.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    let program = program(exhibit)?;
    if pass == CONJUNCTS {
        return with_conjunct(exhibit, edits);
    }
    edited(exhibit, reduction::apply(program, pass, edits)?)
}

/// The exhibit with another text of its program.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    edited(exhibit, c::reduce::with_text(program(exhibit)?, text)?)
}

fn program(exhibit: &Exhibit) -> Option<&CInput> {
    exhibit.queries.first()?.input.c()
}

/// The conjuncts of the check, if it has several.
fn conjuncts(program: &CInput) -> Vec<String> {
    let check = program.annotations.iter().find(|it| it.what == AnnotationKind::Check(CHECK));
    let parts = check
        .map(|it| super::check::parts(&it.condition).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .unwrap_or_default();
    if parts.len() > 1 { parts } else { Vec::new() }
}

/// The exhibit with one conjunct alone.
fn with_conjunct(exhibit: &Exhibit, edits: &[Edit]) -> Option<Exhibit> {
    let [edit] = edits else { return None };
    let part = conjuncts(program(exhibit)?).get(edit.choice)?.clone();
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        let Input::C(program) = &mut query.input else { continue };
        for annotation in &mut program.annotations {
            annotation.condition = part.clone().into();
        }
    }
    Some(smaller)
}

/// All queries are about one program.
fn edited(exhibit: &Exhibit, Reduced { program: after, edits: replaced }: Reduced) -> Option<Exhibit> {
    let before = program(exhibit)?;
    let annotations = c::reduce::moved_annotations(&before.annotations, &replaced);
    let after = CInput { annotations, ..after };
    let sites = c::sites(&c::parse_input("reduced", &after).ok()?);
    let stands = |it: &Annotation| sites.iter().any(|site| site.place == it.place);
    let is_proof = exhibit.relation.name == EXHAUSTED;
    if is_proof && !is_deterministic(&after) {
        return None;
    }
    if !after.annotations.iter().all(stands)
        || !c::reduce::is_safe(&with_checks_as_statements(before), &with_checks_as_statements(&after))
    {
        return None;
    }
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        query.input = Input::C(after.clone());
    }
    Some(smaller)
}
