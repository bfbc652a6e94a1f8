//! What a cut costs: the results of a run on the whole project against those that were merged from parts.
//!
//! Results are matched by rule, file, line, column and message; then by rule, file and message alone, so that a result on
//! another line is not both lost and new. What remains is *lost* or *new*. The cut may explain such a result if the part
//! that owns its file lacks a file that it depends on, directly or through others: the dependency that leads to the nearest
//! such file is a *cut edge*. What no cut edge explains has another cause, which may be a mistake of ours. The converse does
//! not hold: in a small part almost every file depends on something that is missing, so the distance matters.

use crate::merge::{each_once, normalized};
use crate::{DependencyGraph, Part, SourceFile};
use model::{ProjectReport, ToolResult};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What became of the results of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Loss {
    /// The numbers.
    pub counts: LossCounts,
    /// The same by rule.
    pub by_rule: BTreeMap<String, LossCounts>,
    /// What the whole reports and the parts do not.
    pub lost: Vec<Difference>,
    /// What the parts report and the whole does not.
    pub new: Vec<Difference>,
}

/// The numbers of results that were found, lost and new. Each result counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LossCounts {
    /// Results that the whole and the parts report.
    pub found: u64,
    /// Those of them that stand at another place in the file.
    pub moved: u64,
    /// Results of the whole that the parts do not report.
    pub lost: u64,
    /// Those of them that a cut edge may explain.
    pub lost_explained: u64,
    /// Results of the parts that the whole does not report.
    pub new: u64,
    /// Those of them that a cut edge may explain.
    pub new_explained: u64,
}

impl LossCounts {
    /// The results of the whole.
    pub fn whole(&self) -> u64 {
        self.found + self.lost
    }

    /// The share of the results of the whole that were found; all if there are none.
    pub fn recall(&self) -> f64 {
        if self.lost == 0 { 1.0 } else { self.found as f64 / self.whole() as f64 }
    }
}

/// A result that was lost or is new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The result.
    pub result: ToolResult,
    /// What may explain it: the nearest cut edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutEdge>,
}

/// A dependency between files that are not together in the part where they should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CutEdge {
    /// The file that needs the other.
    pub from: String,
    /// The file that is needed.
    pub to: String,
    /// The number of edges from the file of the result to the one that its part lacks.
    pub distance: u32,
}

impl Loss {
    /// The cut edges, without their distances, that may explain lost and new results, and how many of each. The most expensive
    /// come first.
    pub fn edges_by_cost(&self) -> Vec<(&str, &str, u64, u64)> {
        let mut costs: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
        for cut in self.lost.iter().filter_map(|difference| difference.cut.as_ref()) {
            costs.entry((&cut.from, &cut.to)).or_default().0 += 1;
        }
        for cut in self.new.iter().filter_map(|difference| difference.cut.as_ref()) {
            costs.entry((&cut.from, &cut.to)).or_default().1 += 1;
        }
        let mut sorted: Vec<_> =
            costs.into_iter().map(|((from, to), (lost, new))| (from, to, lost, new)).collect();
        sorted.sort_by_key(|(_, _, lost, new)| std::cmp::Reverse(lost + new));
        sorted
    }
}

/// Compares the merged results with those of the whole.
pub fn loss(
    whole: &ProjectReport,
    merged: &ProjectReport,
    files: &[SourceFile],
    parts: &[Part],
    graph: &DependencyGraph,
) -> Loss {
    let mut cuts = Cuts::new(files, parts, graph);
    let mut loss = Loss::default();
    let Matched { found, lost, new } = matched(each_once(whole).results, each_once(merged).results);
    for (result, is_moved) in found {
        loss.count(&result.rule, |counts| {
            counts.found += 1;
            counts.moved += u64::from(is_moved);
        });
    }
    for result in lost {
        let cut = cuts.explaining(&result);
        loss.count(&result.rule, |counts| {
            counts.lost += 1;
            counts.lost_explained += u64::from(cut.is_some());
        });
        loss.lost.push(Difference { result, cut });
    }
    for result in new {
        let cut = cuts.explaining(&result);
        loss.count(&result.rule, |counts| {
            counts.new += 1;
            counts.new_explained += u64::from(cut.is_some());
        });
        loss.new.push(Difference { result, cut });
    }
    loss
}

