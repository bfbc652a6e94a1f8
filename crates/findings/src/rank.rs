//! The order of lists: the most important findings come first.

use model::Finding;

/// Sorts findings by evidence, the strongest first, then by kind, soundness first, then by number.
pub fn ranked(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| (finding.weighed.evidence, finding.kind(), finding.bug, finding.number));
    findings
}
