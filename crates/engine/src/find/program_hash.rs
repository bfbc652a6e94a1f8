//! The hash of a program and of everything that it runs with. Rebuilt programs are asked anew.

use super::locate::on_path;
use super::program_files::Inspector;
use crate::door::{self, Trust};
use crate::given_file::{FileProblem, open_given_file};
use crate::{Backend, Program, Resolved};
use anyhow::{Context, Result};
use model::{Hash, PartHasher};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Files are hashed in pieces of this size, so they need not fit into memory.
const HASHED_PIECE: u64 = 1 << 20;
/// What stands for the directory that juvenal installed a package into: its content counts, not its place.
const PACKAGE: &[u8] = b"{package}";

/// The hash of the analyzer itself: everything that decides on its answers and is not in the request.
pub(crate) fn program_hash(resolved: &Resolved, inspector: &Inspector<'_>) -> Result<Hash> {
    match &resolved.backend {
        // Built-in analyzers change with juvenal.
        Backend::BuiltIn(_) => {
            let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
            hash_file(&program)
        }
        Backend::Program(program) => hash_of(program, &program.environment, inspector),
        Backend::CLiar(liar) => hash_of(&liar.program, &liar.program.environment, inspector),
        // The environment of a worker is that of its module, which is hashed; the tool gets another one.
        Backend::ToolInfo(tool) => hash_of(&tool.worker, &[], inspector),
    }
}

fn hash_of(
    program: &Program,
    environment: &[(OsString, OsString)],
    inspector: &Inspector<'_>,
) -> Result<Hash> {
    let mut hasher = PartHasher::default();
    add_command(&mut hasher, program, environment)?;
    let mut files = inspector.files_of(program)?;
    for name in program.description.step_programs() {
        hasher.add(name.as_bytes());
        if let Some(found) = on_path(name, minimal_path()) {
            files.extend(inspector.libraries_of(&found)?);
            files.insert(found);
        }
    }
    for path in &program.also_hashed {
        files.extend(inspector.libraries_of(path)?);
        files.insert(path.clone());
    }
    for path in &files {
        add_tree(&mut hasher, path)?;
    }
    if let Some(package) = &program.package {
        hasher.add(&package_hash(package)?.0);
    }
    Ok(hasher.finish())
}

/// The words before all arguments, by content where they are files, and the environment.
fn add_command(
    hasher: &mut PartHasher,
    program: &Program,
    environment: &[(OsString, OsString)],
) -> Result<()> {
    for word in &program.command {
        let path = Path::new(word);
        match path.is_absolute() && path.is_file() {
            true => hasher.add(&hash_file(path)?.0),
            false => hasher.add(word.as_bytes()),
        }
    }
    for (name, value) in environment {
        hasher.add(name.as_bytes());
        let is_package = program.package.as_ref().is_some_and(|package| package.as_os_str() == value);
        hasher.add(if is_package { PACKAGE } else { value.as_bytes() });
    }
    Ok(())
}

/// Where commands of steps are looked for.
pub(super) fn minimal_path() -> OsString {
    let usual = door::command(Trust::Installed, "", "").environment;
    usual.into_iter().find(|(name, _)| name == "PATH").map(|(_, value)| value).unwrap_or_default()
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
    let mut hasher = PartHasher::default();
    add_files(&mut hasher, package, records)?;
    Ok(hasher.finish())
}

/// A file, or everything in a directory.
pub(crate) fn add_tree(hasher: &mut PartHasher, path: &Path) -> Result<()> {
    if !path.is_dir() {
        hasher.add(&hash_file(path)?.0);
        return Ok(());
    }
    let mut files = Vec::new();
    collect_files(path, &mut files)?;
    add_files(hasher, path, files)
}

/// Files by their place below a directory and by their content.
pub(crate) fn add_files(hasher: &mut PartHasher, directory: &Path, mut files: Vec<PathBuf>) -> Result<()> {
    files.sort();
    for file in files {
        hasher.add(file.strip_prefix(directory).unwrap_or(&file).as_os_str().as_bytes());
        hasher.add(&hash_file(&file)?.0);
    }
    Ok(())
}

fn collect_files(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot_list = || format!("cannot list {}", directory.display());
    let entries = match fs::read_dir(directory) {
        // What the user may not list, the analyzer that runs as the user does not read.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(()),
        entries => entries.with_context(cannot_list)?,
    };
    for entry in entries {
        let entry = entry.with_context(cannot_list)?;
        // Links to files count as the files; links to directories could lead in circles.
        if entry.file_type().with_context(cannot_list)?.is_dir() {
            collect_files(&entry.path(), files)?;
        } else if entry.path().is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// No file of an analyzer is larger; a file of holes would be read for hours.
const LARGEST_PROGRAM: u64 = 16 << 30;

/// What distinguishes one content of a file from another without reading it.
type Stamp = (u64, u64, u64, i64, i64);

/// The hash of a file, computed once for each content.
pub(super) fn hash_file(path: &Path) -> Result<Hash> {
    static KNOWN: Mutex<BTreeMap<Stamp, Hash>> = Mutex::new(BTreeMap::new());
    let cannot_read = || format!("cannot read {} to identify this build", path.display());
    let file = match open_given_file(path) {
        Ok(file) => file,
        // Some programs may be run by everyone and read only by their owner.
        Err(FileProblem::Unreadable(error)) if error.kind() == ErrorKind::PermissionDenied => {
            return Ok(stamp_hash(&stamp(&fs::metadata(path).with_context(cannot_read)?)));
        }
        Err(problem) => return Err(problem).with_context(cannot_read),
    };
    let about = file.metadata().with_context(cannot_read)?;
    if about.len() > LARGEST_PROGRAM {
        return Err(FileProblem::TooLarge(LARGEST_PROGRAM)).with_context(cannot_read);
    }
    let stamp = stamp(&about);
    if let Some(hash) = KNOWN.lock().get(&stamp) {
        return Ok(*hash);
    }
    let hash = hash_content(file).with_context(cannot_read)?;
    KNOWN.lock().insert(stamp, hash);
    Ok(hash)
}

fn stamp_hash(&(device, file, length, seconds, nanoseconds): &Stamp) -> Hash {
    let [seconds, nanoseconds] = [seconds, nanoseconds].map(i64::cast_unsigned);
    let numbers = [device, file, length, seconds, nanoseconds].map(u64::to_le_bytes);
    Hash::of(numbers.as_flattened())
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
        assert!(hash_file(&path("missing")).unwrap_err().to_string().contains("to identify this build"));
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
