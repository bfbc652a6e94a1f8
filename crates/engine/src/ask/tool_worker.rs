//! The Python process that knows one tool through its BenchExec tool-info module.

use crate::Program;
use crate::door::{self, Trust};
use anyhow::{Context, Result};
use model::{Ending, Limits};
use process::{Exchange, RunError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The limits of one request. A module may start the tool to learn its version, and a Java machine is slow and large.
const LIMITS: Limits = Limits { wall_milliseconds: 60_000, memory_megabytes: 4096, output_kilobytes: 4096 };
/// The line that ends every reply.
const END: &[u8] = b"end";

/// A tool and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolInfo {
    /// The tool-info module.
    pub module: String,
    /// The tool's own directory, if the user named it; else the search path.
    pub directory: Option<PathBuf>,
}

/// What a module reports about its tool.
#[derive(Deserialize)]
pub(crate) struct About {
    /// The tool's name in prose.
    pub name: String,
    /// Its version, possibly empty.
    pub version: String,
    /// Its homepage, possibly empty.
    pub homepage: String,
    /// The file that is executed.
    pub executable: PathBuf,
    /// The files and directories that the tool consists of.
    pub files: Vec<PathBuf>,
    /// The file that the module was read from.
    pub source: PathBuf,
}

/// Why a request got no answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Failure {
    pub kind: FailureKind,
    pub message: String,
    /// The modules that there are, where one is missing.
    #[serde(default)]
    pub known: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailureKind {
    /// There is no module of this name.
    NoModule,
    /// The module does not find its tool.
    NoTool,
    /// The module says that its tool cannot do this.
    Refused,
    /// The module or the process failed.
    Failed,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Reply<T> {
    Failure { error: Failure },
    Answer(T),
}

/// An open process.
pub(crate) struct ToolWorker(process::Session);

impl ToolWorker {
    /// Starts the process and loads the module. `program` is the Python interpreter with our script.
    pub(crate) fn open(
        runner: &process::Runner,
        program: &Program,
        tool: &ToolInfo,
        directory: &Path,
    ) -> Result<Result<(ToolWorker, About), Failure>> {
        let mut words = program.command.iter();
        let first = words.next().context("BenchExec without a Python interpreter")?;
        let mut command = door::command(Trust::Installed, first, directory);
        command.arguments = words.cloned().chain(["--session".into()]).collect();
        for (name, value) in &program.environment {
            command.environment.retain(|(known, _)| known != name);
            command.environment.push((name.clone(), value.clone()));
        }
        let session = runner.open(&command, &LIMITS).context("cannot start Python for BenchExec")?;
        let mut worker = ToolWorker(session);
        let about =
            worker.ask(&json!({"ask": "tool", "module": tool.module, "directory": tool.directory}))?;
        Ok(about.map(|about| (worker, about)))
    }

    /// Sends one request. After a failure of the process, every further request fails as well.
    pub(crate) fn ask<T: DeserializeOwned>(&mut self, request: &Value) -> Result<Result<T, Failure>> {
        match self.0.exchange(format!("{request}\n").as_bytes(), END, &LIMITS) {
            Err(error @ RunError::Interrupted { .. }) => Err(error.into()),
            Err(error) => Ok(Err(broken(error.to_string()))),
            Ok(exchange) => Ok(read_reply(&exchange)),
        }
    }
}

fn broken(message: String) -> Failure {
    Failure { kind: FailureKind::Failed, message, known: Vec::new() }
}

fn read_reply<T: DeserializeOwned>(exchange: &Exchange) -> Result<T, Failure> {
    if exchange.ending != Ending::StillAlive {
        let ending = exchange.ending;
        let complaint = String::from_utf8_lossy(&exchange.stderr).into_owned();
        let last = complaint.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        return Err(broken(format!("its process ended ({ending:?}): {}", last.escape_debug())));
    }
    read_message(&exchange.stdout)
}

fn read_message<T: DeserializeOwned>(message: &[u8]) -> Result<T, Failure> {
    match serde_json::from_slice(message) {
        Ok(Reply::Answer(answer)) => Ok(answer),
        Ok(Reply::Failure { error }) => Err(error),
        Err(error) => Err(broken(format!("its reply cannot be read: {error}"))),
    }
}

/// Reads a message of a tool-info module about its tool. Returns why there is none, or the problem.
pub fn read_tool_message(message: &[u8]) -> Result<(), String> {
    read_message::<About>(message).map(drop).map_err(|failure| failure.message)
}
