//! Reads the part of YAML that task definitions use: blocks of keys and of items, words, quoted texts, flat flow lists.
//!
//! The rest of YAML (anchors, tags, block scalars, nested flow, several documents) is refused with a line number.

use std::fmt;

/// The deepest nesting of blocks; task definitions have three levels.
const DEEPEST: usize = 32;
/// First characters of YAML constructs that are not supported.
const REFUSED_STARTS: &[char] = &['&', '*', '!', '|', '>', '%', '@', '`'];

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Yaml {
    /// Nothing after a key or a dash.
    Nothing,
    /// A word, number or quoted text without its quotes.
    Text(String),
    /// Items, in order.
    List(Vec<Yaml>),
    /// Keys with values, in order; no key occurs twice.
    Map(Vec<(String, Yaml)>),
}

/// A construct that cannot be read, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YamlError {
    line: usize,
    message: String,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Yaml {
    /// Reads one document.
    pub(crate) fn parse(text: &str) -> Result<Yaml, YamlError> {
        let mut reader = Reader { lines: lines_of(text)?, next: 0 };
        let Some(first) = reader.lines.first() else { return Ok(Yaml::Nothing) };
        let value = reader.block(first.indent, 0)?;
        match reader.peek() {
            None => Ok(value),
            Some(line) => Err(line.error("this line is indented differently from those before it")),
        }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Yaml::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A line that is not empty, without its comment.
struct Line<'a> {
    number: usize,
    indent: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn error(&self, message: impl Into<String>) -> YamlError {
        YamlError { line: self.number, message: message.into() }
    }

    /// The text after the dash of an item, and the width of the dash.
    fn item(&self) -> Option<(usize, &'a str)> {
        let rest = self.text.strip_prefix('-')?;
        let item = rest.trim_start();
        (rest.is_empty() || rest.starts_with(' ')).then_some((self.text.len() - item.len(), item))
    }
}

fn lines_of(text: &str) -> Result<Vec<Line<'_>>, YamlError> {
    let mut lines = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let without_comment = strip_comment(raw).trim_end();
        let text = without_comment.trim_start_matches(' ');
        let line = Line { number: index + 1, indent: without_comment.len() - text.len(), text };
        if text.starts_with('\t') {
            return Err(line.error("tabs cannot be used for indentation; use blanks"));
        }
        match text {
            "" => {}
            "---" if lines.is_empty() => {}
            "..." => break,
            "---" => return Err(line.error("a second document begins here; a file contains one task")),
            _ => lines.push(line),
        }
    }
    Ok(lines)
}

/// The line up to a `#` outside quotes that begins the line or follows a blank.
fn strip_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    let (mut opens, mut is_escaped) = (true, false);
    for (place, character) in line.char_indices() {
        match (quote, character) {
            (None, '#') if before.is_whitespace() => return &line[..place],
            (None, '\'' | '"') if opens => quote = Some(character),
            (Some(open), _) if character == open && !is_escaped => quote = None,
            _ => {}
        }
        // A quote in the middle of a word is an apostrophe.
        opens =
            if character == ' ' { opens } else { matches!(character, ':' | '-' | '[' | '{' | ',' | '\'') };
        is_escaped = quote == Some('"') && character == '\\' && !is_escaped;
        before = character;
    }
    line
}

