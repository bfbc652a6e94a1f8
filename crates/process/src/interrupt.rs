//! Ctrl-C: the first asks juvenal to stop, which may end the running programs; the second ends juvenal at once.
#![allow(unsafe_code, reason = "the standard library cannot catch signals")]

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static ENDS_RUNS: AtomicBool = AtomicBool::new(false);
/// The exit code that shells report for a program ended by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// Catches SIGINT and SIGTERM from now on, and returns the flag that the first of them sets.
/// Analyzers do not see these signals: each runs in a session of its own.
pub fn stop_on_interrupt() -> &'static AtomicBool {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler only touches an atomic and calls `_exit`, both of which are safe in a handler.
        unsafe { libc::signal(signal, handle as *const () as libc::sighandler_t) };
    }
    &STOP
}

/// The same, and the first signal also ends the programs that run, and those that are started later: their runs fail
/// with [`RunError::Interrupted`](crate::RunError::Interrupted). For jobs that repeat what was interrupted.
pub fn end_runs_on_interrupt() -> &'static AtomicBool {
    ENDS_RUNS.store(true, Ordering::SeqCst);
    stop_on_interrupt()
}

/// True once the running programs must end.
pub fn is_interrupted() -> bool {
    STOP.load(Ordering::SeqCst) && ENDS_RUNS.load(Ordering::SeqCst)
}

extern "C" fn handle(_signal: libc::c_int) {
    if STOP.swap(true, Ordering::SeqCst) {
        // SAFETY: `_exit` may be called in a signal handler. The guardians end what still runs.
        unsafe { libc::_exit(EXIT_CODE) };
    }
}
