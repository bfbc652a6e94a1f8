//! Trying recipes on programs.

use super::TuneOptions;
use super::tasks::Tasks;
use anyhow::Result;
use model::{Answer, Exhibit, Query, Verdict};
use schedule::{Job, Worker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use store::SkipReason;
use techniques::assess::{Asked, Failure, Open, OpenPart, Settled, Task, Unusable};
use tuning::{Ingredient, Outcome, Recipe, State};

/// The outcome of one recipe on one program.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(super) outcome: Outcome,
    /// What is open in each function.
    pub(super) by_function: BTreeMap<String, OpenPart>,
    /// The microseconds that it costs.
    pub(super) charge: u64,
    /// Claims that evidence contradicts, to be examined.
    pub(super) accused: Vec<Accusation>,
}

/// A claim that evidence contradicts.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Accusation {
    pub(super) exhibit: Exhibit,
    /// The options of the analyzer that makes the claim.
    pub(super) choices: Vec<(String, String)>,
}

/// What evidence contradicts in the answers of an ingredient.
fn accusations(task: &dyn Task, asked: &Asked<'_>, queries: &[Query], answers: &[Answer]) -> Vec<Accusation> {
    let exhibits = task.accuse(asked, queries, answers).into_iter();
    exhibits.map(|exhibit| Accusation { exhibit, choices: asked.options.to_vec() }).collect()
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
        tried.accused.extend(accusations(task, &asked, &queries, &answers));
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
    let mut audit = Audit::default();
    for ingredient in &recipe.0 {
        let choices = ingredient.choices();
        let asked = asked(ingredient, &choices, options);
        let queries = task.audit(&asked);
        let Some(answers) = ask(worker, &queries)? else { return Ok(None) };
        audit.read += answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Claim(_))).count();
        audit.charge += answers.iter().map(charge_of_answer).sum::<u64>();
        audit.accused.extend(accusations(task, &asked, &queries, &answers));
    }
    Ok(Some(audit))
}

/// What an audit found.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Audit {
    /// How many claims evidence was held against.
    pub(super) read: usize,
    /// The microseconds that it costs.
    pub(super) charge: u64,
    pub(super) accused: Vec<Accusation>,
}

/// What an answer costs. One that never came is charged its wall time, or a search over queries that sleep until the limit
/// would never use up its CPU time.
fn charge_of_answer(answer: &Answer) -> u64 {
    match answer.verdict {
        Verdict::Claim(_) | Verdict::Unknown => answer.cost.cpu_microseconds,
        _ => answer.cost.cpu_microseconds.max(answer.cost.wall_microseconds),
    }
}

/// A trial is charged at least this, or a search over trials that cost nothing would never end.
const LEAST_CHARGE: u64 = 1000;

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
    charge: u64,
    accused: Vec<Accusation>,
}

impl Default for Tried {
    fn default() -> Tried {
        Tried {
            state: State::Finished,
            cpu_microseconds: 0,
            wall_microseconds: 0,
            peak_memory_bytes: 0,
            charge: 0,
            accused: Vec::new(),
        }
    }
}

impl Tried {
    fn add(&mut self, answers: &[Answer]) {
        self.charge += answers.iter().map(charge_of_answer).sum::<u64>();
        for cost in answers.iter().map(|answer| answer.cost) {
            self.cpu_microseconds += cost.cpu_microseconds;
            self.wall_microseconds += cost.wall_microseconds;
            self.peak_memory_bytes = self.peak_memory_bytes.max(cost.peak_memory_bytes);
        }
    }

    fn trial(self, Open { unresolved, total, by_function, .. }: Open) -> Trial {
        let outcome = Outcome {
            state: self.state,
            unresolved,
            total,
            cpu_microseconds: self.cpu_microseconds,
            wall_microseconds: self.wall_microseconds,
            peak_memory_bytes: self.peak_memory_bytes,
        };
        Trial { outcome, by_function, charge: self.charge.max(LEAST_CHARGE), accused: self.accused }
    }
}

/// One round of trials as a job; a unit is a recipe on a program, which is named by its number.
pub(crate) struct Round<'t, 'a> {
    pub(crate) tasks: &'t Tasks<'a>,
    pub(crate) units: Vec<(Recipe, u64)>,
}

impl Job for Round<'_, '_> {
    type Outcome = Option<Trial>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<Trial>> {
        let Some((recipe, program)) = self.units.get(unit as usize) else { return Ok(None) };
        let Some(task) = self.tasks.task(*program, worker)? else { return Ok(None) };
        let work = || try_recipe(worker, task.as_ref(), recipe, self.tasks.options());
        let tried = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(tried) => tried?.map(|(trial, _)| trial),
            // One bad answer must not end the search.
            Err(_) => {
                let state = State::Failed(SkipReason::OwnFault.to_string());
                Some(Tried { state, ..Tried::default() }.trial(task.open(&Settled::default())))
            }
        };
        worker.report_tally();
        Ok(tried)
    }
}

/// Audits as a job; a unit is a recipe on a program, which is named by its number.
pub(crate) struct AuditRound<'t, 'a> {
    pub(crate) tasks: &'t Tasks<'a>,
    pub(crate) units: Vec<(Recipe, u64)>,
}

impl Job for AuditRound<'_, '_> {
    type Outcome = Option<Audit>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<Audit>> {
        let Some((recipe, program)) = self.units.get(unit as usize) else { return Ok(None) };
        let Some(task) = self.tasks.task(*program, worker)? else { return Ok(None) };
        let audit = audit_recipe(worker, task.as_ref(), recipe, self.tasks.options())?;
        worker.report_tally();
        Ok(audit)
    }
}
