//! The condition itself.
//!
//! It was evaluated directly before, nothing has changed since, and it reads nothing that changes by itself: it has
//! the same value again, and evaluating it is as defined as it was.

use super::restated;
use crate::debug_check::form::Form;
use crate::debug_check::shape::Shape;

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    if !shape.is_part {
        let (negations, body) = restated(shape);
        forms.push(Form::same(negations, body));
    }
}
