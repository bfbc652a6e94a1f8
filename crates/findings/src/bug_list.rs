//! The bugs of a campaign, each with the finding that shows it best.

use crate::{Titles, ranked};
use anyhow::Result;
use model::Finding;
use store::{BugRow, Ledger, Store};

/// One bug of a list.
pub struct ListedBug {
    /// Its number, fingerprint and hits.
    pub row: BugRow,
    /// A title that tells it from the other bugs.
    pub title: String,
    /// The finding that shows it best.
    pub best: Finding,
    /// How many of its findings are kept.
    pub kept: usize,
}

/// Every bug, strongest first.
pub fn listed_bugs(store: &Store) -> Result<Vec<ListedBug>> {
    let findings = ranked(store.database.findings()?);
    let rows = store.database.bugs()?;
    let titles = Titles::new(&findings, &rows);
    let mut list: Vec<ListedBug> = Vec::new();
    for row in rows {
        let of_this = || findings.iter().filter(|finding| finding.bug == row.number);
        // The findings are in the order of lists, so the first is the best.
        if let Some(best) = of_this().next() {
            let (title, best, kept) = (titles.of(best), best.clone(), of_this().count());
            list.push(ListedBug { row, title, best, kept });
        }
    }
    list.sort_by_key(|bug| (bug.best.weighed.evidence, bug.best.kind(), bug.row.number));
    Ok(list)
}
