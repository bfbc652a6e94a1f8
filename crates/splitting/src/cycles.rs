//! Files that need each other: the strongly connected components of a dependency graph.

use crate::DependencyGraph;

/// The strongly connected components, each sorted. Every component comes after those that it needs.
///
/// This is Tarjan's algorithm with a stack of its own, since chains of dependencies can be longer than the stack of a thread.
pub fn components(graph: &DependencyGraph) -> Vec<Vec<u32>> {
    let mut search = Search {
        graph,
        order: vec![UNSEEN; graph.file_count()],
        lowest: vec![0; graph.file_count()],
        is_open: vec![false; graph.file_count()],
        open: Vec::new(),
        seen: 0,
        found: Vec::new(),
    };
    for file in 0..graph.file_count() as u32 {
        if search.order[file as usize] == UNSEEN {
            search.explore(file);
        }
    }
    search.found
}

const UNSEEN: u32 = u32::MAX;

struct Search<'a> {
    graph: &'a DependencyGraph,
    /// When each file was first seen.
    order: Vec<u32>,
    /// The earliest open file that each file leads to.
    lowest: Vec<u32>,
    is_open: Vec<bool>,
    /// The files whose component is not complete yet.
    open: Vec<u32>,
    seen: u32,
    found: Vec<Vec<u32>>,
}

impl Search<'_> {
    fn explore(&mut self, root: u32) {
        // Each file with the number of its edges that were followed.
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((file, followed)) = path.last_mut() {
            let file = *file;
            if let Some(&next) = self.graph.targets(file).get(*followed) {
                *followed += 1;
                if self.order[next as usize] == UNSEEN {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.is_open[next as usize] {
                    self.lower(file, self.order[next as usize]);
                }
            } else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.lower(parent, self.lowest[file as usize]);
                }
                self.leave(file);
            }
        }
    }

    fn enter(&mut self, file: u32) {
        self.order[file as usize] = self.seen;
        self.lowest[file as usize] = self.seen;
        self.seen += 1;
        self.is_open[file as usize] = true;
        self.open.push(file);
    }

    fn lower(&mut self, file: u32, order: u32) {
        let lowest = &mut self.lowest[file as usize];
        *lowest = order.min(*lowest);
    }

    /// Closes the component that begins with this file, if one does.
    fn leave(&mut self, file: u32) {
        if self.lowest[file as usize] != self.order[file as usize] {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.open.pop() {
            self.is_open[member as usize] = false;
            component.push(member);
            if member == file {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_complete_and_come_after_what_they_need() {
        let graph =
            DependencyGraph::new(vec![vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![0], vec![]]);
        assert_eq!(components(&graph), [vec![3, 4], vec![0, 1, 2], vec![5], vec![6]]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let count = 300_000;
        let graph = DependencyGraph::new((0..count).map(|file| vec![file + 1]).collect());
        assert_eq!(components(&graph).len(), count as usize);
    }
}
