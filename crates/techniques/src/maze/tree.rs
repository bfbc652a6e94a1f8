//! Spanning trees of a grid: the shapes of mazes.

use model::Random;

/// The algorithms by name.
pub(super) const NAMES: [&str; 6] = ["any", "Prims", "Kruskal", "Wilsons", "Sidewinder", "Backtracking"];

/// How a tree is drawn. The algorithms differ in how many dead ends there are and how far they are away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// Grows at a random place of its border: most dead ends.
    Prims,
    /// Joins trees by random walls.
    Kruskal,
    /// Joins random walks: every tree is equally likely.
    Wilsons,
    /// Row by row, with one way up for each run.
    Sidewinder,
    /// Goes on as long as it can: the longest corridors.
    Backtracking,
}

const ALL: [Algorithm; 5] = [
    Algorithm::Prims,
    Algorithm::Kruskal,
    Algorithm::Wilsons,
    Algorithm::Sidewinder,
    Algorithm::Backtracking,
];

impl Algorithm {
    /// Finds an algorithm by its name; `any` is none in particular.
    pub fn named(name: &str) -> Option<Option<Algorithm>> {
        let position = NAMES.iter().position(|known| *known == name)?;
        Some(position.checked_sub(1).map(|index| ALL[index]))
    }

    /// One of them at random.
    pub fn any(random: &mut Random) -> Algorithm {
        ALL[random.below(ALL.len())]
    }
}

/// The rows and columns of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub rows: usize,
    pub columns: usize,
}

impl Grid {
    fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// The cells next to a cell.
    fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let up = (row > 0).then(|| cell - self.columns);
        let down = (row + 1 < self.rows).then(|| cell + self.columns);
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < self.columns).then(|| cell + 1);
        [up, down, left, right].into_iter().flatten()
    }
}

/// A maze without guards. The cells are numbered from the root, 0, in the order of a walk that goes to the end of each
/// branch before it turns to the next one; so a cell has a greater number than its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    /// The children of each cell.
    pub children: Vec<Vec<usize>>,
    /// Pairs of neighbours with a wall between them.
    pub walls: Vec<(usize, usize)>,
}

/// Draws a tree over all cells of a grid.
pub(super) fn draw(grid: Grid, algorithm: Algorithm, random: &mut Random) -> Tree {
    let edges = match algorithm {
        Algorithm::Prims => prims(grid, random),
        Algorithm::Kruskal => kruskal(grid, random),
        Algorithm::Wilsons => wilsons(grid, random),
        Algorithm::Sidewinder => sidewinder(grid, random),
        Algorithm::Backtracking => backtracking(grid, random),
    };
    rooted(grid, &edges, random)
}

/// Numbers the cells from the root and directs the edges away from it.
fn rooted(grid: Grid, edges: &[(usize, usize)], random: &mut Random) -> Tree {
    let mut adjacent: Vec<Vec<usize>> = vec![Vec::new(); grid.cells()];
    for (one, other) in edges {
        adjacent[*one].push(*other);
        adjacent[*other].push(*one);
    }
    const UNSEEN: usize = usize::MAX;
    let mut numbers = vec![UNSEEN; grid.cells()];
    let mut children: Vec<Vec<usize>> = Vec::with_capacity(grid.cells());
    let mut stack = vec![(0, None)];
    while let Some((cell, parent)) = stack.pop() {
        let number = children.len();
        numbers[cell] = number;
        children.push(Vec::new());
        if let Some(parent) = parent {
            let siblings: &mut Vec<usize> = &mut children[parent];
            siblings.push(number);
        }
        random.shuffle(&mut adjacent[cell]);
        let unseen = adjacent[cell].iter().filter(|next| numbers[**next] == UNSEEN);
        stack.extend(unseen.map(|next| (*next, Some(number))));
    }
    let mut walls = Vec::new();
    for cell in 0..grid.cells() {
        for next in grid.neighbours(cell).filter(|next| *next > cell) {
            let (one, other) = (numbers[cell], numbers[next]);
            if !children[one].contains(&other) && !children[other].contains(&one) {
                walls.push((one, other));
            }
        }
    }
    Tree { children, walls }
}

fn prims(grid: Grid, random: &mut Random) -> Vec<(usize, usize)> {
    let mut is_inside = vec![false; grid.cells()];
    is_inside[0] = true;
    let mut border: Vec<(usize, usize)> = grid.neighbours(0).map(|next| (0, next)).collect();
    let mut edges = Vec::new();
    while !border.is_empty() {
        let (from, to) = border.swap_remove(random.below(border.len()));
        if !std::mem::replace(&mut is_inside[to], true) {
            edges.push((from, to));
            border.extend(grid.neighbours(to).filter(|next| !is_inside[*next]).map(|next| (to, next)));
        }
    }
    edges
}

