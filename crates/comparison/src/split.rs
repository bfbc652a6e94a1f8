//! What came of a project that was analyzed in parts: as text for a terminal, as JSON, and its frontier as CSV.

use crate::csv::row;
use crate::split_tables::{
    Table, decimal_seconds, edges_table, frontier_table, grouped, loss_table, megabytes, outcome_in_words,
    percent,
};
use crate::text_table::{cut, table};
use crate::words::weaknesses_in_words;
use model::shown_json;
use serde_json::json;
use splitting::{FrontierPoint, Loss, PartCost, PartOutcome, PartSummary, SplitSummary, pareto_optimal};

/// Rows of a table that are shown on a terminal.
const SHOWN_ROWS: usize = 12;
/// The most characters of a name.
const NAME_CHARACTERS: usize = 200;

/// A few sentences, and the tables of the loss and of the frontier if they were measured.
pub fn split_text(summary: &SplitSummary) -> String {
    let mut text = sentences(summary).join("\n") + "\n";
    if let Some(loss) = &summary.loss {
        text.push_str(&shown_table("", loss_table(loss)));
        if !loss.edges_by_cost().is_empty() {
            text.push_str(&shown_table(
                "Dependencies that were cut, by the lost and new results that they may explain:\n",
                edges_table(loss),
            ));
        }
    }
    if !summary.frontier.is_empty() {
        let heading = "Cuts that were measured; no other cut is better than those with a star:\n";
        text.push_str(&shown_table(heading, frontier_table(&summary.frontier)));
    }
    text
}

fn shown_table(heading: &str, shown: Table) -> String {
    let (shown, left_out) = shown.truncated(SHOWN_ROWS);
    let more = if left_out > 0 { format!("… and {left_out} more\n") } else { String::new() };
    format!("\n{heading}{}{more}", table(&shown.header, &shown.rows))
}

/// What was done and what came of it, a line for each statement.
pub(crate) fn sentences(summary: &SplitSummary) -> Vec<String> {
    let mut lines = vec![first_sentence(summary), cost_sentence(summary)];
    lines.extend(summary.whole.as_ref().map(whole_sentence));
    lines.extend(failure_sentences(&summary.parts));
    lines.extend(recorded_sentence(&summary.parts));
    lines.extend(dropped_sentence(summary));
    lines.extend(oversized_sentence(&summary.oversized));
    if !summary.left_out.is_empty() {
        let count = summary.left_out.len() as u64;
        lines.push(format!("{} below the root not analyzed.", many(count, "entry is", "entries are")));
    }
    if !summary.unresolved.is_empty() {
        let count = summary.unresolved.len() as u64;
        lines.push(format!(
            "{} nowhere in the project.",
            many(count, "dependency leads", "dependencies lead")
        ));
    }
    lines.extend(summary.loss.as_ref().map(|loss| loss_sentence(loss, summary.sampled)));
    lines.extend(weaknesses_in_words(&summary.weaknesses));
    lines
}

fn first_sentence(summary: &SplitSummary) -> String {
    let tool = cut(format!("{} {}", summary.tool, summary.version).trim(), NAME_CHARACTERS);
    let limit = summary.limit.map_or(String::new(), |limit| format!(" of at most {limit}"));
    let parts = number(analyzed_parts(summary).count() as u64, "part");
    let results = number(summary.merged.report.results.len() as u64, "result");
    let strategy =
        if summary.strategy.is_empty() { String::new() } else { format!("{}, ", summary.strategy) };
    let way = summary.way.words();
    let radius = summary.radius.map_or(String::new(), |radius| format!(", radius {radius}"));
    format!(
        "{tool} on {}: {parts}{limit} ({strategy}{way}{radius}), {results} in {}.",
        cut(&summary.root, NAME_CHARACTERS),
        number(summary.files, "file"),
    )
}

/// The parts that were not split again.
fn analyzed_parts(summary: &SplitSummary) -> impl Iterator<Item = &PartSummary> {
    summary.parts.iter().filter(|part| !matches!(part.outcome, PartOutcome::SplitAgain(_)))
}

/// The longest part, the CPU time of all, and the largest peak of memory. Runs that failed count.
pub(crate) fn total_cost(summary: &SplitSummary) -> PartCost {
    let mut total = PartCost::default();
    for cost in summary.parts.iter().map(|part| &part.cost) {
        total.wall_microseconds = total.wall_microseconds.max(cost.wall_microseconds);
        total.cpu_microseconds += cost.cpu_microseconds;
        total.peak_memory_bytes = total.peak_memory_bytes.max(cost.peak_memory_bytes);
    }
    total
}

fn cost_sentence(summary: &SplitSummary) -> String {
    let total = total_cost(summary);
    format!(
        "Longest part {} s, all parts {} CPU s, at most {} MB.",
        decimal_seconds(total.wall_microseconds),
        decimal_seconds(total.cpu_microseconds),
        megabytes(total.peak_memory_bytes)
    )
}

fn whole_sentence(whole: &PartCost) -> String {
    format!(
        "The whole in one run: {} s, {} CPU s, {} MB.",
        decimal_seconds(whole.wall_microseconds),
        decimal_seconds(whole.cpu_microseconds),
        megabytes(whole.peak_memory_bytes)
    )
}

