//! Smaller C programs: the passes that all techniques on C share, as edits of the text.
//!
//! A pass lists proposals; the reducer searches among them. Text that is not edited stays byte for byte, and whoever
//! keeps places in the text moves them along with [`moved`].

mod declarations;
mod difference;
mod folded;
mod layout;
mod statements;

pub(crate) use folded::has_folded_error;
pub(crate) use statements::{is_item_at, moved};

use crate::{Edit, front_end};
use model::{Annotation, CInput};
use statements::Proposal;
use std::ops::Range;

/// Gives variables a value where they are declared, so that later assignments may go.
pub const INITIALIZE: &str = "initialize";
/// Drops statements, declarations and functions, and takes bodies out of loops and branches.
pub(crate) const STATEMENTS: &str = "statements";
/// Replaces expressions by their operands or by constants.
pub(crate) const EXPRESSIONS: &str = "expressions";
/// Replaces typedefs, drops parameters, members and pragmas, and puts definitions where declarations were.
pub(crate) const DECLARATIONS: &str = "declarations";
/// Drops comments and line breaks.
pub(crate) const LAYOUT: &str = "layout";

/// The edits of one of these passes; none for any other pass.
pub(crate) fn edits(base: &CInput, pass: &str) -> Vec<Edit> {
    each(proposals(base, pass).iter().map(Vec::len).enumerate().map(|(place, choices)| (place, 0..choices)))
}

/// Every choice at every place.
pub(crate) fn each(places: impl Iterator<Item = (usize, Range<usize>)>) -> Vec<Edit> {
    places.flat_map(|(place, choices)| choices.map(move |choice| Edit { place, choice })).collect()
}

/// A program after edits, and what was replaced in it.
pub(crate) type Edited = (CInput, Vec<c::patch::Edit>);

/// The text after edits of a pass; none if the result could have undefined behaviour that no sanitizer sees.
pub(crate) fn apply(base: &CInput, pass: &str, edits: &[Edit]) -> Option<Edited> {
    let proposals = proposals(base, pass);
    let chosen = edits.iter().map(|edit| proposals.get(edit.place)?.get(edit.choice).cloned());
    let chosen: Vec<Proposal> = chosen.collect::<Option<_>>()?;
    let edits = statements::without_inner(chosen);
    let text = c::patch::apply(base.base.as_bytes(), &edits).ok()?;
    let after = CInput { base: String::from_utf8(text).ok()?.into(), ..base.clone() };
    // Changes of the layout alone are always safe, and values where variables are declared do no harm.
    let is_safe = match pass {
        LAYOUT => true,
        INITIALIZE => front_end::parse("reduced", &after).is_ok(),
        _ => is_safe(base, &after),
    };
    is_safe.then_some((after, edits))
}

/// The text that somebody else has made of it; none under the same conditions.
pub(crate) fn with_text(base: &CInput, text: &str) -> Option<Edited> {
    let edits = difference::difference(&base.base, text);
    let after = CInput { base: text.into(), ..base.clone() };
    is_safe(base, &after).then_some((after, edits))
}

/// The annotations of a program at their places in the edited one.
pub(crate) fn moved_annotations(annotations: &[Annotation], edits: &[c::patch::Edit]) -> Vec<Annotation> {
    let place = |place| moved(place, edits);
    annotations.iter().map(|it| Annotation { place: place(it.place), ..it.clone() }).collect()
}

/// True if the edited text is a program without errors in constant expressions and without anything undefined that
/// sanitizers do not see.
pub(crate) fn is_safe(before: &CInput, after: &CInput) -> bool {
    let (before, after) = (front_end::parse("base", before), front_end::parse("reduced", after));
    let (Ok(before), Ok(after)) = (before, after) else { return false };
    statements::is_safe(&before, &after) && !has_folded_error(&after)
}

/// The program with a value for every variable where it is declared.
pub(crate) fn initialized(base: &CInput) -> Option<CInput> {
    apply(base, INITIALIZE, &edits(base, INITIALIZE)).map(|(program, _)| program)
}

fn proposals(base: &CInput, pass: &str) -> Vec<Vec<Proposal>> {
    match pass {
        INITIALIZE => statements::initializations(base),
        STATEMENTS => statements::removals(base),
        EXPRESSIONS => statements::replacements(base),
        DECLARATIONS => declarations::removals(base),
        LAYOUT => layout::blanks(&base.base),
        _ => Vec::new(),
    }
}
