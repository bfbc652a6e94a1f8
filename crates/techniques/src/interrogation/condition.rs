//! Conditions: comparisons over variables and constants, and what makes them stronger or weaker.
//!
//! Every change rests on one of three facts that hold for all operands, floating ones included:
//! P ∧ Q implies P; P implies P ∨ Q; and between *identical* operands `<` implies `<=` and `!=`, `>` implies `>=` and
//! `!=`, `==` implies `<=` and `>=`. Moving a constant is no such fact (`x < -1` to `x < 0` goes from true to false
//! for an unsigned `x`), and `!(a < b)` is not `a >= b` where there are NaNs.

use super::material::{Material, Number, Variable, Wish};
use model::Random;
use std::fmt;
use std::sync::Arc;

/// A condition with more comparisons than this is not made longer.
const MOST_COMPARISONS: usize = 8;

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
    /// What it implies between the same operands, other than itself.
    fn implied(self) -> &'static [Comparison] {
        match self {
            Less => &[AtMost, Unequal],
            Greater => &[AtLeast, Unequal],
            Equal => &[AtMost, AtLeast],
            AtMost | AtLeast | Unequal => &[],
        }
    }

    /// What implies it between the same operands, other than itself.
    fn implying(self) -> &'static [Comparison] {
        match self {
            AtMost => &[Less, Equal],
            AtLeast => &[Greater, Equal],
            Unequal => &[Less, Greater],
            Less | Greater | Equal => &[],
        }
    }

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

/// Which way a condition is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into one that implies it.
    Stronger,
    /// Into one that it implies.
    Weaker,
}

impl Direction {
    fn opposite(self) -> Direction {
        match self {
            Direction::Stronger => Direction::Weaker,
            Direction::Weaker => Direction::Stronger,
        }
    }
}

impl Condition {
    /// A random condition for a check at a place with these variables.
    pub fn draw(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
        if variables.is_empty() || random.percent(4) {
            // A check of `0` asks whether its place can be reached.
            return Condition::Constant(random.percent(10));
        }
        let first = compare(material, variables, &COMPARISONS, random);
        match random.below(10) {
            0 => Condition::Not(Box::new(first)),
            1 | 2 => Condition::And(first.into(), compare(material, variables, &COMPARISONS, random).into()),
            3 => Condition::Or(first.into(), compare(material, variables, &COMPARISONS, random).into()),
            _ => first,
        }
    }

    /// A random condition for an assumption. Most leave many executions, lest all that follows is dead.
    pub fn draw_lenient(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
        if variables.is_empty() {
            return Condition::Constant(true);
        }
        let first = lenient(material, variables, random);
        match random.below(10) {
            0 | 1 => Condition::And(first.into(), lenient(material, variables, random).into()),
            2..5 => Condition::Or(first.into(), compare(material, variables, &COMPARISONS, random).into()),
            _ => first,
        }
    }

