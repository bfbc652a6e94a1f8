//! Own work that ends when the user wants it to end.

use anyhow::{Context, Result};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a caller that waits for its work asks whether to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs work on a thread of its own and returns its result; none once `stop` returns true.
///
/// Languages and techniques are pure and do not know when to stop, and a hostile seed can keep them busy for long. Work
/// that is left goes on in the background, until it ends or the process does, and its result is discarded. So it must
/// have no effect but its result. A panic of the work becomes a panic of the caller.
pub fn unless_stopped<T: Send + 'static>(
    stop: &dyn Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let run = move || {
        // The result of work that was left is discarded.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    };
    thread::Builder::new().name("work".to_owned()).spawn(run).context("cannot start a thread")?;
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(Ok(result)) => return Ok(Some(result)),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) if stop() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => anyhow::bail!("a thread ended without a result"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn work_is_left_when_the_caller_wants_to_stop() {
        let (release, held) = mpsc::channel::<()>();
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 2
        };
        let left = unless_stopped(&stop, move || held.recv().is_ok());
        assert_eq!(left.unwrap(), None);
        drop(release);
        assert_eq!(unless_stopped(&|| true, || 7).unwrap(), Some(7), "work that is done counts");
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let caught = catch_unwind(|| unless_stopped(&|| false, || -> u8 { panic!("a bug of ours") }));
        assert!(caught.is_err());
    }
}
