//! Two comparisons in a row: a < b and b < c say that a < c.
//!
//! Both comparisons are made in one type C, to which all three operands are converted, so what holds is an order
//! between three values of C. The third comparison is written between the outer operands, cast to C. If one of the
//! two is strict, so is what follows; what equals something is as unequal to others as that is.

use crate::debug_check::shape::{IntegerType, Relation, Shape};

/// A comparison that is known to hold, with its operands.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The left operand.
    pub left: &'a str,
    /// What holds.
    pub relation: Relation,
    /// The right operand.
    pub right: &'a str,
    /// The type in which it is compared.
    pub common: IntegerType,
}

impl<'a> Link<'a> {
    /// The link that a comparison is, if it says what holds.
    pub fn of(shape: &Shape, left: &'a str, right: &'a str) -> Option<Link<'a>> {
        Some(Link { left, relation: shape.settled()?, right, common: shape.domain.common()? })
    }

    fn mirrored(self) -> Link<'a> {
        Link { left: self.right, relation: self.relation.mirrored(), right: self.left, ..self }
    }
}

/// What holds between a and c if these hold between a and b and between b and c.
pub fn joined(first: Relation, second: Relation) -> Option<Relation> {
    use Relation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    match (first, second) {
        (Equal, other) | (other, Equal) => Some(other),
        (Less, Less | AtMost) | (AtMost, Less) => Some(Less),
        (AtMost, AtMost) => Some(AtMost),
        (Greater, Greater | AtLeast) | (AtLeast, Greater) => Some(Greater),
        (AtLeast, AtLeast) => Some(AtLeast),
        (Unequal, _)
        | (_, Unequal)
        | (Less | AtMost, Greater | AtLeast)
        | (Greater | AtLeast, Less | AtMost) => None,
    }
}

/// The conditions between the outer operands of two comparisons that have an operand in common.
pub fn derive(first: Link<'_>, second: Link<'_>) -> Vec<String> {
    if first.common != second.common {
        return Vec::new();
    }
    let name = first.common.name;
    let mut conditions = Vec::new();
    for first in [first, first.mirrored()] {
        for second in [second, second.mirrored()] {
            if first.right != second.left || first.left == second.right {
                continue;
            }
            if let Some(relation) = joined(first.relation, second.relation) {
                let (left, right) = (first.left, second.right);
                conditions.push(format!("({name}){left} {} ({name}){right}", relation.text()));
            }
        }
    }
    conditions
}
