//! Literals: integers of any size and exact decimals, each kept once in a side table.

use crate::term::intern::{InternTable, hash_of};
use num_bigint::BigInt;
use num_rational::BigRational;

/// An integer in the side table of a [`crate::Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntegerId(pub(crate) u32);

/// A decimal in the side table of a [`crate::Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecimalId(pub(crate) u32);

/// A decimal literal: the digits as they were read, and the exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The text, such as `1.50`.
    pub digits: Box<str>,
    /// The exact value.
    pub value: BigRational,
}

/// The side tables of literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    integers: Vec<BigInt>,
    integer_table: InternTable,
    decimals: Vec<Decimal>,
    decimal_table: InternTable,
}

impl Literals {
    pub(crate) fn intern_integer(&mut self, value: &BigInt) -> IntegerId {
        let hash = hash_of(value);
        if let Some(number) = self.integer_table.find(hash, |number| self.integers[number as usize] == *value)
        {
            return IntegerId(number);
        }
        self.integers.push(value.clone());
        let number = (self.integers.len() - 1) as u32;
        self.integer_table.insert(hash, number);
        IntegerId(number)
    }

    pub(crate) fn intern_decimal(&mut self, digits: &str) -> Option<DecimalId> {
        let hash = hash_of(digits.as_bytes());
        let same = |number: u32| &*self.decimals[number as usize].digits == digits;
        if let Some(number) = self.decimal_table.find(hash, same) {
            return Some(DecimalId(number));
        }
        let value = decimal_value(digits)?;
        self.decimals.push(Decimal { digits: digits.into(), value });
        let number = (self.decimals.len() - 1) as u32;
        self.decimal_table.insert(hash, number);
        Some(DecimalId(number))
    }

    pub(crate) fn integer(&self, id: IntegerId) -> &BigInt {
        &self.integers[id.0 as usize]
    }

    pub(crate) fn decimal(&self, id: DecimalId) -> &Decimal {
        &self.decimals[id.0 as usize]
    }
}

/// The exact value of digits with one point in them, such as `12.50`.
fn decimal_value(digits: &str) -> Option<BigRational> {
    let (whole, fraction) = digits.split_once('.')?;
    if whole.is_empty() || fraction.is_empty() {
        return None;
    }
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let numerator: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let denominator = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(numerator, denominator))
}
