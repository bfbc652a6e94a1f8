//! The result of `juvenal tune` as one self-contained HTML page.

use crate::html::{STYLE, section, whole_page};
use crate::html_plot::{Axes, PLOT_STYLE, plot};
use crate::tuned::{
    CHANGE_OF_LOSS, FRONT_COLUMNS, failures_list, fold_in_words, front_row, in_words, outcome_in_words,
    seconds, totals, validation_in_words, verdict_in_words,
};
use crate::words::weaknesses_in_words;
use maud::{Markup, PreEscaped, html};
use tuning::{Recipe, ReplayPoint, Tuned};

/// Renders the whole page.
pub fn tuned_page(tuned: &Tuned) -> String {
    let body = html! {
        h1 { "Tuned: " (tuned.analyzers.join(", ")) }
        @for line in verdict_in_words(tuned).lines() { p { (line) } }
        @for line in weaknesses_in_words(&tuned.weaknesses) { p { (line) } }
        (section("commands", "Command", &commands(tuned)))
        (section("search", "The search", &search_plot(&tuned.curve)))
        (section("all", "Everything that was tried", &front_plot(tuned)))
        (section("contributions", "What each option contributes", &contributions(tuned)))
        (section("programs", "Programs", &programs(tuned)))
        (section("validation", "Held-out programs", &validation(tuned)))
        (section("front", "Pareto-optimal recipes", &front_table(tuned)))
        (section("failures", "Recipes without an answer", &failures(tuned)))
        (section("rejected", "Rejected recipes, which executions refute", &rejected(tuned)))
        (section("unusable", "Programs that were not used", &unusable(tuned)))
    };
    whole_page("Tuned", &html! { (PreEscaped(STYLE)) (PreEscaped(PLOT_STYLE)) }, &body)
}

fn commands(tuned: &Tuned) -> Markup {
    html! { @for command in &tuned.commands { pre { (command) } } }
}

/// The mean loss of the best recipe over CPU time.
fn search_plot(curve: &[ReplayPoint]) -> Markup {
    let Some(last) = curve.last() else { return none() };
    let first = curve.first().map_or(0, |point| point.spent_microseconds);
    let time = |point: &ReplayPoint| seconds(point.spent_microseconds - first.min(point.spent_microseconds));
    let end = time(last).max(1e-9);
    let most = curve.iter().map(|point| point.loss).fold(0.0, f64::max).max(1e-9);
    let axes = Axes { x: (0.0, end), y: (0.0, most) };
    let mut path = String::new();
    for (index, point) in curve.iter().enumerate() {
        let (x, y) = (axes.x(time(point)), axes.y(point.loss));
        // A step: the best recipe stays the best until the next one is found.
        path.push_str(&if index == 0 { format!("M{x:.1} {y:.1}") } else { format!("H{x:.1}V{y:.1}") });
    }
    html! {
        (plot("Mean loss of the best recipe, by CPU seconds", &axes, "CPU s", "loss", &html! { path class="line" d=(path) {} }))
    }
}

/// What recipes leave open, by their CPU time.
fn front_plot(tuned: &Tuned) -> Markup {
    let Some(history) = tuned.grid.history() else { return none() };
    let count = tuned.grid.programs.len();
    let of = |recipe: &Recipe| tuning::Totals::of(&history, recipe, 0..count);
    let tried: Vec<(bool, bool, tuning::Totals)> = history
        .standings()
        .into_iter()
        .filter_map(|standing| {
            let is_front = tuned.front.iter().any(|(recipe, _)| *recipe == standing.recipe);
            Some((is_front, standing.recipe == Recipe::default_recipe(), of(&standing.recipe)?))
        })
        .collect();
    let most = |value: fn(&tuning::Totals) -> f64| {
        tried.iter().map(|(.., it)| value(it)).fold(0.0, f64::max).max(1e-9)
    };
    let axes = Axes {
        x: (0.0, most(|it| seconds(it.cpu_microseconds))),
        y: (0.0, most(|it| f64::from(it.unresolved))),
    };
    let dots = html! {
        @for (is_front, is_default, totals) in &tried {
            circle class=(if *is_default { "default" } else if *is_front { "front" } else { "dot" })
                r=(if *is_default { "6" } else { "4" })
                cx=(format!("{:.1}", axes.x(seconds(totals.cpu_microseconds))))
                cy=(format!("{:.1}", axes.y(f64::from(totals.unresolved)))) {}
        }
    };
    html! {
        (plot("What recipes leave open, by CPU seconds", &axes, "CPU s", "open", &dots))
        p { "The ring is the default; dark points are Pareto-optimal." }
    }
}

