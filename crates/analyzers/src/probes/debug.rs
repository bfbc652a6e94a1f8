//! Tiny C programs for which it is known what an analyzer's engine must know of a condition.

use super::reachability::{INPUT, Kind, annotated};
use super::{Probe, wrong_kind};
use CheckStatus::{Unknown, Verified, Violated};
use model::{AnalyzerInfo, CheckStatus, Claim, Mode, Query, Role};

/// A program with annotations at the place of `@`, and what the engine must say of each of its checks.
struct Program {
    name: &'static str,
    base: &'static str,
    annotations: &'static [(Kind, &'static str)],
    expected: &'static [CheckStatus],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "debug: a condition that was assumed",
        base: INPUT,
        annotations: &[(Kind::Assume, "x > 9"), (Kind::Check, "x > 9"), (Kind::Check, "!(x > 9)")],
        expected: &[Verified, Violated],
    },
    Program {
        name: "debug: the negation of one that was assumed",
        base: INPUT,
        annotations: &[(Kind::Assume, "!(x == 7)"), (Kind::Check, "x == 7"), (Kind::Check, "x != 7")],
        expected: &[Violated, Verified],
    },
    Program {
        name: "debug: an arbitrary input",
        base: INPUT,
        annotations: &[(Kind::Check, "x > 9"), (Kind::Check, "x == 7")],
        expected: &[Unknown, Unknown],
    },
];

/// Every program under every data model.
pub(crate) fn probes(analyzer: &AnalyzerInfo) -> Vec<Probe> {
    let Some(info) = analyzer.debug() else { return Vec::new() };
    let mut probes = Vec::new();
    for program in PROGRAMS {
        for data_model in &info.data_models {
            let input = annotated(program.base, program.annotations, *data_model);
            let query = Query::new(analyzer.id.clone(), input, Mode::Process);
            probes.push(Probe {
                name: format!("{}, {data_model}", program.name),
                query: Query { role: Role::Debug, ..query },
                expected: EXPECTED.to_owned(),
                fault: Box::new(|claim| program.fault(claim)),
            });
        }
    }
    probes
}

const EXPECTED: &str = "a status for every condition";

impl Program {
    fn fault(&self, claim: &Claim) -> Option<String> {
        let Claim::Checks(claim) = claim else { return wrong_kind(EXPECTED) };
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
    use model::{CheckClaim, ChecksClaim};

    #[test]
    fn every_wrong_word_is_named() {
        let claim = |statuses: &[CheckStatus]| {
            let checks = statuses.iter().zip(1..).map(|(status, check)| CheckClaim::new(check, *status));
            Claim::Checks(ChecksClaim { checks: checks.collect(), undefined: None })
        };
        let program = &PROGRAMS[0];
        assert_eq!(program.fault(&claim(&[Verified, Violated])), None);
        let fault = program.fault(&claim(&[Violated, Violated]));
        assert_eq!(fault.as_deref(), Some("expected TRUE of condition 1, got FALSE"));
        let fault = program.fault(&claim(&[Unknown]));
        let expected =
            "expected TRUE of condition 1, got UNKNOWN; expected FALSE of condition 2, got nothing";
        assert_eq!(fault.as_deref(), Some(expected));
        assert!(program.fault(&Claim::Rows(Vec::new())).is_some());
    }
}
