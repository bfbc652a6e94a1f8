//! The published baseline SIZELIMITING: files in the order of their names, cut to size.

use crate::{Cut, Part};

pub fn partition(cut: &Cut<'_>) -> Vec<Part> {
    cut.chunks(cut.in_order())
}
