//! The door: every command that juvenal runs is made here, and says whose work it runs.
//!
//! What a user or a generator wrote is compiled, interpreted and executed confined, or not at all. The test `tidy` lists
//! who makes commands, with the trust that each has.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Whose work a command runs.
#[derive(Clone, Copy)]
pub enum Trust<'a> {
    /// The user chose and installed it: an analyzer, a package manager, juvenal itself. It has the rights of the user.
    Installed,
    /// It compiles, interprets or executes what a user or a generator wrote. It has neither network nor privileges,
    /// writes only to its directory, and reads nothing in homes and temporary directories but itself and this.
    UnderTest(&'a [PathBuf]),
}

/// A command without arguments, with a minimal environment.
pub fn command(
    trust: Trust<'_>,
    program: impl Into<PathBuf>,
    directory: impl Into<PathBuf>,
) -> process::Command {
    let (confinement, readable) = match trust {
        Trust::Installed => (process::Confinement::None, &[][..]),
        Trust::UnderTest(readable) => (process::Confinement::Program, readable),
    };
    let mut command = process::Command::new(program, directory, confinement);
    command.readable = readable.to_vec();
    command
}

/// The directories that a program usually reads its own parts from. Most are not hidden and need no mention.
pub fn installation_of(program: &Path) -> Vec<PathBuf> {
    // A program on the search path is often a link to the place where it is installed.
    let places = [Some(program.to_owned()), program.canonicalize().ok()];
    let mut directories: Vec<PathBuf> =
        places.iter().flatten().filter(|path| path.is_absolute()).flat_map(|path| parts_of(path)).collect();
    directories.retain(|directory| directory.is_dir());
    directories.sort();
    directories.dedup();
    directories
}

fn parts_of(program: &Path) -> Vec<PathBuf> {
    let Some(directory) = program.parent() else { return Vec::new() };
    let prefix = directory.parent().filter(|_| directory.file_name() == Some(OsStr::new("bin")));
    let Some(prefix) = prefix else { return vec![directory.to_owned()] };
    let is_own = prefix.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'));
    // Directories such as `.local` and `.cargo` hold programs beside secrets.
    let parts = ["bin", "lib", "lib64", "libexec", "include"].map(|part| prefix.join(part));
    parts.into_iter().chain(is_own.then(|| prefix.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_installation_is_its_prefix_unless_that_holds_more() {
        let place = tempfile::tempdir().unwrap();
        for directory in
            ["tool/bin", "tool/lib", "tool/share", ".local/bin", ".local/lib", ".local/share", "build"]
        {
            fs::create_dir_all(place.path().join(directory)).unwrap();
        }
        let check = |program: &str, expected: &[&str]| {
            fs::write(place.path().join(program), "").unwrap();
            let found = installation_of(&place.path().join(program));
            let expected: Vec<PathBuf> = expected.iter().map(|path| place.path().join(path)).collect();
            assert_eq!(found, expected, "{program}");
        };
        check("tool/bin/solver", &["tool", "tool/bin", "tool/lib"]);
        check(".local/bin/solver", &[".local/bin", ".local/lib"]);
        check("build/solver", &["build"]);
        assert_eq!(installation_of(Path::new("gcc")), Vec::<PathBuf>::new());
    }
}
