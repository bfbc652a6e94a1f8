//! How to run a query by hand, for reports.

use super::put::built_in_specification;
use crate::{Backend, Engine, Program};
use analyzers::{CRole, FilledStep, Invocation, PROGRAM_FILE, Question, RunRequest, programs, support_file};
use anyhow::Result;
use model::{CInput, DataModel, NamedFile, Query, RunRecord};
use std::ffi::OsString;

impl Engine {
    /// How to run a query by hand.
    pub(super) fn describe_run(&self, query: &Query) -> Result<RunRecord> {
        Ok(match &self.known(&query.analyzer)?.resolved.backend {
            Backend::BuiltIn(_) | Backend::CLiar(_) => describe_built_in(query),
            Backend::ToolInfo(tool) => self.describe_tool(query, tool)?,
            Backend::Program(program) => describe_program(program, query),
        })
    }
}

fn describe_program(program: &Program, query: &Query) -> RunRecord {
    if let Some(input) = query.input.c() {
        return describe_analysis(program, input, query);
    }
    let question = Question::new(program.invocation(), query);
    let is_computation = question.datalog().is_some();
    match question.request.runs.into_iter().next() {
        // A file is given as a file: solvers may look at its name or read it twice.
        Some(run) if is_computation || run.file.is_some() => describe_computation(program, run),
        Some(run) => describe_decision(program, run, query),
        None => RunRecord::default(),
    }
}

/// How to put a script to a solver that reads standard input.
fn describe_decision(program: &Program, run: RunRequest<'_>, query: &Query) -> RunRecord {
    let arguments = run.steps.into_iter().flat_map(|step| step.arguments);
    let stdin = match run.session {
        Some(session) => session.opening + &String::from_utf8_lossy(&run.stdin) + &Invocation::echo("end"),
        None => query.input.text(),
    };
    let command = program.command.iter().map(shown).chain(arguments).collect();
    RunRecord { command, environment: environment(program), stdin, ..RunRecord::default() }
}

/// How to put a program to a Datalog engine, or a script to a solver that takes a file.
fn describe_computation(program: &Program, run: RunRequest<'_>) -> RunRecord {
    let arguments = run.steps.into_iter().flat_map(|step| step.arguments);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    RunRecord {
        command: program.command.iter().map(shown).chain(arguments).collect(),
        environment: environment(program),
        stdin: text(run.stdin),
        files: run.file.into_iter().map(|(name, bytes)| NamedFile { name, text: text(bytes) }).collect(),
        ..RunRecord::default()
    }
}

/// How to put a C program to its analyzer: its files, and every step.
fn describe_analysis(program: &Program, input: &CInput, query: &Query) -> RunRecord {
    let Some(role) = program.description.c_role(query.role) else { return RunRecord::default() };
    let mut commands: Vec<Vec<String>> = Vec::new();
    let programs = named_programs(role, input);
    for (name, alone) in &programs {
        let steps = program.invocation().steps(role, name, alone, query, &query.limits);
        commands.extend(steps.iter().map(|step| words(program, step)));
    }
    let command = commands.pop().unwrap_or_default();
    let files = run_files(role, &programs);
    RunRecord {
        preparation: commands,
        command,
        environment: environment(program),
        stdin: String::new(),
        files,
    }
}

/// A built-in analyzer is a part of juvenal and takes programs in the neutral spelling.
fn describe_built_in(query: &Query) -> RunRecord {
    let mut command = vec!["juvenal".to_owned(), "built-in".to_owned(), built_in_specification(query)];
    if let Some(input) = query.input.c().filter(|input| input.data_model != DataModel::default()) {
        command.extend(["--data-model".to_owned(), input.data_model.to_string()]);
    }
    RunRecord { command, stdin: query.input.text(), ..RunRecord::default() }
}

/// The programs to run by hand, each with the name of its file.
pub(super) fn named_programs(role: CRole<'_>, input: &CInput) -> Vec<(String, CInput)> {
    let programs = programs(role, input);
    let alone = programs.len() == 1;
    let name = |number: usize| if alone { PROGRAM_FILE.to_owned() } else { format!("program-{number}.c") };
    programs.into_iter().enumerate().map(|(index, program)| (name(index + 1), program)).collect()
}

/// The files that a run by hand needs: the programs, and those of juvenal's own.
pub(super) fn run_files(role: CRole<'_>, programs: &[(String, CInput)]) -> Vec<NamedFile> {
    let spelled = programs
        .iter()
        .map(|(name, program)| NamedFile { name: name.clone(), text: role.render(program).text });
    let own = role.files().iter().map(|name| NamedFile {
        name: name.clone(),
        text: support_file(name).unwrap_or_default().to_owned(),
    });
    spelled.chain(own).collect()
}

/// The words of one step as a person types them in the directory of the run.
fn words(program: &Program, step: &FilledStep) -> Vec<String> {
    let own = || program.command.iter().map(shown).collect();
    let mut words = step.program.as_ref().map_or_else(own, |name| vec![name.clone()]);
    words.extend(step.arguments.iter().cloned());
    words
}

fn environment(program: &Program) -> Vec<(String, String)> {
    program.environment.iter().map(|(name, value)| (shown(name), shown(value))).collect()
}

fn shown(word: &OsString) -> String {
    word.to_string_lossy().into_owned()
}
