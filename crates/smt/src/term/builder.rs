//! Builds common terms: constants, literals and the Boolean connectives.

use crate::term::head::Head;
use crate::term::operator::Operator;
use crate::term::sort::SortId;
use crate::term::sort_check::SortError;
use crate::term::{TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed};

impl Terms {
    /// `true`.
    pub fn true_(&mut self) -> TermId {
        self.make_literal(Head::Operator(Operator::True), SortId::BOOL)
    }

    /// `false`.
    pub fn false_(&mut self) -> TermId {
        self.make_literal(Head::Operator(Operator::False), SortId::BOOL)
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, value: bool) -> TermId {
        if value { self.true_() } else { self.false_() }
    }

    /// An application of an operator.
    pub fn apply(&mut self, operator: Operator, children: &[TermId]) -> Result<TermId, SortError> {
        self.make(Head::Operator(operator), children)
    }

    /// `(not t)`.
    pub fn not(&mut self, term: TermId) -> Result<TermId, SortError> {
        self.apply(Operator::Not, &[term])
    }

    /// `(and ...)`, or the term itself if it is alone, or `true`.
    pub fn and(&mut self, terms: &[TermId]) -> Result<TermId, SortError> {
        match terms {
            [] => Ok(self.true_()),
            [term] => Ok(*term),
            _ => self.apply(Operator::And, terms),
        }
    }

    /// `(or ...)`, or the term itself if it is alone, or `false`.
    pub fn or(&mut self, terms: &[TermId]) -> Result<TermId, SortError> {
        match terms {
            [] => Ok(self.false_()),
            [term] => Ok(*term),
            _ => self.apply(Operator::Or, terms),
        }
    }

    /// `(= left right)`.
    pub fn equal(&mut self, left: TermId, right: TermId) -> Result<TermId, SortError> {
        self.apply(Operator::Equal, &[left, right])
    }

    /// `(ite condition then otherwise)`.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Result<TermId, SortError> {
        self.apply(Operator::Ite, &[condition, then, otherwise])
    }

    /// A term of sort Int for any integer; a negative one is `(- n)`.
    pub fn integer(&mut self, value: &BigInt) -> TermId {
        let magnitude = self.intern_integer(&value.abs());
        let term = self.make_literal(Head::Numeral { value: magnitude, real: false }, SortId::INT);
        if value.is_negative() { self.negate(term, SortId::INT) } else { term }
    }

    /// A term of sort Real for any rational, such as `(- (/ 1.0 3.0))`.
    pub fn rational(&mut self, value: &BigRational) -> TermId {
        let magnitude = value.abs();
        let mut term = self.whole_decimal(magnitude.numer());
        if !magnitude.denom().is_one() {
            let denominator = self.whole_decimal(magnitude.denom());
            let (head, children) = (Head::Operator(Operator::Divide), [term, denominator]);
            term = self.make_checked(head, &children, SortId::REAL);
        }
        if value.is_negative() { self.negate(term, SortId::REAL) } else { term }
    }

    /// A bit-vector literal; the value is taken modulo 2^width.
    pub fn bitvec(&mut self, width: u32, value: &BigInt) -> TermId {
        // Most values fit, and computing a modulus of an absurd width would exhaust memory.
        let fits = !value.is_negative() && value.bits() <= u64::from(width);
        let value = if fits { value.clone() } else { value.mod_floor(&(BigInt::one() << width)) };
        let value = self.intern_integer(&value);
        let sort = self.bitvec_sort(width);
        self.make_literal(Head::BitVec { width, value }, sort)
    }

    fn make_literal(&mut self, head: Head, sort: SortId) -> TermId {
        self.make_checked(head, &[], sort)
    }

    fn negate(&mut self, term: TermId, sort: SortId) -> TermId {
        self.make_checked(Head::Operator(Operator::Negate), &[term], sort)
    }

    fn whole_decimal(&mut self, value: &BigInt) -> TermId {
        let digits = format!("{value}.0");
        match self.intern_decimal(&digits) {
            Some(decimal) => self.make_literal(Head::Decimal(decimal), SortId::REAL),
            None => {
                let value = self.intern_integer(value);
                self.make_literal(Head::Numeral { value, real: true }, SortId::REAL)
            }
        }
    }
}
