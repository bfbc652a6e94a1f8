//! Steps from a pointer that equals the address of an element of an array.
//!
//! A pointer that equals the address of an element strictly inside an array of scalars points to that element: it
//! cannot be one past the end of another object, which ends where this array begins, or later. So as many steps are
//! defined from it as from the element, up to one past the end, and equal pointers stay equal. What equals the address
//! of the first element may be one past the end of another object; there the steps count only where an execution with
//! red zones between objects has come.

use super::MOST;
use crate::debug_check::form::{Body, Form, Meaning, Operation, Side, Term, Test};
use crate::debug_check::shape::{Domain, Relation, Shape};

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    let Domain::Element { before, after } = shape.domain else { return };
    if shape.settled() != Some(Relation::Equal) {
        return;
    }
    let mut add = |operation, amount| {
        let term = |side| Term::Stepped(side, operation, amount);
        let body = Body::Test(Test::new(term(Side::Left), Relation::Equal, term(Side::Right)));
        forms.push(Form { guard: Vec::new(), negations: 0, body, meaning: Meaning::Own });
    };
    (1..=after.min(MOST)).for_each(|amount| add(Operation::Plus, amount));
    (1..=before.min(MOST)).for_each(|amount| add(Operation::Minus, amount));
}
