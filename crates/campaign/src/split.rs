//! The job of `juvenal split`: a tool analyzes a project in parts, and their reports become one.
//!
//! The parts of a round are the units of a [`schedule::Job`]. A part that fails is divided, and its halves are in the next round.
//! Only answers are recorded, by the content of what they depend on: a job that continues, or that runs again after a change
//! of the project, asks only about parts that are new.

mod calibrate;
mod cost_of_cut;
mod project;
mod rounds;

pub use calibrate::{Probe, calibrate};
pub use cost_of_cut::{Reference, frontier, limit_for_recall};
pub use project::SplitProject;

use anyhow::Result;
use model::Way;
use rounds::{Round, Rounds};
use schedule::{Pool, Stop};
use splitting::{
    Cut, CutSettings, Merged, Part, PartReport, PartSummary, SplitSummary, Strategy, UnresolvedDependency,
    merge, recut,
};

/// How a project is cut, and how its parts are given to the tool.
#[derive(Clone)]
pub struct SplitOptions {
    /// The way in which the tool sees a part.
    pub way: Way,
    /// The strategy.
    pub strategy: &'static Strategy,
    /// Its settings.
    pub cut: CutSettings,
}

/// What a split reports while it runs.
#[derive(Clone, Debug, Default)]
pub struct SplitState {
    /// The parts that are done, of all that are known.
    pub done: usize,
    /// The parts that are known.
    pub parts: usize,
    /// Parts that were answered from the record.
    pub recorded: usize,
    /// Parts that failed and were divided.
    pub divided: usize,
    /// The results so far, before they are merged.
    pub results: usize,
}

/// The parts of a project and what came of them.
pub struct Analyzed {
    /// Every part that the tool ran on, with those that were divided.
    pub parts: Vec<PartSummary>,
    /// The parts that count.
    pub reports: Vec<PartReport>,
    /// Their reports as one.
    pub merged: Merged,
    /// True if the user interrupted, or the time was up, before every part was analyzed.
    pub is_broken_off: bool,
}

impl SplitOptions {
    /// The parts of a project. With earlier parts, as few as possible change.
    ///
    /// # Errors
    ///
    /// Fails with an interruption if juvenal is to stop.
    pub fn parts(&self, project: &SplitProject<'_>, earlier: Vec<Part>, stop: Stop<'_>) -> Result<Vec<Part>> {
        let options = self.clone();
        project.unless_stopped(stop, move |files, graph| match &earlier[..] {
            [] => options.strategy.partition(&Cut::new(files, graph, &options.cut)),
            earlier => recut(earlier, options.strategy, files, graph, &options.cut),
        })
    }
}

/// Analyzes these parts, and the smaller ones that take the place of those that fail.
pub fn analyze(
    project: &SplitProject<'_>,
    way: Way,
    parts: Vec<Part>,
    pool: &Pool<'_>,
    report: &(dyn Fn(&SplitState) + Sync),
) -> Result<Analyzed> {
    let mut rounds = Rounds::new(project, way, pool, report);
    let mut round = Round::first(parts);
    while !round.is_empty() && !rounds.is_broken_off() {
        round = rounds.run(round)?;
    }
    let (parts, reports, is_broken_off) = rounds.into_results();
    let merged = merge(&project.contents().files, &reports);
    Ok(Analyzed { parts, reports, merged, is_broken_off })
}

impl Analyzed {
    /// Everything that is shown, apart from what the cut costs.
    pub fn summary(self, project: &SplitProject<'_>, options: &SplitOptions, root: &str) -> SplitSummary {
        let contents = project.contents();
        let name = |file: u32| contents.files.get(file as usize).map_or("", |file| file.name.as_str());
        let unresolved = contents.dependencies.unresolved.iter();
        let unresolved = unresolved.map(|it| UnresolvedDependency {
            file: name(it.file).to_owned(),
            line: it.line,
            text: it.target.clone(),
        });
        let limit = options.cut.limit;
        let oversized = contents.files.iter().filter(|file| limit.measure.of(file) > limit.most);
        SplitSummary {
            oversized: oversized.map(|file| file.name.clone()).collect(),
            tool: project.found().tool.name.clone(),
            version: project.found().version.clone(),
            root: root.to_owned(),
            way: options.way,
            strategy: options.strategy.name.to_owned(),
            limit: Some(limit),
            radius: options.cut.replicates.then_some(options.cut.radius),
            files: contents.files.len() as u64,
            unresolved: unresolved.collect(),
            parts: self.parts,
            merged: self.merged,
            ..SplitSummary::default()
        }
    }
}
