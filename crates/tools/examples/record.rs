//! Records what a tool prints about a project of `recorded/projects`, for the test `recorded`:
//! `cargo run --release -p tools --example record -- TOOL CASE PROJECT FILE... [-- OPTION...]`.
#![allow(clippy::disallowed_methods, reason = "this is for developers alone, and is no part of juvenal")]

use model::{Ending, Run};
use std::error::Error;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tools::{Directories, Given, Location, Tool, ToolCommand, Toolbox};

/// Recorded outputs name these directories, and not those of a developer.
const DIRECTORIES: Directories<'static> =
    Directories { root: "/tmp/juvenal-record/copy", scratch: "/tmp/juvenal-record/scratch" };

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, case, project, files @ ..] = arguments.as_slice() else {
        return Err("expected TOOL CASE PROJECT FILE... [-- OPTION...]".into());
    };
    let mut halves = files.splitn(2, |argument| argument == "--");
    let files: Vec<&str> = halves.next().unwrap_or_default().iter().map(String::as_str).collect();
    let options = halves.next().unwrap_or_default();
    let toolbox = Toolbox::shipped()?;
    let tool = toolbox.find(name)?;
    prepare(project)?;
    let configuration = configuration(tool, Path::new(DIRECTORIES.root))?;
    let configuration: Vec<&str> = configuration.iter().map(String::as_str).collect();
    let given = Given {
        directories: DIRECTORIES,
        named: &files,
        options,
        configuration: &configuration,
        compile_commands: None,
    };
    let program = locate(tool).ok_or("the tool is not installed")?;
    let version = Command::new(&program).args(&tool.version.arguments).output()?;
    let version = tool.version_in(&version.stdout).ok_or("the version cannot be read")?;
    let request = tool.request(&given);
    for file in &request.files {
        fs::write(Path::new(DIRECTORIES.scratch).join(&file.name), &file.text)?;
    }
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for command in &request.commands {
        let Some(arguments) = command.arguments_without(&failed) else { continue };
        let run = run(&program, command, arguments, &request.environment)?;
        failed.extend(command.file.as_deref().filter(|_| run.ending != Ending::Exited(0)));
        runs.push(run);
    }
    let record = serde_json::json!({
        "version": version, "project": project, "named": files, "options": options, "runs": runs,
    });
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded").join(name);
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(format!("{case}.run.json")), serde_json::to_string_pretty(&record)? + "\n")?)
}

fn prepare(project: &str) -> Result<(), Box<dyn Error>> {
    for directory in [DIRECTORIES.root, DIRECTORIES.scratch] {
        let _ = fs::remove_dir_all(directory);
        fs::create_dir_all(directory)?;
    }
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/projects").join(project);
    let copied = Command::new("cp").arg("-r").arg(project.join(".")).arg(DIRECTORIES.root).status()?;
    if copied.success() { Ok(()) } else { Err("the project cannot be copied".into()) }
}

/// The configuration files in the root of the project.
fn configuration(tool: &Tool, root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root)? {
        names.extend(entry?.file_name().into_string().ok().filter(|name| tool.is_configured_by(name)));
    }
    Ok(names)
}

fn locate(tool: &Tool) -> Option<PathBuf> {
    let analyzers = std::env::var("JUVENAL_ANALYZERS")
        .ok()
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var("HOME").ok()?).join(".local/share/juvenal/analyzers")));
    let path = std::env::var("PATH").unwrap_or_default();
    let candidates = tool.locations().into_iter().flat_map(|location| match location {
        Location::OnPath(name) => path.split(':').map(|folder| Path::new(folder).join(&name)).collect(),
        Location::InAnalyzerDirectory(name) => analyzers.iter().map(|folder| folder.join(&name)).collect(),
        Location::BesideDescription(_) => Vec::new(),
    });
    candidates.into_iter().find(|path| path.is_file())
}

fn run(
    program: &Path,
    command: &ToolCommand,
    arguments: Vec<String>,
    environment: &[(String, String)],
) -> Result<Run, Box<dyn Error>> {
    let program = command.program.as_ref().map_or(program, Path::new);
    let environment = environment.iter().cloned();
    let output: Output =
        Command::new(program).args(arguments).envs(environment).current_dir(DIRECTORIES.root).output()?;
    let ending = match output.status.code() {
        Some(code) => Ending::Exited(code),
        None => Ending::Signaled(output.status.signal().unwrap_or(0)),
    };
    let file = command.output.as_ref().and_then(|path| fs::read(path).ok());
    Ok(Run { file, ..Run::new(ending, output.stdout, output.stderr) })
}
