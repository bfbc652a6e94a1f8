//! Preparing C programs: they are preprocessed if necessary, stripped of line markers, and checked by a compiler.
//!
//! Analyzers get the prepared text, so the lines that they report are lines of this text.

use super::SeedLoader;
use super::load_seed::LARGEST_SEED;
use super::seed_files::{SeedProblem, name_of};
use crate::door::{self, Trust};
use crate::run_directory::RunDirectory;
use anyhow::{Context, Result};
use model::{DataModel, LimitKind, Limits, one_line};
use process::{Ending, Outcome, RunError};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The compilers to try, in order.
const COMPILERS: [&str; 3] = ["gcc", "cc", "clang"];
/// The program as it was given.
const GIVEN: &str = "program.c";
/// The program as it is used.
const USED: &str = "used.c";
/// The language that every compiling analyzer uses, without warnings.
const LANGUAGE: [&str; 2] = ["-std=gnu17", "-w"];
/// Preprocessing must be reproducible, so the macros for the current time are fixed.
const SAME_TIME: [&str; 3] =
    ["-D__DATE__=\"Jan  1 1970\"", "-D__TIME__=\"00:00:00\"", "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\""];
/// A compiler's message is cut to this many characters.
const LONGEST_MESSAGE: usize = 300;

/// A C program as it was given.
pub(crate) struct Source<'a> {
    /// The name to show.
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
    /// The directory of its own headers.
    pub(crate) directory: Option<&'a Path>,
    pub(crate) data_model: DataModel,
}

/// The version line of the first C compiler on this machine, if there is one.
pub fn c_compiler() -> Result<Option<String>> {
    let (runner, directory) = (process::Runner::probe(), RunDirectory::create()?);
    let loader = SeedLoader::new(&runner, &directory);
    let outcome = loader.compile(&directory, &[], vec!["--version".into()], Limits::default())?;
    let first_line = |outcome: Outcome| {
        String::from_utf8_lossy(&outcome.stdout).lines().next().unwrap_or_default().to_owned()
    };
    Ok(outcome.map(first_line))
}

impl SeedLoader<'_> {
    /// The prepared text of a program, or the reason why it cannot be used.
    pub(super) fn prepare_c(&self, source: &Source<'_>) -> Result<Result<String, SeedProblem>> {
        let directory = RunDirectory::create_in(self.directory.path())?;
        directory.write(GIVEN, source.text.as_bytes())?;
        let used = if c::needs_preprocessor(source.text) {
            match self.preprocess(source, &directory)? {
                Ok(text) => Cow::Owned(text),
                Err(problem) => return Ok(Err(problem)),
            }
        } else {
            without_line_markers(source.text)
        };
        if used.trim().is_empty() {
            let detail = "nothing is left after preprocessing";
            return Ok(Err(SeedProblem::new("the seed is empty", source.path, detail)));
        }
        if used == source.text {
            return Ok(self.check(source, &directory, GIVEN)?.map_or(Ok(used.into_owned()), Err));
        }
        directory.write(USED, used.as_bytes())?;
        let Some(problem) = self.check(source, &directory, USED)? else { return Ok(Ok(used.into_owned())) };
        // The compiler's line numbers should be those of the user's own file.
        let problem = self.check(source, &directory, GIVEN)?.unwrap_or(problem);
        Ok(Err(problem))
    }

    fn preprocess(
        &self,
        source: &Source<'_>,
        directory: &RunDirectory,
    ) -> Result<Result<String, SeedProblem>> {
        let limits = Limits { output_kilobytes: LARGEST_SEED >> 10, ..Limits::default() };
        let mut arguments: Vec<OsString> =
            ["-E", "-P"].iter().chain(&SAME_TIME).map(OsString::from).collect();
        arguments.extend(target_arguments(source));
        arguments.push(GIVEN.into());
        let Some(outcome) = self.compile(directory, &headers(source), arguments, limits)? else {
            return Ok(Err(no_compiler(source)));
        };
        if let Some(problem) = problem_in(source, &outcome, &limits, "the seed cannot be preprocessed") {
            return Ok(Err(problem));
        }
        let problem = |error: std::string::FromUtf8Error| {
            SeedProblem::new("the seed is not UTF-8", source.path, error.utf8_error())
        };
        Ok(String::from_utf8(outcome.stdout).map_err(problem))
    }

    /// The compiler's objection to one of the two files, if any.
    fn check(
        &self,
        source: &Source<'_>,
        directory: &RunDirectory,
        file: &str,
    ) -> Result<Option<SeedProblem>> {
        let mut arguments: Vec<OsString> = vec!["-fsyntax-only".into(), "-fmax-errors=1".into()];
        arguments.extend(target_arguments(source));
        arguments.push(file.into());
        let limits = Limits::default();
        Ok(match self.compile(directory, &headers(source), arguments, limits)? {
            None => Some(no_compiler(source)),
            Some(outcome) => problem_in(source, &outcome, &limits, "the seed does not compile"),
        })
    }

    /// Runs the first compiler that is installed, which can read these directories; `None` if there is none.
    fn compile(
        &self,
        directory: &RunDirectory,
        headers: &[PathBuf],
        arguments: Vec<OsString>,
        limits: Limits,
    ) -> Result<Option<Outcome>> {
        for compiler in COMPILERS {
            let mut command = door::command(Trust::UnderTest(headers), compiler, directory.path());
            command.arguments = arguments.clone();
            match self.runner.run(&command, &limits) {
                Err(RunError::ProgramMissing { .. }) => {}
                outcome => return outcome.map(Some).context("cannot run the C compiler on a seed"),
            }
        }
        Ok(None)
    }
}

