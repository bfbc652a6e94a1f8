//! Cutting a project again after a change. Parts without a change stay as they are.

use crate::strategies::join;
use crate::{Cut, CutSettings, DependencyGraph, Direction, Neighborhoods, Part, SourceFile, Strategy};

/// The parts of a project that was cut before. `earlier` has the parts of then, with the numbers that their files have now; files
/// that are gone are left out of it.
///
/// Every part keeps the files that it owns, and takes in what these need now. New files, and those of parts that no longer fit,
/// are cut by the strategy on their own.
pub fn recut(
    earlier: &[Part],
    strategy: &Strategy,
    files: &[SourceFile],
    graph: &DependencyGraph,
    settings: &CutSettings,
) -> Vec<Part> {
    let cut = Cut::new(files, graph, settings);
    let mut walks = Neighborhoods::new(graph);
    let mut is_owned = vec![false; files.len()];
    let mut parts = Vec::new();
    for part in earlier {
        let owned: Vec<u32> = part.owned.iter().copied().filter(|&file| !is_owned[file as usize]).collect();
        if !owned.is_empty() && owned.len() == part.owned.len() && cut.size_of(&owned) <= cut.most() {
            owned.iter().for_each(|&file| is_owned[file as usize] = true);
            parts.push(kept(part, owned, &cut, &mut walks));
        }
    }
    let free: Vec<u32> = (0..files.len() as u32).filter(|&file| !is_owned[file as usize]).collect();
    parts.extend(new_parts(&free, strategy, &cut, &mut walks));
    parts.sort_by(|a, b| a.owned.cmp(&b.owned).then_with(|| a.files.cmp(&b.files)));
    parts
}

/// A part with the files that it owned, those that it had, and those that it needs now, nearest first, as far as they fit.
fn kept(part: &Part, owned: Vec<u32>, cut: &Cut<'_>, walks: &mut Neighborhoods<'_>) -> Part {
    if !cut.settings.replicates {
        return Part::owning(owned);
    }
    let mut near = Vec::new();
    walks.visit(&owned, cut.settings.radius, Direction::Targets, |file, _| {
        near.push(file);
        true
    });
    // What the part had before comes first, so that it changes as little as possible; but only if it is still needed.
    let (had, new): (Vec<u32>, Vec<u32>) = near.into_iter().partition(|&file| part.contains(file));
    let (mut files, mut size) = (Vec::new(), cut.size_of(&owned));
    for file in had.into_iter().chain(new).filter(|file| owned.binary_search(file).is_err()) {
        if size + cut.size(file) <= cut.most() {
            size += cut.size(file);
            files.push(file);
        }
    }
    Part::new(files, owned)
}

/// The parts of the files that have none yet: those that the strategy would make for them.
fn new_parts(free: &[u32], strategy: &Strategy, cut: &Cut<'_>, walks: &mut Neighborhoods<'_>) -> Vec<Part> {
    if free.is_empty() {
        return Vec::new();
    }
    let is_free = |file: &u32| free.binary_search(file).is_ok();
    let whole = strategy.partition(cut).into_iter();
    let parts = whole.map(|part| (part.owned.iter().copied().filter(is_free).collect::<Vec<u32>>(), part));
    let parts = parts.filter(|(owned, _)| !owned.is_empty());
    join(cut, parts.map(|(owned, part)| kept(&part, owned, cut, walks)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Measure, STRATEGIES, SizeLimit};
    use model::Random;

    fn files(count: usize) -> Vec<SourceFile> {
        (0..count)
            .map(|at| SourceFile { name: format!("{at:03}"), bytes: 1 + at as u64 % 5, lines: 1 })
            .collect()
    }

    fn graph(random: &mut Random, count: usize) -> DependencyGraph {
        let mut targets = || (0..random.below(4)).map(|_| random.below(count) as u32).collect();
        DependencyGraph::new((0..count).map(|_| targets()).collect())
    }

    #[test]
    fn a_project_without_changes_keeps_its_parts() {
        let mut random = Random::for_case(30, 0);
        for replicates in [true, false] {
            let (files, graph) = (files(60), graph(&mut random, 60));
            let settings = CutSettings {
                replicates,
                ..CutSettings::new(SizeLimit { most: 30, measure: Measure::Bytes })
            };
            let parts = STRATEGIES[0].partition(&Cut::new(&files, &graph, &settings));
            assert_eq!(recut(&parts, &STRATEGIES[0], &files, &graph, &settings), parts);
        }
    }

    #[test]
    fn files_and_dependencies_come_and_go() {
        for number in 0..1000 {
            let mut random = Random::for_case(31, number);
            let (before, after) = (random.between(1, 40), random.between(1, 40));
            let limit = SizeLimit { most: random.between(5, 40) as u64, measure: Measure::Bytes };
            let settings = CutSettings { replicates: random.coin(), ..CutSettings::new(limit) };
            let strategy = random.choose(&STRATEGIES).unwrap();
            let earlier_graph = graph(&mut random, before);
            let mut earlier = strategy.partition(&Cut::new(&files(before), &earlier_graph, &settings));
            for part in &mut earlier {
                part.files.retain(|&file| (file as usize) < after);
                part.owned.retain(|&file| (file as usize) < after);
            }
            let (files, graph) = (files(after), graph(&mut random, after));
            let parts = recut(&earlier, strategy, &files, &graph, &settings);
            let mut owned: Vec<u32> = parts.iter().flat_map(|part| part.owned.clone()).collect();
            owned.sort_unstable();
            assert_eq!(owned, (0..after as u32).collect::<Vec<_>>(), "case {number}");
            let cut = Cut::new(&files, &graph, &settings);
            assert!(parts.iter().all(|part| cut.size_of(&part.files) <= limit.most), "case {number}");
        }
    }
}
