//! Running a tool on the files of a part.

use super::find_tool::{FoundTool, command};
use super::read_report::{Commands, read_report};
use super::tool_hash::{add_files_of_options, tool_hash};
use super::{WorkingCopies, WorkingCopy};
use crate::ask::run_of;
use crate::door::Trust;
use anyhow::{Context, Result};
use model::{
    Answer, Claim, Cost, Ending, FileFailure, Hash, LimitKind, Limits, PartHasher, Run, Transcript, Verdict,
};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use store::{AnswerLog, StoredAnswer};
use tools::{CompileCommands, Directories, Given, ToolCommand, ToolRequest};

/// The largest report file that is read.
const LARGEST_REPORT: u64 = 128 << 20;
/// A larger transcript is not recorded; a changed reader then runs the tool again.
const LARGEST_TRANSCRIPT: usize = 32 << 20;
/// Changes of what the key is made of get another number, so that old keys are not mistaken for new ones.
const KEY_FORMAT: &[u8] = b"tool 1";
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
    tool_hash: Hash,
}

/// Where an answer is recorded: a report holds under any limits.
struct AnswerKeys {
    under_any_limits: Hash,
    under_these_limits: Hash,
}

impl AnswerKeys {
    fn all(&self) -> [Hash; 2] {
        [self.under_any_limits, self.under_these_limits]
    }

    /// The key for a verdict; none if it is not recorded, because what is wrong with the configuration or the installation
    /// may be mended outside of what the key covers.
    fn of(&self, verdict: &Verdict) -> Option<Hash> {
        match verdict {
            Verdict::Claim(_) | Verdict::Crash(_) => Some(self.under_any_limits),
            Verdict::Limit(_) => Some(self.under_these_limits),
            Verdict::Unknown | Verdict::Rejected(_) | Verdict::Unreadable(_) => None,
        }
    }
}

impl<'a> ToolRunner<'a> {
    /// A runner of this tool.
    pub fn new(
        found: &'a FoundTool,
        copies: &'a WorkingCopies,
        rights: ToolRights,
    ) -> Result<ToolRunner<'a>> {
        process::remove_leftovers();
        let mut readable = found.installation();
        readable.extend(copies.packages());
        let runner = process::Runner::probe();
        let tool_hash = tool_hash(found, copies, &runner)?;
        Ok(ToolRunner { found, copies, rights, readable, runner, tool_hash })
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
    /// A recorded answer of another reader is read again from its transcript.
    ///
    /// # Errors
    ///
    /// Fails if juvenal was interrupted, or failed itself. What a tool does is a verdict.
    pub fn ask(&self, question: &ToolQuestion<'_>, log: &dyn AnswerLog) -> Result<(Answer, bool)> {
        let keys = self.keys(question)?;
        for (key, stored) in keys.all().into_iter().zip(log.get(&keys.all())?) {
            let Some(stored) = stored else { continue };
            if let Some(answer) = self.recall(question, &keys, (key, stored), log)? {
                return Ok((answer, true));
            }
        }
        let (answer, transcript) = self.run(question)?;
        let Some(key) = keys.of(&answer.verdict) else { return Ok((answer, false)) };
        let new = StoredAnswer { answer: answer.clone(), reader: self.found.tool.reader(), transcript };
        match log.put(&[(key, new.clone())])?.remove(&key) {
            // Another worker asked the same at the same time.
            Some(earlier) if earlier.reader == new.reader => Ok((earlier.answer, false)),
            // What is recorded could not be read again.
            Some(_) => log.replace(&[(key, new)]).map(|()| (answer, false)),
            None => Ok((answer, false)),
        }
    }

    /// A recorded answer as today's reader understands it; none if the tool must run again for that.
    fn recall(
        &self,
        question: &ToolQuestion<'_>,
        keys: &AnswerKeys,
        (key, stored): (Hash, StoredAnswer),
        log: &dyn AnswerLog,
    ) -> Result<Option<Answer>> {
        let reader = self.found.tool.reader();
        if stored.reader == reader {
            return Ok(Some(stored.answer));
        }
        let transcript = log.transcripts(&[key])?.pop().flatten();
        let verdict = transcript.and_then(|transcript| self.read_again(question, &transcript));
        let Some(verdict) = verdict else { return Ok(None) };
        let answer = Answer { verdict, ..stored.answer };
        match keys.of(&answer.verdict) {
            // A larger limit may give a report.
            Some(proper) if proper != key && key == keys.under_any_limits => return Ok(None),
            Some(_) => {
                log.replace(&[(key, StoredAnswer { answer: answer.clone(), reader, transcript: None })])?;
            }
            None => {}
        }
        Ok(Some(answer))
    }

