//! The hash of a program and of everything that it runs with. Rebuilt programs are asked anew.

use super::locate::on_path;
use crate::{Backend, Program, Resolved};
use anyhow::{Context, Result};
use model::{Hash, PartHasher};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Files are hashed in pieces of this size, so they need not fit into memory.
const HASHED_PIECE: u64 = 1 << 20;
/// What stands for the directory that juvenal installed a package into: its content counts, not its place.
const PACKAGE: &[u8] = b"{package}";

/// The hash of the analyzer itself: everything that decides on its answers and is not in the request.
pub(crate) fn program_hash(resolved: &Resolved) -> Result<Hash> {
    match &resolved.backend {
        // Built-in analyzers change with juvenal.
        Backend::BuiltIn(_) => {
            let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
            hash_file(&program)
        }
        Backend::Program(program) => {
            let mut hasher = PartHasher::default();
            add_command(&mut hasher, program)?;
            for name in step_programs(program) {
                hasher.add(name.as_bytes());
                add_file_if_any(&mut hasher, on_path(&name, minimal_path()).as_deref())?;
            }
            for path in &program.also_hashed {
                hasher.add(&hash_file(path)?.0);
            }
            if let Some(package) = &program.package {
                hasher.add(&package_hash(package)?.0);
            }
            Ok(hasher.finish())
        }
    }
}

/// The words before all arguments, by content where they are files, and the environment.
fn add_command(hasher: &mut PartHasher, program: &Program) -> Result<()> {
    for word in &program.command {
        let path = Path::new(word);
        match path.is_absolute() && path.is_file() {
            true => hasher.add(&hash_file(path)?.0),
            false => hasher.add(word.as_bytes()),
        }
    }
    // The environment of a worker is that of its module, which is hashed; the tool gets another one.
    let environment = program.environment.iter().filter(|_| program.tool_info.is_none());
    for (name, value) in environment {
        hasher.add(name.as_bytes());
        let is_package = program.package.as_ref().is_some_and(|package| package.as_os_str() == value);
        hasher.add(if is_package { PACKAGE } else { value.as_bytes() });
    }
    Ok(())
}

/// The programs other than the analyzer that its steps run, such as compilers. Those that earlier steps made are no
/// programs of this machine.
fn step_programs(program: &Program) -> BTreeSet<String> {
    let description = &program.description;
    let checks = [&description.reachability, &description.debug].into_iter().flatten();
    let steps =
        checks.flat_map(|role| &role.steps).chain(description.warnings.iter().flat_map(|it| &it.steps));
    steps.filter_map(|step| step.program.clone()).filter(|name| !name.starts_with("./")).collect()
}

/// Where commands of steps are looked for.
fn minimal_path() -> OsString {
    let usual = process::Command::new("", "").environment;
    usual.into_iter().find(|(name, _)| name == "PATH").map(|(_, value)| value).unwrap_or_default()
}

fn add_file_if_any(hasher: &mut PartHasher, path: Option<&Path>) -> Result<()> {
    let hash = path.map(hash_file).transpose()?;
    hasher.add(hash.as_ref().map_or(&[][..], |hash| &hash.0));
    Ok(())
}

/// Shared libraries in the same directory, which a build puts beside its program.
pub(super) fn libraries_beside(program: &Path) -> Vec<PathBuf> {
    let is_library = |path: &Path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name.ends_with(".so") || name.contains(".so.")) && path.is_file()
    };
    let entries = program.parent().and_then(|directory| fs::read_dir(directory).ok());
    let mut found: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_library(path))
        .collect();
    found.sort();
    found
}

