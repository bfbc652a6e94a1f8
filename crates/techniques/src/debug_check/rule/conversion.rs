//! Both operands cast to their common type.
//!
//! A comparison of integers converts both operands to the common type before it compares them; the casts do the same
//! conversions beforehand, and a comparison within the common type converts nothing.

use crate::debug_check::form::{Body, Form, Side, Term, Test};
use crate::debug_check::shape::Shape;

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    if let (Some(_), Some(relation)) = (shape.domain.common(), shape.settled()) {
        let test = Test::new(Term::Converted(Side::Left), relation, Term::Converted(Side::Right));
        forms.push(Form::same(0, Body::Test(test)));
    }
}
