//! Running a tool as its BenchExec tool-info module says: the module makes the command and reads the output.

use super::analysis::{PROGRAM, Reading, named_programs, run_files, steps};
use super::asker::kept_output;
use super::preparation::write_support_files;
use super::tool_worker::{Failure, FailureKind, ToolWorker};
use crate::{Engine, Program, RunDirectory, ToolInfo};
use analyzers::{CRole, Ending, Transcript};
use anyhow::{Context, Result};
use model::{Answer, CInput, Cost, DataModel, Query, RunRecord, Verdict};
use process::Ending as ProcessEnding;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Where the output of the tool stands for the module.
const OUTPUT: &str = "output.log";
/// Modules know one output, as BenchExec keeps it: what is printed and what is complained about, in order.
const MERGED: &str = "exec \"$0\" \"$@\" 2>&1";

/// The open workers by their module and directory. Each has a lock of its own.
#[derive(Default)]
pub(crate) struct ToolWorkers(Mutex<BTreeMap<String, Slot>>);

type Slot = Arc<Mutex<Option<ToolWorker>>>;

/// The command for one program.
#[derive(Deserialize)]
struct CommandLine {
    command: Vec<String>,
    /// Where it must be run, if not where the program stands.
    directory: Option<PathBuf>,
    /// Variables taken over from the user.
    kept: Vec<String>,
    set: Vec<(String, String)>,
    /// Texts put behind the value of a variable.
    appended: Vec<(String, String)>,
}

/// What the module made of an output.
#[derive(Deserialize)]
struct Judged {
    result: String,
}

impl Engine {
    /// Runs the tool once, for a program with one check.
    pub(crate) fn run_tool(
        &self,
        query: &Query,
        program: &Program,
        tool: &ToolInfo,
        reading: &Reading<'_>,
    ) -> Result<Answer> {
        let directory = RunDirectory::create_in(&self.run_root())?;
        directory.write(PROGRAM, reading.rendered.text.as_bytes())?;
        write_support_files(&directory, reading.role)?;
        let request = command_request(query, program, reading.role, reading.input, directory.path());
        let line: CommandLine = match self.ask_tool(program, tool, &request)? {
            Ok(line) => line,
            Err(failure) => return Ok(no_answer(&failure, Cost::default(), &[])),
        };
        let outcome = self
            .runner
            .run(&line.merged(directory.path()), &query.limits)
            .with_context(|| format!("cannot run {}", query.analyzer))?;
        let (code, signal) = match outcome.ending {
            ProcessEnding::Exited(code) => (Some(code), None),
            ProcessEnding::Signaled(signal) => (None, Some(signal)),
            ProcessEnding::Limit(kind) => {
                let output = kept_output(&outcome.stdout, &outcome.stderr);
                return Ok(Answer { verdict: Verdict::Limit(kind), cost: outcome.cost, output });
            }
        };
        let output = directory.write(OUTPUT, &outcome.stdout)?;
        let request = json!({
            "ask": "result", "directory": directory.path(), "command": line.command,
            "code": code, "signal": signal, "output": output,
        });
        let judged: Judged = match self.ask_tool(program, tool, &request)? {
            Ok(judged) => judged,
            Err(failure) => return Ok(no_answer(&failure, outcome.cost, &outcome.stdout)),
        };
        // The module has judged the exit code, but a signal is a crash whatever was printed before it.
        let ending = signal.map_or(Ending::Exited(0), Ending::Signaled);
        Ok(Answer {
            verdict: reading.judged(&judged.result, ending),
            cost: outcome.cost,
            output: kept_output(&outcome.stdout, format!("\n{}\n", judged.result).as_bytes()),
        })
    }

    /// Puts a request to the worker, which is started if there is none or the last one broke down.
    fn ask_tool<T: DeserializeOwned>(
        &self,
        program: &Program,
        tool: &ToolInfo,
        request: &Value,
    ) -> Result<Result<T, Failure>> {
        let key = format!("{:?} {:?} {tool:?}", program.command, program.environment);
        let slot = {
            let mut slots = self.tool_workers.0.lock().unwrap_or_else(PoisonError::into_inner);
            slots.entry(key).or_default().clone()
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = match slot.take() {
            Some(worker) => worker,
            None => match ToolWorker::open(&self.runner, program, tool, &self.run_root())? {
                Ok((worker, _)) => worker,
                Err(failure) => return Ok(Err(failure)),
            },
        };
        let answer = worker.ask(request);
        // A worker whose module failed is not trusted with another request.
        if !matches!(&answer, Err(failure) if failure.kind == FailureKind::Failed) {
            *slot = Some(worker);
        }
        Ok(answer)
    }

    /// How to run the tool by hand.
    pub(crate) fn describe_tool(
        &self,
        query: &Query,
        input: &CInput,
        program: &Program,
        tool: &ToolInfo,
    ) -> Result<RunRecord> {
        let Some(role) = program.description.c_role(query.role) else { return Ok(RunRecord::default()) };
        let programs = named_programs(role, input);
        let mut record = RunRecord { files: run_files(role, &programs), ..RunRecord::default() };
        // The module may want to look at the files before it says how to run the tool on them.
        let directory = RunDirectory::create_in(&self.run_root())?;
        for file in &record.files {
            directory.write(&file.name, file.text.as_bytes())?;
        }
        let mut commands = Vec::new();
        for (name, alone) in &programs {
            let mut request = command_request(query, program, role, alone, directory.path());
            request["file"] = json!(name);
            // A module that refuses has no command to show.
            let Ok(line) = self.ask_tool::<CommandLine>(program, tool, &request)? else { continue };
            record.environment = line.environment_by_hand();
            commands.push(line.words_by_hand(directory.path()));
        }
        record.command = commands.pop().unwrap_or_default();
        record.preparation = commands;
        Ok(record)
    }
}

impl Reading<'_> {
    /// What the module's word says of the check.
    fn judged(&self, word: &str, ending: Ending) -> Verdict {
        let transcript =
            Transcript { stdout: word.as_bytes(), stderr: &[], file: None, ending, preparing: false };
        match self.role.read(self.input, &self.rendered, transcript) {
            Verdict::Unreadable(reason) => {
                Verdict::Unreadable(format!("the tool-info module says `{word}`: {reason}"))
            }
            verdict => verdict,
        }
    }
}

