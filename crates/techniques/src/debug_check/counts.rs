//! What `debug_check` counts.

use crate::{Count, Share};

pub const PROGRAMS: Count = Count::scoped("programs");
pub const PROGRAMS_WITH_UNDEFINED_BEHAVIOUR: Count = Count::new("programs with undefined behaviour");
pub const QUERIES_ENDED_BY_LIMIT: Count = Count::new("queries ended by a limit");
pub const EVALUATIONS_ANSWERED: Count = Count::new("evaluations answered");
pub const EVALUATIONS_NOT_REACHED: Count = Count::new("evaluations not reached");
pub const FALSE_WITHOUT_EXECUTION: Count = Count::new("called false where no execution arrives");

pub const SHARES: &[Share] =
    &[Share { part: EVALUATIONS_NOT_REACHED, whole: EVALUATIONS_ANSWERED, is_included: false }];
