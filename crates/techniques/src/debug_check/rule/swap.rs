//! The operands in the other order.
//!
//! `a < b` and `b > a` convert both operands to the same type and compare the same values, floating ones included: the
//! two are true of the same values, so one is false where the other is. The operands have no effects, so it does
//! not matter which is evaluated first.

use crate::debug_check::form::{Body, Form, Side, Term, Test};
use crate::debug_check::shape::Shape;

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    if !shape.is_truth {
        let (left, right) = (Term::Operand(Side::Right), Term::Operand(Side::Left));
        let test = Test::new(left, shape.relation.mirrored(), right);
        forms.push(Form::same(usize::from(shape.is_negated), Body::Test(test)));
    }
}
