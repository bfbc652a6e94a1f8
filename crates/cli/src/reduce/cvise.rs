//! `juvenal reduce DIR F12 --with cvise`: C-Vise proposes smaller programs, and juvenal judges each of them.
//!
//! C-Vise gets the program and a script that calls `juvenal reduce DIR F12 --candidate program.c`. It runs in a
//! directory of its own that is removed afterwards, and no process of it survives when juvenal is stopped.

use crate::{screen, shell};
use anyhow::{Context, Result};
use engine::{LARGEST_SEED, RunDirectory, Trust, read_given_file};
use model::Limits;
use process::{Ending, Outcome};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The file name of the program, for C-Vise and the script.
const PROGRAM: &str = "program.c";

/// C-Vise is practically unlimited, because juvenal limits each of its candidates.
const LIMITS: Limits =
    Limits { wall_milliseconds: 7 * 24 * 3_600_000, memory_megabytes: 1 << 20, output_kilobytes: 1 << 16 };

/// What a candidate is judged by.
pub struct Judge<'a> {
    /// The campaign directory.
    pub directory: &'a Path,
    /// The name of the finding.
    pub finding: String,
    /// The analyzers that the user named again.
    pub analyzers: &'a [String],
}

/// Finds C-Vise on the search path.
pub fn find() -> Result<PathBuf> {
    engine::on_search_path("cvise").context(
        "--with cvise: C-Vise is not installed; try `apt-get install cvise`, or see https://github.com/marxin/cvise",
    )
}

/// Runs C-Vise and returns the smallest program that it has found by its end, or until it is stopped.
pub fn reduced(
    cvise: &Path,
    judge: &Judge<'_>,
    program: &str,
    jobs: usize,
    stop: &dyn Fn() -> bool,
) -> Result<String> {
    let directory = RunDirectory::create()?;
    let file = directory.write(PROGRAM, program.as_bytes())?;
    let script = directory.write("still-shows.sh", judge.script()?.as_bytes())?;
    fs::set_permissions(&script, Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", script.display()))?;
    let mut command = engine::command(Trust::Installed, cvise, directory.path());
    command.arguments = ["--n", &jobs.to_string(), "--tidy", "--skip-key-off", "--log-level", "WARNING"]
        .map(OsString::from)
        .to_vec();
    command.arguments.extend([script.into_os_string(), PROGRAM.into()]);
    command.environment = environment(directory.path());
    let outcome = process::Runner::probe().run_until(&command, &LIMITS, stop)?;
    if outcome.ending != Ending::Exited(0) && !stop() {
        screen::complain(format_args!(
            "--with cvise: C-Vise failed ({:?}): {}\nIts last result is judged nevertheless.",
            outcome.ending,
            last_lines(&outcome)
        ));
    }
    let cannot_read = || format!("cannot read what C-Vise left in {}", file.display());
    String::from_utf8(read_given_file(&file, LARGEST_SEED).with_context(cannot_read)?)
        .with_context(cannot_read)
}

impl Judge<'_> {
    /// The script changes into juvenal's working directory, since analyzers may be given by relative paths.
    fn script(&self) -> Result<String> {
        let juvenal = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let started = std::env::current_dir().context("cannot determine the working directory")?;
        let campaign = std::path::absolute(self.directory)
            .with_context(|| format!("cannot determine the absolute path of {}", self.directory.display()))?;
        let mut words = vec![path_word(&juvenal)?, "reduce".to_owned(), path_word(&campaign)?];
        words.extend([shell::word(&self.finding), "--candidate".to_owned(), "\"$candidate\"".to_owned()]);
        for analyzer in self.analyzers {
            words.extend(["--analyzer".to_owned(), shell::word(analyzer)]);
        }
        Ok(format!(
            "#!/bin/sh\ncandidate=$PWD/{PROGRAM}\ncd {} || exit 2\nexec {}\n",
            path_word(&started)?,
            words.join(" ")
        ))
    }
}

/// Quotes a path for the script.
fn path_word(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("the path {} is not UTF-8", path.display()))?;
    Ok(shell::word(text))
}

/// The user's own environment, in which analyzers are found as before, with a temporary directory that is removed.
fn environment(directory: &Path) -> Vec<(OsString, OsString)> {
    let mut environment: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| name != "TMPDIR").collect();
    environment.push(("TMPDIR".into(), directory.into()));
    environment
}

/// The last lines that C-Vise printed.
fn last_lines(outcome: &Outcome) -> String {
    let printed = [outcome.stdout.as_slice(), outcome.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&printed);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(5)..].join(" / ")
}
