//! Every recorded output is read as the verdict next to it, and a truncated one never as more.
//!
//! `JUVENAL_UPDATE=1 cargo test --release -p tools --test recorded` writes the verdicts; the example `record` records.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use model::{Claim, ProjectReport, Run, Verdict};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use tools::{Directories, Given, Outcome, Tool, Toolbox};

const DIRECTORIES: Directories<'static> =
    Directories { root: "/tmp/juvenal-record/copy", scratch: "/tmp/juvenal-record/scratch" };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// The version that printed this.
    version: String,
    /// The project in `recorded/projects`.
    project: String,
    named: Vec<String>,
    options: Vec<String>,
    runs: Vec<Run>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded")
}

/// Every recorded case of a tool: the path without its last endings, and what was recorded.
fn records(tool: &Tool) -> Vec<(PathBuf, Record)> {
    let files = fs::read_dir(root().join(&tool.name)).map(|it| it.map(|entry| entry.unwrap().path()));
    let mut paths: Vec<PathBuf> =
        files.unwrap_or_else(|_| panic!("{}: no output is recorded", tool.name)).collect();
    paths.sort();
    let is_run = |path: &&PathBuf| path.to_string_lossy().ends_with(".run.json");
    let record = |path: &PathBuf| {
        let record = serde_json::from_str(&fs::read_to_string(path).unwrap());
        (
            path.with_extension("").with_extension(""),
            record.unwrap_or_else(|error| panic!("{path:?}: {error}")),
        )
    };
    paths.iter().filter(is_run).map(record).collect()
}

fn verdict(tool: &Tool, record: &Record, runs: &[Run]) -> Verdict {
    let named: Vec<&str> = record.named.iter().map(String::as_str).collect();
    let given = Given {
        directories: DIRECTORIES,
        named: &named,
        options: &record.options,
        configuration: &[],
        compile_commands: None,
    };
    let request = tool.request(&given);
    assert_eq!(request.commands.len(), record.runs.len(), "{}: a run for each command", tool.name);
    let outcomes = request.commands.iter().zip(runs).map(|(command, run)| Outcome { command, run });
    tool.read(DIRECTORIES, &outcomes.collect::<Vec<_>>())
}

#[test]
fn every_recorded_output_is_read_as_its_verdict() {
    for tool in Toolbox::shipped().unwrap().tools() {
        let records = records(tool);
        assert!(!records.is_empty(), "{}: no output is recorded", tool.name);
        for (path, record) in records {
            let verdict = verdict(tool, &record, &record.runs);
            let text = serde_json::to_string_pretty(&verdict).unwrap() + "\n";
            let expected = path.with_extension("verdict.json");
            if std::env::var_os("JUVENAL_UPDATE").is_some() {
                fs::write(&expected, &text).unwrap();
            }
            assert_eq!(fs::read_to_string(&expected).unwrap_or_default(), text, "{}", path.display());
            assert!(!text.contains("juvenal-record"), "{}: it names a directory of the run", path.display());
            assert!(root().join("projects").join(&record.project).is_dir() && !record.version.is_empty());
        }
    }
}

fn report(verdict: Verdict) -> Option<ProjectReport> {
    match verdict {
        Verdict::Claim(Claim::Report(report)) => Some(report),
        _ => None,
    }
}

/// The start of an output holds no result that the whole does not hold, and a cut report in a format with an end is none.
#[test]
fn truncated_outputs_add_nothing() {
    for tool in Toolbox::shipped().unwrap().tools() {
        for (path, record) in records(tool) {
            let Some(whole) = report(verdict(tool, &record, &record.runs)) else { continue };
            let longest =
                record.runs.iter().flat_map(|run| [run.stdout.len(), run.stderr.len()]).max().unwrap();
            for length in (0..longest).step_by(1 + longest / 50) {
                let mut runs = record.runs.clone();
                for run in &mut runs {
                    run.stdout.truncate(length);
                    run.stderr.truncate(length);
                    run.file.iter_mut().for_each(|file| file.truncate(length));
                }
                let Some(cut) = report(verdict(tool, &record, &runs)) else { continue };
                // The last line of a text may be cut inside of its message.
                let known = cut
                    .results
                    .iter()
                    .filter(|result| whole.results.iter().any(|it| it.place == result.place));
                assert!(known.count() + 1 >= cut.results.len(), "{} cut to {length}", path.display());
            }
        }
    }
}
