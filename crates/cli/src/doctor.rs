//! `juvenal doctor`: lists the installed analyzers with their versions, and says how to install the others.

use crate::knobs::CSMITH_HINT;
use crate::{lineup, screen};
use anyhow::Result;
use engine::{Engine, analyzer_directory, c_compiler, csmith, install_hint};
use std::io::Write;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {}

pub fn run(_arguments: &Arguments) -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = screen::out();
    writeln!(out, "{:<17} {:<17} location, or how to install it", "analyzer", "version")?;
    let mut descriptions = locator.catalogue().descriptions().to_vec();
    // The liar for C is built in but needs a compiler.
    descriptions.push(analyzers::CLiar::description().map_err(anyhow::Error::msg)?);
    // BenchExec is not an analyzer, but the analyzers `benchexec/NAME` need it.
    descriptions.push(analyzers::benchexec_description().map_err(anyhow::Error::msg)?);
    for description in &descriptions {
        let (installed, problems) = locator.search(&Arc::new(description.clone()));
        for problem in &problems {
            writeln!(out, "{:<17} {:<17} {problem:#}", description.name, "unusable")?;
        }
        if installed.is_empty() && problems.is_empty() {
            writeln!(out, "{:<17} {:<17} {}", description.name, "not installed", install_hint(description))?;
        }
        for found in installed {
            writeln!(out, "{:<17} {:<17} {}", description.name, found.version, found.origin)?;
        }
    }
    for page in analyzers::BUILT_INS.iter().filter(|page| page.name != analyzers::LIAR_C) {
        writeln!(out, "{:<17} {:<17} built in", page.name, env!("CARGO_PKG_VERSION"))?;
    }
    let compiler = c_compiler()?.unwrap_or_else(|| "not installed; try `apt-get install gcc`".to_owned());
    writeln!(out, "\nC compiler for preprocessing and checking seeds: {compiler}")?;
    let csmith = csmith()
        .map_or_else(|| format!("not installed; {CSMITH_HINT}"), |program| program.display().to_string());
    writeln!(out, "Csmith, an additional generator of C programs: {csmith}")?;
    let engine = Engine::new(Vec::new())?;
    writeln!(out, "process isolation and accounting: {}", engine.isolation())?;
    for weakness in engine.weaknesses() {
        writeln!(out, "not guaranteed: {weakness}")?;
    }
    writeln!(out, "directory of installed analyzers: {}", analyzer_directory().display())?;
    Ok(0)
}
