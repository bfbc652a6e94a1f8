//! The job of `juvenal tune`: search for the configuration of an analyzer that settles most on given programs.
//!
//! The searches of [`tuning`] propose recipes; each round of proposals is a [`schedule::Job`] whose units are trials of one recipe on
//! one program. Only answers are recorded: a search that continues proposes the same again, and is answered from the record.
//! A recipe that claims what an execution refutes is examined like any other finding, and is never accepted.

mod prepare;
mod proposals;
mod trials;
mod wrong_claims;

pub use prepare::Subject;

use crate::Campaign;
use anyhow::Result;
use model::{AnalyzerInfo, Limits, Random};
use prepare::Programs;
use proposals::{Audited, Budget, Proposals};
use schedule::Progress;
use std::time::Duration;
use tuning::{
    Ablation, Caps, Fold, FoldResult, Grid, Objective, ProgramResult, Recipe, RecipeSpace, SearchKind,
    Totals, Tuned, Verdict, front,
};

/// The share of the CPU time that searches on parts of the programs may take, in percent.
const VALIDATION_PERCENT: u64 = 45;
/// The share that the search on all programs may take after that; the rest is for the ablation.
const SEARCH_PERCENT: u64 = 80;

/// A search that tried fewer recipes validates nothing.
const LEAST_RECIPES: usize = 5;

/// What is tuned, and how.
pub struct TuneOptions {
    /// What is settled, and how that is counted.
    pub subject: Subject,
    /// What is minimized.
    pub objective: Objective,
    /// The analyzers that recipes are made of; the first with its defaults is what everything is compared with.
    pub analyzers: Vec<AnalyzerInfo>,
    /// The recipes.
    pub space: RecipeSpace,
    /// The limits of each query.
    pub limits: Limits,
    /// How to search.
    pub search: &'static SearchKind,
    /// In how many parts the programs are held out, one after the other.
    pub folds: usize,
    /// The CPU time of analyzers that may be spent.
    pub cpu: Option<Duration>,
    /// The number of programs.
    pub programs: usize,
    /// Checks that are drawn for a program without assertions, or errors that are put into a program.
    pub per_program: usize,
}

/// What a search reports while it runs.
#[derive(Clone, Debug, Default)]
pub struct TuneState {
    /// What is being done, in a few words.
    pub phase: String,
    /// The recipes that were tried on some program.
    pub recipes: usize,
    /// CPU time of analyzers so far, and how much there may be.
    pub spent: Duration,
    /// The CPU time that may be spent.
    pub budget: Option<Duration>,
    /// The default on the programs that are searched.
    pub default: Option<Totals>,
    /// The best recipe so far, in words, with what it leaves open.
    pub best: Option<(String, Totals)>,
    /// The mean losses of the best recipe over time.
    pub curve: Vec<tuning::ReplayPoint>,
}

/// Receives the states of a search.
pub type Report<'a> = &'a dyn Fn(&TuneState);

/// Searches until the budget is used up or the user interrupts. What is recorded already is not asked again.
pub fn tune(campaign: &Campaign<'_>, options: &TuneOptions, report: Report<'_>) -> Result<(Tuned, Progress)> {
    let mut programs = Programs::prepare(campaign, options, report)?;
    if programs.is_empty() {
        return Ok((nothing_to_tune(options, programs), Progress::default()));
    }
    let total = options.cpu.map(|cpu| cpu.as_micros() as u64);
    let share = |percent: u64| total.map(|total| total / 100 * percent);
    let names = names(&options.analyzers);
    let mut proposals = Proposals::new(campaign, options, &mut programs, report)?;
    let count = proposals.count();
    let parts = tuning::folds(count, options.folds, &mut Random::for_case(campaign.random_seed, u64::MAX));
    let mut validation = Vec::new();
    let prepared = campaign.stop.budget.used_percent();
    for (number, fold) in parts.iter().enumerate() {
        let spent = proposals.spent();
        let left = share(VALIDATION_PERCENT)
            .map(|share| share.saturating_sub(spent) / (parts.len() - number) as u64);
        // The parts share the wall time for validation evenly.
        let share = (number as u64 + 1) as f64 / parts.len() as f64;
        let wall_percent = prepared + ((VALIDATION_PERCENT as f64 * share) as u32) * (100 - prepared) / 100;
        let budget = Budget { until: left.map(|left| spent + left), wall_percent };
        proposals.say(format!("validation {} of {}", number + 1, parts.len()));
        match validated(&mut proposals, fold, budget, number)? {
            Some(result) => validation.push(result),
            None => break,
        }
    }
    proposals.say("search".to_owned());
    let all: Vec<usize> = (0..count).collect();
    let until = share(SEARCH_PERCENT).map(|share| share.max(proposals.spent() + share / 10));
    let budget = Budget { until, wall_percent: SEARCH_PERCENT as u32 };
    proposals.search(&all, budget, 0)?;
    let curve = proposals.curve();
    proposals.say("ablation".to_owned());
    let (best, contributions, is_audited) = accepted(&mut proposals, &all)?;
    let history = proposals.history(&all);
    let verdict = match proposals.is_without_answer() {
        true => Verdict::AllLimited,
        false if !is_audited => Verdict::NotAudited,
        false => tuning::verdict(&best, &validation, &history),
    };
    let results: Vec<ProgramResult> = proposals.results(&best);
    let default = Recipe::default_recipe();
    let tuned = Tuned {
        verdict,
        analyzers: names,
        objective: options.objective,
        what: options.subject.noun().to_owned(),
        search: options.search.name.to_owned(),
        recipes: proposals.recipes(),
        spent_microseconds: proposals.spent(),
        space_size: options.space.size(),
        best: best.clone(),
        commands: proposals.commands(if verdict.keeps_default() { &default } else { &best })?,
        contributions,
        programs: results,
        unusable: proposals.unusable(),
        not_audited: proposals.not_audited(),
        validation,
        front: front(&history),
        refuted: proposals.refuted(),
        default_loss: history.default_loss(),
        best_loss: history.mean_loss(&best).unwrap_or(tuning::WORST_LOSS),
        curve,
        grid: Grid {
            analyzers: self::names(&options.analyzers),
            spaces: options.space.analyzers.clone(),
            longest: options.space.longest,
            objective: options.objective,
            caps: caps(&options.limits),
            programs: proposals.program_names(),
            trials: proposals.grid_trials(),
        },
    };
    let mut progress = proposals.into_progress();
    progress.answers = campaign.store.answers.count()?;
    Ok((tuned, progress))
}

