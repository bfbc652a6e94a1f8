//! Both sides multiplied by the same positive number.
//!
//! A positive factor keeps every relation between numbers without bounds. Everything is computed in the common type C,
//! and the guard keeps both operands in [MIN / M, MAX / M]; C rounds these towards 0, so M times them is in C.

use super::MOST;
use crate::debug_check::form::{Form, Operation, Side, Term, Test};
use crate::debug_check::shape::{IntegerType, Relation, Shape};

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    let (Some(common), Some(relation)) = (shape.domain.common(), shape.settled()) else { return };
    for factor in 2..=MOST {
        let guard = [Side::Left, Side::Right].into_iter().flat_map(|side| limits(common, side, factor));
        let term = |side| Term::Moved(side, Operation::Times, factor);
        let test = Test::new(term(Side::Left), relation, term(Side::Right));
        forms.push(Form::guarded(guard.collect(), test));
    }
}

/// The bounds of an operand. No value of an unsigned type is below the lower one.
fn limits(common: IntegerType, side: Side, factor: u32) -> Vec<Test> {
    let factor = i128::from(factor);
    let bound = |relation, limit| Test::new(Term::Converted(side), relation, Term::Limit(limit));
    let mut limits = vec![bound(Relation::AtMost, common.maximum() / factor)];
    if common.is_signed {
        limits.push(bound(Relation::AtLeast, common.minimum() / factor));
    }
    limits
}
