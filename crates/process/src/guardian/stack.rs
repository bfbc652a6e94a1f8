//! Stacks for cloned processes.

use crate::system;
use libc::c_void;
use std::io;
use std::ptr::{self, NonNull};

/// Enough for the deepest chain of calls of a guardian, even without optimization.
const STACK_BYTES: usize = 64 * 1024;

/// A stack with an inaccessible page below it: an overflow is a fault and does not overwrite memory of juvenal.
pub(super) struct Stack {
    /// The start of the guard page.
    mapping: NonNull<c_void>,
    guard_bytes: usize,
}

impl Stack {
    /// Maps a new stack.
    pub(super) fn new() -> io::Result<Stack> {
        let guard_bytes = usize::try_from(system::page_bytes()).map_err(io::Error::other)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the system chooses the address of a new mapping, which belongs to nothing else. The protection
        // changes for the part of it above the guard page.
        unsafe {
            let address =
                libc::mmap(ptr::null_mut(), guard_bytes + STACK_BYTES, libc::PROT_NONE, flags, -1, 0);
            if address == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let mapping = NonNull::new(address).ok_or_else(|| io::Error::other("a stack at address zero"))?;
            let stack = Stack { mapping, guard_bytes };
            if libc::mprotect(stack.lowest(), STACK_BYTES, access) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(stack)
        }
    }

    /// The lowest address of the stack itself.
    pub(super) fn lowest(&self) -> *mut c_void {
        self.mapping.as_ptr().wrapping_byte_add(self.guard_bytes)
    }

    /// Where the stack begins. Stacks grow down, and the end of a page is aligned as the system demands.
    pub(super) fn top(&self) -> *mut c_void {
        self.lowest().wrapping_byte_add(self.bytes())
    }

    /// The size without the guard page.
    pub(super) fn bytes(&self) -> usize {
        STACK_BYTES
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping of `new`. Whoever drops a stack knows that no process uses it.
        unsafe { libc::munmap(self.mapping.as_ptr(), self.guard_bytes + STACK_BYTES) };
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;
    use std::fs;

    /// The permissions of the mapping that holds an address.
    fn permissions(address: usize) -> Option<String> {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().find_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (start, end) = range.split_once('-')?;
            let bounds = [start, end].map(|text| usize::from_str_radix(text, 16).unwrap());
            (bounds[0] <= address && address < bounds[1]).then(|| rest[..4].to_owned())
        })
    }

    #[test]
    fn a_stack_is_writable_and_ends_at_a_guard_page() {
        let stack = Stack::new().unwrap();
        assert_eq!(stack.top().addr() % 16, 0);
        for (address, expected) in [
            (stack.top().addr() - 1, "rw-p"),
            (stack.lowest().addr(), "rw-p"),
            (stack.lowest().addr() - 1, "---p"),
        ] {
            assert_eq!(permissions(address).as_deref(), Some(expected), "{address:x}");
        }
    }
}
