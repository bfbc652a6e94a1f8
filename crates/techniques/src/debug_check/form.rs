//! Forms: derived conditions over two operands, abstract until they are printed.

use super::shape::{IntegerType, Relation};
use Side::{Left, Right};

/// One of the two operands of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// An operator between an operand and a small number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
}

/// A value in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// An operand as the program has it.
    Operand(Side),
    /// `!operand`
    Negated(Side),
    /// The number 0, of type `int`.
    Zero,
    /// An operand that is cast to the common type.
    Converted(Side),
    /// An operand that is cast to the common type, and a number of type `int`.
    Moved(Side, Operation, u32),
    /// A pointer and a number of type `int`.
    Stepped(Side, Operation, u32),
    /// A constant of the common type.
    Limit(i128),
}

/// One comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The left side.
    pub left: Term,
    /// The operator.
    pub relation: Relation,
    /// The right side.
    pub right: Term,
}

/// A form before it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// The left operand is not zero.
    Truth,
    /// A comparison.
    Test(Test),
}

/// The meaning of a form in relation to the comparison that it is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The same.
    Same,
    /// This weaker relation between the same operands.
    Weaker(Relation),
    /// Something of its own.
    Own,
}

/// A derived condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Where these hold, the rest can be evaluated and holds.
    pub guard: Vec<Test>,
    /// How many `!` stand in front.
    pub negations: usize,
    /// The comparison or condition.
    pub body: Body,
    /// What it means.
    pub meaning: Meaning,
}

impl Form {
    /// A form without a guard that is equivalent to the comparison.
    pub fn same(negations: usize, body: Body) -> Form {
        Form { guard: Vec::new(), negations, body, meaning: Meaning::Same }
    }

    /// A guarded comparison.
    pub fn guarded(guard: Vec<Test>, test: Test) -> Form {
        Form { guard, negations: 0, body: Body::Test(test), meaning: Meaning::Own }
    }

    /// A guarded comparison that is equivalent where its guard holds.
    pub fn same_guarded(guard: Vec<Test>, test: Test) -> Form {
        Form { meaning: Meaning::Same, ..Form::guarded(guard, test) }
    }
}

impl Test {
    /// A comparison.
    pub fn new(left: Term, relation: Relation, right: Term) -> Test {
        Test { left, relation, right }
    }

    /// A comparison of the operands as they stand.
    pub fn plain(relation: Relation) -> Test {
        Test::new(Term::Operand(Left), relation, Term::Operand(Right))
    }
}

/// The operands of a comparison as text, each safe next to any operator, and the type in which they are compared.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// The left operand.
    pub left: &'a str,
    /// The right operand.
    pub right: &'a str,
    /// The common type, if forms may use it.
    pub common: Option<IntegerType>,
}

impl Operands<'_> {
    /// The condition of a form.
    pub fn condition(&self, form: &Form) -> String {
        let negations = "!".repeat(form.negations);
        match form.body {
            Body::Truth => format!("{negations}{}", self.left),
            Body::Test(test) if form.negations == 0 => self.test(test),
            Body::Test(test) => format!("{negations}({})", self.test(test)),
        }
    }

    /// The guard of a form.
    pub fn guard(&self, form: &Form) -> Option<String> {
        let tests: Vec<String> = form.guard.iter().map(|test| self.test(*test)).collect();
        if tests.is_empty() { None } else { Some(tests.join(" && ")) }
    }

    /// True if a literal operand is outside of what the guard of a form allows, so that nothing would be asked.
    pub fn excludes(&self, form: &Form) -> bool {
        let is_false = |test: &Test| {
            let (Term::Converted(side), Term::Limit(limit)) = (test.left, test.right) else { return false };
            let (Some(common), Some(value)) = (self.common, literal_value(self.side(side))) else {
                return false;
            };
            let value = common.wrapped(value);
            match test.relation {
                Relation::AtMost => value > limit,
                Relation::AtLeast => value < limit,
                _ => false,
            }
        };
        form.guard.iter().any(is_false)
    }

    fn test(&self, test: Test) -> String {
        format!("{} {} {}", self.term(test.left), test.relation.text(), self.term(test.right))
    }

    fn term(&self, term: Term) -> String {
        let name = self.common.map_or("", |common| common.name);
        match term {
            Term::Operand(side) => self.side(side).to_owned(),
            Term::Negated(side) => format!("!{}", self.side(side)),
            Term::Zero => "0".to_owned(),
            Term::Converted(side) => format!("({name}){}", self.side(side)),
            Term::Moved(side, operation, amount) => {
                format!("({name}){} {} {amount}", self.side(side), operation.text())
            }
            Term::Stepped(side, operation, amount) => {
                format!("{} {} {amount}", self.side(side), operation.text())
            }
            Term::Limit(value) => self.common.map_or_else(String::new, |common| literal(value, common)),
        }
    }

    fn side(&self, side: Side) -> &str {
        match side {
            Left => self.left,
            Right => self.right,
        }
    }
}

impl Operation {
    fn text(self) -> &'static str {
        match self {
            Operation::Plus => "+",
            Operation::Minus => "-",
            Operation::Times => "*",
        }
    }
}

/// The value of a decimal literal, with or without a sign in parentheses.
fn literal_value(text: &str) -> Option<i128> {
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let digits = inside.trim_end_matches(['u', 'U', 'l', 'L']);
    let is_decimal = !digits.trim_start_matches('-').starts_with('0') || digits == "0";
    if is_decimal { digits.parse().ok() } else { None }
}

/// A value of a type as an expression of that type.
pub fn literal(value: i128, r#type: IntegerType) -> String {
    let suffix = r#type.suffix;
    match value {
        // The smallest value has no literal: the number after its minus sign would be too large.
        value if value < 0 && value == r#type.minimum() => format!("({}{suffix} - 1)", value + 1),
        value if value < 0 => format!("({value}{suffix})"),
        _ => format!("{value}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_that_a_literal_fails_are_seen() {
        let int = IntegerType { bits: 32, is_signed: true, name: "int", suffix: "" };
        let form = |limit| {
            let guard = vec![Test::new(Term::Converted(Right), Relation::AtMost, Term::Limit(limit))];
            Form::guarded(guard, Test::plain(Relation::Less))
        };
        for (right, limit, is_excluded) in [
            ("7", 6, true),
            ("6U", 6, false),
            ("(-5)", -6, true),
            ("010", 3, false),
            ("x", 0, false),
            // What is too large for the type is converted to it.
            ("4294967295", 0, false),
        ] {
            let operands = Operands { left: "x", right, common: Some(int) };
            assert_eq!(operands.excludes(&form(limit)), is_excluded, "{right} {limit}");
        }
    }

    #[test]
    fn literals_have_the_type_and_bind_tightly() {
        let int = IntegerType { bits: 32, is_signed: true, name: "int", suffix: "" };
        let long = IntegerType { bits: 64, is_signed: false, name: "unsigned long", suffix: "ul" };
        assert_eq!(literal(int.minimum(), int), "(-2147483647 - 1)");
        assert_eq!(literal(-5, int), "(-5)");
        assert_eq!(literal(long.maximum(), long), "18446744073709551615ul");
    }
}
