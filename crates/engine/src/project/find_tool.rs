//! Finding a tool: where the user says; otherwise in juvenal's own directory, and then on the search path.

use crate::door::{self, Trust};
use crate::{RunDirectory, analyzer_directory, on_search_path, read_given_file};
use anyhow::{Context, Result, bail};
use model::{Ending, Hash, Limits, PartHasher};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread;
use tools::{Location, Packages, Tool, Toolbox};

/// Descriptions above this size are refused; real ones have some thousand bytes.
const LARGEST_DESCRIPTION: u64 = 1 << 20;
/// The largest program that is read to identify it.
const LARGEST_PROGRAM: u64 = 1 << 30;
/// The folder of tools in juvenal's own directory.
const OWN_TOOLS: &str = "tools";

/// A tool on this machine.
pub struct FoundTool {
    /// Its description.
    pub tool: Tool,
    /// Its program.
    pub program: PathBuf,
    /// The version that it printed.
    pub version: String,
    /// The hash of the description, the version, and what is installed beside the program.
    pub(super) identity: Hash,
}

/// Finds the tool that the user named: `NAME`, `NAME=PROGRAM`, `./FILE.toml` or `./FILE.toml=PROGRAM`.
///
/// A program that the user names is taken as it is. Otherwise the description says where it may be: with a slash in its name,
/// relative to the description file; otherwise in juvenal's own directory, and then on the search path.
pub fn find_tool(text: &str) -> Result<FoundTool> {
    let (name, given) = match text.split_once('=') {
        Some((name, program)) => (name, Some(PathBuf::from(program))),
        None => (text, None),
    };
    let is_file = name.contains('/') || name.ends_with(".toml");
    let tool = if is_file { read_description(Path::new(name))? } else { shipped(name)? };
    let folder = Path::new(name).parent().filter(|_| is_file);
    let program = match given {
        Some(program) if program.is_file() => program,
        Some(program) => bail!("{} is not a program; name the program of {}", program.display(), tool.title),
        None => installed(&tool, folder).with_context(|| not_installed(&tool))?,
    };
    let program =
        std::path::absolute(&program).with_context(|| format!("cannot find {}", program.display()))?;
    let version = version(&tool, &program)?;
    let identity = identity(&tool, &program, &version)?;
    Ok(FoundTool { tool, program, version, identity })
}

