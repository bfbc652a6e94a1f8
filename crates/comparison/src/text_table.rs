//! Tables of plain text that fit into a terminal.
//!
//! The first column is left-aligned, all others are right-aligned. A table that is too wide is continued below, with its
//! first column repeated.

use model::one_line;

/// The maximum width of a line.
pub(crate) const COLUMNS: usize = 100;

/// A table with a header. Rows that are shorter than the header are padded with empty cells.
pub(crate) fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| columns_of(&cell(row, column)));
        cells.chain([columns_of(&cell(header, column))]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut text = String::new();
    for block in blocks(&widths) {
        if !text.is_empty() {
            text.push('\n');
        }
        for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
            let mut line = pad(&cell(row, 0), widths.first().copied().unwrap_or(0), false);
            for column in block.clone() {
                line.push_str("  ");
                line.push_str(&pad(&cell(row, column), widths[column], true));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// The ranges of columns, without the first, that fit next to the first.
fn blocks(widths: &[usize]) -> Vec<std::ops::Range<usize>> {
    let first = widths.first().copied().unwrap_or(0);
    let mut blocks = Vec::new();
    let (mut start, mut used) = (1, first);
    for (column, width) in widths.iter().enumerate().skip(1) {
        if used + 2 + width > COLUMNS && column > start {
            blocks.push(start..column);
            (start, used) = (column, first);
        }
        used += 2 + width;
    }
    blocks.push(start..widths.len().max(start));
    blocks
}

fn pad(text: &str, width: usize, to_the_right: bool) -> String {
    let blanks = " ".repeat(width.saturating_sub(columns_of(text)));
    if to_the_right { blanks + text } else { text.to_owned() + &blanks }
}

/// Texts of several lines side by side, as many as fit.
pub(crate) fn side_by_side(texts: &[String]) -> String {
    let width = texts.iter().flat_map(|text| text.lines()).map(columns_of).max().unwrap_or(0);
    let fit = ((COLUMNS + 3) / (width + 3)).max(1);
    let mut joined = String::new();
    for row in texts.chunks(fit) {
        if !joined.is_empty() {
            joined.push('\n');
        }
        let height = row.iter().map(|text| text.lines().count()).max().unwrap_or(0);
        for line in 0..height {
            let parts = row.iter().map(|text| pad(text.lines().nth(line).unwrap_or(""), width, false));
            joined.push_str(parts.collect::<Vec<String>>().join("   ").trim_end());
            joined.push('\n');
        }
    }
    joined
}

/// An upper bound of the columns that a terminal needs for a text. Many non-Latin characters take two.
pub(crate) fn columns_of(text: &str) -> usize {
    text.chars().map(columns_of_character).sum()
}

fn columns_of_character(c: char) -> usize {
    if c < '\u{1100}' || c == '…' { 1 } else { 2 }
}

/// One line without control characters, truncated to a number of columns.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let line = one_line(text, usize::MAX);
    if columns_of(&line) <= columns {
        return line;
    }
    let mut kept = String::new();
    let mut used = 1;
    for c in line.chars() {
        used += columns_of_character(c);
        if used > columns {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// Breaks a text anywhere, into lines of at most `columns` columns.
pub(crate) fn broken(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for c in one_line(text, usize::MAX).chars() {
        let more = columns_of_character(c);
        if used + more > columns {
            lines.push(String::new());
            used = 0;
        }
        used += more;
        if let Some(line) = lines.last_mut() {
            line.push(c);
        }
    }
    lines
}

/// Wraps a sentence to lines of at most `columns` columns, between words if possible.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in one_line(text, usize::MAX).split_whitespace().flat_map(|word| broken(word, columns)) {
        match lines.last_mut() {
            Some(line) if columns_of(line) + 1 + columns_of(&word) <= columns => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn columns_are_aligned() {
        let text =
            table(&strings(&["", "A", "long"]), &[strings(&["first", "1", "2"]), strings(&["x", "333"])]);
        assert_eq!(text, "         A  long\nfirst    1     2\nx      333\n");
    }

    #[test]
    fn wide_tables_are_continued_below() {
        let header: Vec<String> = (0..40).map(|column| format!("column{column}")).collect();
        let text = table(&header, std::slice::from_ref(&header));
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(header.iter().all(|name| words.contains(&name.as_str())));
        assert!(text.lines().filter(|line| !line.is_empty()).all(|line| line.starts_with("column0")));
        assert_eq!(table(&strings(&["alone"]), &[]), "alone\n");
        assert_eq!(table(&[], &[]), "\n");
    }

    #[test]
    fn texts_stand_side_by_side() {
        assert_eq!(side_by_side(&strings(&["a\nb\n", "ccc\n"])), "a     ccc\nb\n");
        let wide = "x".repeat(60);
        assert_eq!(side_by_side(&[wide.clone(), wide.clone()]), format!("{wide}\n\n{wide}\n"));
    }

    #[test]
    fn lines_are_cut_and_wrapped() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("a\x1b[1m\n\u{202e}b", 30), "a\\u{1b}[1m \\u{202e}b");
        assert_eq!(columns_of(&cut("漢字漢字漢字", 5)), 5);
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(broken("abcdefgh", 5), ["abcde", "fgh"]);
    }
}
