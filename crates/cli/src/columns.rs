//! Wraps text to the width of a terminal.

/// The width of the narrowest terminal, without the last column, after which some terminals break the line.
pub const COLUMNS: usize = 79;

/// Wraps a line at its spaces. Lines after the first are indented; a word that is too long gets its own line.
pub fn wrap(text: &str, indentation: usize) -> Vec<String> {
    let mut lines = Vec::new();
    // Leading white space, such as the padding of a table, is kept.
    let start = text.len() - text.trim_start().len();
    let mut line = text[..start].to_owned();
    let mut is_bare = true;
    for word in text[start..].split(' ') {
        if !is_bare && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            lines.push(std::mem::replace(&mut line, " ".repeat(indentation)));
            is_bare = true;
        }
        if !is_bare {
            line.push(' ');
        }
        line.push_str(word);
        is_bare = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let long = "x".repeat(100);
        let words = "word ".repeat(40);
        for (text, indentation, lines) in
            [("", 2, 1), ("short", 2, 1), ("a  b", 0, 1), (words.trim_end(), 4, 3), (long.as_str(), 2, 1)]
        {
            let wrapped = wrap(text, indentation);
            assert_eq!(wrapped.len(), lines, "{wrapped:?}");
            let joined: Vec<&str> = wrapped
                .iter()
                .enumerate()
                .map(|(number, line)| if number == 0 { line.as_str() } else { &line[indentation..] })
                .collect();
            assert_eq!(joined.join(" "), text);
            let fits = |line: &String| line.chars().count() <= COLUMNS || !line.trim().contains(' ');
            assert!(wrapped.iter().all(fits), "{wrapped:?}");
        }
    }
}
