//! The alarms of an analyzer that promises to miss nothing: what it cannot exclude.
//!
//! An alarm that one ingredient does not raise is settled, whichever other raises it. Before a configuration is accepted, it
//! is audited: the same options are asked about checks of the same program that executions violate.

use super::{Asked, CheckTask, Failure, Open, Settled, Task, Unusable, failure};
use model::{Answer, CInput, Exhibit, Input, Lineup, Mode, Query, Random, Role, Seed, Warning};
use std::collections::BTreeSet;

/// Checks that are drawn for the audit.
const AUDITED_CHECKS: usize = 24;

/// A C program with the alarms that are raised about it.
pub struct AlarmTask {
    input: CInput,
    /// What the audit asks; none for a program that juvenal cannot parse or execute.
    checks: Option<CheckTask>,
    /// How many alarms the default raises.
    usual: u32,
}

impl AlarmTask {
    /// The program as it is.
    pub fn new(seed: &Seed, lineup: &Lineup, random: Random) -> AlarmTask {
        let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
        let checks = CheckTask::drawn(seed, AUDITED_CHECKS, lineup, random).ok();
        AlarmTask { input, checks, usual: 0 }
    }
}

impl Task for AlarmTask {
    fn evidence(&self) -> Vec<Query> {
        self.checks.as_ref().map_or(Vec::new(), Task::evidence)
    }

    fn learn(&mut self, asked: &[Query], answers: &[Answer]) -> Result<(), Unusable> {
        // A program with undefined behaviour has true alarms, and its checks prove nothing.
        if self.checks.as_mut().is_some_and(|checks| checks.learn(asked, answers).is_err()) {
            self.checks = None;
        }
        Ok(())
    }

    fn note_default(&mut self, settled: &Settled) {
        self.usual = settled.alarms.as_ref().map_or(0, |alarms| alarms.len() as u32);
    }

    fn queries(&self, ingredient: &Asked<'_>, _settled: &Settled) -> Vec<Query> {
        vec![Query {
            role: Role::Warnings,
            options: ingredient.options.to_vec(),
            limits: ingredient.limits,
            ..Query::new(ingredient.analyzer.id.clone(), Input::C(self.input.clone()), Mode::Process)
        }]
    }

    fn settle(&self, _queries: &[Query], answers: &[Answer], settled: &mut Settled) -> Result<(), Failure> {
        for answer in answers {
            if let Some(failure) = failure(&answer.verdict) {
                return Err(failure);
            }
            let raised = raised(answer).ok_or_else(|| Failure::Failed("no list of alarms".to_owned()))?;
            settled.alarms = Some(match settled.alarms.take() {
                None => raised,
                Some(earlier) => earlier.intersection(&raised).cloned().collect(),
            });
        }
        Ok(())
    }

    fn accuse(&self, ingredient: &Asked<'_>, queries: &[Query], answers: &[Answer]) -> Vec<Exhibit> {
        let of_audit: Vec<(&Query, &Answer)> =
            queries.iter().zip(answers).filter(|(query, _)| query.role == Role::Reachability).collect();
        let (queries, answers): (Vec<Query>, Vec<Answer>) =
            of_audit.into_iter().map(|(query, answer)| (query.clone(), answer.clone())).unzip();
        self.checks.as_ref().map_or(Vec::new(), |checks| checks.accuse(ingredient, &queries, &answers))
    }

    fn audit(&self, ingredient: &Asked<'_>) -> Vec<Query> {
        let can_be_asked = ingredient.analyzer.reachability().is_some();
        let checks = self.checks.as_ref().filter(|checks| can_be_asked && checks.can_refute());
        checks.map_or(Vec::new(), |checks| checks.queries(ingredient, &Settled::default()))
    }

    fn open(&self, settled: &Settled) -> Open {
        let unresolved = settled.alarms.as_ref().map_or(0, |alarms| alarms.len() as u32);
        Open { unresolved, total: self.usual.max(unresolved).max(1), has_evidence: false }
    }
}

/// The alarms of an answer. A checker that stands for several kinds of errors raises one alarm.
fn raised(answer: &Answer) -> Option<BTreeSet<String>> {
    let key = |warning: &Warning| format!("{} {} {}", warning.place.line, warning.checker, warning.message);
    Some(answer.warnings()?.iter().map(key).collect())
}
