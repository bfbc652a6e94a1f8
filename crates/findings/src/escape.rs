//! Escapes what analyzers print. Their output is hostile: it may contain terminal codes, Markdown fences, anything.

use model::{one_line, shown};

/// Escapes text for a table cell, a list item or a heading in Markdown. Characters that are special only at the beginning
/// of a line are escaped only there, because terms are full of them: `(=> p #b0)`.
pub(crate) fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    for (index, c) in one_line(text, 1000).trim_start().chars().enumerate() {
        if "\\`*_[]<|&".contains(c) || (index == 0 && "#>+-=~".contains(c)) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Escapes a sentence for Markdown, except for the code between backticks.
pub(crate) fn markdown_sentence(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) || text.contains("``") {
        return markdown(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        // Blanks around code belong to the sentence.
        0 => {
            let blanks = part.len() - part.trim_start().len();
            format!("{}{}", &part[..blanks], markdown(part))
        }
        _ => format!("`{}`", one_line(part, 1000)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// A fenced block of Markdown, truncated to a size. Its fence is longer than any in the text.
pub(crate) fn fenced(language: &str, text: &str, longest: usize) -> String {
    let mut shown = shown(text).into_owned();
    if shown.len() > longest {
        let cut = (0..=longest).rev().find(|index| shown.is_char_boundary(*index)).unwrap_or(0);
        shown.truncate(cut);
        shown.push_str("\n[truncated]\n");
    }
    let longest_run = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest_run.max(2) + 1);
    let newline = if shown.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{shown}{newline}{fence}\n")
}

/// Quotes a word of a shell command.
pub(crate) fn shell_word(text: &str) -> String {
    let plain =
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Turns a text into a part of a file name.
pub(crate) fn file_word(text: &str) -> String {
    let mut word = String::new();
    for c in text.chars().take(60) {
        if c.is_ascii_alphanumeric() || c == '.' {
            word.push(c.to_ascii_lowercase());
        } else if !word.ends_with('-') {
            word.push('-');
        }
    }
    word.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_defused() {
        assert_eq!(fenced("", "a\x1b[31mb\u{202e}", 100), "```\na\\u{1b}[31mb\\u{202e}\n```\n");
        assert_eq!(markdown("a\x1bb"), "a\\\\u{1b}b");
        assert_eq!(markdown("a|b<c>`d`"), "a\\|b\\<c>\\`d\\`");
        assert_eq!(markdown("(=> p (= x #b0))"), "(=> p (= x #b0))");
        assert_eq!(markdown(" # no heading"), "\\# no heading");
        assert_eq!(
            markdown_sentence("check `x < 3 && *p` of a_b holds"),
            "check `x < 3 && *p` of a\\_b holds"
        );
        assert_eq!(markdown_sentence("one ` is <no> code"), "one \\` is \\<no> code");
        assert_eq!(fenced("", "```\nx", 100), "````\n```\nx\n````\n");
        assert_eq!(shell_word("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(shell_word("--a=b"), "--a=b");
        assert_eq!(file_word("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_word("Unsat on Sat!"), "unsat-on-sat");
    }
}
