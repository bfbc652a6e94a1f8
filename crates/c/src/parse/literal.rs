//! The values and types of literals.

use crate::syntax::Encoding;
use crate::types::{DataModel, RealKind, Type};

/// The value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer { value: u64, r#type: Type, imaginary: bool },
    Real { value: f64, r#type: Type, imaginary: bool },
}

/// Reads a number; the error says what is wrong with it.
pub(crate) fn number(text: &[u8], data_model: DataModel) -> Result<Number, String> {
    let text = String::from_utf8_lossy(text).replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let is_hexadecimal = lower.starts_with("0x");
    let is_binary = lower.starts_with("0b");
    let is_real =
        if is_hexadecimal { lower.contains(['.', 'p']) } else { !is_binary && lower.contains(['.', 'e']) };
    if is_real { real(&lower, is_hexadecimal) } else { integer(&lower, data_model) }
        .ok_or_else(|| format!("expected a number, found `{text}`"))
}

fn integer(lower: &str, data_model: DataModel) -> Option<Number> {
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, lower),
        _ => (10, lower),
    };
    let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let (digits, suffix) = digits.split_at(length);
    // A constant beyond 64 bits keeps its low bits, as compilers do after a warning.
    let value = digits.bytes().fold(0u64, |value, digit| {
        let digit = char::from(digit).to_digit(radix).unwrap_or(0);
        value.wrapping_mul(u64::from(radix)).wrapping_add(u64::from(digit))
    });
    if digits.is_empty() {
        return None;
    }
    let imaginary = suffix.contains(['i', 'j']);
    let suffix: String = suffix.chars().filter(|letter| !matches!(letter, 'i' | 'j')).collect();
    let (is_unsigned, longs) = match suffix.as_str() {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(Number::Integer {
        value,
        r#type: integer_type(value, radix == 10, is_unsigned, longs, data_model),
        imaginary,
    })
}

/// The first type of the standard's list that holds the value.
fn integer_type(value: u64, decimal: bool, is_unsigned: bool, longs: u32, data_model: DataModel) -> Type {
    let long_bits = if data_model == DataModel::Lp64 { 64 } else { 32 };
    let candidates = [
        (Type::INT, Type::UNSIGNED_INT, 32, 0),
        (Type::LONG, Type::UNSIGNED_LONG, long_bits, 1),
        (Type::LONG_LONG, Type::UNSIGNED_LONG_LONG, 64, 2),
    ];
    for (signed, unsigned, bits, rank) in candidates {
        if rank < longs {
            continue;
        }
        if !is_unsigned && value >> (bits - 1) == 0 {
            return signed;
        }
        if (is_unsigned || !decimal) && (bits == 64 || value >> bits == 0) {
            return unsigned;
        }
    }
    // A decimal constant that no signed type holds. gcc takes its next wider type.
    if data_model == DataModel::Lp64 { Type::INT128 } else { Type::UNSIGNED_LONG_LONG }
}

