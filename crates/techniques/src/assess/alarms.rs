//! The alarms of an analyzer that promises to miss nothing: what it cannot exclude.
//!
//! An alarm that one ingredient does not raise is settled, whichever other raises it. Before a configuration is accepted, it
//! is audited: the same options are asked about checks of the same program that executions violate.

use super::functions::Functions;
use super::{Alarm, Asked, CheckTask, Failure, Open, Settled, Task, Unusable, failure};
use model::{Answer, CInput, Exhibit, Input, Lineup, Mode, Query, Random, Role, Seed, Warning};
use std::collections::BTreeSet;

/// Checks that are drawn for the audit.
const AUDITED_CHECKS: usize = 24;

/// A C program with the alarms that are raised about it.
pub struct AlarmTask {
    input: CInput,
    /// What the audit asks; none for a program that juvenal cannot parse or execute.
    checks: Option<CheckTask>,
    functions: Functions,
    /// The alarms that the default raises.
    usual: BTreeSet<Alarm>,
}

impl AlarmTask {
    /// The program as it is.
    pub fn new(seed: &Seed, lineup: &Lineup, random: Random) -> AlarmTask {
        let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
        let checks = CheckTask::drawn(seed, AUDITED_CHECKS, lineup, random).ok();
        let functions = Functions::of(&seed.name, &input);
        AlarmTask { input, checks, functions, usual: BTreeSet::new() }
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

    fn note_default(&mut self, settled: &Settled) -> Result<(), Unusable> {
        self.usual = settled.alarms.clone().unwrap_or_default();
        Ok(())
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
        let (raised, none) = (settled.alarms.as_ref(), BTreeSet::new());
        let raised = raised.unwrap_or(&none);
        let (unresolved, usual) = (raised.len() as u32, self.usual.len() as u32);
        let lines = |alarms: &BTreeSet<Alarm>| alarms.iter().map(|alarm| alarm.line).collect::<Vec<u32>>();
        let by_function = self.functions.count(&lines(raised), &lines(&self.usual));
        Open { unresolved, total: usual.max(unresolved).max(1), has_evidence: false, by_function }
    }
}

/// The alarms of an answer. A checker that stands for several kinds of errors raises one alarm.
fn raised(answer: &Answer) -> Option<BTreeSet<Alarm>> {
    let alarm = |warning: &Warning| Alarm {
        line: warning.place.line,
        checker: warning.checker.clone(),
        message: warning.message.clone(),
    };
    Some(answer.warnings()?.iter().map(alarm).collect())
}
