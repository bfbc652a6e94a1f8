//! The ways to cut a project, one file each.
//!
//! What all of them promise, and the tests of this file check: every file is owned by exactly one part, no part is larger than
//! the limit unless it is a single file that is, and the result depends on nothing but the project and the settings.

mod directories;
mod growing;
mod join;
mod random;
mod size_limiting;
mod split_merge;

pub(crate) use join::join;

use crate::{Cut, Part};

/// A way to cut a project.
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    partition: fn(&Cut<'_>) -> Vec<Part>,
}

/// Every strategy; the first is the default.
pub static STRATEGIES: [Strategy; 5] = [
    Strategy {
        name: "growing",
        summary: "grows parts along dependencies, with files that share what they need; cycles stay whole where they fit",
        partition: growing::partition,
    },
    Strategy {
        name: "split-merge",
        summary: "the published algorithm: a part for each file with what it needs, then split to size, then merged",
        partition: split_merge::partition,
    },
    Strategy {
        name: "size-limiting",
        summary: "the published baseline: files in the order of their names, cut to size",
        partition: size_limiting::partition,
    },
    Strategy {
        name: "directories",
        summary: "a baseline: folders stay whole where they fit",
        partition: directories::partition,
    },
    Strategy {
        name: "random",
        summary: "a baseline: files in random order, cut to size",
        partition: random::partition,
    },
];

