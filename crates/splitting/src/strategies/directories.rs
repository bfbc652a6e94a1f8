//! A baseline that people use by hand: folders stay whole where they fit.

use crate::{Cut, Part};
use std::collections::BTreeMap;

/// A folder that fits into a part stays whole. What does not fit is cut into its subfolders and its own files. The pieces
/// then fill parts in their order.
pub fn partition(cut: &Cut<'_>) -> Vec<Part> {
    let mut pieces = Vec::new();
    let mut waiting = vec![(0, cut.in_order())];
    while let Some((depth, files)) = waiting.pop() {
        if files.len() == 1 || cut.size_of(&files) <= cut.most() {
            pieces.push(files);
            continue;
        }
        let mut inside = inside(cut, &files, depth);
        inside.reverse();
        waiting.extend(inside.into_iter().map(|files| (depth + 1, files)));
    }
    fill(cut, pieces)
}

/// What is inside of a folder at this depth: its own files one by one, its subfolders whole.
fn inside(cut: &Cut<'_>, files: &[u32], depth: usize) -> Vec<Vec<u32>> {
    let mut folders: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let mut own = Vec::new();
    for &file in files {
        let mut components = cut.name(file).split('/').skip(depth);
        match (components.next(), components.next()) {
            (Some(folder), Some(_)) => folders.entry(folder).or_default().push(file),
            _ => own.push(vec![file]),
        }
    }
    own.extend(folders.into_values());
    own
}

fn fill(cut: &Cut<'_>, pieces: Vec<Vec<u32>>) -> Vec<Part> {
    let (mut parts, mut open, mut size) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        let more = cut.size_of(&piece);
        if !open.is_empty() && size + more > cut.most() {
            parts.push(Part::owning(std::mem::take(&mut open)));
            size = 0;
        }
        size += more;
        open.extend(piece);
    }
    if !open.is_empty() {
        parts.push(Part::owning(open));
    }
    parts
}
