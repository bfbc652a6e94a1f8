//! Smaller exhibits: the program shrinks as long as the conditions still follow.

use super::judge::{self, FOLLOWS, HOLDS};
use crate::Edit;
use crate::drawn_options::{OPTIONS, option_edits, without_options};
use crate::reduction::{self, DECLARATIONS, EXPRESSIONS, Edited, INITIALIZE, LAYOUT, STATEMENTS};
use crate::silence::ANSWERED;
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
    let after = match pass {
        CHECKS => {
            let kept = program.annotations.iter().enumerate();
            let kept = kept.filter(|(place, _)| !edits.iter().any(|edit| edit.place == *place));
            CInput { annotations: kept.map(|(_, it)| it.clone()).collect(), ..program.clone() }
        }
        _ => annotated(program, reduction::apply(program, pass, edits)?),
    };
    with_program(exhibit, after)
}

/// The exhibit with another text of its program; none if the conditions would not follow any more.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    let program = exhibit.queries.first()?.input.c()?;
    with_program(exhibit, annotated(program, reduction::with_text(program, text)?))
}

fn annotated(before: &CInput, (after, replaced): Edited) -> CInput {
    CInput { annotations: reduction::moved_annotations(&before.annotations, &replaced), ..after }
}

fn with_program(exhibit: &Exhibit, after: CInput) -> Option<Exhibit> {
    if exhibit.relation.name != ANSWERED {
        judge::derivations(&after)?;
    }
    let mut smaller = exhibit.clone();
    let is_denied = [HOLDS, FOLLOWS].contains(&exhibit.relation.name.as_str());
    let inputs = [after.clone(), if is_denied { judge::executed(&after) } else { after }];
    for (query, input) in smaller.queries.iter_mut().zip(inputs) {
        query.input = Input::C(input);
    }
    Some(smaller)
}
