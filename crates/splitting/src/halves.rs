//! What becomes of a part that a tool cannot analyze within its limits.

use crate::{DependencyGraph, Direction, Neighborhoods, Part};

/// The smaller parts that take the place of one that failed.
///
/// The files that it owns are divided between two parts, each of which has what its half needs of the files that were there. A
/// single file with what it needs becomes the file alone. Nothing is left to try for a file alone, or for a part that owns
/// nothing: other parts own its files.
pub fn halves(part: &Part, graph: &DependencyGraph) -> Vec<Part> {
    match part.owned.as_slice() {
        [] => Vec::new(),
        [_] if part.files.len() == 1 => Vec::new(),
        [file] => vec![Part::owning(vec![*file])],
        owned => {
            let (first, second) = owned.split_at(owned.len().div_ceil(2));
            let mut walks = Neighborhoods::new(graph);
            [first, second].map(|half| with_needs(half, part, &mut walks)).to_vec()
        }
    }
}

/// Some files of a part with what they need of the others, at any distance.
fn with_needs(owned: &[u32], part: &Part, walks: &mut Neighborhoods<'_>) -> Part {
    let mut files = Vec::new();
    walks.visit(owned, u32::MAX, Direction::Targets, |file, _| {
        if part.contains(file) {
            files.push(file);
        }
        true
    });
    // A half that needs everything would be as large as the whole.
    if files.len() == part.files.len() {
        Part::owning(owned.to_vec())
    } else {
        Part::new(files, owned.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_smaller_until_files_are_alone() {
        // 0 → 2 → 4, 1 → 3
        let graph = DependencyGraph::new(vec![vec![2], vec![3], vec![4], vec![], vec![]]);
        let part = |files: &[u32], owned: &[u32]| Part::new(files.to_vec(), owned.to_vec());
        for (given, expected) in [
            (part(&[0, 1, 2, 3], &[0, 1]), vec![part(&[0, 2], &[0]), part(&[1, 3], &[1])]),
            (part(&[0, 2, 4], &[0, 2]), vec![part(&[0], &[0]), part(&[2, 4], &[2])]),
            (part(&[0, 2], &[0]), vec![part(&[0], &[0])]),
            (part(&[0], &[0]), vec![]),
            (part(&[0, 2], &[]), vec![]),
        ] {
            assert_eq!(halves(&given, &graph), expected, "{given:?}");
        }
    }
}
