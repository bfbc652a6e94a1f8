//! Evaluates bit-vector terms for many inputs at once: a column holds the value of a term for each input.
//!
//! Widths up to 64 are evaluated here, Booleans as 0 and 1. Terms of other sorts are evaluated one input at a time by the
//! exact evaluator; see [`Columns::column`].

use smt::{Assignment, Evaluator, Head, Operator, Script, Sort, SymbolId, TermId, Terms, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value for each input.
pub(super) type Column = Arc<[u64]>;

/// The columns of some terms over the same inputs.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    count: usize,
    variables: Vec<(SymbolId, Column)>,
    known: BTreeMap<TermId, Column>,
}

impl Columns {
    /// The columns of variables, each with a value for each of `count` inputs.
    pub fn new(count: usize, variables: Vec<(SymbolId, Column)>) -> Columns {
        Columns { count, variables, known: BTreeMap::new() }
    }

    /// How many inputs there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a variable.
    pub fn add(&mut self, symbol: SymbolId, column: Column) {
        self.variables.push((symbol, column));
    }

    /// The columns of the variables for some of the inputs, by position.
    pub fn subset(&self, chosen: &[u32]) -> Columns {
        let part = |column: &Column| chosen.iter().map(|index| column[*index as usize]).collect();
        let variables = self.variables.iter().map(|(symbol, column)| (*symbol, part(column))).collect();
        Columns::new(chosen.len(), variables)
    }

    /// The column of a term; `None` if some value is unknown or wider than 64 bits.
    pub fn column(&mut self, script: &Script, term: TermId) -> Option<Column> {
        match self.fast_column(&script.terms, term) {
            Some(column) => Some(column),
            None => self.slow_column(script, term),
        }
    }

    fn fast_column(&mut self, terms: &Terms, term: TermId) -> Option<Column> {
        if let Some(column) = self.known.get(&term) {
            return Some(column.clone());
        }
        let mut stack = vec![term];
        while let Some(next) = stack.last().copied() {
            let missing = terms.children(next).iter().filter(|child| !self.known.contains_key(child));
            let before = stack.len();
            stack.extend(missing);
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if !self.known.contains_key(&next) {
                let column = self.compute(terms, next)?;
                self.known.insert(next, column);
            }
        }
        self.known.get(&term).cloned()
    }

    fn compute(&self, terms: &Terms, term: TermId) -> Option<Column> {
        let width = width_of(terms, term)?;
        let operator = match terms.head(term) {
            Head::Function(symbol) if terms.children(term).is_empty() => {
                return self.variables.iter().find(|it| it.0 == symbol).map(|it| it.1.clone());
            }
            Head::BitVec { value, .. } => {
                let value = u64::try_from(terms.integer_value(value)).ok()?;
                return Some(std::iter::repeat_n(value, self.count).collect());
            }
            Head::Operator(operator) => operator,
            _ => return None,
        };
        let children = terms.children(term);
        let columns: Vec<&Column> = children.iter().filter_map(|child| self.known.get(child)).collect();
        let widths: Vec<u32> = children.iter().filter_map(|child| width_of(terms, *child)).collect();
        if columns.len() != children.len() || widths.len() != children.len() {
            return None;
        }
        match columns.as_slice() {
            [] => match operator {
                Operator::True => Some(std::iter::repeat_n(1, self.count).collect()),
                Operator::False => Some(std::iter::repeat_n(0, self.count).collect()),
                _ => None,
            },
            [only] => unary(operator, width, widths[0], only),
            [first, second] => binary(operator, (width, widths[0], widths[1]), first, second),
            [condition, then, otherwise] if operator == Operator::Ite => {
                let rows = condition.iter().zip(then.iter()).zip(otherwise.iter());
                Some(rows.map(|((is, then), otherwise)| if *is != 0 { *then } else { *otherwise }).collect())
            }
            _ => several(operator, width, &widths, &columns),
        }
    }

    /// Evaluates one input at a time.
    fn slow_column(&mut self, script: &Script, term: TermId) -> Option<Column> {
        let column: Option<Column> = (0..self.count)
            .map(|index| {
                let assignment = self.assignment(&script.terms, index)?;
                let value = Evaluator::new(script, &assignment).value(term)?;
                match value {
                    Value::Bool(value) => Some(u64::from(value)),
                    Value::BitVec { bits, .. } => u64::try_from(bits).ok(),
                    _ => None,
                }
            })
            .collect();
        let column = column?;
        self.known.insert(term, column.clone());
        Some(column)
    }

    fn assignment(&self, terms: &Terms, index: usize) -> Option<Assignment> {
        let mut assignment = Assignment::new();
        for (symbol, column) in &self.variables {
            let bits = *column.get(index)?;
            assignment.set_constant(*symbol, value_of(terms, *symbol, bits)?);
        }
        Some(assignment)
    }
}

