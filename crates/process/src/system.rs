//! Safe functions for system calls that the standard library lacks.
//!
//! They are written with `libc`: rustix has neither `wait4` with its resource usage nor the CPU clock of another process,
//! so the unsafe code would stay, with a second way to make system calls beside it.

#![allow(unsafe_code, reason = "the standard library has no poll, wait4, kill or process clocks")]

use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::time::Duration;

/// What a file descriptor is waited for.
#[derive(Clone, Copy)]
pub(crate) enum Interest {
    /// It can be read, or its other end is closed.
    Read,
    /// It can be written, or its other end is closed.
    Write,
}

/// Waits until one of the descriptors is ready, and returns for each whether it is.
/// A signal or the timeout makes none ready.
pub(crate) fn wait_ready<const N: usize>(
    descriptors: [Option<(RawFd, Interest)>; N],
    timeout: Duration,
) -> io::Result<[bool; N]> {
    // A negative descriptor is skipped by poll.
    let mut entries = descriptors.map(|entry| match entry {
        Some((fd, Interest::Read)) => libc::pollfd { fd, events: libc::POLLIN, revents: 0 },
        Some((fd, Interest::Write)) => libc::pollfd { fd, events: libc::POLLOUT, revents: 0 },
        None => libc::pollfd { fd: -1, events: 0, revents: 0 },
    });
    // Rounded up, so that the loop does not spin in the last millisecond.
    let milliseconds = i32::try_from(timeout.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
    // SAFETY: the pointer and the length describe `entries`, which lives through the call.
    let result = unsafe { libc::poll(entries.as_mut_ptr(), N as libc::nfds_t, milliseconds) };
    if result < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
        return Ok([false; N]);
    }
    Ok(entries.map(|entry| entry.revents != 0))
}

/// Makes reads and writes on this descriptor return instead of waiting.
pub(crate) fn set_nonblocking(descriptor: &impl AsRawFd) -> io::Result<()> {
    let fd = descriptor.as_raw_fd();
    // SAFETY: fcntl on a descriptor that the caller owns touches no memory of ours.
    let result = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags < 0 { flags } else { libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) }
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Sends a signal to one process. A process that no longer exists is not an error.
pub(crate) fn send_signal(process: i32, signal: i32) {
    // Zero and negative numbers name groups of processes, among them our own.
    if process > 1 {
        // SAFETY: kill touches no memory of ours.
        unsafe { libc::kill(process, signal) };
    }
}

/// Waits for a child to end, reaps it, and returns the CPU time of it and its reaped descendants.
pub(crate) fn reap(child: i32) -> Duration {
    // SAFETY: all-zero bytes are a valid rusage.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: a null status is allowed, and `usage` lives through the call.
        let result = unsafe { libc::wait4(child, std::ptr::null_mut(), 0, &mut usage) };
        if result >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return duration(usage.ru_utime) + duration(usage.ru_stime);
        }
    }
}

/// CPU time used so far by all threads of a process.
pub(crate) fn process_cpu_time(process: i32) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both pointers are to locals that live through the calls.
    let failed = unsafe {
        libc::clock_getcpuclockid(process, &mut clock) != 0 || libc::clock_gettime(clock, &mut time) != 0
    };
    if failed {
        return None;
    }
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Bytes in a page of memory.
pub(crate) fn page_bytes() -> u64 {
    // SAFETY: sysconf touches no memory of ours.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// The unit in which /proc counts CPU time.
pub(crate) fn clock_tick() -> Duration {
    // SAFETY: sysconf touches no memory of ours.
    let ticks = u32::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100);
    Duration::from_secs(1) / ticks.max(1)
}

/// Our process id and that of our process group.
pub(crate) fn own_process_and_group() -> (i32, i32) {
    // SAFETY: these calls always succeed and touch no memory of ours.
    unsafe { (libc::getpid(), libc::getpgrp()) }
}

/// The effective user and group.
pub(crate) fn user_and_group() -> (u32, u32) {
    // SAFETY: these calls always succeed and touch no memory of ours.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}
