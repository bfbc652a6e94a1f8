//! Running a Datalog engine: the program in its language, in a file of a directory of its own.

use crate::asker::{kept_output, translate};
use crate::run_directory::RunDirectory;
use crate::{Engine, Program};
use analyzers::{DatalogRole, Transcript};
use anyhow::{Context, Result};
use model::{Answer, Cost, DatalogInput, Query, RunFile, RunRecord, Verdict};
use std::ffi::OsString;

impl Engine {
    /// Puts one program to an engine. Of what its language cannot say it knows nothing.
    pub(crate) fn compute(
        &self,
        query: &Query,
        input: &DatalogInput,
        program: &Program,
        role: &DatalogRole,
    ) -> Result<Answer> {
        let rendered = match Rendered::of(input, role) {
            Ok(rendered) => rendered,
            Err(problem) => {
                let output = problem.into_bytes();
                return Ok(Answer { verdict: Verdict::Unknown, cost: Cost::default(), output });
            }
        };
        let directory = RunDirectory::create_in(&self.run_root())?;
        directory.write(&rendered.file, rendered.text.as_bytes())?;
        let first = program.command.first().cloned().unwrap_or_default();
        let mut command = process::Command::new(first, directory.path());
        command.arguments = program.command.iter().skip(1).cloned().collect();
        command.arguments.extend(arguments(&rendered, query, program, role).iter().map(OsString::from));
        command.environment.extend(program.environment.iter().cloned());
        command.stdin = rendered.stdin.into_bytes();
        let outcome = self.runner.run(&command, &query.limits).context("cannot run a Datalog engine")?;
        let transcript = Transcript {
            stdout: &outcome.stdout,
            stderr: &outcome.stderr,
            file: None,
            ending: translate(&outcome.ending),
            preparing: false,
        };
        let verdict = role.read(&rendered.program, transcript);
        Ok(Answer { verdict, cost: outcome.cost, output: kept_output(&outcome.stdout, &outcome.stderr) })
    }
}

/// A program as an engine gets it.
struct Rendered {
    program: datalog::Program,
    file: String,
    text: String,
    stdin: String,
}

impl Rendered {
    fn of(input: &DatalogInput, role: &DatalogRole) -> Result<Rendered, String> {
        let language = role.language().ok_or_else(|| format!("there is no language {}", role.dialect))?;
        let program = datalog::parse("program", &input.text).map_err(|error| error.to_string())?;
        let text = language.render(&program)?;
        let stdin = language.input(&program).unwrap_or_default();
        Ok(Rendered { program, file: format!("program.{}", language.extension()), text, stdin })
    }
}

fn arguments(rendered: &Rendered, query: &Query, program: &Program, role: &DatalogRole) -> Vec<String> {
    let configuration = program.invocation().configuration_arguments();
    role.arguments(&rendered.file, &query.options, &configuration, &query.limits)
}

/// How to put a program to its engine by hand.
pub(crate) fn describe_computation(program: &Program, input: &DatalogInput, query: &Query) -> RunRecord {
    let Some(role) = &program.description.datalog else { return RunRecord::default() };
    let Ok(rendered) = Rendered::of(input, role) else { return RunRecord::default() };
    let shown = |word: &OsString| word.to_string_lossy().into_owned();
    let arguments = arguments(&rendered, query, program, role);
    RunRecord {
        command: program.command.iter().map(shown).chain(arguments).collect(),
        environment: program.environment.iter().map(|(key, value)| (shown(key), shown(value))).collect(),
        stdin: rendered.stdin,
        files: vec![RunFile { name: rendered.file, text: rendered.text }],
        ..RunRecord::default()
    }
}