/// The value of a constant of the script with these bits.
pub(super) fn value_of(terms: &Terms, symbol: SymbolId, bits: u64) -> Option<Value> {
    Some(match terms.sort_of(terms.function(symbol)?.result) {
        Sort::Bool => Value::Bool(bits != 0),
        Sort::BitVec(width) => Value::bitvec(*width, bits),
        _ => return None,
    })
}

/// The bits of a term, 1 for Booleans; `None` for what has no column.
fn width_of(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.sort_of(terms.sort(term)) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) if (1..=64).contains(width) => Some(*width),
        _ => None,
    }
}

/// The greatest value of a width.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// The value as a number in two's complement.
pub(super) fn signed(value: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((value << shift) as i64) >> shift
}

fn each(column: &[u64], value: impl Fn(u64) -> u64) -> Option<Column> {
    Some(column.iter().map(|it| value(*it)).collect())
}

fn unary(operator: Operator, width: u32, from: u32, column: &[u64]) -> Option<Column> {
    let cut = mask(width);
    let sign = 1u64 << (from - 1);
    match operator {
        Operator::Not => each(column, |x| x ^ 1),
        Operator::And | Operator::Or | Operator::Xor => each(column, |x| x),
        Operator::BvNot => each(column, |x| !x & cut),
        Operator::BvNeg => each(column, |x| x.wrapping_neg() & cut),
        Operator::BvRedOr => each(column, |x| u64::from(x != 0)),
        Operator::BvRedAnd => each(column, |x| u64::from(x == mask(from))),
        Operator::BvNego => each(column, |x| u64::from(x == sign)),
        Operator::Extract { low, .. } => each(column, |x| (x >> low) & cut),
        Operator::ZeroExtend(_) => each(column, |x| x),
        Operator::SignExtend(_) => each(column, |x| signed(x, from) as u64 & cut),
        Operator::Repeat(count) => {
            each(column, |x| (0..count).fold(0, |all, index| all | x << (index * from)))
        }
        Operator::RotateLeft(by) => each(column, |x| rotated(x, by % from, from)),
        Operator::RotateRight(by) => each(column, |x| rotated(x, (from - by % from) % from, from)),
        _ => None,
    }
}

fn rotated(x: u64, by: u32, width: u32) -> u64 {
    if by == 0 { x } else { (x << by | x >> (width - by)) & mask(width) }
}

fn pairs(first: &[u64], second: &[u64], value: impl Fn(u64, u64) -> u64) -> Option<Column> {
    Some(first.iter().zip(second).map(|(x, y)| value(*x, *y)).collect())
}

