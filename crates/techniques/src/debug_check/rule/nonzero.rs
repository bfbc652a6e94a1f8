//! A comparison with 0, for a value that the program uses as a condition.
//!
//! A scalar counts as true exactly if it compares unequal to 0; for a pointer, 0 is a null pointer constant. `!e` is 1
//! or 0, and is 0 exactly if e counts as true.

use crate::debug_check::form::{Body, Form, Side, Term, Test};
use crate::debug_check::shape::{Relation, Shape};

pub fn derive(shape: &Shape, forms: &mut Vec<Form>) {
    if !shape.is_truth {
        return;
    }
    let (value, negated) = (Term::Operand(Side::Left), Term::Negated(Side::Left));
    let relation = if shape.is_negated { Relation::Equal } else { Relation::Unequal };
    let tests = [
        Test::new(value, relation, Term::Zero),
        Test::new(Term::Zero, relation, value),
        Test::new(negated, relation.opposite(), Term::Zero),
    ];
    forms.extend(tests.map(|test| Form::same(0, Body::Test(test))));
}
