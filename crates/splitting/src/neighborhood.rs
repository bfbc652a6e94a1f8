//! The files within a distance of a file.

use crate::DependencyGraph;
use std::collections::VecDeque;

/// Walks a graph again and again without allocating for each walk.
pub struct Neighborhoods<'a> {
    graph: &'a DependencyGraph,
    /// The last walk that reached each file.
    reached: Vec<u32>,
    walk: u32,
    waiting: VecDeque<(u32, u32)>,
}

/// Which way edges are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To what a file needs.
    Targets,
    /// To what needs it.
    Sources,
}

impl<'a> Neighborhoods<'a> {
    /// Walks on this graph.
    pub fn new(graph: &'a DependencyGraph) -> Neighborhoods<'a> {
        Neighborhoods { graph, reached: vec![0; graph.file_count()], walk: 0, waiting: VecDeque::new() }
    }

    /// Visits the files within this distance of some files, these included, nearest first. `visit` gets a file and its distance,
    /// and says whether to go on.
    pub fn visit(
        &mut self,
        from: &[u32],
        radius: u32,
        direction: Direction,
        mut visit: impl FnMut(u32, u32) -> bool,
    ) {
        self.begin();
        self.waiting.extend(from.iter().map(|&file| (file, 0)));
        while let Some((file, distance)) = self.waiting.pop_front() {
            // A file may wait twice, and comes first where it is nearest.
            if !self.reach(file) {
                continue;
            }
            if !visit(file, distance) {
                break;
            }
            let graph = self.graph;
            let next = match direction {
                Direction::Targets => graph.targets(file),
                Direction::Sources => graph.sources(file),
            };
            for &next in next {
                let end = if direction == Direction::Targets { next } else { file };
                match graph.length_to(end) {
                    0 => self.waiting.push_front((next, distance)),
                    _ if distance < radius => self.waiting.push_back((next, distance + 1)),
                    _ => {}
                }
            }
        }
    }

    /// The files within this distance that a file needs, itself included, nearest first.
    pub fn needed(&mut self, file: u32, radius: u32) -> Vec<u32> {
        let mut found = Vec::new();
        self.visit(&[file], radius, Direction::Targets, |file, _| {
            found.push(file);
            true
        });
        found
    }

    fn begin(&mut self) {
        self.waiting.clear();
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.reached.fill(0);
            self.walk = 1;
        }
    }

    /// False if the file was visited before.
    fn reach(&mut self, file: u32) -> bool {
        let reached = self.reached.get_mut(file as usize).filter(|reached| **reached != self.walk);
        reached.map(|reached| *reached = self.walk).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_up_to_a_distance_in_either_direction() {
        // 0 → 1 → 2 → 0, 3 → 2
        let graph = DependencyGraph::new(vec![vec![1], vec![2], vec![0], vec![2]]);
        let mut walks = Neighborhoods::new(&graph);
        for (file, radius, expected) in
            [(3, 0, vec![3]), (3, 1, vec![3, 2]), (3, 2, vec![3, 2, 0]), (0, 9, vec![0, 1, 2])]
        {
            assert_eq!(walks.needed(file, radius), expected, "{file} {radius}");
        }
        let mut users = Vec::new();
        walks.visit(&[2], 1, Direction::Sources, |file, distance| {
            users.push((file, distance));
            true
        });
        assert_eq!(users, [(2, 0), (1, 1), (3, 1)]);
    }

    #[test]
    fn what_comes_with_a_file_is_at_no_distance() {
        // 0 → 1 (header) → 2 (header), 0 → 3 → 2
        let graph = DependencyGraph::new(vec![vec![1, 3], vec![2], vec![], vec![2]]);
        let graph = graph.with_attached(vec![false, true, true, false]);
        let mut walks = Neighborhoods::new(&graph);
        let mut check = |file: u32, radius: u32, direction: Direction, expected: &[(u32, u32)]| {
            let mut found = Vec::new();
            walks.visit(&[file], radius, direction, |file, distance| {
                found.push((file, distance));
                true
            });
            assert_eq!(found, expected, "{file} {radius}");
        };
        check(0, 0, Direction::Targets, &[(0, 0), (1, 0), (2, 0)]);
        check(0, 1, Direction::Targets, &[(0, 0), (1, 0), (2, 0), (3, 1)]);
        check(2, 0, Direction::Sources, &[(2, 0), (3, 0), (1, 0), (0, 0)]);
        check(3, 1, Direction::Sources, &[(3, 0), (0, 1)]);
    }
}
