//! The bits of an input in memory, lowest first.

use super::input_list::{ConsumedInput, InputValue};
use super::input_type::Format;

/// The two 64-bit words of an input; the first is the lower one.
pub(super) fn words(input: &ConsumedInput) -> [u64; 2] {
    let format = input.input_type.format;
    match input.value {
        InputValue::Integer { is_negative, magnitude } => {
            let bits = if is_negative { magnitude.wrapping_neg() } else { magnitude };
            [bits as u64, (bits >> 64) as u64]
        }
        InputValue::NotANumber { high, low } => [low, high],
        InputValue::Infinite { is_negative } => {
            let leading = if format == Format::LongDouble { 1 << 63 } else { 0 };
            Layout::of(format).pack(is_negative, Layout::of(format).greatest_field(), leading)
        }
        InputValue::Finite { is_negative, mantissa, exponent } => {
            finite(format, is_negative, mantissa, exponent)
        }
    }
}

/// The layout of sign, exponent and fraction.
struct Layout {
    fraction_bits: u32,
    exponent_bits: u32,
    /// Whether the leading bit of the mantissa is stored.
    is_explicit: bool,
}

impl Layout {
    fn of(format: Format) -> Layout {
        match format {
            Format::Float => Layout { fraction_bits: 23, exponent_bits: 8, is_explicit: false },
            Format::Integer | Format::Double => {
                Layout { fraction_bits: 52, exponent_bits: 11, is_explicit: false }
            }
            Format::LongDouble => Layout { fraction_bits: 63, exponent_bits: 15, is_explicit: true },
        }
    }

    fn greatest_field(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    fn pack(&self, is_negative: bool, field: u64, fraction: u64) -> [u64; 2] {
        let upper = u64::from(is_negative) << self.exponent_bits | field;
        if self.is_explicit { [fraction, upper] } else { [upper << self.fraction_bits | fraction, 0] }
    }
}

/// Encodes a value, which is exact in its format because the harness printed it from there.
fn finite(format: Format, is_negative: bool, mantissa: u64, exponent: i32) -> [u64; 2] {
    let layout = Layout::of(format);
    if mantissa == 0 {
        return layout.pack(is_negative, 0, 0);
    }
    let zeros = mantissa.leading_zeros();
    let normal = mantissa << zeros;
    let bias = i64::from(layout.greatest_field() as u32 / 2);
    // The exponent of the leading bit, which is smaller in subnormal numbers.
    let field = i64::from(exponent) + 63 - i64::from(zeros) + bias;
    let lowered = if field < 1 { 1 - field } else { 0 };
    let shift = i64::from(63 - layout.fraction_bits) + lowered;
    let fraction = u32::try_from(shift).ok().and_then(|shift| normal.checked_shr(shift)).unwrap_or(0);
    let stored = if layout.is_explicit { fraction } else { fraction & ((1 << layout.fraction_bits) - 1) };
    layout.pack(is_negative, field.max(0) as u64, stored)
}

#[cfg(test)]
mod tests {
    use super::super::input_list::parse_inputs;
    use super::*;

    fn check(text: &str, expected: [u64; 2]) {
        let inputs = parse_inputs(text).unwrap_or_default();
        assert_eq!(inputs.iter().map(words).collect::<Vec<_>>(), [expected], "{text}");
    }

    fn double(text: &str, value: f64) {
        check(&format!("double:{text}"), [value.to_bits(), 0]);
    }

    fn float(text: &str, value: f32) {
        check(&format!("float:{text}"), [u64::from(value.to_bits()), 0]);
    }

    #[test]
    fn bits_equal_those_of_the_machine() {
        check("int:-1", [u64::MAX, u64::MAX]);
        check("ulong:18446744073709551615", [u64::MAX, 0]);
        check("int128:-170141183460469231731687303715884105728", [0, 1 << 63]);
        double("0x0p+0", 0.0);
        double("-0x0p+0", -0.0);
        double("0x3p-1", 1.5);
        double("-0x1p+0", -1.0);
        double("0x1fffffffffffffp+971", f64::MAX);
        double("0x1p-1022", f64::MIN_POSITIVE);
        double("0x1p-1074", f64::from_bits(1));
        double("0xfffffffffffffp-1074", f64::from_bits(0xf_ffff_ffff_ffff));
        double("inf", f64::INFINITY);
        double("-inf", f64::NEG_INFINITY);
        check("double:nan(0x7ff8000000000001)", [0x7ff8_0000_0000_0001, 0]);
        float("0x3p-1", 1.5);
        float("0xffffffp+104", f32::MAX);
        float("0x1p-149", f32::from_bits(1));
        float("0x7fffffp-149", f32::from_bits(0x7f_ffff));
        float("-inf", f32::NEG_INFINITY);
        check("long_double:0x1p+0", [1 << 63, 0x3fff]);
        check("long_double:-0x3p-1", [0xc000_0000_0000_0000, 0xbfff]);
        check("long_double:0x1p-16445", [1, 0]);
        check("long_double:inf", [1 << 63, 0x7fff]);
        check("long_double:nan(0x7fff:0xc000000000000000)", [0xc000_0000_0000_0000, 0x7fff]);
    }

    #[test]
    fn absurd_exponents_do_not_cause_a_panic() {
        for exponent in [i32::MIN, i32::MAX] {
            for kind in ["float", "double", "long_double"] {
                let inputs = parse_inputs(&format!("{kind}:0x3p{exponent}")).unwrap_or_default();
                assert_eq!(inputs.iter().map(words).count(), 1);
            }
        }
    }
}
