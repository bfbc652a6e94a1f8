//! `juvenal findings DIR [F12|B3]`: lists all findings or those of one bug, or shows one finding in full.

use crate::open_campaign::open_findings;
use crate::screen;
use anyhow::{Result, bail};
use model::shown_name;
use std::io::Write;
use std::path::PathBuf;
use store::Store;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// One finding, such as F12, or a bug whose findings are listed, such as B3
    finding: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let store = open_findings(&arguments.directory)?;
    let mut out = if arguments.json { screen::json() } else { screen::out() };
    let wanted = arguments.finding.as_deref();
    let bug = wanted.and_then(|name| name.strip_prefix(['B', 'b']));
    match (wanted, bug, arguments.json) {
        (Some(name), None, json) => {
            let finding = find(&store, name)?;
            let wanted = if json { "finding.json" } else { "README.md" };
            let files = findings::finding_files(&finding)?;
            for file in files.iter().filter(|file| file.name == wanted) {
                out.write_all(file.text.as_bytes())?;
            }
        }
        (_, bug, true) => {
            let bug = bug.map(|number| find_bug(&store, number)).transpose()?;
            let mut rows = findings::finding_rows(&store)?;
            if let Some(number) = bug {
                rows.retain(|row| row["bug"] == format!("B{number}"));
            }
            let text = serde_json::to_string_pretty(&rows)?;
            out.write_all(format!("{text}\n").as_bytes())?;
        }
        (_, bug, false) => {
            let bug = bug.map(|number| find_bug(&store, number)).transpose()?;
            list(&store, bug, &mut out)?;
        }
    }
    Ok(0)
}

/// Parses the number after the `B` and checks that the bug exists.
fn find_bug(store: &Store, number: &str) -> Result<u32> {
    let known: Vec<u32> = store.ledger.bugs()?.iter().map(|bug| bug.number).collect();
    match number.parse() {
        Ok(number) if known.contains(&number) => Ok(number),
        _ if known.is_empty() => bail!("there is no bug B{number}: this campaign has none"),
        _ => {
            let known: Vec<String> = known.iter().map(|number| format!("B{number}")).collect();
            bail!("there is no bug B{number}; there are {}", known.join(", "))
        }
    }
}

/// Finds a finding by a name such as F12, f12 or 12.
pub fn find(store: &Store, name: &str) -> Result<model::Finding> {
    let number = name.trim_start_matches(['F', 'f']).trim_start_matches('0').parse::<u32>();
    let found = match number {
        Ok(number) => store.ledger.findings()?.into_iter().find(|finding| finding.number == number),
        Err(_) => None,
    };
    let Some(finding) = found else {
        let known: Vec<String> = store.ledger.findings()?.iter().map(model::Finding::name).collect();
        if known.is_empty() {
            bail!("there is no finding {name}: this campaign has none");
        }
        bail!("there is no finding {name}; there are {}", known.join(", "));
    };
    Ok(finding)
}

fn list(store: &Store, bug: Option<u32>, out: &mut dyn Write) -> Result<()> {
    let mut findings = findings::ranked(store.ledger.findings()?);
    let titles = findings::Titles::new(&findings, &store.ledger.bugs()?);
    findings.retain(|finding| bug.is_none_or(|number| number == finding.bug));
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
            finding.kind().to_string(),
            finding.weighed.evidence.to_string(),
            shown_name(accused),
            shown_name(&titles.of(&finding))
        )?;
    }
    Ok(())
}