/// The shipped tools by name, each as it is installed here, or the reason why it cannot be used.
pub fn installed_tools() -> Result<Vec<(String, Result<FoundTool>)>> {
    let toolbox = Toolbox::shipped()?;
    let find = |tool: &Tool| (tool.name.clone(), find_tool(&tool.name));
    // Some of them take long to start.
    Ok(thread::scope(|scope| {
        let running: Vec<_> = toolbox.tools().iter().map(|tool| scope.spawn(move || find(tool))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    }))
}

fn shipped(name: &str) -> Result<Tool> {
    Ok(Toolbox::shipped()?.find(name)?.clone())
}

fn read_description(path: &Path) -> Result<Tool> {
    let cannot_read = || format!("cannot read the description {}", path.display());
    let bytes = read_given_file(path, LARGEST_DESCRIPTION).with_context(cannot_read)?;
    let text = String::from_utf8(bytes).with_context(cannot_read)?;
    Ok(Tool::parse(&path.display().to_string(), &text)?)
}

/// The program of a tool; none if it is not here. `folder` is that of a description file.
fn installed(tool: &Tool, folder: Option<&Path>) -> Option<PathBuf> {
    let place = |location: Location| match location {
        Location::BesideDescription(name) => Some(folder.unwrap_or(Path::new("")).join(name)),
        Location::InAnalyzerDirectory(name) => Some(analyzer_directory().join(name)),
        Location::OnPath(name) => on_search_path(&name),
    };
    tool.locations().into_iter().filter_map(place).find(|program| program.is_file())
}

fn not_installed(tool: &Tool) -> String {
    let Packages { apt, pip, npm, by_hand } = &tool.install;
    let commands = [("apt-get install", apt), ("pip install", pip), ("npm install", npm)];
    let known = commands.iter().filter(|(_, packages)| !packages.is_empty());
    let mut ways: Vec<String> =
        known.map(|(command, packages)| format!("`{command} {}`", packages.join(" "))).collect();
    ways.extend(by_hand.clone());
    ways.push(format!("--tool {}=PROGRAM", tool.name));
    format!("{} is not installed; try {}", tool.title, ways.join(", or "))
}

/// Asks a program for its version.
fn version(tool: &Tool, program: &Path) -> Result<String> {
    let directory = RunDirectory::create()?;
    // The program is what the user installed, and nothing of the project is there yet.
    let mut command = command(Trust::Installed, program, directory.path());
    command.arguments = tool.version.arguments.iter().map(OsString::from).collect();
    // Some tools take seconds to start, on a busy machine many.
    let limits = Limits { wall_milliseconds: 120_000, ..Limits::default() };
    let outcome = process::Runner::probe().run(&command, &limits);
    let outcome = outcome.with_context(|| format!("cannot run {}", program.display()))?;
    let printed = [outcome.stdout, outcome.stderr].concat();
    match (tool.version_in(&printed), outcome.ending) {
        (Some(version), Ending::Exited(0)) => Ok(version),
        _ => bail!(
            "{} is not a working {}: it prints no version with `{}`",
            program.display(),
            tool.title,
            tool.version.arguments.join(" ")
        ),
    }
}

/// A command of a tool. The interpreters of tools are found where the user has them.
pub(super) fn command(trust: Trust<'_>, program: &Path, directory: &Path) -> process::Command {
    let mut command = door::command(trust, program, directory);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.environment.retain(|(name, _)| name != "PATH" && name != "LANG");
    command.environment.push(("PATH".into(), path));
    // Sources and messages are UTF-8 whatever the user's terminal is.
    command.environment.push(("LANG".into(), "C.UTF-8".into()));
    command
}

impl FoundTool {
    /// What the program must be able to read in home directories to run: where it and its interpreter are installed.
    pub(super) fn installation(&self) -> Vec<PathBuf> {
        let mut places = vec![self.program.clone()];
        places.extend(interpreter_of(&self.program));
        let mut parts: Vec<PathBuf> = places.iter().flat_map(|place| door::installation_of(place)).collect();
        parts.extend(places.iter().flat_map(|place| surroundings_of(place)));
        parts.sort();
        parts.dedup();
        parts
    }
}

/// The interpreter in the first line of a script.
fn interpreter_of(program: &Path) -> Option<PathBuf> {
    let start = read_start(program)?;
    let line = String::from_utf8_lossy(start.split(|byte| *byte == b'\n').next()?).into_owned();
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let first = Path::new(words.next()?);
    let by_name = words.find(|word| !word.starts_with('-') && !word.contains('='));
    match first.file_name().is_some_and(|name| name == "env") {
        true => on_search_path(by_name?),
        false => Some(first.to_owned()),
    }
}

/// The longest first line that names an interpreter.
const LONGEST_FIRST_LINE: u64 = 256;

fn read_start(program: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    let file = crate::given_file::open_given_file(program).ok()?;
    file.take(LONGEST_FIRST_LINE).read_to_end(&mut start).ok()?;
    Some(start)
}

/// Larger directories that programs of some kinds are parts of: juvenal's own tools, the packages of Node.js, and the versions
/// that a switch such as pyenv chooses from.
fn surroundings_of(program: &Path) -> Vec<PathBuf> {
    let own = analyzer_directory().join(OWN_TOOLS);
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let is_own = program.starts_with(&own) || own.canonicalize().is_ok_and(|own| real.starts_with(own));
    let mut found: Vec<PathBuf> = is_own.then_some(own).into_iter().collect();
    let is_named = |path: &&Path, name: &str| path.file_name().is_some_and(|it| it == name);
    found.extend(real.ancestors().filter(|path| is_named(path, "node_modules")).last().map(Path::to_owned));
    let switch = program.parent().filter(|folder| is_named(folder, "shims")).and_then(Path::parent);
    found.extend(switch.map(Path::to_owned));
    found
}

/// What a report depends on besides the request: the description, the program, and the packages that are installed with it.
fn identity(tool: &Tool, program: &Path, version: &str) -> Result<Hash> {
    let mut hasher = PartHasher::default();
    hasher.add(&tool.identity().0);
    hasher.add(version.as_bytes());
    let program = program.canonicalize().with_context(|| format!("cannot find {}", program.display()))?;
    let bytes = read_given_file(&program, LARGEST_PROGRAM)
        .with_context(|| format!("cannot read {} to identify it", program.display()))?;
    hasher.add(&bytes);
    for name in packages_of(&program) {
        hasher.add(name.as_bytes());
    }
    Ok(hasher.finish())
}

/// The names and versions of the Python packages that a program can import. Those of other programs are part of their versions.
fn packages_of(program: &Path) -> Vec<String> {
    let entries = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
    let Some(prefix) = program.parent().and_then(Path::parent) else { return Vec::new() };
    let libraries = entries(prefix.join("lib")).map(|entry| entry.path().join("site-packages"));
    let names = libraries.flat_map(entries).map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut packages: Vec<String> = names.filter(|name| name.ends_with(".dist-info")).collect();
    packages.sort();
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_read_from_the_first_line() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("tool");
        for (text, expected) in [
            ("#!/opt/x/bin/python3\nimport a\n", Some("/opt/x/bin/python3")),
            ("#! /bin/sh -e", Some("/bin/sh")),
            ("#!/usr/bin/env -S A=1 sh -e\n", on_search_path("sh").as_deref().and_then(Path::to_str)),
            ("#!/usr/bin/env no-such-interpreter\n", None),
            ("#!\n/bin/sh", None),
            ("\x7fELF", None),
            ("", None),
        ] {
            fs::write(&script, text).unwrap();
            assert_eq!(interpreter_of(&script), expected.map(PathBuf::from), "{text}");
        }
    }

    #[test]
    fn programs_are_parts_of_their_packages() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().canonicalize().unwrap().join(name);
        for name in ["n/node_modules/a/node_modules/b/bin/b.js", "pyenv/shims/tool", "bin/plain"] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), "").unwrap();
        }
        for (name, expected) in [
            ("n/node_modules/a/node_modules/b/bin/b.js", Some("n/node_modules")),
            ("pyenv/shims/tool", Some("pyenv")),
            ("bin/plain", None),
        ] {
            let expected: Vec<PathBuf> = expected.map(at).into_iter().collect();
            assert_eq!(surroundings_of(&at(name)), expected, "{name}");
        }
    }
}
