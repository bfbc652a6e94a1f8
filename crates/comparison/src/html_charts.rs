//! Bar charts as inline SVG.
//!
//! Bars are horizontal, one for each row, with the number next to it. A part of a bar can be highlighted, such as the proved
//! issues among all. Colours come from the style sheet of the page.

use crate::by_delta::{Counted, issues_by_delta};
use crate::cost::{AnalyzerCost, costs};
use crate::issues::IssueKind;
use crate::vocabulary::vocabulary;
use crate::words::{decimal, letter};
use maud::{Markup, html};
use model::Comparison;

/// Where bars begin, the length of the longest bar, and the width of a chart.
const BAR_START: f64 = 110.0;
const BAR_LENGTH: f64 = 460.0;
const CHART_WIDTH: f64 = 720.0;
const ROW_HEIGHT: f64 = 20.0;

/// One row of a chart.
struct Bar {
    label: String,
    value: f64,
    /// The highlighted part of the value.
    part: f64,
    /// The text next to the bar.
    text: String,
}

/// The issues of a kind: for each analyzer a bar for the must-unsound answers, and one for each delta.
pub(crate) fn issue_chart(comparison: &Comparison, kind: IssueKind) -> Markup {
    let mut bars = Vec::new();
    for (place, counts) in issues_by_delta(comparison, kind).iter().enumerate() {
        let letter = letter(place);
        bars.extend(issue_bar(format!("{letter} must-{}", kind.word()), counts.must));
        for (delta, counted) in counts.by_delta.iter().enumerate().rev() {
            bars.extend(issue_bar(format!("{letter} {delta}-{}", kind.word()), *counted));
        }
    }
    let title = format!(
        "Number of {} answers of each analyzer, by the number of analyzers that disagree",
        kind.word()
    );
    chart(&title, &bars)
}

/// A bar, unless there is nothing to show.
fn issue_bar(label: String, counted: Counted) -> Option<Bar> {
    let Counted { found, proved } = counted;
    let text = if proved > 0 { format!("{found}, {proved} proved") } else { found.to_string() };
    (found > 0).then_some(Bar { label, value: found as f64, part: proved as f64, text })
}

/// Processor time per check.
pub(crate) fn cost_chart(comparison: &Comparison) -> Markup {
    let bar = |(place, cost): (usize, &AnalyzerCost)| Bar {
        label: letter(place),
        value: cost.cpu_seconds_per_check.unwrap_or(0.0),
        part: 0.0,
        text: format!("{} s", decimal(cost.cpu_seconds_per_check)),
    };
    let bars: Vec<Bar> = costs(comparison).iter().enumerate().map(bar).collect();
    chart(&format!("Seconds of processor time per {}", vocabulary(comparison).check), &bars)
}

fn chart(title: &str, bars: &[Bar]) -> Markup {
    let longest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let height = ROW_HEIGHT * bars.len() as f64 + 4.0;
    html! {
        @if bars.is_empty() {
            p { "None." }
        } @else {
            svg role="img" viewBox={ "0 0 " (CHART_WIDTH) " " (height) } width=(CHART_WIDTH) height=(height) {
                title { (title) }
                @for (index, bar) in bars.iter().enumerate() { (bar_row(bar, index, longest)) }
            }
        }
    }
}

fn bar_row(bar: &Bar, index: usize, longest: f64) -> Markup {
    let top = ROW_HEIGHT * index as f64 + 4.0;
    let base = top + 12.0;
    let length = |value: f64| if longest > 0.0 { (BAR_LENGTH * value / longest).max(1.0) } else { 1.0 };
    let rectangle = |class: &str, value: f64| {
        html! { rect class=(class) x=(BAR_START) y=(top) width=(format!("{:.1}", length(value))) height="15" {} }
    };
    html! {
        g {
            text x=(BAR_START - 8.0) y=(base) text-anchor="end" { (bar.label) }
            (rectangle("bar", bar.value))
            @if bar.part > 0.0 { (rectangle("part", bar.part)) }
            text x=(format!("{:.1}", BAR_START + length(bar.value) + 8.0)) y=(base) { (bar.text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, violated};
    use model::Approximation;

    #[test]
    fn charts_have_a_title_and_a_bar_for_each_number() {
        let comparison = Comparison {
            analyzers: ["a", "b"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec(),
            checks: vec![check(1, "su", violated("1")), check(2, "su", model::Executed::Open)],
            ..Comparison::default()
        };
        let unsound = issue_chart(&comparison, IssueKind::Unsound).into_string();
        assert!(unsound.contains("<title>Number of unsound answers"), "{unsound}");
        assert!(unsound.contains("A must-unsound") && unsound.contains("A 1-unsound"), "{unsound}");
        assert!(unsound.contains(">2, 1 proved<") && !unsound.contains("B "), "{unsound}");
        assert_eq!(unsound.matches("class=\"part\"").count(), 2);
        let imprecise = issue_chart(&Comparison::default(), IssueKind::Imprecise).into_string();
        assert!(imprecise.contains("None."));
        let cost = cost_chart(&comparison).into_string();
        assert!(cost.contains("0.00 s") && !cost.contains("NaN"), "{cost}");
    }
}
