//! The list of findings for machines.

use crate::{directory_name, ranked};
use anyhow::Result;
use model::Finding;
use serde_json::{Value, json};
use std::path::Path;
use store::Store;

/// One row for each finding, strongest first: what `juvenal findings --json` prints.
pub fn finding_rows(store: &Store) -> Result<Vec<Value>> {
    Ok(ranked(store.findings()?).iter().map(|finding| row(store.directory(), finding)).collect())
}

fn row(directory: &Path, finding: &Finding) -> Value {
    let accused = finding.exhibit.queries.first().map(|query| &query.analyzer);
    json!({
        "id": finding.name(),
        "bug": format!("B{}", finding.bug),
        "kind": finding.exhibit.kind,
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
    let bugs: Vec<Value> = store
        .bugs()?
        .iter()
        .map(|bug| json!({"bug": format!("B{}", bug.number), "fingerprint": bug.fingerprint, "hits": bug.hits}))
        .collect();
    let cases = store.cases()?.len();
    let report = json!({
        "cases": cases,
        "answers": store.answer_count()?,
        "bugs": bugs,
        "findings": finding_rows(store)?,
    });
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}
