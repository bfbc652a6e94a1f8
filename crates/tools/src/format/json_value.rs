//! Access to untrusted JSON: whatever is missing or of another type is empty.

use serde_json::Value;

/// The first array or object of a text; what stands around it says nothing. Values that are nested deeply are refused.
pub(crate) fn parse(text: &[u8]) -> Result<Value, String> {
    let opens = |byte: &u8| matches!(byte, b'[' | b'{');
    let start = text.iter().position(opens).ok_or_else(|| "expected JSON".to_owned())?;
    // Messages may quote bytes of a source that are no characters.
    let text = String::from_utf8_lossy(&text[start..]);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) if error.is_eof() => Err("the report is cut off".to_owned()),
        Some(Err(error)) => Err(format!("expected JSON: {error}")),
        None => Err("expected JSON".to_owned()),
    }
}

/// The text at a pointer; a number or a truth value becomes a text.
pub(crate) fn text(value: &Value, pointer: &str) -> Option<String> {
    match value.pointer(pointer)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// The string at a pointer.
pub(crate) fn string<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

/// The list at a pointer.
pub(crate) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The line, the column or the position in a list at a pointer.
pub(crate) fn number(value: &Value, pointer: &str) -> Option<u32> {
    value.pointer(pointer).and_then(Value::as_u64).and_then(|value| u32::try_from(value).ok())
}
