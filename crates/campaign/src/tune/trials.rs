//! Trying recipes on programs.

use super::TuneOptions;
use anyhow::Result;
use model::{Answer, Exhibit, Query, Verdict};
use schedule::{Job, Worker};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use techniques::assess::{Asked, Failure, Open, Settled, Task, Unusable};
use tuning::{Ingredient, Outcome, Recipe, State};

/// What came of one recipe on one program.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Trial {
    pub(super) outcome: Outcome,
    /// Claims that evidence contradicts, to be examined.
    pub(super) accused: Vec<Exhibit>,
}

/// Asks for evidence until there is nothing left to ask. None if the time is up; an error inside says why the program cannot
/// be used.
pub(super) fn gather_evidence(
    task: &mut dyn Task,
    worker: &mut Worker<'_>,
) -> Result<Option<Result<(), Unusable>>> {
    let stop = worker.stop;
    loop {
        let queries = task.evidence();
        if queries.is_empty() {
            return Ok(Some(Ok(())));
        }
        let Some(answers) = worker.asker.ask_until(&queries, &|| stop.is_over())? else { return Ok(None) };
        if let Err(problem) = task.learn(&queries, &answers) {
            return Ok(Some(Err(problem)));
        }
    }
}

/// Tries a recipe: its ingredients run one after the other. None if the time is up.
pub(super) fn try_recipe(
    worker: &mut Worker<'_>,
    task: &dyn Task,
    recipe: &Recipe,
    options: &TuneOptions,
) -> Result<Option<(Trial, Settled)>> {
    let mut settled = Settled::default();
    let mut tried = Tried::default();
    for ingredient in &recipe.0 {
        let choices = ingredient.choices();
        let asked = asked(ingredient, &choices, options);
        let queries = task.queries(&asked, &settled);
        let Some(answers) = ask(worker, &queries)? else { return Ok(None) };
        tried.add(&answers);
        tried.accused.extend(task.accuse(&asked, &queries, &answers));
        match task.settle(&queries, &answers, &mut settled) {
            Ok(()) => {}
            Err(Failure::Limit) => {
                tried.state = State::Limit;
                break;
            }
            Err(Failure::Failed(why)) => {
                tried.state = State::Failed(format!("{}: {why}", asked.analyzer.id));
                break;
            }
        }
    }
    // The limit is for the whole recipe: the time of earlier ingredients counts.
    let limit = options.limits.wall_milliseconds * 1000;
    if tried.state == State::Finished && recipe.0.len() > 1 && tried.cpu_microseconds > limit {
        tried.state = State::Limit;
    }
    Ok(Some((tried.trial(task.open(&settled)), settled)))
}

/// What an audit asks about a recipe, and the claims that evidence contradicts. None if the time is up.
pub(super) fn audit_recipe(
    worker: &mut Worker<'_>,
    task: &dyn Task,
    recipe: &Recipe,
    options: &TuneOptions,
) -> Result<Option<Audit>> {
    let mut audit = Audit { read: 0, accused: Vec::new() };
    for ingredient in &recipe.0 {
        let choices = ingredient.choices();
        let asked = asked(ingredient, &choices, options);
        let queries = task.audit(&asked);
        let Some(answers) = ask(worker, &queries)? else { return Ok(None) };
        audit.read += answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Claim(_))).count();
        audit.accused.extend(task.accuse(&asked, &queries, &answers));
    }
    Ok(Some(audit))
}

/// What an audit found.
#[derive(Serialize, Deserialize)]
pub(super) struct Audit {
    /// How many claims evidence was held against.
    pub(super) read: usize,
    pub(super) accused: Vec<Exhibit>,
}

fn asked<'a>(
    ingredient: &Ingredient,
    choices: &'a [(String, String)],
    options: &'a TuneOptions,
) -> Asked<'a> {
    Asked { analyzer: &options.analyzers[ingredient.analyzer], options: choices, limits: options.limits }
}

fn ask(worker: &mut Worker<'_>, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
    let stop = worker.stop;
    worker.asker.ask_until(queries, &|| stop.is_over())
}

/// The sums over the ingredients of a recipe.
struct Tried {
    state: State,
    cpu_microseconds: u64,
    wall_microseconds: u64,
    peak_memory_bytes: u64,
    accused: Vec<Exhibit>,
}

impl Default for Tried {
    fn default() -> Tried {
        Tried {
            state: State::Finished,
            cpu_microseconds: 0,
            wall_microseconds: 0,
            peak_memory_bytes: 0,
            accused: Vec::new(),
        }
    }
}

impl Tried {
    fn add(&mut self, answers: &[Answer]) {
        for cost in answers.iter().map(|answer| answer.cost) {
            self.cpu_microseconds += cost.cpu_microseconds;
            self.wall_microseconds += cost.wall_microseconds;
            self.peak_memory_bytes = self.peak_memory_bytes.max(cost.peak_memory_bytes);
        }
    }

    fn trial(self, Open { unresolved, total, .. }: Open) -> Trial {
        let outcome = Outcome {
            state: self.state,
            unresolved,
            total,
            cpu_microseconds: self.cpu_microseconds,
            wall_microseconds: self.wall_microseconds,
            peak_memory_bytes: self.peak_memory_bytes,
        };
        Trial { outcome, accused: self.accused }
    }
}

/// One round of trials as a job; a unit is a recipe on a program.
pub(super) struct Round<'a> {
    pub(super) options: &'a TuneOptions,
    pub(super) units: Vec<(Recipe, Arc<dyn Task>)>,
}

impl Job for Round<'_> {
    type Outcome = Option<Trial>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<Trial>> {
        let Some((recipe, task)) = self.units.get(unit as usize) else { return Ok(None) };
        let tried = try_recipe(worker, task.as_ref(), recipe, self.options)?;
        worker.report_tally();
        Ok(tried.map(|(trial, _)| trial))
    }
}

/// The audit of a recipe as a job; a unit is a program.
pub(super) struct AuditRound<'a> {
    pub(super) options: &'a TuneOptions,
    pub(super) recipe: Recipe,
    pub(super) tasks: Vec<Arc<dyn Task>>,
}

impl Job for AuditRound<'_> {
    type Outcome = Option<Audit>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<Audit>> {
        let Some(task) = self.tasks.get(unit as usize) else { return Ok(None) };
        let audit = audit_recipe(worker, task.as_ref(), &self.recipe, self.options)?;
        worker.report_tally();
        Ok(audit)
    }
}
