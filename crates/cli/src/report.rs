//! `juvenal report DIR`: prints the report of a campaign.

use anyhow::Result;
use clap::ValueEnum;
use std::io::{self, Write};
use std::path::PathBuf;
use store::Store;

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
    let store = Store::open_for_reading(&arguments.directory)?;
    let text = match arguments.format {
        Format::Md => findings::report_markdown(&store)?,
        Format::Json => findings::report_json(&store)?,
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(0)
}
