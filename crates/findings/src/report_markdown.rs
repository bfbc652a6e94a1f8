//! The report of a campaign for people.

use crate::escape::{fenced, markdown};
use crate::{directory_name, ranked};
use anyhow::Result;
use model::Finding;
use std::collections::BTreeMap;
use store::{BugRow, Store};

/// The whole campaign: a table of bugs, then the best finding of each.
pub fn report_markdown(store: &Store) -> Result<String> {
    let findings = ranked(store.findings()?);
    let bugs = store.bugs()?;
    let mut best: BTreeMap<u32, &Finding> = BTreeMap::new();
    for finding in &findings {
        best.entry(finding.bug).or_insert(finding);
    }
    let mut text = String::from("# What juvenal found\n\n");
    text.push_str(&figures(store, findings.len(), bugs.len())?);
    if bugs.is_empty() {
        return Ok(text);
    }
    text.push_str(
        "\n| bug | analyzer | kind | evidence | what | hits | shown by |\n|---|---|---|---|---|---|---|\n",
    );
    let mut order: Vec<(&&Finding, &BugRow)> =
        bugs.iter().filter_map(|bug| best.get(&bug.number).map(|finding| (finding, bug))).collect();
    order.sort_by_key(|(finding, bug)| (finding.weighed.evidence, finding.exhibit.kind, bug.number));
    for (finding, bug) in &order {
        text.push_str(&bug_row(finding, bug));
    }
    for (finding, bug) in &order {
        text.push_str(&bug_section(finding, bug));
    }
    Ok(text)
}

fn figures(store: &Store, findings: usize, bugs: usize) -> Result<String> {
    let records = store.cases()?;
    let mut skipped: BTreeMap<&str, u64> = BTreeMap::new();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for record in records.values() {
        if let Some(reason) = &record.skipped {
            *skipped.entry(reason).or_default() += 1;
        }
        for (name, count) in &record.counts {
            *counts.entry(name).or_default() += count;
        }
    }
    let mut text = format!(
        "{bugs} bugs in {findings} findings; {} cases, {} answers recorded.\n",
        records.len(),
        store.answer_count()?
    );
    for (title, table) in [("Skipped cases", skipped), ("Counts", counts)] {
        if !table.is_empty() {
            text.push_str(&format!("\n| {title} | |\n|---|---|\n"));
            table
                .iter()
                .for_each(|(name, count)| text.push_str(&format!("| {} | {count} |\n", markdown(name))));
        }
    }
    Ok(text)
}

fn bug_row(finding: &Finding, bug: &BugRow) -> String {
    let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
    format!(
        "| B{} | {} | {} | {} | {} | {} | {} |\n",
        bug.number,
        markdown(accused),
        finding.exhibit.kind,
        finding.weighed.evidence,
        markdown(&finding.exhibit.title),
        bug.hits,
        finding.name()
    )
}

fn bug_section(finding: &Finding, bug: &BugRow) -> String {
    let mut text = format!("\n## B{}: {}\n\n", bug.number, markdown(&finding.exhibit.title));
    text.push_str(&format!("In `findings/{}`.\n\n", directory_name(finding)));
    for run in &finding.runs {
        text.push_str(&fenced("smt2", &run.stdin, 4000));
    }
    text.push('\n');
    finding.weighed.reasons.iter().for_each(|reason| text.push_str(&format!("- {}\n", markdown(reason))));
    text
}
