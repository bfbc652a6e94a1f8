//! The steps that confine a program. The guardian takes the first, the program the second.

use super::call;
use super::filter::with_filter;
use crate::barrier::{Barrier, Identity};
use crate::disk::MAXIMUM_BYTES;
use crate::group::MAXIMUM_PROCESSES;
use crate::view::{Hiding, Kept, KeptKind, MAXIMUM_KEPT_TREES, View};
use libc::c_int;
use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, RawFd};

const ROOT: &CStr = c"/";
const PROCESSES: &CStr = c"/proc";
/// Neither devices nor programs that change the user.
const HARMLESS: u64 = libc::MOUNT_ATTR_NODEV | libc::MOUNT_ATTR_NOSUID;
const READ_ONLY: u64 = HARMLESS | libc::MOUNT_ATTR_RDONLY;
/// Nothing is ever written there, apart from the names that lead to what is kept.
const EMPTY_DIRECTORY_OPTIONS: &CStr = c"mode=0755,size=1m,nr_inodes=4096";
/// What is written there is memory of the program, and goes away with it.
const SHARED_MEMORY_OPTIONS: &CStr = c"mode=1777,size=64m,nr_inodes=4096";

/// Which namespaces a confined guardian is born into.
///
/// A user namespace gives an ordinary user the right to make the others. The superuser has that right, and the
/// program is going to be another user, whom a user namespace would have to know.
pub(super) fn namespaces(identity: Identity) -> c_int {
    let of_users = match identity {
        Identity::Kept => libc::CLONE_NEWUSER,
        Identity::Stranger => 0,
    };
    of_users | libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS
}

/// Changes the file system that the guardian, and so the program, sees.
pub(super) fn change_view(view: &View, has_own_processes: bool) -> Result<(), isize> {
    // Otherwise the changes would propagate to the outside.
    checked(call::change_mounts(ROOT, 0, libc::MS_PRIVATE))?;
    let mut trees: [RawFd; MAXIMUM_KEPT_TREES] = [-1; MAXIMUM_KEPT_TREES];
    for (tree, kept) in trees.iter_mut().zip(&view.kept) {
        *tree = copy_tree(kept)?;
    }
    if has_own_processes {
        // Containers that mask parts of this directory do not let their users mount it again. Then the names of
        // other processes stay visible, and the rights of the user protect the rest.
        let _ = call::mount_processes(PROCESSES);
    }
    for hidden in &view.hidden {
        hide(hidden)?;
    }
    for made in &view.made {
        let result =
            if made.is_directory { call::make_directory(&made.path) } else { call::make_file(&made.path) };
        if result != -(libc::EEXIST as isize) {
            checked(result)?;
        }
    }
    checked(call::change_mounts(ROOT, READ_ONLY, 0))?;
    for hidden in view.hidden.iter().filter(|hidden| hidden.is_shared_memory) {
        checked(call::unrestrict_mount(&hidden.path, libc::MOUNT_ATTR_RDONLY))?;
    }
    for (tree, kept) in trees.iter().zip(&view.kept) {
        if *tree >= 0 {
            checked(call::attach_tree(*tree, &kept.target))?;
            call::close(*tree);
        }
    }
    Ok(())
}

fn hide(hidden: &Hiding) -> Result<(), isize> {
    let options = if hidden.is_shared_memory { SHARED_MEMORY_OPTIONS } else { EMPTY_DIRECTORY_OPTIONS };
    match call::mount_empty(&hidden.path, options) {
        // A directory that no longer exists need not be hidden.
        result if result == -(libc::ENOENT as isize) && !hidden.is_shared_memory => Ok(()),
        result => checked(result),
    }
}

/// A copy of what is kept, which what follows does not touch. A negative number stands for a missing device.
fn copy_tree(kept: &Kept) -> Result<RawFd, isize> {
    let tree = call::copy_tree(&kept.source);
    if tree == -(libc::ENOENT as isize) && kept.kind == KeptKind::Device {
        return Ok(-1);
    }
    checked(tree)?;
    match kept.kind {
        KeptKind::Device => {}
        KeptKind::Writable => checked(call::restrict_tree(tree as RawFd, HARMLESS))?,
        KeptKind::ReadOnly => checked(call::restrict_tree(tree as RawFd, READ_ONLY))?,
    }
    Ok(tree as RawFd)
}

/// Gives up what the program must not have. It has already given up new privileges.
pub(super) fn renounce(barrier: &Barrier) -> Result<(), isize> {
    let Some(identity) = barrier.identity() else { return Ok(()) };
    // The watcher of the disk sums up what the files hold; no single file gets past its limit before it looks.
    call::limit_resource(libc::RLIMIT_FSIZE as usize, MAXIMUM_BYTES);
    if matches!(barrier, Barrier::Namespaces(..)) && identity == Identity::Kept {
        // The system counts by user and user namespace, so this is about the tree alone. Without a user namespace
        // it would be about all strangers. For everyone the control group counts too, if there is one.
        call::limit_resource(libc::RLIMIT_NPROC as usize, MAXIMUM_PROCESSES as u64);
    }
    if let Barrier::Landlock(ruleset, _) = barrier {
        checked(call::obey_ruleset(ruleset.as_fd().as_raw_fd()))?;
    }
    if identity == Identity::Stranger {
        checked(call::become_user(Identity::STRANGER, Identity::STRANGER))?;
        // A change of the user clears the signal that comes when the guardian dies.
        call::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as usize);
    }
    // The superuser gets its capabilities back at execve, but not after giving up new privileges.
    checked(call::drop_capabilities())?;
    // The filter refuses every use of keys, so nothing is lost where the user has too many keyrings for another one.
    call::join_new_keyring();
    // Without the flag, systems before Linux 5.16 slow the program down by a third.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW as usize;
    let result = with_filter(|filter| call::install_filter(filter, flags));
    if result == -(libc::EINVAL as isize) {
        return checked(with_filter(|filter| call::install_filter(filter, 0)));
    }
    checked(result)
}

fn checked(result: isize) -> Result<(), isize> {
    if result < 0 { Err(result) } else { Ok(()) }
}
