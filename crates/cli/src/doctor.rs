//! `juvenal doctor`: lists the installed analyzers with their versions, and how to install the others.

use crate::knobs::CSMITH_HINT;
use crate::lineup;
use anyhow::Result;
use engine::{Engine, analyzer_directory, c_compiler, csmith, install_hint};
use std::io::{self, Write};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {}

pub fn run(_arguments: &Arguments) -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{:<17} {:<16} location, or how to install it", "analyzer", "version")?;
    let mut descriptions = locator.catalogue().descriptions().to_vec();
    // The liar for C is built in but needs a compiler.
    descriptions.push(analyzers::CLiar::description().map_err(anyhow::Error::msg)?);
    // BenchExec is not an analyzer, but the analyzers `benchexec/NAME` need it.
    descriptions.push(analyzers::benchexec_description().map_err(anyhow::Error::msg)?);
    for description in &descriptions {
        let (installed, problems) = locator.search(&Arc::new(description.clone()));
        for problem in &problems {
            writeln!(out, "{:<17} {:<16} {problem:#}", description.name, "unusable")?;
        }
        if installed.is_empty() && problems.is_empty() {
            writeln!(out, "{:<17} {:<16} {}", description.name, "not installed", install_hint(description))?;
        }
        for found in installed {
            writeln!(out, "{:<17} {:<16} {}", description.name, found.version, found.origin)?;
        }
    }
    for page in analyzers::BUILT_INS.iter().filter(|page| page.name != analyzers::LIAR_C) {
        writeln!(out, "{:<17} {:<16} built in", page.name, env!("CARGO_PKG_VERSION"))?;
    }
    let compiler = c_compiler()?.unwrap_or_else(|| "not installed; try `apt-get install gcc`".to_owned());
    writeln!(out, "\ncompiler that checks and preprocesses C seeds: {compiler}")?;
    let csmith = csmith()
        .map_or_else(|| format!("not installed; {CSMITH_HINT}"), |program| program.display().to_string());
    writeln!(out, "Csmith, a second source of C programs: {csmith}")?;
    writeln!(out, "killing and measuring process trees: {}", Engine::new(Vec::new())?.isolation())?;
    writeln!(out, "juvenal's own analyzer directory: {}", analyzer_directory().display())?;
    Ok(0)
}
