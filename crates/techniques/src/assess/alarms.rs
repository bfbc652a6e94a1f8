//! The alarms of an analyzer that promises to miss nothing: what it cannot exclude.
//!
//! An alarm that one ingredient does not raise is settled, whichever other raises it. Before a configuration is accepted, it
//! is audited: the same options are asked about checks of the same program that executions violate, and whether they raise an
//! alarm where an execution of the program fails after an error was put into it.

use super::functions::Functions;
use super::{Alarm, Asked, CheckTask, ErrorTask, Failure, Open, Settled, Task, Unusable, failure};
use model::{AnalyzerInfo, Answer, CInput, Exhibit, Input, Lineup, Mode, Query, Random, Role, Seed, Warning};
use std::collections::BTreeSet;

/// Checks that are drawn for the audit.
const AUDITED_CHECKS: usize = 24;
/// Errors that are put into the program for the audit, each into a variant of its own.
const AUDITED_ERRORS: usize = 3;

/// A C program with the alarms that are raised about it.
pub struct AlarmTask {
    input: CInput,
    /// What the audit asks; none for a program that juvenal cannot parse or execute.
    checks: Option<CheckTask>,
    /// The variants with errors that the audit asks about; none for a program that has inputs or cannot be executed.
    errors: Option<ErrorTask>,
    functions: Functions,
    /// The alarms that the default raises.
    usual: BTreeSet<Alarm>,
}

impl AlarmTask {
    /// The program as it is.
    pub fn new(seed: &Seed, analyzer: &AnalyzerInfo, lineup: &Lineup, mut random: Random) -> AlarmTask {
        let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
        let errors = ErrorTask::new(seed, AUDITED_ERRORS, analyzer, lineup, random.split()).ok();
        let checks = CheckTask::drawn(seed, AUDITED_CHECKS, lineup, random).ok();
        let functions = Functions::of(&seed.name, &input);
        AlarmTask { input, checks, errors, functions, usual: BTreeSet::new() }
    }
}

impl Task for AlarmTask {
    fn evidence(&self) -> Vec<Query> {
        let of_errors = self.errors.as_ref().map_or(Vec::new(), Task::evidence);
        [evidence_of(self.checks.as_ref()), of_errors].concat()
    }

    fn learn(&mut self, asked: &[Query], answers: &[Answer]) -> Result<(), Unusable> {
        let own = evidence_of(self.checks.as_ref()).len().min(asked.len()).min(answers.len());
        let (of_checks, of_errors) = (&answers[..own], &answers[own..]);
        // A program with undefined behaviour has true alarms, and its checks prove nothing.
        if self.checks.as_mut().is_some_and(|checks| checks.learn(&asked[..own], of_checks).is_err()) {
            self.checks = None;
        }
        if self.errors.as_mut().is_some_and(|errors| errors.learn(&asked[own..], of_errors).is_err()) {
            self.errors = None;
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
        let missed =
            self.errors.as_ref().map_or(Vec::new(), |errors| errors.missed(ingredient, queries, answers));
        let of_audit: Vec<(&Query, &Answer)> =
            queries.iter().zip(answers).filter(|(query, _)| query.role == Role::Reachability).collect();
        let (queries, answers): (Vec<Query>, Vec<Answer>) =
            of_audit.into_iter().map(|(query, answer)| (query.clone(), answer.clone())).unzip();
        let verified =
            self.checks.as_ref().map_or(Vec::new(), |checks| checks.accuse(ingredient, &queries, &answers));
        [verified, missed].concat()
    }

    fn audit(&self, ingredient: &Asked<'_>) -> Vec<Query> {
        let can_be_asked = ingredient.analyzer.reachability().is_some();
        let checks = self.checks.as_ref().filter(|checks| can_be_asked && checks.can_refute());
        let of_checks = checks.map_or(Vec::new(), |checks| checks.queries(ingredient, &Settled::default()));
        let promises = ingredient.analyzer.warnings().is_some_and(|role| role.sound);
        let errors = self.errors.as_ref().filter(|_| promises);
        [of_checks, errors.map_or(Vec::new(), |errors| errors.variants(ingredient))].concat()
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

fn evidence_of(checks: Option<&CheckTask>) -> Vec<Query> {
    checks.map_or(Vec::new(), Task::evidence)
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
