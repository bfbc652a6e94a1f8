//! Values worth trying: boundaries, the constants of a script and their neighbours, small rationals.

use crate::evaluate::bitvector_arithmetic::{all_ones, sign_bit};
use crate::script::Script;
use crate::term::sort::{Sort, SortId};
use crate::term::{Head, TermId};
use crate::value::Value;
use crate::value::domain::Domains;
use model::Random;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// Which values an assignment prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// False, zero, one element.
    Zeros,
    /// Powers of two and their neighbours, extreme bit-vectors.
    Boundaries,
    /// The constants of the script and their neighbours.
    Constants,
    /// Small integers, and rationals such as 1/2, -1/2, 1/3, 3/2.
    Small,
    /// Usually one value for all symbols of a sort.
    Equal,
    /// All of the above, chosen again for every value.
    Mixed,
}

impl Flavour {
    /// All flavours.
    pub const ALL: [Flavour; 6] = [
        Flavour::Mixed,
        Flavour::Zeros,
        Flavour::Small,
        Flavour::Constants,
        Flavour::Equal,
        Flavour::Boundaries,
    ];
}

/// More constants than this are not collected, which keeps drawing cheap.
const MOST_CONSTANTS: usize = 2000;

/// The constants of a script.
#[derive(Clone, Debug)]
pub struct ValuePool {
    integers: Vec<BigInt>,
    rationals: Vec<BigRational>,
    vectors: BTreeMap<u32, Vec<BigUint>>,
}

impl ValuePool {
    /// Collects the literals of a script.
    pub fn new(script: &Script) -> ValuePool {
        let mut integers = BTreeSet::new();
        let mut rationals = BTreeSet::new();
        let mut vectors: BTreeMap<u32, BTreeSet<BigUint>> = BTreeMap::new();
        for index in 0..script.terms.len() as u32 {
            match script.terms.head(TermId(index)) {
                Head::Numeral { value, .. } if integers.len() < MOST_CONSTANTS => {
                    integers.insert(script.terms.integer_value(value).clone());
                }
                Head::Decimal(decimal) if rationals.len() < MOST_CONSTANTS => {
                    rationals.insert(script.terms.decimal_value(decimal).value.clone());
                }
                Head::BitVec { width, value } => {
                    let list = vectors.entry(width).or_default();
                    if list.len() < MOST_CONSTANTS {
                        list.extend(script.terms.integer_value(value).to_biguint());
                    }
                }
                _ => {}
            }
        }
        rationals.extend(integers.iter().cloned().map(BigRational::from_integer));
        ValuePool {
            integers: integers.into_iter().collect(),
            rationals: rationals.into_iter().collect(),
            vectors: vectors.into_iter().map(|(width, list)| (width, list.into_iter().collect())).collect(),
        }
    }

    /// A value of a sort, or `None` if the sort is not evaluated.
    pub fn draw(
        &self,
        script: &Script,
        domains: Domains<'_>,
        sort: SortId,
        flavour: Flavour,
        random: &mut Random,
    ) -> Option<Value> {
        let flavour = match flavour {
            Flavour::Mixed => *random.choose(&Flavour::ALL[1..]).unwrap_or(&Flavour::Small),
            Flavour::Equal => *random.choose(&Flavour::ALL[2..4]).unwrap_or(&Flavour::Small),
            flavour => flavour,
        };
        let default = domains.default_value(sort)?;
        if flavour == Flavour::Zeros {
            return Some(default);
        }
        match script.terms.sort_of(sort) {
            Sort::Bool => Some(Value::Bool(random.coin())),
            Sort::Int => Some(Value::Int(self.integer(flavour, random))),
            Sort::Real => Some(Value::Real(self.rational(flavour, random))),
            Sort::BitVec(width) => Some(Value::bitvec(*width, self.vector(*width, flavour, random))),
            Sort::Declared { .. } => {
                let index = random.below(domains.universe(sort) as usize) as u32;
                Some(Value::Element { sort, index })
            }
            Sort::Array(index, element) => {
                let default = self.draw(script, domains, *element, flavour, random)?;
                let mut entries = BTreeMap::new();
                for _ in 0..random.below(4) {
                    let key = self.draw(script, domains, *index, flavour, random)?;
                    entries.insert(key, self.draw(script, domains, *element, flavour, random)?);
                }
                Some(domains.array(*index, *element, default, entries))
            }
            Sort::Opaque(_) => None,
        }
    }

    fn integer(&self, flavour: Flavour, random: &mut Random) -> BigInt {
        let small = |random: &mut Random| BigInt::from(random.below(9)) - 4;
        let magnitude: BigInt = match flavour {
            Flavour::Boundaries => {
                let exponent = *random.choose(&[7u32, 8, 15, 16, 31, 32, 53, 63, 64, 128]).unwrap_or(&8);
                (BigInt::one() << exponent) + random.below(3) - 1
            }
            Flavour::Constants => match random.choose(&self.integers) {
                Some(constant) => constant + random.below(3) - 1,
                None => small(random),
            },
            _ => small(random),
        };
        if random.percent(30) { -magnitude } else { magnitude }
    }

    fn rational(&self, flavour: Flavour, random: &mut Random) -> BigRational {
        match flavour {
            Flavour::Constants if !self.rationals.is_empty() => {
                let constant = random.choose(&self.rationals).cloned().unwrap_or_else(BigRational::zero);
                let step = [(0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2)][random.below(5)];
                let shifted = constant + BigRational::new(step.0.into(), step.1.into());
                if random.percent(20) { -shifted } else { shifted }
            }
            Flavour::Boundaries => {
                let denominator = [1u32, 1, 2, 1 << 16, 1_000_000][random.below(5)];
                BigRational::new(self.integer(flavour, random), denominator.into())
            }
            _ => {
                let numerator = BigInt::from(random.below(9)) - 4;
                BigRational::new(numerator, BigInt::from(random.between(1, 4)))
            }
        }
    }

    fn vector(&self, width: u32, flavour: Flavour, random: &mut Random) -> BigUint {
        match (flavour, self.vectors.get(&width)) {
            (Flavour::Constants, Some(constants)) => {
                let constant = random.choose(constants).cloned().unwrap_or_else(BigUint::zero);
                // Adding all ones is subtracting one.
                constant + [BigUint::zero(), BigUint::one(), all_ones(width)][random.below(3)].clone()
            }
            (Flavour::Boundaries, _) => {
                let least = sign_bit(width);
                let corners =
                    [all_ones(width), &least - BigUint::one(), least, BigUint::one(), BigUint::zero()];
                corners[random.below(corners.len())].clone()
            }
            (Flavour::Small, _) => BigUint::from(random.below(5)),
            _ => {
                let words = width.div_ceil(32) as usize;
                BigUint::new((0..words).map(|_| random.word() as u32).collect())
            }
        }
    }
}