impl Loss {
    fn count(&mut self, rule: &str, add: impl Fn(&mut LossCounts)) {
        add(&mut self.counts);
        add(self.by_rule.entry(rule.to_owned()).or_default());
    }
}

/// Results of the whole that were found, with whether they moved; those that were lost; and those that are new.
struct Matched {
    found: Vec<(ToolResult, bool)>,
    lost: Vec<ToolResult>,
    new: Vec<ToolResult>,
}

fn matched(whole: Vec<ToolResult>, merged: Vec<ToolResult>) -> Matched {
    let (same, whole, merged) = paired(whole, merged, |it| (rule_and_message(it), start(it)));
    let (moved, lost, new) = paired(whole, merged, rule_and_message);
    let found =
        same.into_iter().map(|it| (it, false)).chain(moved.into_iter().map(|it| (it, true))).collect();
    Matched { found, lost, new }
}

type RuleAndMessage = (String, String, String);

fn rule_and_message(result: &ToolResult) -> RuleAndMessage {
    let file = result.place.as_ref().map_or(String::new(), |place| place.file.clone());
    (result.rule.clone(), file, normalized(&result.message))
}

fn start(result: &ToolResult) -> Option<(u32, u32)> {
    result.place.as_ref().map(|place| (place.line, place.column))
}

/// Pairs the elements of two lists that have the same key, in their order: the first elements of the pairs, and what remains
/// of each list.
fn paired<K: Ord>(
    first: Vec<ToolResult>,
    second: Vec<ToolResult>,
    key: impl Fn(&ToolResult) -> K,
) -> (Vec<ToolResult>, Vec<ToolResult>, Vec<ToolResult>) {
    let mut waiting: BTreeMap<K, u64> = BTreeMap::new();
    for result in &second {
        *waiting.entry(key(result)).or_default() += 1;
    }
    let mut taken: BTreeMap<K, u64> = BTreeMap::new();
    let (pairs, first_alone) = first.into_iter().partition(|result| {
        let Some(count) = waiting.get_mut(&key(result)).filter(|count| **count > 0) else { return false };
        *count -= 1;
        *taken.entry(key(result)).or_default() += 1;
        true
    });
    let mut take = |result: &ToolResult| match taken.get_mut(&key(result)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let second_alone = second.into_iter().filter(|result| !take(result)).collect();
    (pairs, first_alone, second_alone)
}

/// Finds cut edges, and remembers those that it found.
struct Cuts<'a> {
    files: &'a [SourceFile],
    numbers: BTreeMap<&'a str, u32>,
    owners: BTreeMap<u32, &'a Part>,
    graph: &'a DependencyGraph,
    known: BTreeMap<Vec<u32>, Option<Edge>>,
    /// For the files of a part, by that of its first own one: the nearest edge out of the part.
    ways_out: BTreeMap<u32, BTreeMap<u32, Edge>>,
}

/// An edge by numbers, and its distance.
type Edge = (u32, u32, u32);

