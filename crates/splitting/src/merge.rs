//! One report from the reports of the parts of a project.
//!
//! A part holds files that it owns and others only because these depend on them. The others lack some of their own
//! dependencies there, so a tool may report on them what is not true, such as a missing import. Therefore the owner of a file
//! *speaks* for it if it *analyzed* it: then its results count, also if there are none, and what other parts report on the file
//! is dropped. For files that their owner did not analyze, such as headers, which a tool sees only through other files, or the
//! files of a part whose run failed, the results of all parts count. The same holds for files outside of the project and for
//! results without a place.
//!
//! Each result counts once: results are the same if they have one rule, one place, and one message apart from white space.
//! The outcome does not depend on the order of the parts or of their results.

use crate::{Part, SourceFile};
use model::{FileFailure, ProjectReport, ResultPlace, Rule, ToolResult};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What a tool reported on a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartReport {
    /// The part.
    pub part: Part,
    /// The files that the tool was told to analyze, in a run that succeeded; empty if the run failed. Empty also for a tool
    /// whose results on a file depend on the files that use it: then every part may report what its owner cannot see.
    pub analyzed: Vec<u32>,
    /// What the tool reported.
    pub report: ProjectReport,
}

/// The reports of all parts as one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// Its results are sorted by file, line, column, rule and message.
    pub report: ProjectReport,
    /// How many results were kept, dropped or in conflict.
    pub counts: MergeCounts,
}

/// How many results of the parts were kept, dropped as duplicates, or in conflict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MergeCounts {
    /// The results of all parts.
    pub reported: u64,
    /// The results of the merged report.
    pub kept: u64,
    /// Results that were dropped because the same one was kept.
    pub duplicates: u64,
    /// Results on a file that another part speaks for. They were dropped, as duplicates or in conflicts.
    pub of_dependencies: u64,
    /// Results that were kept although the owner of their file did not analyze it.
    pub without_owner: u64,
    /// Results that were kept and have no place in the project.
    pub outside: u64,
    /// Results that were dropped although no other result says the same, by rule.
    pub conflicts: BTreeMap<String, RuleConflicts>,
    /// Rules that parts describe differently.
    pub differing_rules: u64,
    /// Failures that were dropped because the owner of the file analyzed it.
    pub dropped_failures: u64,
}

/// The conflicts of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RuleConflicts {
    /// Results that were dropped because a kept one at the same place has another message or level.
    pub differing: u64,
    /// Results that were dropped because the owner of the file reports nothing there.
    pub unconfirmed: u64,
    /// The first of them that were dropped, as an example.
    pub example: Option<ToolResult>,
}

impl MergeCounts {
    /// All results that were dropped in conflicts.
    pub fn in_conflict(&self) -> u64 {
        self.conflicts.values().map(|rule| rule.differing + rule.unconfirmed).sum()
    }
}

/// Merges the reports of the parts of a project.
pub fn merge(files: &[SourceFile], parts: &[PartReport]) -> Merged {
    let voices = Voices::new(files, parts);
    let mut merging = Merging::default();
    for (spot, candidates) in candidates(&voices, parts) {
        merging.add(voices.standing(spot.file()), candidates);
    }
    merging.results.sort_by(|first, second| sort_key(first).cmp(&sort_key(second)));
    let mut counts = merging.counts;
    counts.kept = merging.results.len() as u64;
    let (rules, differing_rules) = united_rules(parts);
    let (failures, dropped_failures) = united_failures(&voices, parts);
    counts.differing_rules = differing_rules;
    counts.dropped_failures = dropped_failures;
    let is_partial = parts.iter().any(|part| part.report.is_partial);
    Merged { report: ProjectReport { rules, results: merging.results, failures, is_partial }, counts }
}

/// A report in which each result stands once, in the order of merged reports: a merged report can be compared with it.
pub fn each_once(report: &ProjectReport) -> ProjectReport {
    let whole = PartReport { report: report.clone(), ..PartReport::default() };
    merge(&[], &[whole]).report
}

