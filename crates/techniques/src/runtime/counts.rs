//! What `runtime` counts.

use crate::{Count, Share};

pub const PROGRAMS: Count = Count::scoped("programs");
pub const PROGRAMS_WITHOUT_ANSWER: Count = Count::new("programs without an answer");
pub const PROGRAMS_INITIALIZED: Count = Count::new("programs shown again with a value for every variable");
pub const WARNINGS: Count = Count::new("warnings on programs without errors");
pub const WARNINGS_NOT_FROM_MAIN: Count = Count::new("warnings on paths that do not begin in main");
pub const WARNINGS_NOT_EXECUTED: Count = Count::new("warnings on paths that are not executed");
pub const ROUNDS_WITHOUT_ERROR: Count = Count::new("rounds without an error to inject");
pub const ERRORS: Count = Count::new("errors injected");
pub const ERRORS_THAT_DO_NOT_HAPPEN: Count = Count::new("errors that do not happen");
pub const ERRORS_NOT_REPORTED: Count = Count::new("errors not reported");
pub const ERRORS_NOT_REACHED: Count = Count::new("errors that the analyzer does not reach");

pub const SHARES: &[Share] = &[Share { part: ERRORS_THAT_DO_NOT_HAPPEN, whole: ERRORS, is_included: true }];
