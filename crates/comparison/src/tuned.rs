//! The result of `juvenal tune` as text, as CSV and as a description of the recipe that `--analyzer NAME:@FILE` takes.

use crate::csv::row;
use crate::text_table::table;
use crate::words::weaknesses_in_words;
use model::{AnalyzerId, one_line};
use std::collections::{BTreeMap, BTreeSet};
use tuning::{
    FoldResult, Grid, Ingredient, Objective, Outcome, ProgramResult, Recipe, State, Totals, Tuned, Verdict,
};

/// Rows of a table that are shown on a terminal.
const SHOWN_ROWS: usize = 12;
/// What the contribution of an option is.
pub(crate) const CHANGE_OF_LOSS: &str = "change of the mean loss without it";
/// The columns of the Pareto front.
pub(crate) const FRONT_COLUMNS: [&str; 5] = ["Pareto-optimal", "open", "no answer", "CPU s", "MB"];
/// The most characters of a detail.
const SHOWN_CHARACTERS: usize = 160;

/// What was found, in tables for a terminal.
pub fn tuned_tables(tuned: &Tuned) -> String {
    let mut parts = vec![verdict_in_words(tuned)];
    if tuned.best != Recipe::default_recipe() && !tuned.contributions.is_empty() {
        parts.push(contributions_table(tuned));
    }
    if !tuned.programs.is_empty() {
        parts.push(programs_table(tuned));
    }
    if !tuned.validation.is_empty() {
        parts.push(validation_table(tuned));
    }
    if tuned.front.len() > 1 {
        parts.push(front_table(tuned));
    }
    let failures = failures_list(tuned);
    if !failures.is_empty() {
        parts.push(failures);
    }
    if !tuned.refuted.is_empty() {
        parts.push(refuted_list(tuned));
    }
    if !tuned.unusable.is_empty() {
        parts.push(unusable_list(tuned));
    }
    parts.extend(weaknesses_in_words(&tuned.weaknesses).into_iter().map(|line| line + "\n"));
    parts.join("\n")
}

/// What follows, in a few sentences.
pub(crate) fn verdict_in_words(tuned: &Tuned) -> String {
    let what = match tuned.verdict {
        Verdict::Nothing => return "No program could be used.\n".to_owned(),
        Verdict::AllLimited => {
            format!(
                "Every query ran into its limit of {} s, also with the default options, which may be less than the analyzer \
                 takes to start; raise --limit.",
                seconds(tuned.grid.caps.cpu_microseconds)
            )
        }
        Verdict::DefaultIsBest => "No recipe beats the default on these programs.".to_owned(),
        Verdict::Flat => format!(
            "The space is flat: no option that was tried changes {} on these programs.",
            match tuned.objective {
                Objective::Unresolved => format!("which {} are left open", tuned.what),
                Objective::Time => "the CPU time".to_owned(),
                Objective::Memory => "the memory".to_owned(),
            }
        ),
        Verdict::Improved | Verdict::NotValidated | Verdict::Overfitted | Verdict::NotAudited => {
            best_in_words(tuned)
        }
    };
    let blind = match tuned.not_audited.len() {
        0 => String::new(),
        count => format!(
            "\nThe claims about {count} of {} programs were not checked by execution.",
            tuned.programs.len()
        ),
    };
    let tried = format!(
        "{} recipes were tried with the search {} in {:.0} CPU seconds; the space has {} configurations.",
        tuned.recipes,
        tuned.search,
        seconds(tuned.spent_microseconds),
        large_number(tuned.space_size),
    );
    format!("{what}{blind}\n{tried}\n")
}

/// What follows for a recipe that is better than the default on the programs that were searched.
fn best_in_words(tuned: &Tuned) -> String {
    let best = in_words(tuned, &tuned.best);
    let gain = gain_in_words(tuned);
    match tuned.verdict {
        Verdict::Overfitted => format!(
            "Keep the default. {best} is better on these programs, but the recipes found on part of the programs do not beat \
             the default on the rest: the result is overfitted.\n{gain}"
        ),
        Verdict::NotAudited => format!(
            "Keep the default for now. {best} is better on these programs, but checking its claims by execution was \
             interrupted; continue the search.\n{gain}"
        ),
        Verdict::NotValidated => {
            format!("Best: {best}\n{gain}\nIt was not validated: {}.", why_not_validated(tuned))
        }
        _ => format!("Best: {best}\n{gain}"),
    }
}

