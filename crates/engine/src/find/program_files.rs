//! The files that a program consists of beyond the one that is started. A rebuilt library makes another analyzer.

use super::locate::on_path;
use super::program_hash::minimal_path;
use crate::Program;
use crate::door::{self, Trust};
use crate::given_file::open_given_file;
use anyhow::{Context, Result, bail};
use model::{Ending, Limits};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What every executable with shared libraries begins with.
const ELF: &[u8] = b"\x7fELF";

/// Runs programs in order to learn which files they consist of.
pub(crate) struct Inspector<'a> {
    pub(crate) runner: &'a process::Runner,
    /// Where the programs run.
    pub(crate) directory: &'a Path,
}

impl Inspector<'_> {
    /// The libraries of a program, and the files and directories that it names itself when asked as its description
    /// says.
    pub(super) fn files_of(&self, program: &Program) -> Result<BTreeSet<PathBuf>> {
        let mut files = match program.command.first() {
            Some(first) => self.libraries_of(Path::new(first))?,
            None => BTreeSet::new(),
        };
        if let Some((first, words)) = program.command.split_first() {
            let calls = program.description.find.parts.iter();
            let calls = calls.map(|call| words.iter().cloned().chain(call.iter().map(OsString::from)));
            files.extend(self.paths_printed(first, calls.map(Iterator::collect), &program.environment)?);
        }
        Ok(files)
    }

    /// The files and directories that a program names itself when called with these arguments.
    pub(crate) fn paths_printed(
        &self,
        program: &OsStr,
        calls: impl Iterator<Item = Vec<OsString>>,
        environment: &[(OsString, OsString)],
    ) -> Result<BTreeSet<PathBuf>> {
        let mut files = BTreeSet::new();
        for arguments in calls {
            let printed = self.printed(program.to_owned(), arguments, environment)?;
            let paths = printed.lines().map(|line| PathBuf::from(line.trim()));
            files.extend(paths.filter(|path| path.is_absolute() && path.exists()));
        }
        Ok(files)
    }

    /// The libraries that a program loads, and those beside it.
    pub(crate) fn libraries_of(&self, program: &Path) -> Result<BTreeSet<PathBuf>> {
        let mut libraries: BTreeSet<PathBuf> = self.loaded_libraries(program)?.into_iter().collect();
        // A program on the search path is often a link into the directory that it was built in.
        libraries.extend(libraries_beside(&fs::canonicalize(program).unwrap_or_else(|_| program.to_owned())));
        Ok(libraries)
    }

    /// The libraries that the dynamic loader would load.
    fn loaded_libraries(&self, program: &Path) -> Result<Vec<PathBuf>> {
        let lister = on_path("ldd", minimal_path()).filter(|_| is_elf(program));
        let Some(lister) = lister else { return Ok(Vec::new()) };
        let arguments = vec![program.as_os_str().to_owned()];
        let printed = self.printed(lister.into_os_string(), arguments, &[])?;
        Ok(printed.lines().filter_map(library_in_line).collect())
    }

    /// What a program prints. Whether it succeeds is the same each time; whether it is in time is not, and must not
    /// change the hash.
    fn printed(
        &self,
        program: OsString,
        arguments: Vec<OsString>,
        environment: &[(OsString, OsString)],
    ) -> Result<String> {
        let what = || {
            format!(
                "cannot determine which files belong to the analyzer from the output of {}",
                program.display()
            )
        };
        let mut command = door::command(Trust::Installed, &program, self.directory.to_owned());
        command.arguments = arguments;
        command.environment.extend(environment.iter().cloned());
        let outcome = self.runner.run(&command, &Limits::default()).with_context(what)?;
        if !matches!(outcome.ending, Ending::Exited(_)) {
            bail!("{}: it was ended by a limit or a signal; try again when the machine is less busy", what());
        }
        Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
    }
}

/// The path in a line such as `libz3.so.4 => /usr/lib/libz3.so.4 (0x00007f…)`.
fn library_in_line(line: &str) -> Option<PathBuf> {
    let place = line.split_once("=>").map_or(line, |(_, place)| place).trim();
    let path = place.rsplit_once(" (").map_or(place, |(path, _)| path);
    path.starts_with('/').then(|| PathBuf::from(path))
}

fn is_elf(path: &Path) -> bool {
    let mut start = [0; ELF.len()];
    open_given_file(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == ELF
}

/// Libraries in the same directory, where a build puts those that its program opens by name. Directories of the search
/// path hold many programs, so nothing in them belongs to one.
fn libraries_beside(program: &Path) -> Vec<PathBuf> {
    let is_shared = |directory: &Path| {
        let paths = [Some(minimal_path()), std::env::var_os("PATH")];
        paths.iter().flatten().any(|path| std::env::split_paths(path).any(|shared| shared == directory))
    };
    let is_library = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name.ends_with(".so") || name.contains(".so.") || name.ends_with(".jar")) && path.is_file()
    };
    let entries = program
        .parent()
        .filter(|directory| !is_shared(directory))
        .and_then(|directory| fs::read_dir(directory).ok());
    entries.into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_library).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_beside_a_program_are_found() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["solver", "libz.so", "liby.so.3", "checker.jar", "notes.txt"] {
            fs::write(directory.path().join(name), name).unwrap();
        }
        let found: BTreeSet<PathBuf> =
            libraries_beside(&directory.path().join("solver")).into_iter().collect();
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["checker.jar", "liby.so.3", "libz.so"]);
    }

    #[test]
    fn lines_of_the_loader_are_read() {
        for (line, path) in [
            ("\tlinux-vdso.so.1 (0x00007ffc)", None),
            ("\tlibz3.so.4 => /usr/lib/libz3.so.4 (0x00007f2a)", Some("/usr/lib/libz3.so.4")),
            ("\t/lib64/ld-linux-x86-64.so.2 (0x00007f2a)", Some("/lib64/ld-linux-x86-64.so.2")),
            ("\tlibgone.so => not found", None),
            ("\tstatically linked", None),
        ] {
            assert_eq!(library_in_line(line), path.map(PathBuf::from), "{line}");
        }
    }

    #[test]
    fn the_loader_names_the_libraries_of_a_real_program() {
        let runner = process::Runner::probe();
        let inspector = Inspector { runner: &runner, directory: Path::new("/") };
        let own = std::env::current_exe().unwrap();
        let found = inspector.loaded_libraries(&own).unwrap();
        assert!(found.iter().any(|path| path.to_string_lossy().contains("libc")), "{found:?}");
    }
}
