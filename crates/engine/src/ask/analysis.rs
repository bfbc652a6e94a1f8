//! Running an analyzer of C programs: its files, then its steps, in a directory of their own.

use super::asker::{built_in_specification, kept_output, translate};
use super::one_by_one::programs;
use super::preparation::{Preparation, sum, write_support_files};
use crate::run_directory::RunDirectory;
use crate::{Engine, Program};
use analyzers::{CRole, FilledStep, Rendered, Transcript, support_file};
use anyhow::{Context, Result};
use model::{Answer, CInput, Cost, DataModel, Limits, NamedFile, Query, RunRecord};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The name of the program under test in its directory.
pub(crate) const PROGRAM: &str = "program.c";
/// No output file is read beyond this.
const LARGEST_FILE: usize = 4 << 20;

impl Engine {
    /// Puts one C program to an analyzer. A liar is shown another program than the one it is asked about, and may
    /// report something else than it has seen.
    pub(crate) fn analyze(
        &self,
        query: &Query,
        input: &CInput,
        program: &Program,
        role: CRole<'_>,
    ) -> Result<Answer> {
        let Some(liar) = &program.liar else {
            return match role.reports_all() {
                true => self.run_steps(query, input, program, role),
                false => self.run_for_each_check(query, input, program, role),
            };
        };
        let honest = self.run_steps(query, &liar.distort(input), program, role)?;
        Ok(liar.reported(input, honest))
    }

    /// Runs the analyzer's steps on one program.
    pub(crate) fn run_steps(
        &self,
        query: &Query,
        input: &CInput,
        program: &Program,
        role: CRole<'_>,
    ) -> Result<Answer> {
        let reading = Reading { role, input, rendered: role.render(input) };
        if let Some(tool) = &program.tool_info {
            return self.run_tool(query, program, tool, &reading);
        }
        let steps = steps(program, PROGRAM, input, query, role);
        let (once, each) = steps.split_at(steps.iter().take_while(|step| step.once).count());
        let directory = RunDirectory::create_in(&self.run_root())?;
        let mut cost = Cost::default();
        if !once.is_empty() {
            match self.prepare(query, program, role, once)? {
                Preparation::Ready(prepared, spent) => {
                    prepared.copy_into(directory.path())?;
                    cost = spent;
                }
                Preparation::Failed(outcome) => {
                    return Ok(reading.answer(&outcome, None, true, outcome.cost));
                }
            }
        }
        directory.write(PROGRAM, reading.rendered.text.as_bytes())?;
        write_support_files(&directory, role)?;
        let last = each.len().saturating_sub(1);
        // What is done once for all queries takes nothing from the time of this one.
        let mut left = query.limits.wall_milliseconds;
        for (number, step) in each.iter().enumerate() {
            let limits = Limits { wall_milliseconds: left.max(1), ..query.limits };
            let mut command = step_command(program, step, directory.path());
            if role.executes() {
                command.confinement = process::Confinement::Program;
            }
            let outcome = self.runner.run(&command, &limits).context("cannot run an analyzer")?;
            cost = sum(cost, outcome.cost);
            left = left.saturating_sub(outcome.cost.wall_microseconds / 1000);
            let failed = outcome.ending != process::Ending::Exited(0);
            if number < last && !failed {
                continue;
            }
            let file = role.output_file().and_then(|name| read_output(&directory.path().join(name)));
            return Ok(reading.answer(&outcome, file.as_deref(), number < last, cost));
        }
        anyhow::bail!("the description of {} has no steps", query.analyzer)
    }
}

/// What is needed to read what the steps printed.
pub(crate) struct Reading<'a> {
    pub(crate) role: CRole<'a>,
    pub(crate) input: &'a CInput,
    pub(crate) rendered: Rendered,
}

impl Reading<'_> {
    fn answer(&self, outcome: &process::Outcome, file: Option<&[u8]>, preparing: bool, cost: Cost) -> Answer {
        let transcript = Transcript {
            stdout: &outcome.stdout,
            stderr: &outcome.stderr,
            file,
            ending: translate(&outcome.ending),
            preparing,
        };
        let verdict = self.role.read(self.input, &self.rendered, transcript);
        Answer { verdict, cost, output: kept_output(&outcome.stdout, &outcome.stderr) }
    }
}

pub(crate) fn steps(
    program: &Program,
    file: &str,
    input: &CInput,
    query: &Query,
    role: CRole<'_>,
) -> Vec<FilledStep> {
    let configuration = program.invocation().configuration_arguments();
    role.commands(file, input, &query.options, &configuration, &query.limits)
}

pub(crate) fn step_command(program: &Program, step: &FilledStep, directory: &Path) -> process::Command {
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

/// How to put a C program to its analyzer by hand: its files, and every step.
pub(crate) fn describe_analysis(program: &Program, input: &CInput, query: &Query) -> RunRecord {
    let Some(role) = program.description.c_role(query.role) else { return RunRecord::default() };
    if program.liar.is_some() {
        return describe_liar(input, query);
    }
    let mut commands: Vec<Vec<String>> = Vec::new();
    let programs = named_programs(role, input);
    for (name, alone) in &programs {
        let steps = steps(program, name, alone, query, role);
        commands.extend(steps.iter().map(|step| words(program, step)));
    }
    let command = commands.pop().unwrap_or_default();
    let files = run_files(role, &programs);
    let shown = |word: &OsString| word.to_string_lossy().into_owned();
    let environment = program.environment.iter().map(|(key, value)| (shown(key), shown(value))).collect();
    RunRecord { preparation: commands, command, environment, stdin: String::new(), files }
}

/// The programs to run by hand, each with the name of its file.
pub(crate) fn named_programs(role: CRole<'_>, input: &CInput) -> Vec<(String, CInput)> {
    let programs = programs(role, input);
    let alone = programs.len() == 1;
    let name = |number: usize| if alone { PROGRAM.to_owned() } else { format!("program-{number}.c") };
    programs.into_iter().enumerate().map(|(index, program)| (name(index + 1), program)).collect()
}

/// The files that a run by hand needs: the programs, and those of juvenal's own.
pub(crate) fn run_files(role: CRole<'_>, programs: &[(String, CInput)]) -> Vec<NamedFile> {
    let spelled = programs
        .iter()
        .map(|(name, program)| NamedFile { name: name.clone(), text: role.render(program).text });
    let own = role.files().iter().map(|name| NamedFile {
        name: name.clone(),
        text: support_file(name).unwrap_or_default().to_owned(),
    });
    spelled.chain(own).collect()
}

/// A liar is a part of juvenal, and takes programs in the neutral spelling.
fn describe_liar(input: &CInput, query: &Query) -> RunRecord {
    let mut command = vec!["juvenal".to_owned(), "built-in".to_owned(), built_in_specification(query)];
    if input.data_model != DataModel::default() {
        command.extend(["--data-model".to_owned(), input.data_model.to_string()]);
    }
    RunRecord { command, stdin: input.text(), ..RunRecord::default() }
}

/// The words of one step as a person types them in the directory of the run.
fn words(program: &Program, step: &FilledStep) -> Vec<String> {
    let own = || program.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut words = step.program.as_ref().map_or_else(own, |name| vec![name.clone()]);
    words.extend(step.arguments.iter().cloned());
    words
}
