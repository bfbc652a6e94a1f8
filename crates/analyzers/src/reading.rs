//! The output of a solver as a verdict. None of it is trusted: what no rule explains is unreadable, never a claim.

use crate::description::{ExitMeaning, SmtRole};
use crate::failing::FailureSigns;
use crate::scanner::{Item, Placed, Scanner};
use descriptions::Pattern;
use model::{Claim, Ending, SmtCheck, SmtStatus, Verdict};
use std::borrow::Cow;

/// The longest message that a verdict carries.
const LONGEST_MESSAGE: usize = 500;

/// Reads the output of one script with this many checks.
///
/// Answers count up to the first error that is neither harmless nor a failed check. A failure takes precedence over the
/// answers that came before it, except a limit that was hit after every check was answered.
pub fn read(role: &SmtRole, stdout: &[u8], stderr: &[u8], ending: Ending, expected_checks: u32) -> Verdict {
    let answers = SmtAnswers::of(role, stdout, stderr);
    let signs = FailureSigns {
        limits: &role.output.limits,
        rejections: &role.output.rejections,
        crashes: &role.output.crashes,
        exit_meaning: exit_meaning(role, ending),
    };
    match signs.failure(stdout, stderr, ending) {
        Some(Verdict::Limit(_)) if answers.is_complete(expected_checks) => claim(answers.checks),
        Some(failure) => failure,
        None => answers.verdict(role, stderr, ending, expected_checks),
    }
}

fn exit_meaning(role: &SmtRole, ending: Ending) -> Option<ExitMeaning> {
    let Ending::Exited(code) = ending else { return None };
    let rules = &role.output.exit_codes;
    rules.iter().find(|rule| rule.code == code).map(|rule| rule.means)
}

/// Answers that stand: `unknown` where nothing else was said.
fn claim(checks: Vec<SmtCheck>) -> Verdict {
    let all_unknown = checks.iter().all(|check| check.status == SmtStatus::Unknown);
    if all_unknown && !checks.is_empty() { Verdict::Unknown } else { Verdict::Claim(Claim::Smt(checks)) }
}

/// The answers of one output, up to what ends them.
#[derive(Default)]
struct SmtAnswers {
    checks: Vec<SmtCheck>,
    /// The first error that ends the answers.
    error: Option<String>,
    /// True if there was any error message, harmless ones included.
    complained: bool,
    /// The first line that no rule explains.
    odd: Option<String>,
    /// A list or string at the end that was cut off.
    unfinished: Option<String>,
}

impl SmtAnswers {
    fn of(role: &SmtRole, stdout: &[u8], stderr: &[u8]) -> SmtAnswers {
        let mut answers = SmtAnswers::default();
        let stdout = without_ignored_lines(role, stdout);
        let mut comments = stderr.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b";"));
        for placed in Scanner::new(&stdout) {
            let complaint = match placed.item {
                // Z3 says what is unsupported in a comment on standard error, one for each such word.
                Item::Word(b"unsupported") => {
                    Some(message_text(&[b"unsupported ", comments.next().unwrap_or_default()].concat()))
                }
                item => error_message(item),
            };
            match complaint {
                Some(message) => answers.complain(role, message),
                None => answers.take(&stdout, placed),
            }
            if answers.error.is_some() || answers.odd.is_some() {
                break;
            }
        }
        answers
    }

    /// True if every check has an answer, and one that says something.
    fn is_complete(&self, expected_checks: u32) -> bool {
        let definite = self.checks.iter().any(|check| check.status != SmtStatus::Unknown);
        definite && self.checks.len() == expected_checks as usize && self.odd.is_none()
    }

    /// Takes note of an error message.
    fn complain(&mut self, role: &SmtRole, message: String) {
        self.complained = true;
        let fits = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.is_match(message.as_bytes()));
        if fits(&role.output.failed_checks) {
            self.checks.push(SmtCheck { status: SmtStatus::Unknown, model: None });
        } else if !fits(&role.output.harmless_errors) {
            self.error = Some(message);
        }
    }

    /// Takes an item that is no error message.
    fn take(&mut self, stdout: &[u8], placed: Placed<'_>) {
        match placed.item {
            Item::Word(word) => match (status(word), placed.first_in_line) {
                (Some(status), true) => self.checks.push(SmtCheck { status, model: None }),
                (None, true) if word == b"success" => {}
                _ => self.odd = Some(line_at(stdout, placed.start)),
            },
            Item::List(list) => self.extend_model(list),
            Item::Text(_) | Item::Comment(_) => {}
            Item::Unfinished(_) => self.unfinished = Some(line_at(stdout, placed.start)),
        }
    }

    /// A list after `sat` belongs to its model; after other answers it is a core or a reason.
    fn extend_model(&mut self, list: &[u8]) {
        let Some(check) = self.checks.last_mut().filter(|check| check.status == SmtStatus::Sat) else {
            return;
        };
        let text = String::from_utf8_lossy(list);
        match &mut check.model {
            Some(model) => {
                model.push('\n');
                model.push_str(&text);
            }
            None => check.model = Some(text.into_owned()),
        }
    }

    /// The verdict where there was neither limit nor crash.
    fn verdict(self, role: &SmtRole, stderr: &[u8], ending: Ending, expected_checks: u32) -> Verdict {
        if let Some(line) = self.odd.or(self.unfinished) {
            return Verdict::Unreadable(format!("no rule explains `{line}`"));
        }
        let (answered, expected) = (self.checks.len(), expected_checks as usize);
        if answered > expected {
            return Verdict::Unreadable(format!("{answered} answers to {expected} checks"));
        }
        if let Some(fault) = bad_ending(role, ending, &self.checks, self.complained) {
            return Verdict::Unreadable(with_first_line(fault, stderr));
        }
        match self.error {
            Some(message) if answered == 0 && expected > 0 => Verdict::Rejected(message),
            None if answered < expected => {
                let fault = format!("{answered} answers to {expected} checks");
                Verdict::Unreadable(with_first_line(fault, stderr))
            }
            _ => claim(self.checks),
        }
    }
}

