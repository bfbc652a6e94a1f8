//! The Pareto front: recipes that no other dominates.

use crate::{History, Outcome, Recipe, State};
use serde::{Deserialize, Serialize};

/// Differences of time and memory of less than this share are noise.
const NOISE: f64 = 0.03;

/// What a recipe costs and leaves open over all programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// What is left open.
    pub unresolved: u32,
    /// How many there are.
    pub total: u32,
    /// Programs without an answer; everything counts as open there.
    pub without_answer: u32,
    /// CPU time.
    pub cpu_microseconds: u64,
    /// The most memory.
    pub peak_memory_bytes: u64,
}

impl Totals {
    /// The sums over some programs; none if the recipe was not tried on one of them.
    pub fn of(history: &History, recipe: &Recipe, programs: impl Iterator<Item = usize>) -> Option<Totals> {
        let mut totals = Totals::default();
        for program in programs {
            totals.add(history.outcome(recipe, program)?);
        }
        Some(totals)
    }

    /// Adds the outcome of one program.
    pub fn add(&mut self, outcome: &Outcome) {
        self.unresolved += if outcome.is_finished() { outcome.unresolved } else { outcome.total };
        self.total += outcome.total;
        self.without_answer += u32::from(!outcome.is_finished());
        self.cpu_microseconds += outcome.cpu_microseconds;
        self.peak_memory_bytes = self.peak_memory_bytes.max(outcome.peak_memory_bytes);
    }

    /// True if nothing about these is worse, and something is better.
    fn dominates(&self, other: &Totals) -> bool {
        let open = |it: &Totals| (it.without_answer, it.unresolved);
        let is_less = |one: u64, other: u64| (one as f64) < other as f64 * (1.0 - NOISE);
        let is_worse = open(self).0 > open(other).0
            || open(self).1 > open(other).1
            || is_less(other.cpu_microseconds, self.cpu_microseconds)
            || is_less(other.peak_memory_bytes, self.peak_memory_bytes);
        let is_better = open(self).0 < open(other).0
            || open(self).1 < open(other).1
            || is_less(self.cpu_microseconds, other.cpu_microseconds)
            || is_less(self.peak_memory_bytes, other.peak_memory_bytes);
        is_better && !is_worse
    }
}

/// True if an ingredient crashed or refused a program: the little time that it took for that is no merit.
fn fails(history: &History, recipe: &Recipe) -> bool {
    let is_failure = |it: &Outcome| matches!(it.state, State::Failed(_));
    (0..history.programs()).filter_map(|it| history.outcome(recipe, it)).any(is_failure)
}

/// The Pareto-optimal recipes, those that leave least open first. Of those that are the same, only the one with the fewest
/// changes. Recipes that fail on a program or give no answer to any are never among them.
pub fn front(history: &History) -> Vec<(Recipe, Totals)> {
    let mut all: Vec<(Recipe, Totals)> = history
        .standings()
        .into_iter()
        .filter(|standing| !fails(history, &standing.recipe))
        .filter_map(|standing| {
            let totals = Totals::of(history, &standing.recipe, 0..history.programs())?;
            Some((standing.recipe, totals))
        })
        .filter(|(_, totals)| (totals.without_answer as usize) < history.programs())
        .collect();
    all.sort_by_key(|(recipe, totals)| {
        (totals.without_answer, totals.unresolved, recipe.changes(), totals.cpu_microseconds, recipe.clone())
    });
    let mut front: Vec<(Recipe, Totals)> = Vec::new();
    for (recipe, totals) in &all {
        let is_beaten = all.iter().any(|(_, other)| other.dominates(totals));
        let is_same = |known: &Totals| {
            !known.dominates(totals)
                && !totals.dominates(known)
                && { (known.without_answer, known.unresolved) == (totals.without_answer, totals.unresolved) }
                && is_near(known.cpu_microseconds, totals.cpu_microseconds)
                && is_near(known.peak_memory_bytes, totals.peak_memory_bytes)
        };
        if !is_beaten && !front.iter().any(|(_, known)| is_same(known)) {
            front.push((recipe.clone(), totals.clone()));
        }
    }
    front
}

fn is_near(one: u64, other: u64) -> bool {
    (one as f64 - other as f64).abs() <= NOISE * one.max(other) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Objective;
    use crate::history::tests::{CAPS, outcome, recipe};

    #[test]
    fn the_front_holds_what_nothing_beats() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(5, 100)]);
        history.tell(&recipe("1"), 0, outcome(3, 200));
        history.tell(&recipe("2"), 0, outcome(4, 300));
        history.tell(&recipe("3"), 0, outcome(0, 900));
        history.tell(&recipe("4"), 0, outcome(3, 201));
        let shown: Vec<(u32, u64)> =
            front(&history).iter().map(|(_, it)| (it.unresolved, it.cpu_microseconds)).collect();
        assert_eq!(shown, [(0, 9_000_000), (3, 2_000_000), (5, 1_000_000)]);
    }

    #[test]
    fn what_crashes_soon_or_never_answers_is_not_in_the_front() {
        let mut history = History::new(Objective::Unresolved, CAPS, vec![outcome(5, 100), outcome(5, 100)]);
        let ended = |state: &State| Outcome { state: state.clone(), ..outcome(0, 1) };
        let (crash, limit) = (State::Failed("crash".to_owned()), State::Limit);
        for (name, first, second) in [
            ("1", ended(&crash), ended(&crash)),
            ("2", outcome(1, 1), ended(&crash)),
            ("3", ended(&limit), ended(&limit)),
            ("4", outcome(1, 1), ended(&limit)),
        ] {
            history.tell(&recipe(name), 0, first);
            history.tell(&recipe(name), 1, second);
        }
        let shown: Vec<Recipe> = front(&history).into_iter().map(|(recipe, _)| recipe).collect();
        assert_eq!(shown, [Recipe::default_recipe(), recipe("4")]);
    }
}
