//! The tables about a project that was analyzed in parts, which the terminal and the page share.

use crate::text_table::cut;
use crate::tuned::seconds;
use splitting::{
    CutEdge, Difference, FrontierPoint, Loss, LossCounts, PartOutcome, PartSummary, SplitSummary,
    pareto_optimal,
};
use std::collections::BTreeMap;

/// The most characters of a name or a message in a cell.
const CELL_CHARACTERS: usize = 300;

/// A table of texts. Its first column is a name, and the others are numbers or short words.
pub(crate) struct Table {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn new(header: &[&str], rows: Vec<Vec<String>>) -> Table {
        Table { header: header.iter().map(|name| (*name).to_owned()).collect(), rows }
    }

    /// The same with only the first rows, and the number of rows that are left out.
    pub fn truncated(mut self, most: usize) -> (Table, usize) {
        let left_out = self.rows.len().saturating_sub(most);
        self.rows.truncate(most);
        (self, left_out)
    }
}

/// A row for each part.
pub(crate) fn parts_table(parts: &[PartSummary]) -> Table {
    let header = [
        "part", "files", "owned", "lines", "kB", "seconds", "CPU s", "MB", "results", "failures", "run",
        "outcome",
    ];
    let row = |part: &PartSummary| {
        vec![
            part.number.to_string(),
            grouped(part.files),
            grouped(part.owned),
            grouped(part.lines),
            grouped(part.bytes.div_ceil(1000)),
            decimal_seconds(part.cost.wall_microseconds),
            decimal_seconds(part.cost.cpu_microseconds),
            megabytes(part.cost.peak_memory_bytes),
            grouped(part.results),
            grouped(part.failures),
            if part.is_recorded { "earlier" } else { "now" }.to_owned(),
            outcome_in_words(&part.outcome),
        ]
    };
    Table::new(&header, parts.iter().map(row).collect())
}

/// How the run of a part ended.
pub fn outcome_in_words(outcome: &PartOutcome) -> String {
    let with = |word: &str, detail: &str| match detail.trim() {
        "" => word.to_owned(),
        detail => format!("{word}: {}", cut(detail, CELL_CHARACTERS)),
    };
    match outcome {
        PartOutcome::Ok => "ok".to_owned(),
        PartOutcome::Limit(limit) => with("limit", limit),
        PartOutcome::Crash(how) => with("crash", how),
        PartOutcome::Failed(why) => with("failed", why),
        PartOutcome::SplitAgain(count) => format!("split into {count}"),
    }
}

/// A row for each rule, those with the most results first.
pub(crate) fn rules_table(summary: &SplitSummary) -> Table {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for result in &summary.merged.report.results {
        *counts.entry(&result.rule).or_default() += 1;
    }
    let described: BTreeMap<&str, &str> = summary
        .merged
        .report
        .rules
        .iter()
        .map(|rule| (rule.id.as_str(), rule.description.as_deref().or(rule.name.as_deref()).unwrap_or("")))
        .collect();
    let rows = most_first(counts).map(|(rule, count)| {
        let text = described.get(rule).map_or(String::new(), |text| cut(text, CELL_CHARACTERS));
        vec![cut(rule, CELL_CHARACTERS), grouped(count), text]
    });
    Table::new(&["rule", "results", "description"], rows.collect())
}

/// A row for each file with results, those with the most first.
pub(crate) fn files_table(summary: &SplitSummary) -> Table {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for result in &summary.merged.report.results {
        let file = result.place.as_ref().map_or("(no file)", |place| place.file.as_str());
        *counts.entry(file).or_default() += 1;
    }
    let rows = most_first(counts).map(|(file, count)| vec![cut(file, CELL_CHARACTERS), grouped(count)]);
    Table::new(&["file", "results"], rows.collect())
}

fn most_first(counts: BTreeMap<&str, u64>) -> impl Iterator<Item = (&str, u64)> {
    let mut sorted: Vec<(&str, u64)> = counts.into_iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sorted.into_iter()
}

/// The results, in their order.
pub(crate) fn results_table(summary: &SplitSummary) -> Table {
    let row = |result: &model::ToolResult| {
        let suppressed = if result.suppressed { ", suppressed" } else { "" };
        vec![
            place_in_words(result),
            format!("{}{suppressed}", result.level.word()),
            cut(&result.rule, CELL_CHARACTERS),
            cut(&result.message, CELL_CHARACTERS),
        ]
    };
    let rows = summary.merged.report.results.iter().map(row).collect();
    Table::new(&["place", "level", "rule", "message"], rows)
}

/// `file:line:column`, as far as it is known.
pub(crate) fn place_in_words(result: &model::ToolResult) -> String {
    let Some(place) = &result.place else { return "(no file)".to_owned() };
    let file = cut(&place.file, CELL_CHARACTERS);
    match (place.line, place.column) {
        (0, _) => file,
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    }
}

/// The conflicts by rule.
pub(crate) fn conflicts_table(summary: &SplitSummary) -> Table {
    let header = ["rule", "differing", "unconfirmed", "example of a dropped result"];
    let row = |(rule, conflicts): (&String, &splitting::RuleConflicts)| {
        let example = conflicts.example.as_ref().map_or(String::new(), |it| {
            format!("{}: {}", place_in_words(it), cut(&it.message, CELL_CHARACTERS))
        });
        let (differing, unconfirmed) = (grouped(conflicts.differing), grouped(conflicts.unconfirmed));
        vec![cut(rule, CELL_CHARACTERS), differing, unconfirmed, example]
    };
    Table::new(&header, summary.merged.counts.conflicts.iter().map(row).collect())
}

