//! Smaller C programs: the passes that all techniques on C share, as edits of the text.
//!
//! A pass lists proposals; the reducer searches among them. Text that is not edited stays byte for byte, and whoever
//! keeps places in the text moves them along with [`moved`].

mod folded;
mod layout;
mod statements;

pub(crate) use folded::has_folded_error;
pub(crate) use statements::{is_item_at, is_surely_initialized, moved};

use crate::{Edit, front_end};
use model::CInput;
use statements::Proposal;
use std::ops::Range;

/// Gives variables a value where they are declared, so that later assignments may go.
pub(crate) const INITIALIZE: &str = "initialize";
/// Drops statements, declarations and functions, and takes bodies out of loops and branches.
pub(crate) const STATEMENTS: &str = "statements";
/// Replaces expressions by their operands or by constants.
pub(crate) const EXPRESSIONS: &str = "expressions";
/// Drops comments and blank lines.
pub(crate) const LAYOUT: &str = "layout";

/// The edits of one of these passes; none for any other pass.
pub(crate) fn edits(base: &CInput, pass: &str) -> Vec<Edit> {
    each(proposals(base, pass).iter().map(Vec::len).enumerate().map(|(place, choices)| (place, 0..choices)))
}

/// Every choice at every place.
pub(crate) fn each(places: impl Iterator<Item = (usize, Range<usize>)>) -> Vec<Edit> {
    places.flat_map(|(place, choices)| choices.map(move |choice| Edit { place, choice })).collect()
}

/// The text after edits of a pass, and what was replaced in it; none if the result could have undefined behaviour
/// that no sanitizer sees.
pub(crate) fn apply(base: &CInput, pass: &str, edits: &[Edit]) -> Option<(CInput, Vec<c::patch::Edit>)> {
    let proposals = proposals(base, pass);
    let chosen = edits.iter().map(|edit| proposals.get(edit.place)?.get(edit.choice).cloned());
    let chosen: Vec<Proposal> = chosen.collect::<Option<_>>()?;
    let outermost = statements::without_inner(chosen);
    // Changes of the layout alone are always safe.
    if pass != LAYOUT && !statements::is_safe(base, &outermost) {
        return None;
    }
    let text = c::patch::apply(base.base.as_bytes(), &outermost).ok()?;
    let after = CInput { base: String::from_utf8(text).ok()?.into(), ..base.clone() };
    if pass != LAYOUT {
        let (before, program) =
            (front_end::parse("base", base).ok()?, front_end::parse("reduced", &after).ok()?);
        let doubtful = statements::doubtful_reads(&program);
        let is_newer = statements::has_labelled_declaration(&program);
        if is_newer || has_folded_error(&program) || !doubtful.is_subset(&statements::doubtful_reads(&before))
        {
            return None;
        }
    }
    Some((after, outermost))
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
        LAYOUT => layout::blanks(&base.base),
        _ => Vec::new(),
    }
}
