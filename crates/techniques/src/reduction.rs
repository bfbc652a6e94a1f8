//! The reduction passes of [`c::reduce`] as edits by place and choice, which is how the reducer searches among them.

use crate::Edit;
use c::reduce::{Pass, Proposal, Reduced};
use model::CInput;
use std::ops::Range;

/// The name of [`Pass::Initialize`].
pub const INITIALIZE: &str = "initialize";
/// The name of [`Pass::Statements`].
pub(crate) const STATEMENTS: &str = "statements";
/// The name of [`Pass::Expressions`].
pub(crate) const EXPRESSIONS: &str = "expressions";
/// The name of [`Pass::Declarations`].
pub(crate) const DECLARATIONS: &str = "declarations";
/// The name of [`Pass::Layout`].
pub(crate) const LAYOUT: &str = "layout";

/// The edits of one of these passes; none for any other pass.
pub(crate) fn edits(base: &CInput, pass: &str) -> Vec<Edit> {
    let alternatives = named(pass).map(|pass| c::reduce::proposals(base, pass)).unwrap_or_default();
    each(alternatives.iter().map(Vec::len).enumerate().map(|(place, choices)| (place, 0..choices)))
}

/// Every choice at every place.
pub(crate) fn each(places: impl Iterator<Item = (usize, Range<usize>)>) -> Vec<Edit> {
    places.flat_map(|(place, choices)| choices.map(move |choice| Edit { place, choice })).collect()
}

/// The program after edits of a pass; none if the result could have undefined behaviour that no sanitizer detects.
pub(crate) fn apply(base: &CInput, pass: &str, edits: &[Edit]) -> Option<Reduced> {
    let pass = named(pass)?;
    let alternatives = c::reduce::proposals(base, pass);
    let chosen = edits.iter().map(|edit| alternatives.get(edit.place)?.get(edit.choice).cloned());
    let chosen: Vec<Proposal> = chosen.collect::<Option<_>>()?;
    c::reduce::apply(base, pass, &chosen)
}

fn named(pass: &str) -> Option<Pass> {
    match pass {
        INITIALIZE => Some(Pass::Initialize),
        STATEMENTS => Some(Pass::Statements),
        EXPRESSIONS => Some(Pass::Expressions),
        DECLARATIONS => Some(Pass::Declarations),
        LAYOUT => Some(Pass::Layout),
        _ => None,
    }
}
