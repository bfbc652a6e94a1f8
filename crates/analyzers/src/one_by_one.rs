//! Analyzers that stop at the first failing check, or have one property only: they are run once for each check.

use crate::c_role::CRole;
use model::{AnnotationKind, CInput, ChecksClaim, Claim, FailingCheck, Verdict};

/// The programs to run, each with the check that it is run for. The others are left out where a failing check has
/// no effect on the execution, and end it silently where a failing check ends it.
pub fn programs(role: CRole<'_>, input: &CInput) -> Vec<CInput> {
    let checks: Vec<u32> = input.checks().collect();
    let role = match role {
        CRole::Checks(role) if !role.reports_all && checks.len() > 1 => role,
        _ => return vec![input.clone()],
    };
    checks.iter().map(|check| with_one_check(role.failing_check, input, *check)).collect()
}

fn with_one_check(failing_check: FailingCheck, input: &CInput, check: u32) -> CInput {
    let mut program = input.clone();
    let is_other = |what: AnnotationKind| matches!(what, AnnotationKind::Check(number) if number != check);
    match failing_check {
        FailingCheck::Continues => program.annotations.retain(|annotation| !is_other(annotation.what)),
        FailingCheck::Ends => {
            for annotation in program.annotations.iter_mut().filter(|annotation| is_other(annotation.what)) {
                annotation.what = AnnotationKind::Assume;
            }
        }
    }
    program
}

/// What the runs say together. The first one without a claim is the answer.
pub(crate) fn merged(verdicts: Vec<Verdict>) -> Verdict {
    let mut checks = Vec::new();
    let mut undefined = None;
    for verdict in verdicts {
        match verdict {
            Verdict::Claim(Claim::Checks(claim)) => {
                checks.extend(claim.checks);
                undefined = undefined.or(claim.undefined);
            }
            other => return other,
        }
    }
    checks.sort_by_key(|claim| claim.check);
    Verdict::Claim(Claim::Checks(ChecksClaim { checks, undefined }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Annotation, DataModel};

    #[test]
    fn other_checks_are_left_out_or_end_the_execution() {
        let annotation = |what| Annotation::new(0, what, "x");
        let input = CInput {
            base: "".into(),
            data_model: DataModel::Lp64,
            annotations: vec![
                annotation(AnnotationKind::Check(1)),
                annotation(AnnotationKind::Assume),
                annotation(AnnotationKind::Check(2)),
            ],
        };
        let left = |failing_check| -> Vec<AnnotationKind> {
            with_one_check(failing_check, &input, 2).annotations.iter().map(|it| it.what).collect()
        };
        assert_eq!(left(FailingCheck::Continues), [AnnotationKind::Assume, AnnotationKind::Check(2)]);
        assert_eq!(
            left(FailingCheck::Ends),
            [AnnotationKind::Assume, AnnotationKind::Assume, AnnotationKind::Check(2)]
        );
    }
}
