//! Soufflé: the dialect in which programs are kept. Results are read from `souffle -D-`.

use super::rows::{Answers, number, require_all, row, text_of};
use crate::inlining::can_be_inlined;
use crate::program::{Constant, Program, RelationId, Tuple, Type};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The line around the rows of a relation.
const RULER: &str = "===============";
/// The line before the name of a relation.
const START: &str = "---------------";

pub(super) fn render(program: &Program) -> Result<String, String> {
    let texts = super::rewrite::texts(program);
    // Soufflé prints texts as they are, so that these could not be told from the rest of the output.
    let is_unreadable = |text: &str| text == RULER || text.chars().any(char::is_control);
    match texts.iter().find(|text| is_unreadable(text)) {
        Some(text) => Err(format!("the rows that Soufflé prints for {text:?} could not be read")),
        None => Ok(without_bad_inlining(program).to_string()),
    }
}

/// The program without the word `inline` where Soufflé refuses it: rewriting may have negated or counted the relation.
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
    let mut answers = Answers::new();
    let mut lines = text_of(output)?.lines();
    while let Some(line) = lines.next() {
        match line {
            START => {
                let name = lines.next().ok_or("the output was cut off")?;
                let rows = read_table(program, name, &mut lines)?;
                if let Some((relation, rows)) = rows
                    && answers.insert(relation, rows).is_some()
                {
                    return Err(format!("{name} is printed twice"));
                }
            }
            // Statements that are not understood may print sizes.
            _ if !program.opaque.is_empty() && line.contains('\t') => {}
            _ => return Err(format!("the line {line:?} is not understood")),
        }
    }
    require_all(program, answers)
}

/// The rows behind the name of a relation; none for a relation that only a statement which is not understood declares.
fn read_table<'a>(
    program: &Program,
    name: &str,
    lines: &mut impl Iterator<Item = &'a str>,
) -> Result<Option<(RelationId, BTreeSet<Tuple>)>, String> {
    let relation = program.find(name).filter(|id| program.relation(*id).is_output);
    if relation.is_none() && program.opaque.is_empty() {
        return Err(format!("there is no output called {name}"));
    }
    // The names of the columns may stand before the ruler.
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
            Err(format!("{line:?} is no row without columns"))
        };
    }
    row(columns, line.split('\t'), |text, r#type| match r#type {
        Type::Symbol => Ok(Constant::Symbol(text.into())),
        other => number(text, other),
    })
}
