//! Merged reports of made-up projects, against the reports of the whole and against the rules in other words.

use crate::merge::normalized;
use crate::{DependencyGraph, Loss, Merged, Part, PartReport, SourceFile, each_once, loss, merge};
use model::{FileFailure, Level, ProjectReport, Random, RelatedPlace, ResultPlace, Rule, ToolResult};
use std::collections::{BTreeMap, BTreeSet};

const CASES: u64 = 400;
const MISSING: &str = "missing-import";

fn files(names: &[&str]) -> Vec<SourceFile> {
    names.iter().map(|name| SourceFile { name: (*name).to_owned(), bytes: 1, lines: 1 }).collect()
}

fn result(rule: &str, file: &str, line: u32, message: &str) -> ToolResult {
    ToolResult {
        rule: rule.to_owned(),
        level: Level::Warning,
        message: message.to_owned(),
        place: (!file.is_empty()).then(|| ResultPlace::line(file, line)),
        related: Vec::new(),
        fingerprints: BTreeMap::new(),
        suppressed: false,
    }
}

fn report(results: Vec<ToolResult>) -> ProjectReport {
    ProjectReport { results, ..ProjectReport::default() }
}

fn part(files: &[u32], owned: &[u32], results: Vec<ToolResult>) -> PartReport {
    let part = Part::new(files.to_vec(), owned.to_vec());
    PartReport { analyzed: part.files.clone(), part, report: report(results) }
}

/// The results as `rule file:line level message`.
fn lines(report: &ProjectReport) -> Vec<String> {
    let line = |it: &ToolResult| {
        let place = it.place.as_ref().map_or(String::new(), |place| format!("{}:{}", place.file, place.line));
        format!(
            "{} {place} {} {}{}",
            it.rule,
            it.level.word(),
            it.message,
            if it.suppressed { " -" } else { "" }
        )
    };
    report.results.iter().map(line).collect()
}

/// A project in which every finding and everything that it depends on is known.
struct Planted {
    names: Vec<String>,
    graph: DependencyGraph,
    /// Headers are never named.
    is_header: Vec<bool>,
    findings: Vec<PlantedFinding>,
}

struct PlantedFinding {
    result: ToolResult,
    file: u32,
    /// The files that must be seen.
    needs: Vec<u32>,
    /// For a finding in a header, the file through which it is seen.
    through: Option<u32>,
}

impl Planted {
    fn new(random: &mut Random) -> Planted {
        let count = random.between(1, 9) as u32;
        let mut targets = vec![Vec::new(); count as usize];
        for list in &mut targets {
            list.extend((0..random.below(3)).map(|_| random.below(count as usize) as u32));
        }
        let mut planted = Planted {
            names: (0..count).map(|number| format!("f{number}")).collect(),
            graph: DependencyGraph::new(targets),
            is_header: (0..count).map(|_| random.percent(25)).collect(),
            findings: Vec::new(),
        };
        for number in 0..random.below(14) {
            let finding = planted.finding(random, number);
            planted.findings.extend(finding);
        }
        planted
    }

