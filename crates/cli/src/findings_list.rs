//! `juvenal findings DIR [F12]`: the list, or one in full.

use anyhow::{Result, bail};
use std::io::{self, Write};
use std::path::PathBuf;
use store::Store;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// One finding, such as F12
    finding: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let store = Store::open_for_reading(&arguments.directory)?;
    let mut out = io::stdout().lock();
    match (&arguments.finding, arguments.json) {
        (Some(name), json) => {
            let finding = find(&store, name)?;
            let wanted = if json { "finding.json" } else { "README.md" };
            let files = findings::finding_files(&finding)?;
            for file in files.iter().filter(|file| file.name == wanted) {
                out.write_all(file.text.as_bytes())?;
            }
        }
        (None, true) => writeln!(out, "{}", serde_json::to_string_pretty(&findings::finding_rows(&store)?)?)?,
        (None, false) => list(&store, &mut out)?,
    }
    Ok(0)
}

/// The finding that the user means by F12, f12 or 12.
pub fn find(store: &Store, name: &str) -> Result<model::Finding> {
    let number = name.trim_start_matches(['F', 'f']).trim_start_matches('0').parse::<u32>();
    let found = match number {
        Ok(number) => store.finding(number)?,
        Err(_) => None,
    };
    let Some(finding) = found else {
        let known: Vec<String> = store.findings()?.iter().map(model::Finding::name).collect();
        if known.is_empty() {
            bail!("there is no finding {name}: this campaign has none");
        }
        bail!("there is no finding {name}; there are {}", known.join(", "));
    };
    Ok(finding)
}

fn list(store: &Store, out: &mut dyn Write) -> Result<()> {
    let findings = findings::ranked(store.findings()?);
    if findings.is_empty() {
        writeln!(out, "no findings")?;
        return Ok(());
    }
    writeln!(out, "{:<6} {:<5} {:<14} {:<14} {:<20} title", "id", "bug", "kind", "evidence", "analyzer")?;
    for finding in findings {
        let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
        writeln!(
            out,
            "{:<6} {:<5} {:<14} {:<14} {:<20} {}",
            finding.name(),
            format!("B{}", finding.bug),
            finding.exhibit.kind.to_string(),
            finding.weighed.evidence.to_string(),
            accused,
            finding.exhibit.title
        )?;
    }
    Ok(())
}
