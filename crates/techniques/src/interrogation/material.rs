//! The material of conditions: the variables at each point of a program, and constants.

use super::condition::{Condition, names};
use crate::integers::{bounds, constants, uniform_length};
use c::types::{IntegerKind, RealKind};
use c::{Program, Readable, TypeKind};
use model::{CInput, DataModel, Random, UNPARSED_PROGRAM};
use std::sync::Arc;

/// The program of a seed, seen as points with variables.
#[derive(Debug)]
pub struct Material {
    /// The name of the seed.
    pub name: String,
    /// The text.
    pub base: Arc<str>,
    /// The sizes of its types.
    pub data_model: DataModel,
    /// Where annotations may stand, in order of the text.
    pub points: Vec<Point>,
    integers: Vec<i128>,
    reals: Vec<f64>,
}

/// A point between two statements.
#[derive(Debug)]
pub struct Point {
    /// The byte before which it is.
    pub offset: u32,
    /// What can be read there.
    pub variables: Vec<Variable>,
    /// Conditions over them of which executions have shown how often they hold.
    pub candidates: Vec<Candidate>,
}

/// A condition, and how often it holds.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The condition.
    pub condition: Condition,
    /// How often it holds.
    pub tendency: Tendency,
}

/// How often a condition holds at its point, as far as executions have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tendency {
    /// Always.
    Holds,
    /// More often than not.
    MostlyHolds,
    /// Mostly not, or never.
    Fails,
}

impl Point {
    /// True if everything that a condition reads at another point has a value here too, and is of the same type.
    pub fn can_read(&self, condition: &str, elsewhere: &Point) -> bool {
        let here = |name: &str| self.number_of(name).is_some_and(|it| elsewhere.number_of(name) == Some(it));
        names(condition).all(here)
    }

    fn number_of(&self, name: &str) -> Option<Number> {
        let found = self.variables.iter().find(|variable| *variable.name == *name);
        found.map(|variable| variable.number)
    }
}

/// A variable of arithmetic type that has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub number: Number,
    /// The values that executions had here, as far as they were observed.
    pub seen: Seen,
}

/// Values of one variable at one point: the least, the greatest and another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Seen {
    /// None.
    #[default]
    Nothing,
    /// Integers.
    Integers([i128; 3]),
    /// Floating values, which may be infinite, and whether there was a NaN.
    Reals {
        /// The numbers, if there was one.
        numbers: Option<[f64; 3]>,
        /// True if there was a NaN.
        nan: bool,
    },
}

/// An arithmetic type, as far as conditions care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer of at most 64 bits.
    Integer {
        /// Its width.
        bits: u32,
        /// Whether it has negative values.
        signed: bool,
    },
    /// `float` or `double`.
    Real {
        /// True for `float`.
        single: bool,
    },
}

/// Which constant is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Any.
    Any,
    /// Rather a great one, which few values exceed.
    Greater,
    /// Rather a small one.
    Smaller,
}

impl Wish {
    /// One of three values: the least, the greatest, another.
    fn among<T: Copy>(self, values: [T; 3], random: &mut Random) -> T {
        let [least, greatest, another] = values;
        match (self, random.below(4)) {
            (Wish::Greater, 0..3) => greatest,
            (Wish::Smaller, 0..3) => least,
            (Wish::Any, 0) => least,
            (Wish::Any, 1) => greatest,
            _ => another,
        }
    }
}

/// Percentage of constants that come from executions, where something was seen.
const FROM_EXECUTIONS: usize = 50;

/// Integer types that a variable may be cast to; every value has a defined result.
const CASTS: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// Bounds of the integer types, around which analyzers err.
const INTEGER_BOUNDS: [i128; 15] = [
    0,
    1,
    -1,
    2,
    i8::MAX as i128,
    i8::MIN as i128,
    u8::MAX as i128,
    i16::MAX as i128,
    i16::MIN as i128,
    u16::MAX as i128,
    i32::MAX as i128,
    i32::MIN as i128,
    u32::MAX as i128,
    i64::MAX as i128,
    i64::MIN as i128,
];

/// Floating values around which analyzers err, in a spelling that is exact for `double`.
const REAL_BOUNDS: [&str; 12] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "0.1",
    "16777216.0",
    "16777217.0",
    "3.4028234663852886e38",
    "1.1754943508222875e-38",
    "1.7976931348623157e308",
    "4.9406564584124654e-324",
];

