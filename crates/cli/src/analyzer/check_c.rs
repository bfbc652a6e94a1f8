//! Tiny C programs whose checks have known answers.

use crate::verdict_words::describe_verdict;
use model::{
    Annotation, AnnotationKind, Answer, Approximation, CInput, CheckStatus, ChecksClaim, DataModel,
    FailingCheck, Input, ReachabilityInfo,
};

/// A program with annotations at the place of `@`, and which of its checks can fail.
pub struct Probe {
    /// Its name.
    pub name: &'static str,
    base: &'static str,
    annotations: &'static [(Kind, &'static str)],
    /// For each check, in order: can it fail where a failing check ends the execution, and where it does not?
    fails: &'static [(bool, bool)],
}

/// What an annotation of a probe is.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A numbered check.
    Check,
    /// An assumption.
    Assume,
}

/// A program that reads an arbitrary number from 0 to 255.
pub const INPUT: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    int main(void) {\n  unsigned char x = __VERIFIER_nondet_uchar();\n  @return 0;\n}\n";

/// The probes.
pub const PROBES: &[Probe] = &[
    Probe {
        name: "a constant",
        base: "int main(void) {\n  int x = 3;\n  @return x;\n}\n",
        annotations: &[(Kind::Check, "x == 3"), (Kind::Check, "x < 3")],
        fails: &[(false, false), (true, true)],
    },
    Probe {
        name: "an input",
        base: INPUT,
        annotations: &[(Kind::Check, "x < 256"), (Kind::Check, "x != 77")],
        fails: &[(false, false), (true, true)],
    },
    Probe {
        name: "an assumption",
        base: INPUT,
        annotations: &[(Kind::Assume, "x > 9"), (Kind::Check, "x > 8"), (Kind::Check, "x > 10")],
        fails: &[(false, false), (true, true)],
    },
    Probe {
        name: "the same check twice",
        base: INPUT,
        annotations: &[(Kind::Check, "x == 0"), (Kind::Check, "x == 0")],
        fails: &[(true, true), (false, true)],
    },
];

impl Probe {
    /// The program under a data model.
    pub fn input(&self, data_model: DataModel) -> Input {
        annotated(self.base, self.annotations, data_model)
    }

    /// What is wrong with an answer.
    pub fn fault(&self, answer: &Answer, role: &ReachabilityInfo) -> Option<String> {
        let Some(claim) = answer.checks() else {
            return Some(format!(
                "expected a word on every check, but it {}",
                describe_verdict(&answer.verdict)
            ));
        };
        let ends = role.failing_check == FailingCheck::Ends;
        let fails =
            self.fails.iter().map(|(under_ends, otherwise)| if ends { *under_ends } else { *otherwise });
        let wrong: Vec<String> = fails
            .zip(1u32..)
            .filter_map(|(fails, check)| wrong_status(claim, check, fails, role.approximation))
            .collect();
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }
}

/// A program with annotations at the place of `@`; checks are numbered from 1.
pub fn annotated(base: &str, annotations: &[(Kind, &'static str)], data_model: DataModel) -> Input {
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

/// An analyzer may not settle what it only approximates; everything else it must.
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
