//! Reduction passes, and the patches that they propose.

use crate::datalog_walk::ProgramPart;
use crate::maze::MazePatch;
use crate::scripts::ScriptPatch;
use model::Exhibit;
use std::sync::Arc;

/// A family of patches that might leave a smaller exhibit with the same relation. A pass proposes; the reducer searches.
pub trait Pass: Sync {
    /// A unique name among the passes of the technique.
    fn name(&self) -> &'static str;

    /// Lists the patches for an exhibit.
    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch>;

    /// Applies patches to the exhibit that they were listed for. Returns `None` if the result would not be valid.
    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit>;
}

/// One change that might make an exhibit smaller, in terms of its language.
#[derive(Clone, Debug, PartialEq)]
pub enum Patch {
    /// Drop an option of the analyzer from every query.
    DropOption {
        /// The name of the option.
        name: String,
        /// Its value.
        value: String,
    },
    /// Replace parts of the text of a C program. The replacements only make sense together.
    Text(Vec<c::patch::Edit>),
    /// Drop the annotation at this position of a C program.
    DropAnnotation(usize),
    /// Undo the change to the annotation at this position of a C program.
    UndoAnnotation(usize),
    /// Replace the condition of an annotation.
    Condition {
        /// The position of the annotation.
        annotation: usize,
        /// The new condition.
        condition: Arc<str>,
    },
    /// Drop the station at this position of the path that an execution must take.
    DropStation(usize),
    /// Change an SMT-LIB script.
    Script(ScriptPatch),
    /// Take a part out of every Datalog program.
    Datalog(ProgramPart),
    /// Change the maze that a C program was written from.
    Maze(MazePatch),
    /// Replace the input by this text. A language without patches of its own proposes its smaller inputs like this.
    WholeText(Arc<str>),
}
