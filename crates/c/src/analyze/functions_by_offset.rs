//! Which function a place of the text is in.

use crate::syntax::FunctionId;
use crate::syntax::program::Program;

/// The functions of a program, in the order in which they begin. Looking one up takes a binary search, where comparing a
/// place with the spans of all functions would take time in proportion to their number for each place.
pub(crate) struct FunctionsByOffset<'a> {
    program: &'a Program,
    starts: Vec<(u32, FunctionId)>,
}

impl<'a> FunctionsByOffset<'a> {
    /// Looks through the functions of a program.
    pub(crate) fn of(program: &'a Program) -> FunctionsByOffset<'a> {
        let mut starts: Vec<(u32, FunctionId)> =
            program.functions.ids().map(|id| (program.functions[id].span.start, id)).collect();
        starts.sort_unstable();
        FunctionsByOffset { program, starts }
    }

    /// The innermost function around a place.
    pub(crate) fn innermost(&self, place: u32) -> Option<FunctionId> {
        let before = self.starts.partition_point(|(start, _)| *start <= place);
        let mut function = before.checked_sub(1).map(|last| self.starts[last].1);
        // The last function that begins before the place may have ended. Then only the enclosing functions remain.
        while let Some(candidate) = function.filter(|id| self.program.functions[*id].span.end <= place) {
            function = self.program.functions[candidate].nested_in;
        }
        function
    }

    /// The functions around a place, the innermost first.
    pub(crate) fn around(&self, place: u32) -> impl Iterator<Item = FunctionId> {
        std::iter::successors(self.innermost(place), |function| self.program.functions[*function].nested_in)
    }
}
