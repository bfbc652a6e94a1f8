//! Smaller exhibits: the program shrinks as long as the conditions still follow.

use super::judge;
use crate::Edit;
use crate::drawn_options::{OPTIONS, option_edits, without_options};
use crate::failures::ANSWERED;
use crate::reduction::{self, DECLARATIONS, EXPRESSIONS, INITIALIZE, LAYOUT, STATEMENTS};
use c::reduce::Reduced;
use model::{CInput, Exhibit, Input};

/// The passes, in the order in which they are tried.
pub const PASSES: &[&str] = &[OPTIONS, CHECKS, INITIALIZE, STATEMENTS, EXPRESSIONS, DECLARATIONS, LAYOUT];
/// Drops checks where the analyzer died.
const CHECKS: &str = "checks";

/// The edits of one pass.
pub fn edits(exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
    let Some(program) = exhibit.queries.first().and_then(|query| query.input.c()) else { return Vec::new() };
    match pass {
        OPTIONS => option_edits(exhibit),
        CHECKS if exhibit.relation.name == ANSWERED => {
            (0..program.annotations.len()).map(|place| Edit { place, choice: 0 }).collect()
        }
        CHECKS => Vec::new(),
        _ => reduction::edits(program, pass),
    }
}

/// Applies edits of one pass; none if the conditions would not follow any more.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    if pass == OPTIONS {
        return Some(without_options(exhibit, edits));
    }
    let program = exhibit.queries.first()?.input.c()?;
    if pass == CHECKS {
        return Some(without_checks(exhibit, edits));
    }
    edited(exhibit, &reduction::apply(program, pass, edits)?)
}

/// The exhibit with another text of its program; none if the conditions would not follow any more.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    let program = exhibit.queries.first()?.input.c()?;
    edited(exhibit, &c::reduce::with_text(program, text)?)
}

fn without_checks(exhibit: &Exhibit, edits: &[Edit]) -> Exhibit {
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        let Input::C(program) = &mut query.input else { continue };
        let kept = program.annotations.iter().enumerate();
        let kept = kept.filter(|(place, _)| !edits.iter().any(|edit| edit.place == *place));
        program.annotations = kept.map(|(_, it)| it.clone()).collect();
    }
    smaller
}

/// All queries are about one text, and each keeps its own annotations.
fn edited(exhibit: &Exhibit, Reduced { program: after, edits: replaced }: &Reduced) -> Option<Exhibit> {
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        let annotations = c::reduce::moved_annotations(&query.input.c()?.annotations, replaced);
        query.input = Input::C(CInput { annotations, ..after.clone() });
    }
    let follow = |program| judge::derivations(program).is_some();
    (exhibit.relation.name == ANSWERED || judge::questions(&smaller).all(follow)).then_some(smaller)
}
