//! An analyzer that was found on this machine, with everything a run of it needs.

use crate::ask::ToolInfo;
use analyzers::{CLiar, Description, Driver, Invocation};
use model::{AnalyzerInfo, Hash};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// An analyzer that can be asked on this machine.
#[derive(Clone)]
pub struct Resolved {
    /// What techniques may know about it.
    pub member: AnalyzerInfo,
    /// Where it was found, in words for `doctor`.
    pub origin: String,
    /// The hash of what reads its output: the description and juvenal's own version.
    pub reader_hash: Hash,
    /// How it is run.
    pub backend: Backend,
}

/// How an analyzer is run.
#[derive(Clone)]
pub enum Backend {
    /// As an external program.
    Program(Program),
    /// Inside juvenal.
    BuiltIn(analyzers::BuiltIn),
}

/// An external program, with what every run of it needs.
#[derive(Clone)]
pub struct Program {
    /// The description that renders queries and reads output.
    pub description: Arc<Description>,
    /// The program and the arguments that come before all others.
    pub command: Vec<OsString>,
    /// The configuration given after `--analyzer NAME:`.
    pub configuration: Vec<(String, String)>,
    /// Variables beyond the minimal environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The directory that juvenal installed it into, if it did.
    pub package: Option<PathBuf>,
    /// Files that belong to the program and tell one build from another.
    pub also_hashed: Vec<PathBuf>,
    /// Whether it is a stand-alone program, a Python package or a Rust crate.
    pub driver: Driver,
    /// Set for the built-in liar about C programs, which falsifies either the program or the verdict.
    pub liar: Option<CLiar>,
    /// Set for a tool that is run through a BenchExec module; `command` and `environment` are then those of the worker
    /// process that hosts the module.
    pub tool_info: Option<ToolInfo>,
}

impl Program {
    /// How queries become arguments and text.
    pub(crate) fn invocation(&self) -> Invocation<'_> {
        Invocation {
            description: &self.description,
            driver: self.driver,
            configuration: &self.configuration,
            liar: self.liar.as_ref(),
            read_by_module: self.tool_info.is_some(),
        }
    }
}
