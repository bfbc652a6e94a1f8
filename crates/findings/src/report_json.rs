//! The list of findings for machines.

use crate::profile::profile_json;
use crate::{ListedBug, directory_name, empty_work, listed_bugs, ranked};
use anyhow::Result;
use model::Finding;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use store::{CaseRecord, Ledger, Store};

/// One row for each finding, strongest first: what `juvenal findings --json` prints.
pub fn finding_rows(store: &Store) -> Result<Vec<Value>> {
    Ok(ranked(store.database.findings()?)
        .iter()
        .map(|finding| row(store.directory.path(), finding))
        .collect())
}

fn row(directory: &Path, finding: &Finding) -> Value {
    let accused = finding.exhibit.queries.first().map(|query| &query.analyzer);
    json!({
        "id": finding.name(),
        "bug": format!("B{}", finding.bug),
        "kind": finding.kind(),
        "evidence": finding.weighed.evidence,
        "technique": finding.exhibit.technique,
        "analyzer": accused.map(|id| id.name()),
        "version": accused.map(|id| id.version()),
        "title": finding.exhibit.title,
        "path": directory.join("findings").join(directory_name(finding)),
    })
}

/// The whole campaign for machines.
pub fn report_json(store: &Store) -> Result<String> {
    let bugs: Vec<Value> = listed_bugs(store)?.iter().map(bug_row).collect();
    let records = store.database.cases()?;
    let (skipped, mut counts) = tallies(&records);
    let profile = profile_json(&mut counts);
    let empty: Vec<Value> = empty_work(|name| counts.get(name).copied().unwrap_or(0))
        .iter()
        .map(|it| json!({ "technique": it.technique, "part": it.part, "percent": it.percent }))
        .collect();
    let report = json!({
        "cases": records.len(),
        "answers": store.database.answer_count()?,
        "bugs": bugs,
        "findings": finding_rows(store)?,
        "unsettled": unsettled(store)?,
        "profile": profile,
        "skipped": skipped,
        "empty-work": empty,
        "counts": counts,
    });
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn bug_row(bug: &ListedBug) -> Value {
    json!({
        "bug": format!("B{}", bug.row.number),
        "title": bug.best.exhibit.title,
        "kind": bug.best.kind(),
        "evidence": bug.best.weighed.evidence,
        "analyzer": bug.best.exhibit.queries.first().map(|query| query.analyzer.name()),
        "fingerprint": bug.row.fingerprint.to_string(),
        "features": bug.row.fingerprint.features,
        "hits": bug.row.hits,
        "findings": bug.kept,
        "shown-by": bug.best.name(),
    })
}

/// How many cases were skipped for each reason, and what the techniques counted.
pub(crate) fn tallies(records: &BTreeMap<u64, CaseRecord>) -> (BTreeMap<&str, u64>, BTreeMap<&str, u64>) {
    let (mut skipped, mut counts) = (BTreeMap::<&str, u64>::new(), BTreeMap::<&str, u64>::new());
    for record in records.values() {
        if let Some(reason) = &record.skipped {
            *skipped.entry(reason).or_default() += 1;
        }
        for (name, count) in &record.counts {
            *counts.entry(name).or_default() += count;
        }
    }
    (skipped, counts)
}

/// The names of the findings whose cases were broken off or wait for one that was.
pub(crate) fn unsettled(store: &Store) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for finding in store.database.findings()? {
        if !store.database.is_settled(&finding)? {
            names.push(finding.name());
        }
    }
    Ok(names)
}
