//! The hash of a tool and of everything that it runs with. A rebuilt or updated tool is run again.

use super::find_tool::interpreter_of;
use super::packages::{add_packages_in, add_packages_of};
use super::{FoundTool, WorkingCopies};
use crate::find::{Inspector, add_tree};
use crate::given_file::open_given_file;
use crate::{RunDirectory, on_search_path};
use anyhow::{Context, Result};
use model::{Hash, PartHasher};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

/// Only so much of a script is read to find its interpreter.
const LONGEST_START: u64 = 512;

/// The hash of a tool's version, its program, and what is installed with it and in the project.
pub(super) fn tool_hash(found: &FoundTool, copies: &WorkingCopies, runner: &process::Runner) -> Result<Hash> {
    let directory = RunDirectory::create()?;
    let inspector = Inspector { runner, directory: directory.path() };
    let mut hasher = PartHasher::default();
    hasher.add(found.tool.name.as_bytes());
    hasher.add(found.version.as_bytes());
    let program = &found.program;
    let program = program.canonicalize().with_context(|| format!("cannot find {}", program.display()))?;
    let first_lines = first_lines(&program);
    let mut programs = vec![program.clone()];
    programs.extend(found.tool.step_programs().filter_map(on_search_path));
    programs.extend(interpreter_of(&program).and_then(|it| it.canonicalize().ok()));
    let calls = found.tool.find.parts.iter().map(|call| call.iter().map(OsString::from).collect());
    let mut files = inspector.paths_printed(program.as_os_str(), calls, &[])?;
    for program in programs {
        files.extend(inspector.libraries_of(&program)?);
        files.insert(program);
    }
    files.iter().try_for_each(|path| add_tree(&mut hasher, path))?;
    add_packages_of(&mut hasher, &program, &first_lines)?;
    for folder in copies.packages() {
        add_packages_in(&mut hasher, &folder)?;
    }
    Ok(hasher.finish())
}

/// Adds the content of files that options name, as `--config=rules.yml` does. Relative names are those of the project.
pub(super) fn add_files_of_options(
    hasher: &mut PartHasher,
    options: &[String],
    project: &Path,
) -> Result<()> {
    for option in options {
        let value = option.split_once('=').map(|(_, value)| value);
        for name in [Some(option.as_str()), value].into_iter().flatten().filter(|name| !name.is_empty()) {
            let path = project.join(name);
            let is_outside = Path::new(name).is_absolute();
            if path.is_file() || path.is_dir() && is_outside {
                add_tree(hasher, &path)?;
            }
        }
    }
    Ok(())
}

/// The first two lines of a script, or nothing. Where the path of an interpreter is long, pip writes it into the second.
fn first_lines(program: &Path) -> String {
    let mut start = Vec::new();
    let read = open_given_file(program).map(|file| file.take(LONGEST_START).read_to_end(&mut start));
    if read.is_err() || !start.starts_with(b"#!") {
        return String::new();
    }
    String::from_utf8_lossy(&start).lines().take(2).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_options_name_count() {
        let project = tempfile::tempdir().unwrap();
        let rules = tempfile::tempdir().unwrap();
        let write = |text: &str| {
            std::fs::write(project.path().join("rules.yml"), text).unwrap();
            std::fs::write(rules.path().join("rules.yml"), text).unwrap();
        };
        let outside = rules.path().display().to_string();
        for option in
            ["rules.yml".to_owned(), "--config=rules.yml".to_owned(), format!("{outside}/rules.yml"), outside]
        {
            let hash = || {
                let mut hasher = PartHasher::default();
                add_files_of_options(&mut hasher, std::slice::from_ref(&option), project.path()).unwrap();
                hasher.finish()
            };
            write("one");
            let first = hash();
            write("two");
            assert_ne!(hash(), first, "{option}");
            write("one");
            assert_eq!(hash(), first, "{option}");
        }
    }
}
