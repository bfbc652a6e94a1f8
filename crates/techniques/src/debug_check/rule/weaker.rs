//! Weaker comparisons of the same operands.
//!
//! `<` implies `<=` and `!=`, `>` implies `>=` and `!=`, `==` implies `<=` and `>=`. Each of the first three holds only
//! between ordered values, so this is right for floating operands too. Pointers that are equal need not point into
//! the same array, and only there have they an order.

use crate::debug_check::form::{Body, Form, Meaning, Test};
use crate::debug_check::shape::{Relation, Shape};

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    use Relation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    let Some(relation) = shape.settled().filter(|_| shape.domain.is_number()) else { return };
    let implied: &[Relation] = match relation {
        Less => &[AtMost, Unequal],
        Greater => &[AtLeast, Unequal],
        Equal => &[AtMost, AtLeast],
        AtMost | AtLeast | Unequal => &[],
    };
    for weaker in implied {
        let meaning = Meaning::Weaker(*weaker);
        let body = Body::Test(Test::plain(*weaker));
        forms.push(Form { guard: Vec::new(), negations: 0, body, meaning });
    }
}