impl<'a> Cuts<'a> {
    fn new(files: &'a [SourceFile], parts: &'a [Part], graph: &'a DependencyGraph) -> Cuts<'a> {
        let numbers = (0u32..).zip(files).map(|(number, file)| (file.name.as_str(), number)).collect();
        let owners = parts.iter().flat_map(|part| part.owned.iter().map(move |&file| (file, part))).collect();
        Cuts { files, numbers, owners, graph, known: BTreeMap::new(), ways_out: BTreeMap::new() }
    }

    /// The nearest cut edge of the file of a result, or of the files of its related places.
    fn explaining(&mut self, result: &ToolResult) -> Option<CutEdge> {
        let number = |name: &str| self.numbers.get(name).copied();
        let file = number(&result.place.as_ref()?.file)?;
        let related: BTreeSet<u32> = result.related.iter().filter_map(|it| number(&it.place.file)).collect();
        let starts: Vec<u32> =
            std::iter::once(file).chain(related.into_iter().filter(|&it| it != file)).collect();
        let known = self.known.get(&starts).copied();
        let (from, to, distance) = known.unwrap_or_else(|| {
            let edge = self.owners.get(&file).and_then(|part| {
                let first = part.owned.first().copied().unwrap_or(0);
                let ways = self.ways_out.entry(first).or_insert_with(|| ways_out(self.graph, part));
                nearest_cut(self.graph, part, &starts, ways)
            });
            self.known.insert(starts, edge);
            edge
        })?;
        let name = |number: u32| self.files.get(number as usize).map(|file| file.name.clone());
        Some(CutEdge { from: name(from)?, to: name(to)?, distance })
    }
}

/// The nearest edge to a file that a part lacks, from the first of these files, or from another that the part has.
/// A file that the part lacks itself is cut off if it depends on the first.
fn nearest_cut(
    graph: &DependencyGraph,
    part: &Part,
    starts: &[u32],
    ways: &BTreeMap<u32, Edge>,
) -> Option<Edge> {
    let (present, missing): (Vec<u32>, Vec<u32>) = starts.iter().partition(|&&file| part.contains(file));
    let forward = present.iter().filter_map(|file| ways.get(file)).copied().min_by_key(|edge| edge.2);
    let first = starts.first().copied()?;
    let backward = missing.iter().filter_map(|&user| edge_into_part(graph, part, user, first));
    forward.into_iter().chain(backward).min_by_key(|&(from, to, distance)| (distance, from, to))
}

/// For each file of a part, the nearest edge to a file that the part lacks. Going backwards from these edges, each file is
/// visited once, whatever the number of results.
fn ways_out(graph: &DependencyGraph, part: &Part) -> BTreeMap<u32, Edge> {
    let mut ways: BTreeMap<u32, Edge> = BTreeMap::new();
    let leads_out = |&from: &u32| {
        let to = graph.targets(from).iter().copied().find(|&to| !part.contains(to))?;
        Some((from, (from, to, 1)))
    };
    let mut layer: Vec<u32> = Vec::new();
    for (from, edge) in part.files.iter().filter_map(leads_out) {
        ways.insert(from, edge);
        layer.push(from);
    }
    while !layer.is_empty() {
        let sources = layer.iter().flat_map(|&file| graph.sources(file)).copied();
        let next: BTreeSet<u32> =
            sources.filter(|file| part.contains(*file) && !ways.contains_key(file)).collect();
        let on: Vec<(u32, Edge)> = next
            .iter()
            .filter_map(|&file| {
                // Those of the same layer are not in the map yet, so what is there is one step nearer.
                let &(from, to, distance) = graph.targets(file).iter().find_map(|target| ways.get(target))?;
                Some((file, (from, to, distance + 1)))
            })
            .collect();
        ways.extend(on);
        layer = next.into_iter().collect();
    }
    ways
}

/// So many files around a result are visited to find what may explain it.
const MOST_VISITED: usize = 10_000;

/// On a shortest way from a file that the part lacks to one that it has, the edge that leads into the part. Its distance is
/// that of the missing end from the goal.
fn edge_into_part(graph: &DependencyGraph, part: &Part, user: u32, goal: u32) -> Option<Edge> {
    let mut next: BTreeMap<u32, u32> = BTreeMap::new();
    let mut queue = VecDeque::from([goal]);
    while let Some(file) = queue.pop_front() {
        if file == user || next.len() > MOST_VISITED {
            break;
        }
        for &source in graph.sources(file) {
            if source != goal && !next.contains_key(&source) {
                next.insert(source, file);
                queue.push_back(source);
            }
        }
    }
    let way: Vec<u32> = std::iter::successors(Some(user), |file| next.get(file).copied()).collect();
    let distance = |index: usize| u32::try_from(way.len() - index - 1).unwrap_or(u32::MAX);
    let mut edges =
        way.windows(2).enumerate().filter(|(_, edge)| !part.contains(edge[0]) && part.contains(edge[1]));
    let edge = edges.next_back()?;
    Some((edge.1[0], edge.1[1], distance(edge.0)))
}
