//! `juvenal explain NAME`: the manual page of a technique, kind, verdict or analyzer.

use crate::lineup;
use analyzers::Description;
use anyhow::{Result, bail};
use engine::install_hint;
use std::io::{self, Write};
use techniques::Technique;

#[derive(clap::Args)]
pub struct Arguments {
    /// What to explain; without a name, what can be explained
    name: Option<String>,
}

/// Kinds, evidence and verdicts, each with one paragraph.
const WORDS: &[(&str, &str)] = &[
    (
        "soundness",
        "Kind of a finding. The analyzer calls something impossible that is possible: a solver answers unsat on a script that has a model. Whoever relies on the answer believes in safety that is not there.",
    ),
    (
        "invalid-model",
        "Kind of a finding. The solver answers sat, and the model that it prints makes an assertion false. Only complete models are judged: a symbol that the solver left out may have any value.",
    ),
    (
        "precision",
        "Kind of a finding. The analyzer cannot exclude something impossible that it excludes elsewhere under the same or weaker assumptions.",
    ),
    (
        "crash",
        "Kind of a finding, and a verdict. The analyzer died by a signal or reported an internal failure. The signature, without addresses and numbers, tells crashes apart.",
    ),
    (
        "refusal",
        "Kind of a finding. The analyzer refuses a valid input that is made of parts which it accepted before. Refusals that its description expects are counted, not reported.",
    ),
    ("missed", "Kind of a finding. A bug finder misses an error of a kind that it looks for."),
    ("false-warning", "Kind of a finding. A bug finder warns of an error that is not there."),
    (
        "proved",
        "Evidence. An independent, executable witness shows that the analyzer is wrong: for a solver's unsat, an assignment that makes every assertion true, checked by juvenal's evaluator and confirmed by a second judge.",
    ),
    (
        "contradiction",
        "Evidence. The analyzer contradicts itself, or juvenal's own evaluator alone; no second judge could speak.",
    ),
    ("suspicion", "Evidence. Others disagree with the analyzer, and nothing settles who is right."),
    (
        "claim",
        "Verdict. The analyzer committed itself: sat or unsat for a solver. Answers after an error message are no claim.",
    ),
    ("unknown", "Verdict. The analyzer says that it does not know. Counted, never a finding."),
    (
        "limit",
        "Verdict. The run was ended by a limit on time, memory or output, ours or the analyzer's own. Counted, never a finding.",
    ),
    ("rejected", "Verdict. The analyzer refused the input with an error message."),
    (
        "unreadable",
        "Verdict. What was printed matches no rule of the description: garbage around an answer, too few or too many answers, an exit code that contradicts the answer. Counted and shown, never a pass.",
    ),
];

pub fn run(arguments: &Arguments) -> Result<u8> {
    let mut out = io::stdout().lock();
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
    if let Some((word, text)) = WORDS.iter().find(|(word, _)| *word == name) {
        return Ok(format!("{word}\n\n{text}"));
    }
    if name == analyzers::LIAR_SMT {
        return Ok(analyzers::LIAR_MANUAL.to_owned());
    }
    let locator = lineup::locator()?;
    match locator.catalogue().find(name) {
        Ok(description) => Ok(analyzer_page(description)),
        Err(_) => bail!("there is nothing called `{name}` to explain; {}", everything()?),
    }
}

fn technique_page(technique: &dyn Technique) -> String {
    let mut page = technique.manual().to_owned();
    page.push_str("\n## Knobs\n\nSet with `--set NAME=VALUE`.\n\n");
    for setting in technique.settings() {
        let name = format!("{}.{}={}", technique.name(), setting.key, setting.default);
        page.push_str(&format!("{name:<34} {}\n", setting.meaning));
    }
    page
}

fn analyzer_page(description: &Description) -> String {
    let smt = &description.smt;
    let tracker = description.tracker.as_deref().unwrap_or(&description.homepage);
    let mut page = format!("{} ({})\n\n{}\n\n", description.title, description.name, description.summary);
    let options: Vec<&str> = smt.options.iter().map(|option| option.name.as_str()).collect();
    for (name, value) in [
        ("homepage", description.homepage.clone()),
        ("bugs", tracker.to_owned()),
        ("how to get it", install_hint(description)),
        ("theories", smt.theories.join(", ")),
        ("logics", if smt.logics.is_empty() { "any".to_owned() } else { smt.logics.join(", ") }),
        ("tactics drawn", smt.tactics.join(", ")),
        ("options drawn", options.join(", ")),
    ] {
        if !value.is_empty() {
            page.push_str(&format!("{name:<16} {value}\n"));
        }
    }
    for note in &description.notes {
        page.push_str(&format!("\n- {note}"));
    }
    page
}

fn everything() -> Result<String> {
    let locator = lineup::locator()?;
    let list = |names: Vec<&str>| names.join(", ");
    Ok(format!(
        "techniques: {}\nkinds, evidence and verdicts: {}\nanalyzers: {}, {}",
        list(techniques::all().iter().map(|technique| technique.name()).collect()),
        list(WORDS.iter().map(|(word, _)| *word).collect()),
        list(
            locator.catalogue().descriptions().iter().map(|description| description.name.as_str()).collect()
        ),
        analyzers::LIAR_SMT
    ))
}
