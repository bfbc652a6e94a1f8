//! Programs whose checks are reachable exactly where formulas are satisfiable.
#![cfg_attr(not(test), allow(dead_code, reason = "the technique that uses the terms as C is not there yet"))]

pub(crate) mod as_c;
