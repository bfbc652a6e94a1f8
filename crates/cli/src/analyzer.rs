//! `juvenal analyzer list|check|install`: the programs under test.

mod check;
mod choices;

pub use choices::refuse_bad_choices;

use crate::{lineup, screen};
use analyzers::ROLES;
use anyhow::{Context, Result};
use clap::Subcommand;
use engine::{Specification, install};
use std::io::Write;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List every analyzer that juvenal knows
    List,
    /// Run analyzers on tiny inputs with known answers, and report every call that failed and every answer that was misread
    Check {
        /// NAME, NAME@VERSION, NAME=PATH, ./FILE.toml or ./FILE.toml=PATH
        #[arg(required = true)]
        analyzers: Vec<String>,
    },
    /// Install analyzers into juvenal's own directory: Python wheels, without running their code, and crates, built by cargo
    Install {
        /// NAME for the newest version, or NAME@VERSION
        #[arg(required = true)]
        analyzers: Vec<String>,
    },
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    match &arguments.action {
        Action::List => list(),
        Action::Check { analyzers } => check::run(analyzers),
        Action::Install { analyzers } => install_all(analyzers),
    }
}

fn list() -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = screen::out();
    writeln!(out, "{:<17} {:<9} {:<22} what it answers", "name", "language", "title")?;
    for description in locator.catalogue().descriptions() {
        let answers: Vec<String> = ROLES.iter().filter_map(|kind| (kind.summary)(description)).collect();
        let language = description.language.name();
        let (name, title) = (&description.name, &description.title);
        writeln!(out, "{name:<17} {language:<9} {title:<22} {}", answers.join("; "))?;
    }
    let about = format!("checks in C programs, see `juvenal explain {}`", analyzers::BENCHEXEC);
    let name = format!("{}/NAME", analyzers::BENCHEXEC);
    writeln!(out, "{name:<17} {:<9} {:<22} {about}", "c", "Any BenchExec tool")?;
    for page in analyzers::BUILT_INS {
        let about = format!("{}, see `juvenal explain {}`", page.about, page.name);
        writeln!(out, "{:<17} {:<9} {:<22} {about}", page.name, page.language.name(), page.title)?;
    }
    Ok(0)
}

fn install_all(texts: &[String]) -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = screen::out();
    for text in texts {
        let specification = Specification::parse(text)?;
        let description = locator.description(&specification.name)?;
        if !description.install.pip.is_empty() {
            writeln!(out, "{text}: downloading with pip …")?;
        } else if !description.install.crates.is_empty() {
            writeln!(out, "{text}: building with cargo …")?;
        }
        let installed =
            install(&description, &specification).with_context(|| format!("cannot install {text}"))?;
        let state = if installed.was_there { "already installed" } else { "installed" };
        writeln!(out, "{text}: {state} in {}", installed.directory.display())?;
    }
    Ok(0)
}