struct Reader<'a> {
    lines: Vec<Line<'a>>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&Line<'a>> {
        self.lines.get(self.next)
    }

    /// The lines from here on with this indentation, as items or as keys, with what is indented below them.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        match self.peek() {
            None => Ok(Yaml::Nothing),
            Some(line) if depth > DEEPEST => Err(line.error(format!("more than {DEEPEST} nested blocks"))),
            Some(line) if line.item().is_some() => self.items(indent, depth),
            Some(_) => self.keys(indent, depth),
        }
    }

    fn items(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        let mut items = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent == indent) {
            let Some((width, item)) = line.item() else { break };
            if item.is_empty() {
                self.next += 1;
                items.push(self.below(indent, depth)?);
                continue;
            }
            // A key after the dash begins a block indented to the position of the key.
            let inner = Line { number: line.number, indent: indent + width, text: item };
            if inner.item().is_some() || split_key(item).is_some() {
                self.lines[self.next] = inner;
                items.push(self.block(indent + width, depth + 1)?);
            } else {
                items.push(value(&inner, item)?);
                self.next += 1;
            }
        }
        Ok(Yaml::List(items))
    }

    fn keys(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        let mut entries: Vec<(String, Yaml)> = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent == indent && line.item().is_none()) {
            let Some((key, rest)) = split_key(line.text) else {
                return Err(line.error(format!("expected `key: value`, found `{}`", line.text)));
            };
            let key = match value(line, key)? {
                Yaml::Text(key) => key,
                _ => return Err(line.error("a key must be a word or a quoted text")),
            };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(line.error(format!("the key `{key}` occurs a second time")));
            }
            let inline = if rest.is_empty() { None } else { Some(value(line, rest)?) };
            self.next += 1;
            let value = match inline {
                Some(value) => value,
                None => self.below_key(indent, depth)?,
            };
            entries.push((key, value));
        }
        Ok(Yaml::Map(entries))
    }

    /// The block indented below the previous line.
    fn below(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        match self.peek().map(|line| line.indent) {
            Some(inner) if inner > indent => self.block(inner, depth + 1),
            _ => Ok(Yaml::Nothing),
        }
    }

    /// The block below a key, whose items need not be indented.
    fn below_key(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        match self.peek() {
            Some(line) if line.indent == indent && line.item().is_some() => self.items(indent, depth + 1),
            _ => self.below(indent, depth),
        }
    }
}

/// Splits `key: value`. The key keeps its quotes.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let start = match text.chars().next()? {
        quote @ ('\'' | '"') => text[1..].find(quote)? + 2,
        '[' | '{' => return None,
        _ => 0,
    };
    let colon = text[start..]
        .match_indices(':')
        .map(|(place, _)| start + place)
        .find(|place| matches!(text[place + 1..].chars().next(), None | Some(' ')))?;
    Some((text[..colon].trim_end(), text[colon + 1..].trim()))
}

/// Reads a value on one line.
fn value(line: &Line<'_>, text: &str) -> Result<Yaml, YamlError> {
    match text.chars().next() {
        Some('[') => flow_list(line, text),
        Some('{') => flow_map(line, text),
        _ => word(line, text).map(Yaml::Text),
    }
}

/// Reads a word or a quoted text.
fn word(line: &Line<'_>, text: &str) -> Result<String, YamlError> {
    let unclosed = || line.error(format!("expected one text between quotes, found `{text}`"));
    match text.chars().next() {
        Some('\'') => {
            let inner = text[1..].strip_suffix('\'').ok_or_else(unclosed)?;
            let is_open = inner.split("''").any(|part| part.contains('\''));
            if is_open { Err(unclosed()) } else { Ok(inner.replace("''", "'")) }
        }
        Some('"') => unescape(text[1..].strip_suffix('"').ok_or_else(unclosed)?).ok_or_else(unclosed),
        Some(start) if REFUSED_STARTS.contains(&start) => Err(line
            .error(format!("`{text}`: texts that begin with `{start}` are not supported; put it in quotes"))),
        Some('[' | '{') => Err(line.error(format!("`{text}`: lists inside flow lists are not supported"))),
        _ => Ok(text.to_owned()),
    }
}

/// The inside of double quotes; `None` if it contains a quote or an unknown escape.
fn unescape(inner: &str) -> Option<String> {
    let mut plain = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '"' => return None,
            '\\' => match characters.next()? {
                same @ ('"' | '\\' | '/') => same,
                'n' => '\n',
                't' => '\t',
                _ => return None,
            },
            other => other,
        });
    }
    Some(plain)
}

fn flow_list(line: &Line<'_>, text: &str) -> Result<Yaml, YamlError> {
    let Some(inner) = text[1..].strip_suffix(']') else {
        return Err(line.error(format!("expected `]` at the end of `{text}`")));
    };
    let words = flow_parts(inner).into_iter().map(|part| word(line, part).map(Yaml::Text));
    Ok(Yaml::List(words.collect::<Result<_, _>>()?))
}

fn flow_map(line: &Line<'_>, text: &str) -> Result<Yaml, YamlError> {
    let Some(inner) = text[1..].strip_suffix('}') else {
        return Err(line.error(format!("expected `}}` at the end of `{text}`")));
    };
    let mut entries = Vec::new();
    for part in flow_parts(inner) {
        let Some((key, rest)) = split_key(part) else {
            return Err(line.error(format!("expected `key: value`, found `{part}`")));
        };
        entries.push((word(line, key)?, Yaml::Text(word(line, rest)?)));
    }
    Ok(Yaml::Map(entries))
}

