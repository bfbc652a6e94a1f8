//! Asking analyzers: from a query to its recorded answer.

mod analysis;
mod asker;
mod datalog_run;
mod one_by_one;
mod preparation;
mod tally;
mod tool_run;
mod tool_worker;
mod warm;

pub use asker::{Asker, Journal};
pub use tally::{ModeTally, Tally, own_cpu_microseconds};
pub use tool_worker::ToolInfo;
pub(crate) use tool_worker::{About, Failure, FailureKind, ToolWorker};

use crate::{Resolved, RunDirectory, SeedLoader};
use anyhow::{Result, anyhow};
use model::AnalyzerId;
use preparation::Preparations;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tool_run::ToolWorkers;

/// What all askers of a campaign share.
pub struct Engine {
    runner: process::Runner,
    directory: RunDirectory,
    analyzers: BTreeMap<AnalyzerId, Resolved>,
    preparations: Preparations,
    tool_workers: ToolWorkers,
}

impl Engine {
    /// An engine for these analyzers.
    pub fn new(resolved: Vec<Resolved>) -> Result<Engine> {
        process::remove_leftovers();
        let mut analyzers = BTreeMap::new();
        for resolved in resolved {
            // Subjects come first: a witness with the same identity must not replace a subject that was given by path.
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

    /// A loader of seeds that shares this engine's runner and directory.
    pub fn seed_loader(&self) -> SeedLoader<'_> {
        SeedLoader::new(&self.runner, &self.directory)
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
