//! A condition with `&&` or `||` unchanged, or negated where it failed.
//!
//! It was evaluated directly before: evaluated again, it gives the same value, and its second operand is evaluated
//! again only if it was then.

/// The operator between two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Connective {
    /// The operator that takes its place when everything is negated.
    pub fn dual(self) -> Connective {
        match self {
            Connective::And => Connective::Or,
            Connective::Or => Connective::And,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Connective::And => "&&",
            Connective::Or => "||",
        }
    }
}

/// Two conditions, joined, and whether that is known to hold or to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Junction {
    /// The operator.
    pub connective: Connective,
    /// True if it is known to hold.
    pub holds: bool,
}

/// A condition over the two conditions of a junction, evaluated from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// Whether the whole is negated.
    pub is_negated: bool,
    /// Whether each of the two conditions is negated.
    pub negates_parts: bool,
    /// The operator.
    pub connective: Connective,
}

impl Proposition {
    /// The text over the texts of the two conditions, each safe next to any operator.
    pub fn text(self, left: &str, right: &str) -> String {
        let not = if self.negates_parts { "!" } else { "" };
        let inside = format!("{not}{left} {} {not}{right}", self.connective.text());
        if self.is_negated { format!("!({inside})") } else { inside }
    }
}

/// The condition that is known to hold.
pub fn whole(junction: Junction) -> Proposition {
    Proposition { is_negated: !junction.holds, negates_parts: false, connective: junction.connective }
}