fn why_not_validated(tuned: &Tuned) -> &'static str {
    match (tuned.programs.len(), tuned.validation.is_empty()) {
        (0 | 1, _) => "there is only one program, so none could be held out",
        (_, true) => "no programs were held out, or there was too little time for it",
        (_, false) => "the searches on part of the programs found nothing that beats the default",
    }
}

/// What both leave open, on the programs on which both give an answer: what is open in the others is not known.
fn gain_in_words(tuned: &Tuned) -> String {
    let Some((default, best)) = totals(tuned) else { return String::new() };
    let both: Vec<&ProgramResult> = tuned.programs.iter().filter(|it| both_answer(it)).collect();
    let (count, all) = (both.len(), tuned.programs.len());
    let mut sentences = Vec::new();
    if let Some((default, best)) = totals_of(&both).filter(|_| count > 0) {
        let it = if count == all { "It".to_owned() } else { format!("On {count} of {all} programs, it") };
        sentences.push(format!(
            "{it} leaves {} of {} {} open where the default leaves {}, in {:.1} instead of {:.1} CPU seconds.",
            best.unresolved,
            best.total,
            tuned.what,
            default.unresolved,
            seconds(best.cpu_microseconds),
            seconds(default.cpu_microseconds),
        ));
    }
    if count < all {
        sentences.push(format!(
            "It gives no answer on {} of {all} programs, and the default on {}.",
            best.without_answer, default.without_answer
        ));
    }
    sentences.join(" ")
}

fn both_answer(program: &ProgramResult) -> bool {
    program.default.is_finished() && program.best.as_ref().is_some_and(Outcome::is_finished)
}

/// The default and the best recipe on all programs.
pub(crate) fn totals(tuned: &Tuned) -> Option<(Totals, Totals)> {
    totals_of(&tuned.programs.iter().collect::<Vec<_>>())
}

fn totals_of(programs: &[&ProgramResult]) -> Option<(Totals, Totals)> {
    let mut default = Totals::default();
    let mut best = Totals::default();
    for program in programs {
        default.add(&program.default);
        best.add(program.best.as_ref()?);
    }
    Some((default, best))
}

/// A recipe in words.
pub(crate) fn in_words(tuned: &Tuned, recipe: &Recipe) -> String {
    recipe.in_words(&tuned.analyzers)
}

fn contributions_table(tuned: &Tuned) -> String {
    let rows: Vec<Vec<String>> = tuned
        .contributions
        .iter()
        .map(|it| vec![it.change.to_string(), format!("{:+.4}", it.gain)])
        .collect();
    table(&["Change from the default".to_owned(), CHANGE_OF_LOSS.to_owned()], &rows)
}

fn programs_table(tuned: &Tuned) -> String {
    let header = ["Program", "open", "of", "CPU s", "open, tuned", "CPU s, tuned"].map(str::to_owned);
    let mut programs: Vec<_> = tuned.programs.iter().collect();
    let change = |program: &&tuning::ProgramResult| {
        program.best.as_ref().map_or(0, |best| program.default.unresolved.abs_diff(best.unresolved))
    };
    programs.sort_by_key(|program| std::cmp::Reverse(change(program)));
    let mut rows: Vec<Vec<String>> = programs
        .iter()
        .take(SHOWN_ROWS)
        .map(|program| {
            let (open, time) = outcome_in_words(&program.default);
            let tuned = program.best.as_ref().map(outcome_in_words);
            let (tuned_open, tuned_time) = tuned.unwrap_or_else(|| ("not tried".to_owned(), String::new()));
            vec![program.name.clone(), open, program.default.total.to_string(), time, tuned_open, tuned_time]
        })
        .collect();
    if tuned.programs.len() > SHOWN_ROWS {
        rows.push(vec![format!("… and {} more", tuned.programs.len() - SHOWN_ROWS)]);
    }
    table(&header, &rows)
}

