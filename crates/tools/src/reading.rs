//! What the commands of a run printed, as one verdict. None of it is trusted.

use crate::directories::Directories;
use crate::format;
use crate::output::{Output, Stream};
use crate::request::ToolCommand;
use crate::tool::Tool;
use descriptions::Pattern;
use model::{Claim, Ending, FileFailure, LimitKind, ProjectReport, Run, ToolResult, Verdict, one_line};
use regex::bytes::Captures;
use std::collections::BTreeSet;

/// The longest message of a failure.
const LONGEST_MESSAGE: usize = 500;

/// One command of a request, and what came back from it.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The command.
    pub command: &'a ToolCommand,
    /// How it ended and what it printed; its report, if it wrote one to the file [`ToolCommand::output`].
    pub run: &'a Run,
}

impl Tool {
    /// Makes one report of what all commands of a request printed, in their order.
    ///
    /// A command that failed on its only file makes this file a failure of the report, as long as another command came to
    /// its end. Otherwise the verdict is that of the first command that failed. Results that two commands report in the
    /// same words, as those about a shared header, are one.
    pub fn read(&self, directories: Directories<'_>, outcomes: &[Outcome<'_>]) -> Verdict {
        let mut whole = ProjectReport::default();
        let (mut first_failure, mut reports) = (None, 0);
        for outcome in outcomes {
            match (self.read_one(outcome), &outcome.command.file) {
                (Ok(report), _) => {
                    reports += 1;
                    append(&mut whole, report);
                }
                (Err(Verdict::Limit(kind)), _) => return Verdict::Limit(kind),
                (Err(failure), None) => return cleaned(failure, directories),
                (Err(failure), Some(file)) => {
                    let message = text_of(&failure);
                    whole.failures.push(FileFailure { file: Some(file.clone()), message });
                    first_failure.get_or_insert(failure);
                }
            }
        }
        match first_failure {
            Some(failure) if reports == 0 => cleaned(failure, directories),
            _ => Verdict::Claim(Claim::Report(finished(whole, directories))),
        }
    }

    fn read_one(&self, outcome: &Outcome<'_>) -> Result<ProjectReport, Verdict> {
        let Outcome { command, run } = outcome;
        let signs = Signs { output: &self.output, run };
        if let Some(limit) = signs.limit() {
            return Err(Verdict::Limit(limit));
        }
        let printed = match (&command.output, &run.file, self.output.stream) {
            (Some(_), Some(bytes), _) => Ok(bytes),
            (Some(path), None, _) => Err(format!("the file {path} was not written")),
            (None, _, Stream::Stdout) => Ok(&run.stdout),
            (None, _, Stream::Stderr) => Ok(&run.stderr),
        };
        match printed.and_then(|bytes| format::read(&self.output, bytes)) {
            Ok(report) => signs.checked(report),
            // What it says by itself tells more than what is wrong with a report that it did not finish.
            Err(reason) => match (signs.failure(&reason), signs.failures()) {
                (Verdict::Unreadable(_), failures) if command.file.is_some() && !failures.is_empty() => {
                    Ok(ProjectReport { failures, ..ProjectReport::default() })
                }
                (failure, _) => Err(failure),
            },
        }
    }
}

/// The signs of how a command went.
struct Signs<'a> {
    output: &'a Output,
    run: &'a Run,
}

