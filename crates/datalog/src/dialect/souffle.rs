//! Soufflé: the dialect in which programs are stored. Results are read from `souffle -D-`.

use super::rows::{Answers, number, require_all, row, text_of};
use crate::inlining::can_be_inlined;
use crate::program::{Constant, Program, RelationId, Tuple, Type};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The line before and after the rows of a relation.
const RULER: &str = "===============";
/// The line before the name of a relation.
const START: &str = "---------------";

pub(super) fn render(program: &Program) -> Result<String, String> {
    let texts = super::rewrite::texts(program);
    // Soufflé prints strings without escapes, so these would be ambiguous in the output.
    let is_unreadable = |text: &str| text == RULER || text.chars().any(char::is_control);
    match texts.iter().find(|text| is_unreadable(text)) {
        Some(text) => Err(format!("Soufflé would print the symbol {text:?} ambiguously")),
        None => Ok(without_bad_inlining(program).to_string()),
    }
}

/// Removes `inline` where Soufflé would reject it, because a rewrite negated or aggregated the relation.
fn without_bad_inlining(program: &Program) -> Cow<'_, Program> {
    let mut program = Cow::Borrowed(program);
    if program.relations.iter().any(|relation| relation.is_inlined) {
        let can = can_be_inlined(&program);
        for (place, can) in can.into_iter().enumerate() {
            if !can && program.relations[place].is_inlined {
                program.to_mut().relations[place].is_inlined = false;
            }
        }
    }
    program
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    let outputs: BTreeMap<&str, RelationId> =
        program.outputs().map(|id| (&*program.relation(id).name, id)).collect();
    let mut answers = Answers::new();
    let mut lines = text_of(output)?.lines();
    while let Some(line) = lines.next() {
        match line {
            START => {
                let name = lines.next().ok_or("the output was cut off")?;
                let rows = read_table(program, &outputs, name, &mut lines)?;
                if let Some((relation, rows)) = rows
                    && answers.insert(relation, rows).is_some()
                {
                    return Err(format!("{name} is printed twice"));
                }
            }
            // Opaque statements may print sizes.
            _ if !program.opaque.is_empty() && line.contains('\t') => {}
            _ => return Err(format!("cannot read the line {line:?}")),
        }
    }
    require_all(program, answers)
}

/// Reads the rows after the name of a relation. Returns `None` for a relation that only opaque statements declare.
fn read_table<'a>(
    program: &Program,
    outputs: &BTreeMap<&str, RelationId>,
    name: &str,
    lines: &mut impl Iterator<Item = &'a str>,
) -> Result<Option<(RelationId, BTreeSet<Tuple>)>, String> {
    let relation = outputs.get(name).copied();
    if relation.is_none() && program.opaque.is_empty() {
        return Err(format!("there is no output relation {name}"));
    }
    // The names of the columns may come before the ruler.
    if lines.next() != Some(RULER) && lines.next() != Some(RULER) {
        return Err(format!("the output was cut off before the rows of {name}"));
    }
    let mut rows = BTreeSet::new();
    for line in lines {
        if line == RULER {
            return Ok(relation.map(|relation| (relation, rows)));
        }
        if let Some(relation) = relation {
            rows.insert(read_row(&program.relation(relation).columns, line)?);
        }
    }
    Err(format!("the output was cut off in the rows of {name}"))
}

fn read_row(columns: &[Type], line: &str) -> Result<Tuple, String> {
    if columns.is_empty() {
        return if line == "()" {
            Ok(Vec::new())
        } else {
            Err(format!("{line:?} is not the row of a nullary relation"))
        };
    }
    row(columns, line.split('\t'), |text, r#type| match r#type {
        Type::Symbol => Ok(Constant::Symbol(text.into())),
        other => number(text, other),
    })
}
