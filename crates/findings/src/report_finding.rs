//! The directory of one finding: a report ready for a tracker, the inputs, the witness, the way to see it again.

use crate::escape::{fenced, file_word, markdown, shell_word};
use anyhow::{Context, Result};
use model::{Finding, Mode, RunRecord};

/// What is shown of a text inside a report; the whole is in a file beside it.
const SHOWN: usize = 20_000;

/// A file of the directory.
pub struct FindingFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The name of a finding's directory, such as `F0012-unsat-on-a-satisfiable-script-z3`.
pub fn directory_name(finding: &Finding) -> String {
    let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.name());
    format!("F{:04}-{}-{}", finding.number, file_word(&finding.exhibit.title), file_word(accused))
}

/// Every file of the directory.
pub fn finding_files(finding: &Finding) -> Result<Vec<FindingFile>> {
    let json = serde_json::to_string_pretty(finding).context("cannot encode a finding")?;
    let mut files = vec![file("README.md", readme(finding)), file("finding.json", json + "\n")];
    let many = finding.reduced.queries.len() > 1;
    for (index, query) in finding.exhibit.queries.iter().enumerate() {
        let name = format!("input{}.{}", suffix(index, many), query.input.extension());
        files.push(file(&name, query.input.text()));
    }
    for (index, run) in finding.runs.iter().enumerate() {
        files.push(file(&reduced_name(finding, index), run.stdin.clone()));
    }
    for witness in &finding.weighed.files {
        files.push(file(&format!("witness-{}", file_word(&witness.name)), witness.text.clone()));
    }
    files.push(file("output.txt", finding.outputs.join("\n--- next query ---\n")));
    files.push(file("replay.sh", replay_script(finding)));
    Ok(files)
}

fn file(name: &str, text: String) -> FindingFile {
    FindingFile { name: name.to_owned(), text }
}

fn suffix(index: usize, many: bool) -> String {
    if many { format!("-{}", index + 1) } else { String::new() }
}

fn reduced_name(finding: &Finding, index: usize) -> String {
    let many = finding.reduced.queries.len() > 1;
    let extension = finding.reduced.queries.get(index).map_or("txt", |query| query.input.extension());
    format!("reduced{}.{extension}", suffix(index, many))
}

/// The bug report.
fn readme(finding: &Finding) -> String {
    let mut text = format!("# {}\n\n", markdown(&headline(finding)));
    text.push_str("| | |\n|---|---|\n");
    for (name, value) in facts(finding) {
        text.push_str(&format!("| {name} | {} |\n", markdown(&value)));
    }
    for (index, run) in finding.runs.iter().enumerate() {
        let title = if finding.runs.len() > 1 { format!("Input {}", index + 1) } else { "Input".to_owned() };
        text.push_str(&format!("\n## {title}\n\n{}", fenced("smt2", &run.stdin, SHOWN)));
        text.push_str(&format!(
            "\n## Command\n\n{}",
            fenced("sh", &command_line(finding, index, run), SHOWN)
        ));
        if let Some(output) = finding.outputs.get(index) {
            text.push_str(&format!("\n## Actual output\n\n{}", fenced("text", output, SHOWN)));
        }
    }
    text.push_str("\n## Why this is wrong\n\n");
    for reason in &finding.weighed.reasons {
        text.push_str(&format!("- {}\n", markdown(reason)));
    }
    for witness in &finding.weighed.files {
        text.push_str(&format!(
            "\n### {}\n\n{}",
            markdown(&witness.name),
            fenced("smt2", &witness.text, SHOWN)
        ));
    }
    text.push_str(
        "\n`replay.sh` runs the command above; `input.*` is the input as it was found, before reduction; \
         `finding.json` holds everything for machines.\n",
    );
    text
}

fn headline(finding: &Finding) -> String {
    let accused = finding.reduced.queries.first().map_or("", |query| query.analyzer.as_str());
    format!("{accused}: {}", finding.exhibit.title)
}

fn facts(finding: &Finding) -> Vec<(&'static str, String)> {
    let query = finding.reduced.queries.first();
    let accused = query.map_or("", |query| query.analyzer.as_str());
    let reduced: usize = finding.runs.iter().map(|run| run.stdin.len()).sum();
    let original: usize = finding.exhibit.queries.iter().map(|query| query.input.text().len()).sum();
    vec![
        ("analyzer", accused.to_owned()),
        ("kind", finding.exhibit.kind.to_string()),
        ("evidence", finding.weighed.evidence.to_string()),
        ("technique", finding.exhibit.technique.clone()),
        ("mode", query.map_or(String::new(), |query| mode_in_words(query.mode).to_owned())),
        ("size", format!("{reduced} bytes, from {original}")),
        ("seed", format!("{} (case {})", finding.seed_name, finding.case_number)),
    ]
}

fn mode_in_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Process => "a process of its own",
        Mode::Reset => "after (reset) in an interactive session",
        Mode::Push => "between (push 1) and (pop 1) in an interactive session",
    }
}

fn command_line(finding: &Finding, index: usize, run: &RunRecord) -> String {
    let mut words: Vec<String> =
        run.environment.iter().map(|(key, value)| format!("{key}={}", shell_word(value))).collect();
    words.extend(run.command.iter().map(|word| shell_word(word)));
    words.push("<".to_owned());
    words.push(shell_word(&reduced_name(finding, index)));
    words.join(" ")
}

fn replay_script(finding: &Finding) -> String {
    let mut text = String::from("#!/bin/sh\n");
    text.push_str(&format!("# {}\n", crate::escape::one_line(&headline(finding), 200)));
    text.push_str("# Shows the bug without juvenal. README.md says what is wrong with the answer.\n");
    text.push_str("cd \"$(dirname \"$0\")\" || exit 2\n");
    for (index, run) in finding.runs.iter().enumerate() {
        text.push_str(&command_line(finding, index, run));
        text.push('\n');
    }
    text
}
