//! A part of the condition.
//!
//! `a && b` holds only if a and b were both evaluated and hold; `a || b` fails only if both were evaluated and fail.
//! The parts of a condition that fails because of a `&&`, or holds because of a `||`, are no conjuncts: it is unknown
//! which of them decided, and the second may never have been evaluated.

use super::restated;
use crate::debug_check::form::Form;
use crate::debug_check::shape::Shape;

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    if shape.is_part {
        let (negations, body) = restated(shape);
        forms.push(Form::same(negations, body));
    }
}
