//! The program as a verification task of SV-COMP, in which one check is the error.

use model::{Annotation, AnnotationKind, CInput, FailingCheck};

/// The name of the file that holds the task; witnesses mention it.
pub(super) const FILE: &str = "program.c";

/// What stands before the program.
const PRELUDE: &str = "extern void reach_error(void);\nextern void exit(int);\n";

/// The call that must not be reached.
const ERROR_CALL: &str = "reach_error();";

/// A task, and where the parts of the program stand in it.
pub(super) struct Task {
    /// The text of the file.
    pub text: String,
    /// The byte of the text at which the error call begins.
    pub target: usize,
    /// The byte of the program before which the check stands.
    pub target_place: u32,
    /// The place of each annotation in the program and the bytes that it takes in the text.
    spelled: Vec<(u32, usize)>,
    /// Where the lines of the text begin.
    line_starts: Vec<usize>,
}

impl Task {
    /// The task for one check; none if there is no such check at a place inside the program.
    pub fn new(input: &CInput, check: u32, failing_check: FailingCheck) -> Option<Task> {
        let mut spelled = Vec::with_capacity(input.annotations.len());
        let mut end = None;
        let body = input.render(|annotation| {
            let text = spell(annotation, check, failing_check);
            let is_target = annotation.what == AnnotationKind::Check(check);
            // `render` puts a line end before and behind.
            spelled.push((annotation.place, text.len() + 2));
            if is_target {
                let behind = text.rfind(ERROR_CALL).map_or(0, |at| text.len() - at);
                end = Some((annotation.place, spelled.len(), behind));
            }
            text
        });
        let (target_place, count, behind) = end?;
        let before: usize = spelled.iter().take(count).map(|(_, length)| length).sum();
        let target = PRELUDE.len() + target_place as usize + before - 1 - behind;
        let text = PRELUDE.to_owned() + &body;
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let is_there = text.get(target..).is_some_and(|rest| rest.starts_with(ERROR_CALL));
        is_there.then_some(Task { text, target, target_place, spelled, line_starts })
    }

    /// Where a byte of the program stands in the text.
    pub fn offset_of(&self, place: u32) -> usize {
        let before = self.spelled.iter().filter(|(annotation, _)| *annotation <= place);
        let inserted: usize = before.map(|(_, length)| length).sum();
        PRELUDE.len() + place as usize + inserted
    }

    /// Line and column of a byte of the text, in characters, both counted from 1.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).map_or(0, |index| self.line_starts[index]);
        let column = self.text.get(start..offset).unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}

/// Other checks end the run or do nothing, as the convention says; assumptions end the run.
fn spell(annotation: &Annotation, check: u32, failing_check: FailingCheck) -> String {
    let condition = &annotation.condition;
    annotation.in_its_place(&match annotation.what {
        AnnotationKind::Check(number) if number == check => format!("if (!({condition})) {ERROR_CALL}"),
        AnnotationKind::Check(_) if failing_check == FailingCheck::Continues => ";".to_owned(),
        AnnotationKind::Check(_) | AnnotationKind::Assume => format!("if (!({condition})) exit(0);"),
    })
}
