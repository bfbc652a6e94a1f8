//! Executes the steps of a plan for every solution of a rule's body.

use super::plan::{Expression, Part, Plan, PlanStep};
use super::rows::{RowNumber, Rows, Word};
use super::{Halt, floats};
use crate::program::{Aggregate, Comparison, Operator, Type};

/// The rows that the last round added to a relation.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastRound {
    /// The first of these rows.
    pub start: RowNumber,
    /// The end of the range, exclusive.
    pub end: RowNumber,
}

/// The state of a walk through a plan.
pub struct Walk<'a> {
    /// The rows of each relation.
    pub rows: &'a [Rows],
    /// For each relation, its last round; later rows are invisible.
    pub last: &'a [LastRound],
    /// For each relation, whether only rows from before this round are visible. This keeps derivations from being circular.
    pub before: Option<(&'a [bool], usize)>,
    /// The number of rows that may still be visited.
    pub fuel: &'a mut u64,
    /// The index of the furthest step reached.
    pub furthest: usize,
    /// The number of atoms and aggregates that the walk is in.
    pub depth: usize,
}

/// The most atoms and aggregates of one rule. Each takes almost a kilobyte of a stack that has two megabytes.
const DEEPEST: usize = 1_000;

/// Why a walk ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The caller has found what it wanted.
    Enough,
    /// The evaluation failed.
    Halt(Halt),
}

/// The result of a part of a walk.
pub type Flow<T = ()> = Result<T, Stop>;

