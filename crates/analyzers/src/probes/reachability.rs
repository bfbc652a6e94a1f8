//! Tiny C programs with checks whose status is known.

use super::{Probe, wrong_kind};
use model::{
    AnalyzerInfo, Annotation, AnnotationKind, Approximation, CInput, CheckStatus, ChecksClaim, Claim,
    DataModel, FailingCheck, Input, Mode, Query, ReachabilityInfo,
};

/// A program with annotations at the place of `@`, and which of its checks can fail.
struct Program {
    name: &'static str,
    base: &'static str,
    annotations: &'static [(Kind, &'static str)],
    /// For each check, in order: can it fail where a failing check ends the execution, and where it does not?
    fails: &'static [(bool, bool)],
}

/// The kinds of annotations.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A numbered check.
    Check,
    /// An assumption.
    Assume,
}

/// A program that reads an arbitrary number from 0 to 255.
pub(super) const INPUT: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    int main(void) {\n  unsigned char x = __VERIFIER_nondet_uchar();\n  @return 0;\n}\n";

const PROGRAMS: &[Program] = &[
    Program {
        name: "a constant",
        base: "int main(void) {\n  int x = 3;\n  @return x;\n}\n",
        annotations: &[(Kind::Check, "x == 3"), (Kind::Check, "x < 3")],
        fails: &[(false, false), (true, true)],
    },
    Program {
        name: "an input",
        base: INPUT,
        annotations: &[(Kind::Check, "x < 256"), (Kind::Check, "x != 77")],
        fails: &[(false, false), (true, true)],
    },
    Program {
        name: "an assumption",
        base: INPUT,
        annotations: &[(Kind::Assume, "x > 9"), (Kind::Check, "x > 8"), (Kind::Check, "x > 10")],
        fails: &[(false, false), (true, true)],
    },
    Program {
        name: "the same check twice",
        base: INPUT,
        annotations: &[(Kind::Check, "x == 0"), (Kind::Check, "x == 0")],
        fails: &[(true, true), (false, true)],
    },
];

/// Every program under every data model.
pub(crate) fn probes(analyzer: &AnalyzerInfo) -> Vec<Probe> {
    let Some(info) = analyzer.reachability() else { return Vec::new() };
    let mut probes = Vec::new();
    for program in PROGRAMS {
        for data_model in &info.data_models {
            let input = annotated(program.base, program.annotations, *data_model);
            let info = info.clone();
            probes.push(Probe {
                name: format!("{}, {data_model}", program.name),
                query: Query::new(analyzer.id.clone(), input, Mode::Process),
                expected: EXPECTED.to_owned(),
                fault: Box::new(move |claim| program.fault(claim, &info)),
            });
        }
    }
    probes
}

const EXPECTED: &str = "a status for every check";

impl Program {
    fn fault(&self, claim: &Claim, info: &ReachabilityInfo) -> Option<String> {
        let Claim::Checks(claim) = claim else { return wrong_kind(EXPECTED) };
        let ends = info.failing_check == FailingCheck::Ends;
        let fails =
            self.fails.iter().map(|(under_ends, otherwise)| if ends { *under_ends } else { *otherwise });
        let wrong: Vec<String> = fails
            .zip(1u32..)
            .filter_map(|(fails, check)| wrong_status(claim, check, fails, info.approximation))
            .collect();
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }
}

/// A program with annotations at the place of `@`; checks are numbered from 1.
pub(super) fn annotated(base: &str, annotations: &[(Kind, &'static str)], data_model: DataModel) -> Input {
    let place = base.find('@').unwrap_or(0);
    let mut number = 0;
    let annotation = |(kind, condition): &(Kind, &'static str)| {
        let what = match kind {
            Kind::Assume => AnnotationKind::Assume,
            Kind::Check => {
                number += 1;
                AnnotationKind::Check(number)
            }
        };
        Annotation::new(place as u32, what, *condition)
    };
    let annotations = annotations.iter().map(annotation).collect();
    Input::C(CInput { base: base.replace('@', "").into(), data_model, annotations })
}

/// An analyzer may leave open what it only approximates; it must decide everything else.
fn wrong_status(
    claim: &ChecksClaim,
    check: u32,
    fails: bool,
    approximation: Approximation,
) -> Option<String> {
    let status = claim.status(check)?;
    let fits = match (fails, approximation) {
        (true, Approximation::Exact | Approximation::Under) => status == CheckStatus::Violated,
        (true, Approximation::Over | Approximation::Neither) => status != CheckStatus::Verified,
        (false, Approximation::Under) => status != CheckStatus::Violated,
        (false, _) => status == CheckStatus::Verified,
    };
    let expected = if fails { "can fail" } else { "cannot fail" };
    (!fits).then(|| format!("check {check} {expected}, got {}", word(status)))
}

fn word(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::Verified => "verified",
        CheckStatus::Violated => "violated",
        CheckStatus::Unknown => "unknown",
    }
}
