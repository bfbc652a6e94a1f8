//! What `juvenal split` prints and writes.

use super::Arguments;
use crate::status::counted;
use crate::{screen, shell};
use anyhow::{Context, Result};
use campaign::{Analyzed, Probe, SplitOptions, SplitProject, SplitState};
use engine::{WorkingCopies, installed_tools};
use model::FileFailure;
use splitting::{
    ColumnUnit, FrontierPoint, LeftOut, Loss, Measure, Part, PartCost, SarifRun, SizeLimit, SplitSummary,
    sarif_log,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use store::Store;
use tools::SourceLanguage;

/// What the cut costs, as far as it was measured.
#[derive(Default)]
pub struct CostOfCut {
    pub whole: Option<PartCost>,
    pub loss: Option<Loss>,
    pub sampled: Option<u64>,
    pub frontier: Vec<FrontierPoint>,
}

/// Prints the tools, with their versions or how to install them.
pub fn list_tools() -> Result<u8> {
    let mut out = screen::out();
    for (name, found) in installed_tools()? {
        match found {
            Ok(found) => writeln!(out, "{name:14} {:12} {}", found.version, found.tool.summary)?,
            Err(error) => writeln!(out, "{name:14} {:12} {error:#}", "-")?,
        }
    }
    Ok(0)
}

/// What is about to be done.
pub fn announcement(
    project: &SplitProject<'_>,
    options: &SplitOptions,
    parts: &[Part],
    arguments: &Arguments,
) -> String {
    let found = project.found();
    let radius = match options.cut.replicates {
        true => format!(", with what they need up to distance {}", options.cut.radius),
        false => String::new(),
    };
    format!(
        "{} {} on {}: {} in {} of at most {} ({}, {}{radius})",
        found.tool.title,
        found.version,
        arguments.root.display(),
        counted(project.contents().files.len() as u64, "file"),
        counted(parts.len() as u64, "part"),
        options.cut.limit,
        options.strategy.name,
        options.way.words(),
    )
}

/// The state in a line.
pub fn lines(state: &SplitState) -> Vec<String> {
    let parts = |count: usize| counted(count as u64, "part");
    let results = counted(state.results as u64, "result");
    let mut line = format!("{} of {}, {results}", state.done, parts(state.parts));
    if state.recorded > 0 {
        line.push_str(&format!(", {} unchanged", parts(state.recorded)));
    }
    if state.divided > 0 {
        line.push_str(&format!(", {} divided", parts(state.divided)));
    }
    vec![line]
}

/// What a probe cost.
pub fn probe(probe: &Probe, measure: Measure) -> String {
    format!(
        "probe of {}: {:.1} s, {} MB{}",
        SizeLimit { most: probe.size, measure },
        probe.cost.wall_microseconds as f64 / 1e6,
        probe.cost.peak_memory_bytes / 1_000_000,
        if probe.fits { "" } else { ", which is beyond the limits" }
    )
}

/// What the probes for a recall showed.
pub fn recall_note(share: f64, found: Option<(SizeLimit, f64)>, files: u64, results: usize) -> String {
    let sample = format!("{results} results on {files} files of a sample");
    match found {
        Some((limit, recall)) => format!("parts of {limit} find {:.1} % of {sample}", recall * 100.0),
        None => {
            format!("no cut that was tried finds {:.1} % of {sample}; the project stays whole", share * 100.0)
        }
    }
}

/// Everything that is shown.
pub fn summary(
    project: &SplitProject<'_>,
    copies: &WorkingCopies,
    options: &SplitOptions,
    root: &Path,
    analyzed: Analyzed,
    cost: CostOfCut,
) -> SplitSummary {
    let mut summary = analyzed.summary(project, options, &root.display().to_string());
    let left = copies.tree().left.iter();
    summary.left_out = left
        .map(|left| LeftOut { path: left.path.display().to_string(), reason: left.reason.to_owned() })
        .chain(project.contents().unnamed.iter().map(|path| LeftOut {
            path: path.display().to_string(),
            reason: "its name is not UTF-8: tools see it, but it is not analyzed".to_owned(),
        }))
        .chain(included_from_outside(project))
        .collect();
    let CostOfCut { whole, loss, sampled, frontier } = cost;
    SplitSummary { whole, loss, sampled, frontier, ..summary }
}

fn included_from_outside(project: &SplitProject<'_>) -> impl Iterator<Item = LeftOut> {
    let commands = project.contents().compile_commands.iter();
    commands.flat_map(|commands| commands.left_out()).map(|path| LeftOut {
        path: path.to_owned(),
        reason: "a file outside of the project that compile_commands.json includes".to_owned(),
    })
}

/// Writes all files of results; returns what readers of the SARIF log may not take.
pub fn write_files(
    store: &Store,
    summary: &SplitSummary,
    copies: &WorkingCopies,
    project: &SplitProject<'_>,
) -> Result<Vec<String>> {
    let write = |name: &str, text: &str| store.directory.write_file(Path::new(name), text.as_bytes());
    let lines = LinesOfFiles { copies, known: RefCell::default() };
    let log =
        sarif_log(&sarif_run(summary, project), &summary.merged.report, &|file, line| lines.line(file, line))
            .context("cannot write report.sarif")?;
    write("report.sarif", &log.text)?;
    write("report.json", &comparison::split_json(summary).context("cannot write report.json")?)?;
    write("report.txt", &comparison::split_text(summary))?;
    write("split.html", &comparison::split_page(summary))?;
    if !summary.frontier.is_empty() {
        write("frontier.csv", &comparison::frontier_csv(&summary.frontier))?;
    }
    Ok(log.warnings)
}

fn sarif_run(summary: &SplitSummary, project: &SplitProject<'_>) -> SarifRun {
    let tool = &project.found().tool;
    let counts_utf16 = |language: &SourceLanguage| {
        matches!(language, SourceLanguage::Javascript | SourceLanguage::Typescript | SourceLanguage::Java)
    };
    let failed = summary.parts.iter().filter(|part| part.outcome.is_failure());
    SarifRun {
        tool: tool.title.clone(),
        version: summary.version.clone(),
        information: Some(tool.homepage.clone()),
        root: None,
        columns: if tool.languages.iter().any(counts_utf16) {
            ColumnUnit::Utf16
        } else {
            ColumnUnit::Characters
        },
        unfinished: failed
            .map(|part| FileFailure {
                file: None,
                message: format!(
                    "Part {} was not analyzed: {}",
                    part.number,
                    comparison::outcome_in_words(&part.outcome)
                ),
            })
            .collect(),
    }
}

/// Lines of files, each of which is read once.
struct LinesOfFiles<'a> {
    copies: &'a WorkingCopies,
    known: RefCell<BTreeMap<String, Vec<String>>>,
}

