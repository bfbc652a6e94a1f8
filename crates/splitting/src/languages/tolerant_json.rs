//! JSON with comments and trailing commas, as `tsconfig.json` and its like have them.

use serde_json::Value;

/// Reads such a text.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(&plain(text)).map_err(|error| error.to_string())
}

/// The text with white space for comments and trailing commas, so that all lines and columns stay.
fn plain(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut comma = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match (byte, bytes.get(at + 1)) {
            (b'"', _) => end_of_string(&bytes, at),
            (b'/', Some(b'/')) => end_of(&bytes, at, b"\n"),
            (b'/', Some(b'*')) => end_of(&bytes, at + 2, b"*/"),
            _ => at + 1,
        };
        match byte {
            b'/' => blank(&mut bytes[at..end]),
            b',' => comma = Some(at),
            b'}' | b']' => comma.take().into_iter().for_each(|comma| bytes[comma] = b' '),
            _ if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at = end;
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of(bytes: &[u8], start: usize, mark: &[u8]) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let found = rest.windows(mark.len()).position(|window| window == mark);
    found.map_or(bytes.len(), |position| start + position + mark.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_read() {
        let rows = [
            ("{\"a\": [1, 2,], // b\n /* c, */ }", Some("{\"a\":[1,2]}")),
            ("\u{feff}{\"a\": \"// no\\\" , }\",\n}", Some("{\"a\":\"// no\\\" , }\"}")),
            ("{\"a\": 1 /* open", None),
            ("[1,,]", None),
            ("\"\\", None),
            ("/", None),
            ("[\"é\" /*é*/,]", Some("[\"é\"]")),
        ];
        for (text, expected) in rows {
            assert_eq!(read(text).ok().map(|value| value.to_string()).as_deref(), expected, "{text}");
        }
        assert!(read(&"[".repeat(100_000)).is_err());
    }
}