/// A message without differences in white space.
pub(crate) fn normalized(message: &str) -> String {
    message.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn sort_key(result: &ToolResult) -> (bool, &str, u32, u32, &str, &str, &ToolResult) {
    let place = result.place.as_ref();
    let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
    let file = place.map_or("", |place| place.file.as_str());
    (place.is_some(), file, line, column, &result.rule, &result.message, result)
}

/// Whose results on a file count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Only those of the part that owns it.
    OwnerSpeaks,
    /// Those of all parts, because its owner did not analyze it.
    NoOwnerSpeaks,
    /// Those of all parts, because it is outside of the project.
    Outside,
}

/// The files of a project, and which of them their owners analyzed.
struct Voices<'a> {
    numbers: BTreeMap<&'a str, u32>,
    analyzed_by_owner: BTreeSet<u32>,
}

impl<'a> Voices<'a> {
    fn new(files: &'a [SourceFile], parts: &[PartReport]) -> Voices<'a> {
        let numbers: BTreeMap<&str, u32> =
            (0u32..).zip(files).map(|(number, file)| (file.name.as_str(), number)).collect();
        let mut voices = Voices { numbers, analyzed_by_owner: BTreeSet::new() };
        for part in parts {
            let failed: BTreeSet<u32> = part
                .report
                .failures
                .iter()
                .filter_map(|failure| voices.number(failure.file.as_deref()?))
                .collect();
            let analyzed =
                part.analyzed.iter().filter(|&file| part.part.owns(*file) && !failed.contains(file));
            voices.analyzed_by_owner.extend(analyzed);
        }
        voices
    }

    fn number(&self, file: &str) -> Option<u32> {
        self.numbers.get(file).copied()
    }

    fn standing(&self, file: Option<&str>) -> Standing {
        match file.and_then(|file| self.number(file)) {
            None => Standing::Outside,
            Some(number) if self.analyzed_by_owner.contains(&number) => Standing::OwnerSpeaks,
            Some(_) => Standing::NoOwnerSpeaks,
        }
    }

    fn owns(&self, part: &Part, result: &ToolResult) -> bool {
        let number = result.place.as_ref().and_then(|place| self.number(&place.file));
        number.is_some_and(|number| part.owns(number))
    }
}

/// The place and the rule of results that cannot all be kept if they say different things.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Spot<'a> {
    start: Option<(&'a str, u32, u32)>,
    rule: &'a str,
}

impl<'a> Spot<'a> {
    fn of(result: &'a ToolResult) -> Spot<'a> {
        let start = result.place.as_ref().map(|place| (place.file.as_str(), place.line, place.column));
        Spot { start, rule: &result.rule }
    }

    fn file(&self) -> Option<&'a str> {
        self.start.map(|(file, ..)| file)
    }
}

/// A result of a part.
struct Candidate<'a> {
    result: &'a ToolResult,
    is_of_owner: bool,
}

fn candidates<'a>(voices: &Voices, parts: &'a [PartReport]) -> BTreeMap<Spot<'a>, Vec<Candidate<'a>>> {
    let mut spots: BTreeMap<Spot, Vec<Candidate>> = BTreeMap::new();
    for part in parts {
        for result in &part.report.results {
            let is_of_owner = voices.owns(&part.part, result);
            spots.entry(Spot::of(result)).or_default().push(Candidate { result, is_of_owner });
        }
    }
    spots
}

/// What distinguishes results of one rule that begin at one place.
type Identity<'a> = (Option<&'a ResultPlace>, String);

fn identity(result: &ToolResult) -> Identity<'_> {
    (result.place.as_ref(), normalized(&result.message))
}

/// The results that are kept so far, and the counts of the others.
#[derive(Default)]
struct Merging {
    results: Vec<ToolResult>,
    counts: MergeCounts,
}

