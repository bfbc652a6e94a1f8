//! The report of a campaign and the list of its findings, in JSON.

use crate::profile::profile_json;
use crate::{ListedBug, directory_name, empty_work, listed_bugs, ranked};
use anyhow::Result;
use model::{Finding, Profile};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use store::{CaseRecord, Store};
use techniques::Technique;

/// One object for each finding, the strongest first, as `juvenal findings --json` prints them.
pub fn finding_rows(store: &Store) -> Result<Vec<Value>> {
    Ok(ranked(store.ledger.findings()?).iter().map(|finding| row(store.directory.path(), finding)).collect())
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

/// Reports a whole campaign of these techniques.
pub fn report_json(store: &Store, techniques: &[&Technique]) -> Result<String> {
    let bugs: Vec<Value> = listed_bugs(store)?.iter().map(bug_row).collect();
    let records = store.ledger.cases()?;
    let Tallies { skipped, counts, profile } = tallies(&records);
    let empty: Vec<Value> = empty_work(techniques, |name| counts.get(name).copied().unwrap_or(0))
        .iter()
        .map(|it| json!({ "technique": it.technique, "part": it.part, "percent": it.percent }))
        .collect();
    let report = json!({
        "cases": records.len(),
        "answers": store.answers.count()?,
        "weaknesses": store.directory.weaknesses()?,
        "bugs": bugs,
        "findings": finding_rows(store)?,
        "unsettled": unsettled(store)?,
        "profile": profile_json(&profile),
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

/// The sums over the records of all cases.
#[derive(Default)]
pub(crate) struct Tallies<'a> {
    /// The number of skipped cases, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// What the walks and the techniques counted.
    pub counts: BTreeMap<&'a str, u64>,
    /// How often the engines of analyzers knew what follows from a condition.
    pub profile: Profile,
}

pub(crate) fn tallies(records: &BTreeMap<u64, CaseRecord>) -> Tallies<'_> {
    let mut tallies = Tallies::default();
    for record in records.values() {
        if let Some(reason) = &record.skipped {
            *tallies.skipped.entry(reason.to_string()).or_default() += 1;
        }
        for (name, count) in record.walk.named() {
            *tallies.counts.entry(name).or_default() += count;
        }
        for (name, count) in &record.counts {
            *tallies.counts.entry(name).or_default() += count;
        }
        tallies.profile.add(&record.profile);
    }
    tallies
}

/// The names of the provisional findings.
pub(crate) fn unsettled(store: &Store) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for finding in store.ledger.findings()? {
        if !store.ledger.is_settled(&finding)? {
            names.push(finding.name());
        }
    }
    Ok(names)
}
