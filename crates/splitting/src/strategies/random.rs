//! A baseline that knows nothing: files in random order, cut to size.

use crate::{Cut, Part};
use model::Random;

/// The order is the same in every run.
const SEED: u64 = 0x5eed;

pub fn partition(cut: &Cut<'_>) -> Vec<Part> {
    let mut files = cut.in_order();
    Random::for_case(SEED, 1).shuffle(&mut files);
    cut.chunks(files)
}
