//! The result of tuning: all that reports show.

use crate::{Contribution, Grid, Objective, Outcome, Recipe, ReplayPoint, Totals};
use serde::{Deserialize, Serialize};

/// The result of tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// What follows from it.
    pub verdict: Verdict,
    /// The names of the analyzers.
    pub analyzers: Vec<String>,
    /// What was minimized.
    pub objective: Objective,
    /// What is settled or left open: `checks`, `alarms`.
    pub what: String,
    /// The search.
    pub search: String,
    /// The recipes that were tried on some program.
    pub recipes: usize,
    /// The CPU time of analyzers.
    pub spent_microseconds: u64,
    /// The number of configurations in the space.
    pub space_size: u64,
    /// The best recipe, without the options that do not pay.
    pub best: Recipe,
    /// The commands that run the recommended recipe.
    pub commands: Vec<String>,
    /// What each of its options contributes.
    pub contributions: Vec<Contribution>,
    /// The programs.
    pub programs: Vec<ProgramResult>,
    /// The programs that could not be used.
    pub unusable: Vec<UnusableProgram>,
    /// The programs on which claims of the best recipe could not be refuted, because they cannot be executed.
    pub not_audited: Vec<String>,
    /// The number of parts that were to be held out.
    #[serde(default)]
    pub parts: usize,
    /// How recipes do on programs that were held out; fewer than the parts if there was no time for all of them.
    pub validation: Vec<FoldResult>,
    /// The recipes that are Pareto-optimal in what they leave open, time and memory.
    pub front: Vec<(Recipe, Totals)>,
    /// The recipes that claim what is not true, and what.
    pub refuted: Vec<(Recipe, String)>,
    /// The mean loss of the default.
    pub default_loss: f64,
    /// The mean loss of the best recipe.
    pub best_loss: f64,
    /// The mean loss of the best recipe over time.
    pub curve: Vec<ReplayPoint>,
    /// Everything that was tried.
    pub grid: Grid,
    /// What the machines that the analyzers ran on could not promise about security, each in a sentence.
    pub weaknesses: Vec<String>,
}

impl Tuned {
    /// The recipe to use: the best one, unless the verdict keeps the default.
    pub fn recommended(&self) -> Recipe {
        match self.verdict.keeps_default() {
            true => Recipe::default_recipe(),
            false => self.best.clone(),
        }
    }
}

/// What follows from the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No program could be used.
    #[default]
    Nothing,
    /// Nothing that was tried is better than the default.
    DefaultIsBest,
    /// Every query ran into its limit.
    AllLimited,
    /// No option changes what is minimized on these programs.
    Flat,
    /// The best recipe is better than the default, also on programs that were held out.
    Improved,
    /// The best recipe is better than the default, but recipes found in this way were not better on programs that were held
    /// out.
    Overfitted,
    /// The best recipe is better than the default, but its claims were not all checked, because that was interrupted.
    NotAudited,
    /// The best recipe is better than the default; there were too few programs or too little time to hold any out, or the
    /// searches on part of the programs found nothing better than the default.
    NotValidated,
}

impl Verdict {
    /// True if the default is recommended, even if the best recipe is another one.
    pub fn keeps_default(self) -> bool {
        match self {
            Verdict::Improved | Verdict::NotValidated => false,
            Verdict::Nothing
            | Verdict::DefaultIsBest
            | Verdict::AllLimited
            | Verdict::Flat
            | Verdict::NotAudited
            | Verdict::Overfitted => true,
        }
    }
}

/// What the default and the best recipe do on one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramResult {
    /// The program.
    pub name: String,
    /// The outcome of the default.
    pub default: Outcome,
    /// The outcome of the best recipe; none if there was no time.
    pub best: Option<Outcome>,
}

/// A program that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusableProgram {
    /// The program.
    pub name: String,
    /// A few words, by which programs are counted.
    pub reason: String,
    /// The details.
    pub detail: String,
}

/// What a recipe that was found on some programs does on others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldResult {
    /// The recipe.
    pub recipe: Recipe,
    /// How much less the mean loss is than that of the default on the programs that were searched.
    pub training_gain: f64,
    /// The same on the programs that were held out.
    pub held_out_gain: f64,
    /// True if an execution refutes what it claims about a program that was held out.
    pub is_refuted: bool,
    /// The default and the recipe on the programs that were searched.
    pub training: [Totals; 2],
    /// The same on the programs that were held out.
    pub held_out: [Totals; 2],
}

impl FoldResult {
    /// True if the search found nothing better than the default.
    pub fn keeps_default(&self) -> bool {
        self.recipe == Recipe::default_recipe()
    }
}
