//! Quotes commands so that users can copy them into a shell.

/// Returns how juvenal was started: its name on the search path, or its path.
pub fn juvenal() -> String {
    let started = std::env::args_os().next().unwrap_or_else(|| "juvenal".into());
    word(&started.to_string_lossy())
}

/// Quotes a word of a command if the shell would interpret it otherwise.
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
    fn words_are_quoted_only_if_necessary() {
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
