//! A project that was analyzed in parts as one self-contained HTML page.

use crate::html::{STYLE, section, whole_page};
use crate::html_plot::{Axes, PLOT_STYLE, plot};
use crate::split::sentences;
use crate::split_tables::{
    Table, conflicts_table, differences_table, edges_table, files_table, frontier_table, grouped, loss_table,
    parts_table, percent, results_table, rules_table,
};
use crate::tuned::seconds;
use maud::{Markup, PreEscaped, html};
use model::FileFailure;
use splitting::{FrontierPoint, LeftOut, Loss, SplitSummary, UnresolvedDependency, pareto_optimal};

/// The most rows of a table.
const SHOWN_ROWS: usize = 500;
/// Texts are left-aligned and broken.
const TABLE_STYLE: &str = ".texts td{text-align:left;overflow-wrap:anywhere}";

/// Renders the whole page.
pub fn split_page(summary: &SplitSummary) -> String {
    let title = format!("{} on {}, in parts", summary.tool, summary.root);
    let report = &summary.merged.report;
    let body = html! {
        h1 { (title) }
        @for line in sentences(summary) { p { (line) } }
        (navigation())
        (section("parts", "Parts", &numbers(parts_table(&summary.parts))))
        (section("rules", "Results by rule", &texts(rules_table(summary))))
        (section("files", "Results by file", &numbers(files_table(summary))))
        (section("conflicts", "Conflicts between parts", &conflicts(summary)))
        (section("failures", "What the tool could not analyze", &failures(&report.failures)))
        (section("unresolved", "Dependencies that were not found in the project", &unresolved(&summary.unresolved)))
        (section("left-out", "What is not analyzed", &left_out(&summary.left_out)))
        (section("loss", "What the cut costs", &loss_section(summary.loss.as_ref())))
        (section("frontier", "Time, memory and recall of other cuts", &frontier_section(&summary.frontier)))
        (section("results", "Results", &texts(results_table(summary))))
    };
    let style = html! { (PreEscaped(STYLE)) (PreEscaped(PLOT_STYLE)) (PreEscaped(TABLE_STYLE)) };
    whole_page(&title, &style, &body)
}

fn navigation() -> Markup {
    let names = ["parts", "rules", "files", "conflicts", "loss", "frontier", "results"];
    html! { nav { @for name in names { a href={ "#" (name) } { (name) } " " } } }
}

fn numbers(table: Table) -> Markup {
    table_of("", table)
}

fn texts(table: Table) -> Markup {
    table_of("texts", table)
}

