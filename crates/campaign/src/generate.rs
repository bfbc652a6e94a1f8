//! The job of `juvenal generate`: walk cases with simulated answers and collect the inputs that they make.

use crate::Cases;
use anyhow::{Result, bail};
use engine::Journal;
use model::{AnalyzerId, Answer, Input, Language, NamedFile, Query};
use schedule::{Budget, End, InOrder, Job, Pool, Progress, Silent, Stop, Walker, Worker, drive};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use techniques::{MadeScripts, Notes};

/// One generated input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Generated {
    /// The input.
    pub input: Input,
    /// True if every check of a script must be answered `sat`.
    pub is_satisfiable: bool,
    /// The files of an item that is more than an input, the main one first.
    pub files: Vec<NamedFile>,
}

/// What generation needs in addition to the cases, which are all of one technique.
pub struct Generation<'a> {
    /// The number of inputs to generate.
    pub count: u64,
    /// The analyzer whose queries are collected; some techniques ask several analyzers the same.
    pub analyzer: AnalyzerId,
    /// Simulates an answer.
    pub simulate: fn(&Query) -> Answer,
    /// Receives the reason why a seed yields nothing.
    pub skipped: &'a (dyn Fn(&str) + Sync),
}

/// Generates inputs and passes them on in order.
pub fn generate(
    cases: Cases<'_>,
    generation: &Generation<'_>,
    emit: &mut (dyn FnMut(Generated) -> Result<()> + Send),
) -> Result<()> {
    generate_by(&cases, generation, &Generate::new(&cases, generation), emit)
}

/// Like [`generate`], with a job that runs its units elsewhere.
pub(crate) fn generate_by(
    cases: &Cases<'_>,
    generation: &Generation<'_>,
    job: &impl Job<Outcome = GeneratedCase>,
    emit: &mut (dyn FnMut(Generated) -> Result<()> + Send),
) -> Result<()> {
    let seeds = cases.seeds.count() as u64;
    let (mut written, mut barren) = (0, 0);
    let mut recorder = InOrder::new(|unit, case: GeneratedCase, _: &mut Progress| {
        if let Some(problem) = case.problem.filter(|_| unit < seeds) {
            (generation.skipped)(&problem);
        }
        barren = if case.items.is_empty() { barren + 1 } else { 0 };
        for item in case.items {
            if written == generation.count {
                break;
            }
            written += 1;
            emit(item)?;
        }
        if written < generation.count && barren >= seeds {
            bail!("no seed can be used with {}", cases.technique(0).name);
        }
        Ok(if written == generation.count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    let pool = Pool {
        engine: cases.engine,
        store: None,
        journal: Journal::Off,
        workers: 1,
        stop: Stop { requested: &AtomicBool::new(false), budget: Budget::starting_now(None, None) },
        watcher: &Silent,
    };
    pool.run(job, &mut recorder, Progress::default())?;
    Ok(())
}

/// The inputs of one case.
#[derive(Serialize, Deserialize)]
pub(crate) struct GeneratedCase {
    items: Vec<Generated>,
    /// Why the seed could not be used.
    problem: Option<String>,
}

/// The generator as a job; a unit is a case.
pub(crate) struct Generate<'a> {
    cases: &'a Cases<'a>,
    generation: &'a Generation<'a>,
    share: u64,
}

impl<'a> Generate<'a> {
    /// Seeds take turns, and each yields its share before the next one is opened.
    pub fn new(cases: &'a Cases<'a>, generation: &'a Generation<'a>) -> Generate<'a> {
        let share = generation.count.div_ceil((cases.seeds.count() as u64).max(1));
        Generate { cases, generation, share }
    }
}

impl Job for Generate<'_> {
    type Outcome = GeneratedCase;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> Result<GeneratedCase> {
        let ready = match self.cases.prepare(unit)? {
            Ok(ready) => ready,
            Err(problem) => {
                let problem = Some(format!("{} ({})", problem.reason, problem.detail));
                return Ok(GeneratedCase { items: Vec::new(), problem });
            }
        };
        let language = ready.technique.language;
        let mut walk = GenerateWalk { job: self, language, made: None, files: Vec::new(), items: Vec::new() };
        let end = drive(self.cases.opener(unit, &ready), &mut walk)?;
        let problem = match end {
            End::Skipped { reason, detail } => Some(format!("{reason} ({detail})")),
            End::Panicked => Some(format!("juvenal itself failed on {}; please report it", ready.seed.name)),
            End::Done | End::Stopped => None,
        };
        Ok(GeneratedCase { items: walk.items, problem })
    }
}

struct GenerateWalk<'a> {
    job: &'a Generate<'a>,
    language: Language,
    /// Whether the queries of this step are satisfiable by construction; `None` if they were not generated, such as a query
    /// about the seed itself.
    made: Option<bool>,
    /// The items of this step that consist of files.
    files: Vec<Vec<NamedFile>>,
    items: Vec<Generated>,
}

impl Walker for GenerateWalk<'_> {
    fn see(&mut self, notes: Notes) -> Result<ControlFlow<()>> {
        let is_made = notes.scripts.is_some() || self.language != Language::SMT;
        self.files = notes.items;
        self.made = is_made.then_some(notes.scripts == Some(MadeScripts::Satisfiable));
        Ok(ControlFlow::Continue(()))
    }

    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
        if let Some(is_satisfiable) = self.made {
            for query in queries.iter().filter(|query| query.analyzer == self.job.generation.analyzer) {
                let of_files = std::mem::take(&mut self.files);
                let each = if of_files.is_empty() { vec![Vec::new()] } else { of_files };
                for files in each {
                    if self.items.len() as u64 == self.job.share {
                        return Ok(None);
                    }
                    self.items.push(Generated { input: query.input.clone(), is_satisfiable, files });
                }
            }
        }
        Ok(Some(queries.iter().map(self.job.generation.simulate).collect()))
    }

    /// Nothing is recorded, so a signal simply ends the process.
    fn is_over(&self) -> bool {
        false
    }
}