impl Material {
    /// Collects the material of a program; an error says in one sentence why there is none.
    pub fn new(
        name: &str,
        base: &Arc<str>,
        data_model: DataModel,
    ) -> Result<Material, (&'static str, String)> {
        let bare = CInput { base: base.clone(), data_model, annotations: Vec::new() };
        let program = c::parse_input(name, &bare).map_err(|error| (UNPARSED_PROGRAM, error.to_string()))?;
        c::analyze::refuse_unsuitable(name, &program)?;
        let points = points(&program);
        if points.iter().all(|point| point.variables.is_empty()) {
            let detail =
                format!("{name}: no variable has a value between two statements that main can reach");
            return Err(("the program has no place for a check", detail));
        }
        let (integers, reals) = constants(&program);
        Ok(Material { name: name.to_owned(), base: base.clone(), data_model, points, integers, reals })
    }

    /// The program without annotations.
    pub fn bare(&self) -> CInput {
        CInput { base: self.base.clone(), data_model: self.data_model, annotations: Vec::new() }
    }

    /// A variable as it may stand in a comparison: mostly as it is, sometimes converted or combined with a mask.
    pub fn operand(&self, variable: &Variable, random: &mut Random) -> Arc<str> {
        let name = &variable.name;
        match variable.number {
            Number::Integer { .. } if random.percent(15) => {
                let cast = random.choose(&CASTS).copied().unwrap_or("long");
                format!("({cast}){name}").into()
            }
            Number::Integer { .. } if random.percent(6) => {
                let operator = random.choose(&["&", "|", "^"]).copied().unwrap_or("&");
                format!("({name} {operator} {})", self.literal(variable, Wish::Any, random)).into()
            }
            // Unsigned arithmetic wraps around; it is never undefined.
            Number::Integer { .. } if random.percent(4) => {
                let operator = random.choose(&["+", "-", "*"]).copied().unwrap_or("+");
                format!("((unsigned long long){name} {operator} {}ULL)", random.below(1 << 12)).into()
            }
            Number::Real { single: true } if random.percent(10) => format!("(double){name}").into(),
            _ => name.clone(),
        }
    }

    /// A constant to compare a variable with. Half of them are at the bounds of what executions have shown, so that
    /// about as many conditions hold as can be violated, and few fail always. Of two others the greater or the
    /// smaller one is taken if that is asked for.
    pub fn literal(&self, variable: &Variable, wish: Wish, random: &mut Random) -> Arc<str> {
        match (variable.number, variable.seen) {
            (_, Seen::Integers(values)) if random.percent(FROM_EXECUTIONS) => {
                let near = random.choose(&[0, 0, 0, 1, -1]).copied().unwrap_or(0);
                integer_text(wish.among(values, random) + near, random)
            }
            (_, Seen::Reals { numbers: Some(numbers), .. }) if random.percent(FROM_EXECUTIONS) => {
                real_literal(&real_text(wish.among(numbers, random)), "")
            }
            (Number::Integer { bits, signed }, _) => {
                let one = self.integer(bits, signed, random);
                let value = match wish {
                    Wish::Any => one,
                    Wish::Greater => one.max(self.integer(bits, signed, random)),
                    Wish::Smaller => one.min(self.integer(bits, signed, random)),
                };
                integer_text(value, random)
            }
            (Number::Real { .. }, _) if random.percent(20) => {
                integer_text(self.integer(32, true, random), random)
            }
            (Number::Real { single }, _) => self.real(single, random),
        }
    }

    fn integer(&self, bits: u32, signed: bool, random: &mut Random) -> i128 {
        match random.below(10) {
            0..4 if !self.integers.is_empty() => {
                let value = random.choose(&self.integers).copied().unwrap_or(0);
                value + random.below(3) as i128 - 1
            }
            0..6 => bound(bits, signed, random),
            6 => random.choose(&INTEGER_BOUNDS).copied().unwrap_or(0),
            _ => signed_uniform_length(bits, signed, random),
        }
    }

    fn real(&self, single: bool, random: &mut Random) -> Arc<str> {
        let suffix = if single && random.coin() { "f" } else { "" };
        let text = match random.below(10) {
            0..4 if !self.reals.is_empty() => real_text(random.choose(&self.reals).copied().unwrap_or(0.0)),
            0..6 => random.choose(&REAL_BOUNDS).copied().unwrap_or("0.0").to_owned(),
            6 | 7 => format!("{}.0", random.below(1000) as i64 - 500),
            _ => real_text(f64::from_bits(random.word())),
        };
        // A constant beyond the greatest float would be no float constant.
        let fits = text.parse::<f64>().is_ok_and(|value| (value as f32).is_finite());
        let suffix = if fits { suffix } else { "" };
        real_literal(&text, suffix)
    }
}

