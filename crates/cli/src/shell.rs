//! Commands that the user can type as they are shown.

/// juvenal as it was started: a word on the search path, or the path of the program.
pub fn juvenal() -> String {
    let started = std::env::args_os().next().unwrap_or_else(|| "juvenal".into());
    word(&started.to_string_lossy())
}

/// A word of a command, quoted where the shell would read more into it.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_they_must_be() {
        for (text, expected) in [
            ("juvenal-out", "juvenal-out"),
            ("./mine.toml=/opt/a", "./mine.toml=/opt/a"),
            ("my hunt", "'my hunt'"),
            ("it's", "'it'\\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("", "''"),
        ] {
            assert_eq!(word(text), expected, "{text}");
        }
    }
}
