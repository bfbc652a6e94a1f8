//! Titles that distinguish bugs.

use model::Finding;
use std::collections::{BTreeMap, BTreeSet};
use store::BugRow;

/// The titles of findings in lists. If several bugs of one analyzer share a title, the features of the bug are appended.
pub struct Titles {
    /// The bugs of each pair of analyzer and title.
    bugs: BTreeMap<(String, String), BTreeSet<u32>>,
    /// The features of each bug.
    features: BTreeMap<u32, String>,
}

impl Titles {
    /// Collects the titles of all findings of a campaign.
    pub fn new(findings: &[Finding], bugs: &[BugRow]) -> Titles {
        let mut by_title: BTreeMap<(String, String), BTreeSet<u32>> = BTreeMap::new();
        for finding in findings {
            by_title.entry(key(finding)).or_default().insert(finding.bug);
        }
        let features = |bug: &BugRow| {
            let features: Vec<&str> = bug.fingerprint.features.iter().map(String::as_str).collect();
            (bug.number, features.join(", "))
        };
        let features = bugs.iter().map(features).collect();
        Titles { bugs: by_title, features }
    }

    /// The title of one finding.
    pub fn of(&self, finding: &Finding) -> String {
        let title = &finding.exhibit.title;
        let is_shared = self.bugs.get(&key(finding)).is_some_and(|bugs| bugs.len() > 1);
        match self.features.get(&finding.bug) {
            Some(features) if is_shared && !features.is_empty() => format!("{title} ({features})"),
            _ => title.clone(),
        }
    }
}

fn key(finding: &Finding) -> (String, String) {
    let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.name());
    (accused.to_owned(), finding.exhibit.title.clone())
}
