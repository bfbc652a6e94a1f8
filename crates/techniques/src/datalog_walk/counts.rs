//! What the techniques for Datalog engines count.

use crate::{Count, Share};

pub const ANSWERS: Count = Count::new("* by *");
pub const QUERIES_ASKED_AGAIN: Count = Count::new("queries asked again");
pub const REWRITES: Count = Count::new("rewrites");
pub const REWRITES_BY_KIND: Count = Count::new("rewrites by *");
pub const PROGRAMS: Count = Count::scoped("programs asked about");
pub const PROGRAMS_WITH_EMPTY_OUTPUT: Count = Count::scoped("programs with an empty output");
pub const PROGRAMS_NOT_COMPUTED: Count = Count::scoped("programs that the reference engine cannot compute");
pub const REWRITTEN: Count = Count::scoped("rewritten programs");
pub const REWRITTEN_TO_THE_SAME: Count = Count::scoped("rewritten programs that are the same");
pub const ROWS_TO_CHANGE: Count = Count::scoped("programs whose rows were to change");
pub const ROWS_UNCHANGED: Count = Count::scoped("programs whose rows did not change");

pub const SHARES: &[Share] = &[
    Share { part: PROGRAMS_WITH_EMPTY_OUTPUT, whole: PROGRAMS, is_included: true },
    Share { part: REWRITTEN_TO_THE_SAME, whole: REWRITTEN, is_included: true },
    Share { part: ROWS_UNCHANGED, whole: ROWS_TO_CHANGE, is_included: true },
];
