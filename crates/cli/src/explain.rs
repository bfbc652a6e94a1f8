//! `juvenal explain NAME`: the manual page of a technique, kind, verdict, other word or analyzer.

mod roles;

use crate::columns::wrap;
use crate::lineup;
use analyzers::Description;
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

/// Kinds, evidence, verdicts and other words, each with one paragraph. Kinds that no technique finds are left out.
const WORDS: &[(&str, &str)] = &[
    (
        "soundness",
        "Kind of a finding. The analyzer calls something impossible that is possible: a solver answers unsat on a script that has a model, a verifier calls a check verified that an execution violates. Whoever relies on the answer believes in safety that is not there.",
    ),
    (
        "invalid-model",
        "Kind of a finding. The solver answers sat, and the model that it prints makes an assertion false. Only complete models are judged: a symbol that the solver left out may have any value.",
    ),
    (
        "precision",
        "Kind of a finding. A verifier cannot exclude that a check fails, although it cannot fail and the verifier itself excludes it in a related program; it is proved where the program was run on every input. Or the engine of a static analyzer does not know, or denies, what follows from a condition that it has just assumed.",
    ),
    (
        "false-warning",
        "Kind of a finding. A bug finder warns of an error at a place that the only execution of a program passes without it, on the path of the warning.",
    ),
    (
        "missed",
        "Kind of a finding. An error happens in the only execution of a program, and a bug finder that has a checker for it says nothing. If its authors overlook such errors on purpose, and say so, it is a suspicion.",
    ),
    (
        "crash",
        "Kind of a finding, and a verdict. The analyzer died by a signal or reported an internal failure. The signature, without addresses and numbers, tells crashes apart.",
    ),
    (
        "refusal",
        "Kind of a finding. The analyzer refuses a valid input that is made of parts which it accepted before. Refusals that its description expects are counted, not reported.",
    ),
    (
        "proved",
        "Evidence. An independent, executable witness shows that the analyzer is wrong: for a solver's unsat, an assignment that makes every assertion true, checked by juvenal's evaluator and confirmed by a second judge; for a verified check of a C program, inputs with which the compiled program violates it.",
    ),
    (
        "contradiction",
        "Evidence. The analyzer contradicts itself, or juvenal's own evaluator alone; no second judge could speak.",
    ),
    ("suspicion", "Evidence. Others disagree with the analyzer, and nothing settles who is right."),
    (
        "claim",
        "Verdict. The analyzer committed itself: sat or unsat for a solver, verified or violated for the checks of a C program. Answers after an error are no claim, unless the description lists that error as harmless or as a failed check.",
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
    (
        "seed",
        "A file that cases start from: an SMT-LIB script (.smt2), whose predicates and declarations are the material of new scripts, or a C program (.c, .i), between whose statements checks and assumptions are put. A task definition of SV-COMP (.yml) names a program with its data model, ILP32 or LP64; without one it is LP64. A C program is preprocessed with gcc, cc or clang where it must be, its own directory being searched for headers, and skipped if it does not compile. A Datalog program (.dl) is in Soufflé's language, with the files of facts that `.input` names in its own directory, or (.datalog) in that of bddbddb. Each technique takes the seeds of its language. `--seeds` names your own; `--seed` is something else, the number from which everything random comes.",
    ),
    (
        "case",
        "One walk of a technique on one seed: some hundreds of inputs for one analyzer. A campaign is a row of numbered cases; the same number with the same answers is the same walk.",
    ),
    (
        "exhibit",
        "A few queries and the relation between their answers that must hold and does not. An exhibit that breaks the relation again, twice, in fresh processes, becomes a finding.",
    ),
    (
        "witness",
        "An analyzer that helps to judge a finding: it is asked about the input and about the truth that juvenal claims. All others on the machine are witnesses unless `--witness` names some.",
    ),
    (
        "fingerprint",
        "What the reduced inputs of a bug have in common: the operators, the tactic, the mode or the place of the crash. Findings with the same fingerprint are one bug with several hits.",
    ),
    (
        "vacuity",
        "How much of the work was empty: the share of answers that make no claim, and the share of inputs that had been made before. Both should be small; where they are not, the seeds or the description do not suit the analyzer.",
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

/// The page of a rule: its row in the table of rules of a technique.
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
    for setting in technique.knobs {
        let name = format!("{}.{}={}", technique.name, setting.key, setting.default);
        page.push_str(&format!("{name:<34} {}\n", setting.meaning));
    }
    page
}

fn logics(smt: &analyzers::SmtRole) -> String {
    if smt.logics.is_empty() { "any".to_owned() } else { smt.logics.join(", ") }
}

fn analyzer_page(description: &Description) -> String {
    let smt = description.smt.as_ref();
    let datalog = description.datalog.as_ref();
    let tracker = description.tracker.as_deref().unwrap_or(&description.homepage);
    let mut page = format!("{} ({})\n\n{}\n\n", description.title, description.name, description.summary);
    let options: Vec<&str> =
        smt.map_or(&[][..], |smt| &smt.options).iter().map(|option| option.name.as_str()).collect();
    // Lines are broken between tactics, not inside of one.
    let tactics = smt
        .map_or(&[][..], |smt| &smt.tactics)
        .join(", ")
        .replace(' ', NO_BREAK)
        .replace(&format!(",{NO_BREAK}"), ", ");
    let label = |(name, value): (&str, String)| (name.to_owned(), value);
    let general = [
        ("homepage", description.homepage.clone()),
        ("bugs", tracker.to_owned()),
        ("how to get it", install_hint(description)),
        ("theories", smt.map_or(String::new(), |smt| smt.theories.join(", "))),
        ("logics", smt.map_or(String::new(), logics)),
        ("tactics drawn", tactics),
        ("options drawn", options.join(", ")),
        ("Datalog dialect", datalog.map_or(String::new(), |role| role.dialect.clone())),
        ("its options drawn", datalog.map_or(String::new(), drawn_options)),
    ];
    for (name, value) in general.into_iter().map(label).chain(roles::lines(description)) {
        if !value.is_empty() {
            let lines = wrap(&format!("{name:<LABEL$} {value}"), LABEL + 1);
            page.push_str(&format!("{}\n", lines.join("\n").replace(NO_BREAK, " ")));
        }
    }
    for note in &description.notes {
        page.push_str(&format!("\n{}", wrap(&format!("- {note}"), 2).join("\n")));
    }
    page
}

/// Options with their values, and the versions that have them.
fn drawn_options(role: &analyzers::DatalogRole) -> String {
    let option = |option: &analyzers::CommandOption| {
        let until = option.until.as_ref().map_or(String::new(), |it| format!(" (before {it})"));
        let since = option.since.as_ref().map_or(String::new(), |it| format!(" (from {it})"));
        format!("{}={}{since}{until}", option.name, option.values.join("|"))
    };
    role.options.iter().map(option).collect::<Vec<_>>().join(", ")
}

fn everything() -> Result<String> {
    let locator = lineup::locator()?;
    let list = |names: Vec<&str>| names.join(", ");
    let text = format!(
        "techniques: {}\nkinds, evidence, verdicts and other words: {}\nanalyzers: {}, {}, {}",
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
