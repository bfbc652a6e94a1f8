//! The programs of a search: what is settled about them, and what the analyzer's defaults settle.

use super::trials::{Trial, gather_evidence, try_recipe};
use super::{Report, TuneOptions, TuneState};
use crate::{Campaign, Cases};
use anyhow::Result;
use engine::{Journal, is_interruption};
use model::{Lineup, Random, Seed};
use parking_lot::Mutex;
use schedule::{InOrder, Job, Pool, Progress, Stop, Worker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use techniques::assess::{AlarmTask, CheckTask, ErrorTask, Open, RowTask, ScriptTask, Task, Unusable};
use techniques::{Technique, conjunctive_query, differential, runtime, solver_differential};
use tuning::{Outcome, Recipe, State, UnusableProgram};

/// No program is begun after this share of the time, in percent.
const PREPARATION_PERCENT: u32 = 30;

/// What is settled about each program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The checks of C programs.
    Checks,
    /// The alarms of an analyzer of C programs that promises to miss nothing.
    Alarms,
    /// The errors in C programs that a bug finder finds, and its false warnings.
    Errors,
    /// SMT-LIB scripts.
    Scripts,
    /// Datalog programs.
    Rows,
}

impl Subject {
    /// What is counted.
    pub fn noun(self) -> &'static str {
        match self {
            Subject::Checks => "checks",
            Subject::Alarms => "alarms",
            Subject::Errors => "errors and false warnings",
            Subject::Scripts => "scripts",
            Subject::Rows => "programs",
        }
    }

    /// The technique that judges wrong claims, and for which analyzers are located.
    pub fn technique(self) -> &'static Technique {
        match self {
            Subject::Checks | Subject::Alarms => &differential::TECHNIQUE,
            Subject::Errors => &runtime::TECHNIQUE,
            Subject::Scripts => &solver_differential::TECHNIQUE,
            Subject::Rows => &conjunctive_query::TECHNIQUE,
        }
    }
}

/// A program that can be used.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) task: Arc<dyn Task>,
    pub(super) default: Outcome,
    /// What is wrong about the answers to the defaults.
    pub(super) trial: Trial,
}

/// The programs of a search.
pub(super) struct Programs {
    pub(super) usable: Vec<Program>,
    pub(super) unusable: Vec<UnusableProgram>,
}

impl Programs {
    /// Loads the seeds, gathers evidence, and asks the first analyzer with its defaults.
    pub(super) fn prepare(
        campaign: &Campaign<'_>,
        options: &TuneOptions,
        report: Report<'_>,
    ) -> Result<Programs> {
        report(&TuneState { phase: "preparing".to_owned(), ..TuneState::default() });
        let job = Prepare {
            cases: campaign.cases(),
            options,
            tasks: Mutex::default(),
            campaign_seed: campaign.random_seed,
        };
        let mut prepared: Vec<(u64, Prepared)> = Vec::new();
        let mut recorder = InOrder::new(|unit, outcome: Prepared, _: &mut Progress| {
            prepared.push((unit, outcome));
            Ok(ControlFlow::Continue(()))
        });
        let budget = campaign.stop.budget.with_units(options.programs as u64);
        let stop = Stop { budget, ..campaign.stop };
        let pool = Pool { stop, ..campaign.pool(Journal::ReadAndWrite) };
        pool.run(&job, &mut recorder, Progress::default())?;
        let mut tasks = job.tasks.into_inner();
        let mut programs = Programs { usable: Vec::new(), unusable: Vec::new() };
        for (unit, outcome) in prepared {
            match (outcome.ready, tasks.remove(&unit)) {
                (Ok(trial), Some(task)) => {
                    let default = trial.outcome.clone();
                    programs.usable.push(Program { name: outcome.name, task, default, trial });
                }
                (Ok(_), None) => {}
                (Err((reason, detail)), _) => {
                    programs.unusable.push(UnusableProgram { name: outcome.name, reason, detail });
                }
            }
        }
        programs.shorten_names();
        Ok(programs)
    }

