//! The job of `juvenal tune`: search for the configuration of an analyzer that settles most on given programs.
//!
//! The searches of [`tuning`] propose recipes; each round of proposals is a [`schedule::Job`] whose units are trials of one recipe on
//! one program. Only answers are recorded: a search that continues proposes the same again, and is answered from the record.
//! A recipe that claims what an execution refutes is examined like any other finding, and is never accepted.

mod parts;
pub(crate) mod prepare;
mod proposals;
pub(crate) mod tasks;
pub(crate) mod trials;
mod wrong_claims;

pub use prepare::Subject;

use crate::Campaign;
use anyhow::Result;
use model::{AnalyzerInfo, Limits, Random};
use proposals::{Audited, Budget, LATE_AUDITS, Proposals, Searched};
use schedule::Progress;
use std::time::Duration;
use tasks::Tasks;
use tuning::{
    Ablation, Caps, Contribution, Fold, FoldResult, Grid, Objective, Recipe, RecipeSpace, SearchKind, Totals,
    Tuned, Verdict,
};

/// The share of the CPU time that searches on parts of the programs may take, in percent.
const VALIDATION_PERCENT: u64 = 45;
/// The share that the search on all programs may take after that; the rest is for the ablation.
const SEARCH_PERCENT: u64 = 80;

/// A search that tried fewer recipes validates nothing, unless there are no more.
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
    let tasks = Tasks::new(campaign.cases(), options);
    let mut proposals = Proposals::new(campaign, &tasks, options, report)?;
    let tuned = match proposals.count() {
        0 => nothing_to_tune(options, &proposals),
        _ => Tuning { campaign, options, proposals: &mut proposals }.tuned()?,
    };
    let mut progress = proposals.into_progress();
    progress.answers = campaign.store.answers.count()?;
    Ok((tuned, progress))
}

/// A search on programs of which there is at least one.
struct Tuning<'p, 't, 'a> {
    campaign: &'a Campaign<'a>,
    options: &'a TuneOptions,
    proposals: &'p mut Proposals<'t, 'a>,
}

/// The recipe that is accepted.
struct Accepted {
    recipe: Recipe,
    contributions: Vec<Contribution>,
    is_audited: bool,
}

