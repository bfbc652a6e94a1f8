//! What a cut costs: the results on the whole, where it fits, or else on a sample of files with everything that these need.

use super::{Analyzed, SplitOptions, SplitProject, SplitState, analyze};
use anyhow::{Result, bail};
use engine::{interruption, is_interruption};
use model::{Claim, ProjectReport, Random, ToolResult, Verdict, Way};
use schedule::Pool;
use splitting::{
    CutSettings, Direction, FrontierPoint, Loss, Measure, Neighborhoods, Part, PartCost, PartReport,
    SizeLimit, each_once, loss, merge,
};
use std::collections::BTreeSet;

/// Files that are drawn for a sample: at first, and at most while they have few results.
const FIRST_FILES: usize = 8;
const MOST_FILES: usize = 64;
/// A sample with fewer results says little about a share.
const FEW_RESULTS: usize = 40;
/// Limits that are tried, as shares of the project.
const SHARES: [u64; 5] = [16, 8, 4, 2, 1];
/// Radiuses that are tried.
const RADIUSES: [u32; 3] = [1, 2, 4];

/// What the tool reports without a cut.
pub enum Reference {
    /// A run on the whole.
    Whole {
        /// Its report.
        report: ProjectReport,
        /// What it cost.
        cost: PartCost,
    },
    /// Runs on single files with everything that they need, because the whole did not fit.
    Sample {
        /// The files.
        files: BTreeSet<u32>,
        /// What the tool reports on them.
        report: ProjectReport,
        /// Why the whole does not fit.
        why: String,
    },
}

impl Reference {
    /// Runs the tool on the whole. A run on the whole may take as long as all parts together.
    ///
    /// Returns none if juvenal was stopped, or if the tool gives no report on any file either.
    pub fn of_whole(project: &SplitProject<'_>, parts: usize, pool: &Pool<'_>) -> Result<Option<Reference>> {
        let Some(store) = pool.store else { bail!("a comparison without a store") };
        if pool.stop.is_over() {
            return Ok(None);
        }
        let files: Vec<u32> = (0..project.contents().files.len() as u32).collect();
        let whole = Part::owning(files);
        let (answer, _) = project.ask_with_time_for(parts, &whole, Way::InPlace, &*store.answers)?;
        match answer.verdict {
            Verdict::Claim(Claim::Report(report)) if !report.is_partial => {
                Ok(Some(Reference::Whole { report, cost: answer.cost.into() }))
            }
            verdict => Reference::of_sample(project, super::rounds::why(&verdict), pool),
        }
    }

    /// Runs the tool on some files, each with everything that it needs.
    pub fn of_sample(project: &SplitProject<'_>, why: String, pool: &Pool<'_>) -> Result<Option<Reference>> {
        let Some(store) = pool.store else { bail!("a comparison without a store") };
        let taken = |file: &u32| project.found().tool.takes(project.name(*file));
        let mut order: Vec<u32> = (0..project.contents().files.len() as u32).filter(taken).collect();
        Random::for_case(0, 0).shuffle(&mut order);
        let (mut files, mut reports) = (BTreeSet::new(), Vec::new());
        for &file in order.iter().take(MOST_FILES) {
            let results: usize = reports.iter().map(|it: &PartReport| it.report.results.len()).sum();
            if pool.stop.is_over() || files.len() >= FIRST_FILES && results >= FEW_RESULTS {
                break;
            }
            let part = with_everything(project, file);
            let (answer, _) = project.ask(&part, Way::InPlace, &*store.answers)?;
            if let Verdict::Claim(Claim::Report(mut report)) = answer.verdict {
                files.insert(file);
                report.results = about(report.results, project, &BTreeSet::from([file]));
                reports.push(PartReport { part, analyzed: Vec::new(), report });
            }
        }
        if files.is_empty() {
            return Ok(None);
        }
        let report = merge(&project.contents().files, &reports).report;
        Ok(Some(Reference::Sample { files, report, why }))
    }

    /// What these parts found, lost and report in addition.
    pub fn loss(&self, project: &SplitProject<'_>, analyzed: &Analyzed) -> Loss {
        let parts: Vec<Part> = analyzed.reports.iter().map(|report| report.part.clone()).collect();
        let merged = &analyzed.merged.report;
        let (files, graph) = (&project.contents().files, project.graph());
        match self {
            Reference::Whole { report, .. } => loss(report, merged, files, &parts, graph),
            Reference::Sample { files: sample, report, .. } => {
                let results = about(merged.results.clone(), project, sample);
                let merged = ProjectReport { results, ..ProjectReport::default() };
                loss(report, &merged, files, &parts, graph)
            }
        }
    }

    /// The number of files, if it is a sample.
    pub fn sampled(&self) -> Option<u64> {
        match self {
            Reference::Whole { .. } => None,
            Reference::Sample { files, .. } => Some(files.len() as u64),
        }
    }

    /// The number of results.
    pub fn results(&self) -> usize {
        let (Reference::Whole { report, .. } | Reference::Sample { report, .. }) = self;
        report.results.len()
    }

    /// The parts that say something about it.
    fn relevant(&self, mut parts: Vec<Part>) -> Vec<Part> {
        if let Reference::Sample { files, .. } = self {
            parts.retain(|part| part.owned.iter().any(|file| files.contains(file)));
        }
        parts
    }
}

/// A file with everything that it needs.
fn with_everything(project: &SplitProject<'_>, file: u32) -> Part {
    let mut files = Vec::new();
    Neighborhoods::new(project.graph()).visit(&[file], u32::MAX, Direction::Targets, |file, _| {
        files.push(file);
        true
    });
    Part::new(files, vec![file])
}