impl LinesOfFiles<'_> {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut known = self.known.borrow_mut();
        if !known.contains_key(file) {
            // Results come sorted by file, so one file at a time is enough.
            known.clear();
            let bytes = self.copies.read(Path::new(file)).ok().flatten().unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            known.insert(file.to_owned(), text.lines().map(str::to_owned).collect());
        }
        known.get(file)?.get((line as usize).checked_sub(1)?).cloned()
    }
}

/// Prints the result.
pub fn print(
    store: &Store,
    summary: &SplitSummary,
    warnings: &[String],
    is_broken_off: bool,
    as_json: bool,
) -> Result<()> {
    if as_json {
        screen::json().write_all(comparison::split_json(summary)?.as_bytes())?;
        return Ok(());
    }
    let mut out = screen::out();
    out.write_all(comparison::split_text(summary).as_bytes())?;
    for warning in warnings {
        writeln!(out, "{warning}")?;
    }
    if is_broken_off {
        writeln!(out, "Stopped before every part was analyzed; the same command continues.")?;
    }
    let directory = store.directory.path();
    let path = |name: &str| shell::word(&directory.join(name).display().to_string());
    writeln!(out, "\nResults:   {} (also report.json, report.txt)", path("report.sarif"))?;
    writeln!(out, "Page:      {}", path("split.html"))?;
    Ok(())
}
