//! Runs commands in the best way that this machine offers.

use crate::barrier::{Confiner, Identity, TRIAL_DIRECTORY};
use crate::command::Command;
use crate::confinement::{Confinement, ConfinementMode};
use crate::group::Pool;
use crate::guardian::Isolation;
use crate::hierarchy::candidates;
use crate::interrupt::is_interrupted;
use crate::outcome::Outcome;
use crate::run_error::RunError;
use crate::session::{Session, output_bytes};
use crate::signal_scope::SignalScope;
use crate::system;
use crate::transfer::Transfer;
use crate::tree::{Tree, kill_mode, now};
use model::{Ending, KillMode, LimitKind, Limits, MeasureMode};
use std::path::Path;
use std::sync::Arc;

/// Runs commands under limits. One runner serves all workers.
pub struct Runner {
    isolation: Isolation,
    measure: MeasureMode,
    /// None when sampling.
    pool: Option<Arc<Pool>>,
    confiner: Confiner,
    /// None if the system is too old for it.
    signal_scope: Option<SignalScope>,
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
        let mut runner = self;
        (runner.confines_in(mode) || mode == ConfinementMode::Nothing).then_some(runner)
    }

    /// The same runner without the means of newer systems to keep signals inside a process tree, to test what is left.
    pub fn without_signal_scope(self) -> Runner {
        Runner { signal_scope: None, ..self }
    }

    /// How process trees are killed.
    pub fn kill_mode(&self) -> KillMode {
        kill_mode(self.isolation)
    }

    /// What this runner cannot promise about the processes that it runs, each in a sentence.
    pub fn weaknesses(&self) -> Vec<String> {
        let killing = match (self.kill_mode(), &self.signal_scope) {
            (KillMode::Subreaper, None) => Some(
                "no process-id namespaces here, and Linux before 6.12: a malicious analyzer can send signals to juvenal, and \
                 processes stay if both guardians of a run are killed; allow user namespaces to prevent this"
                    .to_owned(),
            ),
            (KillMode::Subreaper, Some(_)) => Some(
                "no process-id namespaces here: processes stay if both guardians of a run are killed from outside; \
                 allow user namespaces to prevent this"
                    .to_owned(),
            ),
            (KillMode::Namespace | KillMode::BuiltIn, _) => None,
        };
        let mode = self.confinement_mode();
        let is_weak = mode != ConfinementMode::Namespaces;
        let confining = is_weak.then(|| format!("programs under test are confined only by {mode}"));
        killing.into_iter().chain(confining).collect()
    }

    /// How process trees are measured.
    pub fn measure_mode(&self) -> MeasureMode {
        self.measure
    }

    /// How programs are confined if their command asks for it.
    pub fn confinement_mode(&self) -> ConfinementMode {
        self.confiner.mode()
    }

    /// Gives the directory of a confined command to the user that its program is going to be, as every run does first. For
    /// those who compare the files there before and after a run.
    pub fn hand_over(&self, command: &Command) -> Result<(), RunError> {
        let prepared = command.prepare()?;
        let barrier = self.confiner.prepare(command, &prepared.program)?;
        self.confiner.hand_over(command, &barrier)
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    ///
    /// Fails if the program could not be started, if juvenal was interrupted, or if processes that it started could not
    /// be ended. Otherwise no process of it is left.
    pub fn run(&self, command: &Command, limits: &Limits) -> Result<Outcome, RunError> {
        let outcome = self.run_until(command, limits, &is_interrupted)?;
        if outcome.ending == Ending::Limit(LimitKind::Time) && is_interrupted() {
            return Err(RunError::Interrupted { program: command.program.clone() });
        }
        Ok(outcome)
    }

    /// Like [`run`](Runner::run), for long commands: `stop` ends it early, as if its time were over.
    pub fn run_until(
        &self,
        command: &Command,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
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
        Tree::start(
            self.isolation,
            self.pool.as_ref(),
            &self.confiner,
            self.signal_scope.as_ref(),
            command,
            limits,
        )
    }

    fn sampling(isolation: Isolation) -> Runner {
        let confiner = Confiner::new(ConfinementMode::Nothing, Identity::Kept);
        let signal_scope = SignalScope::find();
        Runner { isolation, measure: MeasureMode::Sampling, pool: None, confiner, signal_scope }
    }

    fn grouped(isolation: Isolation, measure: MeasureMode) -> Option<Runner> {
        candidates(measure)
            .into_iter()
            .map(|parents| Runner {
                measure,
                pool: Some(Arc::new(Pool::new(parents))),
                ..Runner::sampling(isolation)
            })
            .find(Runner::works)
    }

    fn with_best_confinement(mut self) -> Runner {
        for mode in ConfinementMode::ALL {
            if self.confines_in(mode) {
                break;
            }
        }
        self
    }

    /// Chooses this mode, and returns whether it works.
    fn confines_in(&mut self, mode: ConfinementMode) -> bool {
        // Only the superuser can become another user.
        let identities: &[Identity] = match system::user_and_group() {
            (0, _) => &[Identity::Stranger, Identity::Kept],
            _ => &[Identity::Kept],
        };
        identities.iter().any(|identity| {
            self.confiner = Confiner::new(mode, *identity);
            self.confines()
        })
    }

    fn works(&self) -> bool {
        self.gets_as_far_as_executing(&Command::new("/", "/", Confinement::None))
    }

    fn confines(&self) -> bool {
        self.gets_as_far_as_executing(&Command::new("/", TRIAL_DIRECTORY, Confinement::Program))
    }

    /// Executes something that cannot be executed. If only that fails, everything before it works.
    fn gets_as_far_as_executing(&self, command: &Command) -> bool {
        matches!(self.open(command, &Limits::default()), Err(RunError::NotExecutable { .. }))
    }
}
