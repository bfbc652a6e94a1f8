//! Something added on both sides, to the greater operand at least as much as to the other.
//!
//! From a < b follows a + M < b + N for M <= N, and from a <= b or a == b even with `<` if M < N: in numbers without
//! bounds. It carries over to C if nothing overflows. Both operands are cast to their common type C first, the sums are
//! computed in C, and the guard compares in C with a constant of C: `(C)a <= MAX - M` is computed without overflow
//! since M <= MAX, and makes a + M at most MAX. A guard in the own type of an operand is not enough: for
//! `unsigned a = 0; int b = -1` it lets b + 1 wrap around to 0 in C.

use super::{amounts, moved, upwards, widened};
use crate::debug_check::form::{Form, Operation, Side, Term, Test};
use crate::debug_check::shape::{IntegerType, Relation, Shape};

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    let (Some(common), Some(relation)) = (shape.domain.common(), shape.settled()) else { return };
    let (first, relation, second) = upwards(relation);
    for amounts in amounts() {
        for implied in widened(relation, amounts) {
            let operands = [(first, amounts.lower), (second, amounts.upper)];
            let guard = operands.iter().filter_map(|operand| limit(common, *operand)).collect();
            let test = moved(operands[0], implied, operands[1], Operation::Plus);
            // With the same on both sides nothing has changed.
            let is_same = amounts.lower == amounts.upper && implied == relation;
            forms.push(if is_same { Form::same_guarded(guard, test) } else { Form::guarded(guard, test) });
        }
    }
}

fn limit(common: IntegerType, (side, amount): (Side, u32)) -> Option<Test> {
    let limit = Term::Limit(common.maximum() - i128::from(amount));
    (amount > 0).then(|| Test::new(Term::Converted(side), Relation::AtMost, limit))
}
