//! Building a Rust crate once. Programs that use it then need only the compiler and one directory.

use super::install::LIMITS;
use crate::RunDirectory;
use crate::door::{self, Trust};
use anyhow::{Context, Result, bail};
use model::Limits;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// Compilers need memory.
const BUILD_LIMITS: Limits = Limits { memory_megabytes: 16_384, ..LIMITS };

/// Builds the first crate in `target`, which then holds `deps` with all libraries, and the files `crate`, `version` and
/// `rustc`, which name what was built and the compiler that built it. Returns the version. The other crates are parts of
/// the first one and are pinned to its version where they have it: an old release may request later parts than it works
/// with.
pub(crate) fn build_crate(crates: &[String], version: Option<&str>, target: &Path) -> Result<String> {
    let name = crates.first().context("no crate to build")?;
    let write = |file: &str, text: &str| {
        let path = target.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    fs::create_dir_all(target.join("src")).with_context(|| format!("cannot make {}", target.display()))?;
    write("src/lib.rs", "")?;
    let build = |crates: &[String]| {
        write("Cargo.toml", &project(crates, version))?;
        run("cargo", &["build", "--quiet", "--target-dir", "target"], target)
    };
    match version {
        // Not every version of a crate has parts of the same version.
        Some(_) if crates.len() > 1 => build(crates).or_else(|first| {
            let _ = fs::remove_dir_all(target.join("target"));
            build(&crates[..1]).with_context(|| format!("{first:#}"))
        })?,
        _ => build(&crates[..1])?,
    };
    let version = locked_version(name, &fs::read_to_string(target.join("Cargo.lock"))?)?;
    fs::rename(target.join("target/debug/deps"), target.join("deps")).context("cargo left no libraries")?;
    for leftover in ["target", "src"] {
        fs::remove_dir_all(target.join(leftover)).context("cannot remove what cargo left")?;
    }
    write("crate", name)?;
    write("version", &version)?;
    write("rustc", run("rustc", &["--version"], target)?.trim())?;
    Ok(version)
}

/// A package that does nothing but depend on crates. It is its own workspace, whatever directory it is in.
fn project(crates: &[String], version: Option<&str>) -> String {
    let mut text =
        "[package]\nname = \"juvenal-build\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
         [profile.dev]\ndebug = false\n\n[dependencies]\n"
            .to_owned();
    for name in crates {
        let requirement = version.map_or("*".to_owned(), |version| format!("={version}"));
        text += &format!("{name} = \"{requirement}\"\n");
    }
    text
}

/// The standard output of a command that runs in the user's environment.
fn run(program: &str, arguments: &[&str], target: &Path) -> Result<String> {
    let scratch = RunDirectory::create()?;
    let mut command = door::command(Trust::Installed, "/usr/bin/env", target.to_owned());
    // cargo needs the user's own environment: proxies, registries, certificates; but not the settings of a build that runs juvenal.
    let is_ours = |name: &OsString| {
        let name = name.to_string_lossy();
        ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "RUSTFLAGS", "TMPDIR"].contains(&&*name)
    };
    command.environment = std::env::vars_os().filter(|(name, _)| !is_ours(name)).collect();
    command.environment.push(("TMPDIR".into(), scratch.path().as_os_str().to_owned()));
    command.arguments = [program].iter().chain(arguments).map(OsString::from).collect();
    let outcome = process::Runner::probe()
        .run(&command, &BUILD_LIMITS)
        .with_context(|| format!("cannot run {program}"))?;
    if outcome.ending != process::Ending::Exited(0) {
        let message = String::from_utf8_lossy(&outcome.stderr).into_owned();
        let first = message.lines().find(|line| line.starts_with("error")).unwrap_or("no message");
        bail!("{program} could not build it: {}", first.escape_debug());
    }
    Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
}

/// The version of a crate in a lock file.
fn locked_version(name: &str, lock: &str) -> Result<String> {
    let start = format!("name = \"{name}\"\nversion = \"");
    let version = lock.split_once(&start).and_then(|(_, rest)| rest.split('"').next());
    version.map(str::to_owned).with_context(|| format!("cargo has locked no version of {name}"))
}