impl Strategy {
    /// The strategy of this name.
    pub fn find(name: &str) -> Option<&'static Strategy> {
        STRATEGIES.iter().find(|strategy| strategy.name == name)
    }

    /// The parts, in the order of the first files that they own.
    pub fn partition(&self, cut: &Cut<'_>) -> Vec<Part> {
        let mut parts = (self.partition)(cut);
        parts.sort_by(|a, b| a.owned.cmp(&b.owned).then_with(|| a.files.cmp(&b.files)));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CutSettings, DependencyGraph, HubsOf, Measure, SizeLimit, SourceFile};
    use model::Random;

    struct Project {
        files: Vec<SourceFile>,
        graph: DependencyGraph,
    }

    /// A project whose folders depend on each other, with cycles, hubs and large files.
    fn project(random: &mut Random) -> Project {
        let count = random.between(0, 40);
        let files = (0..count).map(|number| {
            let bytes =
                if random.percent(10) { random.between(0, 400) } else { random.between(0, 30) } as u64;
            let folders = "a/b/c/"[..2 * random.below(4)].to_owned();
            SourceFile { name: format!("{folders}{number:03}"), bytes, lines: bytes / 5 }
        });
        let files = files.collect();
        let edges = random.below(5);
        let targets =
            (0..count).map(|_| (0..random.below(edges + 1)).map(|_| random.below(count) as u32).collect());
        let graph = DependencyGraph::new(targets.collect());
        let attached = (0..count).map(|_| random.percent(20)).collect();
        Project { graph: graph.with_attached(attached), files }
    }

    fn settings(random: &mut Random) -> CutSettings {
        let measure = *random.choose(&[Measure::Files, Measure::Lines, Measure::Bytes]).unwrap();
        CutSettings {
            limit: SizeLimit { most: random.between(1, 60) as u64, measure },
            radius: random.below(5) as u32,
            replicates: random.percent(70),
            hubs_percent: *random.choose(&[0, 10, 50, 100, 1000]).unwrap(),
            hubs_of: *random.choose(&[HubsOf::Part, HubsOf::Limit]).unwrap(),
            shuffle: random.coin().then(|| random.word()),
        }
    }

    fn check(strategy: &Strategy, project: &Project, settings: &CutSettings) {
        let cut = Cut::new(&project.files, &project.graph, settings);
        let parts = strategy.partition(&cut);
        let what =
            format!("{} {settings:?} {:?} {:?} {parts:?}", strategy.name, project.files, project.graph);
        let mut owned: Vec<u32> = parts.iter().flat_map(|part| part.owned.clone()).collect();
        owned.sort_unstable();
        assert_eq!(owned, (0..project.files.len() as u32).collect::<Vec<_>>(), "{what}");
        for part in &parts {
            assert!(part.owned.iter().all(|&file| part.contains(file)), "{what}");
            let fits = cut.size_of(&part.files) <= settings.limit.most;
            assert!(fits || part.files.len() == 1, "{part:?} in {what}");
            assert!(settings.replicates || part.owned == part.files, "{part:?} in {what}");
        }
        assert_eq!(parts, strategy.partition(&Cut::new(&project.files, &project.graph, settings)), "{what}");
    }

    #[test]
    fn every_file_is_owned_once_and_no_part_is_too_large() {
        for number in 0..3000 {
            let mut random = Random::for_case(20, number);
            let (project, settings) = (project(&mut random), settings(&mut random));
            STRATEGIES.iter().for_each(|strategy| check(strategy, &project, &settings));
        }
    }

    #[test]
    fn without_a_limit_there_is_one_part() {
        let mut random = Random::for_case(21, 0);
        let settings = CutSettings::new(SizeLimit { most: u64::MAX / 2, measure: Measure::Bytes });
        for _ in 0..100 {
            let project = project(&mut random);
            for strategy in &STRATEGIES {
                let parts = strategy.partition(&Cut::new(&project.files, &project.graph, &settings));
                assert_eq!(parts.len(), usize::from(!project.files.is_empty()), "{}", strategy.name);
            }
        }
    }

    /// Files `0` to `5` of three folders, each of which needs its neighbor in another folder.
    #[test]
    fn growing_keeps_together_what_names_tear_apart() {
        let files: Vec<SourceFile> = ["a/0", "a/1", "a/2", "b/3", "b/4", "b/5"]
            .iter()
            .map(|name| SourceFile { name: (*name).to_owned(), bytes: 1, lines: 1 })
            .collect();
        let graph = DependencyGraph::new(vec![vec![3], vec![4], vec![5], vec![0], vec![], vec![]]);
        for replicates in [false, true] {
            let settings = CutSettings {
                replicates,
                ..CutSettings::new(SizeLimit { most: 2, measure: Measure::Files })
            };
            let parts = STRATEGIES[0].partition(&Cut::new(&files, &graph, &settings));
            let expected = [vec![0, 3], vec![1, 4], vec![2, 5]].map(Part::owning);
            assert_eq!(parts, expected, "{replicates}");
        }
    }

    /// Chains of up to five files, numbered at random, all of which include header `0`.
    #[test]
    fn growing_keeps_chains_together_although_all_files_include_a_header() {
        let mut numbers: Vec<u32> = (1..=720).collect();
        Random::for_case(22, 0).shuffle(&mut numbers);
        let (mut targets, mut chains) = (vec![vec![]; 721], Vec::new());
        let mut left = numbers.as_slice();
        for length in (1..=5).cycle().take(240) {
            let (chain, rest) = left.split_at(length);
            for (step, &file) in chain.iter().enumerate() {
                targets[file as usize] = chain.get(step + 1).into_iter().copied().chain([0]).collect();
            }
            chains.push(chain.to_vec());
            left = rest;
        }
        let file = |number: usize| SourceFile { name: format!("{number:03}"), bytes: 1, lines: 1 };
        let files: Vec<SourceFile> = (0..targets.len()).map(file).collect();
        let attached = (0..targets.len()).map(|file| file == 0).collect();
        let graph = DependencyGraph::new(targets).with_attached(attached);
        for seed in 0..5 {
            let settings = CutSettings {
                radius: 1,
                shuffle: Some(seed),
                ..CutSettings::new(SizeLimit { most: 48, measure: Measure::Files })
            };
            let parts = STRATEGIES[0].partition(&Cut::new(&files, &graph, &settings));
            let is_whole =
                |chain: &Vec<u32>| parts.iter().any(|part| chain.iter().all(|&file| part.contains(file)));
            let whole = chains.iter().filter(|chain| is_whole(chain)).count();
            assert!(whole >= 225, "{whole} of 240 chains are whole with seed {seed}");
        }
    }
}