fn real(lower: &str, is_hexadecimal: bool) -> Option<Number> {
    let length = mantissa_and_exponent_length(lower, is_hexadecimal);
    let (digits, suffix) = lower.split_at(length);
    let value = if is_hexadecimal { hexadecimal(&digits[2..])? } else { digits.parse::<f64>().ok()? };
    let imaginary = suffix.ends_with(['i', 'j']) || suffix.starts_with(['i', 'j']);
    let suffix = suffix.trim_matches(['i', 'j']);
    let kind = match suffix {
        "" | "d" => RealKind::Double,
        "f" => RealKind::Float,
        "l" => RealKind::LongDouble,
        "w" => RealKind::LongDouble,
        "q" | "f128" => RealKind::Float128,
        "f16" => RealKind::Float16,
        "f32" => RealKind::Float32,
        "f64" => RealKind::Float64,
        "f32x" => RealKind::Float32x,
        "f64x" => RealKind::Float64x,
        "df" => RealKind::Decimal32,
        "dd" => RealKind::Decimal64,
        "dl" => RealKind::Decimal128,
        _ => return None,
    };
    let value = match kind {
        // Rounding to `double` first could give another `float`.
        RealKind::Float | RealKind::Float32 if !is_hexadecimal => f64::from(digits.parse::<f32>().ok()?),
        RealKind::Float | RealKind::Float32 => f64::from(value as f32),
        _ => value,
    };
    Some(Number::Real { value, r#type: Type::real(kind), imaginary })
}

/// How much of the text belongs to the number itself, before the suffix.
fn mantissa_and_exponent_length(lower: &str, is_hexadecimal: bool) -> usize {
    let bytes = lower.as_bytes();
    let exponent_letter = if is_hexadecimal { b'p' } else { b'e' };
    let mut index = if is_hexadecimal { 2 } else { 0 };
    let is_digit = |byte: u8| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    while index < bytes.len() && (is_digit(bytes[index]) || bytes[index] == b'.') {
        index += 1;
    }
    if bytes.get(index) == Some(&exponent_letter) {
        index += 1;
        if matches!(bytes.get(index), Some(b'+' | b'-')) {
            index += 1;
        }
        while bytes.get(index).is_some_and(u8::is_ascii_digit) {
            index += 1;
        }
    }
    index
}

/// The value of `1.8p3`.
fn hexadecimal(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.split_once('p')?;
    let mut exponent: i32 = exponent.parse::<i32>().ok()?.clamp(-100_000, 100_000);
    let mut value = 0f64;
    let mut after_point = false;
    for digit in mantissa.chars() {
        if digit == '.' {
            after_point = true;
            continue;
        }
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
        if after_point {
            exponent -= 4;
        }
    }
    // In two steps: a single scale would underflow and lose a subnormal result.
    let half = exponent / 2;
    Some(value * f64::powi(2.0, half) * f64::powi(2.0, exponent - half))
}

/// The encoding that the prefix of a string or character constant names, and what stands between the quotes.
pub(crate) fn unquote(text: &[u8]) -> (Encoding, &[u8]) {
    let (encoding, prefix) = match text {
        [b'u', b'8', ..] => (Encoding::Utf8, 2),
        [b'u', ..] => (Encoding::Utf16, 1),
        [b'U', ..] => (Encoding::Utf32, 1),
        [b'L', ..] => (Encoding::Wide, 1),
        _ => (Encoding::Plain, 0),
    };
    (encoding, text.get(prefix + 1..text.len().saturating_sub(1)).unwrap_or(&[]))
}

/// Appends the units of a string's inside.
pub(crate) fn decode(inside: &[u8], encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let mut rest = inside;
    while let Some(&byte) = rest.first() {
        if byte == b'\\' {
            rest = escape(&rest[1..], encoding, units)?;
        } else if byte < 0x80 || matches!(encoding, Encoding::Plain | Encoding::Utf8) {
            units.push(u32::from(byte));
            rest = &rest[1..];
        } else {
            let (character, length) = first_character(rest);
            push_character(character, encoding, units);
            rest = &rest[length..];
        }
    }
    Ok(())
}

/// The first character of a text that should be UTF-8. Any other byte represents itself.
fn first_character(text: &[u8]) -> (u32, usize) {
    let valid = match std::str::from_utf8(&text[..text.len().min(4)]) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or(""),
    };
    match valid.chars().next() {
        Some(character) => (character as u32, character.len_utf8()),
        None => (u32::from(text[0]), 1),
    }
}

/// Decodes an escape sequence after its backslash, and returns the rest of the text.
fn escape<'a>(rest: &'a [u8], encoding: Encoding, units: &mut Vec<u32>) -> Result<&'a [u8], String> {
    let Some((&letter, behind)) = rest.split_first() else {
        return Err("expected an escape after `\\`, found the end of the constant".to_owned());
    };
    let simple = match letter {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'x' => return Ok(numeric(behind, 16, usize::MAX, encoding, units)),
        b'0'..=b'7' => return Ok(numeric(rest, 8, 3, encoding, units)),
        b'u' => return universal(behind, 4, encoding, units),
        b'U' => return universal(behind, 8, encoding, units),
        // A backslash at the end of a line joins the lines.
        b'\n' => return Ok(behind),
        b'\r' if behind.first() == Some(&b'\n') => return Ok(&behind[1..]),
        other => u32::from(other),
    };
    units.push(simple);
    Ok(behind)
}

fn numeric<'a>(
    digits: &'a [u8],
    radix: u32,
    most: usize,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> &'a [u8] {
    let length = digits.iter().take(most).take_while(|byte| char::from(**byte).is_digit(radix)).count();
    let value = digits[..length].iter().fold(0u32, |value, byte| {
        value.wrapping_mul(radix).wrapping_add(char::from(*byte).to_digit(radix).unwrap_or(0))
    });
    let mask = match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xFF,
        Encoding::Utf16 => 0xFFFF,
        Encoding::Utf32 | Encoding::Wide => u32::MAX,
    };
    units.push(value & mask);
    &digits[length..]
}

fn universal<'a>(
    rest: &'a [u8],
    digits: usize,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<&'a [u8], String> {
    let text = rest.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok());
    let value = text.and_then(|text| u32::from_str_radix(text, 16).ok());
    match value {
        Some(value) => push_character(value, encoding, units),
        None => return Err(format!("expected {digits} hexadecimal digits in this escape")),
    }
    Ok(&rest[digits..])
}

fn push_character(value: u32, encoding: Encoding, units: &mut Vec<u32>) {
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let mut buffer = [0; 4];
            units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(character.encode_utf16(&mut buffer).iter().map(|unit| u32::from(*unit)));
        }
        Encoding::Utf32 | Encoding::Wide => units.push(value),
    }
}

/// The value of a character constant with these units.
pub(crate) fn character_value(units: &[u32], encoding: Encoding) -> i64 {
    match (encoding, units) {
        (Encoding::Plain, [unit]) => i64::from(*unit as u8 as i8),
        (Encoding::Plain, _) => {
            let packed = units.iter().fold(0u32, |value, unit| value << 8 | unit & 0xFF);
            i64::from(packed as i32)
        }
        (Encoding::Wide, [.., last]) => i64::from(*last as i32),
        (_, [.., last]) => i64::from(*last),
        (_, []) => 0,
    }
}
