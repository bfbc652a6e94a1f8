//! Makes invisible and misleading characters of untrusted text visible.
//!
//! Analyzers, seeds, descriptions and campaign directories may contain anything: codes that move the cursor, that
//! change the title of a window or the order of the letters, letters without a width.

use std::borrow::Cow;

/// Returns whether a character must not be shown as it is: it is a control character, it changes the direction of
/// writing, it separates lines, or it has no width of its own.
pub fn is_hidden(character: char) -> bool {
    character.is_control() || turns_direction(character) || is_invisible(character)
}

fn turns_direction(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// The characters that Unicode calls default-ignorable, the separators of lines and paragraphs, and the anchors of
/// annotations.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2028}'..='\u{2029}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// A text of several lines with every hidden character, except newline and tab, as an escape such as `\u{1b}`.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'), |c, shown| shown.extend(c.escape_default()))
}

/// The same for a name, which stays on one line: newlines and tabs are escapes as well.
pub fn shown_name(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |c, shown| shown.extend(c.escape_default()))
}

/// A text on one line, truncated to a number of characters: white space becomes blanks, other hidden characters become
/// escapes.
pub fn one_line(text: &str, longest: usize) -> String {
    let mut line = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(longest) {
        match character {
            '\n' | '\t' | '\r' => line.push(' '),
            _ if is_hidden(character) => line.extend(character.escape_default()),
            _ => line.push(character),
        }
    }
    if characters.next().is_some() { line + "…" } else { line }
}

/// A text that is JSON already, with hidden characters as the escapes of JSON. JSON itself requires them only below
/// U+0020; all others can occur only inside of strings, where an escape means the same.
pub fn shown_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |c| is_hidden(c) && !c.is_ascii_whitespace();
    escaped(json, is_escaped, |c, shown| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            shown.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

fn escaped(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_escaped(character) {
            escape(character, &mut shown);
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible() {
        for (text, expected) in [
            ("plain, é, 中, 🙂", "plain, é, 中, 🙂"),
            ("a\x1b[31mb\n\tc", "a\\u{1b}[31mb\n\tc"),
            ("\u{9b}2J\x7f\0\r\n", "\\u{9b}2J\\u{7f}\\u{0}\\r\n"),
            ("user\u{202e}txt.c", "user\\u{202e}txt.c"),
            ("a\u{200b}b\u{2028}c\u{feff}", "a\\u{200b}b\\u{2028}c\\u{feff}"),
            ("\u{e0041}\u{fe0f}", "\\u{e0041}\\u{fe0f}"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
        assert_eq!(shown_name("a\nb\t\x1b"), "a\\nb\\t\\u{1b}");
        assert_eq!(one_line("a\nb\x1b", 10), "a b\\u{1b}");
        assert_eq!(one_line("abc", 2), "ab…");
        assert_eq!(one_line("ab", 2), "ab");
    }

    #[test]
    fn escaped_json_means_the_same() {
        let text = "del \x7f, c1 \u{9b}, bidi \u{202e}, tag \u{e0041}, esc \x1b, tab \t";
        let json = serde_json::to_string_pretty(&[text]).unwrap();
        let shown = shown_json(&json);
        assert!(shown.chars().all(|c| !is_hidden(c) || c == '\n'), "{shown}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).unwrap(), [text]);
    }
}
