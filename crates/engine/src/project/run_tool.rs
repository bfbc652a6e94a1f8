//! Running a tool on the files of a part.

use super::find_tool::{FoundTool, command};
use super::{WorkingCopies, WorkingCopy};
use crate::ask::run_of;
use crate::door::Trust;
use anyhow::{Context, Result};
use model::{
    Answer, Claim, Cost, Ending, FileFailure, Hash, LimitKind, Limits, PartHasher, ProjectReport, Run,
    Verdict,
};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use store::{AnswerLog, StoredAnswer};
use tools::{CompileCommands, Directories, Given, Outcome, ToolCommand, ToolRequest};

/// The largest report file that is read.
const LARGEST_REPORT: u64 = 512 << 20;
/// What stands for the directories of a run where only the request as such counts.
const ANY_DIRECTORIES: Directories<'static> = Directories { root: "/root", scratch: "/scratch" };

/// What a tool is asked about a part.
pub struct ToolQuestion<'a> {
    /// The files that the command names.
    pub named: &'a [&'a str],
    /// The only files that the tool sees; none if it sees the whole project.
    pub alone: Option<&'a [&'a str]>,
    /// The configuration files of the project.
    pub configuration: &'a [&'a str],
    /// The project's compilation database.
    pub compile_commands: Option<&'a CompileCommands>,
    /// Arguments that the user adds.
    pub options: &'a [String],
    /// The names and contents of all files that the answer can depend on, as one hash.
    pub content: Hash,
    /// The limits of the run.
    pub limits: Limits,
}

/// The rights of a tool while it runs on a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolRights {
    /// Those of a program under test, since many tools execute code of the project: it has no network, sees no homes but what
    /// it is installed in, and writes only to its copy of the project. It can read the project's installed packages.
    Confined,
    /// Those of the user, who trusts the project.
    OfUser,
}

/// A tool, and the project that it runs on.
pub struct ToolRunner<'a> {
    /// The tool.
    pub found: &'a FoundTool,
    /// The project.
    pub copies: &'a WorkingCopies,
    rights: ToolRights,
    /// What a confined tool can read in home directories.
    readable: Vec<PathBuf>,
    runner: process::Runner,
}