/// What is open, and the time; in place of the first why there is no answer.
pub(crate) fn outcome_in_words(outcome: &Outcome) -> (String, String) {
    let open = match &outcome.state {
        State::Finished => outcome.unresolved.to_string(),
        State::Limit => "limit".to_owned(),
        State::Failed(_) => "failed".to_owned(),
        State::Refuted(_) => "refuted".to_owned(),
    };
    (open, format!("{:.2}", seconds(outcome.cpu_microseconds)))
}

fn validation_table(tuned: &Tuned) -> String {
    let header = [
        "Held out",
        "open, default",
        "open, tuned",
        "CPU s",
        "CPU s, tuned",
        "gain in training",
        "gain held out",
    ]
    .map(str::to_owned);
    let rows: Vec<Vec<String>> = (1..)
        .zip(&tuned.validation)
        .map(|(number, fold)| {
            let [default, best] = &fold.held_out;
            vec![
                format!("part {number}{}", fold_in_words(fold)),
                default.unresolved.to_string(),
                best.unresolved.to_string(),
                format!("{:.1}", seconds(default.cpu_microseconds)),
                format!("{:.1}", seconds(best.cpu_microseconds)),
                format!("{:.4}", fold.training_gain),
                format!("{:.4}", fold.held_out_gain),
            ]
        })
        .collect();
    validation_in_words(tuned) + &table(&header, &rows)
}

/// On how many parts something was validated: neither a part for which there was no time nor one whose search kept the default
/// says anything about the best recipe.
pub(crate) fn validation_in_words(tuned: &Tuned) -> String {
    let done = tuned.validation.len();
    let parts = tuned.parts.max(done);
    let kept = tuned.validation.iter().filter(|fold| fold.keeps_default()).count();
    let mut text = format!("Validated on {} of {parts} parts", done - kept);
    if kept > 0 {
        text.push_str(&format!("; in {kept} the search kept the default"));
    }
    if parts > done {
        text.push_str(&format!("; for {} there was no time", parts - done));
    }
    text + ":\n"
}

/// What is special about the recipe that was found on the other programs.
pub(crate) fn fold_in_words(fold: &FoldResult) -> &'static str {
    match (fold.is_refuted, fold.keeps_default()) {
        (true, _) => ", refuted",
        (false, true) => ", default kept",
        (false, false) => "",
    }
}

/// The names of recipes are long, so they come below the table.
fn front_table(tuned: &Tuned) -> String {
    let header = FRONT_COLUMNS.map(str::to_owned);
    let shown = || (1..).zip(tuned.front.iter().take(SHOWN_ROWS));
    let rows: Vec<Vec<String>> = shown()
        .map(|(number, (recipe, totals))| {
            let mut row = front_row(tuned, recipe, totals);
            row[0] = format!("recipe {number}");
            row
        })
        .collect();
    let mut text = table(&header, &rows);
    for (number, (recipe, _)) in shown() {
        text.push_str(&format!("  {number}: {}\n", in_words(tuned, recipe)));
    }
    if tuned.front.len() > SHOWN_ROWS {
        text.push_str(&format!("  … and {} more\n", tuned.front.len() - SHOWN_ROWS));
    }
    text
}

pub(crate) fn front_row(tuned: &Tuned, recipe: &Recipe, totals: &Totals) -> Vec<String> {
    vec![
        in_words(tuned, recipe),
        totals.unresolved.to_string(),
        totals.without_answer.to_string(),
        format!("{:.1}", seconds(totals.cpu_microseconds)),
        (totals.peak_memory_bytes >> 20).to_string(),
    ]
}

fn refuted_list(tuned: &Tuned) -> String {
    let mut text = format!("{} recipes were refused, because executions refute them:\n", tuned.refuted.len());
    for (recipe, what) in tuned.refuted.iter().take(SHOWN_ROWS) {
        text.push_str(&format!("  {}: {}\n", in_words(tuned, recipe), one_line(what, SHOWN_CHARACTERS)));
    }
    text + &and_more(tuned.refuted.len())
}

