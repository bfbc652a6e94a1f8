//! The order of lists: what a maintainer must see first comes first.

use model::Finding;

/// Sorts findings: proved before open, soundness before the rest, then by number.
pub fn ranked(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| (finding.weighed.evidence, finding.kind(), finding.bug, finding.number));
    findings
}
