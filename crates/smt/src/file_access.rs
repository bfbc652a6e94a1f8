//! Finds commands of a script that make a solver read or write files of the script's choice.
//!
//! Solvers obey options such as `:regular-output-channel` and commands such as `include` wherever they find them, and a
//! script may come from anyone. A file name without a slash stays in the directory of the run, which is removed with
//! everything in it, so the values of all options, known or not, are searched for slashes.
//!
//! Solvers do not agree on where strings, quoted symbols and comments end. Where a text could be read in two ways,
//! everything in it is taken for a command.

use crate::parse::command::EXTENSIONS;

/// A command that touches files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileAccess {
    /// The command or the option, with its argument.
    pub what: String,
    /// The line in which it begins, from 1.
    pub line: usize,
}

/// Commands that read or write the file named by a string.
const COMMANDS: [&str; 6] =
    ["include", "include-file", "export-to-dimacs", "write-state", "read-state", "write-funs"];
/// The beginnings of the commands of the standard whose arguments are not names of files. All others of the standard begin
/// with the same words.
const STANDARD: [&str; 12] = [
    "assert",
    "check-sat",
    "declare-",
    "define-",
    "echo",
    "exit",
    "get-",
    "pop",
    "push",
    "reset",
    "set-info",
    "set-logic",
];
/// Beginnings of the names of commands of this kind, known or not. They count only where a text can be read in two ways.
const VERBS: [&str; 12] = [
    "dump", "exec", "export", "import", "include", "load", "log", "output", "read", "save", "store", "write",
];
/// What messages show in place of a value that a comment hides.
const AFTER_COMMENT: &str = "a comment before its value";
/// The end of the names of options whose value is a file or a standard stream.
const CHANNEL: &str = "output-channel";
/// The values of such options that are no files.
const STREAMS: [&str; 2] = ["stdout", "stderr"];
/// Keywords whose values are names or remarks: annotations of terms, and `set-info`, which is often broken into lines.
const REMARKS: [&str; 14] = [
    "author",
    "category",
    "comments",
    "lblneg",
    "lblpos",
    "license",
    "named",
    "no-pattern",
    "notes",
    "pattern",
    "qid",
    "skolemid",
    "source",
    "status",
];
/// What comes before a keyword whose value is a remark, on the same line, so that both are in a comment or neither is.
const SET_INFO: &str = "(set-info";
/// Two readings of a text: escaped quotes, comments of z3, and carriage returns that may end a comment.
const AMBIGUOUS: [&str; 4] = ["\\\"", "\\|", "#|", "\r"];
/// The argument is shown up to this length.
const SHOWN: usize = 60;

/// The first command of a script that makes a solver touch a file outside of the directory that it runs in.
pub fn file_access(text: &str) -> Option<FileAccess> {
    let standard = Scan { text, knows_quotes: true };
    let everything = Scan { text, knows_quotes: false };
    let is_ambiguous = || AMBIGUOUS.iter().any(|mark| text.contains(mark));
    standard
        .first()
        .or_else(|| find_unknown_command(text))
        .or_else(|| is_ambiguous().then(|| everything.first()).flatten())
}

/// One reading of a text.
struct Scan<'a> {
    text: &'a str,
    /// False if what is in quotes and comments is searched as well.
    knows_quotes: bool,
}

