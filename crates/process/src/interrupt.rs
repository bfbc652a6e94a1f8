//! Ctrl-C: the first asks juvenal to finish the running queries and stop, the second ends it at once.
#![allow(unsafe_code, reason = "the standard library cannot catch signals")]

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
/// What a shell reports for a program that Ctrl-C ended.
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

extern "C" fn handle(_signal: libc::c_int) {
    if STOP.swap(true, Ordering::SeqCst) {
        // SAFETY: `_exit` may be called in a signal handler. The guardians end what still runs.
        unsafe { libc::_exit(EXIT_CODE) };
    }
}
