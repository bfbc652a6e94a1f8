//! The directory of one finding: a report for the bug tracker, the inputs, the files of the evidence and a script that reproduces it.

use crate::escape::{fenced, file_word, markdown, markdown_sentence, shell_word};
use anyhow::{Context, Result};
use model::{Finding, Language, Mode, NamedFile, RunRecord, one_line};

/// The maximum number of bytes that a report shows of a text; the whole text is in a file next to it.
const SHOWN: usize = 20_000;

/// The function in front of some programs that provokes a warning, which proves that the analyzer ran.
const AWAKE: &str = "juvenal_analyzer_is_awake";

/// The program that external reducers start from.
const CANDIDATE: &str = "candidate.c";
/// The reduced Datalog program in the language that all engines share.
const COMMON: &str = "reduced.dl";

/// The name of a finding's directory, such as `F0012-unsat-on-a-satisfiable-script-z3`.
pub fn directory_name(finding: &Finding) -> String {
    let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.name());
    format!("F{:04}-{}-{}", finding.number, file_word(&finding.exhibit.title), file_word(accused))
}

/// All files of the directory.
pub fn finding_files(finding: &Finding) -> Result<Vec<NamedFile>> {
    let json = serde_json::to_string_pretty(finding).context("cannot encode a finding")?;
    let mut files = vec![file("README.md", readme(finding)), file("finding.json", json + "\n")];
    for (index, query) in finding.exhibit.queries.iter().enumerate() {
        files.push(file(&input_name(finding, index), query.input.text()));
    }
    for (index, run) in finding.runs.iter().enumerate() {
        files.push(file(&reduced_name(finding, index), run.input().to_owned()));
        let beside = run.files.iter().skip(1);
        files.extend(beside.map(|it| file(&run_file_name(finding, index, it), it.text.clone())));
    }
    for evidence in &finding.weighed.files {
        files.push(file(&evidence_name(evidence), evidence.text.clone()));
    }
    files.extend(bare_program(finding).map(|text| file(CANDIDATE, text.to_owned())));
    files.extend(common_program(finding).map(|text| file(COMMON, text.to_owned())));
    files.push(file("output.txt", finding.outputs.join("\n--- next query ---\n")));
    files.push(file("replay.sh", replay_script(finding)));
    Ok(files)
}

fn file(name: &str, text: String) -> NamedFile {
    NamedFile { name: name.to_owned(), text }
}

fn suffix(index: usize, many: bool) -> String {
    if many { format!("-{}", index + 1) } else { String::new() }
}

fn input_name(finding: &Finding, index: usize) -> String {
    let many = finding.exhibit.queries.len() > 1;
    let extension = finding.exhibit.queries.get(index).map_or("txt", |query| query.input.extension());
    format!("input{}.{extension}", suffix(index, many))
}

/// Files of the evidence keep their names, since they may name each other.
fn evidence_name(file: &NamedFile) -> String {
    file_word(&file.name)
}

fn reduced_name(finding: &Finding, index: usize) -> String {
    let many = finding.reduced.queries.len() > 1;
    if let Some(first) = finding.runs.get(index).and_then(|run| run.files.first()) {
        return run_file_name(finding, index, first);
    }
    let extension = finding.reduced.queries.get(index).map_or("txt", |query| query.input.extension());
    format!("reduced{}.{extension}", suffix(index, many))
}

/// The directory of a run whose files need particular names.
fn run_directory(finding: &Finding, index: usize) -> String {
    format!("run{}", suffix(index, finding.runs.len() > 1))
}

fn run_file_name(finding: &Finding, index: usize, file: &NamedFile) -> String {
    format!("{}/{}", run_directory(finding, index), file_word(&file.name))
}

/// The reduced C program without juvenal's annotations, which external reducers start from.
fn bare_program(finding: &Finding) -> Option<&str> {
    Some(&finding.reduced.queries.first()?.input.c()?.base)
}