    /// Leaves out the directory that all programs are in.
    fn shorten_names(&mut self) {
        let mut names: Vec<&mut String> = self.usable.iter_mut().map(|it| &mut it.name).collect();
        names.extend(self.unusable.iter_mut().map(|it| &mut it.name));
        let directory_of = |name: &str| name.rfind('/').map_or(0, |slash| slash + 1);
        let Some(first) = names.first().map(|name| name[..directory_of(name)].to_owned()) else { return };
        let mut common = first.as_str();
        while !names.iter().all(|name| name.starts_with(common)) {
            common = &common[..directory_of(common.trim_end_matches('/'))];
        }
        let length = common.len();
        names.into_iter().for_each(|name| drop(name.drain(..length)));
    }

    /// True if no program can be used.
    pub(super) fn is_empty(&self) -> bool {
        self.usable.is_empty()
    }
}

/// What became of one seed.
#[derive(Serialize, Deserialize)]
struct Prepared {
    name: String,
    ready: Result<Trial, (String, String)>,
}

struct Prepare<'a> {
    cases: Cases<'a>,
    options: &'a TuneOptions,
    campaign_seed: u64,
    /// The tasks are functions of the seeds and the recorded answers; making them once saves time.
    tasks: Mutex<BTreeMap<u64, Arc<dyn Task>>>,
}

impl Job for Prepare<'_> {
    type Outcome = Prepared;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Prepared> {
        // Something must be left for the search.
        let is_late = worker.stop.budget.is_used_up_by(PREPARATION_PERCENT);
        let interrupted = || Prepared {
            name: format!("program {unit}"),
            ready: Err(("there was no time for it".to_owned(), String::new())),
        };
        if is_late {
            return Ok(interrupted());
        }
        let ready = match self.cases.prepare(unit) {
            Ok(Ok(ready)) => ready,
            Ok(Err(problem)) => {
                let name = problem.detail.split(':').next().unwrap_or_default().to_owned();
                return Ok(Prepared { name, ready: Err((problem.reason.to_owned(), problem.detail)) });
            }
            Err(error) if is_interruption(&error) => return Ok(interrupted()),
            Err(error) => return Err(error),
        };
        let name = match ready.seed.is_generated {
            true => format!("generated program {unit}"),
            false => ready.seed.name.to_string(),
        };
        let unusable =
            |problem: Unusable| Prepared { name: name.clone(), ready: Err((problem.reason, problem.detail)) };
        let random = Random::for_case(self.campaign_seed, unit);
        let mut task = match self.task(&ready.seed, self.cases.lineup, random) {
            Ok(task) => task,
            Err(problem) => return Ok(unusable(problem)),
        };
        match gather_evidence(task.as_mut(), worker)? {
            Some(Ok(())) => {}
            Some(Err(problem)) => return Ok(unusable(problem)),
            None => return Ok(interrupted()),
        }
        let Some((trial, settled)) =
            try_recipe(worker, task.as_ref(), &Recipe::default_recipe(), self.options)?
        else {
            return Ok(interrupted());
        };
        worker.report_tally();
        if let State::Failed(why) = &trial.outcome.state {
            return Ok(unusable(Unusable {
                reason: "the analyzer cannot analyze it".to_owned(),
                detail: why.clone(),
            }));
        }
        task.note_default(&settled);
        let Open { unresolved, total, .. } = task.open(&settled);
        if total == 0 {
            return Ok(unusable(Unusable {
                reason: "there is nothing to settle in it".to_owned(),
                detail: String::new(),
            }));
        }
        let trial = Trial { outcome: Outcome { unresolved, total, ..trial.outcome }, ..trial };
        self.tasks.lock().insert(unit, Arc::from(task));
        Ok(Prepared { name, ready: Ok(trial) })
    }
}

impl Prepare<'_> {
    fn task(&self, seed: &Seed, lineup: &Lineup, random: Random) -> Result<Box<dyn Task>, Unusable> {
        let count = self.options.per_program;
        Ok(match self.options.subject {
            Subject::Checks => Box::new(CheckTask::new(seed, count, lineup, random)?),
            Subject::Alarms => Box::new(AlarmTask::new(seed, lineup, random)),
            Subject::Errors => {
                Box::new(ErrorTask::new(seed, count, &self.options.analyzers[0], lineup, random)?)
            }
            Subject::Scripts => Box::new(ScriptTask::new(seed, lineup)?),
            Subject::Rows => Box::new(RowTask::new(seed, lineup)?),
        })
    }
}
