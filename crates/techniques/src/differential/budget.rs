//! Budgets: how many checks a program is worth, as an arithmetic expression.
//!
//! An expression has decimal numbers, the names `candidates` and `statements`, the operators `+ - * /`, parentheses, and
//! `min` and `max` of two expressions: `min(100, 0.2 * candidates)`. Fractions are exact. What grows too large stays at
//! the greatest number there is; a number divided by zero does, too. The result is rounded down, and is at least 1.

use std::cmp::Ordering;

/// The default budget.
pub const DEFAULT: &str = "min(100, 0.2 * candidates)";

/// How many digits a number may have, before and after the point together.
const MOST_DIGITS: usize = 18;

/// A budget that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Operands before their operators.
    steps: Vec<Step>,
}

/// What is done next with the numbers on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Number(Fraction),
    Candidates,
    Statements,
    Apply(Operator),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Least,
    Greatest,
}

/// What waits for its right operand, or for its closing parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Operator(Operator),
    Parenthesis,
    /// The first operand of `min` or `max`.
    First(Operator),
    /// The second one.
    Second(Operator),
}

impl Operator {
    /// Whether it is applied before an operator that follows its right operand.
    fn comes_before(self, other: Operator) -> bool {
        let is_product = |operator| matches!(operator, Operator::Multiply | Operator::Divide);
        is_product(self) || !is_product(other)
    }
}

impl Budget {
    /// So many checks for every program.
    pub fn constant(checks: usize) -> Budget {
        Budget { steps: vec![Step::Number(Fraction::whole(checks as i128))] }
    }

    /// Reads a budget; an error says where something else was expected.
    pub fn parse(text: &str) -> Result<Budget, String> {
        let mut reader = Reader { text, at: 0, steps: Vec::new(), waiting: Vec::new() };
        loop {
            reader.read_operand()?;
            if !reader.read_operator()? {
                return Ok(Budget { steps: reader.steps });
            }
        }
    }