/// The reduced Datalog program in the language that all engines share, if the engine has a language of its own.
fn common_program(finding: &Finding) -> Option<&str> {
    let has_own_file = finding.runs.first().is_some_and(|run| !run.files.is_empty());
    let program = finding.reduced.queries.first()?.input.text_in(Language::DATALOG)?;
    has_own_file.then_some(program)
}

/// The bug report.
fn readme(finding: &Finding) -> String {
    let mut text = format!("# {}\n\n", markdown(&headline(finding)));
    text.push_str("| | |\n|---|---|\n");
    for (name, value) in facts(finding) {
        text.push_str(&format!("| {name} | {} |\n", markdown(&value)));
    }
    text.push_str(&sections(finding, "##"));
    text.push_str(&format!("\n{}\n", guide(finding)));
    text
}

/// The section with the output of one run.
fn output_section(finding: &Finding, heading: &str, index: usize, number: &str) -> String {
    let Some(output) = finding.outputs.get(index) else { return String::new() };
    let output = block("text", output, "It printed nothing.");
    format!("\n{heading} Actual output{number}\n\n{output}")
}

/// Everything that a maintainer needs: the inputs, the commands, the outputs, and why they are wrong.
pub(crate) fn sections(finding: &Finding, heading: &str) -> String {
    let mut text = String::new();
    for (index, run) in finding.runs.iter().enumerate() {
        let number = if finding.runs.len() > 1 { format!(" {}", index + 1) } else { String::new() };
        // A command that repeats the one before is not shown again.
        let is_repeated = index > 0 && finding.runs.get(index - 1) == Some(run);
        if is_repeated {
            text.push_str(&output_section(finding, heading, index, &number));
            continue;
        }
        let input = fenced(language(&reduced_name(finding, index)), run.input(), SHOWN);
        text.push_str(&format!("\n{heading} Input{number}\n\n{input}"));
        if run.input().contains(AWAKE) {
            text.push_str(&format!(
                "\nThe function `{AWAKE}` provokes a warning, which proves that the analyzer ran. That warning is not \
                 part of the bug.\n"
            ));
        }
        let command = fenced("sh", &command_line(finding, index, run), SHOWN);
        text.push_str(&format!("\n{heading} Command{number}\n\n{command}"));
        text.push_str(&output_section(finding, heading, index, &number));
    }
    text.push_str(&format!("\n{heading} Why this is wrong\n\n"));
    for reason in &finding.weighed.reasons {
        text.push_str(&format!("- {}\n", markdown_sentence(reason)));
    }
    for evidence in &finding.weighed.files {
        let name = evidence_name(evidence);
        let shown = block(
            language(&name),
            &evidence.text,
            "The file is empty, because the input declares nothing that needs a value.",
        );
        text.push_str(&format!("\n{heading}# {name}\n\n{shown}"));
    }
    text
}

/// A fenced block, or a sentence instead if there is nothing to show.
fn block(language: &str, text: &str, if_empty: &str) -> String {
    if text.trim().is_empty() { format!("{if_empty}\n") } else { fenced(language, text, SHOWN) }
}

/// The info string of a fenced block for a file with this name.
fn language(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((_, "txt")) | None => "text",
        Some((_, ending)) => ending,
    }
}

/// Describes the other files of the directory.
fn guide(finding: &Finding) -> String {
    let quoted = |names: Vec<String>| -> String {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<String>>().join(", ")
    };
    let inputs: Vec<String> =
        (0..finding.exhibit.queries.len()).map(|index| input_name(finding, index)).collect();
    let reduced: Vec<String> = (0..finding.runs.len()).map(|index| reduced_name(finding, index)).collect();
    let is_many = |names: &[String]| if names.len() > 1 { "are" } else { "is" };
    let (inputs_are, reduced_are) = (is_many(&inputs), is_many(&reduced));
    let beside = if finding.runs.iter().any(|run| run.files.len() > 1) {
        " the other files next to it belong to juvenal and are compiled with it;"
    } else {
        ""
    };
    let candidate = match bare_program(finding) {
        Some(_) => format!(
            " `{CANDIDATE}` is the program without juvenal's annotations, for other reducers (`juvenal reduce \
             --candidate`);"
        ),
        None => String::new(),
    };
    format!(
        "`replay.sh` runs the commands above; {} {reduced_are} the input;{beside} {} {inputs_are} the input before \
         reduction;{candidate} `output.txt` is the output; `finding.json` has all of this for machines.",
        quoted(reduced),
        quoted(inputs)
    )
}

