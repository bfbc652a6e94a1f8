//! Keeps the signals of a program inside its own process tree.
//!
//! An analyzer that calls `kill(-1, SIGKILL)` must not end juvenal, and one that calls `kill(-1, SIGSTOP)` must not stop
//! it for ever. A process-id namespace prevents both, but not that an analyzer of the same user writes into the memory
//! of juvenal through `/proc`. A scope of Landlock prevents all three, in every mode.

#![allow(
    unsafe_code,
    reason = "neither the standard library nor the C library has functions for these calls"
)]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};

/// `LANDLOCK_SCOPE_SIGNAL`, from Linux 6.12 on.
const SCOPE_SIGNALS: u64 = 0b10;

#[repr(C)]
struct Attributes {
    handled_file_rights: u64,
    handled_network_rights: u64,
    scopes: u64,
}

/// A ruleset without rules for files: a program that obeys it can neither signal nor trace processes outside its tree.
pub(crate) struct SignalScope {
    descriptor: OwnedFd,
}

impl SignalScope {
    /// Makes the scope that all programs of a runner obey, each for itself. None if the system is too old for it.
    pub(crate) fn find() -> Option<SignalScope> {
        let attributes =
            Attributes { handled_file_rights: 0, handled_network_rights: 0, scopes: SCOPE_SIGNALS };
        // SAFETY: the attributes live through the call, and a result that is not negative is a new descriptor that
        // nothing else owns.
        unsafe {
            let size = size_of::<Attributes>();
            let result = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0u32);
            let descriptor = i32::try_from(result).ok().filter(|descriptor| *descriptor >= 0)?;
            Some(SignalScope { descriptor: above_standard_streams(OwnedFd::from_raw_fd(descriptor)).ok()? })
        }
    }
}

/// The guardian puts the program's own streams at the first three numbers. A clone always gets a larger one.
fn above_standard_streams(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    use std::os::fd::AsRawFd;
    if descriptor.as_raw_fd() > libc::STDERR_FILENO { Ok(descriptor) } else { descriptor.try_clone() }
}

impl AsFd for SignalScope {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}
