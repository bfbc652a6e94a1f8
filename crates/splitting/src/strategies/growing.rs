//! Parts that grow along dependencies.
//!
//! A part begins with a file and what it needs, and takes in the file whose own needs it covers best, as long as there is
//! room. So a part holds files that share what they need, and little is repeated in other parts. Files that need each other
//! are taken together if they fit.

use super::join::join;
use crate::cycles::components;
use crate::{Cut, Direction, Neighborhoods, Part};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// So many files that need an added file are considered next. What a great many files need does not tell them apart.
const MOST_USERS: usize = 256;
/// So many files are tried, in order, when no file that is related to a part fits into it.
const MOST_TRIED: usize = 16;
/// Shares are counted in parts of this.
const WHOLE: u64 = 1 << 20;
/// The weight of a unit of size that one file needs.
const UNIT: u64 = 1 << 10;

pub fn partition(cut: &Cut<'_>) -> Vec<Part> {
    let mut growing = Growing::new(cut);
    let mut parts = Vec::new();
    while let Some(first) = growing.next_free() {
        parts.push(growing.part(first));
    }
    join(cut, parts)
}

struct Growing<'a> {
    cut: &'a Cut<'a>,
    walks: Neighborhoods<'a>,
    /// What is owned together: a cycle that fits, or a single file.
    units: Vec<Vec<u32>>,
    unit_of: Vec<u32>,
    is_taken: Vec<bool>,
    /// The units in the order in which they are taken, and how many of them are taken for sure.
    order: Vec<u32>,
    begun: usize,
    /// The weight of each unit with what it needs, once it is known.
    weights: Vec<Option<u64>>,
    open: Open,
}

/// The part that is growing.
struct Open {
    /// The part that each file was last added to.
    part_of: Vec<u32>,
    part: u32,
    size: u64,
    files: Vec<u32>,
    owned: Vec<u32>,
    /// For each unit how much of what it needs the part has, and for which part that was counted.
    covered: Vec<(u32, u64)>,
    candidates: BinaryHeap<Candidate>,
}

/// A unit that shares needs with the part; the greatest is taken next.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    share: u64,
    rank: Reverse<u32>,
    unit: u32,
    covered: u64,
}