    /// The number of checks that a program with these numbers of candidates and statements is worth.
    pub fn checks(&self, candidates: usize, statements: usize) -> usize {
        let mut stack = Vec::new();
        for step in &self.steps {
            let value = match *step {
                Step::Number(number) => number,
                Step::Candidates => Fraction::whole(candidates as i128),
                Step::Statements => Fraction::whole(statements as i128),
                Step::Apply(operator) => {
                    let (right, left) = (stack.pop().unwrap_or_default(), stack.pop().unwrap_or_default());
                    apply(operator, left, right)
                }
            };
            stack.push(value);
        }
        let result = stack.pop().unwrap_or_default();
        usize::try_from(result.floor().max(1)).unwrap_or(usize::MAX)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    steps: Vec<Step>,
    waiting: Vec<Waiting>,
}

impl Reader<'_> {
    /// Reads up to the end of a number or a name, opening parentheses included.
    fn read_operand(&mut self) -> Result<(), String> {
        loop {
            self.skip_blanks();
            let start = self.at;
            if self.take('(') {
                self.waiting.push(Waiting::Parenthesis);
                continue;
            }
            let word: String =
                self.rest().chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '.').collect();
            self.at += word.len();
            let operator = match word.as_str() {
                "candidates" => return self.end_operand(Step::Candidates),
                "statements" => return self.end_operand(Step::Statements),
                "min" => Operator::Least,
                "max" => Operator::Greatest,
                _ if word.starts_with(|first: char| first.is_ascii_digit()) => {
                    let number = Fraction::parse(&word).ok_or_else(|| {
                        self.error(start, &format!("a decimal number of at most {MOST_DIGITS} digits"))
                    })?;
                    return self.end_operand(Step::Number(number));
                }
                _ => {
                    return Err(
                        self.error(start, "a number, `candidates`, `statements`, `min`, `max` or `(`")
                    );
                }
            };
            self.skip_blanks();
            if !self.take('(') {
                return Err(self.error(self.at, &format!("`(` after `{word}`")));
            }
            self.waiting.push(Waiting::First(operator));
        }
    }

    fn end_operand(&mut self, step: Step) -> Result<(), String> {
        self.steps.push(step);
        Ok(())
    }

    /// Reads closing parentheses and then an operator or a comma; false at the end of the text.
    fn read_operator(&mut self) -> Result<bool, String> {
        loop {
            self.skip_blanks();
            let Some(next) = self.rest().chars().next() else { return self.end() };
            let operator = match next {
                '+' => Operator::Add,
                '-' => Operator::Subtract,
                '*' => Operator::Multiply,
                '/' => Operator::Divide,
                ')' => {
                    self.close()?;
                    continue;
                }
                ',' => return self.comma(),
                _ => return Err(self.error(self.at, self.expected_after_operand())),
            };
            self.at += 1;
            self.apply_waiting(|waiting| waiting.comes_before(operator));
            self.waiting.push(Waiting::Operator(operator));
            return Ok(true);
        }
    }

    fn end(&mut self) -> Result<bool, String> {
        self.apply_waiting(|_| true);
        match self.waiting.last() {
            None => Ok(false),
            Some(_) => Err(self.error(self.at, self.expected_after_operand())),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        self.apply_waiting(|_| true);
        match self.waiting.last().copied() {
            Some(Waiting::Parenthesis) => {}
            Some(Waiting::Second(operator)) => self.steps.push(Step::Apply(operator)),
            _ => return Err(self.error(self.at, self.expected_after_operand())),
        }
        self.waiting.pop();
        self.at += 1;
        Ok(())
    }

    fn comma(&mut self) -> Result<bool, String> {
        self.apply_waiting(|_| true);
        match self.waiting.last_mut() {
            Some(waiting @ Waiting::First(_)) => {
                if let Waiting::First(operator) = *waiting {
                    *waiting = Waiting::Second(operator);
                }
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.error(self.at, self.expected_after_operand())),
        }
    }

    /// What may follow an operand, given what is open.
    fn expected_after_operand(&self) -> &'static str {
        let open = self.waiting.iter().rev().find(|waiting| !matches!(waiting, Waiting::Operator(_)));
        match open {
            None | Some(Waiting::Operator(_)) => "an operator or the end",
            Some(Waiting::First(_)) => "an operator or `,`",
            Some(Waiting::Parenthesis | Waiting::Second(_)) => "an operator or `)`",
        }
    }

    /// Applies the operators that wait, the last one first, as long as they come first.
    fn apply_waiting(&mut self, comes_first: impl Fn(Operator) -> bool) {
        while let Some(Waiting::Operator(operator)) = self
            .waiting
            .last()
            .copied()
            .filter(|waiting| matches!(waiting, Waiting::Operator(operator) if comes_first(*operator)))
        {
            self.steps.push(Step::Apply(operator));
            self.waiting.pop();
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.rest().starts_with(wanted);
        self.at += if is_there { wanted.len_utf8() } else { 0 };
        is_there
    }

    fn error(&self, at: usize, expected: &str) -> String {
        let rest = self.text.get(at..).unwrap_or_default();
        let found: String = rest.chars().take(12).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        let column = self.text.get(..at).unwrap_or_default().chars().count() + 1;
        format!("column {column}: expected {expected}, found {found}")
    }
}

/// An exact fraction; the lower part is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction {
    upper: i128,
    lower: i128,
}

impl Default for Fraction {
    fn default() -> Fraction {
        Fraction::whole(0)
    }
}

impl Fraction {
    fn whole(value: i128) -> Fraction {
        Fraction { upper: value, lower: 1 }
    }

    /// The fraction in lowest terms.
    fn new(upper: i128, lower: i128) -> Fraction {
        let (mut divisor, mut rest) = (lower, upper.checked_rem(lower).unwrap_or(0));
        while rest != 0 {
            (divisor, rest) = (rest, divisor.checked_rem(rest).unwrap_or(0));
        }
        // The sign of a remainder is that of what is divided.
        let divisor = divisor.saturating_abs().max(1);
        Fraction { upper: upper / divisor, lower: (lower / divisor).max(1) }
    }

