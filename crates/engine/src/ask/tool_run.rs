//! Running a tool as its BenchExec tool-info module says: the module makes the command and reads the output.

use super::analysis::{Ran, c_role, write_program};
use super::describe::{named_programs, run_files};
use super::preparation::write_support_files;
use super::question::{Asked, run_of};
use super::tool_worker::{Failure, FailureKind, ToolWorker};
use crate::door::{self, Trust};
use crate::{Engine, RunDirectory, Tool};
use analyzers::{CRole, FilledStep, PROGRAM_FILE};
use anyhow::{Context, Result};
use model::{Cost, DataModel, Ending, Limits, Query, Run, RunRecord, Verdict};
use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that the module reads the output of the tool from.
const OUTPUT: &str = "output.log";
/// Modules expect one output, as BenchExec keeps it: standard output and standard error, interleaved.
const MERGED: &str = "exec \"$0\" \"$@\" 2>&1";

/// The open workers by their module and directory. Each has a lock of its own.
#[derive(Default)]
pub(super) struct ToolWorkers(Mutex<BTreeMap<String, Slot>>);

/// A worker, which goes before the directory that it runs in.
type Slot = Arc<Mutex<Option<(ToolWorker, RunDirectory)>>>;

/// The command for one program.
#[derive(Deserialize)]
struct CommandLine {
    command: Vec<String>,
    /// The directory to run it in, if not that of the program.
    directory: Option<PathBuf>,
    /// Variables taken over from the user.
    kept: Vec<String>,
    set: Vec<(String, String)>,
    /// Texts appended to the value of a variable.
    appended: Vec<(String, String)>,
}

/// The module's word for an output.
#[derive(Deserialize)]
struct Judged {
    result: String,
}

impl Engine {
    /// Runs the tool once, for a program with one check.
    pub(super) fn run_tool(
        &self,
        asked: &Asked<'_>,
        tool: &Tool,
        number: usize,
        limits: &Limits,
    ) -> Result<Ran> {
        let role = c_role(asked, &tool.worker)?;
        let directory = self.new_directory()?;
        write_program(&directory, asked, number)?;
        write_support_files(&directory, role)?;
        let data_model = asked.query.input.c().map(|input| input.data_model).unwrap_or_default();
        let steps = asked.question.steps_within(number, limits);
        let request = command_request(PROGRAM_FILE, &steps, role, data_model, limits, directory.path());
        let line: CommandLine = match self.ask_tool(tool, &request)? {
            Ok(line) => line,
            Err(failure) => return Ok(not_run(&failure)),
        };
        let outcome = self
            .runner
            .run(&line.merged(directory.path()), limits)
            .with_context(|| format!("cannot run {}", asked.query.analyzer))?;
        let (code, signal) = match outcome.ending {
            Ending::Exited(code) => (Some(code), None),
            Ending::Signaled(signal) => (None, Some(signal)),
            Ending::Limit(_) | Ending::StillAlive => return Ok(ran(outcome, None)),
        };
        let output = directory.write(OUTPUT, &outcome.stdout)?;
        let request = json!({
            "ask": "result", "directory": directory.path(), "command": line.command,
            "code": code, "signal": signal, "output": output,
        });
        Ok(match self.ask_tool::<Judged>(tool, &request)? {
            Ok(judged) => ran(outcome, Some(judged.result)),
            Err(failure) => Ran { verdict: Some(no_verdict(&failure)), ..ran(outcome, None) },
        })
    }

    /// Sends a request to the worker, which is started if there is none or the last one failed.
    fn ask_tool<T: DeserializeOwned>(&self, tool: &Tool, request: &Value) -> Result<Result<T, Failure>> {
        let Tool { worker: program, info } = tool;
        let key = format!("{:?} {:?} {info:?}", program.command, program.environment);
        let slot = {
            let mut slots = self.tool_workers.0.lock();
            slots.entry(key).or_default().clone()
        };
        let mut slot = slot.lock();
        let (mut worker, directory) = match slot.take() {
            Some(open) => open,
            None => {
                let directory = self.new_directory()?;
                match ToolWorker::open(&self.runner, program, info, directory.path())? {
                    Ok((worker, _)) => (worker, directory),
                    Err(failure) => return Ok(Err(failure)),
                }
            }
        };
        let answer = worker.ask(request)?;
        directory.clear();
        // A worker whose module failed is not trusted with another request.
        if !matches!(&answer, Err(failure) if failure.kind == FailureKind::Failed) {
            *slot = Some((worker, directory));
        }
        Ok(answer)
    }

    /// How to run the tool by hand.
    pub(super) fn describe_tool(&self, query: &Query, tool: &Tool) -> Result<RunRecord> {
        let program = &tool.worker;
        let (Some(role), Some(input)) = (program.description.c_role(query.role), query.input.c()) else {
            return Ok(RunRecord::default());
        };
        let programs = named_programs(role, input);
        let mut record = RunRecord { files: run_files(role, &programs), ..RunRecord::default() };
        // The module may read the files before it returns the command.
        let directory = self.new_directory()?;
        for file in &record.files {
            directory.write(&file.name, file.text.as_bytes())?;
        }
        let mut commands = Vec::new();
        for (name, alone) in &programs {
            let steps = program.invocation().steps(role, PROGRAM_FILE, alone, query, &query.limits);
            let data_model = alone.data_model;
            let request = command_request(name, &steps, role, data_model, &query.limits, directory.path());
            // A module that refuses has no command to show.
            let Ok(line) = self.ask_tool::<CommandLine>(tool, &request)? else { continue };
            record.environment = line.environment_by_hand();
            commands.push(line.words_by_hand(directory.path()));
        }
        record.command = commands.pop().unwrap_or_default();
        record.preparation = commands;
        Ok(record)
    }
}

