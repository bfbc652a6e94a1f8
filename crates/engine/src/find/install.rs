//! Installing analyzers into juvenal's own directory. Installing a wheel runs nothing; crates are built.

use super::install_crate::build_crate;
use crate::door::{self, Trust};
use crate::{RunDirectory, Specification, analyzer_directory, install_hint};
use analyzers::Description;
use anyhow::{Context, Result, bail};
use model::Limits;
use std::fs;
use std::path::{Path, PathBuf};

/// A wheel is tens of megabytes, and networks are slow.
pub(crate) const LIMITS: Limits =
    Limits { wall_milliseconds: 600_000, memory_megabytes: 4096, output_kilobytes: 4096 };

/// The result of an installation.
pub struct Installed {
    /// Where it is.
    pub directory: PathBuf,
    /// True if it was there already.
    pub was_there: bool,
}

/// Installs a version of an analyzer, or the newest, with pip or cargo.
pub fn install(description: &Description, specification: &Specification) -> Result<Installed> {
    let name = &description.name;
    let install = &description.install;
    if install.pip.is_empty() && install.crates.is_empty() {
        bail!("there is no wheel and no crate of it; {}", install_hint(description));
    }
    let root = analyzer_directory();
    if let Some(version) = &specification.version {
        let directory = root.join(format!("{name}@{version}"));
        if directory.is_dir() {
            return Ok(Installed { directory, was_there: true });
        }
    }
    fs::create_dir_all(&root).with_context(|| format!("cannot make {}", root.display()))?;
    let partial = root.join(format!(".partial-{name}-{}", std::process::id()));
    let version = specification.version.as_deref();
    let made = match install.pip.split_first() {
        Some((package, others)) => run_pip(package, others, version, &partial).and_then(|()| match version {
            Some(version) => Ok(version.to_owned()),
            None => installed_version(package, &partial),
        }),
        None => build_crate(&install.crates, version, &partial),
    };
    let outcome = made.and_then(|version| settle(name, &version, &root, &partial));
    // A half-finished installation must not be found later.
    if outcome.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    outcome
}

/// Installs the first package at the given version, with the others, which it needs.
fn run_pip(package: &str, others: &[String], version: Option<&str>, target: &Path) -> Result<()> {
    let requirement = match version {
        Some(version) => format!("{package}=={version}.*"),
        None => package.to_owned(),
    };
    let scratch = RunDirectory::create()?;
    let pip = ["python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    let mut command = door::command(Trust::Installed, "/usr/bin/env", scratch.path().to_owned());
    // pip needs the user's own environment: proxies, package indexes, certificates.
    command.environment = std::env::vars_os().collect();
    command.arguments = pip.iter().map(|word| (*word).into()).collect();
    command.arguments.extend(["--only-binary", ":all:", "--target"].map(Into::into));
    command.arguments.push(target.as_os_str().to_owned());
    command.arguments.push(requirement.clone().into());
    command.arguments.extend(others.iter().map(Into::into));
    let outcome = process::Runner::probe().run(&command, &LIMITS).context("cannot run pip")?;
    if outcome.ending != process::Ending::Exited(0) {
        let message = String::from_utf8_lossy(&outcome.stderr).into_owned();
        let last = message.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        bail!("pip could not install {requirement}: {}", last.escape_debug());
    }
    Ok(())
}

/// Moves the finished tree to its final name.
fn settle(name: &str, version: &str, root: &Path, partial: &Path) -> Result<Installed> {
    let directory = root.join(format!("{name}@{version}"));
    if directory.is_dir() {
        let _ = fs::remove_dir_all(partial);
        return Ok(Installed { directory, was_there: true });
    }
    fs::rename(partial, &directory).with_context(|| format!("cannot move it to {}", directory.display()))?;
    Ok(Installed { directory, was_there: false })
}

/// The version in the name of the `dist-info` directory of a package.
fn installed_version(package: &str, target: &Path) -> Result<String> {
    let entries =
        fs::read_dir(target).with_context(|| format!("pip left nothing in {}", target.display()))?;
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '.'], "_");
    let version = entries.flatten().find_map(|entry| {
        let name = entry.file_name().to_str()?.strip_suffix(".dist-info")?.to_owned();
        let (owner, version) = name.rsplit_once('-')?;
        (plain(owner) == plain(package)).then(|| version.to_owned())
    });
    version.with_context(|| format!("pip left no dist-info of {package} in {}", target.display()))
}
