//! Conditions: comparisons over variables and constants. [`change`] makes them stronger or weaker.

mod change;

pub use change::Direction;

use super::material::{Material, Number, Point, Seen, Tendency, Variable, Wish};
use model::Random;
use std::fmt;
use std::sync::Arc;

/// Percentage of conditions chosen without regard to known values.
const UNKNOWN: usize = 4;

/// Percentage of comparisons that are repeated unchanged.
const SAME_OPERATOR: usize = 75;

/// A C condition without side effects and without undefined behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `1` or `0`.
    Constant(bool),
    /// A comparison.
    Compare(Arc<str>, Comparison, Arc<str>),
    /// A negation.
    Not(Box<Condition>),
    /// A conjunction.
    And(Box<Condition>, Box<Condition>),
    /// A disjunction.
    Or(Box<Condition>, Box<Condition>),
}

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};

const COMPARISONS: [Comparison; 6] = [Less, AtMost, Greater, AtLeast, Equal, Unequal];

impl Comparison {
    /// Its spelling.
    pub fn text(self) -> &'static str {
        match self {
            Less => "<",
            AtMost => "<=",
            Greater => ">",
            AtLeast => ">=",
            Equal => "==",
            Unequal => "!=",
        }
    }
}

impl Condition {
    /// A random condition for a check. About as many hold as can fail, and few fail always: where a failing check
    /// ends the execution, nothing is executed after such a check.
    pub fn draw(material: &Material, point: &Point, random: &mut Random) -> Condition {
        let tendency = match random.below(100) {
            0..3 => Tendency::Fails,
            3..50 => Tendency::MostlyHolds,
            _ => Tendency::Holds,
        };
        let known = known(point, tendency, random);
        known.unwrap_or_else(|| Condition::draw_anew(material, &point.variables, random))
    }

    /// A random condition for an assumption. Most leave many executions, so the code after them is still reached.
    pub fn draw_lenient(material: &Material, point: &Point, random: &mut Random) -> Condition {
        let tendency = if random.coin() { Tendency::MostlyHolds } else { Tendency::Holds };
        let known = known(point, tendency, random);
        known.unwrap_or_else(|| Condition::draw_lenient_anew(material, &point.variables, random))
    }

    /// A random condition with unknown truth.
    pub fn draw_anew(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
        if variables.is_empty() || random.percent(1) {
            // A check of `0` asks whether its point can be reached.
            return Condition::Constant(random.percent(10));
        }
        let first = if random.coin() {
            lenient(material, variables, random)
        } else {
            compare(material, variables, random)
        };
        match random.below(10) {
            0 => Condition::Not(Box::new(first)),
            1 | 2 => Condition::And(first.into(), compare(material, variables, random).into()),
            3 => Condition::Or(first.into(), compare(material, variables, random).into()),
            _ => first,
        }
    }

    /// The same for a condition that most values satisfy.
    pub fn draw_lenient_anew(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
        if variables.is_empty() {
            return Condition::Constant(true);
        }
        let first = lenient(material, variables, random);
        match random.below(10) {
            0 | 1 => Condition::And(first.into(), lenient(material, variables, random).into()),
            2..5 => Condition::Or(first.into(), compare(material, variables, random).into()),
            _ => first,
        }
    }

    /// One of its comparisons, perhaps with another operator. Comparisons that a program already has find more than new
    /// ones: a check of an assumed condition shows whether the analyzer uses the assumption.
    pub fn similar_comparison(&self, random: &mut Random) -> Option<Condition> {
        let mut part = self;
        loop {
            part = match part {
                Condition::Constant(_) => return None,
                Condition::Compare(left, comparison, right) => {
                    let other = *random.choose(&COMPARISONS)?;
                    let comparison = if random.percent(SAME_OPERATOR) { *comparison } else { other };
                    return Some(Condition::Compare(left.clone(), comparison, right.clone()));
                }
                Condition::Not(inner) => inner,
                Condition::And(left, right) | Condition::Or(left, right) => {
                    if random.coin() {
                        left
                    } else {
                        right
                    }
                }
            };
        }
    }
}

/// In most draws, one of the conditions at a point of which executions have shown how often they hold.
fn known(point: &Point, tendency: Tendency, random: &mut Random) -> Option<Condition> {
    if random.percent(UNKNOWN) {
        return None;
    }
    let fitting: Vec<&Condition> =
        point.candidates.iter().filter(|it| it.tendency == tendency).map(|it| &it.condition).collect();
    random.choose(&fitting).map(|condition| (*condition).clone())
}