impl Signs<'_> {
    fn limit(&self) -> Option<LimitKind> {
        let reported = || self.first(&self.output.out_of_memory).map(|_| LimitKind::Memory);
        self.run.ending.limit().or_else(|| if self.is_finished() { None } else { reported() })
    }

    fn exited(&self) -> bool {
        matches!(self.run.ending, Ending::Exited(_))
    }

    /// True if the exit code is one of a run that came to its end.
    fn is_finished(&self) -> bool {
        let Ending::Exited(code) = self.run.ending else { return false };
        let Output { exit_codes, exit_bits, .. } = self.output;
        exit_codes.contains(&code) || code == 0 && exit_codes.is_empty() || code & !exit_bits == 0 && code > 0
    }

    /// What says of itself that something could not be analyzed.
    fn failures(&self) -> Vec<FileFailure> {
        let streams = [&self.run.stderr, &self.run.stdout];
        let patterns = || self.output.failures.iter();
        let found = streams.into_iter().flat_map(|bytes| patterns().flat_map(|it| it.captures_all(bytes)));
        let failure = |captures: Captures<'_>| FileFailure {
            file: captures.name("file").map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned()),
            message: shown(&captures, "message"),
        };
        found.map(failure).collect()
    }

    /// The report with what else the program says, unless that leaves no trust in the report.
    fn checked(&self, mut report: ProjectReport) -> Result<ProjectReport, Verdict> {
        report.failures.extend(self.failures());
        if let Some(failure) = self.early_end(&report) {
            report.failures.push(failure);
            report.is_partial = true;
        }
        let is_silent = report.results.is_empty() && report.failures.is_empty();
        let is_refused = is_silent && self.first(&self.output.rejections).is_some();
        let is_crashed = !self.is_finished() && self.first(&self.output.crashes).is_some();
        let is_explained = self.is_finished() || self.exited() && !report.failures.is_empty();
        if is_explained && !is_refused && !is_crashed {
            return Ok(report);
        }
        Err(self.failure("the exit code is not described"))
    }

    /// The failure of a run that reported something and then stopped.
    fn early_end(&self, report: &ProjectReport) -> Option<FileFailure> {
        let Ending::Exited(code) = self.run.ending else { return None };
        let says_something = !report.results.is_empty() || !report.failures.is_empty();
        let is_early = self.output.stopping_exit_codes.contains(&code) && says_something;
        let message = format!("exit code {code}: the tool stopped before it had analyzed every file");
        is_early.then_some(FileFailure { file: None, message })
    }

    /// Why there is no report.
    fn failure(&self, reason: &str) -> Verdict {
        if let Some(what) = self.first(&self.output.crashes) {
            return Verdict::Crash(shown(&what, "what"));
        }
        if let Some(message) = self.first(&self.output.rejections) {
            return Verdict::Rejected(shown(&message, "message"));
        }
        let first_line = self.first_line();
        match self.run.ending {
            Ending::Signaled(number) => match self.run.ending.crash_signal() {
                Some(name) => Verdict::Crash(name.to_owned()),
                None => Verdict::Unreadable(format!("ended by signal {number}{first_line}")),
            },
            Ending::Exited(code) if !self.is_finished() => {
                Verdict::Unreadable(format!("exit code {code}{first_line}; {reason}"))
            }
            _ => Verdict::Unreadable(format!("{reason}{first_line}")),
        }
    }

    /// The first match in standard error, or else in standard output.
    fn first<'a>(&'a self, patterns: &'a [Pattern]) -> Option<Captures<'a>> {
        let streams = [&self.run.stderr, &self.run.stdout];
        streams.into_iter().find_map(|bytes| patterns.iter().find_map(|pattern| pattern.captures(bytes)))
    }

    /// The first line that the program printed to standard error, for people.
    fn first_line(&self) -> String {
        let mut lines = self.run.stderr.split(|byte| *byte == b'\n');
        match lines.find(|line| !line.trim_ascii().is_empty()) {
            Some(line) => format!("; `{}`", one_line(String::from_utf8_lossy(line).trim(), LONGEST_MESSAGE)),
            None => String::new(),
        }
    }
}

/// The text of a capture, or of the whole match.
fn shown(captures: &Captures<'_>, name: &str) -> String {
    let found = captures.name(name).or_else(|| captures.get(0));
    let text = found.map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned()).unwrap_or_default();
    one_line(text.trim(), LONGEST_MESSAGE)
}

fn append(whole: &mut ProjectReport, report: ProjectReport) {
    whole.rules.extend(report.rules);
    whole.results.extend(report.results);
    whole.failures.extend(report.failures);
}

fn finished(mut report: ProjectReport, directories: Directories<'_>) -> ProjectReport {
    directories.clean(&mut report);
    let mut seen = BTreeSet::new();
    report.results.retain(|result: &ToolResult| seen.insert(result.clone()));
    let used: BTreeSet<&str> = report.results.iter().map(|result| result.rule.as_str()).collect();
    report.rules.retain(|rule| used.contains(rule.id.as_str()));
    report.rules.sort();
    report.rules.dedup_by(|later, earlier| later.id == earlier.id);
    // What was said first about a file says most.
    let mut failed = BTreeSet::new();
    let key = |failure: &FileFailure| failure.file.clone().ok_or_else(|| failure.message.clone());
    report.failures.retain(|failure| failed.insert(key(failure)));
    report
}

/// The verdict without the directories of the run.
fn cleaned(failure: Verdict, directories: Directories<'_>) -> Verdict {
    match failure {
        Verdict::Crash(text) => Verdict::Crash(directories.cleaned(&text)),
        Verdict::Rejected(text) => Verdict::Rejected(directories.cleaned(&text)),
        Verdict::Unreadable(text) => Verdict::Unreadable(directories.cleaned(&text)),
        other => other,
    }
}

/// What a failure says, as the message of a file that could not be analyzed.
fn text_of(failure: &Verdict) -> String {
    match failure {
        Verdict::Crash(text) => format!("the tool crashed: {text}"),
        Verdict::Rejected(text) | Verdict::Unreadable(text) => text.clone(),
        other => other.word().to_owned(),
    }
}
