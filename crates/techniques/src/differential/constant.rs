//! Constants to compare integers with.
//!
//! Half of them come from the pool of the type: the constants of the program and their neighbours, and the bounds of the
//! type, as far as they are values of the type. The other half are random, with a length in bits that is uniform.

use crate::integers::{bounds, constants, uniform_length};
use c::Program;
use model::Random;
use std::collections::BTreeSet;

/// The constants of a program and their neighbours.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Each once, in rising order.
    values: Vec<i128>,
}

impl Pool {
    /// Looks through a program.
    pub fn of(program: &Program) -> Pool {
        let (integers, _) = constants(program);
        let near = |value: i128| [value.saturating_sub(1), value, value.saturating_add(1)];
        let values: BTreeSet<i128> = integers.into_iter().flat_map(near).collect();
        Pool { values: values.into_iter().collect() }
    }

    /// A value of the integer type with `bits` bits.
    pub fn constant(&self, bits: u32, signed: bool, random: &mut Random) -> i128 {
        let bits = bits.clamp(1, 64);
        if random.coin() {
            return self.known(bits, signed, random);
        }
        match signed {
            true => {
                let magnitude = uniform_length(bits - 1, random);
                // The complement is negative, and reaches the least value.
                if random.coin() { !magnitude } else { magnitude }
            }
            false => uniform_length(bits, random),
        }
    }

    /// One of the pool of a type, each equally likely.
    fn known(&self, bits: u32, signed: bool, random: &mut Random) -> i128 {
        let (low, high) = bounds(bits, signed);
        let from = self.values.partition_point(|value| *value < low);
        let to = self.values.partition_point(|value| *value <= high);
        let own = self.values.get(from..to).unwrap_or_default();
        let (edges, count) = edges(low, high, own);
        let index = random.below(own.len() + count);
        own.get(index).or_else(|| edges.get(index - own.len())).copied().unwrap_or(low)
    }
}

/// The bounds of a type, their neighbours and the values around zero, each once, without those that are known; and how
/// many they are.
fn edges(low: i128, high: i128, known: &[i128]) -> ([i128; 7], usize) {
    let mut edges = [0; 7];
    let mut count = 0;
    for value in [low, low + 1, -1, 0, 1, high - 1, high] {
        let is_value = (low..=high).contains(&value);
        if is_value && !edges[..count].contains(&value) && known.binary_search(&value).is_err() {
            edges[count] = value;
            count += 1;
        }
    }
    (edges, count)
}

/// A constant expression with a value of the integer type with `bits` bits. Compared with an expression of that type,
/// neither is changed by a conversion.
pub fn spelled(value: i128, bits: u32, signed: bool) -> String {
    // Narrow types are promoted to `int`.
    let is_int = bits < 32 || bits == 32 && signed;
    let suffix = match signed {
        _ if is_int => "",
        false if bits == 32 => "U",
        false => "ULL",
        true => "LL",
    };
    match value {
        // The least values have no literal of their own.
        _ if value == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        _ if is_int && value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        _ if value < 0 => format!("(-{}{suffix})", value.unsigned_abs()),
        _ => format!("{value}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c::syntax::{BinaryOperator, ExpressionKind};

    const TYPES: [(&str, u32, bool); 9] = [
        ("_Bool", 1, false),
        ("signed char", 8, true),
        ("unsigned char", 8, false),
        ("short", 16, true),
        ("unsigned short", 16, false),
        ("int", 32, true),
        ("unsigned", 32, false),
        ("long long", 64, true),
        ("unsigned long long", 64, false),
    ];

    fn pool(text: &str) -> Pool {
        Pool::of(&c::parse("row.c", text, c::DataModel::Lp64).unwrap())
    }

    #[test]
    fn constants_are_values_of_the_type_and_the_pool_is_used() {
        let pool = pool("int main(void) { int x = 1000; return x == 70000 || x == -3; }");
        let mut random = Random::for_case(1, 1);
        for bits in 1..=64 {
            for signed in [false, true] {
                let (low, high) = bounds(bits, signed);
                let values: Vec<i128> = (0..2000).map(|_| pool.constant(bits, signed, &mut random)).collect();
                assert!(values.iter().all(|value| (low..=high).contains(value)), "{bits} {signed}");
                for wanted in [low, low + 1, -1, 0, 1, high - 1, high, 999, 1000, 1001, 69999, -4, -2] {
                    let is_value = (low..=high).contains(&wanted);
                    assert_eq!(values.contains(&wanted), is_value, "{bits} {signed} {wanted}");
                }
            }
        }
    }

    #[test]
    fn constants_keep_their_values_in_comparisons() {
        let mut random = Random::for_case(2, 2);
        let pool = pool("int main(void) { return 17; }");
        for (name, bits, signed) in TYPES {
            for _ in 0..300 {
                let value = pool.constant(bits, signed, &mut random);
                let text = spelled(value, bits, signed);
                for model in [c::DataModel::Lp64, c::DataModel::Ilp32] {
                    let text = format!("int equal = ({name}){text} == {text};");
                    let program = c::parse("row.c", &text, model).unwrap();
                    let compared = program.expressions.iter().find_map(|node| match node.kind {
                        ExpressionKind::Binary { operator: BinaryOperator::Equal, left, right } => {
                            Some((program.constant(left), program.constant(right)))
                        }
                        _ => None,
                    });
                    assert_eq!(compared, Some((Some(value), Some(value))), "{text}");
                    let equal = program.expressions.ids().last().unwrap();
                    assert_eq!(program.constant(equal), Some(1), "{text}");
                }
            }
        }
    }
}
