//! The system's limit on the size of files (`ulimit -f`), which holds for juvenal itself.
#![allow(unsafe_code, reason = "the standard library knows neither signals nor limits")]

/// Makes a write beyond the limit fail with an error instead of ending juvenal. The signal is caught rather than ignored,
/// because programs that juvenal starts would inherit the latter.
pub fn survive_full_files() {
    extern "C" fn do_nothing(_signal: libc::c_int) {}
    // SAFETY: the handler does nothing.
    unsafe { libc::signal(libc::SIGXFSZ, do_nothing as *const () as libc::sighandler_t) };
}

/// The size of the largest file that juvenal may write, in bytes, if there is a limit.
pub fn largest_file() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the pointer is valid for the call.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    (limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}
