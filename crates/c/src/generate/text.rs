//! The text of the program that is being written: indentation, numbers and literals.

use super::types::Scalar;

/// The text so far. Expressions are written at its end, and adjusted there by small insertions.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) buffer: String,
    pub(super) indent: usize,
}

const SPACES: &str = "                                                                ";

impl Text {
    pub(super) fn push(&mut self, text: &str) {
        self.buffer.push_str(text);
    }

    pub(super) fn end(&self) -> usize {
        self.buffer.len()
    }

    /// Removes the text after an offset.
    pub(super) fn truncate(&mut self, offset: usize) {
        self.buffer.truncate(offset);
    }

    pub(super) fn insert(&mut self, offset: usize, text: &str) {
        self.buffer.insert_str(offset, text);
    }

    /// Writes the text between two offsets again.
    pub(super) fn repeat(&mut self, start: usize, end: usize) {
        self.buffer.extend_from_within(start..end);
    }

    /// Starts a line.
    pub(super) fn line(&mut self) {
        let spaces = (self.indent * 4).min(SPACES.len());
        self.buffer.push_str(&SPACES[..spaces]);
    }

    /// Ends a statement.
    pub(super) fn end_statement(&mut self) {
        self.buffer.push_str(";\n");
    }

    /// A whole line.
    pub(super) fn whole_line(&mut self, text: &str) {
        self.line();
        self.buffer.push_str(text);
        self.buffer.push('\n');
    }

    /// Ends the line with a brace and indents what follows.
    pub(super) fn open(&mut self) {
        self.buffer.push_str(" {\n");
        self.indent += 1;
    }

    /// A closing brace, without the end of the line.
    pub(super) fn close(&mut self) {
        self.indent = self.indent.saturating_sub(1);
        self.line();
        self.buffer.push('}');
    }

    /// A closing brace on a line of its own.
    pub(super) fn close_line(&mut self) {
        self.close();
        self.buffer.push('\n');
    }

    pub(super) fn number(&mut self, number: u128) {
        let mut digits = [0u8; 40];
        let mut start = digits.len();
        let mut rest = number;
        loop {
            start -= 1;
            // 64-bit division is much faster, and nearly every number is small.
            let (quotient, digit) = match u64::try_from(rest) {
                Ok(small) => (u128::from(small / 10), (small % 10) as u8),
                Err(_) => (rest / 10, (rest % 10) as u8),
            };
            digits[start] = b'0' + digit;
            rest = quotient;
            if rest == 0 {
                break;
            }
        }
        for digit in &digits[start..] {
            self.buffer.push(char::from(*digit));
        }
    }

    /// An integer constant of a promoted type. The least value of a signed type has no literal and is written like
    /// `(-9 - 1)`.
    pub(super) fn literal(&mut self, value: i128, scalar: Scalar) {
        let scalar = scalar.promoted();
        let suffix = scalar.suffix();
        if value >= 0 {
            self.number(value.unsigned_abs());
            self.push(suffix);
            return;
        }
        let is_least = value == scalar.range().low;
        self.push("(-");
        self.number(value.unsigned_abs() - u128::from(is_least));
        self.push(suffix);
        self.push(if is_least { " - 1)" } else { ")" });
    }

    /// A real constant: a number of eighths.
    pub(super) fn real_literal(&mut self, eighths: i64, scalar: Scalar) {
        const FRACTIONS: [&str; 8] = [".0", ".125", ".25", ".375", ".5", ".625", ".75", ".875"];
        if eighths < 0 {
            self.push("(-");
        }
        let magnitude = eighths.unsigned_abs();
        self.number(u128::from(magnitude / 8));
        self.push(FRACTIONS[(magnitude % 8) as usize]);
        self.push(scalar.suffix());
        if eighths < 0 {
            self.push(")");
        }
    }
}
