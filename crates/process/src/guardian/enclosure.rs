//! The steps that confine a program. The guardian takes the first, the program the second.

use super::call;
use super::filter::with_filter;
use crate::barrier::Barrier;
use crate::group::MAXIMUM_PROCESSES;
use crate::view::{Kept, KeptKind, MAXIMUM_KEPT_TREES, View};
use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, RawFd};

/// Which namespaces a confined guardian is born into.
pub(super) const NAMESPACES: libc::c_int =
    libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

const ROOT: &CStr = c"/";
/// Neither devices nor programs that change the user.
const HARMLESS: u64 = libc::MOUNT_ATTR_NODEV | libc::MOUNT_ATTR_NOSUID;
const READ_ONLY: u64 = HARMLESS | libc::MOUNT_ATTR_RDONLY;
/// Nothing is ever written there, apart from the names that lead to what is kept.
const EMPTY_DIRECTORY_OPTIONS: &CStr = c"mode=0755,size=1m,nr_inodes=4096";

/// Changes the file system that the guardian, and so the program, sees.
pub(super) fn change_view(view: &View) -> Result<(), isize> {
    // Otherwise the changes would propagate to the outside.
    checked(call::change_mounts(ROOT, 0, libc::MS_PRIVATE))?;
    let mut trees: [RawFd; MAXIMUM_KEPT_TREES] = [-1; MAXIMUM_KEPT_TREES];
    for (tree, kept) in trees.iter_mut().zip(&view.kept) {
        *tree = copy_tree(kept)?;
    }
    for place in &view.hidden {
        match call::mount_empty(place, EMPTY_DIRECTORY_OPTIONS) {
            // A directory that no longer exists need not be hidden.
            result if result == -(libc::ENOENT as isize) => {}
            result => checked(result)?,
        }
    }
    for made in &view.made {
        let result =
            if made.is_directory { call::make_directory(&made.path) } else { call::make_file(&made.path) };
        if result != -(libc::EEXIST as isize) {
            checked(result)?;
        }
    }
    checked(call::change_mounts(ROOT, READ_ONLY, 0))?;
    for (tree, kept) in trees.iter().zip(&view.kept) {
        if *tree >= 0 {
            checked(call::attach_tree(*tree, &kept.target))?;
            call::close(*tree);
        }
    }
    Ok(())
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
    if matches!(barrier, Barrier::None) {
        return Ok(());
    }
    if matches!(barrier, Barrier::Namespaces(_)) {
        // The system counts by user and user namespace, so this is about the tree alone. The superuser is exempt,
        // and for everyone the control group counts too, if there is one.
        call::limit_resource(libc::RLIMIT_NPROC as usize, MAXIMUM_PROCESSES as u64);
    }
    if let Barrier::Landlock(ruleset) = barrier {
        checked(call::obey_ruleset(ruleset.as_fd().as_raw_fd()))?;
    }
    // The superuser gets its capabilities back at execve, but not after giving up new privileges.
    checked(call::drop_capabilities())?;
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
