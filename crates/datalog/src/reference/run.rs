//! Walks through the steps of a plan, for every way to make the body of a rule true.

use super::plan::{Expression, Part, Plan, Step};
use super::rows::{RowNumber, Rows, Word};
use super::{Halt, floats};
use crate::program::{Aggregate, Comparison, Operator, Type};

/// The range of rows that came in the last round, for a relation.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastRound {
    /// The first of them.
    pub start: RowNumber,
    /// Behind the last of them.
    pub end: RowNumber,
}

/// What a walk may look at.
pub struct Walk<'a> {
    /// The rows of each relation.
    pub rows: &'a [Rows],
    /// For each relation, its last round; rows behind it are not seen.
    pub last: &'a [LastRound],
    /// For each relation, whether only rows before this round are seen, for derivations that lead somewhere.
    pub before: Option<(&'a [bool], usize)>,
    /// How many rows may still be looked at.
    pub fuel: &'a mut u64,
    /// The furthest step that was come to, by the number of steps before it.
    pub furthest: usize,
}

/// Why a walk ends before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// What was looked for is found.
    Enough,
    /// It cannot go on.
    Halt(Halt),
}

/// How a walk goes on.
pub type Flow<T = ()> = Result<T, Stop>;

impl Walk<'_> {
    /// Calls `found` with the values of all variables, for each way through the steps that may give another row.
    pub fn through(
        &mut self,
        steps: &[Step],
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow {
        self.from(steps, 0, values, found).map(drop)
    }

    /// Says whether there was a way to the end.
    fn from(
        &mut self,
        steps: &[Step],
        at: usize,
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow<bool> {
        self.furthest = self.furthest.max(at);
        let Some(step) = steps.get(at) else { return found(values).map(|()| true) };
        match step {
            Step::Each { .. } => self.each(steps, at, values, found),
            Step::Unless { relation, index, key, .. } => {
                let key = Key::of(key, values)?;
                let key = key.words();
                let rows = &self.rows[*relation];
                let is_there = match index {
                    Some(index) => rows.chain(*index, key).any(|number| rows.has(*index, number, key)),
                    None => rows.count() > 0,
                };
                self.burn()?;
                if is_there { Ok(false) } else { self.from(steps, at + 1, values, found) }
            }
            Step::If { comparison, r#type, left, right, .. } => {
                let (left, right) = (word(left, values)?, word(right, values)?);
                match holds(*comparison, *r#type, left, right) {
                    true => self.from(steps, at + 1, values, found),
                    false => Ok(false),
                }
            }
            Step::Let { variable, value } => {
                values[*variable] = word(value, values)?;
                self.from(steps, at + 1, values, found)
            }
            Step::Aggregate { .. } => self.aggregate(steps, at, values, found),
        }
    }

    fn each(
        &mut self,
        steps: &[Step],
        at: usize,
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow<bool> {
        let Step::Each { relation, part, index, key, binds, repeats, is_witness, .. } = &steps[at] else {
            return Ok(false);
        };
        let rows = self.rows;
        let rows = &rows[*relation];
        let LastRound { start, end } = self.last[*relation];
        let (first, behind) = match part {
            Part::All => (0, end),
            Part::New => (start, end),
            Part::Old => (0, start),
        };
        let behind = match self.before {
            Some((together, round)) if together[*relation] => behind.min(rows.count_before(round)),
            _ => behind,
        };
        let mut look_at = |walk: &mut Self, values: &mut [Word], number: RowNumber| -> Flow<bool> {
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
        let mut has_end = false;
        let Some(index) = index else {
            for number in first..behind {
                has_end |= look_at(self, values, number)?;
                if has_end && *is_witness {
                    break;
                }
            }
            return Ok(has_end);
        };
        let key = Key::of(key, values)?;
        let key = key.words();
        // Chains go from the newest row to the oldest.
        let seen = rows.chain(*index, key).skip_while(|number| *number >= behind);
        for number in seen.take_while(|number| *number >= first) {
            has_end |= rows.has(*index, number, key) && look_at(self, values, number)?;
            if has_end && *is_witness {
                break;
            }
        }
        Ok(has_end)
    }

    fn aggregate(
        &mut self,
        steps: &[Step],
        at: usize,
        values: &mut [Word],
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> Flow<bool> {
        let Step::Aggregate { result, is_known, function, r#type, term, steps: inside, .. } = &steps[at]
        else {
            return Ok(false);
        };
        let mut total = match function {
            Aggregate::Count | Aggregate::Sum => Some(0),
            Aggregate::Minimum | Aggregate::Maximum => None,
        };
        let furthest = self.furthest;
        let mut sum = floats::Sum::default();
        self.through(inside, &mut values.to_vec(), &mut |inner: &[Word]| {
            let next = match term {
                Some(term) => word(term, inner)?,
                None => 1,
            };
            let is_float_sum = *r#type == Type::Float && *function == Aggregate::Sum;
            if is_float_sum && !sum.takes(next) {
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

/// The row that a plan's head has for the values of its variables.
pub fn head(plan: &Plan, values: &[Word], row: &mut Vec<Word>) -> Flow {
    row.clear();
    for column in &plan.head {
        row.push(word(column, values)?);
    }
    Ok(())
}

/// The words by which rows are looked for. Few relations are wide, and this is made for every row that is met.
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

/// The value of an expression.
pub fn word(expression: &Expression, values: &[Word]) -> Flow<Word> {
    match expression {
        Expression::Variable(variable) => Ok(values[*variable]),
        Expression::Constant(word) => Ok(*word),
        Expression::Apply(operator, r#type, operands) => match operands.as_slice() {
            [operand] => apply(Operator::Subtract, *r#type, zero(*r#type), word(operand, values)?),
            [left, right] => apply(*operator, *r#type, word(left, values)?, word(right, values)?),
            _ => Err(undefined("an operation has a strange number of operands")),
        },
    }
}

/// What a number is subtracted from to negate it: the negative of zero is the negative zero of floats.
fn zero(r#type: Type) -> Word {
    if r#type == Type::Float { (-0.0f64).to_bits().cast_signed() } else { 0 }
}

/// The value of an operation, where engines agree on it: what does not fit 32 bits they cut in different ways.
pub fn apply(operator: Operator, r#type: Type, left: Word, right: Word) -> Flow<Word> {
    if r#type == Type::Float {
        return floats::apply(operator, left, right).ok_or_else(|| undefined(DOUBTFUL_FLOAT));
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
    value.filter(fits).ok_or_else(|| undefined("a number is divided by zero or does not fit 32 bits"))
}

/// Why a program with such a number has no result.
pub const DOUBTFUL_NUMBER: &str = "a number does not fit 32 bits";
/// Why a program with such a float has none.
pub const DOUBTFUL_FLOAT: &str = "a float is no number, a negative zero, or another one with 32 bits";

fn undefined(why: &'static str) -> Stop {
    Stop::Halt(Halt::Undefined(why))
}

/// True if a comparison holds between words of a type.
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