    /// Reads digits with or without a point between them.
    fn parse(text: &str) -> Option<Fraction> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) || whole.len() + part.len() > MOST_DIGITS + 1 {
            return None;
        }
        let lower = 10i128.checked_pow(part.len() as u32)?;
        let upper = whole.parse::<i128>().ok()?.checked_mul(lower)?;
        Some(Fraction::new(upper.checked_add(part.parse().ok()?)?, lower))
    }

    fn floor(self) -> i128 {
        self.upper.div_euclid(self.lower)
    }

    /// The result of a computation that may have grown too large: then as much of it as fits.
    fn or_greatest(exact: Option<(i128, i128)>, is_negative: bool) -> Fraction {
        match exact {
            Some((upper, lower)) => Fraction::new(upper, lower),
            None => Fraction::whole(if is_negative { i128::MIN + 1 } else { i128::MAX }),
        }
    }

    fn plus(self, other: Fraction) -> Fraction {
        let sum = || {
            let left = self.upper.checked_mul(other.lower)?;
            let right = other.upper.checked_mul(self.lower)?;
            Some((left.checked_add(right)?, self.lower.checked_mul(other.lower)?))
        };
        // The larger one decides on which side too large a sum is.
        let is_negative = match self.upper.unsigned_abs().cmp(&other.upper.unsigned_abs()) {
            Ordering::Less => other.upper < 0,
            _ => self.upper < 0,
        };
        Fraction::or_greatest(sum(), is_negative)
    }

    fn negated(self) -> Fraction {
        Fraction { upper: self.upper.saturating_neg(), ..self }
    }

    fn times(self, other: Fraction) -> Fraction {
        let product = || Some((self.upper.checked_mul(other.upper)?, self.lower.checked_mul(other.lower)?));
        Fraction::or_greatest(product(), (self.upper < 0) != (other.upper < 0))
    }

    fn divided_by(self, other: Fraction) -> Fraction {
        match other.upper {
            0 if self.upper == 0 => self,
            0 => Fraction::or_greatest(None, self.upper < 0),
            _ => {
                let lower = Fraction { upper: other.lower, lower: other.upper.saturating_abs() };
                let quotient = self.times(lower);
                if other.upper < 0 { quotient.negated() } else { quotient }
            }
        }
    }
}

fn apply(operator: Operator, left: Fraction, right: Fraction) -> Fraction {
    let is_less = || left.plus(right.negated()).upper < 0;
    match operator {
        Operator::Add => left.plus(right),
        Operator::Subtract => left.plus(right.negated()),
        Operator::Multiply => left.times(right),
        Operator::Divide => left.divided_by(right),
        Operator::Least => {
            if is_less() {
                left
            } else {
                right
            }
        }
        Operator::Greatest => {
            if is_less() {
                right
            } else {
                left
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_computed_exactly() {
        for (text, candidates, expected) in [
            (DEFAULT, 50, 10),
            (DEFAULT, 54, 10),
            (DEFAULT, 499, 99),
            (DEFAULT, 500_000, 100),
            (DEFAULT, 0, 1),
            ("1 + 2 * 3 - 4 / 2", 0, 5),
            ("(1 + 2) * 3", 0, 9),
            ("10 - 3 - 2", 0, 5),
            ("100 / 5 / 2", 0, 10),
            ("0.1 * candidates + 0.2 * candidates", 10, 3),
            ("max(3, min(candidates, statements))", 10, 7),
            ("max(3, min(candidates, statements))", 2, 3),
            ("candidates / 3 * 3", 7, 7),
            ("3 - 10", 0, 1),
            ("1 / 0", 0, usize::MAX),
            ("0 / 0", 0, 1),
            ("0 - 1 / 0", 0, 1),
            ("999999999999999999 * 999999999999999999 * 999999999999999999", 0, usize::MAX),
            ("6 / (0 - 2) + 5", 0, 2),
            ("((((4))))", 0, 4),
        ] {
            let budget = Budget::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(budget.checks(candidates, 7), expected, "{text}");
        }
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Budget::parse(&deep).map(|budget| budget.checks(0, 0)), Ok(1));
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        for (text, expected) in [
            (
                "",
                "column 1: expected a number, `candidates`, `statements`, `min`, `max` or `(`, found the end",
            ),
            (
                "2 *",
                "column 4: expected a number, `candidates`, `statements`, `min`, `max` or `(`, found the end",
            ),
            ("2 3", "column 3: expected an operator or the end, found `3`"),
            ("min(1)", "column 6: expected an operator or `,`, found `)`"),
            ("min 1", "column 5: expected `(` after `min`, found `1`"),
            ("min(1, 2, 3)", "column 9: expected an operator or `)`, found `, 3)`"),
            ("(1 + 2", "column 7: expected an operator or `)`, found the end"),
            ("1)", "column 2: expected an operator or the end, found `)`"),
            ("1, 2", "column 2: expected an operator or the end, found `, 2`"),
            ("1.2.3", "column 1: expected a decimal number of at most 18 digits, found `1.2.3`"),
            (
                "files",
                "column 1: expected a number, `candidates`, `statements`, `min`, `max` or `(`, found `files`",
            ),
        ] {
            assert_eq!(Budget::parse(text).unwrap_err(), expected, "{text}");
        }
    }
}