/// What is wrong with how the process ended, given what it said.
fn bad_ending(role: &SmtRole, ending: Ending, checks: &[SmtCheck], complained: bool) -> Option<String> {
    let Ending::Exited(code) = ending else { return None };
    if code == 0 {
        return None;
    }
    let last = checks.last().map(|check| check.status);
    let explained = match exit_meaning(role, ending) {
        Some(ExitMeaning::Sat) => last == Some(SmtStatus::Sat),
        Some(ExitMeaning::Unsat) => last == Some(SmtStatus::Unsat),
        Some(ExitMeaning::Error) => complained,
        _ => false,
    };
    (!explained).then(|| format!("exit code {code} does not fit the output"))
}

/// The output without the lines that say nothing. Most analyzers print none, and then nothing is copied.
fn without_ignored_lines<'a>(role: &SmtRole, stdout: &'a [u8]) -> Cow<'a, [u8]> {
    let ignored = &role.output.ignored_lines;
    if !ignored.iter().any(|pattern| pattern.is_match(stdout)) {
        return Cow::Borrowed(stdout);
    }
    let lines = stdout.split_inclusive(|byte| *byte == b'\n');
    let kept = lines.filter(|line| !ignored.iter().any(|pattern| pattern.is_match(line)));
    Cow::Owned(kept.collect::<Vec<_>>().concat())
}

fn status(word: &[u8]) -> Option<SmtStatus> {
    match word {
        b"sat" => Some(SmtStatus::Sat),
        b"unsat" => Some(SmtStatus::Unsat),
        b"unknown" => Some(SmtStatus::Unknown),
        _ => None,
    }
}

/// The message of an `(error "...")`, also of one that is cut off or wrongly quoted.
fn error_message(item: Item<'_>) -> Option<String> {
    let (Item::List(bytes) | Item::Unfinished(bytes)) = item else { return None };
    let inside = bytes.strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b"error")?;
    if !matches!(inside.first(), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'"' | b')')) {
        return None;
    }
    let inside = inside.strip_suffix(b")").unwrap_or(inside).trim_ascii();
    let inside = inside.strip_prefix(b"\"").unwrap_or(inside);
    let inside = inside.strip_suffix(b"\"").unwrap_or(inside);
    Some(message_text(inside).replace("\"\"", "\""))
}

/// A message as text: white space joined, control characters dropped, no longer than anyone reads.
pub(crate) fn message_text(bytes: &[u8]) -> String {
    // Four bytes make at most one character, so the rest of the output is not needed.
    let bytes = &bytes[..bytes.len().min(4 * LONGEST_MESSAGE)];
    let text = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_MESSAGE).collect()
}

/// The line of the output around a position.
fn line_at(bytes: &[u8], position: usize) -> String {
    let start = bytes[..position].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let length = bytes[start..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - start);
    message_text(&bytes[start..start + length])
}

/// The first line that is not empty.
pub(crate) fn first_line(bytes: &[u8]) -> String {
    line_at(bytes.trim_ascii_start(), 0)
}

/// Adds the first line of standard error, which often says why.
pub(crate) fn with_first_line(fault: String, stderr: &[u8]) -> String {
    let line = first_line(stderr);
    if line.is_empty() { fault } else { format!("{fault}; `{line}`") }
}