fn table_of(class: &str, table: Table) -> Markup {
    let (table, left_out) = table.truncated(SHOWN_ROWS);
    if table.rows.is_empty() {
        return none();
    }
    html! {
        div class="wide" {
            table class=(class) {
                thead { tr { @for name in &table.header { th scope="col" { (name) } } } }
                tbody { @for row in &table.rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
        @if left_out > 0 { p { "… and " (grouped(left_out as u64)) " more." } }
    }
}

fn conflicts(summary: &SplitSummary) -> Markup {
    html! {
        p {
            "A part also analyzes files that another part owns, and may lack some of their dependencies. What it reports \
             on such a file is dropped if the owner reports something else at the place (differing) or nothing there \
             (unconfirmed)."
        }
        (texts(conflicts_table(summary)))
    }
}

fn failures(failures: &[FileFailure]) -> Markup {
    let lines = failures.iter().map(|failure| match &failure.file {
        Some(file) => format!("{file}: {}", failure.message),
        None => failure.message.clone(),
    });
    list(&lines.collect::<Vec<String>>())
}

fn unresolved(unresolved: &[UnresolvedDependency]) -> Markup {
    list(
        &unresolved.iter().map(|it| format!("{}:{}: {}", it.file, it.line, it.text)).collect::<Vec<String>>(),
    )
}

fn left_out(left_out: &[LeftOut]) -> Markup {
    list(&left_out.iter().map(|it| format!("{}: {}", it.path, it.reason)).collect::<Vec<String>>())
}

fn list(lines: &[String]) -> Markup {
    if lines.is_empty() {
        return none();
    }
    html! {
        ul { @for line in lines.iter().take(SHOWN_ROWS) { li { (line) } } }
        @if lines.len() > SHOWN_ROWS { p { "… and " (grouped((lines.len() - SHOWN_ROWS) as u64)) " more." } }
    }
}

fn loss_section(loss: Option<&Loss>) -> Markup {
    let Some(loss) = loss else {
        return html! { p { "It was not measured: the whole was not analyzed in one run." } };
    };
    html! {
        p {
            "Lost: reported on the whole and not on the parts. New: the other way round. The columns named cut count those of \
             them that a cut dependency may explain: the file of the result, or of one of its related places, depends on a \
             file that its part lacks, directly or through others. The nearest such dependency is named."
        }
        (numbers(loss_table(loss)))
        h3 { "Dependencies that were cut, by the lost and new results that they may explain" }
        (numbers(edges_table(loss)))
        h3 { "Lost results" }
        (texts(differences_table(&loss.lost)))
        h3 { "New results" }
        (texts(differences_table(&loss.new)))
    }
}

fn frontier_section(points: &[FrontierPoint]) -> Markup {
    if points.is_empty() {
        return none();
    }
    let latency = |point: &FrontierPoint| seconds(point.latency_microseconds);
    let memory = |point: &FrontierPoint| point.peak_memory_bytes as f64 / 1e6;
    html! {
        (recall_plot("Recall by the time of the longest part", "seconds", points, latency))
        (recall_plot("Recall by the largest peak of memory", "MB", points, memory))
        p {
            "The numbers are those of the table. Dark points are Pareto-optimal: no other cut is at least as good in latency, \
             memory, lost and new results, and better in one of them. A ring is a run on the whole."
        }
        (numbers(frontier_table(points)))
    }
}

fn recall_plot(
    title: &str,
    cost_name: &str,
    points: &[FrontierPoint],
    cost: impl Fn(&FrontierPoint) -> f64,
) -> Markup {
    let most = points.iter().map(&cost).fold(0.0, f64::max).max(1e-9);
    let axes = Axes { x: (0.0, most * 1.05), y: recall_range(points) };
    let dots = html! {
        @for (number, (point, is_optimal)) in (1..).zip(points.iter().zip(pareto_optimal(points))) {
            @let (x, y) = (axes.x(cost(point)), axes.y(point.recall()));
            @let class = if point.strategy == "whole" { "default" } else if is_optimal { "front" } else { "dot" };
            circle class=(class) r="4" cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) {
                title { (number) ": " (point.strategy) ", " (point.way.words()) ", " (point.limit) ", " (percent(point.recall())) }
            }
            text x=(format!("{:.1}", x + 6.0)) y=(format!("{:.1}", y + 12.0)) { (number) }
        }
    };
    html! { h3 { (title) } (plot(title, &axes, cost_name, "recall", &dots)) }
}

/// From somewhat below the least recall to everything: small losses must be visible.
fn recall_range(points: &[FrontierPoint]) -> (f64, f64) {
    let least = points.iter().map(FrontierPoint::recall).fold(1.0, f64::min);
    if least < 1.0 { ((least - 0.2 * (1.0 - least)).max(0.0), 1.0) } else { (0.0, 1.0) }
}

fn none() -> Markup {
    html! { p { "None." } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::{frontier_csv, split_json, split_text};
    use model::{Level, ProjectReport, ResultPlace, Rule, ToolResult, Way};
    use splitting::{
        CutEdge, Difference, LossCounts, Measure, MergeCounts, Merged, PartCost, PartOutcome, PartSummary,
        RuleConflicts, SizeLimit,
    };
    use std::collections::BTreeMap;

    fn result(file: &str, message: &str) -> ToolResult {
        ToolResult {
            rule: "no-member".to_owned(),
            level: Level::Error,
            message: message.to_owned(),
            place: Some(ResultPlace { column: 4, ..ResultPlace::line(file, 3) }),
            related: Vec::new(),
            fingerprints: BTreeMap::new(),
            suppressed: false,
        }
    }

    fn part(number: u32, outcome: PartOutcome) -> PartSummary {
        let cost = PartCost {
            wall_microseconds: 11_800_000,
            cpu_microseconds: 33_500_000,
            peak_memory_bytes: 157_000_000,
        };
        PartSummary {
            number,
            files: 18,
            owned: 9,
            lines: 4000,
            bytes: 1_200_000,
            cost,
            outcome,
            results: 5,
            failures: 0,
            is_recorded: false,
        }
    }

    fn point(limit: &str, latency_microseconds: u64, found: u64, lost: u64) -> FrontierPoint {
        FrontierPoint {
            strategy: "grow".to_owned(),
            way: Way::Isolated,
            limit: limit.to_owned(),
            radius: 1,
            parts: 7,
            largest_part: 18,
            sum_of_sizes: 90,
            latency_microseconds,
            cpu_microseconds: 67_000_000,
            peak_memory_bytes: 157_000_000,
            found,
            lost,
            new: 0,
        }
    }

    fn summary() -> SplitSummary {
        let results = (0..1018).map(|number| result("a.py", &format!("message {number}"))).collect();
        SplitSummary {
            tool: "pylint".to_owned(),
            root: "src".to_owned(),
            way: Way::Isolated,
            limit: Some(SizeLimit { most: 18, measure: Measure::Files }),
            radius: Some(1),
            files: 52,
            parts: vec![part(1, PartOutcome::Ok), part(2, PartOutcome::Ok)],
            merged: Merged {
                report: ProjectReport { results, ..ProjectReport::default() },
                ..Merged::default()
            },
            ..SplitSummary::default()
        }
    }

    /// With everything that can be shown, in hostile words.
    fn hostile() -> SplitSummary {
        let evil = "<script>alert(1)</script>&\"\u{202e}\u{1b}[1m\n| x";
        let cut = CutEdge { from: evil.to_owned(), to: evil.to_owned(), distance: 2 };
        let difference = Difference { result: result(evil, evil), cut: Some(cut) };
        let counts =
            LossCounts { found: 780, moved: 1, lost: 16, lost_explained: 1, new: 1, new_explained: 1 };
        let conflicts = RuleConflicts { differing: 2, unconfirmed: 3000, example: Some(result(evil, evil)) };
        let mut summary = summary();
        summary.tool = evil.to_owned();
        summary.root = evil.to_owned();
        summary.parts.push(part(3, PartOutcome::Crash(evil.to_owned())));
        summary.parts.push(part(4, PartOutcome::SplitAgain(2)));
        summary.unresolved =
            vec![UnresolvedDependency { file: evil.to_owned(), line: 1, text: evil.to_owned() }];
        summary.merged.report.results.push(result(evil, evil));
        let rule =
            Rule { id: "no-member".to_owned(), name: None, description: Some(evil.to_owned()), help: None };
        summary.merged.report.rules.push(rule);
        summary.merged.report.failures =
            vec![FileFailure { file: Some(evil.to_owned()), message: evil.to_owned() }];
        summary.merged.counts = MergeCounts {
            duplicates: 7,
            conflicts: BTreeMap::from([(evil.to_owned(), conflicts)]),
            ..MergeCounts::default()
        };
        summary.whole = Some(PartCost::default());
        summary.loss = Some(Loss {
            counts,
            by_rule: BTreeMap::from([(evil.to_owned(), counts)]),
            lost: vec![difference.clone(), Difference { cut: None, ..difference.clone() }],
            new: vec![difference],
        });
        summary.frontier = vec![
            point(evil, 11_800_000, 780, 16),
            point("9 files", 5_000_000, 700, 96),
            point("9 files", 6_000_000, 700, 96),
        ];
        summary
    }

    #[test]
    fn the_text_is_short() {
        let expected = "pylint on src: 2 parts of at most 18 files (isolated, radius 1), 1,018 results in 52 files.\n\
                        Longest part 11.8 s, all parts 67.0 CPU s, at most 157 MB.\n";
        assert_eq!(split_text(&summary()), expected);
    }

    #[test]
    fn the_text_says_what_went_wrong_and_what_was_lost() {
        let text = split_text(&hostile());
        for sentence in [
            ": 3 parts of at most 18 files",
            "\n1 part was split again, because it failed.\n1 part failed; ",
            "\n  part 3: crash: <script>",
            "\nDropped: 7 duplicates, 3,000 results that the part owning the file does not confirm, 2 that it reports differently.\n",
            "\n1 dependency was not found in the project.\n",
            "\nOf 796 results of the whole, 780 were found (97.98 %) and 16 lost; 1 is new. \
             Cut dependencies may explain 1 of the lost and 1 of the new.\n",
            "all rules",
            "1: grow, isolated",
        ] {
            assert!(text.contains(sentence), "{sentence} is not in {text}");
        }
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
    }

    #[test]
    fn the_page_escapes_everything_and_shows_some_hundred_rows() {
        let page = split_page(&hostile());
        assert!(page.ends_with("</html>") && !page.contains("<script") && !page.contains("NaN"), "{page}");
        assert!(!page.contains(['\u{202e}', '\u{1b}']) && page.contains("&lt;script&gt;"));
        assert!(page.contains("message 499<") && !page.contains("message 500<"));
        assert!(page.contains("… and 519 more."));
        assert!(page.contains("class=\"front\"") && page.contains("class=\"dot\""));
        let empty = split_page(&SplitSummary::default());
        assert!(empty.contains("It was not measured") && !empty.contains("NaN"), "{empty}");
    }

    #[test]
    fn json_and_csv_hold_the_numbers() {
        let summary = hostile();
        let text = split_json(&summary).unwrap();
        assert!(!text.contains(['\u{202e}', '\u{1b}']));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["totals"]["parts"], 3);
        assert_eq!(value["totals"]["pareto-optimal"], serde_json::json!([true, true, false]));
        assert_eq!(value["loss"]["counts"]["lost"], 16);
        let back: SplitSummary = serde_json::from_str(&text).unwrap();
        assert_eq!(back, summary);
        let csv = frontier_csv(&[point("18 files", 11_800_000, 3, 1)]);
        let row = "grow,isolated,18 files,1,7,18,90,11.800000,67.000000,157000000,3,1,0,0.750000,true\r\n";
        assert!(csv.ends_with(row), "{csv}");
    }
}
