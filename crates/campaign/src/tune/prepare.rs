//! The programs of a search: what is settled about them, what the analyzer's defaults settle, and what they get wrong.

use super::parts::Part;
use super::tasks::{Made, Tasks};
use super::trials::{Audit, Trial, audit_recipe};
use super::{Report, TuneState};
use crate::Campaign;
use anyhow::Result;
use engine::Journal;
use model::Role;
use schedule::{InOrder, Job, Pool, Progress, Stop, Worker};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use techniques::assess::{Settled, Unusable};
use techniques::{Technique, differential, precedence_graph, runtime, solver_differential};
use tuning::{Outcome, Recipe, UnusableProgram};

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
    /// Every subject.
    pub const ALL: [Subject; 5] =
        [Subject::Checks, Subject::Alarms, Subject::Errors, Subject::Scripts, Subject::Rows];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Checks => "checks",
            Subject::Alarms => "alarms",
            Subject::Errors => "errors",
            Subject::Scripts => "scripts",
            Subject::Rows => "rows",
        }
    }

    /// What it means, for the help.
    pub fn summary(self) -> &'static str {
        match self {
            Subject::Checks => "Checks of C programs: their own assertions, or generated ones",
            Subject::Alarms => "Alarms of an analyzer that promises to miss nothing",
            Subject::Errors => "Errors that a bug finder finds, and its false warnings",
            Subject::Scripts => "SMT-LIB scripts",
            Subject::Rows => "Datalog programs",
        }
    }

    /// The role in which analyzers are asked.
    pub fn role(self) -> Role {
        match self {
            Subject::Checks => Role::Reachability,
            Subject::Alarms | Subject::Errors => Role::Warnings,
            Subject::Scripts => Role::Smt,
            Subject::Rows => Role::Datalog,
        }
    }

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

    /// The techniques that judge wrong claims, and for which analyzers are located.
    pub fn techniques(self) -> Vec<&'static Technique> {
        match self {
            Subject::Alarms => vec![self.technique(), &runtime::TECHNIQUE],
            Subject::Checks | Subject::Errors | Subject::Scripts | Subject::Rows => vec![self.technique()],
        }
    }

    /// The one of these that says which programs are seeds.
    pub fn technique(self) -> &'static Technique {
        match self {
            Subject::Checks | Subject::Alarms => &differential::TECHNIQUE,
            Subject::Errors => &runtime::TECHNIQUE,
            Subject::Scripts => &solver_differential::TECHNIQUE,
            Subject::Rows => &precedence_graph::TECHNIQUE,
        }
    }
}

/// A program that can be used, or some of the functions of the only program.
pub(super) struct Program {
    pub(super) name: String,
    /// The name of the whole program.
    pub(super) file: String,
    /// The number by which its task is made.
    pub(super) unit: u64,
    pub(super) part: Option<Part>,
    pub(super) default: Outcome,
    /// True if evidence can refute claims about it without an audit.
    pub(super) has_evidence: bool,
}

/// A program with what its defaults settle and claim.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Beginning {
    pub(super) trial: Trial,
    pub(super) audit: Audit,
    pub(super) has_evidence: bool,
}

/// The programs of a search.
pub(super) struct Programs {
    /// The name and the number of each, with what its defaults settle.
    pub(super) usable: Vec<(String, u64, Beginning)>,
    pub(super) unusable: Vec<UnusableProgram>,
}

impl Programs {
    /// Loads the seeds, gathers evidence, and asks and audits the first analyzer with its defaults.
    pub(super) fn prepare(
        campaign: &Campaign<'_>,
        tasks: &Tasks<'_>,
        report: Report<'_>,
    ) -> Result<(Programs, Progress)> {
        report(&TuneState { phase: "preparing".to_owned(), ..TuneState::default() });
        let mut programs = Programs { usable: Vec::new(), unusable: Vec::new() };
        let mut recorder = InOrder::new(|unit, Prepared { name, ready }, _: &mut Progress| {
            match ready {
                Ok(beginning) => programs.usable.push((name, unit, beginning)),
                Err((reason, detail)) => {
                    programs.unusable.push(UnusableProgram { name, reason, detail });
                }
            }
            Ok(ControlFlow::Continue(()))
        });
        let budget = campaign.stop.budget.with_units(tasks.options().programs as u64);
        let stop = Stop { budget, ..campaign.stop };
        let pool = Pool { stop, ..campaign.pool(Journal::ReadAndWrite) };
        let progress = pool.run(&Prepare { tasks }, &mut recorder, Progress::default())?;
        drop(recorder);
        programs.shorten_names();
        Ok((programs, progress))
    }

    /// Leaves out the directory that all programs are in.
    fn shorten_names(&mut self) {
        let mut names: Vec<&mut String> = self.usable.iter_mut().map(|(name, ..)| name).collect();
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
}

/// The outcome of preparing one seed.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Prepared {
    name: String,
    /// An error has a few words and the details.
    ready: Result<Beginning, (String, String)>,
}

/// The preparation as a job; a unit is a program.
pub(crate) struct Prepare<'t, 'a> {
    pub(crate) tasks: &'t Tasks<'a>,
}

impl Job for Prepare<'_, '_> {
    type Outcome = Prepared;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Prepared> {
        let interrupted = || Prepared {
            name: format!("program {unit}"),
            ready: Err(("the time was up".to_owned(), String::new())),
        };
        // Something must be left for the search.
        if worker.stop.budget.is_used_up_by(PREPARATION_PERCENT) {
            return Ok(interrupted());
        }
        let made = self.tasks.make(unit, worker)?;
        let prepared = match made {
            Made::Interrupted => interrupted(),
            Made::Unusable { name, problem: Unusable { reason, detail } } => {
                Prepared { name, ready: Err((reason, detail)) }
            }
            Made::Ready { name, task, trial } => {
                let (default, options) = (Recipe::default_recipe(), self.tasks.options());
                match audit_recipe(worker, task.as_ref(), &default, options)? {
                    Some(audit) => {
                        let has_evidence = task.open(&Settled::default()).has_evidence;
                        Prepared { name, ready: Ok(Beginning { trial, audit, has_evidence }) }
                    }
                    None => interrupted(),
                }
            }
        };
        worker.report_tally();
        Ok(prepared)
    }
}
