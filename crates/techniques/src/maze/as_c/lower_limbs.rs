//! Operators on vectors of many limbs, composed of the few that have helper functions: bitwise operators, addition,
//! subtraction, multiplication, division and remainder of natural numbers, shifts, `bvult`, `=`, `extract`, `concat`.

use super::AsC;
use super::graph::{Kind, NodeId, What};
use smt::Operator;

impl AsC<'_> {
    /// An operator of which an operand or the result has many limbs.
    pub(super) fn limbs_operator(&mut self, operator: Operator, children: &[NodeId], kind: Kind) -> NodeId {
        use Operator as O;
        let (Some(&x), y) = (children.first(), children.get(1).copied()) else {
            return self.graph.add(What::Apply(operator), children, kind);
        };
        let y = y.unwrap_or(x);
        match operator {
            O::BvSdiv | O::BvSrem | O::BvSmod => self.limbs_division(operator, x, y),
            O::BvUle | O::BvUgt | O::BvUge | O::BvSlt | O::BvSle | O::BvSgt | O::BvSge => {
                self.limbs_order(operator, x, y)
            }
            O::BvNego
            | O::BvUaddo
            | O::BvSaddo
            | O::BvUmulo
            | O::BvSmulo
            | O::BvUsubo
            | O::BvSsubo
            | O::BvSdivo => self.limbs_overflow(operator, x, y),
            O::BvComp | O::BvRedOr | O::BvRedAnd => self.limbs_reduction(operator, x, y),
            O::BvNeg | O::BvNand | O::BvNor | O::BvXnor | O::BvAshr => self.limbs_bitwise(operator, x, y),
            O::ZeroExtend(_) | O::SignExtend(_) | O::Repeat(_) => self.limbs_extension(operator, x),
            O::RotateLeft(_) | O::RotateRight(_) | O::ExtRotateLeft | O::ExtRotateRight => {
                self.limbs_rotation(operator, x, y)
            }
            O::Extract { high, low: 0 } if high + 1 == self.graph.kind(x).width() => x,
            _ => self.graph.add(What::Apply(operator), children, kind),
        }
    }

    fn same_width(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        let kind = self.graph.kind(x);
        self.graph.add(What::Apply(operator), &[x, y], kind)
    }

    fn complement(&mut self, x: NodeId) -> NodeId {
        let kind = self.graph.kind(x);
        self.graph.add(What::Apply(Operator::BvNot), &[x], kind)
    }

    fn literal(&mut self, limbs: Vec<u32>, width: u32) -> NodeId {
        self.graph.add(What::Vector(limbs), &[], Kind::Vector(width))
    }

    fn zero(&mut self, width: u32) -> NodeId {
        self.literal(Vec::new(), width)
    }

    fn ones(&mut self, width: u32) -> NodeId {
        let mut limbs = vec![u32::MAX; (width / 32) as usize];
        if !width.is_multiple_of(32) {
            limbs.push((1 << (width % 32)) - 1);
        }
        self.literal(limbs, width)
    }

    fn sign_bit(&mut self, width: u32) -> NodeId {
        let mut limbs = vec![0; ((width - 1) / 32) as usize];
        limbs.push(1 << ((width - 1) % 32));
        self.literal(limbs, width)
    }

    fn width(&self, x: NodeId) -> u32 {
        self.graph.kind(x).width()
    }

    fn extract(&mut self, x: NodeId, high: u32, low: u32) -> NodeId {
        if low == 0 && high + 1 == self.width(x) {
            return x;
        }
        self.graph.add(What::Apply(Operator::Extract { high, low }), &[x], Kind::Vector(high - low + 1))
    }

    fn concat(&mut self, high: NodeId, low: NodeId) -> NodeId {
        let width = self.width(high) + self.width(low);
        self.graph.add(What::Apply(Operator::Concat), &[high, low], Kind::Vector(width))
    }

    /// Whether the sign bit is set.
    fn is_negative(&mut self, x: NodeId) -> NodeId {
        let sign = self.width(x) - 1;
        let bit = self.extract(x, sign, sign);
        let one = self.literal(vec![1], 1);
        self.truth(Operator::Equal, &[bit, one])
    }

    fn negated(&mut self, x: NodeId) -> NodeId {
        let zero = self.zero(self.width(x));
        self.same_width(Operator::BvSub, zero, x)
    }

    fn negated_if(&mut self, condition: NodeId, x: NodeId) -> NodeId {
        let negated = self.negated(x);
        self.choice(condition, negated, x, self.graph.kind(x))
    }

    fn limbs_division(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        let (x_sign, y_sign) = (self.is_negative(x), self.is_negative(y));
        let (x_magnitude, y_magnitude) = (self.negated_if(x_sign, x), self.negated_if(y_sign, y));
        if operator == Operator::BvSdiv {
            let quotient = self.same_width(Operator::BvUdiv, x_magnitude, y_magnitude);
            let differ = self.truth(Operator::Distinct, &[x_sign, y_sign]);
            return self.negated_if(differ, quotient);
        }
        let remainder = self.same_width(Operator::BvUrem, x_magnitude, y_magnitude);
        let signed = self.negated_if(x_sign, remainder);
        if operator == Operator::BvSrem {
            return signed;
        }
        let zero = self.zero(self.width(x));
        let is_zero = self.truth(Operator::Equal, &[remainder, zero]);
        let agree = self.truth(Operator::Equal, &[x_sign, y_sign]);
        let is_final = self.truth(Operator::Or, &[is_zero, agree]);
        let moved = self.same_width(Operator::BvAdd, signed, y);
        self.choice(is_final, signed, moved, self.graph.kind(x))
    }

    fn limbs_order(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        use Operator as O;
        let (x, y) = match operator {
            O::BvSlt | O::BvSle | O::BvSgt | O::BvSge => {
                let sign = self.sign_bit(self.width(x));
                (self.same_width(O::BvXor, x, sign), self.same_width(O::BvXor, y, sign))
            }
            _ => (x, y),
        };
        match operator {
            O::BvSlt => self.truth(O::BvUlt, &[x, y]),
            O::BvUgt | O::BvSgt => self.truth(O::BvUlt, &[y, x]),
            O::BvUge | O::BvSge => {
                let less = self.truth(O::BvUlt, &[x, y]);
                self.truth(O::Not, &[less])
            }
            _ => {
                let greater = self.truth(O::BvUlt, &[y, x]);
                self.truth(O::Not, &[greater])
            }
        }
    }

    fn limbs_overflow(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        use Operator as O;
        let width = self.width(x);
        match operator {
            O::BvNego => {
                let sign = self.sign_bit(width);
                self.truth(O::Equal, &[x, sign])
            }
            O::BvSdivo => {
                let (sign, ones) = (self.sign_bit(width), self.ones(width));
                let (least, minus_one) = (self.truth(O::Equal, &[x, sign]), self.truth(O::Equal, &[y, ones]));
                self.truth(O::And, &[least, minus_one])
            }
            O::BvUsubo => self.truth(O::BvUlt, &[x, y]),
            O::BvUaddo => {
                let sum = self.same_width(O::BvAdd, x, y);
                self.truth(O::BvUlt, &[sum, x])
            }
            O::BvSaddo | O::BvSsubo => {
                let is_sum = operator == O::BvSaddo;
                let result = self.same_width(if is_sum { O::BvAdd } else { O::BvSub }, x, y);
                let own = self.same_width(O::BvXor, x, result);
                let other = self.same_width(O::BvXor, if is_sum { result } else { x }, y);
                let both = self.same_width(O::BvAnd, own, other);
                self.is_negative(both)
            }
            _ => self.product_overflow(operator, x, y),
        }
    }

    /// A product does not fit if the product of the extended operands is not its extended low half.
    fn product_overflow(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        let width = self.width(x);
        let extension = match operator {
            Operator::BvUmulo => Operator::ZeroExtend(width),
            _ => Operator::SignExtend(width),
        };
        let (x, y) = (self.limbs_extension(extension, x), self.limbs_extension(extension, y));
        let product = self.same_width(Operator::BvMul, x, y);
        let low = self.extract(product, width - 1, 0);
        let extended = self.limbs_extension(extension, low);
        let fits = self.truth(Operator::Equal, &[product, extended]);
        self.truth(Operator::Not, &[fits])
    }

    fn limbs_reduction(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        let (one, zero) = (self.literal(vec![1], 1), self.zero(1));
        let (other, if_equal, if_not) = match operator {
            Operator::BvComp => (y, one, zero),
            Operator::BvRedAnd => (self.ones(self.width(x)), one, zero),
            _ => (self.zero(self.width(x)), zero, one),
        };
        let equal = self.truth(Operator::Equal, &[x, other]);
        self.choice(equal, if_equal, if_not, Kind::Vector(1))
    }

    fn limbs_bitwise(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        let positive = match operator {
            Operator::BvNeg => return self.negated(x),
            Operator::BvAshr => return self.arithmetic_shift(x, y),
            Operator::BvNand => Operator::BvAnd,
            Operator::BvNor => Operator::BvOr,
            _ => Operator::BvXor,
        };
        let result = self.same_width(positive, x, y);
        self.complement(result)
    }

    fn arithmetic_shift(&mut self, x: NodeId, y: NodeId) -> NodeId {
        let inverted = self.complement(x);
        let shifted = self.same_width(Operator::BvLshr, inverted, y);
        let negative = self.complement(shifted);
        let positive = self.same_width(Operator::BvLshr, x, y);
        let sign = self.is_negative(x);
        self.choice(sign, negative, positive, self.graph.kind(x))
    }

    fn limbs_extension(&mut self, operator: Operator, x: NodeId) -> NodeId {
        match operator {
            Operator::ZeroExtend(0) | Operator::SignExtend(0) => x,
            Operator::Repeat(times) => {
                let mut repeated = x;
                for _ in 1..times {
                    repeated = self.concat(x, repeated);
                }
                repeated
            }
            Operator::ZeroExtend(extra) => {
                let zero = self.zero(extra);
                self.concat(zero, x)
            }
            Operator::SignExtend(extra) => {
                let (zero, ones) = (self.zero(extra), self.ones(extra));
                let sign = self.is_negative(x);
                let high = self.choice(sign, ones, zero, Kind::Vector(extra));
                self.concat(high, x)
            }
            _ => x,
        }
    }

    fn limbs_rotation(&mut self, operator: Operator, x: NodeId, y: NodeId) -> NodeId {
        let width = self.width(x);
        let (is_left, fixed) = match operator {
            Operator::RotateLeft(distance) => (true, Some(distance % width)),
            Operator::RotateRight(distance) => (true, Some((width - distance % width) % width)),
            operator => (operator == Operator::ExtRotateLeft, None),
        };
        match fixed {
            Some(0) => x,
            Some(distance) => {
                let high = self.extract(x, width - 1 - distance, 0);
                let low = self.extract(x, width - 1, width - distance);
                self.concat(high, low)
            }
            None => {
                let modulus = self.literal(vec![width], width);
                let distance = self.same_width(Operator::BvUrem, y, modulus);
                let rest = self.same_width(Operator::BvSub, modulus, distance);
                let (left, right) = if is_left { (distance, rest) } else { (rest, distance) };
                let (left, right) =
                    (self.same_width(Operator::BvShl, x, left), self.same_width(Operator::BvLshr, x, right));
                self.same_width(Operator::BvOr, left, right)
            }
        }
    }
}
