//! The files of a project and the dependencies between them.

use serde::{Deserialize, Serialize};

/// A file of a project. Its number is its position in the list of all files, which is sorted by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// The path from the root, with `/` between folders.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its size in lines.
    pub lines: u64,
}

/// Which file depends on which: an edge leads from a file to one that it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependencyGraph {
    /// For each file those that it needs, sorted, each once.
    targets: Vec<Vec<u32>>,
    /// For each file those that need it, sorted, each once.
    sources: Vec<Vec<u32>>,
    /// For each file whether it comes with every file that needs it, at no distance; empty if none does.
    attached: Vec<bool>,
}

impl DependencyGraph {
    /// A graph with these edges. Edges from a file to itself, and to numbers that are no file, are left out.
    pub fn new(mut targets: Vec<Vec<u32>>) -> DependencyGraph {
        let count = targets.len();
        let mut sources = vec![Vec::new(); count];
        for (from, list) in (0u32..).zip(&mut targets) {
            list.retain(|&to| to != from && (to as usize) < count);
            list.sort_unstable();
            list.dedup();
            for &to in list.iter() {
                sources[to as usize].push(from);
            }
        }
        DependencyGraph { targets, sources, attached: Vec::new() }
    }

    /// The same graph, in which these files come with every file that needs them: a file of C means nothing without the headers
    /// that it includes, so they add nothing to a distance.
    pub fn with_attached(self, attached: Vec<bool>) -> DependencyGraph {
        DependencyGraph { attached, ..self }
    }

    /// The length of the edges that lead to this file: 1, or 0 if it comes with every file that needs it.
    pub fn length_to(&self, file: u32) -> u32 {
        u32::from(!self.attached.get(file as usize).copied().unwrap_or_default())
    }

    /// The files that this one needs.
    pub fn targets(&self, file: u32) -> &[u32] {
        self.targets.get(file as usize).map_or(&[], Vec::as_slice)
    }

    /// The files that need this one.
    pub fn sources(&self, file: u32) -> &[u32] {
        self.sources.get(file as usize).map_or(&[], Vec::as_slice)
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.targets.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.targets.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_sorted_and_known_from_both_ends() {
        let graph = DependencyGraph::new(vec![vec![2, 1, 2, 0, 7], vec![], vec![1]]);
        assert_eq!((graph.targets(0), graph.sources(1), graph.edge_count()), (&[1, 2][..], &[0, 2][..], 3));
        assert_eq!(graph.targets(9), &[] as &[u32]);
    }
}
