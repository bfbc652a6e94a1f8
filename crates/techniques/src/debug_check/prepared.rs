//! A program in normal form, with the points where something is known and what follows there.

use super::context::Context;
use super::fact::derive;
use super::known_point::KnownPoints;
use super::operand::operands;
use c::analyze::{evaluated_expressions, instrumentable_functions, statements_of};
use c::edit::{NormalForm, normal_form};
use c::syntax::ExpressionId;
use model::{DataModel, UNPARSED_PROGRAM};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A program with its points.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The program in normal form.
    pub base: Arc<str>,
    /// The points, in order of the text.
    pub points: Vec<Point>,
}

/// A place where something is known.
#[derive(Clone, Debug)]
pub struct Point {
    /// The byte of the base before which an evaluation may stand.
    pub place: u32,
    /// True inside an expression: an evaluation precedes an operand in parentheses, with a comma after it.
    pub within: bool,
    /// What led there.
    pub origin: Origin,
    /// Conditions that hold there.
    pub derived: Vec<Derived>,
}

/// Why something is known at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The branch of an `if` whose condition holds.
    If,
    /// The other branch.
    Else,
    /// The body of a `while`.
    While,
    /// The body of a `for`.
    For,
    /// After a `while` or `for` that is left only when its condition fails.
    LoopExit,
    /// After a `do` that is left only when its condition fails.
    Do,
    /// A case of a `switch` that nothing falls into.
    SwitchArm,
    /// The default of a `switch` that nothing falls into.
    SwitchDefault,
    /// An operand of `?:`.
    Conditional,
    /// The right operand of `&&`.
    And,
    /// The right operand of `||`.
    Or,
}

impl Origin {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Origin::If => "if",
            Origin::Else => "else",
            Origin::While => "while",
            Origin::For => "for",
            Origin::LoopExit => "loop-exit",
            Origin::Do => "do-exit",
            Origin::SwitchArm => "case",
            Origin::SwitchDefault => "default",
            Origin::Conditional => "conditional",
            Origin::And => "and",
            Origin::Or => "or",
        }
    }
}

/// A condition that holds at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The rule that gave it.
    pub rule: &'static str,
    /// Where this does not hold, no claim is made; never at a point inside of an expression.
    pub guard: Option<String>,
    /// The condition.
    pub condition: String,
    /// Conditions of one point with the same class say the same there.
    pub class: String,
    /// True if it is defined and holds only where an execution under sanitizers has come.
    pub needs_execution: bool,
}

impl Derived {
    /// True if it is the tested condition, perhaps rephrased.
    pub fn restates(&self) -> bool {
        self.guard.is_none() && self.class.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// Finds the points of a preprocessed program; an error says in a few words, and then in detail, why there are none.
pub fn prepare(name: &str, text: &str, data_model: DataModel) -> Result<Prepared, (String, String)> {
    prepare_where(name, text, data_model, &|_| true)
}

/// The same, with nothing derived at places that are not wanted.
pub fn prepare_where(
    name: &str,
    text: &str,
    data_model: DataModel,
    wants: &dyn Fn(u32) -> bool,
) -> Result<Prepared, (String, String)> {
    let not_understood = |detail: String| (UNPARSED_PROGRAM.to_owned(), detail);
    let program = c::parse(name, text, data_model).map_err(|error| not_understood(error.to_string()))?;
    let NormalForm { text, opened } =
        normal_form(&program, guarded_operands(&mut Context::of(&program, data_model)))
            .map_err(|error| not_understood(format!("{name}: {error}")))?;
    let program = c::parse(name, &text, data_model).map_err(|error| not_understood(error.to_string()))?;
    let mut points = between_statements(&mut Context::of(&program, data_model), wants);
    points.extend(inside_expressions(&mut Context::of(&program, data_model), &opened, wants));
    if points.is_empty() {
        let detail =
            format!("{name}: no condition that main can reach can be evaluated twice without effects");
        return Err(("the program has no condition to derive others from".to_owned(), detail));
    }
    points.sort_by_key(|point| point.place);
    let base = String::from_utf8(text).map_err(|error| not_understood(format!("{name}: {error}")))?;
    Ok(Prepared { base: base.into(), points })
}

/// The operands before which a point may be put.
fn guarded_operands(context: &mut Context<'_>) -> Vec<ExpressionId> {
    let program = context.program;
    let mut found = Vec::new();
    for function in instrumentable_functions(program) {
        for statement in statements_of(program, function) {
            for root in evaluated_expressions(program, statement) {
                found.extend(operands(context, root).into_iter().map(|operand| operand.expression));
            }
        }
    }
    found
}

fn between_statements(context: &mut Context<'_>, wants: &dyn Fn(u32) -> bool) -> Vec<Point> {
    let program = context.program;
    let known_points = KnownPoints::of(program);
    let mut points = Vec::new();
    for function in instrumentable_functions(program) {
        for statement in statements_of(program, function) {
            for known in known_points.of_statement(context, statement) {
                let derived = if wants(known.offset) { derive(&known.facts, true) } else { Vec::new() };
                points.push(Point { place: known.offset, within: false, origin: known.origin, derived });
            }
        }
    }
    points
}

fn inside_expressions(
    context: &mut Context<'_>,
    opened: &std::collections::BTreeSet<u32>,
    wants: &dyn Fn(u32) -> bool,
) -> Vec<Point> {
    let program = context.program;
    let mut points = Vec::new();
    for function in instrumentable_functions(program) {
        for statement in statements_of(program, function) {
            for root in evaluated_expressions(program, statement) {
                for operand in operands(context, root) {
                    let start = program.expressions[operand.expression].span.start;
                    if !opened.contains(&start) || !wants(start + 1) {
                        continue;
                    }
                    let derived = derive(&operand.facts, false);
                    if !derived.is_empty() {
                        points.push(Point {
                            place: start + 1,
                            within: true,
                            origin: operand.origin,
                            derived,
                        });
                    }
                }
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Random;

    #[test]
    fn the_normal_form_of_a_normal_form_is_itself() {
        let mut random = Random::for_case(1, 1);
        for size in [10, 20, 40, 80, 20, 20, 20, 20, 20, 20] {
            let options = c::generate::Options { size, inputs: true, ..c::generate::Options::default() };
            let text = c::generate::generate(&options, &mut random);
            let Ok(once) = prepare("once", &text, DataModel::Lp64) else { continue };
            let twice = prepare("twice", &once.base, DataModel::Lp64).expect("it was prepared before");
            assert_eq!(once.base, twice.base);
            let places = |it: &Prepared| -> Vec<(u32, bool)> {
                it.points.iter().map(|point| (point.place, point.within)).collect()
            };
            assert_eq!(places(&once), places(&twice));
        }
    }
}