fn unusable_list(tuned: &Tuned) -> String {
    let mut text = format!("{} programs were not used:\n", tuned.unusable.len());
    for program in tuned.unusable.iter().take(SHOWN_ROWS) {
        let detail = if program.detail.is_empty() { &program.name } else { &program.detail };
        text.push_str(&format!(
            "  {}: {} ({})\n",
            program.name,
            program.reason,
            one_line(detail, SHOWN_CHARACTERS)
        ));
    }
    text + &and_more(tuned.unusable.len())
}

/// What a list that is cut says about the rest.
fn and_more(count: usize) -> String {
    match count.saturating_sub(SHOWN_ROWS) {
        0 => String::new(),
        more => format!("  … and {more} more, which tune.json names\n"),
    }
}

/// Recipes without an answer to any program on which they were tried, and those that crash or are refused, by reason.
pub(crate) fn failures_list(tuned: &Tuned) -> String {
    let mut silent = 0;
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for trial in &tuned.grid.trials {
        let outcomes = || trial.outcomes.values().filter(|it| !it.is_refuted());
        silent += usize::from(outcomes().count() > 0 && outcomes().all(|it| !it.is_finished()));
        let distinct: BTreeSet<String> = outcomes().filter_map(why_no_answer).collect();
        distinct.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1);
    }
    if reasons.is_empty() {
        return String::new();
    }
    let mut text = match silent {
        0 => "Recipes that gave no answer on some of the programs, by reason:\n".to_owned(),
        _ => format!(
            "{silent} recipes gave no answer on any program on which they were tried; recipes by reason:\n"
        ),
    };
    let mut rows: Vec<(String, usize)> = reasons.into_iter().collect();
    rows.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), reason.clone()));
    for (reason, count) in rows.iter().take(SHOWN_ROWS) {
        text.push_str(&format!("  {count}: {}\n", one_line(reason, SHOWN_CHARACTERS)));
    }
    text + &and_more(rows.len())
}

/// Why there is no answer; none if there is one.
fn why_no_answer(outcome: &Outcome) -> Option<String> {
    match &outcome.state {
        State::Finished | State::Refuted(_) => None,
        State::Limit => Some("they ran into a limit".to_owned()),
        State::Failed(why) => Some(why.clone()),
    }
}

/// CPU time in seconds.
pub(crate) fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}

fn large_number(number: u64) -> String {
    if number < 1_000_000 { number.to_string() } else { format!("{:.1e}", number as f64) }
}

/// A row for each recipe on each program: the recipe, the program, how it ended, what is open, of how many, CPU seconds, wall
/// seconds and the peak of memory in MB.
pub fn trials_csv(grid: &Grid) -> String {
    let header = ["recipe", "program", "state", "open", "total", "cpu_seconds", "wall_seconds", "memory_mb"];
    let mut text = row(&header.map(str::to_owned));
    for trial in &grid.trials {
        for (program, outcome) in &trial.outcomes {
            let name = grid.programs.get(*program).cloned().unwrap_or_default();
            let (state, _) = outcome_in_words(outcome);
            let state = if outcome.is_finished() { "finished".to_owned() } else { state };
            text.push_str(&row(&[
                trial.recipe.in_words(&grid.analyzers),
                name,
                state,
                outcome.unresolved.to_string(),
                outcome.total.to_string(),
                format!("{:.3}", seconds(outcome.cpu_microseconds)),
                format!("{:.3}", seconds(outcome.wall_microseconds)),
                (outcome.peak_memory_bytes >> 20).to_string(),
            ]));
        }
    }
    text
}