/// The parts between commas outside quotes.
fn flow_parts(inner: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (place, character) in inner.char_indices() {
        match (quote, character) {
            (None, ',') => {
                parts.push(inner[start..place].trim());
                start = place + 1;
            }
            (None, '\'' | '"') if inner[start..place].trim().is_empty() => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    parts.push(inner[start..].trim());
    // A comma may follow the last part.
    if parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value on one line, for comparison.
    fn shown(value: &Yaml) -> String {
        match value {
            Yaml::Nothing => "~".to_owned(),
            Yaml::Text(text) => format!("{text:?}"),
            Yaml::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Yaml::Map(entries) => {
                let shown: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {}", shown(value))).collect();
                format!("{{{}}}", shown.join(", "))
            }
        }
    }

    fn check(text: &str, expected: &str) {
        let read = match Yaml::parse(text) {
            Ok(value) => shown(&value),
            Err(error) => error.to_string(),
        };
        assert!(read == expected || read.starts_with("line") && read.contains(expected), "{text}\n{read}");
    }

    #[test]
    fn the_yaml_of_task_definitions_is_read() {
        for (text, expected) in [
            ("", "~"),
            ("# only a comment\n\n---\n", "~"),
            ("a: b\n", r#"{a: "b"}"#),
            ("a:   b c  # comment\nd: 'it''s # not'\n", r#"{a: "b c", d: "it's # not"}"#),
            ("a: \"x\\\"y: \\\\\" # c\n", r#"{a: "x\"y: \\"}"#),
            ("a: don't # stop\nb: x#y\n", r##"{a: "don't", b: "x#y"}"##),
            ("a:\nb:\n", "{a: ~, b: ~}"),
            ("a:\n  b: 1\n  c:\n    d: 2\ne: 3", r#"{a: {b: "1", c: {d: "2"}}, e: "3"}"#),
            ("a:\n- x\n- y\nb: z\n", r#"{a: ["x", "y"], b: "z"}"#),
            ("a:\n  - x\n  - b: 1\n    c: 2\n  -\n    d: 3\n", r#"{a: ["x", {b: "1", c: "2"}, {d: "3"}]}"#),
            ("- - a\n  - b\n- c\n", r#"[["a", "b"], "c"]"#),
            (
                "a: []\nb: {}\nc: [x, 'y, z', ]\nd: {e: f, g: 'h'}",
                r#"{a: [], b: {}, c: ["x", "y, z"], d: {e: "f", g: "h"}}"#,
            ),
            ("'a b': c:d\n\"e\": f\n", r#"{a b: "c:d", e: "f"}"#),
            ("---\na: b\n...\n}}} no matter\n", r#"{a: "b"}"#),
            ("a: b\r\nc: d\r\n", r#"{a: "b", c: "d"}"#),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn what_is_not_read_is_refused_with_its_line() {
        for (text, expected) in [
            ("a: b\n  c: d\n", "line 2: this line is indented differently"),
            ("  a: b\nc: d\n", "line 2: this line is indented differently"),
            ("a: b\n\tc: d\n", "line 2: tabs cannot be used"),
            ("a: b\na: c\n", "line 2: the key `a` occurs a second time"),
            ("a: |\n  text\n", "line 1: `|`: texts that begin with `|` are not supported"),
            ("a: &x b\n", "texts that begin with `&`"),
            ("a: 'b\n", "expected one text between quotes"),
            ("a: 'b' c\n", "expected one text between quotes"),
            ("a: \"b\\q\"\n", "expected one text between quotes"),
            ("a: [b\n", "expected `]`"),
            ("a: [[b]]\n", "lists inside flow lists"),
            ("a: {b}\n", "expected `key: value`, found `b`"),
            ("word\n", "expected `key: value`, found `word`"),
            ("[a]: b\n", "line 1: "),
            ("a: b\n---\nc: d\n", "line 2: a second document"),
            (&"- ".repeat(100_000), "more than 32 nested blocks"),
            (
                &(0..1000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect::<String>(),
                "more than 32",
            ),
            ("\0\u{1}: '", "expected one text between quotes"),
        ] {
            check(text, expected);
        }
    }
}
