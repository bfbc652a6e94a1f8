//! Passes over the text of a C program.

use crate::{Pass, Patch};
use c::reduce::{self, Proposal, Reduced};
use model::{CInput, Exhibit};

/// The name of the pass that initializes variables where they are declared.
pub const INITIALIZE: &str = "initialize";

/// A pass over the text of the C program that all queries of an exhibit share. Techniques differ in what they derive
/// from the text.
pub(crate) struct TextPass {
    /// The pass over the text.
    pub pass: reduce::Pass,
    /// Puts an edited program into an exhibit; `None` if the result would not be valid.
    pub put: fn(&Exhibit, Reduced) -> Option<Exhibit>,
}

impl Pass for TextPass {
    fn name(&self) -> &'static str {
        match self.pass {
            reduce::Pass::Initialize => INITIALIZE,
            reduce::Pass::Statements => "statements",
            reduce::Pass::Expressions => "expressions",
            reduce::Pass::Declarations => "declarations",
            reduce::Pass::Layout => "layout",
        }
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let Some(program) = first_program(exhibit) else { return Vec::new() };
        reduce::proposals(program, self.pass).into_iter().flatten().map(Patch::Text).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let proposal = |patch: &Patch| match patch {
            Patch::Text(edits) => Some(edits.clone()),
            _ => None,
        };
        let proposals: Vec<Proposal> = patches.iter().map(proposal).collect::<Option<_>>()?;
        (self.put)(exhibit, reduce::apply(first_program(exhibit)?, self.pass, &proposals)?)
    }
}

/// The program of the first query.
pub(crate) fn first_program(exhibit: &Exhibit) -> Option<&CInput> {
    exhibit.queries.first()?.input.c()
}
