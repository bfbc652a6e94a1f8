//! De Morgan's laws: `!(!a || !b)` for `a && b`, and so on.
//!
//! The dual operator over the negated conditions stops early exactly where the operator itself does, so the second
//! condition is evaluated only if it was before.

use super::whole::{Junction, Proposition};

/// The same in the dual operator.
pub fn de_morgan(junction: Junction) -> Proposition {
    let connective = junction.connective.dual();
    Proposition { is_negated: junction.holds, negates_parts: true, connective }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug_check::rule::{Connective, whole};

    /// The value of a proposition; an error if it evaluates a second condition that has none.
    fn value(proposition: Proposition, left: bool, right: Option<bool>) -> Result<bool, ()> {
        let left = left != proposition.negates_parts;
        let stops = left == (proposition.connective == Connective::Or);
        let value = if stops { left } else { right.ok_or(())? != proposition.negates_parts };
        Ok(value != proposition.is_negated)
    }

    #[test]
    fn both_say_what_is_known_and_evaluate_no_more() {
        for connective in [Connective::And, Connective::Or] {
            let plain = Proposition { is_negated: false, negates_parts: false, connective };
            for (left, right) in [true, false]
                .into_iter()
                .flat_map(|left| [None, Some(true), Some(false)].map(|right| (left, right)))
            {
                let Ok(holds) = value(plain, left, right) else { continue };
                let junction = Junction { connective, holds };
                assert_eq!(value(whole(junction), left, right), Ok(true));
                assert_eq!(value(de_morgan(junction), left, right), Ok(true));
                // They are equivalent: where the junction has the other value, they fail.
                let other = Junction { connective, holds: !holds };
                assert_eq!(value(whole(other), left, right), Ok(false));
                assert_eq!(value(de_morgan(other), left, right), Ok(false));
            }
        }
    }

    #[test]
    fn the_text_binds_as_meant() {
        let junction = Junction { connective: Connective::Or, holds: true };
        assert_eq!(de_morgan(junction).text("(a < b)", "c"), "!(!(a < b) && !c)");
        assert_eq!(whole(Junction { holds: false, ..junction }).text("(a < b)", "c"), "!((a < b) || c)");
    }
}
