//! SMT-LIB scripts: an answer settles a script, and models are evaluated.
//!
//! The script is asked as it is, with the options of the configuration before it. `sat` with a model that the evaluator
//! refutes is wrong, and so is `unsat` where the evaluator has confirmed a model of another solver, or of the defaults.

use super::{Asked, Failure, Open, Settled, Task, Unusable, failure};
use crate::scripts::judge::last_status;
use crate::scripts::models::{ModelVerdict, verdict_on_last_model};
use crate::scripts::prepared::Prepared;
use crate::scripts::shrink::GET_MODEL;
use crate::solver_differential::{wrong_model, wrong_unsat};
use model::{AnalyzerInfo, Answer, Exhibit, Input, Limits, Lineup, Mode, Query, Seed, SmtInput, SmtStatus};
use std::collections::BTreeMap;

/// Wall time for another solver.
const OTHER_SOLVER_MILLISECONDS: u64 = 20_000;

/// The line of a script that sets an option.
pub fn script_option(name: &str, value: &str) -> String {
    format!("(set-option :{name} {value})\n")
}

/// A script with one check.
pub struct ScriptTask {
    script: SmtInput,
    prepared_theories: Prepared,
    lineup: Lineup,
    is_learned: bool,
    /// An assignment that makes every assertion true.
    assignment: Option<String>,
    /// What the other solvers answer, if they agree; what the defaults answer, if others do not say.
    others: SmtStatus,
}

impl ScriptTask {
    /// The script as it is.
    pub fn new(seed: &Seed, lineup: &Lineup) -> Result<ScriptTask, Unusable> {
        let prepared = Prepared::new(&seed.name, &seed.text)
            .map_err(|problem| Unusable::new(problem.reason, problem.detail))?;
        let script =
            prepared.itself.clone().filter(|_| prepared.flat).ok_or_else(|| {
                Unusable::new("the script has several checks or scopes", seed.name.to_string())
            })?;
        Ok(ScriptTask {
            script,
            prepared_theories: prepared,
            lineup: lineup.clone(),
            is_learned: false,
            assignment: None,
            others: SmtStatus::Unknown,
        })
    }

    fn query(&self, analyzer: &AnalyzerInfo, options: &[(String, String)], limits: Limits) -> Query {
        let mut script = self.script.clone();
        let mut text: String = options.iter().map(|(name, value)| script_option(name, value)).collect();
        let Some(abilities) = analyzer.smt() else {
            return Query::new(analyzer.id.clone(), Input::Smt(script), Mode::Process);
        };
        if abilities.models {
            text.push_str("(set-option :produce-models true)\n");
            script.body = format!("{}{GET_MODEL}", script.body).into();
        }
        script.options = format!("{text}{}", script.options).into();
        Query { limits, fresh: true, ..Query::new(analyzer.id.clone(), Input::Smt(script), Mode::Process) }
    }
}

impl Task for ScriptTask {
    fn evidence(&self) -> Vec<Query> {
        if self.is_learned {
            return Vec::new();
        }
        let limits = Limits { wall_milliseconds: OTHER_SOLVER_MILLISECONDS, ..Limits::default() };
        let can_take =
            |it: &&AnalyzerInfo| it.smt().is_some_and(|role| self.prepared_theories.is_supported_by(role));
        self.lineup.witnesses.iter().filter(can_take).map(|it| self.query(it, &[], limits)).collect()
    }

    fn learn(&mut self, asked: &[Query], answers: &[Answer]) -> Result<(), Unusable> {
        self.is_learned = true;
        let mut said = Vec::new();
        for (query, answer) in asked.iter().zip(answers) {
            let verdict = query.input.smt().map(|script| verdict_on_last_model(script, answer));
            match verdict {
                Some(ModelVerdict::Confirmed(assignment)) => self.assignment = Some(assignment),
                Some(ModelVerdict::Refuted) => continue,
                Some(ModelVerdict::Open) | None => {}
            }
            said.push(last_status(answer));
        }
        said.retain(|status| *status != SmtStatus::Unknown);
        said.sort_unstable();
        said.dedup();
        self.others = match said.as_slice() {
            [only] => *only,
            _ => SmtStatus::Unknown,
        };
        Ok(())
    }

