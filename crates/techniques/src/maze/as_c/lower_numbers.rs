//! Integers and reals as numerators over known denominators, with an interval for each term.

use super::graph::{Interval, Kind, NodeId, What};
use super::numbers::{product, quotient, type_holding, working_type};
use super::{AsC, Refusal};
use smt::{Operator, TermId};

/// Denominators are not larger than this.
const LARGEST_DENOMINATOR: i128 = 1 << 31;

const TOO_LARGE: &str = "an integer outside `long long`";

impl AsC<'_> {
    /// A literal.
    pub(super) fn number(
        &mut self,
        term: TermId,
        numerator: Option<i128>,
        denominator: Option<i128>,
    ) -> Result<NodeId, Refusal> {
        let (Some(value), Some(denominator)) = (numerator, denominator) else {
            return Err(self.refusal(TOO_LARGE, term));
        };
        let interval = Interval { low: value, high: value, denominator };
        self.numeric(term, What::Number(value), &[], Some(interval))
    }

    /// A node with a number as its value, if a type holds the operands and the result.
    fn numeric(
        &mut self,
        term: TermId,
        what: What,
        children: &[NodeId],
        interval: Option<Interval>,
    ) -> Result<NodeId, Refusal> {
        let held = interval
            .filter(|interval| type_holding(interval.low, interval.high).is_some())
            .filter(|interval| (1..=LARGEST_DENOMINATOR).contains(&interval.denominator));
        let Some(interval) = held else { return Err(self.refusal(TOO_LARGE, term)) };
        self.checked(term, what, children, Kind::Number(interval))
    }

    /// A node of an operator on numbers, if a type holds all that it computes.
    fn checked(
        &mut self,
        term: TermId,
        what: What,
        children: &[NodeId],
        kind: Kind,
    ) -> Result<NodeId, Refusal> {
        let kinds: Vec<Kind> = children.iter().map(|child| self.graph.kind(*child)).collect();
        if working_type(&what, &kinds, kind).is_none() {
            return Err(self.refusal(TOO_LARGE, term));
        }
        Ok(self.graph.add(what, children, kind))
    }

    fn interval(&self, term: TermId, node: NodeId) -> Result<Interval, Refusal> {
        match self.graph.kind(node) {
            Kind::Number(interval) => Ok(interval),
            _ => Err(self.refusal("an operand that is no number", term)),
        }
    }

    /// The same number with a denominator that is a multiple of its own.
    fn over(&mut self, term: TermId, node: NodeId, denominator: i128) -> Result<NodeId, Refusal> {
        let own = self.interval(term, node)?;
        let factor = denominator / own.denominator;
        if factor == 1 {
            return Ok(node);
        }
        let scaled = own.low.checked_mul(factor).zip(own.high.checked_mul(factor));
        let interval = scaled.map(|(low, high)| Interval { low, high, denominator });
        self.numeric(term, What::Times(factor), &[node], interval)
    }

    /// Two numbers over one denominator.
    pub(super) fn same_denominators(
        &mut self,
        term: TermId,
        left: NodeId,
        right: NodeId,
    ) -> Result<(NodeId, NodeId), Refusal> {
        let (one, other) = (self.interval(term, left)?.denominator, self.interval(term, right)?.denominator);
        let common = one / greatest_divisor(one, other) * other;
        Ok((self.over(term, left, common)?, self.over(term, right, common)?))
    }

    /// A comparison of two numbers over one denominator.
    pub(super) fn compared(
        &mut self,
        term: TermId,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Result<NodeId, Refusal> {
        self.checked(term, What::Apply(operator), &[left, right], Kind::Truth)
    }

    /// `ite` of two numbers.
    pub(super) fn number_ite(
        &mut self,
        term: TermId,
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    ) -> Result<NodeId, Refusal> {
        let (then, otherwise) = self.same_denominators(term, then, otherwise)?;
        let (one, other) = (self.interval(term, then)?, self.interval(term, otherwise)?);
        let hull = Interval { low: one.low.min(other.low), high: one.high.max(other.high), ..one };
        self.numeric(term, What::Apply(Operator::Ite), &[condition, then, otherwise], Some(hull))
    }

    /// An operator of Ints, Reals or Reals_Ints.
    pub(super) fn arithmetic(
        &mut self,
        term: TermId,
        operator: Operator,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        use Operator as O;
        let Some((&first, rest)) = children.split_first() else {
            return Err(self.refusal("an operator without operands", term));
        };
        match operator {
            O::LessEqual | O::Less | O::GreaterEqual | O::Greater => self.ordered(term, operator, children),
            O::Negate | O::Abs | O::ToInt | O::IsInt | O::Divisible(_) | O::ToReal => {
                self.number_unary(term, operator, first)
            }
            _ => rest.iter().try_fold(first, |left, right| self.number_binary(term, operator, left, *right)),
        }
    }

    /// A chain of comparisons: each pair of neighbours must hold.
    fn ordered(&mut self, term: TermId, operator: Operator, children: &[NodeId]) -> Result<NodeId, Refusal> {
        let mut parts = Vec::new();
        for pair in children.windows(2) {
            let (left, right) = self.same_denominators(term, pair[0], pair[1])?;
            parts.push(self.compared(term, operator, left, right)?);
        }
        Ok(self.conjunction(&parts))
    }

    fn number_unary(&mut self, term: TermId, operator: Operator, node: NodeId) -> Result<NodeId, Refusal> {
        use Operator as O;
        let own = self.interval(term, node)?;
        let what = What::Apply(operator);
        match operator {
            O::ToReal => Ok(node),
            O::ToInt if own.denominator == 1 => Ok(node),
            O::IsInt | O::Divisible(_) => self.checked(term, what, &[node], Kind::Truth),
            O::ToInt => {
                let floor = |number: i128| number.div_euclid(own.denominator);
                let interval = Interval { low: floor(own.low), high: floor(own.high), denominator: 1 };
                self.numeric(term, what, &[node], Some(interval))
            }
            O::Abs => {
                let high = own.high.max(-own.low);
                let low = if own.low <= 0 && own.high >= 0 { 0 } else { own.low.abs().min(own.high.abs()) };
                self.numeric(term, what, &[node], Some(Interval { low, high, ..own }))
            }
            _ => {
                let interval = Interval { low: -own.high, high: -own.low, ..own };
                self.numeric(term, what, &[node], Some(interval))
            }
        }
    }

    fn number_binary(
        &mut self,
        term: TermId,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Result<NodeId, Refusal> {
        use Operator as O;
        let what = What::Apply(operator);
        match operator {
            O::Add | O::Subtract => {
                let (left, right) = self.same_denominators(term, left, right)?;
                let (one, other) = (self.interval(term, left)?, self.interval(term, right)?);
                let (low, high) = match operator {
                    O::Add => (one.low + other.low, one.high + other.high),
                    _ => (one.low - other.high, one.high - other.low),
                };
                self.numeric(term, what, &[left, right], Some(Interval { low, high, ..one }))
            }
            O::Multiply => {
                let interval = product(self.interval(term, left)?, self.interval(term, right)?);
                self.numeric(term, what, &[left, right], interval)
            }
            O::Divide => self.real_quotient(term, left, right),
            _ => self.integer_quotient(term, operator, left, right),
        }
    }

    /// A real divided by a constant. Other quotients have no denominator that is known.
    fn real_quotient(&mut self, term: TermId, left: NodeId, right: NodeId) -> Result<NodeId, Refusal> {
        let (own, divisor) = (self.interval(term, left)?, self.interval(term, right)?);
        if divisor.low != divisor.high {
            return Err(self.refusal("a quotient of reals by a term that is no constant", term));
        }
        if divisor.low == 0 {
            return Err(self.refusal("a division by zero", term));
        }
        let factor = divisor.denominator * divisor.low.signum();
        let ends = own.low.checked_mul(factor).zip(own.high.checked_mul(factor));
        let denominator = own.denominator.checked_mul(divisor.low.abs());
        let interval = ends.zip(denominator).map(|((one, other), denominator)| Interval {
            low: one.min(other),
            high: one.max(other),
            denominator,
        });
        self.numeric(term, What::Times(factor), &[left], interval)
    }

    /// `div` or `mod`.
    fn integer_quotient(
        &mut self,
        term: TermId,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Result<NodeId, Refusal> {
        let (dividend, divisor) = (self.interval(term, left)?, self.interval(term, right)?);
        if divisor.low <= 0 && divisor.high >= 0 {
            return Err(self.refusal("a division by a term that may be zero", term));
        }
        let largest = divisor.low.abs().max(divisor.high.abs());
        let interval = match operator {
            Operator::Mod => Some(Interval { low: 0, high: largest - 1, denominator: 1 }),
            _ => quotient(dividend, divisor),
        };
        self.numeric(term, What::Apply(operator), &[left, right], interval)
    }

    /// A bit-vector as an integer.
    pub(super) fn number_of_vector(
        &mut self,
        term: TermId,
        operator: Operator,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        let &[node] = children else { return Err(self.refusal("an operator without operands", term)) };
        let width = self.graph.kind(node).width();
        if width > 64 {
            return Err(self.refusal(TOO_LARGE, term));
        }
        let (low, high) = match operator {
            Operator::SbvToInt => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            _ => (0, (1i128 << width) - 1),
        };
        self.numeric(term, What::Apply(operator), &[node], Some(Interval { low, high, denominator: 1 }))
    }

    /// An integer as a bit-vector.
    pub(super) fn vector_of_number(
        &mut self,
        term: TermId,
        operator: Operator,
        width: u32,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        self.checked_width(term, width)?;
        let &[node] = children else { return Err(self.refusal("an operator without operands", term)) };
        let own = self.interval(term, node)?;
        if matches!(operator, Operator::Nat2Bv(_)) && own.low < 0 {
            return Err(self.refusal("`nat2bv` of a term that may be negative", term));
        }
        if width <= 64 {
            return Ok(self.graph.add(What::Apply(operator), &[node], Kind::Vector(width)));
        }
        let low = self.graph.add(What::Apply(Operator::IntToBv(64)), &[node], Kind::Vector(64));
        self.vector_operator(term, Operator::SignExtend(width - 64), &[low])
    }
}

fn greatest_divisor(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
