//! Finds commands of a script that make a solver read or write files of the script's choice.
//!
//! Solvers obey options such as `:regular-output-channel` and commands such as `include` wherever they find them, and a
//! script may come from anyone. A file name without a slash stays in the directory of the run, which is removed with
//! everything in it, so the values of all options, known or not, are searched for slashes.
//!
//! Solvers do not agree on where strings, quoted symbols and comments end. Where a text could be read in two ways,
//! everything in it is taken for a command.

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
    standard.first().or_else(|| is_ambiguous().then(|| everything.first()).flatten())
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
        let is_command =
            COMMANDS.contains(&word) && self.after_space(after).starts_with(['"', '|', ';', '#']);
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
    }

    #[test]
    fn commands_are_not_hidden_by_quotes_that_solvers_read_differently() {
        let access = "(set-option :out \"/x\")";
        for hidden in [
            format!("(echo \"\\\" {access} \")"),
            format!("#| | |# {access} |"),
            format!("|a\\| | {access} |"),
            format!("; comment \r{access}\n"),
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
        ] {
            check(text, None);
        }
    }
}