    fn files(&self) -> Vec<SourceFile> {
        files(&self.names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The files up to this distance.
    fn near(&self, file: u32, radius: usize) -> BTreeSet<u32> {
        let mut near = BTreeSet::from([file]);
        for _ in 0..radius {
            near.extend(near.clone().iter().flat_map(|&file| self.graph.targets(file).to_vec()));
        }
        near
    }

    fn finding(&self, random: &mut Random, number: usize) -> Option<PlantedFinding> {
        let file = random.below(self.names.len()) as u32;
        let reachable: Vec<u32> = self.near(file, self.names.len()).into_iter().collect();
        let needs = (0..random.below(3)).filter_map(|_| random.choose(&reachable).copied()).collect();
        let users: Vec<u32> = (0..self.names.len() as u32)
            .filter(|&user| {
                !self.is_header[user as usize] && self.near(user, self.names.len()).contains(&file)
            })
            .collect();
        let through = self.is_header[file as usize].then(|| random.choose(&users).copied());
        let rule = *random.choose(&["a", "b"])?;
        let message = format!("m{}", if random.percent(30) { 0 } else { number });
        let result = result(rule, &self.names[file as usize], random.between(1, 3) as u32, &message);
        Some(PlantedFinding { result, file, needs, through: through.flatten() })
    }

    /// What a tool reports that analyzes these files and sees those.
    fn run(&self, analyzed: &BTreeSet<u32>, visible: &BTreeSet<u32>) -> ProjectReport {
        let mut results: Vec<ToolResult> = Vec::new();
        for finding in &self.findings {
            let is_analyzed = match self.is_header[finding.file as usize] {
                true => finding.through.is_some_and(|file| analyzed.contains(&file)),
                false => analyzed.contains(&finding.file),
            };
            if is_analyzed && finding.needs.iter().all(|file| visible.contains(file)) {
                results.push(finding.result.clone());
            }
        }
        for &file in analyzed {
            for &target in self.graph.targets(file).iter().filter(|target| !visible.contains(target)) {
                results.push(result(MISSING, &self.names[file as usize], 1, &format!("no f{target}")));
            }
        }
        report(results)
    }

    fn sources(&self) -> BTreeSet<u32> {
        (0..self.names.len() as u32).filter(|&file| !self.is_header[file as usize]).collect()
    }

    fn all(&self) -> BTreeSet<u32> {
        (0..self.names.len() as u32).collect()
    }

    fn whole(&self) -> ProjectReport {
        self.run(&self.sources(), &self.all())
    }

    /// Parts whose owners have what they need up to this distance.
    fn parts(&self, random: &mut Random, radius: usize) -> Vec<Part> {
        let mut owned = vec![Vec::new(); random.between(1, 4)];
        for file in 0..self.names.len() as u32 {
            let part = random.below(owned.len());
            owned[part].push(file);
        }
        let around = |owned: Vec<u32>| {
            let files = owned.iter().flat_map(|&file| self.near(file, radius)).collect();
            Part::new(files, owned)
        };
        owned.into_iter().filter(|owned| !owned.is_empty()).map(around).collect()
    }

    /// The run of a part in place: the tool follows dependencies, and reports on some of the files that it comes to.
    fn in_place(&self, random: &mut Random, part: &Part) -> PartReport {
        let sources = self.sources();
        let named: BTreeSet<u32> = part.owned.iter().copied().filter(|file| sources.contains(file)).collect();
        let reached: BTreeSet<u32> = named.iter().flat_map(|&file| self.near(file, 9)).collect();
        let followed = reached.into_iter().filter(|file| sources.contains(file) && random.coin());
        let seen = named.iter().copied().chain(followed).collect();
        let report = self.run(&seen, &self.all());
        PartReport { part: part.clone(), analyzed: named.into_iter().collect(), report }
    }

    fn isolated(&self, part: &Part) -> PartReport {
        let visible: BTreeSet<u32> = part.files.iter().copied().collect();
        let analyzed: BTreeSet<u32> = visible.intersection(&self.sources()).copied().collect();
        let report = self.run(&analyzed, &visible);
        PartReport { part: part.clone(), analyzed: analyzed.into_iter().collect(), report }
    }
}

#[test]
fn parts_in_place_give_exactly_the_whole() {
    let mut dependencies = 0;
    for case in 0..CASES {
        let mut random = Random::for_case(201, case);
        let planted = Planted::new(&mut random);
        let parts = planted.parts(&mut random, 1);
        let reports: Vec<PartReport> = parts.iter().map(|part| planted.in_place(&mut random, part)).collect();
        let merged = merge(&planted.files(), &reports);
        assert_eq!(merged.report, each_once(&planted.whole()), "case {case}");
        let loss = loss(&planted.whole(), &merged.report, &planted.files(), &parts, &planted.graph);
        assert_eq!((loss.counts.lost, loss.counts.new, loss.counts.moved), (0, 0, 0));
        assert!(merged.counts.conflicts.is_empty());
        dependencies += merged.counts.of_dependencies;
    }
    assert!(dependencies > 100, "{dependencies}");
}

#[test]
fn isolated_parts_report_no_missing_import_that_their_owner_has() {
    let (mut refuted, mut lost, mut new) = (0, 0, 0);
    for case in 0..CASES {
        let mut random = Random::for_case(202, case);
        let planted = Planted::new(&mut random);
        let radius = random.below(4);
        let parts = planted.parts(&mut random, radius);
        let reports: Vec<PartReport> = parts.iter().map(|part| planted.isolated(part)).collect();
        let merged = merge(&planted.files(), &reports);
        let loss = loss(&planted.whole(), &merged.report, &planted.files(), &parts, &planted.graph);
        if radius > 0 {
            assert!(merged.report.results.iter().all(|it| it.rule != MISSING), "case {case}");
            assert_eq!(loss.counts.new, 0);
            refuted += merged.counts.conflicts.get(MISSING).map_or(0, |rule| rule.unconfirmed);
        }
        check_loss(&planted, &parts, &loss, case);
        lost += loss.counts.lost;
        new += loss.counts.new;
    }
    assert!(refuted > 50 && lost > 50 && new > 50, "{refuted} {lost} {new}");
}

/// What is lost in a source file or new is explained by an edge that exists, is cut and is nearest.
fn check_loss(planted: &Planted, parts: &[Part], loss: &Loss, case: u64) {
    let number = |name: &str| planted.names.iter().position(|it| it == name).unwrap() as u32;
    for difference in loss.lost.iter().chain(&loss.new) {
        let file = number(&difference.result.place.as_ref().unwrap().file);
        let part = parts.iter().find(|part| part.owns(file)).unwrap();
        let lacks = |distance| planted.near(file, distance).iter().any(|&it| !part.contains(it));
        match &difference.cut {
            None => assert!(planted.is_header[file as usize], "case {case}"),
            Some(cut) => {
                let distance = cut.distance as usize;
                assert!(planted.graph.targets(number(&cut.from)).contains(&number(&cut.to)));
                assert!(planted.near(file, distance - 1).contains(&number(&cut.from)));
                assert!(!part.contains(number(&cut.to)) && lacks(distance) && !lacks(distance - 1));
            }
        }
    }
}

/// Reports of any content on parts of any shape: files without an owner, and with several.
fn any_reports(random: &mut Random) -> (Vec<SourceFile>, Vec<PartReport>) {
    let files = files(&["a", "b", "c"]);
    let any_files = |random: &mut Random| -> Vec<u32> { (0..3).filter(|_| random.coin()).collect() };
    let parts = (0..random.between(1, 4)).map(|_| {
        let part = Part::new(any_files(random), any_files(random));
        let results = (0..random.below(10)).map(|_| any_result(random)).collect();
        let rules = (0..random.below(4)).map(|_| any_rule(random)).collect();
        let failures = (0..random.below(2)).map(|_| any_failure(random)).collect();
        PartReport {
            part,
            analyzed: any_files(random),
            report: ProjectReport { rules, results, failures, is_partial: false },
        }
    });
    let parts = parts.collect();
    (files, parts)
}

fn any_result(random: &mut Random) -> ToolResult {
    let file = *random.choose(&["a", "b", "c", "/usr/h", ""]).unwrap();
    let message = *random.choose(&["x", " x", "y"]).unwrap();
    let rule = *random.choose(&["r", "s"]).unwrap();
    let mut result = result(rule, file, random.between(1, 2) as u32, message);
    result.level = *random.choose(&Level::ALL).unwrap();
    result.suppressed = random.percent(20);
    if random.percent(20) {
        result.related.push(RelatedPlace { place: ResultPlace::line("b", 1), message: String::new() });
    }
    result
}

fn any_rule(random: &mut Random) -> Rule {
    let mut text =
        || random.choose(&["", "p", "q"]).filter(|text| !text.is_empty()).map(|text| (*text).to_owned());
    let (name, description, help) = (text(), text(), text());
    Rule { id: (*random.choose(&["r", "s"]).unwrap()).to_owned(), name, description, help }
}

fn any_failure(random: &mut Random) -> FileFailure {
    let file = random.choose(&["a", "b", "/usr/h", ""]).filter(|file| !file.is_empty());
    FileFailure { file: file.map(|file| (*file).to_owned()), message: "no".to_owned() }
}

/// The rules of merging in other words, one result at a time: for each result that some part that speaks for its file
/// reports, its gravest level among those parts, and whether one of them suppresses it.
fn expected(
    files: &[SourceFile],
    parts: &[PartReport],
) -> BTreeSet<(String, Option<ResultPlace>, String, Level, bool)> {
    let owner_analyzed = |file: u32| {
        let fails = |part: &PartReport| {
            part.report.failures.iter().any(|it| it.file.as_deref() == Some(&files[file as usize].name))
        };
        parts
            .iter()
            .any(|part| part.part.owned.contains(&file) && part.analyzed.contains(&file) && !fails(part))
    };
    let speaks = |part: &PartReport, place: &Option<ResultPlace>| {
        let file = place.as_ref().and_then(|place| files.iter().position(|file| file.name == place.file));
        file.is_none_or(|file| !owner_analyzed(file as u32) || part.part.owned.contains(&(file as u32)))
    };
    let mut kept = BTreeSet::new();
    for one in parts.iter().flat_map(|part| &part.report.results) {
        let same = |it: &&ToolResult| {
            it.rule == one.rule
                && it.place == one.place
                && normalized(&it.message) == normalized(&one.message)
        };
        let spoken = parts.iter().filter(|part| speaks(part, &one.place));
        let said: Vec<&ToolResult> = spoken.flat_map(|part| &part.report.results).filter(same).collect();
        if let Some(level) = said.iter().map(|it| it.level).max() {
            let suppressed = said.iter().any(|it| it.suppressed);
            kept.insert((one.rule.clone(), one.place.clone(), normalized(&one.message), level, suppressed));
        }
    }
    kept
}

#[test]
fn merging_follows_the_rules() {
    for case in 0..5 * CASES {
        let (files, parts) = any_reports(&mut Random::for_case(203, case));
        let merged = merge(&files, &parts);
        let results = &merged.report.results;
        let kept: BTreeSet<_> = results
            .iter()
            .map(|it| (it.rule.clone(), it.place.clone(), normalized(&it.message), it.level, it.suppressed))
            .collect();
        assert_eq!(kept, expected(&files, &parts), "case {case}");
        assert_eq!(kept.len(), results.len(), "no result stands twice");
        check_counts(&files, &parts, &merged);
    }
}

fn check_counts(files: &[SourceFile], parts: &[PartReport], merged: &Merged) {
    let counts = &merged.counts;
    let reported: usize = parts.iter().map(|part| part.report.results.len()).sum();
    assert_eq!(counts.reported, reported as u64);
    assert_eq!(counts.kept, merged.report.results.len() as u64);
    assert_eq!(counts.reported, counts.kept + counts.duplicates + counts.in_conflict());
    let is_outside = |it: &&ToolResult| {
        it.place.as_ref().is_none_or(|place| files.iter().all(|file| file.name != place.file))
    };
    assert_eq!(counts.outside, merged.report.results.iter().filter(is_outside).count() as u64);
    let in_project = counts.kept - counts.outside;
    assert!(counts.without_owner <= in_project && counts.of_dependencies <= counts.reported - counts.kept);
}

#[test]
fn the_order_of_parts_and_results_does_not_matter() {
    for case in 0..CASES {
        let mut random = Random::for_case(204, case);
        let (files, mut parts) = any_reports(&mut random);
        let before = serde_json::to_string(&merge(&files, &parts)).unwrap();
        random.shuffle(&mut parts);
        for part in &mut parts {
            random.shuffle(&mut part.report.results);
            random.shuffle(&mut part.report.rules);
            random.shuffle(&mut part.report.failures);
            random.shuffle(&mut part.analyzed);
        }
        assert_eq!(serde_json::to_string(&merge(&files, &parts)).unwrap(), before, "case {case}");
    }
}

#[test]
fn merging_what_was_merged_changes_nothing() {
    for case in 0..CASES {
        let (files, parts) = any_reports(&mut Random::for_case(205, case));
        let report = merge(&files, &parts).report;
        assert_eq!(each_once(&report), report, "case {case}");
    }
}

#[test]
fn owners_speak_for_the_files_that_they_analyzed() {
    let files = files(&["a.c", "b.c", "h.h"]);
    let one = || vec![result("r", "a.c", 1, "x"), result("r", "h.h", 1, "x"), result("r", "b.c", 2, "false")];
    let two = || vec![result("r", "b.c", 1, "y"), result("r", "h.h", 1, "x"), result("r", "h.h", 2, "z")];
    let first = PartReport { analyzed: vec![0, 1], ..part(&[0, 1, 2], &[0, 2], one()) };
    let second = PartReport { analyzed: vec![1], ..part(&[1, 2], &[1], two()) };
    let both = merge(&files, &[first.clone(), second.clone()]);
    let expected = ["r a.c:1 warning x", "r b.c:1 warning y", "r h.h:1 warning x", "r h.h:2 warning z"];
    assert_eq!(lines(&both.report), expected);
    let counts = &both.counts;
    assert_eq!((counts.duplicates, counts.of_dependencies, counts.without_owner), (1, 1, 2));
    let conflicts = &counts.conflicts["r"];
    assert_eq!((conflicts.differing, conflicts.unconfirmed), (0, 1));
    assert_eq!(conflicts.example.as_ref().unwrap().message, "false");
    // The run of the second part failed, or the tool failed on the file: then what the first part says is all there is.
    let mut failed = PartReport { analyzed: Vec::new(), ..second.clone() };
    failed.report.results.clear();
    assert!(
        lines(&merge(&files, &[first.clone(), failed]).report).contains(&"r b.c:2 warning false".to_owned())
    );
    let mut unreadable = second.clone();
    unreadable
        .report
        .failures
        .push(FileFailure { file: Some("b.c".to_owned()), message: "syntax".to_owned() });
    let merged = merge(&files, &[first.clone(), unreadable]);
    assert_eq!((merged.report.results.len(), merged.report.failures.len()), (5, 1));
    // A failure where another part has the file is no failure.
    let mut first = first;
    first.report.failures.push(FileFailure { file: Some("b.c".to_owned()), message: "syntax".to_owned() });
    let merged = merge(&files, &[first, second]);
    assert_eq!((merged.report.failures.len(), merged.counts.dropped_failures), (0, 1));
}

#[test]
fn conflicts_are_resolved_for_the_owner() {
    let files = files(&["a"]);
    let graver = ToolResult { level: Level::Error, ..result("s", "a", 1, "x") };
    let owner = part(&[0], &[0], vec![result("r", "a", 1, "mine"), result("s", "a", 1, "x")]);
    let other = part(&[0], &[], vec![result("r", "a", 1, "other"), graver.clone()]);
    let merged = merge(&files, &[other, owner]);
    assert_eq!(lines(&merged.report), ["r a:1 warning mine", "s a:1 warning x"]);
    assert_eq!((merged.counts.conflicts["r"].differing, merged.counts.conflicts["s"].differing), (1, 1));
    // Without an owner, the graver one counts.
    let outside = |result: ToolResult| part(&[], &[], vec![result]);
    let merged = merge(&[], &[outside(result("s", "a", 1, "x")), outside(graver)]);
    assert_eq!(lines(&merged.report), ["s a:1 error x"]);
    assert_eq!(merged.counts.in_conflict(), 1);
}

#[test]
fn rules_are_united() {
    let rule = |name: &str, description: Option<&str>| Rule {
        id: "r".to_owned(),
        name: Some(name.to_owned()),
        description: description.map(str::to_owned),
        help: None,
    };
    let with = |rules: Vec<Rule>| PartReport {
        report: ProjectReport { rules, ..ProjectReport::default() },
        ..PartReport::default()
    };
    let merged = merge(&[], &[with(vec![rule("n", None)]), with(vec![rule("n", Some("d"))])]);
    assert_eq!((merged.report.rules, merged.counts.differing_rules), (vec![rule("n", Some("d"))], 0));
    let merged = merge(&[], &[with(vec![rule("z", None)]), with(vec![rule("n", Some("d"))])]);
    assert_eq!((merged.report.rules, merged.counts.differing_rules), (vec![rule("n", Some("d"))], 1));
}

#[test]
fn lost_and_new_results_are_explained_by_the_nearest_cut_edge() {
    let files = files(&["a", "b", "c", "d", "e"]);
    // d needs a needs b needs c, and e stands alone.
    let graph = DependencyGraph::new(vec![vec![1], vec![2], vec![], vec![0], vec![]]);
    let parts = [Part::new(vec![0, 1], vec![0]), Part::owning(vec![1, 2, 3]), Part::owning(vec![4])];
    let mut from_caller = result("r", "a", 9, "called badly");
    from_caller.related.push(RelatedPlace { place: ResultPlace::line("d", 1), message: String::new() });
    let whole = report(vec![
        result("r", "a", 1, "x"),
        result("r", "a", 2, "moved"),
        result("r", "b", 1, "same"),
        result("s", "e", 1, "unexplained"),
        from_caller,
        result("r", "", 0, "without place"),
    ]);
    let merged = report(vec![
        result("r", "a", 3, "moved"),
        result("r", "b", 1, " same"),
        result(MISSING, "a", 1, "c"),
    ]);
    let loss = loss(&whole, &merged, &files, &parts, &graph);
    let counts = &loss.counts;
    assert_eq!((counts.found, counts.moved, counts.lost, counts.new), (2, 1, 4, 1));
    assert_eq!((counts.lost_explained, counts.new_explained), (2, 1));
    assert_eq!(loss.by_rule["s"].lost, 1);
    let cuts: Vec<Option<(&str, &str, u32)>> = loss
        .lost
        .iter()
        .chain(&loss.new)
        .map(|it| it.cut.as_ref().map(|cut| (cut.from.as_str(), cut.to.as_str(), cut.distance)))
        .collect();
    let (forward, backward) = (Some(("b", "c", 2)), Some(("d", "a", 1)));
    assert_eq!(cuts, [None, forward, backward, None, forward]);
    assert_eq!(loss.edges_by_cost(), [("b", "c", 1, 1), ("d", "a", 1, 0)]);
    assert!((counts.recall() - 2.0 / 6.0).abs() < 1e-12);
}

#[test]
fn every_result_is_found_lost_or_new() {
    for case in 0..CASES {
        let mut random = Random::for_case(206, case);
        let mut any = || report((0..random.below(12)).map(|_| any_result(&mut random)).collect());
        let (whole, merged) = (any(), any());
        let files = files(&["a", "b", "c"]);
        let loss = loss(&whole, &merged, &files, &[], &DependencyGraph::new(vec![vec![]; 3]));
        let counts = &loss.counts;
        assert_eq!(counts.whole(), each_once(&whole).results.len() as u64);
        assert_eq!(counts.found + counts.new, each_once(&merged).results.len() as u64);
        assert_eq!((counts.lost, counts.new), (loss.lost.len() as u64, loss.new.len() as u64));
        let sum = |count: fn(&crate::LossCounts) -> u64| loss.by_rule.values().map(count).sum::<u64>();
        assert_eq!(
            (sum(|it| it.found), sum(|it| it.lost), sum(|it| it.new)),
            (counts.found, counts.lost, counts.new)
        );
    }
}