/// The loss of all rules together, then by rule, the largest first. Rules without lost and new results are left out.
pub(crate) fn loss_table(loss: &Loss) -> Table {
    let header = ["rule", "whole", "found", "lost", "cut", "new", "cut", "recall"];
    let row = |rule: &str, counts: &LossCounts| {
        vec![
            cut(rule, CELL_CHARACTERS),
            grouped(counts.whole()),
            grouped(counts.found),
            grouped(counts.lost),
            grouped(counts.lost_explained),
            grouped(counts.new),
            grouped(counts.new_explained),
            percent(counts.recall()),
        ]
    };
    let mut rules: Vec<(&String, &LossCounts)> =
        loss.by_rule.iter().filter(|(_, counts)| counts.lost + counts.new > 0).collect();
    rules.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.lost + counts.new));
    let all = row("all rules", &loss.counts);
    let rules = rules.into_iter().map(|(rule, counts)| row(rule, counts));
    Table::new(&header, std::iter::once(all).chain(rules).collect())
}

/// Results that were lost, or that are new, each with what may explain it.
pub(crate) fn differences_table(differences: &[Difference]) -> Table {
    let row = |difference: &Difference| {
        let result = &difference.result;
        vec![
            place_in_words(result),
            cut(&result.rule, CELL_CHARACTERS),
            cut(&result.message, CELL_CHARACTERS),
            difference.cut.as_ref().map_or("none".to_owned(), edge_in_words),
        ]
    };
    Table::new(&["place", "rule", "message", "cut edge"], differences.iter().map(row).collect())
}

fn edge_in_words(edge: &CutEdge) -> String {
    let (from, to) = (cut(&edge.from, CELL_CHARACTERS), cut(&edge.to, CELL_CHARACTERS));
    format!("{from} → {to}, distance {}", edge.distance)
}

/// The cut edges, those that may explain the most lost and new results first.
pub(crate) fn edges_table(loss: &Loss) -> Table {
    let edge = |(from, to, lost, new): (&str, &str, u64, u64)| {
        let names = format!("{} → {}", cut(from, CELL_CHARACTERS), cut(to, CELL_CHARACTERS));
        vec![names, grouped(lost), grouped(new)]
    };
    Table::new(&["cut edge", "lost", "new"], loss.edges_by_cost().into_iter().map(edge).collect())
}

/// The cuts that were measured. A star marks those that no other one dominates.
pub(crate) fn frontier_table(points: &[FrontierPoint]) -> Table {
    let header = [
        "cut",
        "limit",
        "radius",
        "parts",
        "largest",
        "sum",
        "latency s",
        "CPU s",
        "MB",
        "found",
        "lost",
        "new",
        "recall",
        "optimal",
    ];
    let row = |(number, (point, is_optimal)): (usize, (&FrontierPoint, bool))| {
        vec![
            format!("{number}: {}, {}", cut(&point.strategy, CELL_CHARACTERS), point.way.words()),
            cut(&point.limit, CELL_CHARACTERS),
            point.radius.to_string(),
            grouped(point.parts),
            grouped(point.largest_part),
            grouped(point.sum_of_sizes),
            decimal_seconds(point.latency_microseconds),
            decimal_seconds(point.cpu_microseconds),
            megabytes(point.peak_memory_bytes),
            grouped(point.found),
            grouped(point.lost),
            grouped(point.new),
            percent(point.recall()),
            if is_optimal { "*" } else { "" }.to_owned(),
        ]
    };
    let rows = (1..).zip(points.iter().zip(pareto_optimal(points))).map(row).collect();
    Table::new(&header, rows)
}

/// Digits in groups of three: `1,018`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds with one decimal, and with three below one tenth.
pub(crate) fn decimal_seconds(microseconds: u64) -> String {
    let seconds = seconds(microseconds);
    if seconds < 0.1 { format!("{seconds:.3}") } else { format!("{seconds:.1}") }
}

/// Megabytes, rounded to the nearest.
pub(crate) fn megabytes(bytes: u64) -> String {
    grouped((bytes + 500_000) / 1_000_000)
}

/// A share with two decimals, rounded down: only everything is 100 %.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", (share * 10_000.0).floor() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        let grouped: Vec<String> = [0, 999, 1000, 1018, 1_234_567].into_iter().map(grouped).collect();
        assert_eq!(grouped, ["0", "999", "1,000", "1,018", "1,234,567"]);
        assert_eq!(
            (decimal_seconds(11_840_000), decimal_seconds(4_200)),
            ("11.8".to_owned(), "0.004".to_owned())
        );
        assert_eq!((megabytes(157_400_000), megabytes(600_000)), ("157".to_owned(), "1".to_owned()));
        assert_eq!(
            (percent(1.0), percent(0.999_99), percent(0.5)),
            ("100.00 %".into(), "99.99 %".into(), "50.00 %".into())
        );
    }

    #[test]
    fn outcomes_have_words() {
        for (outcome, words) in [
            (PartOutcome::Ok, "ok"),
            (PartOutcome::Limit("600 s".to_owned()), "limit: 600 s"),
            (PartOutcome::Crash(" ".to_owned()), "crash"),
            (PartOutcome::Failed("no\noutput".to_owned()), "failed: no output"),
            (PartOutcome::SplitAgain(2), "split into 2"),
        ] {
            assert_eq!(outcome_in_words(&outcome), words);
        }
    }
}
