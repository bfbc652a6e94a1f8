//! The inputs that mutations start from.

use crate::Target;
use crate::mutate::LARGEST_INPUT;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use test_support::repository;

/// The corpus of a target, sorted by path: files of the repository, and those in its own folder.
pub fn corpus(target: &Target) -> Result<Vec<Vec<u8>>> {
    let own = format!("crates/fuzz/corpus/{}", target.name);
    let mut files = Vec::new();
    for folder in target.folders.iter().copied().chain([own.as_str()]) {
        collect(&repository().join(folder), &mut files)?;
    }
    files.sort();
    files.iter().map(|path| member(path)).collect()
}

/// A member of a corpus. A larger one than an input can be would be cut in every mutation, so it is an error.
fn member(path: &Path) -> Result<Vec<u8>> {
    let member = read(path)?;
    let (path, length) = (path.display(), member.len());
    ensure!(
        length <= LARGEST_INPUT,
        "{path} has {length} bytes; a member of a corpus has at most {LARGEST_INPUT}"
    );
    Ok(member)
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