/// Which parts failed, and which were split again.
fn failure_sentences(parts: &[PartSummary]) -> Vec<String> {
    let mut lines = Vec::new();
    let again = parts.iter().filter(|part| matches!(part.outcome, PartOutcome::SplitAgain(_))).count() as u64;
    if again > 0 {
        let (parts, were, they) = (
            number(again, "part"),
            if again == 1 { "was" } else { "were" },
            if again == 1 { "it" } else { "they" },
        );
        lines.push(format!("{parts} {were} split again, because {they} failed."));
    }
    let failed: Vec<&PartSummary> = parts.iter().filter(|part| part.outcome.is_failure()).collect();
    if failed.is_empty() {
        return lines;
    }
    let owned: u64 = failed.iter().map(|part| part.owned).sum();
    lines.push(format!(
        "{} failed; results on {} come from other parts, if any:",
        number(failed.len() as u64, "part"),
        number(owned, "file")
    ));
    for part in failed.iter().take(SHOWN_ROWS) {
        lines.push(format!("  part {}: {}", part.number, outcome_in_words(&part.outcome)));
    }
    if failed.len() > SHOWN_ROWS {
        lines.push(format!("  … and {} more", failed.len() - SHOWN_ROWS));
    }
    lines
}

fn dropped_sentence(summary: &SplitSummary) -> Option<String> {
    let counts = &summary.merged.counts;
    let differing: u64 = counts.conflicts.values().map(|rule| rule.differing).sum();
    let unconfirmed: u64 = counts.conflicts.values().map(|rule| rule.unconfirmed).sum();
    let dropped = [
        (counts.duplicates > 0).then(|| number(counts.duplicates, "duplicate")),
        (unconfirmed > 0)
            .then(|| format!("{} that the part of the file does not confirm", number(unconfirmed, "result"))),
        (differing > 0).then(|| format!("{} that it reports differently", grouped(differing))),
    ];
    let dropped: Vec<String> = dropped.into_iter().flatten().collect();
    (!dropped.is_empty()).then(|| format!("Dropped: {}.", dropped.join(", ")))
}

/// Parts that did not have to be analyzed again.
fn recorded_sentence(parts: &[PartSummary]) -> Option<String> {
    let recorded = parts.iter().filter(|part| part.is_recorded).count() as u64;
    (recorded > 0).then(|| {
        let parts = many(recorded, "part is", "parts are");
        format!("{parts} unchanged since an earlier run and not analyzed again; times are those of that run.")
    })
}

fn oversized_sentence(oversized: &[String]) -> Option<String> {
    let (first, more) = oversized.split_first()?;
    let are = many(oversized.len() as u64, "file is", "files are");
    let more = if more.is_empty() { "" } else { " and others" };
    Some(format!(
        "{are} larger than a part may be, and each of them a part alone: {}{more}.",
        cut(first, NAME_CHARACTERS)
    ))
}

fn loss_sentence(loss: &Loss, sampled: Option<u64>) -> String {
    let counts = &loss.counts;
    let of = match sampled {
        None => "the whole".to_owned(),
        Some(files) => format!("a sample of {}, each with everything that it needs", number(files, "file")),
    };
    let cut = match counts.lost + counts.new {
        0 => String::new(),
        _ => format!(
            " Cut dependencies may explain {} of the lost and {} of the new.",
            grouped(counts.lost_explained),
            grouped(counts.new_explained)
        ),
    };
    format!(
        "Of {} of {of}, {} were found ({}) and {} lost; {} new.{cut}",
        number(counts.whole(), "result"),
        grouped(counts.found),
        percent(counts.recall()),
        grouped(counts.lost),
        many(counts.new, "is", "are"),
    )
}

/// A number in groups of three digits, with its noun.
fn number(count: u64, noun: &str) -> String {
    many(count, noun, &format!("{noun}s"))
}

fn many(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// Everything, with the totals.
pub fn split_json(summary: &SplitSummary) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(summary)?;
    let total = total_cost(summary);
    value["totals"] = json!({
        "parts": analyzed_parts(summary).count(),
        "longest-part-microseconds": total.wall_microseconds,
        "cpu-microseconds": total.cpu_microseconds,
        "peak-memory-bytes": total.peak_memory_bytes,
        "in-conflict": summary.merged.counts.in_conflict(),
        "recall": summary.loss.as_ref().map(|loss| loss.counts.recall()),
        "pareto-optimal": pareto_optimal(&summary.frontier),
    });
    Ok(shown_json(&serde_json::to_string_pretty(&value)?).into_owned() + "\n")
}

/// A row for each cut that was measured.
pub fn frontier_csv(points: &[FrontierPoint]) -> String {
    let header = [
        "strategy",
        "way",
        "limit",
        "radius",
        "parts",
        "largest_part",
        "sum_of_sizes",
        "latency_seconds",
        "cpu_seconds",
        "memory_bytes",
        "found",
        "lost",
        "new",
        "recall",
        "pareto_optimal",
    ];
    let mut text = row(&header.map(str::to_owned));
    for (point, is_optimal) in points.iter().zip(pareto_optimal(points)) {
        let in_seconds =
            |microseconds: u64| format!("{}.{:06}", microseconds / 1_000_000, microseconds % 1_000_000);
        text.push_str(&row(&[
            point.strategy.clone(),
            point.way.words().to_owned(),
            point.limit.clone(),
            point.radius.to_string(),
            point.parts.to_string(),
            point.largest_part.to_string(),
            point.sum_of_sizes.to_string(),
            in_seconds(point.latency_microseconds),
            in_seconds(point.cpu_microseconds),
            point.peak_memory_bytes.to_string(),
            point.found.to_string(),
            point.lost.to_string(),
            point.new.to_string(),
            format!("{:.6}", point.recall()),
            is_optimal.to_string(),
        ]));
    }
    text
}