impl<'a> Growing<'a> {
    fn new(cut: &'a Cut<'a>) -> Growing<'a> {
        let count = cut.graph.file_count();
        let mut units = Vec::new();
        for component in components(cut.graph) {
            match cut.size_of(&component) <= cut.most() {
                true => units.push(component),
                false => units.extend(component.into_iter().map(|file| vec![file])),
            }
        }
        let mut unit_of = vec![0; count];
        for (number, unit) in units.iter().enumerate() {
            unit.iter().for_each(|&file| unit_of[file as usize] = number as u32);
        }
        let rank = |unit: &u32| units[*unit as usize].iter().map(|&file| cut.rank(file)).min();
        let mut order: Vec<u32> = (0..units.len() as u32).collect();
        order.sort_by_cached_key(rank);
        let open = Open {
            part_of: vec![0; count],
            part: 0,
            size: 0,
            files: Vec::new(),
            owned: Vec::new(),
            covered: vec![(0, 0); units.len()],
            candidates: BinaryHeap::new(),
        };
        Growing {
            cut,
            walks: cut.walks(),
            is_taken: vec![false; units.len()],
            weights: vec![None; units.len()],
            units,
            unit_of,
            order,
            begun: 0,
            open,
        }
    }

    fn next_free(&mut self) -> Option<u32> {
        while let Some(&unit) = self.order.get(self.begun) {
            if !self.is_taken[unit as usize] {
                return Some(unit);
            }
            self.begun += 1;
        }
        None
    }

    /// Grows a part from a unit.
    fn part(&mut self, first: u32) -> Part {
        self.open.begin();
        self.take(first);
        while let Some(unit) = self.best_candidate().or_else(|| self.unrelated()) {
            self.take(unit);
        }
        let open = &mut self.open;
        Part::new(std::mem::take(&mut open.files), std::mem::take(&mut open.owned))
    }

    /// The related unit whose needs are covered best, of those that fit.
    fn best_candidate(&mut self) -> Option<u32> {
        while let Some(candidate) = self.open.candidates.pop() {
            let unit = candidate.unit;
            let is_current = self.open.covered_of(unit) == candidate.covered;
            // What does not fit now never will: the part grows by at least what it covers in addition.
            if is_current && !self.is_taken[unit as usize] && self.fits(unit) {
                return Some(unit);
            }
        }
        None
    }

    /// A unit that fits though it has nothing in common with the part.
    fn unrelated(&mut self) -> Option<u32> {
        self.next_free()?;
        let free = |unit: &u32| !self.is_taken[*unit as usize];
        let next: Vec<u32> = self.order[self.begun..].iter().copied().filter(free).take(MOST_TRIED).collect();
        next.into_iter().find(|&unit| self.fits(unit))
    }

    fn fits(&mut self, unit: u32) -> bool {
        let needed = self.needed(unit);
        let more: u64 =
            needed.iter().filter(|&&file| !self.open.has(file)).map(|&file| self.cut.size(file)).sum();
        self.open.size + more <= self.cut.most()
    }

    /// A unit with what it needs, nearest first, as far as that fits into a part.
    fn needed(&mut self, unit: u32) -> Vec<u32> {
        let own = &self.units[unit as usize];
        if !self.cut.settings.replicates {
            return own.clone();
        }
        let (mut size, mut needed) = (self.cut.size_of(own), own.clone());
        let (cut, radius) = (self.cut, self.cut.settings.radius);
        self.walks.visit(own, radius, Direction::Targets, |file, _| {
            if self.unit_of[file as usize] != unit && size + cut.size(file) <= cut.most() {
                size += cut.size(file);
                needed.push(file);
            }
            size < cut.most()
        });
        needed
    }

    /// Adds a unit to the part, with what it needs.
    fn take(&mut self, unit: u32) {
        self.is_taken[unit as usize] = true;
        self.open.owned.extend(&self.units[unit as usize]);
        for file in self.needed(unit) {
            if self.open.add(file) {
                self.open.size += self.cut.size(file);
                self.relate(&[file], Direction::Sources, self.weight(file));
            }
        }
        if !self.cut.settings.replicates {
            let own = self.units[unit as usize].clone();
            let weight = own.iter().map(|&file| self.weight(file)).sum();
            self.relate(&own, Direction::Targets, weight);
        }
    }

    /// How much a file that is needed tells: its size, divided among the files that need it. A header that every file includes
    /// does not tell files apart.
    fn weight(&self, file: u32) -> u64 {
        self.cut.size(file) * UNIT / self.cut.graph.sources(file).len().max(1) as u64
    }

    /// Says that the part has so much in common with the units around these files.
    fn relate(&mut self, files: &[u32], direction: Direction, weight: u64) {
        let (mut related, mut seen) = (Vec::new(), 0);
        self.walks.visit(files, self.cut.settings.radius, direction, |file, _| {
            related.push(self.unit_of[file as usize]);
            seen += 1;
            seen < MOST_USERS
        });
        related.sort_unstable();
        related.dedup();
        for unit in related {
            if !self.is_taken[unit as usize] {
                let covered = self.open.cover(unit, weight);
                let whole = self.weight_with_needs(unit).max(1);
                let share = covered.min(whole).saturating_mul(WHOLE) / whole;
                let rank = Reverse(self.cut.rank(self.units[unit as usize][0]));
                self.open.candidates.push(Candidate { share, rank, unit, covered });
            }
        }
    }

    fn weight_with_needs(&mut self, unit: u32) -> u64 {
        if let Some(weight) = self.weights[unit as usize] {
            return weight;
        }
        let (mut needed, mut size) = (Vec::new(), 0);
        let cut = self.cut;
        self.walks.visit(&self.units[unit as usize], cut.settings.radius, Direction::Targets, |file, _| {
            needed.push(file);
            size += cut.size(file);
            size < cut.most()
        });
        let weight = needed.into_iter().map(|file| self.weight(file)).sum();
        self.weights[unit as usize] = Some(weight);
        weight
    }
}

impl Open {
    fn begin(&mut self) {
        self.part += 1;
        self.size = 0;
        self.candidates.clear();
    }

    fn has(&self, file: u32) -> bool {
        self.part_of[file as usize] == self.part
    }

    /// False if the part has the file already.
    fn add(&mut self, file: u32) -> bool {
        let is_new = !self.has(file);
        if is_new {
            self.part_of[file as usize] = self.part;
            self.files.push(file);
        }
        is_new
    }

    fn covered_of(&self, unit: u32) -> u64 {
        let (part, size) = self.covered[unit as usize];
        if part == self.part { size } else { 0 }
    }

    fn cover(&mut self, unit: u32, size: u64) -> u64 {
        let covered = self.covered_of(unit) + size;
        self.covered[unit as usize] = (self.part, covered);
        covered
    }
}