impl Scan<'_> {
    fn first(&self) -> Option<FileAccess> {
        let bytes = self.text.as_bytes();
        let mut place = 0;
        while let Some(byte) = bytes.get(place) {
            place += match byte {
                b'|' if self.knows_quotes && self.is_quoted_command(place + 1) => 1,
                b'"' | b'|' if self.knows_quotes => 2 + length_until(&bytes[place + 1..], &[*byte]),
                b';' if self.knows_quotes => 1 + length_until(&bytes[place + 1..], b"\n"),
                byte if is_symbol(*byte) => {
                    let length = symbol_length(&bytes[place..]);
                    if let Some(what) = self.touches_file(place, length) {
                        let line = 1 + bytes[..place].iter().filter(|byte| **byte == b'\n').count();
                        return Some(FileAccess { what, line });
                    }
                    length
                }
                _ => 1,
            };
        }
        None
    }

    /// True if this is the inside of a quoted symbol that is the name of a command.
    fn is_quoted_command(&self, place: usize) -> bool {
        let rest = &self.text[place..];
        COMMANDS.contains(&&rest[..length_until(rest.as_bytes(), b"|")])
    }

    /// What touches a file, if the word at this place does.
    fn touches_file(&self, place: usize, length: usize) -> Option<String> {
        let word = self.text.get(place..place + length)?;
        let after = place + length;
        if let Some(name) = word.strip_prefix(':') {
            let is_remark = REMARKS.contains(&name) || name.is_empty() || name.contains('/');
            if is_remark || self.text[..place].trim_end_matches([' ', '\t']).ends_with(SET_INFO) {
                return None;
            }
            if self.is_comment(after) {
                return Some(shown(word, AFTER_COMMENT));
            }
            let value = self.value(after);
            let is_file = match value {
                Some(value) if name.ends_with(CHANNEL) => !STREAMS.contains(&value),
                Some(value) => value.contains(['/', '\\']),
                None => name.ends_with(CHANNEL),
            };
            return is_file.then(|| shown(word, value.unwrap_or_default()));
        }
        // Terms may call a function `include`, but hardly with a string.
        // A quoted name ends with a bar.
        let after =
            after + usize::from(self.text[..place].ends_with('|') && self.text[after..].starts_with('|'));
        let is_named = COMMANDS.contains(&word)
            || !self.knows_quotes
                && VERBS.iter().any(|verb| word.starts_with(verb))
                && self.text[..place].trim_end_matches('|').trim_end().ends_with('(');
        let is_command = is_named && self.after_space(after).starts_with(['"', '|', ';', '#']);
        let value =
            if self.is_comment(after) { AFTER_COMMENT } else { self.value(after).unwrap_or_default() };
        is_command.then(|| shown(word, value))
    }

    /// True if a comment follows, of SMT-LIB or of z3. What comes after it is not searched, so it counts as a file.
    fn is_comment(&self, place: usize) -> bool {
        let rest = self.after_space(place);
        rest.starts_with(';') || rest.starts_with("#|")
    }

    /// The atom that follows, without its quotes; `None` if a list follows.
    fn value(&self, place: usize) -> Option<&str> {
        let rest = self.after_space(place);
        match rest.as_bytes().first()? {
            quote @ (b'"' | b'|') => Some(&rest[1..1 + length_until(&rest.as_bytes()[1..], &[*quote])]),
            byte if is_symbol(*byte) => Some(&rest[..symbol_length(rest.as_bytes())]),
            _ => None,
        }
    }

    /// The text from a place on, without leading white space.
    fn after_space(&self, place: usize) -> &str {
        self.text[place..].trim_start()
    }
}

/// The first command that no standard and no dialect lists, and that has an argument with a slash: its meaning is the
/// solver's.
fn find_unknown_command(text: &str) -> Option<FileAccess> {
    let tokens = tokens(text);
    let mut depth = 0usize;
    // The name of an unknown command that is open, with its place.
    let mut open: Option<(usize, &str)> = None;
    for (index, (place, token)) in tokens.iter().enumerate() {
        match *token {
            "(" => {
                depth += 1;
                let head = tokens.get(index + 1).map_or("", |(_, head)| head.trim_matches('|'));
                if depth == 1 {
                    open = (!is_known_command(head)).then_some((*place, head));
                }
            }
            ")" => depth = depth.saturating_sub(1),
            argument => {
                let Some((start, name)) = open.filter(|(_, name)| *name != argument) else { continue };
                let value = argument.trim_matches(['"', '|']);
                if value.len() > 1 && value.contains(['/', '\\']) {
                    let line = 1 + text[..start].matches('\n').count();
                    return Some(FileAccess { what: shown(name, value), line });
                }
            }
        }
    }
    None
}

/// Whether the arguments of a command are known to be no files. Those of `set-option` are checked elsewhere.
fn is_known_command(name: &str) -> bool {
    let is_standard = || STANDARD.iter().any(|known| name.starts_with(known));
    let is_listed = || EXTENSIONS.contains(&name) || name == "set-option" || name.starts_with("dbg-");
    !COMMANDS.contains(&name) && (is_standard() || is_listed())
}

/// Parentheses, symbols, strings and quoted symbols, with their places.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut place = 0;
    while let Some(byte) = bytes.get(place) {
        let length = match byte {
            quote @ (b'"' | b'|') => 2 + length_until(&bytes[place + 1..], &[*quote]),
            b';' => 1 + length_until(&bytes[place + 1..], b"\n"),
            byte if is_symbol(*byte) => symbol_length(&bytes[place..]),
            _ => 1,
        };
        let end = (place + length).min(text.len());
        if *byte != b';' && !byte.is_ascii_whitespace() {
            tokens.push((place, &text[place..end]));
        }
        place = end;
    }
    tokens
}