impl<'a> ToolRunner<'a> {
    /// A runner of this tool.
    pub fn new(found: &'a FoundTool, copies: &'a WorkingCopies, rights: ToolRights) -> ToolRunner<'a> {
        process::remove_leftovers();
        let mut readable = found.installation();
        readable.extend(copies.packages());
        ToolRunner { found, copies, rights, readable, runner: process::Runner::probe() }
    }

    /// What cannot be promised about running processes here, each in a sentence.
    pub fn weaknesses(&self) -> Vec<String> {
        let trusted = match self.rights {
            ToolRights::Confined => None,
            ToolRights::OfUser => Some(
                "--trust-project: the tool ran with the rights of its user, and so did all code of the project that it executes"
                    .to_owned(),
            ),
        };
        trusted.into_iter().chain(self.runner.weaknesses()).collect()
    }

    fn command(&self, program: &Path, copy: &WorkingCopy) -> process::Command {
        let trust = match self.rights {
            ToolRights::Confined => Trust::UnderTest(&self.readable),
            ToolRights::OfUser => Trust::Installed,
        };
        let mut command = command(trust, program, copy.path());
        command.writable = Some(copy.enclosing().to_owned());
        command
    }

    /// The recorded answer, or else that of the tool, which is recorded before this returns; and whether it was recorded.
    ///
    /// # Errors
    ///
    /// Fails if juvenal was interrupted, or failed itself. What a tool does is a verdict.
    pub fn ask(&self, question: &ToolQuestion<'_>, log: &dyn AnswerLog) -> Result<(Answer, bool)> {
        let keys = self.keys(question);
        if let Some(stored) = log.get(&keys)?.into_iter().flatten().next() {
            return Ok((stored.answer, true));
        }
        let answer = self.run(question)?;
        let [under_any_limits, under_these_limits] = keys;
        let key = match &answer.verdict {
            Verdict::Claim(_) | Verdict::Crash(_) => under_any_limits,
            Verdict::Limit(_) => under_these_limits,
            // What is wrong with the configuration or the installation may be mended outside of what the key covers.
            Verdict::Unknown | Verdict::Rejected(_) | Verdict::Unreadable(_) => return Ok((answer, false)),
        };
        let stored = StoredAnswer { answer: answer.clone(), reader: self.found.identity, transcript: None };
        let earlier = log.put(&[(key, stored)])?;
        Ok((earlier.get(&key).map_or(answer, |stored| stored.answer.clone()), false))
    }

    /// The keys under which an answer is recorded: a report holds under any limits.
    fn keys(&self, question: &ToolQuestion<'_>) -> [Hash; 2] {
        let mut hasher = PartHasher::default();
        hasher.add(&self.found.identity.0);
        hasher.add(&question.content.0);
        hasher.add(if question.alone.is_some() { b"isolated" } else { b"in place" });
        hasher.add(match self.rights {
            ToolRights::Confined => b"confined",
            ToolRights::OfUser => b"with the rights of the user",
        });
        let request = self.request(question, ANY_DIRECTORIES);
        for file in &request.files {
            hasher.add(file.name.as_bytes());
            hasher.add(file.text.as_bytes());
        }
        for (name, value) in &request.environment {
            hasher.add(name.as_bytes());
            hasher.add(value.as_bytes());
        }
        for command in &request.commands {
            hasher.add(command.program.as_deref().unwrap_or_default().as_bytes());
            command.arguments.iter().for_each(|argument| hasher.add(argument.text.as_bytes()));
        }
        let any = hasher.finish();
        let Limits { wall_milliseconds, memory_megabytes, output_kilobytes } = question.limits;
        let numbers = [wall_milliseconds, memory_megabytes, output_kilobytes].map(u64::to_le_bytes);
        [any, Hash::of_parts([&any.0[..], numbers.as_flattened()])]
    }

    fn request(&self, question: &ToolQuestion<'_>, directories: Directories<'_>) -> ToolRequest {
        self.found.tool.request(&Given {
            directories,
            named: question.named,
            options: question.options,
            configuration: question.configuration,
            compile_commands: question.compile_commands,
        })
    }

    /// Runs the tool on a copy, and undoes what it did to the copy.
    fn run(&self, question: &ToolQuestion<'_>) -> Result<Answer> {
        let mut copy = match question.alone {
            None => self.copies.whole()?,
            Some(files) => {
                let files: Vec<PathBuf> =
                    files.iter().chain(question.configuration).map(PathBuf::from).collect();
                self.copies.of(files.iter())?
            }
        };
        let scratch = copy.make_scratch()?;
        // Times of files change when they are given to another user.
        self.runner.hand_over(&self.command(&self.found.program, &copy)).context("cannot run a tool")?;
        copy.remember()?;
        let (mut verdict, cost) = self.run_in(question, &copy, &scratch)?;
        let changes = copy.changes()?;
        let touched: Vec<&PathBuf> = changes.changed.iter().chain(&changes.removed).collect();
        if let (Some(first), Verdict::Claim(Claim::Report(report))) = (touched.first(), &mut verdict) {
            report.failures.push(changed_files(first, touched.len()));
        }
        if question.alone.is_none() && changes.are_none() && copy.clear_scratch() {
            self.copies.give_back(copy);
        }
        Ok(Answer { verdict, cost, output: Vec::new() })
    }

    fn run_in(
        &self,
        question: &ToolQuestion<'_>,
        copy: &WorkingCopy,
        scratch: &Path,
    ) -> Result<(Verdict, Cost)> {
        let (root, place) = (text_of(copy.path())?, text_of(scratch)?);
        let directories = Directories { root: &root, scratch: &place };
        let request = self.request(question, directories);
        for file in &request.files {
            write_scratch(&scratch.join(&file.name), file.text.as_bytes())?;
        }
        let (mut cost, mut ran, mut failed) = (Cost::default(), Vec::new(), Vec::new());
        for command in &request.commands {
            let Some(arguments) = command.arguments_without(&failed) else { continue };
            let asked = (command, arguments);
            let run = self.run_one(&request, asked, question.limits, (copy, &place), &mut cost)?;
            if run.ending != Ending::Exited(0) {
                failed.extend(command.file.as_deref());
            }
            let is_over = matches!(run.ending, Ending::Limit(_));
            ran.push((command, run));
            if is_over {
                break;
            }
        }
        let outcomes: Vec<Outcome<'_>> = ran.iter().map(|(command, run)| Outcome { command, run }).collect();
        let mut verdict = match request.commands.is_empty() {
            true => Verdict::Claim(Claim::Report(ProjectReport::default())),
            false => self.found.tool.read(directories, &outcomes),
        };
        if let Verdict::Claim(Claim::Report(report)) = &mut verdict {
            report.failures.extend(request.left_out.iter().map(|file| unnameable(file)));
        }
        Ok((verdict, cost))
    }

    /// Runs one command, with these arguments, within what is left of the limits.
    fn run_one(
        &self,
        request: &ToolRequest,
        (step, arguments): (&ToolCommand, Vec<String>),
        limits: Limits,
        (copy, scratch): (&WorkingCopy, &str),
        cost: &mut Cost,
    ) -> Result<Run> {
        let left = limits.wall_milliseconds.saturating_sub(cost.wall_microseconds / 1000);
        if left == 0 {
            return Ok(Run::new(Ending::Limit(LimitKind::Time), Vec::new(), Vec::new()));
        }
        let program = step.program.as_ref().map_or(self.found.program.clone(), PathBuf::from);
        let mut command = self.command(&program, copy);
        command.arguments = arguments.into_iter().map(OsString::from).collect();
        for (name, value) in &mut command.environment {
            if name == "HOME" || name == "TMPDIR" {
                *value = scratch.into();
            }
        }
        for (name, value) in &request.environment {
            command.environment.retain(|(known, _)| known.to_str() != Some(name));
            command.environment.push((name.into(), value.into()));
        }
        let limits = Limits { wall_milliseconds: left, ..limits };
        let outcome = self
            .runner
            .run(&command, &limits)
            .with_context(|| format!("cannot run {}", program.display()))?;
        *cost = cost.and(outcome.cost);
        let file = step.output.as_deref().and_then(|path| report_file(Path::new(path)));
        Ok(Run { file, ..run_of(outcome) })
    }
}

