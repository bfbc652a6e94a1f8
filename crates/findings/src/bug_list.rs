//! The bugs of a campaign, each with the finding that shows it best.

use crate::{Titles, ranked};
use anyhow::Result;
use model::Finding;
use store::{BugRow, Store};

/// One bug of a list.
pub struct ListedBug {
    /// Its number, fingerprint and hits.
    pub row: BugRow,
    /// A title that distinguishes it from the other bugs.
    pub title: String,
    /// The finding that shows it best.
    pub best: Finding,
    /// The number of its kept findings.
    pub kept: usize,
}

/// Lists all bugs, the strongest first.
pub fn listed_bugs(store: &Store) -> Result<Vec<ListedBug>> {
    let findings = ranked(store.ledger.findings()?);
    let rows = store.ledger.bugs()?;
    let titles = Titles::new(&findings, &rows);
    let mut list: Vec<ListedBug> = Vec::new();
    for row in rows {
        let of_this = || findings.iter().filter(|finding| finding.bug == row.number);
        // The findings are ranked, so the first is the best.
        if let Some(best) = of_this().next() {
            let (title, best, kept) = (titles.of(best), best.clone(), of_this().count());
            list.push(ListedBug { row, title, best, kept });
        }
    }
    list.sort_by_key(|bug| (bug.best.weighed.evidence, bug.best.kind(), bug.row.number));
    Ok(list)
}
