//! What `maze` counts.

use crate::{Count, Share};

pub const PROGRAMS: Count = Count::scoped("programs");
pub const PROGRAMS_WITHOUT_DECISION: Count = Count::new("programs without a decided check");
pub const PROGRAMS_EXECUTED: Count = Count::new("programs executed to test juvenal itself");
/// An analyzer that over-approximates can decide only those that no input reaches.
pub const CHECKS: Count = Count::new("checks of mazes that the analyzer could decide");
pub const CHECKS_UNDECIDED: Count = Count::new("checks of mazes not decided");
pub const REACHABLE: Count = Count::new("checks that an input reaches");
pub const REACHABLE_FOUND: Count = Count::new("checks that an input reaches, found");
pub const UNREACHABLE: Count = Count::new("checks that no input reaches");
pub const UNREACHABLE_VERIFIED: Count = Count::new("checks that no input reaches, verified");
pub const UNREACHABLE_ALARMS: Count =
    Count::new("checks that no input reaches, called violated without claim");
pub const OPEN: Count = Count::new("checks of unknown status");

pub const SHARES: &[Share] = &[
    Share { part: PROGRAMS_WITHOUT_DECISION, whole: PROGRAMS, is_included: true },
    Share { part: CHECKS_UNDECIDED, whole: CHECKS, is_included: true },
];
