//! The inputs of one execution, as the harness prints them: `int:-3@1,double:0x3p-1@2`, or `-` for none.

use super::input_type::{Format, InputType, input_type};

/// An input that an execution consumed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConsumedInput {
    pub input_type: &'static InputType,
    pub value: InputValue,
    /// The number of the call that consumed it, counted from 1.
    pub call: Option<usize>,
    /// The type and value as printed.
    pub text: String,
}

/// The value of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputValue {
    Integer {
        is_negative: bool,
        magnitude: u128,
    },
    /// The mantissa times two to the exponent.
    Finite {
        is_negative: bool,
        mantissa: u64,
        exponent: i32,
    },
    Infinite {
        is_negative: bool,
    },
    /// The bits of a NaN.
    NotANumber {
        high: u64,
        low: u64,
    },
}

/// Parses a list of inputs.
pub(super) fn parse_inputs(text: &str) -> Option<Vec<ConsumedInput>> {
    if text == "-" {
        return Some(Vec::new());
    }
    text.split(',').map(parse_input).collect()
}

fn parse_input(text: &str) -> Option<ConsumedInput> {
    let (text, call) = match text.split_once('@') {
        Some((text, call)) => (text, Some(call.parse().ok().filter(|number| *number > 0)?)),
        None => (text, None),
    };
    let (name, value) = text.split_once(':')?;
    let input_type = input_type(name)?;
    let value = match input_type.format {
        Format::Integer => parse_integer(value)?,
        Format::Float | Format::Double | Format::LongDouble => parse_floating(value)?,
    };
    Some(ConsumedInput { input_type, value, call, text: text.to_owned() })
}

/// Splits a sign off.
fn sign_of(text: &str) -> (bool, &str) {
    text.strip_prefix('-').map_or((false, text), |rest| (true, rest))
}

fn parse_integer(text: &str) -> Option<InputValue> {
    let (is_negative, digits) = sign_of(text);
    // `parse` would accept a second sign.
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(InputValue::Integer { is_negative, magnitude: digits.parse().ok()? })
}

fn parse_floating(text: &str) -> Option<InputValue> {
    if let Some(bits) = text.strip_prefix("nan(").and_then(|rest| rest.strip_suffix(')')) {
        let (high, low) = bits.split_once(':').unwrap_or(("0x0", bits));
        return Some(InputValue::NotANumber { high: parse_hexadecimal(high)?, low: parse_hexadecimal(low)? });
    }
    let (is_negative, number) = sign_of(text);
    if number == "inf" {
        return Some(InputValue::Infinite { is_negative });
    }
    let (mantissa, exponent) = number.split_once('p')?;
    Some(InputValue::Finite {
        is_negative,
        mantissa: parse_hexadecimal(mantissa)?,
        exponent: exponent.parse().ok()?,
    })
}

fn parse_hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_the_harness_does_not_print_are_rejected() {
        for bad in [
            "",
            "int",
            "int:",
            "int:x",
            "int:--3",
            "int:+3",
            "int:3,",
            "int:3@",
            "int:3@0",
            "int:3@x",
            "word:3",
            "double:1.5",
            "double:0x3",
            "double:0x+3p1",
            "double:nan(7)",
            "float:0x3p",
            "-,int:3",
            "int:3*/",
        ] {
            assert_eq!(parse_inputs(bad), None, "{bad}");
        }
        assert_eq!(parse_inputs("-"), Some(Vec::new()));
        let inputs =
            parse_inputs("int:-3@12,double:-0x3p-1,long_double:nan(0x7fff:0xc0)@2").unwrap_or_default();
        let calls: Vec<Option<usize>> = inputs.iter().map(|input| input.call).collect();
        assert_eq!(calls, [Some(12), None, Some(2)]);
        assert_eq!(inputs[0].value, InputValue::Integer { is_negative: true, magnitude: 3 });
        assert_eq!(inputs[1].value, InputValue::Finite { is_negative: true, mantissa: 3, exponent: -1 });
        assert_eq!(inputs[2].value, InputValue::NotANumber { high: 0x7fff, low: 0xc0 });
        assert_eq!(inputs[2].text, "long_double:nan(0x7fff:0xc0)");
    }
}
