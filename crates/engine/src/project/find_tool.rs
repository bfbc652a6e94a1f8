//! Finding a tool: on the search path, in juvenal's own directory, or where the user says.

use crate::door::{self, Trust};
use crate::{RunDirectory, analyzer_directory, on_search_path, read_given_file};
use anyhow::{Context, Result, bail};
use model::{Ending, Limits};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use tools::{Location, Packages, Tool, Toolbox};

/// Descriptions above this size are refused; real ones have some thousand bytes.
const LARGEST_DESCRIPTION: u64 = 1 << 20;

/// A tool on this machine.
pub struct FoundTool {
    /// Its description.
    pub tool: Tool,
    /// Its program.
    pub program: PathBuf,
    /// The version that it printed.
    pub version: String,
}

/// Finds the tool that the user named: `NAME`, `NAME=PROGRAM`, `./FILE.toml` or `./FILE.toml=PROGRAM`.
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
    Ok(FoundTool { tool, program, version })
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
        Location::OnPath(name) => on_search_path(&name),
        Location::InAnalyzerDirectory(name) => Some(analyzer_directory().join(name)),
        Location::BesideDescription(name) => Some(folder.unwrap_or(Path::new("")).join(name)),
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
    let mut command = command(program, directory.path());
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

/// A command of a tool. Tools are trusted as installed; their interpreters are found where the user has them.
pub(super) fn command(program: &Path, directory: &Path) -> process::Command {
    let mut command = door::command(Trust::Installed, program, directory);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.environment.retain(|(name, _)| name != "PATH" && name != "LANG");
    command.environment.push(("PATH".into(), path));
    // Sources and messages are UTF-8 whatever the user's terminal is.
    command.environment.push(("LANG".into(), "C.UTF-8".into()));
    command
}
