//! Describes verdicts in words.

use crate::status::counted;
use model::{Claim, LimitKind, SmtCheck, SmtStatus, Verdict};

/// Messages of analyzers are truncated to this many characters.
const LONGEST_MESSAGE: usize = 200;

/// Describes a verdict as the predicate of a sentence whose subject is the analyzer.
pub fn describe_verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Claim(Claim::Smt(checks)) => format!("answered {}", checks_in_words(checks)),
        Verdict::Claim(Claim::Checks(claim)) => {
            format!("answered {}", counted(claim.checks.len() as u64, "check"))
        }
        Verdict::Claim(Claim::Warnings(warnings)) => {
            format!("reported {}", counted(warnings.len() as u64, "warning"))
        }
        Verdict::Claim(Claim::Rows(outputs)) => {
            let rows: usize = outputs.iter().map(|output| output.rows.len()).sum();
            format!("computed {}", counted(rows as u64, "row"))
        }
        Verdict::Claim(Claim::Report(report)) => {
            format!("reported {}", counted(report.results.len() as u64, "result"))
        }
        Verdict::Unknown => "answered unknown".to_owned(),
        Verdict::Limit(kind) => format!("hit {} limit", limit(*kind)),
        Verdict::Crash(message) => format!("crashed: {}", one_line(message)),
        Verdict::Rejected(message) => format!("rejected the input: {}", one_line(message)),
        Verdict::Unreadable(message) => format!("gave an unreadable answer: {}", one_line(message)),
    }
}

/// Lists the statuses of several checks.
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
        LimitKind::Time => "the time",
        LimitKind::Memory => "the memory",
        LimitKind::Output => "the output",
        LimitKind::Resource => "its own resource",
    }
}

/// Truncates a message and makes hidden characters visible, because analyzers may print anything.
fn one_line(text: &str) -> String {
    model::one_line(text.trim(), LONGEST_MESSAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_its_own_description() {
        let check = |status| SmtCheck { status, model: None };
        for (verdict, expected) in [
            (
                Verdict::Claim(Claim::Smt(vec![check(SmtStatus::Sat), check(SmtStatus::Unsat)])),
                "answered sat, unsat",
            ),
            (Verdict::Unknown, "answered unknown"),
            (Verdict::Limit(LimitKind::Time), "hit the time limit"),
            (Verdict::Crash("at\u{1b}[1m x".to_owned()), "crashed: at\\u{1b}[1m x"),
            (Verdict::Rejected("no such logic\n".to_owned()), "rejected the input: no such logic"),
            (Verdict::Unreadable("maybe".to_owned()), "gave an unreadable answer: maybe"),
        ] {
            assert_eq!(describe_verdict(&verdict), expected);
        }
        assert!(one_line(&"x".repeat(5000)).chars().count() <= LONGEST_MESSAGE + 1);
    }
}