    fn read_again(&self, question: &ToolQuestion<'_>, transcript: &Transcript) -> Option<Verdict> {
        let [root, scratch] = transcript.directories.as_ref()?;
        let directories = Directories { root, scratch };
        read_report(&self.found.tool, &self.request(question, directories), directories, &transcript.runs)
    }

    fn keys(&self, question: &ToolQuestion<'_>) -> Result<AnswerKeys> {
        let mut hasher = PartHasher::default();
        hasher.add(KEY_FORMAT);
        hasher.add(&self.tool_hash.0);
        hasher.add(&question.content.0);
        hasher.add(if question.alone.is_some() { b"isolated" } else { b"in place" });
        hasher.add(match self.rights {
            ToolRights::Confined => b"confined",
            ToolRights::OfUser => b"with the rights of the user",
        });
        hasher.add(&self.request(question, ANY_DIRECTORIES).hash().0);
        add_files_of_options(&mut hasher, question.options, self.copies.untouched())?;
        let under_any_limits = hasher.finish();
        let Limits { wall_milliseconds, memory_megabytes, output_kilobytes } = question.limits;
        let numbers = [wall_milliseconds, memory_megabytes, output_kilobytes].map(u64::to_le_bytes);
        let under_these_limits = Hash::of_parts([&under_any_limits.0[..], numbers.as_flattened()]);
        Ok(AnswerKeys { under_any_limits, under_these_limits })
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

    /// Runs the tool on a copy, and undoes what it did to the copy. The transcript is kept if it is all that the verdict
    /// follows from, and not too large.
    fn run(&self, question: &ToolQuestion<'_>) -> Result<(Answer, Option<Transcript>)> {
        let mut copy = match question.alone {
            None => self.copies.whole()?,
            Some(files) => {
                // A file may be both, such as `eslint.config.js`.
                let files: BTreeSet<PathBuf> =
                    files.iter().chain(question.configuration).map(PathBuf::from).collect();
                self.copies.of(files.iter())?
            }
        };
        let scratch = copy.make_scratch()?;
        // Times of files change when they are given to another user.
        self.runner.hand_over(&self.command(&self.found.program, &copy)).context("cannot run a tool")?;
        copy.remember()?;
        let [root, place] = [text_of(copy.path())?, text_of(&scratch)?];
        let directories = Directories { root: &root, scratch: &place };
        let request = self.request(question, directories);
        let (runs, cost) = self.runs(question, &request, &copy, &scratch)?;
        let verdict = read_report(&self.found.tool, &request, directories, &runs);
        let mut verdict = verdict.context("the runs of a tool do not fit its description")?;
        let changes = copy.changes()?;
        let touched: Vec<&PathBuf> = changes.changed.iter().chain(&changes.removed).collect();
        if let (Some(first), Verdict::Claim(Claim::Report(report))) = (touched.first(), &mut verdict) {
            report.failures.push(changed_files(first, touched.len()));
        }
        let is_whole = touched.is_empty() && size_of(&runs) <= LARGEST_TRANSCRIPT;
        if question.alone.is_none() && changes.are_none() && copy.clear_scratch() {
            self.copies.give_back(copy);
        }
        let transcript = Transcript { directories: Some([root, place]), ..Transcript::of(runs) };
        Ok((Answer { verdict, cost, output: Vec::new() }, is_whole.then_some(transcript)))
    }

    /// Runs the commands of a request.
    fn runs(
        &self,
        question: &ToolQuestion<'_>,
        request: &ToolRequest,
        copy: &WorkingCopy,
        scratch: &Path,
    ) -> Result<(Vec<Run>, Cost)> {
        for file in &request.files {
            write_scratch(&scratch.join(&file.name), file.text.as_bytes())?;
        }
        let place = text_of(scratch)?;
        let (mut cost, mut runs, mut commands) = (Cost::default(), Vec::new(), Commands::of(request));
        while let Some((command, arguments)) = commands.next() {
            let run =
                self.run_one(request, (command, arguments), question.limits, (copy, &place), &mut cost)?;
            commands.ended(command, run.ending);
            runs.push(run);
        }
        Ok((runs, cost))
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

fn size_of(runs: &[Run]) -> usize {
    let size = |run: &Run| run.stdout.len() + run.stderr.len() + run.file.as_ref().map_or(0, Vec::len);
    runs.iter().map(size).sum()
}