fn headline(finding: &Finding) -> String {
    let accused = finding.reduced.queries.first().map_or("", |query| query.analyzer.as_str());
    format!("{accused}: {}", finding.exhibit.title)
}

fn facts(finding: &Finding) -> Vec<(&'static str, String)> {
    let query = finding.reduced.queries.first();
    let accused = query.map_or("", |query| query.analyzer.as_str());
    let (reduced, original) = (finding.reduced.bytes(), finding.exhibit.bytes());
    let size = match finding.reduced.queries == finding.exhibit.queries {
        true => format!("{original} bytes, not reduced"),
        false => format!("{reduced} bytes, reduced from {original}"),
    };
    vec![
        ("analyzer", accused.to_owned()),
        ("kind", finding.kind().to_string()),
        ("evidence", finding.weighed.evidence.to_string()),
        ("technique", finding.exhibit.technique.clone()),
        ("mode", query.map_or(String::new(), |query| mode_in_words(query.mode).to_owned())),
        ("size", size),
        ("seed", format!("{} (case {})", finding.seed_name, finding.case_number)),
    ]
}

fn mode_in_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Process => "in a process of its own",
        Mode::Reset => "after (reset) in an interactive session",
        Mode::Push => "between (push 1) and (pop 1) in an interactive session",
    }
}

/// The shell command that reproduces a run, for the directory of the finding.
fn command_line(finding: &Finding, index: usize, run: &RunRecord) -> String {
    if run.files.is_empty() {
        return format!("{} < {}", typed(run, &run.command), shell_word(&reduced_name(finding, index)));
    }
    let commands = run.preparation.iter().chain([&run.command]);
    let lines: Vec<String> = commands.map(|command| format!(" &&\n  {}", typed(run, command))).collect();
    format!("(cd {}{})", shell_word(&run_directory(finding, index)), lines.concat())
}

/// One command with its environment variables.
fn typed(run: &RunRecord, command: &[String]) -> String {
    let mut words: Vec<String> =
        run.environment.iter().map(|(key, value)| format!("{key}={}", shell_word(value))).collect();
    words.extend(command.iter().map(|word| shell_word(word)));
    words.join(" ")
}

fn replay_script(finding: &Finding) -> String {
    let mut text = String::from("#!/bin/sh\n");
    text.push_str(&format!("# {}\n", one_line(&headline(finding), 200)));
    let needs = if finding.runs.iter().any(is_built_in) {
        "Reproduces the bug. Needs juvenal on the search path, because the analyzer is built into it."
    } else {
        "Reproduces the bug without juvenal."
    };
    text.push_str(&format!("# {needs} Why the answer is wrong:\n"));
    for reason in &finding.weighed.reasons {
        text.push_str(&format!("# - {}\n", one_line(reason, 600)));
    }
    text.push_str("cd \"$(dirname \"$0\")\" || exit 2\n");
    for (index, run) in finding.runs.iter().enumerate() {
        text.push_str(&command_line(finding, index, run));
        text.push('\n');
    }
    text
}