/// Searches on some programs, and tries what it finds on those that were held out. None if there is no time for that.
fn validated(
    proposals: &mut Proposals<'_>,
    fold: &Fold,
    budget: Budget,
    number: usize,
) -> Result<Option<FoldResult>> {
    let training = proposals.search(&fold.training, budget, number as u64 + 1)?;
    let Some(best) = training.best().filter(|_| training.recipes_tried() >= LEAST_RECIPES) else {
        return Ok(None);
    };
    if !proposals.try_on(&best.recipe, &fold.held_out)? {
        return Ok(None);
    }
    let held_out = proposals.history(&fold.held_out);
    let default = Recipe::default_recipe();
    let totals =
        |history: &tuning::History, recipe: &Recipe| Totals::of(history, recipe, 0..history.programs());
    let (Some(default_training), Some(best_training), Some(default_held_out), Some(best_held_out)) = (
        totals(&training, &default),
        totals(&training, &best.recipe),
        totals(&held_out, &default),
        totals(&held_out, &best.recipe),
    ) else {
        return Ok(None);
    };
    Ok(Some(FoldResult {
        training_gain: training.default_loss() - best.loss.whole(),
        held_out_gain: held_out.default_loss()
            - held_out.mean_loss(&best.recipe).unwrap_or(tuning::WORST_LOSS),
        is_refuted: held_out.is_refuted(&best.recipe),
        recipe: best.recipe,
        training: [default_training, best_training],
        held_out: [default_held_out, best_held_out],
    }))
}

/// The best recipe without the options that do not pay, what the others contribute, and whether it was audited. If executions
/// refute it after all, the next best.
fn accepted(
    proposals: &mut Proposals<'_>,
    all: &[usize],
) -> Result<(Recipe, Vec<tuning::Contribution>, bool)> {
    loop {
        let best =
            proposals.history(all).best().map_or_else(Recipe::default_recipe, |standing| standing.recipe);
        let mut ablation = Ablation::new(best, proposals.space().clone());
        loop {
            let trials = ablation.ask(&proposals.history(all));
            if trials.is_empty() || !proposals.carry_out(&trials, all)? {
                break;
            }
        }
        let recipe = ablation.recipe().clone();
        let audited = proposals.audit(&recipe)?;
        // The defaults are what remains if nothing else is left.
        if audited != Audited::Refuted || recipe == Recipe::default_recipe() {
            let contributions = ablation.contributions(&proposals.history(all));
            return Ok((recipe, contributions, audited != Audited::Interrupted));
        }
    }
}

fn names(analyzers: &[AnalyzerInfo]) -> Vec<String> {
    analyzers.iter().map(|analyzer| analyzer.id.to_string()).collect()
}

/// The limits by which times and memory become shares.
fn caps(limits: &Limits) -> Caps {
    Caps { cpu_microseconds: limits.wall_milliseconds * 1000, memory_bytes: limits.memory_megabytes << 20 }
}

/// The result where no program can be used.
fn nothing_to_tune(options: &TuneOptions, programs: Programs) -> Tuned {
    Tuned {
        verdict: Verdict::Nothing,
        analyzers: names(&options.analyzers),
        objective: options.objective,
        what: options.subject.noun().to_owned(),
        search: options.search.name.to_owned(),
        space_size: options.space.size(),
        unusable: programs.unusable,
        ..Tuned::default()
    }
}