/// The content of a package that juvenal installed. Wheels come with a list of their files and hashes; of a crate, the
/// built files count.
fn package_hash(package: &Path) -> Result<Hash> {
    let cannot_list = || format!("cannot list {}", package.display());
    let mut records = Vec::new();
    for entry in fs::read_dir(package).with_context(cannot_list)? {
        let record = entry.with_context(cannot_list)?.path().join("RECORD");
        if record.is_file() {
            records.push(record);
        }
    }
    if records.is_empty() {
        collect_files(package, &mut records)?;
    }
    records.sort();
    let mut hasher = PartHasher::default();
    for file in records {
        hasher.add(file.strip_prefix(package).unwrap_or(&file).as_os_str().as_bytes());
        hasher.add(&hash_file(&file)?.0);
    }
    Ok(hasher.finish())
}

fn collect_files(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot_list = || format!("cannot list {}", directory.display());
    for entry in fs::read_dir(directory).with_context(cannot_list)? {
        let entry = entry.with_context(cannot_list)?;
        let kind = entry.file_type().with_context(cannot_list)?;
        if kind.is_dir() {
            collect_files(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// What tells one content of a file from another without reading it.
type Stamp = (u64, u64, u64, i64, i64);

/// The hash of a file, computed once for each content.
pub(super) fn hash_file(path: &Path) -> Result<Hash> {
    static KNOWN: Mutex<BTreeMap<Stamp, Hash>> = Mutex::new(BTreeMap::new());
    let cannot_read = || format!("cannot read {} to tell it from other builds", path.display());
    let file = File::open(path).with_context(cannot_read)?;
    let stamp = stamp(&file.metadata().with_context(cannot_read)?);
    if let Some(hash) = KNOWN.lock().get(&stamp) {
        return Ok(*hash);
    }
    let hash = hash_content(file).with_context(cannot_read)?;
    KNOWN.lock().insert(stamp, hash);
    Ok(hash)
}

fn stamp(about: &Metadata) -> Stamp {
    (about.dev(), about.ino(), about.len(), about.mtime(), about.mtime_nsec())
}

fn hash_content(mut file: File) -> std::io::Result<Hash> {
    let mut hasher = PartHasher::default();
    let mut piece = Vec::new();
    loop {
        piece.clear();
        (&mut file).take(HASHED_PIECE).read_to_end(&mut piece)?;
        if piece.is_empty() {
            return Ok(hasher.finish());
        }
        hasher.add(&piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_counts_and_not_the_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        for (name, text) in [("a", "one"), ("b", "one"), ("c", "two")] {
            fs::write(path(name), text).unwrap();
        }
        let hash = |name: &str| hash_file(&path(name)).unwrap();
        assert_eq!(hash("a"), hash("b"));
        assert_ne!(hash("a"), hash("c"));
        let before = hash("a");
        fs::write(path("a"), "another").unwrap();
        assert_ne!(hash("a"), before);
        assert!(
            hash_file(&path("missing")).unwrap_err().to_string().contains("to tell it from other builds")
        );
    }

    #[test]
    fn libraries_beside_a_program_are_found() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["solver", "libz.so", "liby.so.3", "notes.txt"] {
            fs::write(directory.path().join(name), name).unwrap();
        }
        let found = libraries_beside(&directory.path().join("solver"));
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["liby.so.3", "libz.so"]);
    }

    #[test]
    fn a_package_is_known_by_its_record() {
        let hash = |record: Option<&str>, file: &str| {
            let directory = tempfile::tempdir().unwrap();
            fs::create_dir_all(directory.path().join("a.dist-info")).unwrap();
            fs::create_dir_all(directory.path().join("deps")).unwrap();
            fs::write(directory.path().join("deps/liba.rlib"), file).unwrap();
            if let Some(record) = record {
                fs::write(directory.path().join("a.dist-info/RECORD"), record).unwrap();
            }
            package_hash(directory.path()).unwrap()
        };
        assert_eq!(hash(Some("r"), "1"), hash(Some("r"), "2"), "a wheel's record names every file");
        assert_ne!(hash(Some("r"), "1"), hash(Some("s"), "1"));
        assert_ne!(hash(None, "1"), hash(None, "2"), "the built files of a crate");
        assert_eq!(hash(None, "1"), hash(None, "1"));
    }
}
