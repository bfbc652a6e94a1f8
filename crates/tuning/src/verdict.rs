//! What follows from a search and its validation.

use crate::{FoldResult, History, Loss, Objective, Recipe, Totals, Verdict};

/// Recipes that must have been tried before a space is called flat, with the default.
const LEAST_RECIPES: usize = 4;

/// What follows for the best recipe, which was tried on every program of the history.
pub fn verdict(best: &Recipe, validation: &[FoldResult], history: &History) -> Verdict {
    if *best == Recipe::default_recipe() {
        return if is_flat(history) { Verdict::Flat } else { Verdict::DefaultIsBest };
    }
    // Where every search kept the default, nothing was tried on programs that were held out.
    if validation.iter().all(FoldResult::keeps_default) {
        return Verdict::NotValidated;
    }
    let gain = validation.iter().map(|fold| fold.held_out_gain).sum::<f64>() / validation.len() as f64;
    match gain > least_gain(validation, history) {
        true => Verdict::Improved,
        false => Verdict::Overfitted,
    }
}

/// A gain up to this one is noise. Times vary; what is left open does not, so any gain of that counts.
fn least_gain(validation: &[FoldResult], history: &History) -> f64 {
    const ROUNDING: f64 = 1e-9;
    let open = |place: usize| {
        let of = |totals: &Totals| (totals.without_answer, totals.unresolved);
        let parts = validation.iter().map(|fold| of(&fold.held_out[place]));
        parts.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    };
    if history.objective() == Objective::Unresolved && open(1) < open(0) {
        return ROUNDING;
    }
    let default = history.mean_parts(&Recipe::default_recipe());
    default.map_or(0.0, Loss::uncertainty).max(ROUNDING)
}

/// True if several recipes were tried everywhere and none differs in what is minimized by more than noise.
fn is_flat(history: &History) -> bool {
    let losses: Vec<Loss> = history.standings().iter().map(|standing| standing.loss).collect();
    let is_same = |one: &Loss, other: &Loss| match history.objective() {
        Objective::Unresolved => one.is_as_open_as(*other),
        Objective::Time | Objective::Memory => one.is_as_good_as(*other) && other.is_as_good_as(*one),
    };
    losses.len() >= LEAST_RECIPES && losses.iter().all(|one| losses.iter().all(|other| is_same(one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::recipe;
    use crate::{Caps, Outcome, State};

    const CAPS: Caps = Caps { cpu_microseconds: 60_000_000, memory_bytes: 4 << 30 };

    fn outcome(unresolved: u32, milliseconds: u64) -> Outcome {
        Outcome {
            state: State::Finished,
            unresolved,
            total: 10,
            cpu_microseconds: 1000 * milliseconds,
            wall_microseconds: 0,
            peak_memory_bytes: 1 << 20,
        }
    }

    /// The verdict after one recipe was tried on two programs that are alike, each of which was held out once.
    fn after(objective: Objective, default: Outcome, best: Outcome) -> Verdict {
        let programs = 0..2;
        let mut history = History::new(objective, CAPS, vec![default; 2]);
        programs.clone().for_each(|program| history.tell(&recipe("1"), program, best.clone()));
        let gain = history.default_loss() - history.mean_loss(&recipe("1")).unwrap();
        let totals = |recipe: &Recipe, program| Totals::of(&history, recipe, program..program + 1).unwrap();
        let fold = |program| {
            let both = [totals(&Recipe::default_recipe(), program), totals(&recipe("1"), program)];
            FoldResult {
                recipe: recipe("1"),
                training_gain: gain,
                held_out_gain: gain,
                is_refuted: false,
                training: both.clone(),
                held_out: both,
            }
        };
        let validation: Vec<FoldResult> = programs.map(fold).collect();
        verdict(&recipe("1"), &validation, &history)
    }

    #[test]
    fn a_fast_program_that_becomes_faster_is_an_improvement_under_a_long_limit() {
        let time = |default, best| after(Objective::Time, outcome(0, default), outcome(0, best));
        assert_eq!(time(50, 10), Verdict::Improved);
        assert_eq!(time(20_000, 15_000), Verdict::Improved);
        assert_eq!(time(50, 45), Verdict::Overfitted);
        assert_eq!(time(20_000, 19_500), Verdict::Overfitted);
        let memory = |default: u64, best: u64| {
            let megabytes = |count: u64| Outcome { peak_memory_bytes: count << 20, ..outcome(0, 10) };
            after(Objective::Memory, megabytes(default), megabytes(best))
        };
        assert_eq!(memory(40, 30), Verdict::Improved);
        assert_eq!(memory(40, 39), Verdict::Overfitted);
    }

    #[test]
    fn one_alarm_less_is_an_improvement_whatever_it_costs() {
        let open = |default, best| after(Objective::Unresolved, default, best);
        assert_eq!(open(outcome(4, 100), outcome(3, 30_000)), Verdict::Improved);
        assert_eq!(open(outcome(4, 100), outcome(4, 99)), Verdict::Overfitted);
        assert_eq!(open(outcome(4, 100), outcome(5, 10)), Verdict::Overfitted);
    }

    #[test]
    fn a_search_that_kept_the_default_gains_nothing() {
        let history = History::new(Objective::Unresolved, CAPS, vec![outcome(4, 100)]);
        let totals = |unresolved| Totals { unresolved, total: 10, ..Totals::default() };
        let fold = |recipe: Recipe, best, gain| FoldResult {
            recipe,
            training_gain: 0.0,
            held_out_gain: gain,
            is_refuted: false,
            training: [totals(4), totals(4)],
            held_out: [totals(4), totals(best)],
        };
        let default = || fold(Recipe::default_recipe(), 4, 0.0);
        let verdict = |validation: &[FoldResult]| verdict(&recipe("1"), validation, &history);
        assert_eq!(verdict(&[]), Verdict::NotValidated);
        assert_eq!(verdict(&[default(), default()]), Verdict::NotValidated);
        assert_eq!(verdict(&[default(), fold(recipe("1"), 3, 0.1)]), Verdict::Improved);
        assert_eq!(verdict(&[default(), fold(recipe("1"), 6, -0.2)]), Verdict::Overfitted);
    }

    #[test]
    fn a_space_in_which_only_times_differ_is_flat_unless_time_is_minimized() {
        let best = Recipe::default_recipe();
        let with = |objective, milliseconds: [u64; 4], unresolved: [u32; 4]| {
            let mut history = History::new(objective, CAPS, vec![outcome(unresolved[0], milliseconds[0])]);
            for place in 1..4 {
                let outcome = outcome(unresolved[place], milliseconds[place]);
                history.tell(&recipe(&place.to_string()), 0, outcome);
            }
            verdict(&best, &[], &history)
        };
        let times = [100, 400, 500, 600];
        assert_eq!(with(Objective::Unresolved, times, [3; 4]), Verdict::Flat);
        assert_eq!(with(Objective::Unresolved, times, [3, 3, 4, 3]), Verdict::DefaultIsBest);
        assert_eq!(with(Objective::Time, times, [3; 4]), Verdict::DefaultIsBest);
        assert_eq!(with(Objective::Time, [100, 101, 104, 99], [3; 4]), Verdict::Flat);
    }
}
