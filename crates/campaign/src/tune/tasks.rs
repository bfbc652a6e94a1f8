//! The programs as tasks, which are made wherever a unit needs them.
//!
//! A task is a function of the plan, the stored seed and the recorded answers: a unit in another process makes the same one.

use super::trials::{Trial, gather_evidence, try_recipe};
use super::{Subject, TuneOptions};
use crate::Cases;
use anyhow::Result;
use engine::is_interruption;
use model::{Random, Seed};
use parking_lot::Mutex;
use schedule::Worker;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use store::SkipReason;
use techniques::assess::{AlarmTask, CheckTask, ErrorTask, Open, RowTask, ScriptTask, Task, Unusable};
use tuning::{Outcome, Recipe, State};

/// A task with what the defaults settle, or why the program cannot be used.
type Preparation = Result<(Arc<dyn Task>, Trial), Unusable>;

/// The programs of a search as tasks.
pub(crate) struct Tasks<'a> {
    cases: Cases<'a>,
    options: &'a TuneOptions,
    /// The tasks that were made already, which saves time and changes nothing.
    made: Mutex<BTreeMap<u64, Arc<dyn Task>>>,
}

/// The outcome of making a task of a program.
pub(super) enum Made {
    /// It can be used.
    Ready { name: String, task: Arc<dyn Task>, trial: Trial },
    /// It cannot be used.
    Unusable { name: String, problem: Unusable },
    /// There was no time for it.
    Interrupted,
}

impl<'a> Tasks<'a> {
    /// The programs of some cases.
    pub(crate) fn new(cases: Cases<'a>, options: &'a TuneOptions) -> Tasks<'a> {
        Tasks { cases, options, made: Mutex::default() }
    }

    /// What is tuned, and how.
    pub(super) fn options(&self) -> &TuneOptions {
        self.options
    }

    /// The task of a program that can be used; none if there is no time to make it.
    pub(super) fn task(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<Arc<dyn Task>>> {
        if let Some(task) = self.made.lock().get(&unit) {
            return Ok(Some(Arc::clone(task)));
        }
        Ok(match self.make(unit, worker)? {
            Made::Ready { task, .. } => Some(task),
            Made::Unusable { .. } | Made::Interrupted => None,
        })
    }

    /// Loads a seed, gathers evidence about it, and asks the first analyzer with its defaults.
    pub(super) fn make(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Made> {
        let ready = match self.cases.prepare(unit) {
            Ok(Ok(ready)) => ready,
            Ok(Err(problem)) => {
                let name = problem.detail.split(':').next().unwrap_or_default().to_owned();
                return Ok(Made::Unusable { name, problem: unusable(problem.reason, problem.detail) });
            }
            Err(error) if is_interruption(&error) => return Ok(Made::Interrupted),
            Err(error) => return Err(error),
        };
        let name = match ready.seed.is_generated {
            true => format!("generated program {unit}"),
            false => ready.seed.name.to_string(),
        };
        // One bad program must not end the search.
        let prepared = catch_unwind(AssertUnwindSafe(|| self.prepared(unit, &ready.seed, worker)));
        let prepared = prepared
            .unwrap_or_else(|_| Ok(Some(Err(unusable(&SkipReason::OwnFault.to_string(), String::new())))))?;
        Ok(match prepared {
            Some(Ok((task, trial))) => {
                self.made.lock().insert(unit, Arc::clone(&task));
                Made::Ready { name, task, trial }
            }
            Some(Err(problem)) => Made::Unusable { name, problem },
            None => Made::Interrupted,
        })
    }

    /// None if the time is up; an error inside says why the program cannot be used.
    fn prepared(&self, unit: u64, seed: &Seed, worker: &mut Worker<'_>) -> Result<Option<Preparation>> {
        let mut task = match self.unprepared(unit, seed) {
            Ok(task) => task,
            Err(problem) => return Ok(Some(Err(problem))),
        };
        match gather_evidence(task.as_mut(), worker)? {
            Some(Ok(())) => {}
            Some(Err(problem)) => return Ok(Some(Err(problem))),
            None => return Ok(None),
        }
        let default = Recipe::default_recipe();
        let Some((trial, settled)) = try_recipe(worker, task.as_ref(), &default, self.options)? else {
            return Ok(None);
        };
        if let State::Failed(why) = &trial.outcome.state {
            return Ok(Some(Err(unusable("the analyzer failed on it", why.clone()))));
        }
        if let Err(problem) = task.note_default(&settled) {
            return Ok(Some(Err(problem)));
        }
        let Open { unresolved, total, by_function, .. } = task.open(&settled);
        if total == 0 {
            return Ok(Some(Err(unusable("it has nothing to settle", String::new()))));
        }
        let outcome = Outcome { unresolved, total, ..trial.outcome };
        Ok(Some(Ok((Arc::from(task), Trial { outcome, by_function, ..trial }))))
    }

    /// The task before anything was asked.
    fn unprepared(&self, unit: u64, seed: &Seed) -> Result<Box<dyn Task>, Unusable> {
        let (options, lineup) = (self.options, self.cases.lineup);
        let (count, random) = (options.per_program, Random::for_case(self.cases.random_seed, unit));
        Ok(match options.subject {
            Subject::Checks => Box::new(CheckTask::new(seed, count, lineup, random)?),
            Subject::Alarms => Box::new(AlarmTask::new(seed, &options.analyzers[0], lineup, random)),
            Subject::Errors => Box::new(ErrorTask::new(seed, count, &options.analyzers[0], lineup, random)?),
            Subject::Scripts => Box::new(ScriptTask::new(seed, lineup)?),
            Subject::Rows => Box::new(RowTask::new(seed, lineup)?),
        })
    }
}

fn unusable(reason: &str, detail: String) -> Unusable {
    Unusable { reason: reason.to_owned(), detail }
}
