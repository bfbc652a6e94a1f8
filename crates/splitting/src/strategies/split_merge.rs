//! The published algorithm SPLITMERGE (algorithms 8 to 10), with its slips corrected.
//!
//! - Algorithm 8, line 9, clears the edges where the result is meant, and its inner loop runs over all files where the
//!   neighbors of one are meant.
//! - Algorithm 9, lines 14 to 16: an index range that includes both ends repeats one file too many, so a piece could be
//!   larger than the limit. Exactly as many hubs as computed are repeated here, at most one less than the limit.
//! - Algorithm 9, line 17: the number of pieces is rounded up, not down and one more.
//! - Algorithm 9, line 12, contradicts the example; [`HubsOf`](crate::HubsOf) chooses.
//! - Algorithm 10: see `join.rs`.

use super::join::join;
use crate::{Cut, HubsOf, Neighborhoods, Part};
use std::cell::OnceCell;

pub fn partition(cut: &Cut<'_>) -> Vec<Part> {
    let targets = vec![OnceCell::new(); cut.graph.file_count()];
    let mut graph = Augmented { walks: cut.walks(), radius: cut.settings.radius, targets };
    let mut parts = Vec::new();
    for file in cut.in_order() {
        let files = match cut.settings.replicates {
            true => graph.walks.needed(file, cut.settings.radius),
            false => vec![file],
        };
        if cut.size_of(&files) <= cut.most() {
            parts.push(Part::new(files, vec![file]));
        } else {
            parts.extend(split(cut, &mut graph, file, files));
        }
    }
    join(cut, parts)
}

/// Splits the part of one file into pieces. The first piece that has the file owns it; the others own nothing.
fn split(cut: &Cut<'_>, graph: &mut Augmented<'_>, owner: u32, mut files: Vec<u32>) -> Vec<Part> {
    let degrees = graph.degrees(&files);
    let degree = |file: u32| degrees.binary_search_by_key(&file, |it| it.0).map_or(0, |at| degrees[at].1);
    files.sort_by_key(|&file| (std::cmp::Reverse(degree(file)), cut.rank(file)));
    let (hubs, others) = files.split_at(hub_count(cut, &files));
    let room = cut.most().saturating_sub(cut.size_of(hubs));
    let mut parts: Vec<Part> = evenly(cut, others, room)
        .into_iter()
        .map(|piece| {
            // A file that does not fit beside the hubs gets a part of its own.
            let hubs = if cut.size_of(piece) > room { &[][..] } else { hubs };
            Part::new([hubs, piece].concat(), Vec::new())
        })
        .collect();
    match parts.iter_mut().find(|part| part.contains(owner)) {
        Some(part) => part.owned.push(owner),
        None => parts.push(Part::new(hubs.to_vec(), vec![owner])),
    }
    parts
}

/// The edges of the graph with those between files that are at most the radius apart, computed where they are needed.
struct Augmented<'a> {
    walks: Neighborhoods<'a>,
    radius: u32,
    targets: Vec<OnceCell<Vec<u32>>>,
}

impl Augmented<'_> {
    /// The degree of each file of a part, within the part, sorted by file.
    fn degrees(&mut self, files: &[u32]) -> Vec<(u32, u32)> {
        let mut degrees: Vec<(u32, u32)> = files.iter().map(|&file| (file, 0)).collect();
        degrees.sort_unstable();
        let position =
            |degrees: &[(u32, u32)], file: u32| degrees.binary_search_by_key(&file, |it| it.0).ok();
        for &file in files {
            let Self { walks, radius, targets } = self;
            let others = targets[file as usize].get_or_init(|| walks.needed(file, *radius));
            let inside: Vec<usize> = others
                .iter()
                .filter(|&&other| other != file)
                .filter_map(|&other| position(&degrees, other))
                .collect();
            inside.iter().for_each(|&at| degrees[at].1 += 1);
            if let Some(at) = position(&degrees, file) {
                degrees[at].1 += inside.len() as u32;
            }
        }
        degrees
    }
}

/// How many of these files, best connected first, are repeated in every piece. Some room is left for the others.
fn hub_count(cut: &Cut<'_>, files: &[u32]) -> usize {
    let base = match cut.settings.hubs_of {
        HubsOf::Part => cut.size_of(files),
        HubsOf::Limit => cut.most(),
    };
    let share = (base * u64::from(cut.settings.hubs_percent) / 100).min(cut.most().saturating_sub(1));
    let mut size = 0;
    let fits = |&&file: &&u32| {
        size += cut.size(file);
        size <= share
    };
    files.iter().take_while(fits).count()
}

/// Divides files into as few pieces as fit into the room, of sizes as equal as their order allows.
fn evenly<'a>(cut: &Cut<'_>, files: &'a [u32], room: u64) -> Vec<&'a [u32]> {
    let total = cut.size_of(files);
    let mut pieces = total.div_ceil(room.max(1)).max(1);
    let (mut left, mut rest, mut done) = (total, files, Vec::new());
    while !rest.is_empty() {
        let target = left.div_ceil(pieces.max(1)).min(room);
        let mut size = 0;
        let fits = |&&file: &&u32| {
            size += cut.size(file);
            size <= target
        };
        // A file that is larger than the target still has to go somewhere, and does so alone.
        let count = rest.iter().take_while(fits).count().max(1);
        let (piece, others) = rest.split_at(count);
        left -= cut.size_of(piece);
        pieces = pieces.saturating_sub(1);
        done.push(piece);
        rest = others;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CutSettings, DependencyGraph, Measure, SizeLimit, SourceFile};

    /// The example of the publication: E needs A, C, D and F; A and D need B, D also C; B needs C.
    #[test]
    fn the_published_example_gives_the_published_parts() {
        let files: Vec<SourceFile> = ["A", "B", "C", "D", "E", "F"]
            .iter()
            .map(|name| SourceFile { name: (*name).to_owned(), bytes: 1, lines: 1 })
            .collect();
        let graph =
            DependencyGraph::new(vec![vec![1], vec![2], vec![], vec![1, 2], vec![0, 2, 3, 5], vec![]]);
        let limit = SizeLimit { most: 4, measure: Measure::Files };
        let settings = CutSettings { hubs_percent: 34, hubs_of: HubsOf::Part, ..CutSettings::new(limit) };
        let cut = Cut::new(&files, &graph, &settings);
        let mut found: Vec<String> = partition(&cut)
            .iter()
            .map(|part| part.files.iter().map(|&file| cut.name(file)).collect::<String>())
            .collect();
        found.sort();
        assert_eq!(found, ["ABCE", "BCD", "BDEF"]);
    }
}
