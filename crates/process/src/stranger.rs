//! What a confined program needs when it is another user than juvenal.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

/// The user that confined programs run as where juvenal is root: `nobody`, who owns nothing.
pub const STRANGER: u32 = 65534;

/// The bits of a mode that are about everyone.
const READ: u32 = 0o4;
const SEARCH: u32 = 0o1;

/// Whether a user who owns nothing can reach a path and, if `reads`, read and execute or search it. The directories
/// that are remade are open.
pub(crate) fn is_open_to_strangers(path: &Path, reads: bool, is_remade: &dyn Fn(&Path) -> bool) -> bool {
    let Ok(real) = path.canonicalize() else { return true };
    let has = |path: &Path, bits: u32| fs::metadata(path).is_ok_and(|found| found.mode() & bits == bits);
    let is_open = match (reads, real.is_dir()) {
        (false, _) => true,
        (true, true) => has(&real, READ | SEARCH),
        (true, false) => has(&real, READ),
    };
    is_open && real.ancestors().skip(1).all(|parent| is_remade(parent) || has(parent, SEARCH))
}

/// Gives a directory and everything in it to another user. Links are not followed, and a file with several names
/// stays as it is: one of the names could be outside.
pub(crate) fn hand_over(directory: &Path, user: u32) -> io::Result<()> {
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        let found = fs::symlink_metadata(&path)?;
        // The directory itself may be named by a symbolic link.
        let found = if path == directory { fs::metadata(&path)? } else { found };
        if found.is_dir() {
            for entry in fs::read_dir(&path)? {
                pending.push(entry?.path());
            }
        }
        if found.uid() != user && (found.is_dir() || found.nlink() == 1) {
            let path = if path == directory { path.canonicalize()? } else { path };
            lchown(&path, Some(user), Some(user))?;
        }
    }
    Ok(())
}
