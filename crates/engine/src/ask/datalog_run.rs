//! Running a Datalog engine: programs in its language, in a file of a directory of their own.

use super::asker::{kept_output, translate};
use crate::run_directory::RunDirectory;
use crate::{Engine, Program};
use analyzers::{DatalogRole, Transcript};
use anyhow::{Context, Result};
use datalog::Dialect;
use model::{Answer, Cost, DatalogInput, Limits, NamedFile, Query, RunRecord, Verdict};
use std::ffi::OsString;
use std::path::Path;

impl Engine {
    /// Puts programs to an engine, in one run if it takes several. The first question speaks for the options and the
    /// limits of all. Of what the engine's language cannot say it knows nothing.
    pub(crate) fn compute(
        &self,
        query: &Query,
        inputs: &[&DatalogInput],
        program: &Program,
        role: &DatalogRole,
    ) -> Result<Vec<Answer>> {
        let rendered: Vec<Result<Asked, String>> =
            inputs.iter().map(|input| Asked::of(input, query, program, role)).collect();
        let fit: Vec<&Asked> = rendered.iter().flatten().collect();
        let call = Call { query, program, role };
        let mut answers = self.compute_halving(&call, &fit)?.into_iter();
        rendered
            .iter()
            .map(|asked| match asked {
                Ok(_) => answers.next().context("a program without an answer"),
                Err(problem) => Ok(cannot_say(problem)),
            })
            .collect()
    }

    /// One run for all; if it fails as a whole, one for each half, until the program that is to blame is alone.
    fn compute_halving(&self, call: &Call<'_>, asked: &[&Asked]) -> Result<Vec<Answer>> {
        let programs: Vec<&datalog::Program> = asked.iter().map(|it| &it.program).collect();
        let (text, stdin) = match asked {
            [] => return Ok(Vec::new()),
            [alone] => (alone.text.clone(), alone.stdin.clone()),
            [first, ..] => match first.language.render_many(&programs) {
                Ok(text) => (text, String::new()),
                Err(_) => return self.compute_halves(call, asked, Cost::default()),
            },
        };
        let (first, language) = (&asked[0], asked[0].language);
        let outcome = self.run_engine(call, &first.file, &text, stdin, asked.len())?;
        let transcript = Transcript {
            stdout: &outcome.stdout,
            stderr: &outcome.stderr,
            file: None,
            ending: translate(&outcome.ending),
            preparing: false,
        };
        let cost = share(outcome.cost, asked.len() as u64);
        let output = kept_output(&outcome.stdout, &outcome.stderr);
        if let [alone] = asked {
            return Ok(vec![Answer {
                verdict: call.role.read(language, &alone.program, transcript),
                cost,
                output,
            }]);
        }
        match call.role.read_many(language, &programs, transcript) {
            Ok(verdicts) => Ok(verdicts
                .into_iter()
                .map(|verdict| Answer { verdict, cost, output: output.clone() })
                .collect()),
            Err(_) => self.compute_halves(call, asked, cost),
        }
    }

    /// The answers of both halves, each with its share of the cost until now.
    fn compute_halves(&self, call: &Call<'_>, asked: &[&Asked], spent: Cost) -> Result<Vec<Answer>> {
        let (left, right) = asked.split_at(asked.len() / 2);
        let mut answers = self.compute_halving(call, left)?;
        answers.extend(self.compute_halving(call, right)?);
        for answer in &mut answers {
            answer.cost.wall_microseconds += spent.wall_microseconds;
            answer.cost.cpu_microseconds += spent.cpu_microseconds;
        }
        Ok(answers)
    }

    fn run_engine(
        &self,
        call: &Call<'_>,
        file: &str,
        text: &str,
        stdin: String,
        programs: usize,
    ) -> Result<process::Outcome> {
        let directory = RunDirectory::create_in(&self.run_root())?;
        directory.write(file, text.as_bytes())?;
        let limits = call.role.run_limits(&call.query.limits, programs);
        let words = &call.program.command;
        let mut command = process::Command::new(words.first().cloned().unwrap_or_default(), directory.path());
        command.arguments = words.iter().skip(1).cloned().collect();
        command.arguments.extend(call.arguments(file, &limits).iter().map(OsString::from));
        command.environment.extend(call.program.environment.iter().cloned());
        command.stdin = stdin.into_bytes();
        let outcome = self.runner.run(&command, &limits).context("cannot run a Datalog engine")?;
        let cleaned = |printed| without_directory(printed, directory.path());
        let (stdout, stderr) = (cleaned(outcome.stdout), cleaned(outcome.stderr));
        Ok(process::Outcome { stdout, stderr, ..outcome })
    }
}

/// Who is asked, and how.
struct Call<'a> {
    query: &'a Query,
    program: &'a Program,
    role: &'a DatalogRole,
}

impl Call<'_> {
    fn arguments(&self, file: &str, limits: &Limits) -> Vec<String> {
        let configuration = self.program.invocation().configuration_arguments();
        self.role.arguments(file, &self.query.options, &configuration, limits)
    }
}

/// A program as an engine gets it.
struct Asked {
    language: Dialect,
    program: datalog::Program,
    file: String,
    text: String,
    stdin: String,
}

impl Asked {
    fn of(
        input: &DatalogInput,
        query: &Query,
        program: &Program,
        role: &DatalogRole,
    ) -> Result<Asked, String> {
        let language = role
            .language(&query.options, &program.configuration)
            .ok_or_else(|| format!("there is no language {}", role.dialect))?;
        let program = datalog::parse("program", &input.text).map_err(|error| error.to_string())?;
        let text = language.render(&program)?;
        let stdin = language.input(&program).unwrap_or_default();
        Ok(Asked { language, program, file: format!("program.{}", language.extension()), text, stdin })
    }
}

fn cannot_say(problem: &str) -> Answer {
    Answer { verdict: Verdict::Unknown, cost: Cost::default(), output: problem.as_bytes().to_vec() }
}

/// What was printed, without the directory of the run, which is another one each time.
fn without_directory(printed: Vec<u8>, directory: &Path) -> Vec<u8> {
    let directory = format!("{}/", directory.display());
    match String::from_utf8(printed) {
        Ok(text) => text.replace(&directory, "").into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// The cost of one of several programs that were run together. They had the memory together.
fn share(cost: Cost, programs: u64) -> Cost {
    Cost {
        wall_microseconds: cost.wall_microseconds / programs,
        cpu_microseconds: cost.cpu_microseconds / programs,
        ..cost
    }
}

/// How to put a program to its engine by hand.
pub(crate) fn describe_computation(program: &Program, input: &DatalogInput, query: &Query) -> RunRecord {
    let Some(role) = &program.description.datalog else { return RunRecord::default() };
    let Ok(asked) = Asked::of(input, query, program, role) else { return RunRecord::default() };
    let shown = |word: &OsString| word.to_string_lossy().into_owned();
    let call = Call { query, program, role };
    let arguments = call.arguments(&asked.file, &role.run_limits(&query.limits, 1));
    RunRecord {
        command: program.command.iter().map(shown).chain(arguments).collect(),
        environment: program.environment.iter().map(|(key, value)| (shown(key), shown(value))).collect(),
        stdin: asked.stdin,
        files: vec![NamedFile { name: asked.file, text: asked.text }],
        ..RunRecord::default()
    }
}
