//! Replaying searches on recorded outcomes, which compares them without running an analyzer.

use crate::objective::Caps;
use crate::{History, Objective, Outcome, Recipe, RecipeSpace, SearchKind};
use model::{Random, Space};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Every configuration of a space with its outcome on every program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// The names of the analyzers.
    pub analyzers: Vec<String>,
    /// Their options.
    pub spaces: Vec<Space>,
    /// The most ingredients of a recipe.
    pub longest: usize,
    /// What was minimized.
    pub objective: Objective,
    /// The limits of one trial.
    pub caps: Caps,
    /// The programs, by name.
    pub programs: Vec<String>,
    /// The outcome of each recipe on each program.
    pub trials: Vec<GridTrial>,
}

/// The outcome of a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridTrial {
    /// The recipe.
    pub recipe: Recipe,
    /// Its outcomes, by the number of the program.
    pub outcomes: BTreeMap<usize, Outcome>,
}

/// What a replayed search reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The loss of the default.
    pub default_loss: f64,
    /// The least loss of all recorded recipes.
    pub least_loss: f64,
    /// The CPU time of everything that is recorded.
    pub whole_microseconds: u64,
    /// After each trial, how much CPU time was spent and the loss of the best recipe so far.
    pub points: Vec<ReplayPoint>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayPoint {
    /// The CPU time that was spent.
    pub spent_microseconds: u64,
    /// The loss of the best recipe.
    pub loss: f64,
}

impl Grid {
    /// The history that holds everything; none if the default was not tried on every program.
    pub fn history(&self) -> Option<History> {
        let mut history = self.beginning()?;
        for trial in &self.trials {
            for (program, outcome) in &trial.outcomes {
                history.tell(&trial.recipe, *program, outcome.clone());
            }
        }
        Some(history)
    }

    /// The history that holds only the default.
    fn beginning(&self) -> Option<History> {
        let default = self.trials.iter().find(|trial| trial.recipe == Recipe::default_recipe())?;
        let outcomes: Option<Vec<Outcome>> =
            (0..self.programs.len()).map(|program| default.outcomes.get(&program).cloned()).collect();
        Some(History::new(self.objective, self.caps, outcomes?))
    }
}

/// Lets a search choose among what is recorded until it has spent a budget. A recipe that is not recorded is passed over. None
/// if the grid lacks the default, or a space has nothing to vary.
pub fn replay(grid: &Grid, kind: &SearchKind, seed: u64, budget_microseconds: u64) -> Option<Replayed> {
    let whole = grid.history()?;
    let space = RecipeSpace::new(grid.spaces.clone(), grid.longest).ok()?;
    let recorded: BTreeMap<&Recipe, &BTreeMap<usize, Outcome>> =
        grid.trials.iter().map(|trial| (&trial.recipe, &trial.outcomes)).collect();
    let mut history = grid.beginning()?;
    let (mut search, mut random) = ((kind.start)(), Random::for_case(seed, 0));
    let mut points = vec![point(&history)];
    while history.spent_microseconds() < budget_microseconds {
        let trials = search.ask(&space, &history, &mut random);
        if trials.is_empty() {
            break;
        }
        for trial in trials {
            for program in trial.programs {
                let outcome = recorded.get(&trial.recipe).and_then(|outcomes| outcomes.get(&program));
                // What is not recorded is as if it had failed at once, so that a search does not wait for it for ever.
                let missing = || Outcome {
                    state: crate::State::Failed("not recorded".to_owned()),
                    unresolved: 0,
                    total: 1,
                    cpu_microseconds: 0,
                    wall_microseconds: 0,
                    peak_memory_bytes: 0,
                };
                history.tell(&trial.recipe, program, outcome.cloned().unwrap_or_else(missing));
            }
            points.push(point(&history));
        }
    }
    Some(Replayed {
        default_loss: whole.default_loss(),
        least_loss: whole.best().map_or(crate::WORST_LOSS, |best| best.loss.whole()),
        whole_microseconds: whole.spent_microseconds(),
        points,
    })
}

fn point(history: &History) -> ReplayPoint {
    let loss = history.best().map_or(crate::WORST_LOSS, |best| best.loss.whole());
    ReplayPoint { spent_microseconds: history.spent_microseconds(), loss }
}

impl Replayed {
    /// The share of the best possible gain that was reached with this CPU time.
    pub fn share_at(&self, spent_microseconds: u64) -> f64 {
        let possible = self.default_loss - self.least_loss;
        if possible <= 0.0 {
            return 1.0;
        }
        let before = self.points.iter().take_while(|point| point.spent_microseconds <= spent_microseconds);
        let loss = before.last().map_or(self.default_loss, |point| point.loss);
        ((self.default_loss - loss) / possible).clamp(0.0, 1.0)
    }

    /// The CPU time after which a share of the best possible gain was reached; none if it never was.
    pub fn time_to(&self, share: f64) -> Option<u64> {
        let reaches = |point: &&ReplayPoint| self.share_at(point.spent_microseconds) >= share;
        self.points.iter().find(reaches).map(|point| point.spent_microseconds)
    }
}