fn shown(word: &str, value: &str) -> String {
    let value: String = value.chars().take(SHOWN).collect();
    format!("{word} {}", value.escape_debug())
}

fn length_until(bytes: &[u8], end: &[u8]) -> usize {
    bytes.iter().position(|byte| end.contains(byte)).unwrap_or(bytes.len())
}

fn symbol_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !is_symbol(*byte)).unwrap_or(bytes.len())
}

fn is_symbol(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b'"' | b'|' | b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, usize)>) {
        let found = file_access(text);
        let found = found.as_ref().map(|it| (it.what.as_str(), it.line));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn options_that_name_files_are_found() {
        check("(set-option :regular-output-channel \"/tmp/x\")", Some((":regular-output-channel /tmp/x", 1)));
        check("\n(set-option :diagnostic-output-channel \"x\")", Some((":diagnostic-output-channel x", 2)));
        check("(set-option :regular-output-channel|/x|)", Some((":regular-output-channel /x", 1)));
        check("(set-option :regular-output-channel)", Some((":regular-output-channel ", 1)));
        check("(set-option :sat.drat.file |/tmp/x|)", Some((":sat.drat.file /tmp/x", 1)));
        check("(set-option :out ../x)", Some((":out ../x", 1)));
        check("(check-sat-using (using-params sat :drat.file \"/x\"))", Some((":drat.file /x", 1)));
        let after_comment = Some((":out a comment before its value", 1));
        check("(set-option :out ; a comment\n \"/tmp/x\")", after_comment);
        check("(set-option :out ; )\n \"/tmp/x\")", after_comment);
        check("(set-option :out #||# \"/tmp/x\")", after_comment);
        check("(set-option ; (set-info\n :out \"/x\")", Some((":out /x", 2)));
        check("; (set-info\n:out \"/x\"", Some((":out /x", 2)));
    }

    #[test]
    fn commands_that_name_files_are_found() {
        check("(include \"/tmp/x\")", Some(("include /tmp/x", 1)));
        check("( include \"x\")", Some(("include x", 1)));
        check("(include; comment\n\"x\")", Some(("include a comment before its value", 1)));
        check("(include #||# \"x\")", Some(("include a comment before its value", 1)));
        check("(|include| \"x\")", Some(("include x", 1)));
        check("(include-file \"x\")", Some(("include-file x", 1)));
        check("(check-sat)\n(write-states \"/tmp/x\")", Some(("write-states /tmp/x", 2)));
        check("(|anything| (a b |../x|))", Some(("anything ../x", 1)));
        check("( ; (assert\n anything /x)", Some(("anything /x", 1)));
        check("(dump-context)(anything \"x\")", None);
    }

    #[test]
    fn commands_are_not_hidden_by_quotes_that_solvers_read_differently() {
        let access = "(set-option :out \"/x\")";
        for hidden in [
            format!("(echo \"\\\" {access} \")"),
            format!("#| | |# {access} |"),
            format!("|a\\| | {access} |"),
            format!("; comment \r{access}\n"),
            "(echo \"\\\") (dump-it \"/x\") (echo \"\\\")".to_owned(),
        ] {
            assert!(file_access(&hidden).is_some(), "{hidden}");
        }
        assert!(file_access("(|include| \"x\") \\|").is_some());
    }

    #[test]
    fn scripts_that_touch_no_file_are_left_alone() {
        for text in [
            "(set-option :regular-output-channel \"stdout\")\n(set-option :diagnostic-output-channel \"stderr\")",
            "(set-option :produce-models true)(set-option :random-seed 7)(set-option :bv-solver \"bitblast\")",
            "(set-info :source |http://example.org/a \" b|)\n(set-info :anything \"/tmp/x\")\n(set-info\n :source |a/b|)",
            "(assert (! (> (/ x y) 1.0) :named |a/b| :pattern ((/ x y)) :qid |/tmp/a.bpl|))",
            "(assert (= s \"a:b /c\")) (assert (= t \"http://x\")) (assert (= (/ x 2.0) y))",
            "(assert (str.in_re s (str.to_re \"/include\")))(declare-fun include () Int)(assert (= include 1))",
            "; (set-option :out \"/tmp/x\")\n(check-sat)",
            "(check-sat-using (then simplify (using-params smt :arith.solver 2)))",
            "(assert (= \"\\u{2f}\" \"/\"))(echo \"a/b\")",
            "(declare-rel |a/b| (Int))(rule (|a/b| 1))(simplify (str.++ s \"a/b\"))(assert-soft (= s \"/a\"))",
            "(assert (f \"a/b\"))",
        ] {
            check(text, None);
        }
    }
}