/// A report that a tool wrote into its directory; none if it is not a regular file there, or too large. The path had no link
/// when the tool was started.
fn report_file(path: &Path) -> Option<Vec<u8>> {
    let is_there = path.canonicalize().is_ok_and(|real| real == path);
    let is_file = is_there && fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    is_file.then(|| crate::read_given_file(path, LARGEST_REPORT).ok()).flatten()
}

/// Writes a file that a tool needs, as new as its folder.
fn write_scratch(path: &Path, text: &[u8]) -> Result<()> {
    let advice = || {
        format!("cannot write {}; make room there, or set TMPDIR to a directory with room", path.display())
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(advice)?;
    }
    fs::write(path, text).with_context(advice)
}

/// Paths of copies are text, unless the directory for temporary files has another name.
fn text_of(path: &Path) -> Result<String> {
    let canonical = path.canonicalize().with_context(|| format!("cannot find {}", path.display()))?;
    let text = canonical.to_str().map(str::to_owned);
    text.with_context(|| format!("{} is not UTF-8; set TMPDIR to another directory", path.display()))
}

fn changed_files(first: &Path, count: usize) -> FileFailure {
    let message = format!(
        "the tool changed {count} files of its copy, {} first; its results may be about the changed text",
        first.display()
    );
    FileFailure { file: None, message }
}

fn unnameable(file: &str) -> FileFailure {
    let message =
        "its name has control characters, with which it cannot be named on a command line".to_owned();
    FileFailure { file: Some(file.to_owned()), message }
}
