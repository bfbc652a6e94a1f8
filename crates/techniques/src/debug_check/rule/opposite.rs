//! The opposite comparison, negated: `!(a >= b)` for `a < b`, and `a >= b` where `a < b` is known to fail.
//!
//! Of two integers in their common type, exactly one of `a < b` and `a >= b` holds. With floating operands neither
//! may hold; but exactly one of `a == b` and `a != b` holds of all values, pointers included. The order of pointers is
//! left alone.

use crate::debug_check::form::{Body, Form, Test};
use crate::debug_check::shape::Shape;

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    let negated = Shape { is_negated: !shape.is_negated, ..*shape };
    // The shape is settled either way round or not at all, except that what holds is always settled.
    if negated.settled().is_some() && shape.settled().is_some() {
        let test = Test::plain(shape.relation.opposite());
        forms.push(Form::same(usize::from(!shape.is_negated), Body::Test(test)));
    }
}
