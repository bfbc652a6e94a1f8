//! Steps that are run once: what they make is kept as long as the engine and copied into every run.

use super::analysis::step_command;
use crate::{Engine, Program, RunDirectory};
use analyzers::{CRole, FilledStep, support_file};
use anyhow::{Context, Result};
use model::{Cost, Limits, Query};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Wall time for each step that is run once.
const ONCE_MILLISECONDS: u64 = 120_000;

/// What has been made, by program and commands. Each slot has a lock of its own: a worker waits only for what it needs.
#[derive(Default)]
pub(super) struct Preparations(Mutex<BTreeMap<String, Slot>>);

type Slot = Arc<Mutex<Option<Arc<Prepared>>>>;

/// A directory in which the steps were run, and the files that they made.
pub(super) struct Prepared {
    directory: RunDirectory,
    made: Vec<OsString>,
}

/// The result of preparing.
pub(super) enum Preparation {
    /// The files are there; the cost is that of this call.
    Ready(Arc<Prepared>, Cost),
    /// A step failed. It is tried again for the next query: what failed may have been a limit.
    Failed(Box<process::Outcome>),
}

impl Prepared {
    /// Puts copies into a run's directory: a run must not be able to change what later runs get.
    pub(super) fn copy_into(&self, directory: &Path) -> Result<()> {
        for name in &self.made {
            let target = directory.join(name);
            fs::copy(self.directory.path().join(name), &target)
                .with_context(|| format!("cannot write {}; is the disk full?", target.display()))?;
        }
        Ok(())
    }
}

impl Engine {
    /// What these steps make, from an earlier run of them where there was one.
    pub(super) fn prepare(
        &self,
        query: &Query,
        program: &Program,
        role: CRole<'_>,
        steps: &[FilledStep],
    ) -> Result<Preparation> {
        // The commands say which options and which data model were chosen. Analyzers with the same steps share what they make.
        let key = format!("{:?} {:?} {steps:?} {:?}", program.command, program.environment, role.files());
        let slot = {
            let mut slots = self.preparations.0.lock();
            slots.entry(key).or_default().clone()
        };
        let mut kept = slot.lock();
        if let Some(prepared) = kept.as_ref() {
            return Ok(Preparation::Ready(prepared.clone(), Cost::default()));
        }
        let preparation = self.run_once(query, program, role, steps)?;
        if let Preparation::Ready(prepared, _) = &preparation {
            *kept = Some(prepared.clone());
        }
        Ok(preparation)
    }

    fn run_once(
        &self,
        query: &Query,
        program: &Program,
        role: CRole<'_>,
        steps: &[FilledStep],
    ) -> Result<Preparation> {
        let directory = self.new_directory()?;
        write_support_files(&directory, role)?;
        let mut cost = Cost::default();
        // What serves every query may take longer than any of them.
        let limits = Limits { wall_milliseconds: ONCE_MILLISECONDS, ..query.limits };
        for step in steps {
            let command = step_command(program, role, step, directory.path());
            let outcome = self.runner.run(&command, &limits).context("cannot run an analyzer")?;
            cost = cost.and(outcome.cost);
            if outcome.ending != process::Ending::Exited(0) {
                return Ok(Preparation::Failed(Box::new(outcome)));
            }
        }
        let made = new_files(directory.path(), role)?;
        Ok(Preparation::Ready(Arc::new(Prepared { directory, made }), cost))
    }
}

/// Writes the files of juvenal's own that the steps need.
pub(super) fn write_support_files(directory: &RunDirectory, role: CRole<'_>) -> Result<()> {
    for name in role.files() {
        directory.write(name, support_file(name).unwrap_or_default().as_bytes())?;
    }
    Ok(())
}

/// The files of a directory that are not juvenal's own.
fn new_files(directory: &Path, role: CRole<'_>) -> Result<Vec<OsString>> {
    let cannot_list = || format!("cannot list {}", directory.display());
    let mut made = Vec::new();
    for entry in fs::read_dir(directory).with_context(cannot_list)? {
        let entry = entry.with_context(cannot_list)?;
        let name = entry.file_name();
        let is_own = role.files().iter().any(|own| name == own.as_str());
        if !is_own && entry.file_type().with_context(cannot_list)?.is_file() {
            made.push(name);
        }
    }
    made.sort();
    Ok(made)
}
