//! Rules of the Landlock security module, for machines on which juvenal may not make namespaces.
//!
//! The rules are built before the clone, and the child only installs them: it shares the memory of a multi-threaded
//! process and may neither allocate nor lock. The crate `landlock` builds and installs in one step, so it does not fit.

#![allow(
    unsafe_code,
    reason = "neither the standard library nor the C library has functions for these calls"
)]

use crate::barrier::Needs;
use crate::hidden::Hidden;
use crate::view::DEVICES;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Before this version rules could not keep a program from truncating files.
const OLDEST_VERSION: libc::c_long = 3;
/// From this version on a program can be kept from sending signals to programs outside.
const SCOPES_VERSION: libc::c_long = 6;
const ASK_VERSION: u32 = 1;
const RULE_PATH_BENEATH: libc::c_long = 1;
const SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS: u64 = 0b11;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIRECTORY: u64 = 1 << 3;
const MAKE_CHARACTER_DEVICE: u64 = 1 << 6;
const MAKE_BLOCK_DEVICE: u64 = 1 << 11;
const TRUNCATE: u64 = 1 << 14;
/// All rights of the oldest version that we take.
const ALL_RIGHTS: u64 = (1 << 15) - 1;
const FILE_RIGHTS: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

#[repr(C)]
struct RulesetAttributes {
    handled_file_rights: u64,
    handled_network_rights: u64,
    scopes: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    rights: u64,
    file: i32,
}

/// Files and directories that confined programs may read or use, opened once for a runner.
#[derive(Default)]
pub(crate) struct Readable {
    files: Vec<(File, u64)>,
}

impl Readable {
    /// Finds everything but the hidden directories; of the devices, only the harmless ones.
    pub(crate) fn find(hidden: &Hidden) -> Readable {
        let mut readable = Readable::default();
        for device in DEVICES {
            readable.add(Path::new(device), READ_FILE | WRITE_FILE);
        }
        let mut pending = vec![Path::new("/").to_owned()];
        while let Some(directory) = pending.pop() {
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                let path = entry.path();
                // The target of a symbolic link is found at its own place.
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                if is_link || path == Path::new("/dev") || hidden.holding(&path).is_some() {
                    continue;
                }
                if hidden.inside(&path).is_some() {
                    pending.push(path);
                } else {
                    readable.add(&path, READ_FILE | READ_DIRECTORY | EXECUTE);
                }
            }
        }
        readable
    }

    /// Adds a path. One that cannot be opened needs no rule.
    fn add(&mut self, path: &Path, rights: u64) {
        if let Ok(file) = open(path) {
            self.files.push((file, rights));
        }
    }
}

/// The rules for one program.
pub(crate) struct Ruleset {
    descriptor: OwnedFd,
}

impl Ruleset {
    /// Rules for a program that may write to its working directory.
    pub(crate) fn new(readable: &Readable, needs: &Needs) -> io::Result<Ruleset> {
        let ruleset = Ruleset::without_rules()?;
        for (file, rights) in &readable.files {
            ruleset.allow(file, *rights)?;
        }
        // What is missing reports itself when it is used.
        for file in needs.readable.iter().filter_map(|path| open(path).ok()) {
            ruleset.allow(&file, READ_FILE | READ_DIRECTORY | EXECUTE)?;
        }
        ruleset.allow(&open(&needs.directory)?, ALL_RIGHTS & !(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE))?;
        if let Ok(program) = open(&needs.program) {
            ruleset.allow(&program, EXECUTE | READ_FILE)?;
        }
        Ok(ruleset)
    }

    fn without_rules() -> io::Result<Ruleset> {
        // SAFETY: no attributes are read when the version is asked for.
        let version = unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, ASK_VERSION)
        };
        if version < OLDEST_VERSION {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
        let scopes = if version >= SCOPES_VERSION { SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS } else { 0 };
        let attributes =
            RulesetAttributes { handled_file_rights: ALL_RIGHTS, handled_network_rights: 0, scopes };
        // SAFETY: the attributes live through the call, and a result that is not negative is a new descriptor
        // that nothing else owns. Fields that an older system does not know are zero, which it accepts.
        unsafe {
            let size = size_of::<RulesetAttributes>();
            let result = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0u32);
            if result < 0 {
                return Err(io::Error::last_os_error());
            }
            let descriptor = i32::try_from(result).map_err(io::Error::other)?;
            Ok(Ruleset { descriptor: OwnedFd::from_raw_fd(descriptor) })
        }
    }

    fn allow(&self, file: &File, rights: u64) -> io::Result<()> {
        let rights = if file.metadata()?.is_dir() { rights } else { rights & FILE_RIGHTS };
        let rule = PathBeneath { rights, file: file.as_raw_fd() };
        // SAFETY: the rule lives through the call.
        let result = unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.descriptor.as_raw_fd(),
                RULE_PATH_BENEATH,
                &raw const rule,
                0u32,
            )
        };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

impl AsFd for Ruleset {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path)
}
