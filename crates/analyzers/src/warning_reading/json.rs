//! Access to untrusted JSON: whatever is missing or of another type is empty.

use super::report::Fault;
use serde_json::Value;

/// The most that is parsed. Parsing itself refuses values that are nested deeply.
const LARGEST: usize = 16 << 20;

/// The first array or object of a text. What stands around it, such as `compilation terminated.`, says nothing.
pub(crate) fn first_value(text: &[u8]) -> Result<Value, Fault> {
    if text.len() > LARGEST {
        return Err(Fault::Unreadable("the output is too large".to_owned()));
    }
    let opens = |byte: &u8| matches!(byte, b'[' | b'{');
    let Some(start) = text.iter().position(opens) else {
        return Err(Fault::Unreadable("expected JSON".to_owned()));
    };
    // Messages may quote bytes of the program that are no characters.
    let text = String::from_utf8_lossy(&text[start..]);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) if error.is_eof() => Err(Fault::Unreadable("the output is cut off".to_owned())),
        Some(Err(error)) => Err(Fault::Unreadable(format!("expected JSON: {error}"))),
        None => Err(Fault::Unreadable("expected JSON".to_owned())),
    }
}

/// The value under these keys.
pub(crate) fn at<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().try_fold(value, |value, key| value.get(key))
}

/// The text under these keys.
pub(crate) fn text<'a>(value: &'a Value, keys: &[&str]) -> &'a str {
    at(value, keys).and_then(Value::as_str).unwrap_or_default()
}

/// The list under these keys.
pub(crate) fn list<'a>(value: &'a Value, keys: &[&str]) -> &'a [Value] {
    at(value, keys).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A line or a column.
pub(crate) fn number(value: Option<&Value>) -> u32 {
    value.and_then(Value::as_u64).and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
}
