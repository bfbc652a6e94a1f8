//! Verdicts as people read them.

use crate::status::counted;
use model::{Claim, LimitKind, SmtCheck, SmtStatus, Verdict};

/// Messages of analyzers are cut to this many characters.
const LONGEST_MESSAGE: usize = 200;

/// What an analyzer did, as the rest of a sentence that begins with its name.
pub fn describe_verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Claim(Claim::Smt(checks)) => format!("answered {}", checks_in_words(checks)),
        Verdict::Claim(Claim::Checks(claim)) => {
            format!("spoke of {}", counted(claim.checks.len() as u64, "check"))
        }
        Verdict::Claim(Claim::Warnings(warnings)) => {
            format!("gave {}", counted(warnings.len() as u64, "warning"))
        }
        Verdict::Claim(Claim::Rows(outputs)) => {
            let rows: usize = outputs.iter().map(|output| output.rows.len()).sum();
            format!("computed {}", counted(rows as u64, "row"))
        }
        Verdict::Unknown => "answered unknown".to_owned(),
        Verdict::Limit(kind) => format!("ran into the limit on {}", limit(*kind)),
        Verdict::Crash(message) => format!("crashed: {}", one_line(message)),
        Verdict::Rejected(message) => format!("refused the input: {}", one_line(message)),
        Verdict::Unreadable(message) => format!("was not understood: {}", one_line(message)),
    }
}

/// The words of several checks.
pub fn statuses(list: &[SmtStatus]) -> String {
    let words: Vec<&str> = list.iter().map(|status| status_word(*status)).collect();
    words.join(", ")
}

fn checks_in_words(checks: &[SmtCheck]) -> String {
    let list: Vec<SmtStatus> = checks.iter().map(|check| check.status).collect();
    if list.is_empty() { "nothing".to_owned() } else { statuses(&list) }
}

fn status_word(status: SmtStatus) -> &'static str {
    match status {
        SmtStatus::Sat => "sat",
        SmtStatus::Unsat => "unsat",
        SmtStatus::Unknown => "unknown",
    }
}

fn limit(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Time => "time",
        LimitKind::Memory => "memory",
        LimitKind::Output => "output",
        LimitKind::Resource => "its own resources",
    }
}

/// What an analyzer printed may hold terminal codes and go on for pages.
fn one_line(text: &str) -> String {
    let mut letters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let line: String = letters.by_ref().take(LONGEST_MESSAGE).collect();
    let rest = if letters.next().is_some() { "…" } else { "" };
    format!("{}{rest}", line.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_words_of_its_own() {
        let check = |status| SmtCheck { status, model: None };
        for (verdict, expected) in [
            (
                Verdict::Claim(Claim::Smt(vec![check(SmtStatus::Sat), check(SmtStatus::Unsat)])),
                "answered sat, unsat",
            ),
            (Verdict::Unknown, "answered unknown"),
            (Verdict::Limit(LimitKind::Time), "ran into the limit on time"),
            (Verdict::Crash("at\u{1b}[1m x".to_owned()), "crashed: at [1m x"),
            (Verdict::Rejected("no such logic\n".to_owned()), "refused the input: no such logic"),
            (Verdict::Unreadable("maybe".to_owned()), "was not understood: maybe"),
        ] {
            assert_eq!(describe_verdict(&verdict), expected);
        }
        assert!(one_line(&"x".repeat(5000)).chars().count() <= LONGEST_MESSAGE + 1);
    }
}
