//! Intervals of integers: which values an expression can have.

/// The integers from `low` to `high`, both included. Wide enough for every value of a 64-bit type, signed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Interval {
    pub(super) const fn new(low: i128, high: i128) -> Interval {
        Interval { low, high }
    }

    pub(super) const fn exactly(value: i128) -> Interval {
        Interval { low: value, high: value }
    }

    /// The values of comparisons.
    pub(super) const TRUTH: Interval = Interval::new(0, 1);

    pub(super) fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    pub(super) fn is_inside(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub(super) fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub(super) fn add(self, other: Interval) -> Interval {
        Interval::new(self.low + other.low, self.high + other.high)
    }

    pub(super) fn subtract(self, other: Interval) -> Interval {
        Interval::new(self.low - other.high, self.high - other.low)
    }

    pub(super) fn multiply(self, other: Interval) -> Interval {
        corners(self, other, i128::saturating_mul)
    }

    pub(super) fn negate(self) -> Interval {
        Interval::new(-self.high, -self.low)
    }

    /// Quotients by divisors that are not zero.
    pub(super) fn divide(self, other: Interval) -> Interval {
        if other.contains(0) {
            // Dividing by a nonzero number never increases the magnitude.
            let magnitude = self.magnitude();
            return Interval::new(-magnitude, magnitude);
        }
        corners(self, other, |left, right| left / right)
    }

    /// Remainders by divisors that are not zero. They have the sign of the dividend.
    pub(super) fn remainder(self, other: Interval) -> Interval {
        // In unreachable code, a divisor may be known both to be zero and not to be zero.
        let largest = (other.magnitude() - 1).max(0);
        let low = if self.low < 0 { (-largest).max(self.low) } else { 0 };
        let high = if self.high > 0 { largest.min(self.high) } else { 0 };
        Interval::new(low, high)
    }

    pub(super) fn and(self, other: Interval) -> Interval {
        match (self.low >= 0, other.low >= 0) {
            (true, true) => Interval::new(0, self.high.min(other.high)),
            (true, false) => Interval::new(0, self.high),
            (false, true) => Interval::new(0, other.high),
            (false, false) => self.any_bits(other),
        }
    }

    /// All values that have no more bits than those of the two intervals: for `|` and `^`.
    pub(super) fn any_bits(self, other: Interval) -> Interval {
        let both = self.hull(other);
        let mut limit: i128 = 1;
        while limit <= both.high || -limit > both.low {
            limit *= 2;
        }
        Interval::new(if both.low < 0 { -limit } else { 0 }, limit - 1)
    }

    /// Right shifts by counts in `counts`, which is not negative.
    pub(super) fn shift_right(self, counts: Interval) -> Interval {
        let (few, many) = (counts.low as u32, counts.high as u32);
        let low = if self.low < 0 { self.low >> few } else { self.low >> many };
        let high = if self.high < 0 { self.high >> many } else { self.high >> few };
        Interval::new(low, high)
    }

    /// Left shifts of values that are not negative, by counts below 64.
    pub(super) fn shift_left(self, counts: Interval) -> Interval {
        let scale = |value: i128, count: i128| value.saturating_mul(1 << count);
        Interval::new(scale(self.low, counts.low), scale(self.high, counts.high))
    }

    /// The greatest magnitude.
    pub(super) fn magnitude(self) -> i128 {
        (-self.low).max(self.high)
    }
}

fn corners(left: Interval, right: Interval, operation: impl Fn(i128, i128) -> i128) -> Interval {
    let first = operation(left.low, right.low);
    let second = operation(left.low, right.high);
    let third = operation(left.high, right.low);
    let fourth = operation(left.high, right.high);
    Interval::new(first.min(second).min(third.min(fourth)), first.max(second).max(third.max(fourth)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on small intervals must contain every value that C computes.
    #[test]
    fn intervals_hold_all_results() {
        for (low, high) in [(-9, -3), (-5, 4), (0, 7), (2, 9), (-1, 0), (6, 6)] {
            for (other_low, other_high) in [(-8, -1), (-3, 5), (0, 3), (1, 6), (5, 5)] {
                let (left, right) = (Interval::new(low, high), Interval::new(other_low, other_high));
                for a in low..=high {
                    for b in other_low..=other_high {
                        check(left, right, a, b);
                    }
                }
            }
        }
    }

    #[test]
    fn remainders_by_nothing_are_an_interval() {
        for (low, high) in [(-9, -3), (-5, 4), (2, 9)] {
            let remainders = Interval::new(low, high).remainder(Interval::exactly(0));
            assert!(remainders.low <= remainders.high, "{remainders:?}");
        }
    }

    fn check(left: Interval, right: Interval, a: i128, b: i128) {
        assert!(left.add(right).contains(a + b));
        assert!(left.subtract(right).contains(a - b));
        assert!(left.multiply(right).contains(a * b));
        assert!(left.and(right).contains(a & b));
        assert!(left.any_bits(right).contains(a | b));
        assert!(left.any_bits(right).contains(a ^ b));
        assert!(left.negate().contains(-a));
        if b != 0 {
            assert!(left.divide(right).contains(a / b), "{a} / {b} in {left:?} {right:?}");
            assert!(left.remainder(right).contains(a % b), "{a} % {b} in {left:?} {right:?}");
        }
        if right.low >= 0 {
            assert!(left.shift_right(right).contains(a >> b));
            if left.low >= 0 {
                assert!(left.shift_left(right).contains(a << b));
            }
        }
    }
}
