//! Analyzers that stop at the first failing check, or have one property only: they are run once for each check.

use super::preparation::sum;
use crate::{Engine, Program};
use analyzers::CRole;
use anyhow::Result;
use model::{
    AnnotationKind, Answer, CInput, ChecksClaim, Claim, Cost, FailingCheck, LimitKind, Limits, Query, Verdict,
};

/// The programs to run, each with the check that it is run for. The others are left out where a failing check has
/// no effect on the execution, and end it silently where a failing check ends it.
pub(crate) fn programs(role: CRole<'_>, input: &CInput) -> Vec<CInput> {
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

impl Engine {
    /// Runs the analyzer as often as it needs to speak of every check. The first run without a claim is the answer.
    pub(crate) fn run_for_each_check(
        &self,
        query: &Query,
        input: &CInput,
        program: &Program,
        role: CRole<'_>,
    ) -> Result<Answer> {
        let mut checks = Vec::new();
        let mut cost = Cost::default();
        let mut output = Vec::new();
        let mut undefined = None;
        for alone in programs(role, input).iter().filter(|alone| alone.checks().next().is_some()) {
            // All runs together are one question, and have its time.
            let spent = cost.wall_microseconds / 1000;
            let Some(left) = query.limits.wall_milliseconds.checked_sub(spent).filter(|left| *left > 0)
            else {
                return Ok(Answer { verdict: Verdict::Limit(LimitKind::Time), cost, output });
            };
            let limits = Limits { wall_milliseconds: left, ..query.limits };
            let answer = self.run_steps(&Query { limits, ..query.clone() }, alone, program, role)?;
            cost = sum(cost, answer.cost);
            output.extend_from_slice(&answer.output);
            match answer.verdict {
                Verdict::Claim(Claim::Checks(claim)) => {
                    checks.extend(claim.checks);
                    undefined = undefined.or(claim.undefined);
                }
                other => return Ok(Answer { verdict: other, cost, output }),
            }
        }
        checks.sort_by_key(|claim| claim.check);
        let claim = ChecksClaim { checks, undefined };
        Ok(Answer { verdict: Verdict::Claim(Claim::Checks(claim)), cost, output })
    }
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