impl CommandLine {
    /// The command as it is run.
    fn merged(&self, directory: &Path) -> process::Command {
        let place = self.directory.clone().unwrap_or_else(|| directory.to_owned());
        let mut command = door::command(Trust::Installed, "/bin/sh", place);
        command.arguments = ["-c", MERGED].map(OsString::from).to_vec();
        command.arguments.extend(self.command.iter().map(OsString::from));
        // Whatever the tool writes into its home goes away with the run.
        for (name, value) in &mut command.environment {
            if name == "HOME" || name == "TMPDIR" {
                *value = directory.as_os_str().to_owned();
            }
        }
        for (name, value) in self.variables(&command.environment) {
            command.environment.retain(|(known, _)| *known != name);
            command.environment.push((name, value));
        }
        command
    }

    /// The variables that differ from those that every run has.
    fn variables(&self, usual: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
        let mut variables: BTreeMap<OsString, OsString> = BTreeMap::new();
        for name in &self.kept {
            variables.extend(std::env::var_os(name).map(|value| (OsString::from(name), value)));
        }
        variables.extend(self.set.iter().map(|(name, value)| (name.into(), value.into())));
        for (name, text) in &self.appended {
            let name = OsString::from(name);
            let before = usual.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
            variables.entry(name).or_insert_with(|| before.unwrap_or_default()).push(text);
        }
        variables.into_iter().collect()
    }

    fn environment_by_hand(&self) -> Vec<(String, String)> {
        let shown = |word: &OsString| word.to_string_lossy().into_owned();
        let usual = door::command(Trust::Installed, "", "").environment;
        self.variables(&usual).iter().map(|(name, value)| (shown(name), shown(value))).collect()
    }

    /// The words to type in the directory with the files; `directory` is where they are now.
    fn words_by_hand(&self, directory: &Path) -> Vec<String> {
        let Some(home) = &self.directory else { return self.command.clone() };
        let here = directory.display().to_string();
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''").replace(&here, "'\"$here\"'"));
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        let home = quoted(&home.display().to_string());
        vec!["sh".into(), "-c".into(), format!("here=$PWD; cd {home} && exec {}", words.join(" "))]
    }
}

/// What the module is asked for the command. `limits` are those of the run.
fn command_request(
    file: &str,
    steps: &[FilledStep],
    role: CRole<'_>,
    data_model: DataModel,
    limits: &Limits,
    directory: &Path,
) -> Value {
    let data_model = match data_model {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
    };
    let options: Vec<&String> = steps.iter().flat_map(|step| &step.arguments).collect();
    // A tenth is left for the tool to say that its time is over.
    let milliseconds = limits.wall_milliseconds - limits.wall_milliseconds / 10;
    json!({
        "ask": "cmdline", "directory": directory, "file": file, "property": role.files().first(),
        "options": options, "data_model": data_model, "seconds": (milliseconds / 1000).max(1),
        "memory": limits.memory_megabytes.saturating_mul(1 << 20),
    })
}

/// What the tool printed, with the module's word for it.
fn ran(outcome: process::Outcome, word: Option<String>) -> Ran {
    let cost = outcome.cost;
    Ran::new(Run { file: word.map(String::into_bytes), ..run_of(outcome) }, cost)
}

/// The run that the module refused to make a command for.
fn not_run(failure: &Failure) -> Ran {
    let run = Run::new(Ending::Exited(0), Vec::new(), Vec::new());
    Ran { run, cost: Cost::default(), verdict: Some(no_verdict(failure)) }
}

/// The verdict where the module gave none.
fn no_verdict(failure: &Failure) -> Verdict {
    match failure.kind {
        FailureKind::Refused => Verdict::Rejected(failure.message.clone()),
        _ => Verdict::Unreadable(format!("the tool-info module fails: {}", failure.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_command_has_the_place_and_the_variables_that_the_module_wants() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let line = CommandLine {
            command: ["/opt/it's/run", "/run/7/program.c"].map(str::to_owned).to_vec(),
            directory: Some("/opt/it's".into()),
            kept: vec!["JUVENAL_NO_SUCH_VARIABLE".to_owned()],
            set: vec![pair("MODE", "fast")],
            appended: vec![pair("PATH", ":/opt/bin"), pair("MODE", "er")],
        };
        let command = line.merged(Path::new("/run/7"));
        let value = |name: &str| -> Vec<&str> {
            let same = command.environment.iter().filter(|(known, _)| known == name);
            same.filter_map(|(_, value)| value.to_str()).collect()
        };
        assert_eq!(command.directory, Path::new("/opt/it's"));
        assert_eq!((value("HOME"), value("MODE")), (vec!["/run/7"], vec!["faster"]));
        assert!(matches!(value("PATH")[..], [path] if path.ends_with("/bin:/opt/bin")));
        assert_eq!(
            line.words_by_hand(Path::new("/run/7"))[2],
            r#"here=$PWD; cd '/opt/it'\''s' && exec '/opt/it'\''s/run' ''"$here"'/program.c'"#
        );
        let plain = CommandLine { directory: None, ..line };
        assert_eq!(plain.words_by_hand(Path::new("/run/7")), plain.command);
        assert_eq!(plain.merged(Path::new("/run/7")).directory, Path::new("/run/7"));
    }
}
