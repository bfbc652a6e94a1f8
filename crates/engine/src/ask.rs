//! Asking analyzers: from a query to its recorded answer.

mod analysis;
mod asker;
mod datalog_run;
mod describe;
mod preparation;
mod put;
mod question;
mod read_output;
mod tally;
mod tool_run;
mod tool_worker;
mod warm;

pub use asker::{Asker, Journal};
pub(crate) use question::run_of;
pub use tally::{ModeTally, Tally};
pub(crate) use tool_worker::{About, Failure, FailureKind, ToolWorker};
pub use tool_worker::{ToolInfo, read_tool_message};

use crate::{Resolved, RunDirectory, SeedLoader};
use anyhow::{Result, anyhow};
use model::{AnalyzerId, Hash};
use preparation::Preparations;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use tool_run::ToolWorkers;

/// What all askers of a campaign share.
pub struct Engine {
    runner: process::Runner,
    directory: RunDirectory,
    analyzers: BTreeMap<AnalyzerId, Known>,
    preparations: Preparations,
    tool_workers: ToolWorkers,
}

/// An analyzer of the line-up.
struct Known {
    resolved: Resolved,
    /// The hash of its program, from the first time that it is needed.
    program_hash: OnceLock<Hash>,
}

impl Engine {
    /// An engine for these analyzers.
    pub fn new(resolved: Vec<Resolved>) -> Result<Engine> {
        process::remove_leftovers();
        let mut analyzers = BTreeMap::new();
        for resolved in resolved {
            // Subjects come first: a witness with the same identity must not replace a subject that was given by path.
            let id = resolved.member.id.clone();
            analyzers.entry(id).or_insert(Known { resolved, program_hash: OnceLock::new() });
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

    /// What cannot be promised about running processes here, each in a sentence.
    pub fn weaknesses(&self) -> Vec<String> {
        self.runner.weaknesses()
    }

    /// A loader of seeds that shares this engine's runner and directory.
    pub fn seed_loader(&self) -> SeedLoader<'_> {
        SeedLoader::new(&self.runner, &self.directory)
    }

    fn known(&self, id: &AnalyzerId) -> Result<&Known> {
        self.analyzers.get(id).ok_or_else(|| {
            anyhow!("{id} is not in the line-up of this campaign; give it again with --analyzer or --witness")
        })
    }

    /// An empty directory for one query or one session. What analyzers write there goes with it.
    fn new_directory(&self) -> Result<RunDirectory> {
        RunDirectory::create_in(self.directory.path())
    }
}
