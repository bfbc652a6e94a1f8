//! Titles that tell bugs apart.

use crate::group::features_of;
use model::Finding;
use std::collections::{BTreeMap, BTreeSet};
use store::BugRow;

/// The titles of findings as lists show them: where several bugs of one analyzer go by the same words, with what
/// the bug is made of behind them.
pub struct Titles {
    /// The bugs behind each pair of analyzer and title.
    bugs: BTreeMap<(String, String), BTreeSet<u32>>,
    /// What each bug is made of.
    features: BTreeMap<u32, String>,
}

impl Titles {
    /// Looks at all findings and bugs of a campaign.
    pub fn new(findings: &[Finding], bugs: &[BugRow]) -> Titles {
        let mut by_title: BTreeMap<(String, String), BTreeSet<u32>> = BTreeMap::new();
        for finding in findings {
            by_title.entry(key(finding)).or_default().insert(finding.bug);
        }
        let features =
            bugs.iter().map(|bug| (bug.number, features_of(&bug.fingerprint).join(", "))).collect();
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
