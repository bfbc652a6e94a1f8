//! Runs commands in the best way that this machine offers.

use crate::command::Command;
use crate::group::Pool;
use crate::guardian::Isolation;
use crate::hierarchy::places;
use crate::outcome::Outcome;
use crate::session::{Session, output_bytes};
use crate::spawn_error::SpawnError;
use crate::transfer::Transfer;
use crate::tree::{Tree, kill_mode, now};
use model::{KillMode, Limits, MeasureMode};
use std::path::Path;
use std::sync::Arc;

/// Runs commands under limits. One runner serves all workers.
pub struct Runner {
    isolation: Isolation,
    measure: MeasureMode,
    /// None when sampling.
    pool: Option<Arc<Pool>>,
}

impl Runner {
    /// Tries what this machine offers, and takes the best that works.
    pub fn probe() -> Runner {
        let isolation = [Isolation::Namespace, Isolation::UserNamespace]
            .into_iter()
            .find(|isolation| Runner::sampling(*isolation).works())
            .unwrap_or(Isolation::Subreaper);
        [MeasureMode::CgroupV2, MeasureMode::CgroupV1]
            .into_iter()
            .find_map(|measure| Runner::grouped(isolation, measure))
            .unwrap_or_else(|| Runner::sampling(isolation))
    }

    /// A runner with these modes, if they work on this machine.
    pub fn with_modes(kill: KillMode, measure: MeasureMode) -> Option<Runner> {
        let isolations: &[Isolation] = match kill {
            KillMode::Namespace => &[Isolation::Namespace, Isolation::UserNamespace],
            // Without this file the guardian cannot find the orphans of the tree.
            KillMode::Subreaper if Path::new("/proc/thread-self/children").exists() => {
                &[Isolation::Subreaper]
            }
            KillMode::Subreaper | KillMode::BuiltIn => &[],
        };
        isolations.iter().find_map(|isolation| match measure {
            MeasureMode::Sampling => Some(Runner::sampling(*isolation)).filter(Runner::works),
            MeasureMode::CgroupV2 | MeasureMode::CgroupV1 => Runner::grouped(*isolation, measure),
            MeasureMode::BuiltIn => None,
        })
    }

    /// How process trees are killed.
    pub fn kill_mode(&self) -> KillMode {
        kill_mode(self.isolation)
    }

    /// How process trees are measured.
    pub fn measure_mode(&self) -> MeasureMode {
        self.measure
    }

    /// Runs a command to its end. Nothing it started is left when this returns.
    pub fn run(&self, command: &Command, limits: &Limits) -> Result<Outcome, SpawnError> {
        let started = now();
        let mut tree = Tree::start(self.isolation, self.pool.as_ref(), command, limits)?;
        let mut transfer = Transfer::until_end(&command.stdin, output_bytes(limits));
        loop {
            if let Some(ending) = tree.pump(&mut transfer, limits, started) {
                let (stdout, stderr, _) = transfer.into_parts();
                return Ok(Outcome { ending, stdout, stderr, cost: tree.cost(started) });
            }
        }
    }

    /// Starts a command that answers many requests. The memory limit holds from the start; the other limits
    /// are those of each exchange.
    pub fn open(&self, command: &Command, limits: &Limits) -> Result<Session, SpawnError> {
        Tree::start(self.isolation, self.pool.as_ref(), command, limits).map(Session::new)
    }

    fn sampling(isolation: Isolation) -> Runner {
        Runner { isolation, measure: MeasureMode::Sampling, pool: None }
    }

    fn grouped(isolation: Isolation, measure: MeasureMode) -> Option<Runner> {
        places(measure)
            .into_iter()
            .map(|place| Runner { isolation, measure, pool: Some(Arc::new(Pool::new(place))) })
            .find(Runner::works)
    }

    /// Executes something that cannot be executed: that this is what fails shows that all before it works.
    fn works(&self) -> bool {
        let result = self.open(&Command::new("/", "/"), &Limits::default());
        matches!(result, Err(SpawnError::NotExecutable { .. }))
    }
}