/// The arguments that preprocessing and checking share.
fn target_arguments(source: &Source<'_>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = LANGUAGE.iter().map(OsString::from).collect();
    if source.data_model == DataModel::Ilp32 {
        arguments.push("-m32".into());
    }
    if let Some(directory) = source.directory {
        arguments.push("-I".into());
        arguments.push(directory.into());
    }
    arguments
}

/// What the compiler reads beside the program.
fn headers(source: &Source<'_>) -> Vec<PathBuf> {
    source.directory.into_iter().map(Path::to_owned).collect()
}

fn no_compiler(source: &Source<'_>) -> SeedProblem {
    let detail = "install gcc or clang to check and preprocess C programs";
    SeedProblem::new("there is no C compiler", source.path, detail)
}

/// What went wrong in a run of the compiler, if anything.
fn problem_in(
    source: &Source<'_>,
    outcome: &Outcome,
    limits: &Limits,
    refused: &'static str,
) -> Option<SeedProblem> {
    let detail = match outcome.ending {
        Ending::Exited(0) => return None,
        Ending::Exited(_) => return Some(refusal(source, &outcome.stderr, refused)),
        Ending::Signaled(signal) => format!("killed by signal {signal}"),
        Ending::StillAlive => "it did not end".to_owned(),
        Ending::Limit(LimitKind::Time) => format!("more than {} s", limits.wall_milliseconds / 1000),
        Ending::Limit(LimitKind::Memory) => format!("more than {} MB of memory", limits.memory_megabytes),
        Ending::Limit(LimitKind::Output | LimitKind::Resource) => {
            format!("more than {} MB after preprocessing", limits.output_kilobytes >> 10)
        }
    };
    Some(SeedProblem::new("the compiler fails on the seed", source.path, detail))
}

/// The compiler's first message, with the file name that the user knows.
fn refusal(source: &Source<'_>, stderr: &[u8], refused: &'static str) -> SeedProblem {
    let printed = String::from_utf8_lossy(stderr);
    let message = printed.lines().find(|line| line.contains("error:")).or(printed.lines().next());
    let message = message.unwrap_or("the compiler printed no message");
    let (name, message) = match message.strip_prefix(GIVEN) {
        Some(rest) => (name_of(source.path), rest),
        None => match message.strip_prefix(USED) {
            Some(rest) => (format!("{} (preprocessed)", name_of(source.path)), rest),
            None => (format!("{}: ", name_of(source.path)), message),
        },
    };
    let is_missing = ["No such file", "file not found"].iter().any(|words| message.contains(words));
    let reason = if is_missing { "the seed includes a file that is missing" } else { refused };
    // The text of an #error may contain terminal control codes.
    SeedProblem { reason, detail: format!("{name}{}", one_line(message, LONGEST_MESSAGE)) }
}

/// The text without its `# 12 "file"` lines, which would make analyzers report lines of another file.
fn without_line_markers(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_line_marker) {
        return Cow::Borrowed(text);
    }
    // After a continued line, what looks like a marker is part of a literal.
    let mut is_continued = false;
    let is_kept = |line: &&str| {
        let is_marker = is_line_marker(line) && !is_continued;
        is_continued = line.trim_end_matches(['\r', '\n']).ends_with('\\');
        !is_marker
    };
    Cow::Owned(text.split_inclusive('\n').filter(is_kept).collect())
}

fn is_line_marker(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let rest = rest.trim_start();
    let number = rest.strip_prefix("line").map_or(rest, str::trim_start);
    number.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_markers_are_removed() {
        let check = |text: &str, expected: &str| assert_eq!(without_line_markers(text), expected);
        check("# 1 \"a.c\"\nint x;\n", "int x;\n");
        check("#line 7\n  # 12 \"é.h\" 3 4\nint x;", "int x;");
        check("#pragma pack(1)\n#lines\n#\n", "#pragma pack(1)\n#lines\n#\n");
        check("# 1 \"a.c\"\nchar *s = \"\\\n# 1 \\\n# 2\";\n", "char *s = \"\\\n# 1 \\\n# 2\";\n");
    }
}
