//! Random conditions over the readable variables of a site, as techniques insert them.

use super::Numbers;
use c::types::IntegerKind;
use c::{ConstantValue, Program, Readable, Site, Type, TypeKind};

const CASTS: [&str; 12] = [
    "_Bool",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long long",
    "float",
    "double",
    "long double",
];

/// Generates conditions for one program.
pub struct Conditions<'a> {
    program: &'a Program,
    constants: Vec<String>,
    numbers: &'a mut Numbers,
}

impl<'a> Conditions<'a> {
    pub fn new(program: &'a Program, numbers: &'a mut Numbers) -> Conditions<'a> {
        let spelled = |found: &c::ConstantOccurrence| match found.value {
            ConstantValue::Integer(value) => integer_text(value),
            ConstantValue::Real(value) => real_text(value),
        };
        let constants = c::constants(program).iter().map(spelled).collect();
        Conditions { program, constants, numbers }
    }

    /// Generates a statement that a technique would insert.
    pub fn statement(&mut self, site: &Site, check: usize) -> String {
        format!("\nif (!({})) juvenal_violated({check});\n", self.condition(site, 3))
    }

    fn condition(&mut self, site: &Site, depth: u32) -> String {
        match self.numbers.below(8) {
            0 if depth > 0 => format!("!({})", self.condition(site, depth - 1)),
            1 | 2 if depth > 0 => {
                format!("({}) && ({})", self.condition(site, depth - 1), self.condition(site, depth - 1))
            }
            3 | 4 if depth > 0 => {
                format!("({}) || ({})", self.condition(site, depth - 1), self.condition(site, depth - 1))
            }
            5 if !site.pointers.is_empty() => {
                let pointer = &site.pointers[self.numbers.below(site.pointers.len() as u64) as usize];
                format!("{} != 0", pointer.text)
            }
            _ => self.comparison(site),
        }
    }

    fn comparison(&mut self, site: &Site) -> String {
        let operator = ["<", "<=", ">", ">=", "==", "!="][self.numbers.below(6) as usize];
        let (left, r#type) = match self.readable(site) {
            Some(readable) => (self.cast(&readable.text), readable.r#type),
            None => ("1".to_owned(), Type::INT),
        };
        let other = self.readable(site).filter(|_| self.numbers.below(2) == 0);
        let right = match other {
            Some(readable) => self.cast(&readable.text),
            None => self.constant(r#type),
        };
        format!("{left} {operator} {right}")
    }

    fn readable(&mut self, site: &Site) -> Option<Readable> {
        let count = site.numbers.len() as u64;
        (count > 0).then(|| site.numbers[self.numbers.below(count) as usize].clone())
    }

    fn cast(&mut self, text: &str) -> String {
        let cast = CASTS[self.numbers.below(CASTS.len() as u64) as usize];
        if self.numbers.below(3) == 0 { format!("({cast})({text})") } else { text.to_owned() }
    }

    /// Draws a constant of the program, or one of the type: a bound, a small one or any.
    fn constant(&mut self, r#type: Type) -> String {
        if !self.constants.is_empty() && self.numbers.below(3) == 0 {
            return self.constants[self.numbers.below(self.constants.len() as u64) as usize].clone();
        }
        let types = &self.program.types;
        if types.is_real_floating(r#type) {
            let values = [0.0, -0.0, 1.5, -1e30, 1e-310, 5e-324, f64::INFINITY, f64::NAN, f64::MAX];
            return real_text(values[self.numbers.below(values.len() as u64) as usize]);
        }
        let (least, most) = (types.minimum(r#type).unwrap_or(0), types.maximum(r#type).unwrap_or(1));
        let value = match self.numbers.below(5) {
            0 => least,
            1 => most,
            2 => 0,
            3 => -1,
            _ => i128::from(self.numbers.below(1 << 31)) - (1 << 20),
        };
        // An enumeration may have no name here, so the constant has its underlying type.
        let kind = types.integer_kind(r#type).unwrap_or(IntegerKind::Int);
        match (types.kind(r#type), self.program.declaration_text(Type::integer(kind), "")) {
            (TypeKind::Bool, _) | (_, None) => integer_text(value),
            (_, Some(name)) => format!("({name}){}", integer_text(value)),
        }
    }
}

fn integer_text(value: i128) -> String {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) if value < 0 => format!("({}ll - 1)", value + 1),
        (Ok(value), _) => format!("{value}ll"),
        (_, Ok(value)) => format!("{value}ull"),
        // A literal has at most 64 bits.
        _ => {
            let (high, low) = ((value as u128 >> 64) as u64, value as u64);
            format!("((__int128)(((unsigned __int128){high}ull << 64) | {low}ull))")
        }
    }
}

fn real_text(value: f64) -> String {
    match value {
        value if value.is_nan() => "__builtin_nan(\"\")".to_owned(),
        value if value.is_infinite() => "__builtin_inf()".to_owned(),
        value => format!("({value:e})"),
    }
}
