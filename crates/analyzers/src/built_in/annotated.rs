//! A typed C program that contains its annotations as statements.

use c::patch::{self, Edit};
use c::syntax::{ExpressionId, StatementKind};
use model::{CInput, DataModel};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The text before and after the condition of an annotation.
const BEFORE: &str = "if (";
const AFTER: &str = ") ;";

/// Parses a program without annotations.
pub(super) fn read(text: &str, data_model: DataModel) -> Option<c::Program> {
    c::parse("program.c", text, data_model).ok()
}

/// A program with every annotation as `if (condition) ;`.
pub(super) struct Annotated {
    /// The parsed program.
    pub(super) program: c::Program,
    /// The offset of the condition of each annotation, in order.
    starts: Vec<u32>,
    /// The conditions by the offset of their `if`.
    conditions: BTreeMap<u32, ExpressionId>,
}

impl Annotated {
    /// Parses a program with its annotations.
    pub(super) fn read(input: &CInput) -> Option<Annotated> {
        let text = input.render(|annotation| format!("{BEFORE}{}{AFTER}", annotation.condition));
        let program = read(&text, input.data_model)?;
        let mut starts = Vec::with_capacity(input.annotations.len());
        let mut inserted = 0;
        for annotation in &input.annotations {
            // Every annotation is rendered between two newlines.
            starts.push(annotation.place + inserted + 1 + BEFORE.len() as u32);
            inserted += (BEFORE.len() + annotation.condition.len() + AFTER.len() + 2) as u32;
        }
        let mut conditions = BTreeMap::new();
        for statement in program.statements.iter() {
            if let StatementKind::If { condition, .. } = statement.kind {
                conditions.insert(statement.span.start, condition);
            }
        }
        Some(Annotated { program, starts, conditions })
    }

    /// Returns the condition of an annotation.
    pub(super) fn condition(&self, annotation: usize) -> Option<ExpressionId> {
        let start = self.starts.get(annotation)?.checked_sub(BEFORE.len() as u32)?;
        self.conditions.get(&start).copied()
    }

    /// Applies edits of the annotated program that lie within a condition to that condition.
    pub(super) fn edited(&self, annotation: usize, condition: &str, edits: Vec<Edit>) -> Option<Arc<str>> {
        let start = *self.starts.get(annotation)?;
        let mut moved = Vec::with_capacity(edits.len());
        for mut edit in edits {
            edit.span.start = edit.span.start.checked_sub(start)?;
            edit.span.end = edit.span.end.checked_sub(start)?;
            moved.push(edit);
        }
        let bytes = patch::apply(condition.as_bytes(), &moved).ok()?;
        String::from_utf8(bytes).ok().map(Arc::from)
    }
}
