//! `juvenal reduce DIR F12 --with cvise`: C-Vise proposes smaller programs, and juvenal judges each of them.
//!
//! C-Vise works on an untrusted program, so it is confined: it sees neither the campaign nor the
//! analyzers. It gets the program and a script that hands candidates over to this process. It runs in a directory of its
//! own that is removed afterwards, and no process of it survives when juvenal is stopped.

use super::questions::{Judge, PROGRAM, Terms, answer_while};
use crate::screen;
use anyhow::{Context, Result};
use engine::{LARGEST_SEED, RunDirectory, Trust, read_given_file};
use model::Limits;
use process::{Ending, Outcome};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Folder;

/// The script that C-Vise calls for each candidate, and the directory beside it where the candidates go.
const SCRIPT: (&str, &str) = ("still_shows.sh", include_str!("cvise/still_shows.sh"));
const QUESTIONS: &str = "questions";
/// Python reads this when it starts, and then uses neither sockets nor shared memory.
const PIPES_ALONE: (&str, &str) = ("sitecustomize.py", include_str!("cvise/sitecustomize.py"));

/// C-Vise is practically unlimited, because juvenal limits each of its candidates.
const LIMITS: Limits =
    Limits { wall_milliseconds: 7 * 24 * 3_600_000, memory_megabytes: 1 << 20, output_kilobytes: 1 << 16 };

/// C-Vise has transformed the largest program long before, so it hangs if it takes longer to propose something.
const PATIENCE: Duration = Duration::from_secs(600);
/// What C-Vise printed last is shown up to this many characters.
const LONGEST_MESSAGE: usize = 1000;

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
) -> Result<Vec<u8>> {
    let directory = RunDirectory::create()?;
    directory.write(PROGRAM, program.as_bytes())?;
    directory.write(PIPES_ALONE.0, PIPES_ALONE.1.as_bytes())?;
    let script = directory.write(SCRIPT.0, SCRIPT.1.as_bytes())?;
    fs::set_permissions(&script, Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", script.display()))?;
    let folder = Folder::open(directory.path())?;
    let questions = folder.made_subfolder(QUESTIONS)?;
    let command = command(cvise, &script, directory.path(), jobs);
    let runner = process::Runner::probe();
    let terms = Terms { workers: jobs, largest: LARGEST_SEED, patience: PATIENCE };
    let outcome = answer_while(&questions, &terms, judge, |is_over| {
        Ok(runner.run_until(&command, &LIMITS, &|| stop() || is_over())?)
    })?;
    if outcome.ending != Ending::Exited(0) && !stop() {
        complain_about(&outcome);
    }
    folder.read(PROGRAM, LARGEST_SEED).context("--with cvise: C-Vise produced no output file")
}

fn complain_about(outcome: &Outcome) {
    screen::complain(format_args!(
        "--with cvise: C-Vise failed ({:?}): {}\nIt runs confined, so all of its files must be in its own directory or \
         outside of home directories. Its last result is judged nevertheless.",
        outcome.ending,
        last_lines(outcome)
    ));
}

/// The confined call of C-Vise. Of the user's environment it gets only the search path, where its helpers are.
fn command(cvise: &Path, script: &Path, directory: &Path, jobs: usize) -> process::Command {
    let mut command = engine::command(Trust::UnderTest(&installations(cvise)), cvise, directory);
    command.arguments = ["--n", &jobs.to_string(), "--tidy", "--skip-key-off", "--log-level", "WARNING"]
        .map(OsString::from)
        .to_vec();
    command.arguments.extend([script.into(), PROGRAM.into()]);
    if let Some(path) = std::env::var_os("PATH") {
        command.environment.retain(|(name, _)| name != "PATH");
        command.environment.push(("PATH".into(), path));
    }
    command.environment.push(("PYTHONPATH".into(), directory.into()));
    command
}

/// Where C-Vise and the interpreter in its first line are installed.
fn installations(cvise: &Path) -> Vec<PathBuf> {
    let text = read_given_file(cvise, LARGEST_SEED).unwrap_or_default();
    let first =
        String::from_utf8_lossy(text.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
    let is_name = |word: &&str| !word.starts_with('-') && !word.contains('=');
    let mut words = first.strip_prefix("#!").unwrap_or_default().split_whitespace();
    let interpreter = match words.next() {
        Some(word) if word.ends_with("/env") => words.find(is_name).and_then(engine::on_search_path),
        word => word.map(PathBuf::from),
    };
    interpreter
        .iter()
        .chain([&cvise.to_owned()])
        .flat_map(|program| engine::installation_of(program))
        .collect()
}

/// The last lines that C-Vise printed.
fn last_lines(outcome: &Outcome) -> String {
    let printed = [outcome.stdout.as_slice(), outcome.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&printed);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    model::one_line(&lines[lines.len().saturating_sub(5)..].join(" / "), LONGEST_MESSAGE)
}
