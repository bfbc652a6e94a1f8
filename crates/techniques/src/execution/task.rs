//! The program as a verification task of SV-COMP in which one check is the error.

use model::{Annotation, AnnotationKind, CInput, FailingCheck};

/// The name of the file with the task, which witnesses mention.
pub(super) const FILE: &str = "program.c";

/// The declarations before the program.
const PRELUDE: &str = "extern void reach_error(void);\nextern void exit(int);\n";

/// The call that must not be reached.
const ERROR_CALL: &str = "reach_error();";

/// A task and the positions of the parts of the program in it.
pub(super) struct Task {
    /// The text of the file.
    pub text: String,
    /// The offset of the error call in the text.
    pub target: usize,
    /// The offset of the check in the program.
    pub target_place: u32,
    /// The offset of each annotation in the program and its length in the text.
    spelled: Vec<(u32, usize)>,
    /// The offsets of the lines of the text.
    line_starts: Vec<usize>,
}

impl Task {
    /// Creates the task for one check. Returns `None` if the program has no such check.
    pub fn new(input: &CInput, check: u32, failing_check: FailingCheck) -> Option<Task> {
        let mut spelled = Vec::with_capacity(input.annotations.len());
        let mut end = None;
        let body = input.render(|annotation| {
            let text = spell(annotation, check, failing_check);
            let is_target = annotation.what == AnnotationKind::Check(check);
            // `render` adds a newline before and after each annotation.
            spelled.push((annotation.place, text.len() + 2));
            if is_target {
                let distance_from_end = text.rfind(ERROR_CALL).map_or(0, |at| text.len() - at);
                end = Some((annotation.place, spelled.len(), distance_from_end));
            }
            text
        });
        let (target_place, count, distance_from_end) = end?;
        let before: usize = spelled.iter().take(count).map(|(_, length)| length).sum();
        let target = PRELUDE.len() + target_place as usize + before - 1 - distance_from_end;
        let text = PRELUDE.to_owned() + &body;
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let is_there = text.get(target..).is_some_and(|rest| rest.starts_with(ERROR_CALL));
        is_there.then_some(Task { text, target, target_place, spelled, line_starts })
    }

    /// Translates an offset in the program to one in the text.
    pub fn offset_of(&self, place: u32) -> usize {
        let before = self.spelled.iter().filter(|(annotation, _)| *annotation <= place);
        let inserted: usize = before.map(|(_, length)| length).sum();
        PRELUDE.len() + place as usize + inserted
    }

    /// Returns the line and the column, in characters, of an offset in the text, both counted from 1.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).map_or(0, |index| self.line_starts[index]);
        let column = self.text.get(start..offset).unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}

/// Other checks end the run or do nothing, depending on the convention; assumptions end the run.
fn spell(annotation: &Annotation, check: u32, failing_check: FailingCheck) -> String {
    let condition = &annotation.condition;
    annotation.in_its_place(&match annotation.what {
        AnnotationKind::Check(number) if number == check => format!("if (!({condition})) {ERROR_CALL}"),
        AnnotationKind::Check(_) if failing_check == FailingCheck::Continues => ";".to_owned(),
        AnnotationKind::Check(_) | AnnotationKind::Assume => format!("if (!({condition})) exit(0);"),
    })
}
