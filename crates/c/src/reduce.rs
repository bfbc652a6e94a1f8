//! Smaller C programs: reduction passes that propose edits of the text.
//!
//! A pass lists proposals, and the caller searches among them. Proposals are data: they are listed once for a program and
//! any selection of them can be applied to it. Text that is not edited stays byte for byte, and places in the text move
//! with [`patch::moved`].

mod declarations;
mod expressions;
mod initializations;
mod layout;
mod statements;

use crate::edit::{difference, patch};
use crate::syntax::{EntityKind, StatementId, StatementKind};
use crate::{Edit, Program, analyze, parse_input};
use model::{Annotation, CInput};

/// A family of proposals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Gives variables a value where they are declared, which makes later assignments removable.
    Initialize,
    /// Drops statements, declarations and functions, and takes bodies out of loops and branches.
    Statements,
    /// Replaces expressions by their operands or by constants.
    Expressions,
    /// Inlines typedefs, drops parameters, members and pragmas, and moves definitions up to their declarations.
    Declarations,
    /// Drops comments and line breaks.
    Layout,
}

/// One replacement: edits that only make sense together.
pub type Proposal = Vec<Edit>;

/// The proposals for one place, of which at most one can be applied.
pub type Alternatives = Vec<Proposal>;

/// A program after a reduction step.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The new program. Its annotations are those of the old one, at their old places.
    pub program: CInput,
    /// What was replaced, in order of the text and without overlaps.
    pub edits: Vec<Edit>,
}

/// Lists what a pass proposes for a program, by place. A program that does not parse has no proposals.
pub fn proposals(program: &CInput, pass: Pass) -> Vec<Alternatives> {
    let parsed = || parse_input("reduced", program).ok();
    let listed = match pass {
        Pass::Initialize => parsed().map(|program| initializations::proposals(&program)),
        Pass::Statements => parsed().map(|program| statements::proposals(&program)),
        Pass::Expressions => parsed().map(|program| expressions::proposals(&program)),
        Pass::Declarations => parsed().map(|program| declarations::proposals(&program)),
        Pass::Layout => Some(layout::proposals(&program.base)),
    };
    listed.unwrap_or_default()
}

/// Applies proposals of a pass to the program they were listed for. Returns `None` if the result could have undefined
/// behaviour that no sanitizer detects.
pub fn apply(program: &CInput, pass: Pass, proposals: &[Proposal]) -> Option<Reduced> {
    let edits = without_inner(proposals);
    let text = patch::apply(program.base.as_bytes(), &edits).ok()?;
    let after = CInput { base: String::from_utf8(text).ok()?.into(), ..program.clone() };
    let is_safe = match pass {
        // White space means nothing.
        Pass::Layout => true,
        // Initializing a variable where it is declared does no harm.
        Pass::Initialize => parse_input("reduced", &after).is_ok(),
        Pass::Statements | Pass::Expressions | Pass::Declarations => is_safe(program, &after),
    };
    is_safe.then_some(Reduced { program: after, edits })
}

/// Replaces the whole text, as an external reducer proposes it. Returns `None` under the same conditions as [`apply`].
pub fn with_text(program: &CInput, text: &str) -> Option<Reduced> {
    let edits = difference(&program.base, text);
    let after = CInput { base: text.into(), ..program.clone() };
    is_safe(program, &after).then_some(Reduced { program: after, edits })
}

/// Gives every variable a value where it is declared.
pub fn initialized(program: &CInput) -> Option<CInput> {
    let proposals = proposals(program, Pass::Initialize).concat();
    apply(program, Pass::Initialize, &proposals).map(|reduced| reduced.program)
}

/// The annotations of a program at their places in the edited one.
pub fn moved_annotations(annotations: &[Annotation], edits: &[Edit]) -> Vec<Annotation> {
    let place = |place| patch::moved(place, edits);
    annotations.iter().map(|it| Annotation { place: place(it.place), ..it.clone() }).collect()
}

/// True if a reduction introduces neither an error in a constant expression nor undefined behaviour that sanitizers do
/// not detect.
///
/// Sanitizers detect most undefined behaviour when a candidate is executed. They miss variables that are read without
/// ever being written, functions that end without their result, and conflicting effects within one expression.
pub fn is_safe(before: &CInput, after: &CInput) -> bool {
    let Ok(after) = parse_input("reduced", after) else { return false };
    analyze::unchecked_ub::why_uninitialized(&after).is_none()
        && !has_labelled_declaration(&after)
        && !analyze::has_folded_error(&after)
        && adds_no_unsequenced_access_or_implicit_function(before, &after)
}

/// Parses the old program only if the new one has any of these, which is rare.
fn adds_no_unsequenced_access_or_implicit_function(before: &CInput, after: &Program) -> bool {
    let has_unsequenced = analyze::unchecked_ub::has_unsequenced(after);
    let implicit = implicit_functions(after);
    if !has_unsequenced && implicit == 0 {
        return true;
    }
    parse_input("base", before).is_ok_and(|before| {
        (!has_unsequenced || analyze::unchecked_ub::has_unsequenced(&before))
            && implicit <= implicit_functions(&before)
    })
}

/// The number of functions that are called without a declaration.
fn implicit_functions(program: &Program) -> usize {
    program.entities.iter().filter(|entity| entity.kind == EntityKind::ImplicitFunction).count()
}

/// True if a declaration directly follows a label or a case. Only C23 allows that, and many analyzers do not.
fn has_labelled_declaration(program: &Program) -> bool {
    let is_declaration =
        |body: StatementId| matches!(program.statements[body].kind, StatementKind::Declaration(_));
    program.statements.iter().any(|it| match it.kind {
        StatementKind::Label { body, .. } | StatementKind::Default(body) => is_declaration(body),
        StatementKind::Case { body, .. } => is_declaration(body),
        _ => false,
    })
}

/// All edits of the proposals, without repetitions and without those inside others.
fn without_inner(proposals: &[Proposal]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = proposals.iter().flatten().cloned().collect();
    // Of the edits that start at one place, the longest comes first and covers the others.
    edits.sort_by_key(|edit| (edit.span.start, u32::MAX - edit.span.end));
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        if kept.last().is_none_or(|last| edit.span.start >= last.span.end && *last != edit) {
            kept.push(edit);
        }
    }
    kept
}
