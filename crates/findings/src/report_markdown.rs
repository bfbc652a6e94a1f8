//! The report of a campaign, in Markdown.

use crate::escape::markdown;
use crate::profile::profile_tables;
use crate::report_finding::sections;
use crate::report_json::{Tallies, tallies, unsettled};
use crate::{ListedBug, directory_name, empty_work, listed_bugs};
use anyhow::Result;
use store::Store;
use techniques::Technique;

/// Reports a whole campaign of these techniques: a table of bugs, then the best finding of each in full.
pub fn report_markdown(store: &Store, techniques: &[&Technique]) -> Result<String> {
    let bugs = listed_bugs(store)?;
    let mut text = String::from("# Bugs found by juvenal\n\n");
    text.push_str(&figures(store, techniques, &bugs)?);
    if bugs.is_empty() {
        return Ok(text);
    }
    text.push_str(
        "\n| bug | analyzer | kind | evidence | title | hits | best finding |\n|---|---|---|---|---|---|---|\n",
    );
    bugs.iter().for_each(|bug| text.push_str(&bug_row(bug)));
    bugs.iter().for_each(|bug| text.push_str(&bug_section(bug)));
    Ok(text)
}

fn figures(store: &Store, techniques: &[&Technique], bugs: &[ListedBug]) -> Result<String> {
    let records = store.ledger.cases()?;
    let Tallies { skipped, counts, profile } = tallies(&records);
    let mut text = format!(
        "{} in {}; {} and {} recorded.\n",
        counted(bugs.len() as u64, "bug"),
        counted(bugs.iter().map(|bug| bug.kept as u64).sum(), "finding"),
        counted(records.len() as u64, "case"),
        counted(store.answers.count()?, "answer")
    );
    let unsettled = unsettled(store)?;
    if !unsettled.is_empty() {
        text.push_str(&format!(
            "\nProvisional: {}. Their cases, or earlier ones, were interrupted and are not counted; `juvenal resume` \
             repeats them.\n",
            unsettled.join(", ")
        ));
    }
    text.push_str(&weaknesses(&store.directory.weaknesses()?));
    text.push_str(&profile_tables(&profile));
    let empty = empty_work(techniques, |name| counts.get(name).copied().unwrap_or(0));
    if !empty.is_empty() {
        text.push_str("\n| Vacuity | technique | |\n|---|---|---|\n");
    }
    for share in empty {
        let technique = share.technique.unwrap_or("all");
        text.push_str(&format!("| {} | {} | {:.1} % |\n", share.part, markdown(technique), share.percent));
    }
    let skipped: Vec<(&str, u64)> = skipped.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    for (title, table) in [("Skipped cases", skipped), ("Counts", counts.into_iter().collect())] {
        if !table.is_empty() {
            text.push_str(&format!("\n| {title} | |\n|---|---|\n"));
            table
                .iter()
                .for_each(|(name, count)| text.push_str(&format!("| {} | {count} |\n", markdown(name))));
        }
    }
    Ok(text)
}

/// What the machines that the campaign ran on could not promise.
fn weaknesses(weaknesses: &[String]) -> String {
    if weaknesses.is_empty() {
        return String::new();
    }
    let rows = weaknesses.iter().map(|sentence| format!("- {}\n", markdown(sentence)));
    format!(
        "\nThe chapter on security lists what is not promised on a machine like this one:\n\n{}",
        rows.collect::<String>()
    )
}

/// A number with its noun: `1 bug`, `2 bugs`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn bug_row(bug: &ListedBug) -> String {
    let accused = bug.best.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
    format!(
        "| B{} | {} | {} | {} | {} | {} | {} |\n",
        bug.row.number,
        markdown(accused),
        bug.best.kind(),
        bug.best.weighed.evidence,
        markdown(&bug.title),
        bug.row.hits,
        bug.best.name()
    )
}

fn bug_section(bug: &ListedBug) -> String {
    format!(
        "\n## B{}: {}\n\nThe files are in `findings/{}`.\n{}",
        bug.row.number,
        markdown(&bug.title),
        directory_name(&bug.best),
        sections(&bug.best, "###")
    )
}