fn real_literal(text: &str, suffix: &str) -> Arc<str> {
    if text.starts_with('-') { format!("({text}{suffix})").into() } else { format!("{text}{suffix}").into() }
}

/// Where annotations may stand, in order of the text.
pub fn points(program: &Program) -> Vec<Point> {
    c::sites(program).iter().map(|site| point(program, site)).collect()
}

fn point(program: &Program, site: &c::Site) -> Point {
    let variable = |readable: &Readable| {
        let number = number(program, readable)?;
        Some(Variable { name: readable.text.clone(), number, seen: Seen::Nothing })
    };
    let variables = site.numbers.iter().filter_map(variable).collect();
    Point { offset: site.place, variables, candidates: Vec::new() }
}

/// The type of a variable that conditions may read. Wider and rarer types are left out: few analyzers know them.
fn number(program: &Program, readable: &Readable) -> Option<Number> {
    let types = &program.types;
    let r#type = readable.r#type;
    if types.is_integer(r#type) {
        let wide =
            matches!(types.integer_kind(r#type), Some(IntegerKind::Int128 | IntegerKind::UnsignedInt128));
        let bits = readable.width.or_else(|| types.integer_bits(r#type)).filter(|_| !wide)?;
        return Some(Number::Integer { bits: bits.max(1), signed: types.is_signed(r#type) });
    }
    match types.kind(r#type) {
        TypeKind::Real(RealKind::Float) => Some(Number::Real { single: true }),
        TypeKind::Real(RealKind::Double) => Some(Number::Real { single: false }),
        _ => None,
    }
}

/// A bound of a type, or a neighbour of it.
fn bound(bits: u32, signed: bool, random: &mut Random) -> i128 {
    let (low, high) = bounds(bits, signed);
    random.choose(&[low, low + 1, high, high - 1, 0, 1]).copied().unwrap_or(0)
}

/// A number of the type's length or less, with either sign if the type has signs.
fn signed_uniform_length(bits: u32, signed: bool, random: &mut Random) -> i128 {
    let magnitude = uniform_length(bits, random);
    if signed && random.coin() { -magnitude } else { magnitude }
}

/// An integer constant in one of the spellings that give it its value.
fn integer_text(value: i128, random: &mut Random) -> Arc<str> {
    let value = value.clamp(i64::MIN.into(), u64::MAX.into());
    let magnitude = value.unsigned_abs();
    let suffix = match magnitude {
        0..=0x7fff_ffff => random.choose(&["", "", "", "", "", "U", "L", "LL", "ULL"]).copied().unwrap_or(""),
        0x8000_0000..=0xffff_ffff => random.choose(&["LL", "LL", "U", "ULL"]).copied().unwrap_or("LL"),
        0x1_0000_0000..=0x7fff_ffff_ffff_ffff => random.choose(&["LL", "LL", "ULL"]).copied().unwrap_or("LL"),
        _ => "ULL",
    };
    match value {
        // The smallest numbers have no literal of their own.
        _ if value == i64::MIN.into() => "(-9223372036854775807LL - 1)".into(),
        _ if value == i32::MIN.into() => "(-2147483647 - 1)".into(),
        // A minus in front of an unsigned literal gives another number, which is as good.
        _ if value < 0 => format!("(-{magnitude}{suffix})").into(),
        _ => format!("{magnitude}{suffix}").into(),
    }
}

/// A floating value with a decimal point or an exponent; for an infinity the number next to it.
fn real_text(value: f64) -> String {
    let value = if value.is_nan() { 1.5 } else { value.clamp(f64::MIN, f64::MAX) };
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_spelled_so_that_c_reads_them() {
        let mut random = Random::for_case(5, 5);
        for value in INTEGER_BOUNDS {
            for _ in 0..20 {
                let text = integer_text(value, &mut random);
                let program = format!("int main(void) {{ return {text} == 1; }}");
                assert!(c::parse("constant", program, c::DataModel::Lp64).is_ok(), "{text}");
            }
        }
        for _ in 0..1000 {
            let text = real_text(f64::from_bits(random.word()));
            assert!(text.parse::<f64>().is_ok_and(f64::is_finite) && text.contains(['.', 'e']), "{text}");
        }
    }
}