fn binary(
    operator: Operator,
    (width, of_first, of_second): (u32, u32, u32),
    first: &[u64],
    second: &[u64],
) -> Option<Column> {
    use Operator as Op;
    let cut = mask(width);
    let from = of_first;
    let all = mask(from);
    let sign = 1u64 << (from - 1);
    let wide = |x: u64| i128::from(signed(x, from));
    let fits = move |value: i128| value == i128::from(signed(value as u64 & all, from));
    match operator {
        Op::And | Op::BvAnd => pairs(first, second, |x, y| x & y),
        Op::Or | Op::BvOr => pairs(first, second, |x, y| x | y),
        Op::Xor | Op::Distinct => pairs(first, second, |x, y| u64::from(x != y)),
        Op::Implies => pairs(first, second, |x, y| (x ^ 1) | y),
        Op::Equal | Op::BvComp => pairs(first, second, |x, y| u64::from(x == y)),
        Op::BvXor => pairs(first, second, |x, y| x ^ y),
        Op::BvNand => pairs(first, second, |x, y| !(x & y) & cut),
        Op::BvNor => pairs(first, second, |x, y| !(x | y) & cut),
        Op::BvXnor => pairs(first, second, |x, y| !(x ^ y) & cut),
        Op::BvAdd => pairs(first, second, |x, y| x.wrapping_add(y) & cut),
        Op::BvSub => pairs(first, second, |x, y| x.wrapping_sub(y) & cut),
        Op::BvMul => pairs(first, second, |x, y| x.wrapping_mul(y) & cut),
        Op::BvUdiv => pairs(first, second, |x, y| x.checked_div(y).unwrap_or(cut)),
        Op::BvUrem => pairs(first, second, |x, y| x.checked_rem(y).unwrap_or(x)),
        Op::BvSdiv => pairs(first, second, |x, y| divided(x, y, width)),
        Op::BvSrem => pairs(first, second, |x, y| match y {
            0 => x,
            _ => signed(x, width).wrapping_rem(signed(y, width)) as u64 & cut,
        }),
        Op::BvSmod => pairs(first, second, |x, y| modulo(x, y, width)),
        Op::BvShl => pairs(first, second, |x, y| if y >= width.into() { 0 } else { (x << y) & cut }),
        Op::BvLshr => pairs(first, second, |x, y| if y >= width.into() { 0 } else { x >> y }),
        Op::BvAshr => {
            let last = u64::from(width - 1);
            pairs(first, second, |x, y| (signed(x, width) >> y.min(last)) as u64 & cut)
        }
        Op::Concat => pairs(first, second, |x, y| x << of_second | y),
        Op::ExtRotateLeft => pairs(first, second, |x, y| rotated(x, (y % u64::from(width)) as u32, width)),
        Op::ExtRotateRight => {
            let left = move |y: u64| (width - (y % u64::from(width)) as u32) % width;
            pairs(first, second, |x, y| rotated(x, left(y), width))
        }
        Op::BvUlt => pairs(first, second, |x, y| u64::from(x < y)),
        Op::BvUle => pairs(first, second, |x, y| u64::from(x <= y)),
        Op::BvUgt => pairs(first, second, |x, y| u64::from(x > y)),
        Op::BvUge => pairs(first, second, |x, y| u64::from(x >= y)),
        Op::BvSlt => pairs(first, second, |x, y| u64::from((x ^ sign) < (y ^ sign))),
        Op::BvSle => pairs(first, second, |x, y| u64::from((x ^ sign) <= (y ^ sign))),
        Op::BvSgt => pairs(first, second, |x, y| u64::from((x ^ sign) > (y ^ sign))),
        Op::BvSge => pairs(first, second, |x, y| u64::from((x ^ sign) >= (y ^ sign))),
        Op::BvUaddo => pairs(first, second, |x, y| u64::from(x > all - y)),
        Op::BvUsubo => pairs(first, second, |x, y| u64::from(x < y)),
        Op::BvUmulo => {
            pairs(first, second, |x, y| u64::from(u128::from(x) * u128::from(y) > u128::from(all)))
        }
        Op::BvSaddo => pairs(first, second, |x, y| u64::from(!fits(wide(x) + wide(y)))),
        Op::BvSsubo => pairs(first, second, |x, y| u64::from(!fits(wide(x) - wide(y)))),
        Op::BvSmulo => pairs(first, second, |x, y| u64::from(!fits(wide(x) * wide(y)))),
        Op::BvSdivo => pairs(first, second, |x, y| u64::from(x == sign && y == all)),
        _ => None,
    }
}

fn divided(x: u64, y: u64, width: u32) -> u64 {
    let (a, b) = (signed(x, width), signed(y, width));
    match (b, a < 0) {
        (0, true) => 1,
        (0, false) => mask(width),
        _ => a.wrapping_div(b) as u64 & mask(width),
    }
}

fn modulo(x: u64, y: u64, width: u32) -> u64 {
    let (a, b) = (signed(x, width), signed(y, width));
    if b == 0 {
        return x;
    }
    let rest = a.wrapping_rem(b);
    let result = if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) } else { rest };
    result as u64 & mask(width)
}

/// Operators with three and more operands.
fn several(operator: Operator, width: u32, widths: &[u32], columns: &[&Column]) -> Option<Column> {
    use Operator as Op;
    let (first, rest) = columns.split_first()?;
    match operator {
        Op::And | Op::Or | Op::Xor | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul => {
            let of = (width, width, width);
            rest.iter().try_fold((*first).clone(), |so_far, next| binary(operator, of, &so_far, next))
        }
        Op::Equal => {
            let count = first.len();
            let same = |row: &usize| rest.iter().all(|column| column[*row] == first[*row]);
            Some((0..count).map(|row| u64::from(same(&row))).collect())
        }
        Op::Distinct => {
            let differ = |row: usize| {
                (0..columns.len()).all(|one| (0..one).all(|other| columns[one][row] != columns[other][row]))
            };
            Some((0..first.len()).map(|row| u64::from(differ(row))).collect())
        }
        Op::Implies => {
            let (last, premises) = columns.split_last()?;
            let holds = |row: usize| premises.iter().any(|it| it[row] == 0) || last[row] != 0;
            Some((0..first.len()).map(|row| u64::from(holds(row))).collect())
        }
        Op::Concat => {
            let shifted =
                |so_far: Column, (next, width): (&&Column, &u32)| pairs(&so_far, next, |x, y| x << width | y);
            let parts = rest.iter().zip(widths.iter().skip(1));
            parts.into_iter().try_fold((*first).clone(), shifted)
        }
        _ => None,
    }
}
