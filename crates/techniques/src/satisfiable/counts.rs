//! What `satisfiable` counts.

use crate::{Count, Share};

pub const SEED_ANSWERED: Count = Count::scoped("seed answered *");
pub const ASSIGNMENTS: Count = Count::new("assignments");
pub const ASSIGNMENTS_FROM_MODELS: Count = Count::new("assignments from models");
pub const ASSIGNMENTS_WITHOUT_PREDICATES: Count = Count::new("assignments without usable predicates");
pub const ASSIGNMENTS_NOT_READ_BACK: Count = Count::new("assignments that do not read back");
pub const FORMULAS: Count = Count::new("formulas constructed");
pub const INSTANCES: Count = Count::new("instances");
pub const INSTANCES_DRAWN_TWICE: Count = Count::new("instances drawn twice");
pub const CHECKS: Count = Count::scoped("checks");
pub const MODELS_ASKED_FOR: Count = Count::new("models asked for");
pub const MODELS_NOT_READ: Count = Count::new("models not read");
pub const EXPECTED_REFUSALS: Count = Count::new("expected refusals");
pub const SELF_CHECKS_FAILED: Count = Count::new("self-checks failed");
pub const CASES_GIVEN_UP: Count = Count::scoped("cases given up for lack of claims");

/// Faults of juvenal's own, which hide possible findings.
pub const OWN_FAULTS: [Count; 2] = [SELF_CHECKS_FAILED, ASSIGNMENTS_NOT_READ_BACK];

pub const SHARES: &[Share] = &[Share { part: INSTANCES_DRAWN_TWICE, whole: INSTANCES, is_included: false }];