fn contributions(tuned: &Tuned) -> Markup {
    if tuned.contributions.is_empty() {
        return none();
    }
    html! {
        table {
            tr { th { "Change from the default" } th { (CHANGE_OF_LOSS) } }
            @for it in &tuned.contributions {
                tr { td { code { (it.change) } } td { (format!("{:+.4}", it.gain)) } }
            }
        }
    }
}

fn programs(tuned: &Tuned) -> Markup {
    let sums = totals(tuned);
    html! {
        table {
            tr { th { "Program" } th { "of" } th { "open" } th { "CPU s" } th { "open, tuned" } th { "CPU s, tuned" } }
            @for program in &tuned.programs {
                @let (open, time) = outcome_in_words(&program.default);
                @let best = program.best.as_ref().map(outcome_in_words);
                tr {
                    td { (program.name) } td { (program.default.total) } td { (open) } td { (time) }
                    @if let Some((open, time)) = best { td { (open) } td { (time) } } @else { td { "not tried" } td {} }
                }
            }
            @if let Some((default, best)) = sums {
                tr {
                    th { "All" } td { (default.total) } td { (default.unresolved) }
                    td { (format!("{:.2}", seconds(default.cpu_microseconds))) } td { (best.unresolved) }
                    td { (format!("{:.2}", seconds(best.cpu_microseconds))) }
                }
            }
        }
    }
}

fn validation(tuned: &Tuned) -> Markup {
    if tuned.validation.is_empty() {
        return none();
    }
    html! {
        p { (validation_in_words(tuned)) }
        table {
            tr {
                th { "Recipe found on the other programs" } th { "open, default" } th { "open, tuned" } th { "CPU s" }
                th { "CPU s, tuned" } th { "gain in training" } th { "gain held out" }
            }
            @for fold in &tuned.validation {
                @let [default, best] = &fold.held_out;
                tr {
                    td { code { (in_words(tuned, &fold.recipe)) } (fold_in_words(fold)) } td { (default.unresolved) } td { (best.unresolved) }
                    td { (format!("{:.1}", seconds(default.cpu_microseconds))) }
                    td { (format!("{:.1}", seconds(best.cpu_microseconds))) }
                    td { (format!("{:.4}", fold.training_gain)) } td { (format!("{:.4}", fold.held_out_gain)) }
                }
            }
        }
    }
}

fn front_table(tuned: &Tuned) -> Markup {
    if tuned.front.is_empty() {
        return none();
    }
    html! {
        table {
            tr { @for name in FRONT_COLUMNS { th { (name) } } }
            @for (recipe, totals) in &tuned.front {
                tr { @for cell in front_row(tuned, recipe, totals) { td { (cell) } } }
            }
        }
    }
}

fn failures(tuned: &Tuned) -> Markup {
    let text = failures_list(tuned);
    if text.is_empty() {
        return none();
    }
    html! { pre { (text) } }
}

fn rejected(tuned: &Tuned) -> Markup {
    if tuned.refuted.is_empty() {
        return none();
    }
    html! {
        ul { @for (recipe, what) in &tuned.refuted { li { code { (in_words(tuned, recipe)) } ": " (what) } } }
    }
}

fn unusable(tuned: &Tuned) -> Markup {
    if tuned.unusable.is_empty() {
        return none();
    }
    html! {
        ul { @for it in &tuned.unusable { li { (it.name) ": " (it.reason) " " (it.detail) } } }
    }
}

fn none() -> Markup {
    html! { p { "None." } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_anything_and_one_with_a_curve_are_whole() {
        let empty = tuned_page(&Tuned::default());
        assert!(empty.contains("No program could be used.") && empty.ends_with("</html>"), "{empty}");
        let point = |spent_microseconds, loss| ReplayPoint { spent_microseconds, loss };
        let curve = vec![point(1_000_000, 0.5), point(3_000_000, 0.25)];
        let page = tuned_page(&Tuned { curve, analyzers: vec!["<b>".to_owned()], ..Tuned::default() });
        assert!(page.contains("&lt;b&gt;") && !page.contains("NaN"), "{page}");
        assert!(page.contains("H704.0V"), "{page}");
    }
}
