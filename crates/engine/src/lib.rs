//! Asks analyzers: looks answers up, keeps solvers warm, makes run directories, calls `process`.
//!
//! Invariants: every answer is recorded before it is used; an analyzer's crash, hang or nonsense is a verdict,
//! never an error; the only commands that run come from descriptions, the user's command line and the search path.

mod analysis;
mod asker;
mod csmith;
mod datalog_run;
mod install;
mod install_crate;
mod load_seed;
mod locate;
mod one_by_one;
mod preparation;
mod prepare_c;
mod run_directory;
mod seeds;
mod specification;
mod tally;
mod task;
mod tool_info;
mod tool_run;
mod tool_worker;
mod warm;
mod yaml;

pub use asker::{Asker, Journal};
pub use csmith::csmith;
pub use install::{Installed, install};
pub use locate::{Found, Locator, analyzer_directory, install_hint, on_search_path};
pub use prepare_c::c_compiler;
pub use run_directory::RunDirectory;
pub use seeds::{SeedFiles, SeedProblem};
pub use specification::Specification;
pub use tally::{ModeTally, Tally, own_cpu_microseconds};
pub use tool_worker::ToolInfo;

use analyzers::{CLiar, Description, Driver, Invocation};
use anyhow::{Result, anyhow};
use model::{AnalyzerId, AnalyzerInfo, Hash};
use preparation::Preparations;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use tool_run::ToolWorkers;

/// Everything that is shared by the askers of a campaign.
pub struct Engine {
    runner: process::Runner,
    directory: RunDirectory,
    analyzers: BTreeMap<AnalyzerId, Resolved>,
    preparations: Preparations,
    tool_workers: ToolWorkers,
}

/// An analyzer that can be asked here.
#[derive(Clone)]
pub struct Resolved {
    /// What techniques may know of it.
    pub member: AnalyzerInfo,
    /// Where it came from, in words for `doctor`.
    pub origin: String,
    /// The hash of its description and, if it was given by path, of the program; part of every answer's key.
    pub description_hash: Hash,
    /// How to reach it.
    pub backend: Backend,
}

/// How an analyzer is reached.
#[derive(Clone)]
pub enum Backend {
    /// A program outside.
    Program(Program),
    /// A built-in analyzer, with its configuration.
    BuiltIn(analyzers::BuiltIn),
}

/// A program outside, with what every run of it needs.
#[derive(Clone)]
pub struct Program {
    /// The description that renders queries and reads output.
    pub description: Arc<Description>,
    /// The program and the arguments that come before all others.
    pub command: Vec<OsString>,
    /// The choices behind `--analyzer NAME:`.
    pub configuration: Vec<(String, String)>,
    /// Variables beyond the minimal environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether it is a program of its own, a Python package or a Rust crate.
    pub driver: Driver,
    /// Set for the built-in liar about C programs, which lies about what the program says.
    pub liar: Option<CLiar>,
    /// Set for a tool that a BenchExec module knows; `command` and `environment` are then those of the worker that
    /// asks the module.
    pub tool_info: Option<ToolInfo>,
}

impl Program {
    /// How queries become arguments and text.
    pub(crate) fn invocation(&self) -> Invocation<'_> {
        Invocation { description: &self.description, driver: self.driver, configuration: &self.configuration }
    }
}

impl Engine {
    /// An engine for these analyzers.
    pub fn new(resolved: Vec<Resolved>) -> Result<Engine> {
        process::remove_leftovers();
        let mut analyzers = BTreeMap::new();
        for resolved in resolved {
            // Subjects come first: a witness of the same identity must not take the place of one given by path.
            analyzers.entry(resolved.member.id.clone()).or_insert(resolved);
        }
        Ok(Engine {
            runner: process::Runner::probe(),
            directory: RunDirectory::create()?,
            analyzers,
            preparations: Preparations::default(),
            tool_workers: ToolWorkers::default(),
        })
    }

    /// How process trees are killed and measured here, in words.
    pub fn isolation(&self) -> String {
        format!("{:?} / {:?}", self.runner.kill_mode(), self.runner.measure_mode())
    }

    fn resolved(&self, id: &AnalyzerId) -> Result<&Resolved> {
        self.analyzers.get(id).ok_or_else(|| {
            anyhow!("{id} is not in the line-up of this campaign; give it again with --analyzer or --witness")
        })
    }

    fn run_root(&self) -> PathBuf {
        self.directory.path().to_owned()
    }
}
