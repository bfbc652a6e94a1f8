//! Tiny C programs in which it is known what the engine of an analyzer must know of a condition.

use super::check_c::{INPUT, Kind, annotated};
use crate::verdict_words::describe_verdict;
use model::{Answer, CheckStatus, DataModel, Input};

/// A program with annotations at the place of `@`, and what the engine must say of each of its checks.
pub struct Probe {
    /// Its name.
    pub name: &'static str,
    base: &'static str,
    annotations: &'static [(Kind, &'static str)],
    expected: &'static [CheckStatus],
}

use CheckStatus::{Unknown, Verified, Violated};

/// The probes.
pub const PROBES: &[Probe] = &[
    Probe {
        name: "debug: a condition that was assumed",
        base: INPUT,
        annotations: &[(Kind::Assume, "x > 9"), (Kind::Check, "x > 9"), (Kind::Check, "!(x > 9)")],
        expected: &[Verified, Violated],
    },
    Probe {
        name: "debug: the negation of one that was assumed",
        base: INPUT,
        annotations: &[(Kind::Assume, "!(x == 7)"), (Kind::Check, "x == 7"), (Kind::Check, "x != 7")],
        expected: &[Violated, Verified],
    },
    Probe {
        name: "debug: an input of which nothing is known",
        base: INPUT,
        annotations: &[(Kind::Check, "x > 9"), (Kind::Check, "x == 7")],
        expected: &[Unknown, Unknown],
    },
];

impl Probe {
    /// The program under a data model.
    pub fn input(&self, data_model: DataModel) -> Input {
        annotated(self.base, self.annotations, data_model)
    }

    /// What is wrong with an answer.
    pub fn fault(&self, answer: &Answer) -> Option<String> {
        let Some(claim) = answer.checks() else {
            return Some(format!(
                "expected a word on every condition, but it {}",
                describe_verdict(&answer.verdict)
            ));
        };
        let wrong: Vec<String> = self
            .expected
            .iter()
            .zip(1u32..)
            .filter_map(|(expected, check)| wrong_word(*expected, claim.status(check), check))
            .collect();
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }
}

fn wrong_word(expected: CheckStatus, said: Option<CheckStatus>, check: u32) -> Option<String> {
    let got = said.map_or("nothing", word);
    (said != Some(expected)).then(|| format!("expected {} of condition {check}, got {got}", word(expected)))
}

/// The word for a condition, as engines print it.
fn word(status: CheckStatus) -> &'static str {
    match status {
        Verified => "TRUE",
        Violated => "FALSE",
        Unknown => "UNKNOWN",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CheckClaim, ChecksClaim, Claim, Cost, Verdict};

    fn said(verdict: Verdict) -> Answer {
        Answer { verdict, cost: Cost::default(), output: Vec::new() }
    }

    #[test]
    fn every_wrong_word_is_named() {
        let answer = |statuses: &[CheckStatus]| {
            let checks = statuses.iter().zip(1..).map(|(status, check)| CheckClaim::new(check, *status));
            let claim = ChecksClaim { checks: checks.collect(), undefined: None };
            said(Verdict::Claim(Claim::Checks(claim)))
        };
        let probe = &PROBES[0];
        assert_eq!(probe.fault(&answer(&[Verified, Violated])), None);
        let fault = probe.fault(&answer(&[Violated, Violated]));
        assert_eq!(fault.as_deref(), Some("expected TRUE of condition 1, got FALSE"));
        let fault = probe.fault(&answer(&[Unknown]));
        let expected =
            "expected TRUE of condition 1, got UNKNOWN; expected FALSE of condition 2, got nothing";
        assert_eq!(fault.as_deref(), Some(expected));
        assert!(probe.fault(&said(Verdict::Unknown)).is_some());
    }
}
