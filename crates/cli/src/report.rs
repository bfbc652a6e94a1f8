//! `juvenal report DIR`: prints the report of a campaign.

use crate::open_campaign::open_findings;
use crate::screen;
use anyhow::Result;
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Markdown, for people
    Md,
    /// JSON, for machines
    Json,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The format of the report
    #[arg(long, value_enum, default_value = "md")]
    format: Format,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let store = open_findings(&arguments.directory)?;
    match arguments.format {
        Format::Md => {
            screen::out().write_all(findings::report_markdown(&store, techniques::all())?.as_bytes())?
        }
        Format::Json => {
            screen::json().write_all(findings::report_json(&store, techniques::all())?.as_bytes())?
        }
    }
    Ok(0)
}
