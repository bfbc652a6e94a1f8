//! Runs commands in the best way that this machine offers.

use crate::barrier::Confiner;
use crate::command::Command;
use crate::confinement::{Confinement, ConfinementMode};
use crate::group::Pool;
use crate::guardian::Isolation;
use crate::hierarchy::places;
use crate::outcome::Outcome;
use crate::run_error::RunError;
use crate::session::{Session, output_bytes};
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
    confiner: Confiner,
}

impl Runner {
    /// Tries what this machine offers, and chooses the best that works.
    pub fn probe() -> Runner {
        let isolation = [Isolation::Namespace, Isolation::UserNamespace]
            .into_iter()
            .find(|isolation| Runner::sampling(*isolation).works())
            .unwrap_or(Isolation::Subreaper);
        [MeasureMode::CgroupV2, MeasureMode::CgroupV1]
            .into_iter()
            .find_map(|measure| Runner::grouped(isolation, measure))
            .unwrap_or_else(|| Runner::sampling(isolation))
            .with_best_confinement()
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
        let runner = isolations.iter().find_map(|isolation| match measure {
            MeasureMode::Sampling => Some(Runner::sampling(*isolation)).filter(Runner::works),
            MeasureMode::CgroupV2 | MeasureMode::CgroupV1 => Runner::grouped(*isolation, measure),
            MeasureMode::BuiltIn => None,
        });
        runner.map(Runner::with_best_confinement)
    }

    /// The same runner with this mode of confinement, if it works on this machine.
    pub fn with_confinement(self, mode: ConfinementMode) -> Option<Runner> {
        let runner = Runner { confiner: Confiner::new(mode), ..self };
        (mode == ConfinementMode::Nothing || runner.confines()).then_some(runner)
    }

    /// How process trees are killed.
    pub fn kill_mode(&self) -> KillMode {
        kill_mode(self.isolation)
    }

    /// How process trees are measured.
    pub fn measure_mode(&self) -> MeasureMode {
        self.measure
    }

    /// How programs are confined if their command asks for it.
    pub fn confinement_mode(&self) -> ConfinementMode {
        self.confiner.mode()
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    ///
    /// Fails if the program could not be started, or if processes that it started could not be ended. Otherwise no
    /// process of it is left.
    pub fn run(&self, command: &Command, limits: &Limits) -> Result<Outcome, RunError> {
        self.run_with(command, limits, None)
    }

    /// Like [`run`](Runner::run), for long commands: `stop` ends it early, as if its time were over.
    pub fn run_until(
        &self,
        command: &Command,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> Result<Outcome, RunError> {
        self.run_with(command, limits, Some(stop))
    }

    fn run_with(
        &self,
        command: &Command,
        limits: &Limits,
        stop: Option<&dyn Fn() -> bool>,
    ) -> Result<Outcome, RunError> {
        let started = now();
        let mut tree = self.start(command, limits)?;
        let mut transfer = Transfer::until_end(&command.stdin, output_bytes(limits));
        loop {
            if let Some(ending) = tree.pump_until(&mut transfer, limits, started, stop) {
                tree.require_ended(&command.program)?;
                let (stdout, stderr, _) = transfer.into_parts();
                return Ok(Outcome { ending, stdout, stderr, cost: tree.cost(started) });
            }
        }
    }

    /// Starts a command that answers many requests. The memory limit holds from the start; the other limits
    /// are those of each exchange.
    pub fn open(&self, command: &Command, limits: &Limits) -> Result<Session, RunError> {
        Ok(Session::new(self.start(command, limits)?, command.program.clone()))
    }

    fn start(&self, command: &Command, limits: &Limits) -> Result<Tree, RunError> {
        Tree::start(self.isolation, self.pool.as_ref(), &self.confiner, command, limits)
    }

    fn sampling(isolation: Isolation) -> Runner {
        let confiner = Confiner::new(ConfinementMode::Nothing);
        Runner { isolation, measure: MeasureMode::Sampling, pool: None, confiner }
    }

    fn grouped(isolation: Isolation, measure: MeasureMode) -> Option<Runner> {
        places(measure)
            .into_iter()
            .map(|place| Runner {
                measure,
                pool: Some(Arc::new(Pool::new(place))),
                ..Runner::sampling(isolation)
            })
            .find(Runner::works)
    }

    fn with_best_confinement(mut self) -> Runner {
        for mode in ConfinementMode::ALL {
            self.confiner = Confiner::new(mode);
            if self.confines() {
                break;
            }
        }
        self
    }

    fn works(&self) -> bool {
        self.gets_as_far_as_executing(&Command::new("/", "/"))
    }

    fn confines(&self) -> bool {
        // The root directory contains what is to be hidden, so another one must do that is always there.
        let mut command = Command::new("/", "/proc");
        command.confinement = Confinement::Program;
        self.gets_as_far_as_executing(&command)
    }

    /// Executes something that cannot be executed. If only that fails, everything before it works.
    fn gets_as_far_as_executing(&self, command: &Command) -> bool {
        matches!(self.open(command, &Limits::default()), Err(RunError::NotExecutable { .. }))
    }
}
