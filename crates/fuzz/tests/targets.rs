//! Every parser and reader on its regressions and on some mutated inputs. The binary `fuzz` runs more of them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fuzz::{Fuzzed, Fuzzing, TARGETS, corpus, fuzz};
use test_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The number of inputs for each target, which take about a minute together.
const INPUTS: u64 = 3_000;

#[test]
fn nothing_panics_hangs_or_takes_too_much_memory() {
    for target in TARGETS {
        assert!(!corpus(target).unwrap().is_empty(), "{} has no corpus", target.name);
        let fuzzing = Fuzzing { seed: 0, first: 0, inputs: INPUTS, nanoseconds: u64::MAX };
        assert_eq!(fuzz(target, fuzzing).unwrap(), Fuzzed { inputs: INPUTS, failure: None });
    }
}
