//! Running an analyzer of C programs: its files, then its steps, in a directory of their own.

use crate::asker::{kept_output, translate};
use crate::run_directory::RunDirectory;
use crate::{Engine, Program};
use analyzers::{FilledStep, ReachabilityRole, Transcript, read_checks, support_file};
use anyhow::{Context, Result};
use model::{Answer, CInput, Cost, Limits, Query, RunRecord};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The name of the program under test in its directory.
const PROGRAM: &str = "program.c";
/// No output file is read beyond this.
const LARGEST_FILE: usize = 4 << 20;

impl Engine {
    /// Puts one C program to an analyzer.
    pub(crate) fn analyze(
        &self,
        query: &Query,
        input: &CInput,
        program: &Program,
        role: &ReachabilityRole,
    ) -> Result<Answer> {
        let directory = RunDirectory::create_in(&self.run_root())?;
        let rendered = role.render(input);
        directory.write(PROGRAM, rendered.text.as_bytes())?;
        for name in &role.files {
            directory.write(name, support_file(name).unwrap_or_default().as_bytes())?;
        }
        let steps = steps(program, input, query, role);
        let mut cost = Cost::default();
        let last = steps.len().saturating_sub(1);
        for (number, step) in steps.iter().enumerate() {
            let left = query.limits.wall_milliseconds.saturating_sub(cost.wall_microseconds / 1000);
            let limits = Limits { wall_milliseconds: left.max(1), ..query.limits };
            let command = step_command(program, step, directory.path());
            let outcome = self.runner.run(&command, &limits).context("cannot run an analyzer")?;
            cost = sum(cost, outcome.cost);
            let failed = outcome.ending != process::Ending::Exited(0);
            if number < last && !failed {
                continue;
            }
            let file = role.output.file.as_ref().and_then(|name| read_output(&directory.path().join(name)));
            let transcript = Transcript {
                stdout: &outcome.stdout,
                stderr: &outcome.stderr,
                file: file.as_deref(),
                ending: translate(&outcome.ending),
                preparing: number < last,
            };
            let verdict = read_checks(role, input, &rendered, transcript);
            return Ok(Answer { verdict, cost, output: kept_output(&outcome.stdout, &outcome.stderr) });
        }
        anyhow::bail!("the description of {} has no steps", query.analyzer)
    }
}

fn steps(program: &Program, input: &CInput, query: &Query, role: &ReachabilityRole) -> Vec<FilledStep> {
    let configuration = program.invocation().configuration_arguments();
    role.commands(PROGRAM, input, &query.options, &configuration, &query.limits)
}

fn step_command(program: &Program, step: &FilledStep, directory: &Path) -> process::Command {
    let own = program.command.first().cloned().unwrap_or_default();
    // A program that an earlier step made stands in the directory of the run.
    let first = match &step.program {
        Some(name) if name.starts_with("./") => directory.join(name).into_os_string(),
        Some(name) => OsString::from(name),
        None => own,
    };
    let mut command = process::Command::new(first, directory.to_owned());
    if step.program.is_none() {
        command.arguments = program.command.iter().skip(1).cloned().collect();
    }
    command.arguments.extend(step.arguments.iter().map(OsString::from));
    command.environment.extend(program.environment.iter().cloned());
    command
}

fn read_output(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).ok()?;
    bytes.truncate(LARGEST_FILE);
    Some(bytes)
}

fn sum(first: Cost, second: Cost) -> Cost {
    Cost {
        wall_microseconds: first.wall_microseconds + second.wall_microseconds,
        cpu_microseconds: first.cpu_microseconds + second.cpu_microseconds,
        peak_memory_bytes: first.peak_memory_bytes.max(second.peak_memory_bytes),
        ..second
    }
}

/// How to put a C program to its analyzer by hand: the last step, with the program as the file `program.c`.
pub(crate) fn describe_analysis(program: &Program, input: &CInput, query: &Query) -> RunRecord {
    let Some(role) = &program.description.reachability else {
        return RunRecord { command: Vec::new(), environment: Vec::new(), stdin: String::new() };
    };
    let steps = steps(program, input, query, role);
    let own = program.command.iter().map(|word| word.to_string_lossy().into_owned());
    let command = match steps.last() {
        Some(FilledStep { program: Some(name), arguments }) => {
            std::iter::once(name.clone()).chain(arguments.iter().cloned()).collect()
        }
        Some(FilledStep { program: None, arguments }) => own.chain(arguments.iter().cloned()).collect(),
        None => Vec::new(),
    };
    RunRecord { command, environment: Vec::new(), stdin: role.render(input).text }
}
