//! `juvenal explain NAME`: the manual page of a technique, kind, verdict, term or analyzer.

use crate::columns::wrap;
use crate::lineup;
use analyzers::{Description, ROLES};
use anyhow::{Result, bail};
use engine::{Specification, install_hint};
use std::io::{self, Write};
use techniques::Technique;

#[derive(clap::Args)]
pub struct Arguments {
    /// What to explain; without a name, what can be explained
    name: Option<String>,
}

/// A space at which lines are not broken.
const NO_BREAK: &str = "\u{a0}";
/// The width of the labels on an analyzer's page.
const LABEL: usize = 18;

/// Kinds, evidence, verdicts and other terms, each with one paragraph. Kinds that no technique finds are left out.
const WORDS: &[(&str, &str)] = &[
    (
        "soundness",
        "Kind of a finding. The analyzer calls something impossible that is possible: a solver answers unsat on a script that has a model, a verifier calls a check verified that an execution violates. Users who rely on the answer trust a safety that does not exist.",
    ),
    (
        "invalid-model",
        "Kind of a finding. The solver answers sat, and the model that it prints makes an assertion false. Only complete models are judged: a symbol that the model omits may have any value.",
    ),
    (
        "precision",
        "Kind of a finding. A verifier cannot prove a check that holds, although it proves it in a related program; the finding is proved if the program was run on every input. Or the engine of a static analyzer does not know, or denies, what follows from a condition that it has just assumed.",
    ),
    (
        "false-warning",
        "Kind of a finding. A false positive: a bug finder warns of an error, but the only execution of the program follows the path of the warning and passes the place without that error.",
    ),
    (
        "missed",
        "Kind of a finding. A false negative: the only execution of a program has an error, and a bug finder with a checker for it reports nothing. If its authors document that they miss such errors by design, the finding is a suspicion.",
    ),
    (
        "crash",
        "Kind of a finding, and a verdict. The analyzer was killed by a signal or reported an internal failure. Crashes are distinguished by their signature, which omits addresses and numbers.",
    ),
    (
        "refusal",
        "Kind of a finding. The analyzer refuses a valid input made of parts that it accepted before. Refusals that its description expects are counted, not reported.",
    ),
    (
        "proved",
        "Evidence. An independent, executable witness shows that the analyzer is wrong: for a solver's unsat, an assignment that makes every assertion true, checked by juvenal's evaluator and confirmed by a second judge; for a verified check of a C program, inputs with which the compiled program violates it.",
    ),
    (
        "contradiction",
        "Evidence. The analyzer contradicts itself, or only juvenal's own evaluator; no second judge could decide.",
    ),
    ("suspicion", "Evidence. Other analyzers disagree, and nothing settles which is right."),
    (
        "claim",
        "Verdict. The analyzer committed itself: sat or unsat for a solver, verified or violated for the checks of a C program. Answers after an error are not claims unless the description lists that error as harmless or as a failed check.",
    ),
    ("unknown", "Verdict. The analyzer reports that it does not know. Counted, never a finding."),
    (
        "limit",
        "Verdict. The run was ended by a limit on time, memory or output, ours or the analyzer's own. Counted, never a finding.",
    ),
    ("rejected", "Verdict. The analyzer refused the input with an error message."),
    (
        "unreadable",
        "Verdict. The output matches no rule of the description: garbage around an answer, too few or too many answers, an exit code that contradicts the answer. Counted and shown, never taken as an answer.",
    ),
    (
        "seed",
        "A file that cases start from: an SMT-LIB script (.smt2), whose predicates and declarations are the material of new scripts, or a C program (.c, .i), which gets checks and assumptions between its statements. A task definition of SV-COMP (.yml) names a program with its data model, ILP32 or LP64; without one it is LP64. A C program is preprocessed with gcc, cc or clang if necessary, with its own directory searched for headers, and skipped if it does not compile. A Datalog program (.dl) is in Soufflé's language, with the files of facts that `.input` names in its own directory, or (.datalog) in that of bddbddb. Each technique takes the seeds of its language. `--seeds` names your own files; `--seed` is unrelated: it sets the number from which all random choices are derived.",
    ),
    (
        "case",
        "One walk of a technique on one seed: some hundreds of inputs for one analyzer. A campaign is a sequence of numbered cases; the same number with the same answers gives the same walk.",
    ),
    (
        "exhibit",
        "A few queries and a relation between their answers that must hold and does not. An exhibit that breaks its relation twice more in fresh processes becomes a finding.",
    ),
    (
        "witness",
        "An analyzer that helps to judge a finding: it is asked about the input and about the answer that juvenal claims is right. Unless `--witness` names some, all other analyzers on the machine are witnesses.",
    ),
    (
        "fingerprint",
        "What the reduced inputs of a bug have in common: the operators, the tactic, the mode or the place of the crash. Findings with the same fingerprint are one bug with several hits.",
    ),
    (
        "vacuity",
        "How much of the work was wasted: the share of answers without a claim, and the share of inputs that repeat earlier ones. Both should be small; if they are not, the seeds or the description do not suit the analyzer.",
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
        return Ok(format!("{word}\n\n{}", wrap(text, 0).join("\n")));
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
        Err(_) => bail!("there is nothing called `{name}` to explain; {}", everything()?),
    }
}

/// The page of a rule: its row in the manual of its technique.
fn rule_page(name: &str) -> Option<String> {
    let start = format!("| `{name}` | ");
    techniques::all().iter().find_map(|technique| {
        let row = technique.manual.lines().find_map(|line| line.strip_prefix(&start))?;
        let text = row.trim_end_matches(" |").replace("\\|", "|");
        let technique = technique.name;
        let lines = wrap(&format!("A rule of {technique}. {text} `explain {technique}` says more."), 0);
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
        list(WORDS.iter().map(|(word, _)| *word).collect()),
        list(
            locator.catalogue().descriptions().iter().map(|description| description.name.as_str()).collect()
        ),
        list(analyzers::BUILT_INS.iter().map(|page| page.name).collect()),
        analyzers::BENCHEXEC
    );
    let lines: Vec<String> = text.lines().flat_map(|line| wrap(line, 4)).collect();
    Ok(lines.join("\n"))
}