/// The results on these files.
fn about(mut results: Vec<ToolResult>, project: &SplitProject<'_>, files: &BTreeSet<u32>) -> Vec<ToolResult> {
    let names: BTreeSet<&str> = files.iter().map(|&file| project.name(file)).collect();
    results.retain(|result| result.place.as_ref().is_some_and(|place| names.contains(place.file.as_str())));
    results
}

/// Other cuts of the project, measured: both ways, several limits and, where it matters, several radiuses. The first point is
/// the whole, if it was run.
pub fn frontier(
    project: &SplitProject<'_>,
    options: &SplitOptions,
    reference: &Reference,
    pool: &Pool<'_>,
    report: &(dyn Fn(&SplitState) + Sync),
) -> Result<Vec<FrontierPoint>> {
    let mut points: Vec<FrontierPoint> = point_of_whole(project, options, reference).into_iter().collect();
    for options in cuts(project, options) {
        if pool.stop.is_over() {
            break;
        }
        let parts = match options.parts(project, Vec::new(), pool.stop) {
            Err(error) if is_interruption(&error) => break,
            parts => reference.relevant(parts?),
        };
        let analyzed = analyze(project, options.way, parts, pool, report)?;
        if !analyzed.is_broken_off {
            points.push(point(project, &options, reference, &analyzed));
        }
    }
    Ok(points)
}

/// The cuts of a frontier.
fn cuts(project: &SplitProject<'_>, options: &SplitOptions) -> Vec<SplitOptions> {
    let radiuses: &[u32] = if project.needs_others() { &RADIUSES } else { &[0] };
    let mut cuts = Vec::new();
    for limit in limits(project, options.cut.limit.measure) {
        for &radius in radiuses {
            let cut = CutSettings { limit, radius, replicates: true, ..options.cut.clone() };
            cuts.push(SplitOptions { way: Way::Isolated, cut, ..options.clone() });
        }
        let cut = CutSettings { limit, replicates: false, ..options.cut.clone() };
        cuts.push(SplitOptions { way: Way::InPlace, cut, ..options.clone() });
    }
    cuts
}

/// Limits below the whole, the smallest first.
fn limits(project: &SplitProject<'_>, measure: Measure) -> Vec<SizeLimit> {
    let total: u64 = project.contents().files.iter().map(|file| measure.of(file)).sum();
    let mut limits: Vec<u64> =
        SHARES.iter().map(|share| total.div_ceil(*share)).filter(|&it| it < total).collect();
    limits.dedup();
    limits.into_iter().map(|most| SizeLimit { most, measure }).collect()
}

fn point_of_whole(
    project: &SplitProject<'_>,
    options: &SplitOptions,
    reference: &Reference,
) -> Option<FrontierPoint> {
    let Reference::Whole { report, cost } = reference else { return None };
    let files = project.contents().files.len() as u64;
    Some(FrontierPoint {
        strategy: "whole".to_owned(),
        way: Way::InPlace,
        limit: String::new(),
        radius: options.cut.radius,
        parts: 1,
        largest_part: files,
        sum_of_sizes: files,
        latency_microseconds: cost.wall_microseconds,
        cpu_microseconds: cost.cpu_microseconds,
        peak_memory_bytes: cost.peak_memory_bytes,
        found: each_once(report).results.len() as u64,
        lost: 0,
        new: 0,
    })
}

fn point(
    project: &SplitProject<'_>,
    options: &SplitOptions,
    reference: &Reference,
    analyzed: &Analyzed,
) -> FrontierPoint {
    let counts = reference.loss(project, analyzed).counts;
    let costs = || analyzed.parts.iter().map(|part| part.cost);
    let sizes = || analyzed.reports.iter().map(|report| report.part.files.len() as u64);
    FrontierPoint {
        strategy: options.strategy.name.to_owned(),
        way: options.way,
        limit: options.cut.limit.to_string(),
        radius: if options.cut.replicates { options.cut.radius } else { 0 },
        parts: analyzed.reports.len() as u64,
        largest_part: sizes().max().unwrap_or(0),
        sum_of_sizes: sizes().sum(),
        latency_microseconds: costs().map(|cost| cost.wall_microseconds).max().unwrap_or(0),
        cpu_microseconds: costs().map(|cost| cost.cpu_microseconds).sum(),
        peak_memory_bytes: costs().map(|cost| cost.peak_memory_bytes).max().unwrap_or(0),
        found: counts.found,
        lost: counts.lost,
        new: counts.new,
    }
}

/// The smallest limit of those tried whose parts find this share of what the tool reports without a cut, and the share; none
/// if only the whole does.
pub fn limit_for_recall(
    recall: f64,
    project: &SplitProject<'_>,
    options: &SplitOptions,
    reference: &Reference,
    pool: &Pool<'_>,
    report: &(dyn Fn(&SplitState) + Sync),
) -> Result<Option<(SizeLimit, f64)>> {
    for limit in limits(project, options.cut.limit.measure) {
        let cut = CutSettings { limit, ..options.cut.clone() };
        let options = SplitOptions { cut, ..options.clone() };
        let parts = reference.relevant(options.parts(project, Vec::new(), pool.stop)?);
        let analyzed = analyze(project, options.way, parts, pool, report)?;
        // What is left undone says nothing about the limit, and a later run would keep it.
        if analyzed.is_broken_off || pool.stop.is_over() {
            return Err(interruption().into());
        }
        let found = reference.loss(project, &analyzed).counts.recall();
        if found >= recall {
            return Ok(Some((limit, found)));
        }
    }
    Ok(None)
}