impl CommandLine {
    /// The command as it is run.
    fn merged(&self, directory: &Path) -> process::Command {
        let mut command =
            process::Command::new("/bin/sh", self.directory.clone().unwrap_or_else(|| directory.to_owned()));
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
        let usual = process::Command::new("", "").environment;
        self.variables(&usual).iter().map(|(name, value)| (shown(name), shown(value))).collect()
    }

    /// The words for somebody who stands in the directory with the files; `directory` is where they are now.
    fn words_by_hand(&self, directory: &Path) -> Vec<String> {
        let Some(home) = &self.directory else { return self.command.clone() };
        let here = directory.display().to_string();
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''").replace(&here, "'\"$here\"'"));
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        let home = quoted(&home.display().to_string());
        vec!["sh".into(), "-c".into(), format!("here=$PWD; cd {home} && exec {}", words.join(" "))]
    }
}

fn command_request(
    query: &Query,
    program: &Program,
    role: CRole<'_>,
    input: &CInput,
    directory: &Path,
) -> Value {
    let data_model = match input.data_model {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
    };
    let options: Vec<String> =
        steps(program, PROGRAM, input, query, role).into_iter().flat_map(|step| step.arguments).collect();
    let limits = &query.limits;
    // A tenth is left for the tool to say that its time is over.
    let milliseconds = limits.wall_milliseconds - limits.wall_milliseconds / 10;
    json!({
        "ask": "cmdline", "directory": directory, "file": PROGRAM, "property": role.files().first(),
        "options": options, "data_model": data_model, "seconds": (milliseconds / 1000).max(1),
        "memory": limits.memory_megabytes.saturating_mul(1 << 20),
    })
}

/// The answer where the module gave none.
fn no_answer(failure: &Failure, cost: Cost, output: &[u8]) -> Answer {
    let verdict = match failure.kind {
        FailureKind::Refused => Verdict::Rejected(failure.message.clone()),
        _ => Verdict::Unreadable(format!("the tool-info module fails: {}", failure.message)),
    };
    Answer { verdict, cost, output: kept_output(output, &[]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analyzers::benchexec_description;
    use model::{Annotation, AnnotationKind, CheckStatus, Claim, LimitKind};

    /// One word for a verdict on a program with one check.
    fn shown(verdict: &Verdict) -> String {
        match verdict {
            Verdict::Claim(Claim::Checks(claim)) => match claim.status(1) {
                Some(CheckStatus::Verified) => "verified".to_owned(),
                Some(CheckStatus::Violated) => "violated".to_owned(),
                Some(CheckStatus::Unknown) => "undecided".to_owned(),
                None => "nothing".to_owned(),
            },
            Verdict::Limit(LimitKind::Time) => "time".to_owned(),
            Verdict::Limit(LimitKind::Memory) => "memory".to_owned(),
            Verdict::Rejected(message) => format!("rejected {message}"),
            Verdict::Crash(what) => format!("crash {what}"),
            other => other.word().to_owned(),
        }
    }

    #[test]
    fn words_of_modules_become_verdicts() {
        let description = benchexec_description().unwrap();
        let role = description.c_role(model::Role::Reachability).unwrap();
        let check = Annotation::new(0, AnnotationKind::Check(1), "1");
        let input = CInput { base: "".into(), data_model: DataModel::Lp64, annotations: vec![check] };
        let reading = Reading { role, input: &input, rendered: role.render(&input) };
        for (word, expected) in [
            ("true", "verified"),
            ("false", "violated"),
            ("false(unreach-call)", "violated"),
            ("false(valid-deref)", "unreadable"),
            ("unknown", "undecided"),
            ("unknown (loop)", "undecided"),
            ("TIMEOUT", "time"),
            ("timeout", "time"),
            ("OUT OF MEMORY", "memory"),
            ("OUT_OF_MEMORY", "memory"),
            ("OUT OF JAVA MEMORY", "memory"),
            ("ERROR (out of memory, no parsing finished)", "memory"),
            ("ASSERTION", "crash ASSERTION"),
            ("EXCEPTION (Gremlins)", "crash EXCEPTION"),
            ("ERROR (parsing failed)", "rejected ERROR (parsing failed)"),
            ("ERROR (Unsupported source element, x)", "rejected ERROR (Unsupported source element, x)"),
            ("INVALID ARGUMENTS", "rejected INVALID ARGUMENTS"),
            ("ERROR", "unreadable"),
            ("ERROR (1)", "unreadable"),
            ("ERROR(TRUE)", "unreadable"),
            ("done", "unreadable"),
            ("", "unreadable"),
            ("untrue", "unreadable"),
            ("true but", "unreadable"),
        ] {
            assert_eq!(shown(&reading.judged(word, Ending::Exited(0))), expected, "{word}");
        }
        assert_eq!(shown(&reading.judged("true", Ending::Signaled(11))), "crash SIGSEGV");
        assert_eq!(shown(&reading.judged("true", Ending::Signaled(9))), "memory");
    }

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
