//! The inputs that mutations start from.

use crate::Target;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use test_support::repository;

/// Larger members would only make fuzzing slower.
const LARGEST_MEMBER: usize = 8 << 10;

/// The corpus of a target, sorted by path: files of the repository, and those in its own folder.
pub fn corpus(target: &Target) -> Result<Vec<Vec<u8>>> {
    let own = format!("crates/fuzz/corpus/{}", target.name);
    let mut files = Vec::new();
    for folder in target.folders.iter().copied().chain([own.as_str()]) {
        collect(&repository().join(folder), &mut files)?;
    }
    files.sort();
    let members = files.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    Ok(members.into_iter().filter(|member| member.len() <= LARGEST_MEMBER).collect())
}

/// The inputs that once failed, with their paths.
pub fn regressions(target: &Target) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    collect(&repository().join("crates/fuzz/regressions").join(target.name), &mut files)?;
    files.sort();
    files.into_iter().map(|path| read(&path).map(|bytes| (path, bytes))).collect()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Adds the files below a folder, which may be missing: most targets have no regressions.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