/// A random comparison that reads at least one variable.
fn compare(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
    let Some(variable) = random.choose(variables) else { return Condition::Constant(true) };
    if matches!(variable.seen, Seen::Reals { nan: true, .. }) && random.percent(25) {
        // Only a NaN differs from itself.
        let comparison = if random.coin() { Equal } else { Unequal };
        return Condition::Compare(variable.name.clone(), comparison, variable.name.clone());
    }
    let comparison = random.choose(&COMPARISONS).copied().unwrap_or(Equal);
    let left = material.operand(variable, random);
    let right = match random.choose(variables) {
        Some(other) if random.percent(40) && (other != variable || is_real(other)) => {
            material.operand(other, random)
        }
        _ => material.literal(variable, Wish::Any, random),
    };
    if random.percent(90) {
        Condition::Compare(left, comparison, right)
    } else {
        Condition::Compare(right, comparison, left)
    }
}

/// True for floating variables, which need not be equal to themselves.
fn is_real(variable: &Variable) -> bool {
    matches!(variable.number, Number::Real { .. })
}

/// A random comparison that most values satisfy.
fn lenient(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
    let Some(variable) = random.choose(variables) else { return Condition::Constant(true) };
    if random.percent(5) {
        return compare(material, variables, random);
    }
    let (comparison, excluded, wish) = match random.below(6) {
        0 => (AtMost, Greater, Wish::Greater),
        1 => (Less, AtLeast, Wish::Greater),
        2 => (AtLeast, Less, Wish::Smaller),
        3 => (Greater, AtMost, Wish::Smaller),
        _ => (Unequal, Equal, Wish::Any),
    };
    let left = material.operand(variable, random);
    let right = material.literal(variable, wish, random);
    if random.percent(20) {
        // What is excluded leaves NaNs.
        return Condition::Not(Condition::Compare(left, excluded, right).into());
    }
    Condition::Compare(left, comparison, right)
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Constant(value) => write!(f, "{}", u8::from(*value)),
            Condition::Compare(left, comparison, right) => write!(f, "{left} {} {right}", comparison.text()),
            Condition::Not(inner) => write!(f, "!({inner})"),
            Condition::And(left, right) => write!(f, "({left}) && ({right})"),
            Condition::Or(left, right) => write!(f, "({left}) || ({right})"),
        }
    }
}

/// The variables, members and elements in a condition: `x`, `s.m`, `a[2]`.
pub fn names(condition: &str) -> impl Iterator<Item = &str> {
    const TYPE_WORDS: [&str; 8] = ["signed", "unsigned", "char", "short", "int", "long", "float", "double"];
    // Brackets stand only around the constant index of an element.
    let is_part = |character: char| character.is_ascii_alphanumeric() || "_.[]".contains(character);
    let words = condition.split(move |character| !is_part(character));
    // A word that begins with a digit is a number, its suffix and exponent included.
    words.filter(|word| {
        word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && !TYPE_WORDS.contains(word)
    })
}

/// The parts of a condition as it is printed here: the contents of the outermost parentheses of a conjunction, a
/// disjunction or a negation. Empty for everything else.
pub fn parts(text: &str) -> Vec<&str> {
    let Some((first, rest)) = parenthesized(text.strip_prefix('!').unwrap_or(text)) else {
        return Vec::new();
    };
    match rest {
        "" if text.starts_with('!') => vec![first],
        _ => {
            let second = rest.strip_prefix(" && ").or_else(|| rest.strip_prefix(" || "));
            match second.and_then(parenthesized) {
                Some((second, "")) if !text.starts_with('!') => vec![first, second],
                _ => Vec::new(),
            }
        }
    }
}

/// The text inside the parentheses that begin the text, and the text after them.
fn parenthesized(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let mut open = 1usize;
    for (position, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((inner.get(..position)?, inner.get(position + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_numbers_and_types() {
        let found: Vec<&str> = names("((unsigned long)x_1 < 3ULL) && (s.m != 1.5e-7f || a[2] < 1)").collect();
        assert_eq!(found, ["x_1", "s.m", "a[2]"]);
    }

    #[test]
    fn a_printed_condition_is_taken_apart() {
        for (text, expected) in [
            ("(a < 1) && (b == (int)c)", vec!["a < 1", "b == (int)c"]),
            ("((a < 1) || (b != 2)) || (c > d)", vec!["(a < 1) || (b != 2)", "c > d"]),
            ("!(a < 1)", vec!["a < 1"]),
            ("(int)a < 1", vec![]),
            ("(a & 7) < (b | 1)", vec![]),
            ("a < 1", vec![]),
            ("0", vec![]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