fn kruskal(grid: Grid, random: &mut Random) -> Vec<(usize, usize)> {
    let mut walls: Vec<(usize, usize)> = (0..grid.cells())
        .flat_map(|cell| grid.neighbours(cell).filter(move |next| *next > cell).map(move |next| (cell, next)))
        .collect();
    random.shuffle(&mut walls);
    let mut parents: Vec<usize> = (0..grid.cells()).collect();
    fn root(parents: &mut [usize], mut cell: usize) -> usize {
        while parents[cell] != cell {
            parents[cell] = parents[parents[cell]];
            cell = parents[cell];
        }
        cell
    }
    let mut edges = Vec::new();
    for (one, other) in walls {
        let (of_one, of_other) = (root(&mut parents, one), root(&mut parents, other));
        if of_one != of_other {
            parents[of_one] = of_other;
            edges.push((one, other));
        }
    }
    edges
}

fn wilsons(grid: Grid, random: &mut Random) -> Vec<(usize, usize)> {
    let mut is_inside = vec![false; grid.cells()];
    is_inside[0] = true;
    let mut next_on_walk = vec![0; grid.cells()];
    let mut edges = Vec::new();
    for start in 1..grid.cells() {
        let mut cell = start;
        while !is_inside[cell] {
            let neighbours: Vec<usize> = grid.neighbours(cell).collect();
            next_on_walk[cell] = neighbours[random.below(neighbours.len())];
            cell = next_on_walk[cell];
        }
        // The last way out of each cell is the walk without its loops.
        let mut cell = start;
        while !std::mem::replace(&mut is_inside[cell], true) {
            edges.push((cell, next_on_walk[cell]));
            cell = next_on_walk[cell];
        }
    }
    edges
}

fn sidewinder(grid: Grid, random: &mut Random) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for row in 0..grid.rows {
        let mut start = 0;
        for column in 0..grid.columns {
            let cell = row * grid.columns + column;
            let is_last = column + 1 == grid.columns;
            if !is_last && (row == 0 || random.coin()) {
                edges.push((cell, cell + 1));
            } else if row > 0 {
                let above = row * grid.columns + random.between(start, column) - grid.columns;
                edges.push((above + grid.columns, above));
                start = column + 1;
            }
        }
    }
    edges
}

fn backtracking(grid: Grid, random: &mut Random) -> Vec<(usize, usize)> {
    let mut is_inside = vec![false; grid.cells()];
    is_inside[0] = true;
    let mut path = vec![0];
    let mut edges = Vec::new();
    while let Some(cell) = path.last().copied() {
        let ways: Vec<usize> = grid.neighbours(cell).filter(|next| !is_inside[*next]).collect();
        match random.choose(&ways) {
            Some(next) => {
                is_inside[*next] = true;
                edges.push((cell, *next));
                path.push(*next);
            }
            None => {
                path.pop();
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_reaches_every_cell_once() {
        for algorithm in ALL {
            for (rows, columns) in [(1, 2), (2, 1), (5, 5), (3, 7), (8, 8)] {
                let grid = Grid { rows, columns };
                for case in 0..20 {
                    let tree = draw(grid, algorithm, &mut Random::for_case(1, case));
                    assert_eq!(tree.children.len(), rows * columns, "{algorithm:?}");
                    let mut entered: Vec<usize> = tree.children.iter().flatten().copied().collect();
                    entered.sort_unstable();
                    assert_eq!(entered, (1..rows * columns).collect::<Vec<_>>(), "{algorithm:?}");
                    for (parent, children) in tree.children.iter().enumerate() {
                        assert!(children.iter().all(|child| *child > parent), "{algorithm:?}");
                    }
                    let sides = rows * (columns - 1) + columns * (rows - 1);
                    assert_eq!(tree.walls.len(), sides - (rows * columns - 1), "{algorithm:?}");
                }
            }
        }
    }

    #[test]
    fn the_algorithms_differ_in_dead_ends() {
        let dead_ends = |algorithm| {
            let trees = (0..50).map(|case| {
                let grid = Grid { rows: 8, columns: 8 };
                draw(grid, algorithm, &mut Random::for_case(2, case))
            });
            trees.map(|tree| tree.children.iter().filter(|it| it.is_empty()).count()).sum::<usize>()
        };
        assert!(dead_ends(Algorithm::Prims) > dead_ends(Algorithm::Wilsons));
        assert!(dead_ends(Algorithm::Wilsons) > dead_ends(Algorithm::Backtracking));
    }
}