    fn note_default(&mut self, settled: &Settled) -> Result<(), Unusable> {
        if self.assignment.is_none() {
            self.assignment = settled.assignment.clone();
        }
        if self.others == SmtStatus::Unknown {
            self.others = settled.status.unwrap_or(SmtStatus::Unknown);
        }
        Ok(())
    }

    fn queries(&self, ingredient: &Asked<'_>, _settled: &Settled) -> Vec<Query> {
        vec![self.query(ingredient.analyzer, ingredient.options, ingredient.limits)]
    }

    fn settle(&self, queries: &[Query], answers: &[Answer], settled: &mut Settled) -> Result<(), Failure> {
        for (query, answer) in queries.iter().zip(answers) {
            if let Some(failure) = failure(&answer.verdict) {
                return Err(failure);
            }
            let Some(script) = query.input.smt() else { continue };
            if let ModelVerdict::Confirmed(assignment) = verdict_on_last_model(script, answer) {
                settled.assignment = Some(assignment);
                settled.is_answered = true;
            }
            let status = last_status(answer);
            settled.status = Some(status);
            // An answer that all others contradict is not accepted, even if nothing shows who is right.
            let is_contradicted = self.others != SmtStatus::Unknown && self.others != status;
            settled.is_answered |= status != SmtStatus::Unknown && !is_contradicted;
        }
        Ok(())
    }

    fn accuse(&self, _ingredient: &Asked<'_>, queries: &[Query], answers: &[Answer]) -> Vec<Exhibit> {
        let mut exhibits = Vec::new();
        for (query, answer) in queries.iter().zip(answers) {
            let Some(script) = query.input.smt() else { continue };
            match (last_status(answer), &self.assignment) {
                (SmtStatus::Unsat, Some(assignment)) => exhibits.extend(wrong_unsat(query, assignment)),
                (SmtStatus::Sat, _) if verdict_on_last_model(script, answer) == ModelVerdict::Refuted => {
                    let model = answer.smt_checks().last().and_then(|check| check.model.as_deref());
                    exhibits.extend(model.and_then(|model| wrong_model(query, model)));
                }
                _ => {}
            }
        }
        exhibits
    }

    fn open(&self, settled: &Settled) -> Open {
        Open {
            unresolved: u32::from(!settled.is_answered),
            total: 1,
            has_evidence: self.assignment.is_some(),
            by_function: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Claim, Cost, SmtCheck, Verdict};

    const SCRIPT: &str = "(declare-fun x () Int)\n(assert (> x 4))\n(check-sat)\n";

    fn settled(task: &ScriptTask, status: SmtStatus, model: Option<&str>) -> Settled {
        let query = Query::new("solver@1".into(), Input::Smt(task.script.clone()), Mode::Process);
        let check = SmtCheck { status, model: model.map(str::to_owned) };
        let verdict = Verdict::Claim(Claim::Smt(vec![check]));
        let answer = Answer { verdict, cost: Cost::default(), output: Vec::new() };
        let mut settled = Settled::default();
        task.settle(&[query], &[answer], &mut settled).unwrap();
        settled
    }

    #[test]
    fn an_answer_that_contradicts_the_defaults_is_none() {
        let mut task = ScriptTask::new(&Seed::smt("a.smt2", SCRIPT), &Lineup::default()).unwrap();
        let default = settled(&task, SmtStatus::Unsat, None);
        assert!(default.is_answered);
        task.note_default(&default).unwrap();
        assert!(settled(&task, SmtStatus::Unsat, None).is_answered);
        assert!(!settled(&task, SmtStatus::Sat, None).is_answered);
        assert!(!task.open(&default).has_evidence);
    }
}