/// The recipe as a file that `--analyzer NAME:@FILE` takes.
pub fn tuned_toml(tuned: &Tuned) -> String {
    let recommended = tuned.recommended();
    let shown = |recipe: &Recipe| one_line(&in_words(tuned, recipe), SHOWN_CHARACTERS);
    let mut text = format!("# Found by `juvenal tune`: {}.\n", shown(&recommended));
    if let Some(reason) = why_default(tuned.verdict).filter(|_| tuned.best != recommended) {
        text.push_str(&format!("# This is the default: {} {reason}.\n", shown(&tuned.best)));
    }
    text.push_str(match recommended.names_each_analyzer_once() {
        true => "# Use it with --analyzer NAME:@FILE.\n",
        false => "# One analyzer runs several times: give --analyzer NAME:key=value,… for each ingredient.\n",
    });
    for command in &tuned.commands {
        text.push_str(&format!("# {}\n", one_line(command, 4 * SHOWN_CHARACTERS)));
    }
    for ingredient in &recommended.0 {
        text.push_str(&ingredient_toml(tuned, ingredient));
    }
    text
}

/// Why the best recipe is not recommended.
fn why_default(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Overfitted => Some("is overfitted"),
        Verdict::NotAudited => Some("makes claims that were not checked by execution"),
        Verdict::AllLimited => Some("gives no answer within the limits"),
        Verdict::Improved
        | Verdict::NotValidated
        | Verdict::Nothing
        | Verdict::DefaultIsBest
        | Verdict::Flat => None,
    }
}

