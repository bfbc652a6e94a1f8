//! Something subtracted on both sides, from the smaller operand at least as much as from the other.
//!
//! From a < b follows a - N < b - M for M <= N, and from a <= b or a == b even with `<` if M < N: in numbers without
//! bounds. As with sums, everything is computed in the common type C, and the guard `(C)a >= MIN + N` keeps the
//! differences in it; for an unsigned type that is `(C)a >= N`.

use super::{amounts, moved, upwards, widened};
use crate::debug_check::form::{Form, Operation, Side, Term, Test};
use crate::debug_check::shape::{IntegerType, Relation, Shape};

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    let (Some(common), Some(relation)) = (shape.domain.common(), shape.settled()) else { return };
    let (first, relation, second) = upwards(relation);
    for amounts in amounts() {
        for implied in widened(relation, amounts) {
            let operands = [(first, amounts.upper), (second, amounts.lower)];
            let guard = operands.iter().filter_map(|operand| limit(common, *operand)).collect();
            let test = moved(operands[0], implied, operands[1], Operation::Minus);
            // With the same on both sides nothing has changed.
            let is_same = amounts.lower == amounts.upper && implied == relation;
            forms.push(if is_same { Form::same_guarded(guard, test) } else { Form::guarded(guard, test) });
        }
    }
}

fn limit(common: IntegerType, (side, amount): (Side, u32)) -> Option<Test> {
    let limit = Term::Limit(common.minimum() + i128::from(amount));
    (amount > 0).then(|| Test::new(Term::Converted(side), Relation::AtLeast, limit))
}