impl Tuning<'_, '_, '_> {
    fn tuned(&mut self) -> Result<Tuned> {
        let validation = self.validation()?;
        self.proposals.say("search".to_owned());
        let all: Vec<usize> = (0..self.proposals.count()).collect();
        let spent = self.proposals.spent();
        let until = self.share(SEARCH_PERCENT).map(|share| share.max(spent + share / 10));
        self.proposals.search(&all, Budget { until, wall_percent: SEARCH_PERCENT as u32 }, 0)?;
        let curve = self.proposals.curve();
        self.proposals.say("ablation".to_owned());
        let whole = Budget { until: self.share(100), wall_percent: 100 };
        let accepted = self.accepted(&all, whole)?;
        let front = self.proposals.audited_front(&all, whole)?;
        let history = self.proposals.history(&all);
        let verdict = match self.proposals.is_without_answer() {
            true => Verdict::AllLimited,
            false if !accepted.is_audited => Verdict::NotAudited,
            false => tuning::verdict(&accepted.recipe, &validation, &history),
        };
        let tuned = Tuned {
            verdict,
            best: accepted.recipe,
            contributions: accepted.contributions,
            parts: self.parts().len(),
            validation,
            front,
            default_loss: history.default_loss(),
            curve,
            ..nothing_to_tune(self.options, self.proposals)
        };
        self.described(tuned, &history)
    }

    /// The result with what is known about its recipe and about everything that was tried.
    fn described(&self, tuned: Tuned, history: &tuning::History) -> Result<Tuned> {
        let (proposals, options) = (&*self.proposals, self.options);
        Ok(Tuned {
            recipes: proposals.recipes(),
            commands: proposals.commands(&tuned.recommended())?,
            programs: proposals.results(&tuned.best),
            not_audited: proposals.not_audited(&tuned.best),
            refuted: proposals.refuted(),
            best_loss: history.mean_loss(&tuned.best).unwrap_or(tuning::WORST_LOSS),
            grid: Grid {
                analyzers: names(&options.analyzers),
                spaces: options.space.analyzers.clone(),
                longest: options.space.longest,
                objective: options.objective,
                caps: caps(&options.limits),
                programs: proposals.program_names(),
                trials: proposals.grid_trials(),
            },
            ..tuned
        })
    }

    /// A share of the CPU time that may be spent, in percent.
    fn share(&self, percent: u64) -> Option<u64> {
        let total = self.options.cpu.map(|cpu| u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX));
        total.map(|total| total / 100 * percent)
    }

    /// The parts of the programs that are held out.
    fn parts(&self) -> Vec<Fold> {
        let mut random = Random::for_case(self.campaign.random_seed, u64::MAX);
        tuning::folds(self.proposals.count(), self.options.folds, &mut random)
    }

    /// Holds each part of the programs out once.
    fn validation(&mut self) -> Result<Vec<FoldResult>> {
        let parts = self.parts();
        let prepared = self.campaign.stop.budget.used_percent();
        let mut validation = Vec::new();
        for (number, fold) in parts.iter().enumerate() {
            let spent = self.proposals.spent();
            let left = self
                .share(VALIDATION_PERCENT)
                .map(|share| share.saturating_sub(spent) / (parts.len() - number) as u64);
            // The parts share the wall time for validation evenly.
            let share = (number as u64 + 1) as f64 / parts.len() as f64;
            let wall_percent =
                prepared + ((VALIDATION_PERCENT as f64 * share) as u32) * (100 - prepared) / 100;
            let budget = Budget { until: left.map(|left| spent + left), wall_percent };
            self.proposals.say(format!("validation {} of {}", number + 1, parts.len()));
            match self.validated(fold, budget, number)? {
                Some(result) => validation.push(result),
                None => break,
            }
        }
        Ok(validation)
    }

    /// Searches on some programs, and tries and audits what it finds on those that were held out. None if there is no time
    /// for that.
    fn validated(&mut self, fold: &Fold, budget: Budget, number: usize) -> Result<Option<FoldResult>> {
        let Searched { history: training, best, is_exhausted } =
            self.proposals.search(&fold.training, budget, number as u64 + 1)?;
        let least = usize::try_from(self.options.space.size()).unwrap_or(usize::MAX).min(LEAST_RECIPES);
        if training.recipes_tried() < least && !is_exhausted {
            return Ok(None);
        }
        if !self.proposals.try_on(&best, &fold.held_out)? {
            return Ok(None);
        }
        let whole = Budget { until: self.share(100), wall_percent: 100 };
        let held_out = match self.proposals.audit(&best, &fold.held_out, Some(whole))? {
            Audited::Interrupted => return Ok(None),
            Audited::Sound | Audited::Refuted => self.proposals.history(&fold.held_out),
        };
        let default = Recipe::default_recipe();
        let totals =
            |history: &tuning::History, recipe: &Recipe| Totals::of(history, recipe, 0..history.programs());
        let (Some(default_training), Some(best_training), Some(default_held_out), Some(best_held_out)) = (
            totals(&training, &default),
            totals(&training, &best),
            totals(&held_out, &default),
            totals(&held_out, &best),
        ) else {
            return Ok(None);
        };
        let gain = |history: &tuning::History| {
            history.default_loss() - history.mean_loss(&best).unwrap_or(tuning::WORST_LOSS)
        };
        Ok(Some(FoldResult {
            training_gain: gain(&training),
            held_out_gain: gain(&held_out),
            is_refuted: held_out.is_refuted(&best),
            training: [default_training, best_training],
            held_out: [default_held_out, best_held_out],
            recipe: best,
        }))
    }

    /// The best recipe without the options that do not pay. If executions refute it after all, the next best; if there is no
    /// time to audit it, the best of those that were audited.
    fn accepted(&mut self, all: &[usize], budget: Budget) -> Result<Accepted> {
        let mut history = self.proposals.history(all);
        while self.proposals.audit_best(&mut history, all, budget, LATE_AUDITS)? {
            let Some(best) = history.best() else { break };
            let mut ablation = Ablation::new(best.recipe, self.proposals.space().clone());
            loop {
                let trials = ablation.ask(&self.proposals.history(all));
                if trials.is_empty() || !self.proposals.carry_out_within(&trials, all, budget)? {
                    break;
                }
            }
            let recipe = ablation.recipe().clone();
            let audited = match self.proposals.audit(&recipe, all, Some(budget))? {
                Audited::Interrupted => self.proposals.audit(&recipe, all, None)?,
                audited => audited,
            };
            history = self.proposals.history(all);
            match audited {
                Audited::Sound => {
                    let contributions = ablation.contributions(&history);
                    return Ok(Accepted { recipe, contributions, is_audited: true });
                }
                Audited::Refuted => {}
                Audited::Interrupted => break,
            }
        }
        Ok(self.audited_without_ablation(&history, all))
    }

    fn audited_without_ablation(&self, history: &tuning::History, all: &[usize]) -> Accepted {
        let best_of = |history: &tuning::History| {
            history.best().map_or_else(Recipe::default_recipe, |standing| standing.recipe)
        };
        let (sound, best) = (best_of(&self.proposals.audited(history, all)), best_of(history));
        // If nothing but the defaults was audited, the reader learns what could not be.
        let is_audited = sound != Recipe::default_recipe() || best == sound;
        let recipe = if is_audited { sound } else { best };
        let ablation = Ablation::new(recipe.clone(), self.proposals.space().clone());
        Accepted { contributions: ablation.contributions(history), recipe, is_audited }
    }
}

fn names(analyzers: &[AnalyzerInfo]) -> Vec<String> {
    analyzers.iter().map(|analyzer| analyzer.id.to_string()).collect()
}

/// The limits by which times and memory become shares.
fn caps(limits: &Limits) -> Caps {
    Caps { cpu_microseconds: limits.wall_milliseconds * 1000, memory_bytes: limits.memory_megabytes << 20 }
}

/// The result where no program can be used, and what every result says.
fn nothing_to_tune(options: &TuneOptions, proposals: &Proposals<'_, '_>) -> Tuned {
    Tuned {
        verdict: Verdict::Nothing,
        analyzers: names(&options.analyzers),
        objective: options.objective,
        what: options.subject.noun().to_owned(),
        search: options.search.name.to_owned(),
        space_size: options.space.size(),
        spent_microseconds: proposals.spent(),
        unusable: proposals.unusable(),
        ..Tuned::default()
    }
}