impl Walk<'_> {
    /// Calls `found` with the values of all variables, for each solution that may derive another row.
    pub fn through(
        &mut self,
        steps: &[PlanStep],
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow {
        self.from(steps, 0, values, found).map(drop)
    }

    /// Continues at a step. Returns whether any solution was found.
    fn from(
        &mut self,
        steps: &[PlanStep],
        mut at: usize,
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow<bool> {
        loop {
            self.furthest = self.furthest.max(at);
            let Some(step) = steps.get(at) else { return found(values).map(|()| true) };
            let continues = match step {
                PlanStep::Each { .. } => return self.deeper(|walk| walk.each(steps, at, values, found)),
                PlanStep::Aggregate { .. } => {
                    return self.deeper(|walk| walk.aggregate(steps, at, values, found));
                }
                PlanStep::Unless { relation, index, key, .. } => {
                    let key = Key::of(key, values)?;
                    let key = key.words();
                    let rows = &self.rows[*relation];
                    let is_there = match index {
                        Some(index) => rows.chain(*index, key).any(|number| rows.has(*index, number, key)),
                        None => rows.count() > 0,
                    };
                    self.burn()?;
                    !is_there
                }
                PlanStep::If { comparison, r#type, left, right, .. } => {
                    let (left, right) = (word(left, values)?, word(right, values)?);
                    holds(*comparison, *r#type, left, right)
                }
                PlanStep::Let { variable, value } => {
                    values[*variable] = word(value, values)?;
                    true
                }
            };
            if !continues {
                return Ok(false);
            }
            at += 1;
        }
    }

    /// Runs a step that calls itself for the steps after it.
    fn deeper(&mut self, step: impl FnOnce(&mut Self) -> Flow<bool>) -> Flow<bool> {
        self.depth += 1;
        let walked = if self.depth > DEEPEST { Err(Stop::Halt(Halt::OutOfFuel)) } else { step(self) };
        self.depth -= 1;
        walked
    }

    fn each(
        &mut self,
        steps: &[PlanStep],
        at: usize,
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow<bool> {
        let PlanStep::Each { relation, part, index, key, binds, repeats, stops_at_first, .. } = &steps[at]
        else {
            return Ok(false);
        };
        let rows = self.rows;
        let rows = &rows[*relation];
        let LastRound { start, end } = self.last[*relation];
        let (first, end_row) = match part {
            Part::All => (0, end),
            Part::New => (start, end),
            Part::Old => (0, start),
        };
        let end_row = match self.before {
            Some((together, round)) if together[*relation] => end_row.min(rows.count_before(round)),
            _ => end_row,
        };
        let mut visit = |walk: &mut Self, values: &mut [Word], number: RowNumber| -> Flow<bool> {
            walk.burn()?;
            let row = rows.row(number);
            if repeats.iter().any(|(one, other)| row[*one] != row[*other]) {
                return Ok(false);
            }
            for (column, variable) in binds {
                values[*variable] = row[*column];
            }
            walk.from(steps, at + 1, values, found)
        };
        let mut is_found = false;
        let Some(index) = index else {
            for number in first..end_row {
                is_found |= visit(self, values, number)?;
                if is_found && *stops_at_first {
                    break;
                }
            }
            return Ok(is_found);
        };
        let key = Key::of(key, values)?;
        let key = key.words();
        // Chains go from the newest row to the oldest.
        let seen = rows.chain(*index, key).skip_while(|number| *number >= end_row);
        for number in seen.take_while(|number| *number >= first) {
            is_found |= rows.has(*index, number, key) && visit(self, values, number)?;
            if is_found && *stops_at_first {
                break;
            }
        }
        Ok(is_found)
    }

    fn aggregate(
        &mut self,
        steps: &[PlanStep],
        at: usize,
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow<bool> {
        let PlanStep::Aggregate { result, is_known, function, r#type, term, steps: inside, .. } = &steps[at]
        else {
            return Ok(false);
        };
        let mut total = match function {
            Aggregate::Count | Aggregate::Sum => Some(0),
            Aggregate::Minimum | Aggregate::Maximum => None,
        };
        let furthest = self.furthest;
        let mut order = floats::OrderCheck::default();
        self.through(inside, &mut values.to_vec(), &mut |inner: &[Word]| {
            let next = match term {
                Some(term) => word(term, inner)?,
                None => 1,
            };
            let is_float_sum = *r#type == Type::Float && *function == Aggregate::Sum;
            if is_float_sum && !order.add(next) {
                return Err(undefined("the sum of floats depends on the order in which they are added"));
            }
            total = Some(match (total, function) {
                (None, _) => next,
                (Some(so_far), Aggregate::Count) => so_far + 1,
                (Some(so_far), Aggregate::Sum) => apply(Operator::Add, *r#type, so_far, next)?,
                (Some(so_far), Aggregate::Minimum) => apply(Operator::Minimum, *r#type, so_far, next)?,
                (Some(so_far), Aggregate::Maximum) => apply(Operator::Maximum, *r#type, so_far, next)?,
            });
            Ok(())
        })?;
        self.furthest = furthest;
        match total {
            Some(total) if !is_known || values[*result] == total => {
                values[*result] = total;
                self.from(steps, at + 1, values, found)
            }
            _ => Ok(false),
        }
    }

    fn burn(&mut self) -> Flow {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                *self.fuel = left;
                Ok(())
            }
            None => Err(Stop::Halt(Halt::OutOfFuel)),
        }
    }
}

/// Writes the row that a plan derives from the values of its variables.
pub fn head(plan: &Plan, values: &[Word], row: &mut Vec<Word>) -> Flow {
    row.clear();
    for column in &plan.head {
        row.push(word(column, values)?);
    }
    Ok(())
}

/// The key of an index lookup. Short keys, which are the most frequent, need no allocation.
struct Key {
    few: [Word; Key::FEW],
    many: Vec<Word>,
    count: usize,
}

impl Key {
    const FEW: usize = 4;

    fn of(expressions: &[Expression], values: &[Word]) -> Flow<Key> {
        let mut key = Key { few: [0; Key::FEW], many: Vec::new(), count: expressions.len() };
        if key.count > Key::FEW {
            for expression in expressions {
                key.many.push(word(expression, values)?);
            }
        } else {
            for (place, expression) in key.few.iter_mut().zip(expressions) {
                *place = word(expression, values)?;
            }
        }
        Ok(key)
    }

    fn words(&self) -> &[Word] {
        if self.count > Key::FEW { &self.many } else { &self.few[..self.count] }
    }
}

/// Evaluates an expression.
pub fn word(expression: &Expression, values: &[Word]) -> Flow<Word> {
    match expression {
        Expression::Variable(variable) => Ok(values[*variable]),
        Expression::Constant(word) => Ok(*word),
        Expression::Apply(operator, r#type, operands) => match operands.as_slice() {
            [operand] => apply(Operator::Subtract, *r#type, zero(*r#type), word(operand, values)?),
            [left, right] => apply(*operator, *r#type, word(left, values)?, word(right, values)?),
            _ => Err(undefined("an operation has the wrong number of operands")),
        },
    }
}

/// The number from which another is subtracted to negate it. For floats it is -0.0, so that 0.0 becomes -0.0.
fn zero(r#type: Type) -> Word {
    if r#type == Type::Float { (-0.0f64).to_bits().cast_signed() } else { 0 }
}

/// Returns the value of an operation if engines agree on it. They truncate what exceeds 32 bits in different ways.
pub fn apply(operator: Operator, r#type: Type, left: Word, right: Word) -> Flow<Word> {
    if r#type == Type::Float {
        return floats::apply(operator, left, right).ok_or_else(|| undefined(UNPORTABLE_FLOAT));
    }
    let value = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract | Operator::Negate => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
        Operator::Minimum => Some(left.min(right)),
        Operator::Maximum => Some(left.max(right)),
    };
    let fits = |value: &Word| match r#type {
        Type::Unsigned => u32::try_from(*value).is_ok(),
        _ => i32::try_from(*value).is_ok(),
    };
    value.filter(fits).ok_or_else(|| undefined("a number is divided by zero or does not fit in 32 bits"))
}

/// The error for a number on which engines do not agree.
pub const UNPORTABLE_NUMBER: &str = "a number does not fit in 32 bits";
/// The error for a float on which engines do not agree.
pub const UNPORTABLE_FLOAT: &str =
    "a float is not finite, is a negative zero, or does not fit in 32 bits exactly";

fn undefined(why: &'static str) -> Stop {
    Stop::Halt(Halt::Undefined(why))
}

/// Returns true if a comparison holds between words of a type.
fn holds(comparison: Comparison, r#type: Type, left: Word, right: Word) -> bool {
    let order = match r#type {
        Type::Float => floats::value(left).partial_cmp(&floats::value(right)),
        Type::Signed | Type::Unsigned | Type::Symbol => Some(left.cmp(&right)),
    };
    let Some(order) = order else { return comparison == Comparison::Different };
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::Different => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    }
}
