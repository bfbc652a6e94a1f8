//! What `interrogation` counts.

use crate::{Count, Share};

pub const SEED_ANSWERED: Count = Count::scoped("seed answered *");
pub const SEEDS_WITHOUT_NOTES: Count = Count::new("seeds without notes");
pub const SEEDS_NOT_EXECUTED: Count = Count::new("seeds that could not be executed");
pub const KNOWN_PROGRAMS: Count = Count::new("programs in knowledge bases");
pub const PAIRS: Count = Count::new("pairs");
pub const PAIRS_WITHOUT_COMMON_CHECK: Count = Count::new("pairs without a common check");
pub const PROGRAMS_WITHOUT_FAILING_CHECK: Count = Count::new("programs without a failing check");
pub const CONTRADICTIONS: Count = Count::new("pairs that contradict each other");
pub const CONTRADICTIONS_NOT_EXECUTED: Count = Count::new("contradictions that could not be executed");
pub const SUSPICIONS_DROPPED: Count = Count::new("suspicions of imprecision dropped");
pub const ROUNDS_ENDED_BY_LIMIT: Count = Count::new("rounds ended by a limit");
pub const CHECKS_ADDED: Count = Count::new("checks added");
pub const CHECKS_STRENGTHENED: Count = Count::new("checks strengthened");
pub const CHECKS_WEAKENED: Count = Count::new("checks weakened");
pub const ASSUMPTIONS_ADDED: Count = Count::new("assumptions added");
pub const ASSUMPTIONS_STRENGTHENED: Count = Count::new("assumptions strengthened");
pub const ASSUMPTIONS_WEAKENED: Count = Count::new("assumptions weakened");
pub const ASSUMPTIONS_RESTATED: Count = Count::new("assumptions restated");
pub const INVARIANTS_WEAKENED: Count = Count::new("invariants weakened");
pub const INVARIANTS_ASSUMED: Count = Count::new("invariants assumed");

pub const SHARES: &[Share] = &[
    Share { part: PROGRAMS_WITHOUT_FAILING_CHECK, whole: PAIRS, is_included: true },
    Share { part: PAIRS_WITHOUT_COMMON_CHECK, whole: PAIRS, is_included: true },
];