fn ingredient_toml(tuned: &Tuned, ingredient: &Ingredient) -> String {
    let name = tuned.analyzers.get(ingredient.analyzer).map_or("", String::as_str);
    // A configuration that was given with the analyzer belongs to the recipe, too.
    let id = AnalyzerId::from(name);
    let name = name.split(':').next().unwrap_or(name);
    let mut text = format!("\n[[ingredients]]\nanalyzer = {}\n\n[ingredients.options]\n", quoted(name));
    let given = id.choices().into_iter();
    let chosen = ingredient.options.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    for (key, value) in given.chain(chosen) {
        text.push_str(&format!("{} = {}\n", quoted(key), quoted(value)));
    }
    text
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(unresolved: u32) -> Outcome {
        Outcome {
            state: State::Finished,
            unresolved,
            total: 5,
            cpu_microseconds: 1_500_000,
            wall_microseconds: 0,
            peak_memory_bytes: 3 << 20,
        }
    }

    fn tuned() -> Tuned {
        let mut best = Recipe::default_recipe();
        best.0[0].options.insert("slevel".to_owned(), "10".to_owned());
        let program =
            tuning::ProgramResult { name: "a,b.c".to_owned(), default: outcome(4), best: Some(outcome(1)) };
        Tuned {
            verdict: Verdict::Improved,
            analyzers: vec!["frama-c@25.0:precision=2".to_owned()],
            what: "alarms".to_owned(),
            best: best.clone(),
            programs: vec![program],
            grid: Grid {
                analyzers: vec!["frama-c@25.0".to_owned()],
                programs: vec!["a,b.c".to_owned()],
                trials: vec![tuning::GridTrial { recipe: best, outcomes: BTreeMap::from([(0, outcome(1))]) }],
                ..Grid::default()
            },
            ..Tuned::default()
        }
    }

    #[test]
    fn the_recipe_is_written_so_that_it_can_be_read_back() {
        let text = tuned_toml(&tuned());
        assert!(text.contains("analyzer = \"frama-c@25.0\"\n"), "{text}");
        assert!(text.ends_with("\"precision\" = \"2\"\n\"slevel\" = \"10\"\n"), "{text}");
    }

    #[test]
    fn tables_say_what_was_gained_and_rows_are_quoted() {
        let text = tuned_tables(&tuned());
        assert!(text.contains("It leaves 1 of 5 alarms open where the default leaves 4"), "{text}");
        let csv = trials_csv(&tuned().grid);
        assert!(csv.contains("frama-c@25.0:slevel=10,\"a,b.c\",finished,1,5,1.500,0.000,3\r\n"), "{csv}");
    }

    #[test]
    fn a_recipe_that_is_overfitted_or_not_checked_is_not_handed_out() {
        for (verdict, first, comment) in [
            (Verdict::Overfitted, "Keep the default. ", "is overfitted"),
            (Verdict::NotAudited, "Keep the default for now. ", "claims that were not checked"),
        ] {
            let tuned = Tuned { verdict, ..tuned() };
            let text = tuned_tables(&tuned);
            assert!(text.starts_with(first), "{text}");
            let file = tuned_toml(&tuned);
            assert!(file.contains("# This is the default: ") && file.contains(comment), "{file}");
            assert!(file.ends_with("\"precision\" = \"2\"\n"), "{file}");
        }
    }

    #[test]
    fn programs_without_an_answer_are_not_counted_as_open() {
        let limited = Outcome { state: State::Limit, total: 1, ..outcome(0) };
        let mut tuned = tuned();
        let second = ProgramResult { name: "b.c".to_owned(), default: limited, best: Some(outcome(5)) };
        tuned.programs.push(second);
        let text = tuned_tables(&tuned);
        assert!(
            text.contains("On 1 of 2 programs, it leaves 1 of 5 alarms open where the default leaves 4"),
            "{text}"
        );
        assert!(text.contains("It gives no answer on 0 of 2 programs, and the default on 1."), "{text}");
        tuned.programs.remove(0);
        let text = tuned_tables(&tuned);
        assert!(!text.contains("leaves"), "{text}");
    }

    #[test]
    fn recipes_without_an_answer_are_counted_by_reason() {
        let mut tuned = tuned();
        assert_eq!(failures_list(&tuned), "");
        let ended = |state: State| Outcome { state, ..outcome(0) };
        let crash = State::Failed("frama-c@25.0: crash: out of luck".to_owned());
        for (level, outcomes) in [
            ("1", vec![ended(crash.clone()), ended(crash.clone())]),
            ("2", vec![outcome(1), ended(crash)]),
            ("3", vec![ended(State::Limit)]),
        ] {
            let mut recipe = Recipe::default_recipe();
            recipe.0[0].options.insert("plevel".to_owned(), level.to_owned());
            tuned.grid.trials.push(tuning::GridTrial { recipe, outcomes: (0..).zip(outcomes).collect() });
        }
        let text = tuned_tables(&tuned);
        assert!(text.contains("2 recipes gave no answer on any program"), "{text}");
        assert!(
            text.contains("  2: frama-c@25.0: crash: out of luck\n  1: they ran into a limit\n"),
            "{text}"
        );
    }

    #[test]
    fn the_table_says_on_how_many_parts_something_was_validated() {
        let fold = |recipe: Recipe| FoldResult {
            recipe,
            training_gain: 0.0,
            held_out_gain: 0.0,
            is_refuted: false,
            training: Default::default(),
            held_out: Default::default(),
        };
        let best = tuned().best;
        let tuned =
            Tuned { parts: 3, validation: vec![fold(best), fold(Recipe::default_recipe())], ..tuned() };
        let text = tuned_tables(&tuned);
        let words = "Validated on 1 of 3 parts; in 1 the search kept the default; for 1 there was no time:";
        assert!(text.contains(words), "{text}");
    }

    #[test]
    fn a_recipe_that_was_not_validated_says_why() {
        let not_validated = || Tuned { verdict: Verdict::NotValidated, ..tuned() };
        assert!(tuned_tables(&not_validated()).contains("there is only one program"));
        let mut two = not_validated();
        two.programs.push(two.programs[0].clone());
        assert!(tuned_tables(&two).contains("no programs were held out"));
        two.validation = vec![FoldResult {
            recipe: Recipe::default_recipe(),
            training_gain: 0.0,
            held_out_gain: 0.0,
            is_refuted: false,
            training: Default::default(),
            held_out: Default::default(),
        }];
        let text = tuned_tables(&two);
        assert!(
            text.contains("found nothing that beats the default") && text.contains("part 1, default kept"),
            "{text}"
        );
    }

    #[test]
    fn a_recipe_of_one_analyzer_that_runs_twice_says_how_to_use_it() {
        let mut tuned = tuned();
        tuned.best.0.push(Ingredient::default_of(0));
        let text = tuned_toml(&tuned);
        assert!(text.contains("One analyzer runs several times"), "{text}");
    }
}
