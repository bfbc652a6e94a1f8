//! Lines that begin with `#`: line markers, pragmas, and directives that need a preprocessor.

use crate::parse::lexer::{find_comment_end, line_end};

/// The meaning of a line that begins with `#`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// `# 12 "file"` or `#line 12 "file"`. The flag 3 marks a system header.
    LineMarker { line: u32, file: Option<Vec<u8>>, system: bool },
    /// `#pragma pack`.
    Pack(PackChange),
    /// Another pragma, `#ident`, or nothing.
    Skipped,
    /// A directive of the preprocessor.
    NeedsPreprocessor(String),
    /// None of these.
    Unknown,
}

/// The effect of a `#pragma pack`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PackChange {
    Set(u32),
    Push(Option<u32>),
    Pop,
}

/// The largest alignment of members that `#pragma pack` allows, and the stack of pushed ones; 0 means no limit.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    pub(crate) current: u32,
    pushed: Vec<u32>,
}

impl Packing {
    pub(crate) fn apply(&mut self, change: PackChange) {
        match change {
            PackChange::Set(value) => self.current = value,
            PackChange::Push(value) => {
                self.pushed.push(self.current);
                self.current = value.unwrap_or(self.current);
            }
            PackChange::Pop => self.current = self.pushed.pop().unwrap_or(0),
        }
    }
}

const PREPROCESSOR: [&str; 15] = [
    "include",
    "include_next",
    "import",
    "define",
    "undef",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "embed",
    "error",
];

impl Directive {
    /// Reads a line from its `#`.
    pub(crate) fn read(line: &[u8]) -> Directive {
        let line = line.strip_prefix(b"#").or(line.strip_prefix(b"%:")).unwrap_or(line);
        let line = line.trim_ascii();
        let word_length =
            line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let (word, rest) = line.split_at(word_length);
        match word {
            b"" if rest.is_empty() => Directive::Skipped,
            b"line" => line_marker(rest.trim_ascii()),
            _ if word.first().is_some_and(u8::is_ascii_digit) => line_marker(line),
            b"pragma" => pragma(rest.trim_ascii()),
            b"ident" | b"sccs" | b"warning" | b"assert" | b"unassert" => Directive::Skipped,
            _ => match PREPROCESSOR.iter().find(|known| known.as_bytes() == word) {
                Some(known) => Directive::NeedsPreprocessor((*known).to_owned()),
                None => Directive::Unknown,
            },
        }
    }
}

/// Reads `12 "file" 1 3`.
fn line_marker(text: &[u8]) -> Directive {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let Some(line) = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()) else {
        return Directive::Unknown;
    };
    let Some(quoted) = rest.trim_ascii_start().strip_prefix(b"\"") else {
        return Directive::LineMarker { line, file: None, system: false };
    };
    let flags = quoted.rsplit(|byte| *byte == b'"').next().unwrap_or(&[]);
    let system = flags.split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
    Directive::LineMarker { line, file: Some(unquote(quoted)), system }
}

/// The text up to the closing quote, without backslashes.
fn unquote(quoted: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut bytes = quoted.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => file.extend(bytes.next()),
            _ => file.push(*byte),
        }
    }
    file
}

/// Reads what follows `#pragma`; only `pack (…)` matters.
fn pragma(text: &[u8]) -> Directive {
    let Some(arguments) = text.strip_prefix(b"pack").map(<[u8]>::trim_ascii_start) else {
        return Directive::Skipped;
    };
    let Some(arguments) =
        arguments.strip_prefix(b"(").and_then(|rest| rest.split(|byte| *byte == b')').next())
    else {
        return Directive::Skipped;
    };
    let words: Vec<&[u8]> = arguments.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
    let number = words.iter().find_map(|word| std::str::from_utf8(word).ok()?.parse().ok());
    match words[0] {
        b"push" => Directive::Pack(PackChange::Push(number)),
        b"pop" => Directive::Pack(PackChange::Pop),
        b"" => Directive::Pack(PackChange::Set(0)),
        _ => number.map_or(Directive::Skipped, |number| Directive::Pack(PackChange::Set(number))),
    }
}

/// Whether a text must go through a preprocessor before it can be read: it has directives other than line markers
/// and pragmas, or it uses names such as `__LINE__` or `__INT_MAX__`, which only a preprocessor defines.
pub fn needs_preprocessor(text: impl AsRef<[u8]>) -> bool {
    let text = text.as_ref();
    let mut position = 0;
    let mut at_line_start = true;
    while position < text.len() {
        let rest = &text[position..];
        match rest[0] {
            b'\n' => {
                at_line_start = true;
                position += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                position += 1;
                continue;
            }
            b'#' if at_line_start => {
                let end = line_end(text, position);
                if matches!(Directive::read(&text[position..end]), Directive::NeedsPreprocessor(_)) {
                    return true;
                }
                position = end;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                position = line_end(text, position);
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                position = find_comment_end(text, position + 2).unwrap_or(text.len());
                continue;
            }
            b'"' | b'\'' => position += quoted_length(rest),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let length = word_length(rest);
                if is_predefined(&rest[..length]) {
                    return true;
                }
                position += length;
            }
            _ => position += 1,
        }
        at_line_start = false;
    }
    false
}

pub(super) fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte == b'$').count()
}

/// The length of a string or character constant, up to its closing quote or the end of the line.
pub(super) fn quoted_length(text: &[u8]) -> usize {
    let mut position = 1;
    while position < text.len() {
        match text[position] {
            b'\\' => position += 2,
            b'\n' => return position,
            byte if byte == text[0] => return position + 1,
            _ => position += 1,
        }
    }
    text.len()
}

/// Whether a word is one that preprocessors define: capitals between double underscores, or `_Pragma`.
fn is_predefined(word: &[u8]) -> bool {
    let inner = word.strip_prefix(b"__").and_then(|rest| rest.strip_suffix(b"__"));
    let is_capital =
        |inner: &[u8]| inner.iter().any(u8::is_ascii_uppercase) && !inner.iter().any(u8::is_ascii_lowercase);
    let is_function_name = matches!(word, b"__FUNCTION__" | b"__PRETTY_FUNCTION__");
    word == b"_Pragma" || inner.is_some_and(is_capital) && !is_function_name
}
