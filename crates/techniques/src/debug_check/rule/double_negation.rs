//! Two more negations.
//!
//! `!` gives 1 for what compares equal to 0 and 0 for everything else, so `!!c` is nonzero where c is. That holds
//! for pointers and floating values too: a NaN is not equal to 0.

use super::restated;
use crate::debug_check::form::Form;
use crate::debug_check::shape::Shape;

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    let (negations, body) = restated(shape);
    forms.push(Form::same(negations + 2, body));
}
