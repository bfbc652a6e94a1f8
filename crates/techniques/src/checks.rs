//! What answers say about the checks of a C program.

use model::{Answer, Approximation, CheckStatus, ReachabilityInfo};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The status of each check.
pub type Statuses = BTreeMap<u32, CheckStatus>;

/// What an unsettled check counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unsettled {
    /// An alarm, as with every analyzer that over-approximates.
    Fails,
    /// Nothing is claimed about it.
    Open,
}

impl Unsettled {
    /// What an analyzer's unsettled checks count as.
    pub fn of(role: &ReachabilityInfo) -> Unsettled {
        match role.approximation {
            Approximation::Over | Approximation::Neither => Unsettled::Fails,
            Approximation::Exact | Approximation::Under => Unsettled::Open,
        }
    }

    /// Whether a check fails; `None` if nothing is claimed about it.
    pub fn fails(self, status: CheckStatus) -> Option<bool> {
        match (status, self) {
            (CheckStatus::Verified, _) => Some(false),
            (CheckStatus::Violated, _) | (CheckStatus::Unknown, Unsettled::Fails) => Some(true),
            (CheckStatus::Unknown, Unsettled::Open) => None,
        }
    }
}

/// The statuses in an answer; `None` if it makes no claim, or reports undefined behaviour.
pub fn statuses(answer: &Answer) -> Option<Statuses> {
    let claim = answer.checks().filter(|claim| claim.undefined.is_none())?;
    Some(claim.checks.iter().map(|claim| (claim.check, claim.status)).collect())
}

/// The checks that one answer calls verified and an execution free of undefined behaviour violates.
pub fn refuted_checks(claimed: &Answer, executed: &Answer) -> Vec<u32> {
    let (Some(claimed), Some(executed)) = (statuses(claimed), executed.checks()) else { return Vec::new() };
    if executed.undefined.is_some() {
        return Vec::new();
    }
    let violated = executed.checks.iter().filter(|check| check.status == CheckStatus::Violated);
    let verified = |check: &u32| claimed.get(check) == Some(&CheckStatus::Verified);
    violated.map(|check| check.check).filter(verified).collect()
}

/// True if a program was executed without undefined behaviour.
pub fn is_clean(executed: &Answer) -> bool {
    executed.checks().is_some_and(|claim| claim.undefined.is_none())
}