/// True if the analyzer is built into juvenal.
fn is_built_in(run: &RunRecord) -> bool {
    matches!(run.command.as_slice(), [program, command, ..] if program == "juvenal" && command == "built-in")
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AnalyzerId, Evidence, Exhibit, Fingerprint, Input, Kind, Query, SmtInput, Weighed};

    /// A finding of a program, with an assignment.
    fn finding(program: &str, assignment: &str) -> Finding {
        let input = SmtInput { options: "".into(), logic: None, body: "(check-sat)\n".into(), checks: 1 };
        let query = Query::new(AnalyzerId::new("z3", "4.8.12", &[]), Input::Smt(input), Mode::Process);
        let exhibit = Exhibit {
            technique: "satisfiable".to_owned(),
            kind: Kind::Soundness,
            title: "unsat on a satisfiable script".to_owned(),
            queries: vec![query],
            relation: serde_json::from_str(r#"{"schema": 1, "data": {"relation": "satisfiable"}}"#).unwrap(),
            sample_key: None,
        };
        Finding {
            number: 1,
            bug: 1,
            fingerprint: Fingerprint::default(),
            case_number: 0,
            seed_name: "a.smt2".to_owned(),
            exhibit: exhibit.clone(),
            reduced: exhibit,
            fully_reduced: true,
            answers: Vec::new(),
            runs: vec![RunRecord {
                command: program.split(' ').map(str::to_owned).collect(),
                environment: Vec::new(),
                stdin: "(check-sat)\n".to_owned(),
                ..RunRecord::default()
            }],
            outputs: vec!["unsat\n".to_owned()],
            weighed: Weighed {
                kind: None,
                evidence: Evidence::Proved,
                reasons: vec!["This is false: (=> (bvslt #b10 #b00) false)".to_owned()],
                files: vec![NamedFile { name: "assignment.smt2".to_owned(), text: assignment.to_owned() }],
            },
        }
    }

    fn check(text: &str, there: &[&str], not_there: &[&str]) {
        there.iter().for_each(|words| assert!(text.contains(words), "`{words}` is missing: {text}"));
        not_there.iter().for_each(|words| assert!(!text.contains(words), "`{words}` is there: {text}"));
    }

    #[test]
    fn terms_are_not_escaped_in_the_report() {
        check(&readme(&finding("z3 -in", "x")), &["(=> (bvslt #b10 #b00) false)"], &["\\#b10"]);
    }

    #[test]
    fn the_report_names_every_file() {
        let finding = finding("z3 -in", "(define-fun x () Int 1)\n");
        let text = readme(&finding);
        for file in finding_files(&finding).unwrap().iter().filter(|file| file.name != "README.md") {
            check(&text, &[&file.name], &[]);
        }
        check(&text, &["### assignment.smt2\n\n```smt2\n(define-fun x"], &["`input.*`"]);
    }

    #[test]
    fn an_empty_assignment_is_described_as_empty() {
        check(&readme(&finding("z3 -in", "\n")), &["The file is empty"], &["```smt2\n\n```", "```smt2\n```"]);
    }

    #[test]
    fn runs_with_files_have_a_directory_each() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let named = |name: &str| NamedFile { name: name.to_owned(), text: format!("/* {name} */\n") };
        let run = RunRecord {
            preparation: vec![words("gcc -c program.c"), words("gcc program.o -o run")],
            command: words("./run --mode exhaustive"),
            files: vec![named("program.c"), named("execute.c"), named("../../away.c")],
            ..RunRecord::default()
        };
        let finding = Finding { runs: vec![run.clone(), run], ..finding("", "") };
        let files: Vec<String> = finding_files(&finding).unwrap().into_iter().map(|file| file.name).collect();
        for name in ["run-1/program.c", "run-1/execute.c", "run-2/program.c", "run-2/away.c"] {
            assert!(files.iter().any(|known| known == name), "{name} is missing: {files:?}");
        }
        assert!(files.iter().all(|name| !name.contains("..") && !name.starts_with("reduced")), "{files:?}");
        let expected = "(cd run-1 &&\n  gcc -c program.c &&\n  gcc program.o -o run &&\n  \
                        ./run --mode exhaustive)\n(cd run-2 &&\n";
        check(&replay_script(&finding), &[expected], &["<"]);
        check(&readme(&finding), &["/* program.c */", "next to it"], &["/* execute.c */"]);
    }

    #[test]
    fn the_script_says_what_it_needs() {
        let without = "# Reproduces the bug without juvenal.";
        check(&replay_script(&finding("z3 -in", "")), &[without], &["search path"]);
        check(
            &replay_script(&finding("juvenal built-in liar-smt", "")),
            &["juvenal on the search path"],
            &[without],
        );
    }
}
