//! Changes that make a condition stronger or weaker, or rephrase it.
//!
//! Every change rests on facts that hold for all operands, floating ones included. P ∧ Q implies P. P implies P ∨ Q.
//! Between *identical* operands `<` implies `<=` and `!=`, `>` implies `>=` and `!=`, `==` implies `<=` and `>=`. What
//! is weaker below a negation is stronger above it. `a < b` is `b > a`, `a != b` is `!(a == b)`, and De Morgan's laws
//! hold. Moving a constant is no such fact (`x < -1` to `x < 0` goes from true to false for an unsigned `x`), and
//! `!(a < b)` is not `a >= b` where there are NaNs.

use super::Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
use super::{Comparison, Condition};
use model::Random;

/// A condition with more comparisons than this is not made longer.
const MOST_COMPARISONS: usize = 8;

/// Percentage of changes that go into a part, where there are parts.
const INSIDE: usize = 50;
/// Percentage of changes that add something new.
const WIDENED: usize = 40;
/// Percentage of the other changes that say the same in other words.
const RESTATED: usize = 25;

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

    /// What implies it between the same operands, other than itself. Comparisons that exclude little are listed more often.
    fn implying(self) -> &'static [Comparison] {
        match self {
            AtMost => &[Less, Less, Less, Equal],
            AtLeast => &[Greater, Greater, Greater, Equal],
            Unequal => &[Less, Greater],
            Less | Greater | Equal => &[],
        }
    }

    /// The same between the operands in the other order.
    fn mirrored(self) -> Comparison {
        match self {
            Less => Greater,
            AtMost => AtLeast,
            Greater => Less,
            AtLeast => AtMost,
            Equal | Unequal => self,
        }
    }

    /// What holds exactly where it does not; none where a NaN satisfies neither.
    fn negated(self) -> Option<Comparison> {
        match self {
            Equal => Some(Unequal),
            Unequal => Some(Equal),
            Less | AtMost | Greater | AtLeast => None,
        }
    }
}

impl Condition {
    /// A condition that implies this one or is implied by it, perhaps with the other as a new part; `None` if the way
    /// chosen leads nowhere.
    pub fn changed(&self, direction: Direction, other: Condition, random: &mut Random) -> Option<Condition> {
        // A constant never becomes a part: some front ends drop checks that they see to be constant.
        let is_constant = matches!(other, Condition::Constant(_));
        if let Condition::Constant(value) = self {
            let replaced = *value == (direction == Direction::Stronger) && !is_constant;
            return replaced.then_some(other);
        }
        let widens = self.comparisons() < MOST_COMPARISONS && !is_constant;
        self.changed_somewhere(direction, widens.then_some(other), random)
    }

    /// Changes the whole or one of its parts.
    fn changed_somewhere(
        &self,
        direction: Direction,
        other: Option<Condition>,
        random: &mut Random,
    ) -> Option<Condition> {
        let goes_inside = random.percent(INSIDE);
        match self {
            Condition::Not(inner) if goes_inside => {
                Some(Condition::Not(inner.changed_somewhere(direction.opposite(), other, random)?.into()))
            }
            Condition::And(left, right) if goes_inside => {
                let (left, right) = one_changed(left, right, direction, other, random)?;
                Some(Condition::And(left, right))
            }
            Condition::Or(left, right) if goes_inside => {
                let (left, right) = one_changed(left, right, direction, other, random)?;
                Some(Condition::Or(left, right))
            }
            _ => self.changed_here(direction, other, random),
        }
    }

    fn changed_here(
        &self,
        direction: Direction,
        other: Option<Condition>,
        random: &mut Random,
    ) -> Option<Condition> {
        match other {
            Some(other) if random.percent(WIDENED) => return Some(self.widened(direction, other, random)),
            _ => {}
        }
        if random.percent(RESTATED) {
            return self.restated(random);
        }
        match (self, direction) {
            (Condition::Compare(left, comparison, right), _) => {
                let choices = match direction {
                    Direction::Stronger => comparison.implying(),
                    Direction::Weaker => comparison.implied(),
                };
                let chosen = *random.choose(choices)?;
                Some(Condition::Compare(left.clone(), chosen, right.clone()))
            }
            // One part alone is weaker than both together and stronger than either.
            (Condition::And(left, right), Direction::Weaker)
            | (Condition::Or(left, right), Direction::Stronger) => {
                Some(if random.coin() { (**left).clone() } else { (**right).clone() })
            }
            _ => None,
        }
    }

    fn widened(&self, direction: Direction, other: Condition, random: &mut Random) -> Condition {
        let (this, other) = (Box::new(self.clone()), Box::new(other));
        let (left, right) = if random.coin() { (this, other) } else { (other, this) };
        match direction {
            Direction::Stronger => Condition::And(left, right),
            Direction::Weaker => Condition::Or(left, right),
        }
    }

