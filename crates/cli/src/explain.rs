//! `juvenal explain NAME`: the manual page of a technique, kind, verdict, term or analyzer.

use crate::columns::wrap;
use crate::{glossary, lineup, screen};
use analyzers::{Description, ROLES};
use anyhow::{Result, bail};
use engine::{Specification, install_hint};
use std::io::Write;
use techniques::Technique;

#[derive(clap::Args)]
pub struct Arguments {
    /// What to explain; without a name, lists everything that can be explained
    name: Option<String>,
}

/// A space at which lines are not broken.
const NO_BREAK: &str = "\u{a0}";
/// The width of the labels on an analyzer's page.
const LABEL: usize = 18;

pub fn run(arguments: &Arguments) -> Result<u8> {
    let mut out = screen::out();
    let Some(name) = arguments.name.as_deref() else {
        writeln!(out, "{}", everything()?)?;
        return Ok(0);
    };
    let page = page(name)?;
    writeln!(out, "{}", page.trim_end())?;
    Ok(0)
}

fn page(name: &str) -> Result<String> {
    if let Some(technique) = techniques::find(techniques::all(), name) {
        return Ok(technique_page(technique));
    }
    if let Some(term) = glossary::find(name) {
        let (title, text) = term.page(name);
        return Ok(format!("{title}\n\n{}", wrap(text, 0).join("\n")));
    }
    if let Some(page) = rule_page(name) {
        return Ok(page);
    }
    let locator = lineup::locator()?;
    // One description holds for every version.
    let plain = Specification::parse(name).map_or(name.to_owned(), |specification| specification.name);
    if let Some(page) = analyzers::built_in_page(&plain) {
        return Ok(page.manual.to_owned());
    }
    if analyzers::benchexec_module(&plain).is_some() {
        return Ok(analyzers::BENCHEXEC_MANUAL.to_owned());
    }
    match locator.catalogue().find(&plain) {
        Ok(description) => Ok(analyzer_page(description)),
        Err(_) => bail!("cannot explain `{name}`; {}", everything()?),
    }
}

/// The page of a rule: its row in the manual of its technique.
fn rule_page(name: &str) -> Option<String> {
    let start = format!("| `{name}` | ");
    techniques::all().iter().find_map(|technique| {
        let row = technique.manual.lines().find_map(|line| line.strip_prefix(&start))?;
        let text = row.trim_end_matches(" |").replace("\\|", "|");
        let technique = technique.name;
        let lines = wrap(&format!("A rule of {technique}. {text} See `explain {technique}`."), 0);
        Some(format!("{name}\n\n{}", lines.join("\n")))
    })
}

fn technique_page(technique: &Technique) -> String {
    let mut page = technique.manual.to_owned();
    page.push_str("\n## Knobs\n\nSet with `--set NAME=VALUE`.\n\n");
    for knob in technique.knobs {
        let name = format!("{}.{}={}", technique.name, knob.key, knob.default);
        page.push_str(&format!("{name:<34} {} ({})\n", knob.meaning, knob.range));
    }
    page
}

fn analyzer_page(description: &Description) -> String {
    let tracker = description.tracker.as_deref().unwrap_or(&description.homepage);
    let mut page = format!("{} ({})\n\n{}\n\n", description.title, description.name, description.summary);
    let general = [
        ("homepage".to_owned(), description.homepage.clone()),
        ("bugs".to_owned(), tracker.to_owned()),
        ("how to get it".to_owned(), install_hint(description)),
    ];
    for (label, value) in general.into_iter().chain(ROLES.iter().flat_map(|kind| (kind.manual)(description)))
    {
        if !value.is_empty() {
            let lines = wrap(&format!("{label:<LABEL$} {value}"), LABEL + 1);
            page.push_str(&format!("{}\n", lines.join("\n").replace(NO_BREAK, " ")));
        }
    }
    for note in &description.notes {
        page.push_str(&format!("\n{}", wrap(&format!("- {note}"), 2).join("\n")));
    }
    page
}

fn everything() -> Result<String> {
    let locator = lineup::locator()?;
    let list = |names: Vec<&str>| names.join(", ");
    let text = format!(
        "techniques: {}\nkinds, evidence, verdicts and other terms: {}\nanalyzers: {}, {}, {}",
        list(techniques::all().iter().map(|technique| technique.name).collect()),
        list(glossary::TERMS.iter().flat_map(|term| term.names).copied().collect()),
        list(
            locator.catalogue().descriptions().iter().map(|description| description.name.as_str()).collect()
        ),
        list(analyzers::BUILT_INS.iter().map(|page| page.name).collect()),
        analyzers::BENCHEXEC
    );
    let lines: Vec<String> = text.lines().flat_map(|line| wrap(line, 4)).collect();
    Ok(lines.join("\n"))
}