impl Merging {
    /// Decides about the results of one rule that begin at one place.
    fn add(&mut self, standing: Standing, candidates: Vec<Candidate>) {
        self.counts.reported += candidates.len() as u64;
        let (speaking, silent): (Vec<Candidate>, Vec<Candidate>) =
            candidates.into_iter().partition(|it| standing != Standing::OwnerSpeaks || it.is_of_owner);
        self.counts.of_dependencies += silent.len() as u64;
        let mut groups: BTreeMap<Identity, Vec<&ToolResult>> = BTreeMap::new();
        for candidate in &speaking {
            groups.entry(identity(candidate.result)).or_default().push(candidate.result);
        }
        let kept: BTreeMap<Identity, ToolResult> = groups
            .into_iter()
            .filter_map(|(identity, copies)| Some((identity, self.kept_of(copies)?)))
            .collect();
        for candidate in &silent {
            self.drop_silent(candidate.result, &kept);
        }
        match standing {
            Standing::OwnerSpeaks => {}
            Standing::NoOwnerSpeaks => self.counts.without_owner += kept.len() as u64,
            Standing::Outside => self.counts.outside += kept.len() as u64,
        }
        self.results.extend(kept.into_values());
    }

    /// One of several copies of a result: the gravest, suppressed if any of them is.
    fn kept_of(&mut self, mut copies: Vec<&ToolResult>) -> Option<ToolResult> {
        copies.sort_by_key(|result| (Reverse(result.level), *result));
        let (first, others) = copies.split_first()?;
        for other in others {
            match other.level == first.level {
                true => self.counts.duplicates += 1,
                false => self.note_conflict(other, true),
            }
        }
        Some(ToolResult { suppressed: copies.iter().any(|result| result.suppressed), ..(*first).clone() })
    }

    /// Drops what a part reports on a file that another part speaks for.
    fn drop_silent(&mut self, result: &ToolResult, kept: &BTreeMap<Identity, ToolResult>) {
        match kept.get(&identity(result)) {
            Some(same) if same.level == result.level => self.counts.duplicates += 1,
            _ => self.note_conflict(result, !kept.is_empty()),
        }
    }

    fn note_conflict(&mut self, dropped: &ToolResult, is_differing: bool) {
        let conflicts = self.counts.conflicts.entry(dropped.rule.clone()).or_default();
        match is_differing {
            true => conflicts.differing += 1,
            false => conflicts.unconfirmed += 1,
        }
        if conflicts.example.as_ref().is_none_or(|example| sort_key(dropped) < sort_key(example)) {
            conflicts.example = Some(dropped.clone());
        }
    }
}

/// The rules of all parts, and the number of those that parts describe differently. Of different texts, the alphabetically
/// first one is taken.
fn united_rules(parts: &[PartReport]) -> (Vec<Rule>, u64) {
    let mut described: BTreeMap<&str, BTreeSet<&Rule>> = BTreeMap::new();
    for rule in parts.iter().flat_map(|part| &part.report.rules) {
        described.entry(&rule.id).or_default().insert(rule);
    }
    let mut differing = 0;
    let mut rules = Vec::new();
    for (id, versions) in described {
        let mut texts = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
        for rule in versions {
            for (text, all) in [&rule.name, &rule.description, &rule.help].into_iter().zip(&mut texts) {
                all.extend(text.as_ref());
            }
        }
        differing += u64::from(texts.iter().any(|all| all.len() > 1));
        let [name, description, help] = texts.map(|all| all.first().map(|text| (*text).clone()));
        rules.push(Rule { id: id.to_owned(), name, description, help });
    }
    (rules, differing)
}

/// What no owner could analyze, and the number of other failures. A part may fail on a file that lacks its dependencies there.
fn united_failures(voices: &Voices, parts: &[PartReport]) -> (Vec<FileFailure>, u64) {
    let all: BTreeSet<&FileFailure> = parts.iter().flat_map(|part| &part.report.failures).collect();
    let (dropped, kept): (Vec<&FileFailure>, Vec<&FileFailure>) = all
        .into_iter()
        .partition(|failure| voices.standing(failure.file.as_deref()) == Standing::OwnerSpeaks);
    (kept.into_iter().cloned().collect(), dropped.len() as u64)
}