    /// The same in other words; none for a constant.
    pub fn restated(&self, random: &mut Random) -> Option<Condition> {
        match self {
            Condition::Constant(_) => None,
            Condition::Compare(left, comparison, right) => Some(match comparison.negated() {
                Some(negated) if random.coin() => {
                    Condition::Not(Condition::Compare(left.clone(), negated, right.clone()).into())
                }
                _ => Condition::Compare(right.clone(), comparison.mirrored(), left.clone()),
            }),
            Condition::And(left, right) if random.coin() => Some(Condition::And(right.clone(), left.clone())),
            Condition::Or(left, right) if random.coin() => Some(Condition::Or(right.clone(), left.clone())),
            Condition::And(..) | Condition::Or(..) => Some(Condition::Not(self.denied().into())),
            Condition::Not(inner) => Some(inner.denied()),
        }
    }

    /// What holds exactly where this does not, with the negation as far inside as it goes in one step.
    fn denied(&self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Compare(left, comparison, right) => match comparison.negated() {
                Some(negated) => Condition::Compare(left.clone(), negated, right.clone()),
                None => Condition::Not(
                    Condition::Compare(right.clone(), comparison.mirrored(), left.clone()).into(),
                ),
            },
            Condition::Not(inner) => (**inner).clone(),
            Condition::And(left, right) => Condition::Or(negation(left), negation(right)),
            Condition::Or(left, right) => Condition::And(negation(left), negation(right)),
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

/// The negation of a condition, without a double one.
fn negation(condition: &Condition) -> Box<Condition> {
    match condition {
        Condition::Not(inner) => inner.clone(),
        _ => Box::new(Condition::Not(condition.clone().into())),
    }
}

/// Both parts, one of them changed.
fn one_changed(
    left: &Condition,
    right: &Condition,
    direction: Direction,
    other: Option<Condition>,
    random: &mut Random,
) -> Option<(Box<Condition>, Box<Condition>)> {
    let goes_left = random.coin();
    let chosen = if goes_left { left } else { right };
    let changed = Box::new(chosen.changed_somewhere(direction, other, random)?);
    Some(if goes_left { (changed, Box::new(right.clone())) } else { (Box::new(left.clone()), changed) })
}

#[cfg(test)]
mod tests {
    use super::super::COMPARISONS;
    use super::*;

    const VALUES: [f64; 7] = [f64::NAN, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 2.5, f64::INFINITY];

    fn compares(comparison: Comparison, left: f64, right: f64) -> bool {
        match comparison {
            Less => left < right,
            AtMost => left <= right,
            Greater => left > right,
            AtLeast => left >= right,
            Equal => left == right,
            Unequal => left != right,
        }
    }

    /// The value of a condition over `x` and `y`.
    fn holds(condition: &Condition, x: f64, y: f64) -> bool {
        let value = |name: &str| if name == "x" { x } else { y };
        match condition {
            Condition::Constant(value) => *value,
            Condition::Compare(left, comparison, right) => compares(*comparison, value(left), value(right)),
            Condition::Not(inner) => !holds(inner, x, y),
            Condition::And(left, right) => holds(left, x, y) && holds(right, x, y),
            Condition::Or(left, right) => holds(left, x, y) || holds(right, x, y),
        }
    }

    fn drawn(depth: usize, random: &mut Random) -> Condition {
        let part = |random: &mut Random| Box::new(drawn(depth.saturating_sub(1), random));
        match if depth == 0 { 9 } else { random.below(10) } {
            0 => Condition::Constant(random.coin()),
            1 | 2 => Condition::Not(part(random)),
            3 | 4 => Condition::And(part(random), part(random)),
            5 | 6 => Condition::Or(part(random), part(random)),
            _ => {
                let name = |random: &mut Random| if random.coin() { "x" } else { "y" }.into();
                Condition::Compare(name(random), *random.choose(&COMPARISONS).unwrap(), name(random))
            }
        }
    }

    fn all_values() -> impl Iterator<Item = (f64, f64)> {
        VALUES.into_iter().flat_map(|x| VALUES.into_iter().map(move |y| (x, y)))
    }

    /// On all pairs of a few values with NaN among them.
    #[test]
    fn changes_go_the_way_they_say() {
        let mut random = Random::for_case(3, 3);
        let mut changes = 0;
        for _ in 0..20_000 {
            let condition = drawn(3, &mut random);
            for direction in [Direction::Stronger, Direction::Weaker] {
                let other = drawn(1, &mut random);
                let Some(changed) = condition.changed(direction, other, &mut random) else { continue };
                changes += 1;
                for (x, y) in all_values() {
                    let (before, after) = (holds(&condition, x, y), holds(&changed, x, y));
                    let implied = match direction {
                        Direction::Stronger => !after || before,
                        Direction::Weaker => !before || after,
                    };
                    assert!(implied, "{direction:?}: {condition} to {changed} at {x}, {y}");
                }
            }
        }
        assert!(changes > 20_000, "{changes}");
    }

    #[test]
    fn other_words_say_the_same() {
        let mut random = Random::for_case(4, 4);
        for _ in 0..20_000 {
            let condition = drawn(3, &mut random);
            let Some(restated) = condition.restated(&mut random) else { continue };
            for (x, y) in all_values() {
                assert_eq!(
                    holds(&condition, x, y),
                    holds(&restated, x, y),
                    "{condition} as {restated} at {x}, {y}"
                );
            }
        }
    }
}
