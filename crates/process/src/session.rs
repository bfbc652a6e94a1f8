//! A live process that answers many requests through pipes.

use crate::interrupt::is_interrupted;
use crate::outcome::Exchange;
use crate::run_error::RunError;
use crate::transfer::{Stream, Transfer};
use crate::tree::{Tree, now};
use model::{Ending, LimitKind, Limits};
use std::path::PathBuf;

/// A live process that answers many requests. Dropping it kills the whole process tree.
pub struct Session {
    tree: Tree,
    program: PathBuf,
    process_id: u32,
    /// What was printed after the last end marker; it belongs to the next answer.
    carried: Vec<u8>,
}

impl Session {
    pub(crate) fn new(tree: Tree, program: PathBuf) -> Session {
        let process_id = tree.process_id();
        Session { tree, program, process_id, carried: Vec::new() }
    }

    /// Sends a request and reads until a whole line on standard output equals `end_marker`, until the process
    /// ends, or until a limit is reached, which ends the process. Limits count from the start of this
    /// exchange. After the end of the process every exchange is empty and says how it ended.
    ///
    /// # Errors
    ///
    /// Fails if juvenal was interrupted, or if a limit was reached and a process could not be ended.
    pub fn exchange(
        &mut self,
        request: &[u8],
        end_marker: &[u8],
        limits: &Limits,
    ) -> Result<Exchange, RunError> {
        let started = now();
        self.tree.begin_transfer(limits);
        let mut transfer = Transfer::until_marker(request, end_marker, output_bytes(limits));
        transfer.receive(Stream::Output, &std::mem::take(&mut self.carried));
        let ending = self.tree.pump_until(&mut transfer, limits, started, &is_interrupted);
        let ending = ending.unwrap_or(Ending::StillAlive);
        self.tree.require_ended(&self.program)?;
        if ending == Ending::Limit(LimitKind::Time) && is_interrupted() {
            return Err(RunError::Interrupted { program: self.program.clone() });
        }
        let (stdout, stderr, carried) = transfer.into_parts();
        self.carried = carried;
        Ok(Exchange { stdout, stderr, ending, cost: self.tree.cost(started) })
    }

    /// The process id of the program, as juvenal sees it.
    pub fn process_id(&self) -> u32 {
        self.process_id
    }
}

/// The output limit in bytes.
pub(crate) fn output_bytes(limits: &Limits) -> usize {
    usize::try_from(limits.output_kilobytes.saturating_mul(1024)).unwrap_or(usize::MAX)
}
