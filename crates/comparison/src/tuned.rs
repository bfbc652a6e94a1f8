//! The result of `juvenal tune` as text, as CSV and as a description of the recipe that `--analyzer NAME:@FILE` takes.

use crate::csv::row;
use crate::text_table::table;
use model::{AnalyzerId, one_line};
use tuning::{Grid, Ingredient, Outcome, Recipe, State, Totals, Tuned, Verdict};

/// Rows of a table that are shown on a terminal.
const SHOWN_ROWS: usize = 12;
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
    if !tuned.refuted.is_empty() {
        parts.push(refuted_list(tuned));
    }
    if !tuned.unusable.is_empty() {
        parts.push(unusable_list(tuned));
    }
    parts.join("\n")
}

/// What follows, in a few sentences.
pub(crate) fn verdict_in_words(tuned: &Tuned) -> String {
    let best = in_words(tuned, &tuned.best);
    let tried = format!(
        "{} recipes were tried with the search {} in {:.0} CPU seconds; the space has {} configurations.",
        tuned.recipes,
        tuned.search,
        seconds(tuned.spent_microseconds),
        large_number(tuned.space_size),
    );
    let what = match tuned.verdict {
        Verdict::Nothing => return "No program could be used.\n".to_owned(),
        Verdict::AllLimited => {
            "Every query ran into its limit, also with the default options; raise --limit.".to_owned()
        }
        Verdict::DefaultIsBest => {
            "The default is best: nothing that was tried does better on these programs.".to_owned()
        }
        Verdict::Flat => {
            "The space is flat: no option that was tried changes anything on these programs.".to_owned()
        }
        Verdict::Improved => format!("Best: {best}\n{}", gain_in_words(tuned)),
        Verdict::Overfitted => format!(
            "Keep the default. {best} is better on these programs, but recipes that were found on some of the programs were \
             not better on the others: it is overfitted.\n{}",
            gain_in_words(tuned)
        ),
        Verdict::NotAudited => format!(
            "Best: {best}\n{}\nIts claims were not checked by execution, because that was interrupted; continue the search.",
            gain_in_words(tuned)
        ),
        Verdict::NotValidated => format!(
            "Best: {best}\n{}\nIt was not validated: no programs were held out.",
            gain_in_words(tuned)
        ),
    };
    let blind = match tuned.not_audited.len() {
        0 => String::new(),
        count => format!(
            "\nThe claims about {count} of {} programs were not checked by execution.",
            tuned.programs.len()
        ),
    };
    format!("{what}{blind}\n{tried}\n")
}

fn gain_in_words(tuned: &Tuned) -> String {
    let Some((default, best)) = totals(tuned) else { return String::new() };
    format!(
        "It leaves {} of {} {} open where the default leaves {}, in {:.1} instead of {:.1} CPU seconds.",
        best.unresolved,
        best.total,
        tuned.what,
        default.unresolved,
        seconds(best.cpu_microseconds),
        seconds(default.cpu_microseconds),
    )
}

/// The default and the best recipe on all programs.
pub(crate) fn totals(tuned: &Tuned) -> Option<(Totals, Totals)> {
    let mut default = Totals::default();
    let mut best = Totals::default();
    for program in &tuned.programs {
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
        .map(|it| vec![it.change.to_string(), format!("{:+.4}", -it.gain)])
        .collect();
    table(&["Change from the default".to_owned(), "mean loss with it".to_owned()], &rows)
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
                format!("part {number}{}", if fold.is_refuted { ", refuted" } else { "" }),
                default.unresolved.to_string(),
                best.unresolved.to_string(),
                format!("{:.1}", seconds(default.cpu_microseconds)),
                format!("{:.1}", seconds(best.cpu_microseconds)),
                format!("{:.4}", fold.training_gain),
                format!("{:.4}", fold.held_out_gain),
            ]
        })
        .collect();
    table(&header, &rows)
}

/// The names of recipes are long, so they stand below the table.
fn front_table(tuned: &Tuned) -> String {
    let header = ["Not beaten by any other", "open", "CPU s", "MB"].map(str::to_owned);
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
    let open = match totals.without_answer {
        0 => totals.unresolved.to_string(),
        count => format!("{} ({count} without an answer)", totals.unresolved),
    };
    vec![
        in_words(tuned, recipe),
        open,
        format!("{:.1}", seconds(totals.cpu_microseconds)),
        (totals.peak_memory_bytes >> 20).to_string(),
    ]
}

fn refuted_list(tuned: &Tuned) -> String {
    let mut text = format!("{} recipes were refused, because executions refute them:\n", tuned.refuted.len());
    for (recipe, what) in tuned.refuted.iter().take(SHOWN_ROWS) {
        text.push_str(&format!("  {}: {}\n", in_words(tuned, recipe), one_line(what, SHOWN_CHARACTERS)));
    }
    text
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
    text
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
    let mut text = format!(
        "# Found by `juvenal tune`: {}.\n# Use it with --analyzer NAME:@FILE.\n",
        one_line(&in_words(tuned, &tuned.best), SHOWN_CHARACTERS)
    );
    for command in &tuned.commands {
        text.push_str(&format!("# {}\n", one_line(command, 4 * SHOWN_CHARACTERS)));
    }
    if tuned.verdict == Verdict::Overfitted {
        text.push_str("# It was overfitted, so this is the default.\n");
    }
    for ingredient in &tuned.recommended().0 {
        text.push_str(&ingredient_toml(tuned, ingredient));
    }
    text
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
    use std::collections::BTreeMap;

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
    fn an_overfitted_recipe_is_not_recommended() {
        let text = tuned_tables(&Tuned { verdict: Verdict::Overfitted, ..tuned() });
        assert!(text.starts_with("Keep the default."), "{text}");
    }
}