    /// One of the comparisons in it, with another operator: what a program speaks of already tells more than what is
    /// drawn from nothing.
    pub fn retold(&self, random: &mut Random) -> Option<Condition> {
        let mut part = self;
        loop {
            part = match part {
                Condition::Constant(_) => return None,
                Condition::Compare(left, _, right) => {
                    let comparison = *random.choose(&COMPARISONS)?;
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

    /// A condition that implies this one or is implied by it, perhaps with the other as a new part; none if the way
    /// chosen leads nowhere.
    pub fn changed(&self, direction: Direction, other: Condition, random: &mut Random) -> Option<Condition> {
        // A constant never becomes a part: some front ends drop checks that they see to be constant.
        if let Condition::Constant(value) = self {
            let replaced = *value == (direction == Direction::Stronger) && *self != other;
            return (replaced && !matches!(other, Condition::Constant(_))).then_some(other);
        }
        let widens = self.comparisons() < MOST_COMPARISONS && !matches!(other, Condition::Constant(_));
        if widens && random.percent(40) {
            let other = Box::new(other);
            let this = Box::new(self.clone());
            let (left, right) = if random.coin() { (this, other) } else { (other, this) };
            return Some(match direction {
                Direction::Stronger => Condition::And(left, right),
                Direction::Weaker => Condition::Or(left, right),
            });
        }
        self.changed_inside(direction, random)
    }

    /// The same without anything new.
    fn changed_inside(&self, direction: Direction, random: &mut Random) -> Option<Condition> {
        match (self, direction) {
            (Condition::Compare(left, comparison, right), _) => {
                let choices = match direction {
                    Direction::Stronger => comparison.implying(),
                    Direction::Weaker => comparison.implied(),
                };
                let chosen = *random.choose(choices)?;
                Some(Condition::Compare(left.clone(), chosen, right.clone()))
            }
            (Condition::Not(inner), _) => {
                let inner = inner.changed_inside(direction.opposite(), random)?;
                Some(Condition::Not(Box::new(inner)))
            }
            // One part alone is weaker than both together and stronger than either.
            (Condition::And(left, right), Direction::Weaker)
            | (Condition::Or(left, right), Direction::Stronger)
                if random.coin() =>
            {
                Some(if random.coin() { (**left).clone() } else { (**right).clone() })
            }
            (Condition::And(left, right), _) => {
                let (left, right) = one_changed(left, right, direction, random)?;
                Some(Condition::And(left, right))
            }
            (Condition::Or(left, right), _) => {
                let (left, right) = one_changed(left, right, direction, random)?;
                Some(Condition::Or(left, right))
            }
            (Condition::Constant(_), _) => None,
        }
    }

    /// How many comparisons it holds.
    fn comparisons(&self) -> usize {
        match self {
            Condition::Constant(_) => 0,
            Condition::Compare(..) => 1,
            Condition::Not(inner) => inner.comparisons(),
            Condition::And(left, right) | Condition::Or(left, right) => {
                left.comparisons() + right.comparisons()
            }
        }
    }
}

/// Both parts, one of them changed.
fn one_changed(
    left: &Condition,
    right: &Condition,
    direction: Direction,
    random: &mut Random,
) -> Option<(Box<Condition>, Box<Condition>)> {
    if random.coin() {
        Some((Box::new(left.changed_inside(direction, random)?), Box::new(right.clone())))
    } else {
        Some((Box::new(left.clone()), Box::new(right.changed_inside(direction, random)?)))
    }
}

/// A random comparison that reads at least one variable.
fn compare(
    material: &Material,
    variables: &[Variable],
    comparisons: &[Comparison],
    random: &mut Random,
) -> Condition {
    let Some(variable) = random.choose(variables) else { return Condition::Constant(true) };
    let comparison = random.choose(comparisons).copied().unwrap_or(Equal);
    let left = material.operand(variable, random);
    let right = match random.choose(variables) {
        Some(other) if random.percent(40) && (other != variable || is_real(other)) => {
            material.operand(other, random)
        }
        _ => material.literal(variable.number, Wish::Any, random),
    };
    if random.percent(90) {
        Condition::Compare(left, comparison, right)
    } else {
        Condition::Compare(right, comparison, left)
    }
}

/// Only a NaN differs from itself.
fn is_real(variable: &Variable) -> bool {
    matches!(variable.number, Number::Real { .. })
}

/// A random comparison that most values satisfy.
fn lenient(material: &Material, variables: &[Variable], random: &mut Random) -> Condition {
    let Some(variable) = random.choose(variables) else { return Condition::Constant(true) };
    if random.percent(15) {
        return compare(material, variables, &[AtMost, AtLeast, Unequal, Less, Greater, Equal], random);
    }
    let (comparison, wish) = match random.below(6) {
        0 => (AtMost, Wish::Greater),
        1 => (Less, Wish::Greater),
        2 => (AtLeast, Wish::Smaller),
        3 => (Greater, Wish::Smaller),
        _ => (Unequal, Wish::Any),
    };
    let left = material.operand(variable, random);
    Condition::Compare(left, comparison, material.literal(variable.number, wish, random))
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

/// The parts of a condition as it is printed here: what stands in the outermost parentheses of a conjunction, a
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

/// What stands inside the parentheses that begin the text, and what follows them.
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

    /// Every comparison, on all pairs of a few values with NaN among them, read as `double`.
    #[test]
    fn what_is_implied_holds_for_all_values() {
        let values = [f64::NAN, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 2.5, f64::INFINITY];
        let holds = |comparison, left: f64, right: f64| match comparison {
            Less => left < right,
            AtMost => left <= right,
            Greater => left > right,
            AtLeast => left >= right,
            Equal => left == right,
            Unequal => left != right,
        };
        for comparison in COMPARISONS {
            for (left, right) in values.iter().flat_map(|left| values.iter().map(|right| (*left, *right))) {
                let here = holds(comparison, left, right);
                for weaker in comparison.implied() {
                    assert!(!here || holds(*weaker, left, right), "{comparison:?} {weaker:?} {left} {right}");
                }
                for stronger in comparison.implying() {
                    assert!(
                        !holds(*stronger, left, right) || here,
                        "{stronger:?} {comparison:?} {left} {right}"
                    );
                }
            }
        }
    }
}
