//! The description of one analyzer, as its file states it.

use crate::calling::CommandOption;
use crate::datalog_role::DatalogRole;
use crate::error::DescriptionError;
use crate::pattern::Pattern;
use crate::reachability::ReachabilityRole;
use crate::roles::{Choices, ROLES};
use crate::warnings::WarningsRole;
use crate::{runner, validation};
use model::{AnalyzerId, AnalyzerInfo, Approximation, Hash, Language, LimitKind, Mode, RoleInfo};
use serde::Deserialize;

/// One file of `analyzers/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Description {
    /// The word that users type.
    pub name: String,
    /// The name as its authors write it.
    pub title: String,
    /// What it is, in a sentence or two; the start of its manual page.
    pub summary: String,
    /// The language of its inputs.
    pub language: Language,
    /// Relatives share code, so they are not independent judges of each other.
    pub family: String,
    /// Where to read about it.
    pub homepage: String,
    /// Where its bugs are reported.
    #[serde(default)]
    pub tracker: Option<String>,
    /// Facts for people, such as what differs between versions.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Packages that hold it.
    pub install: Install,
    /// What to look for.
    pub find: Find,
    /// How to learn its version.
    pub version: Version,
    /// How `key=value` of the command line becomes arguments.
    pub configuration: Configuration,
    /// Its use as an SMT solver.
    #[serde(default)]
    pub smt: Option<SmtRole>,
    /// Its use on C programs with checks.
    #[serde(default)]
    pub reachability: Option<ReachabilityRole>,
    /// Its use to say what its engine knows where it comes to a check.
    #[serde(default)]
    pub debug: Option<ReachabilityRole>,
    /// Its use as a bug finder.
    #[serde(default)]
    pub warnings: Option<WarningsRole>,
    /// Its use as a Datalog engine.
    #[serde(default)]
    pub datalog: Option<DatalogRole>,
    /// How it is driven when only its Python package is here.
    #[serde(default)]
    pub python: Option<Python>,
    #[serde(skip, default = "unread")]
    identity: Hash,
}

/// Package names by package manager; empty where there is none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Install {
    /// Debian and Ubuntu.
    #[serde(default)]
    pub apt: Vec<String>,
    /// The Python package index.
    #[serde(default)]
    pub pip: Vec<String>,
    /// The registry of Rust; behind the first crate, those that must have the same version.
    #[serde(default)]
    pub crates: Vec<String>,
    /// Where to get it by hand, for those that no package manager has.
    #[serde(default)]
    pub by_hand: Option<String>,
}

/// What shows that the analyzer is here.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Find {
    /// Programs to look for on `PATH` or in a wheel's `bin` directory, best first.
    #[serde(default)]
    pub programs: Vec<String>,
    /// A Python module that can be driven instead.
    #[serde(default)]
    pub python: Option<PythonModule>,
    /// A Rust crate that programs are compiled with.
    #[serde(default, rename = "crate")]
    pub rust_crate: Option<String>,
}

/// A Python module and the compiled-in runner that drives it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PythonModule {
    /// The module to import.
    pub module: String,
    /// The runner's name in [`crate::RUNNERS`].
    pub runner: String,
}

/// How to learn the version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Version {
    /// Arguments for the program, or for the runner.
    pub arguments: Vec<String>,
    /// What to look for in its output; the capture `version` is the version.
    pub pattern: Pattern,
}

/// How `key=value` of the command line becomes arguments.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Configuration {
    /// The arguments for one choice, with the placeholders `{key}` and `{value}`.
    pub arguments: Vec<String>,
}

/// An analyzer's use as an SMT solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SmtRole {
    /// What its answers mean.
    pub approximation: Approximation,
    /// The theories it takes.
    pub theories: Vec<String>,
    /// The logics it knows by name; empty if it takes any.
    #[serde(default)]
    pub logics: Vec<String>,
    /// The logic to name where a script names none, for solvers that insist on one.
    #[serde(default)]
    pub default_logic: Option<String>,
    /// True if `get-model` after `sat` is understood.
    pub models: bool,
    /// True if several checks with `push` and `pop` are understood.
    pub incremental: bool,
    /// True if `check-sat-assuming` is understood.
    pub assuming: bool,
    /// True if `:named` annotations are understood.
    pub named: bool,
    /// Tactics for `check-sat-using` that preserve satisfiability in both directions.
    #[serde(default)]
    pub tactics: Vec<String>,
    /// Options for `set-option` whose listed values are all sound.
    #[serde(default)]
    pub options: Vec<SoundOption>,
    /// What the authors say is unsound on purpose.
    #[serde(default)]
    pub deliberate_unsoundness: Vec<Unsoundness>,
    /// How the program is called.
    pub modes: Modes,
    /// Its own deterministic limit.
    #[serde(default)]
    pub resource: Option<Resource>,
    /// Its own time limit.
    #[serde(default)]
    pub time: Option<TimeLimit>,
    /// How to read what it prints.
    pub output: Output,
}

/// An option with its sound values, as they are written in `set-option`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SoundOption {
    /// The name without the colon.
    pub name: String,
    /// The values.
    pub values: Vec<String>,
}

/// Something that is wrong on purpose, and who says so.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Unsoundness {
    /// What.
    pub what: String,
    /// Where the authors say so.
    pub source: String,
}

/// The ways an analyzer can be driven; a way that is missing does not work.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Modes {
    /// One process for each input.
    pub process: ModeCall,
    /// One process for many inputs, with `(reset)` before each.
    #[serde(default)]
    pub reset: Option<ModeCall>,
    /// One process for many inputs, each between `(push 1)` and `(pop 1)`.
    #[serde(default)]
    pub push: Option<ModeCall>,
}

impl Modes {
    /// The call for a mode, if the mode works.
    pub fn call(&self, mode: Mode) -> Option<&ModeCall> {
        match mode {
            Mode::Process => Some(&self.process),
            Mode::Reset => self.reset.as_ref(),
            Mode::Push => self.push.as_ref(),
        }
    }
}

/// How the program is called in one mode.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModeCall {
    /// The arguments. With `{file}` among them the script is a file, without it comes on standard input.
    pub arguments: Vec<String>,
    /// More arguments, after the others, for scripts with more than one check or with `push`; for the mode
    /// `process` only.
    #[serde(default)]
    pub incremental_arguments: Vec<String>,
}

/// A limit that depends on the input alone, so that a run ends at the same place on any machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resource {
    /// Arguments with the placeholder `{units}`.
    pub arguments: Vec<String>,
    /// How many units stand for a second of the wall limit; low enough that this limit comes first.
    pub units_per_second: u64,
}

/// The analyzer's own time limit, set a little below the wall limit, for one process per input.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TimeLimit {
    /// Arguments with the placeholder `{seconds}` or `{milliseconds}`.
    pub arguments: Vec<String>,
}

/// How to read what an SMT solver prints.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Output {
    /// How `(echo "x")` is printed.
    pub echo: Echo,
    /// Lines of standard output that say nothing, such as warnings.
    #[serde(default)]
    pub ignored_lines: Vec<Pattern>,
    /// What exit codes other than 0 mean. A code that is not listed makes the output unreadable.
    #[serde(default)]
    pub exit_codes: Vec<ExitCode>,
    /// Texts that say that a limit was hit; they win over everything but complete answers.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Texts, outside of `(error ...)`, that say that the input was refused; they win over crashes.
    #[serde(default)]
    pub rejections: Vec<Pattern>,
    /// Texts that say that the analyzer failed internally.
    #[serde(default)]
    pub crashes: Vec<Crash>,
    /// Error messages after which later answers still count, because the failed command changed nothing.
    #[serde(default)]
    pub harmless_errors: Vec<Pattern>,
    /// Error messages in the place of one check's answer, after which later answers still count: that check
    /// could not be tried, and nothing else was lost. They are read as `unknown`.
    #[serde(default)]
    pub failed_checks: Vec<Pattern>,
    /// Refusals that are no finding.
    #[serde(default)]
    pub expected_refusals: Vec<Pattern>,
}

/// How `(echo "x")` is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Echo {
    /// Without the quotation marks.
    Plain,
    /// With the quotation marks.
    Quoted,
    /// Not at all, so no session can be held.
    None,
}

/// What an exit code means.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExitCode {
    /// The code.
    pub code: i32,
    /// What it means.
    pub means: ExitMeaning,
}

/// The meanings of exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitMeaning {
    /// The last answer is `sat`; anything else printed contradicts it.
    Sat,
    /// The last answer is `unsat`; anything else printed contradicts it.
    Unsat,
    /// There was an error message; without one the output is unreadable.
    Error,
    /// An internal failure.
    Crash,
    /// The time limit was hit.
    Time,
    /// The memory limit was hit.
    Memory,
}

/// A text that says that a limit was hit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limit {
    /// Which limit.
    pub kind: LimitKind,
    /// The text, in standard output or standard error.
    pub pattern: Pattern,
}

/// A text that says that the analyzer failed internally.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Crash {
    /// The text, in standard output or standard error. The captures `what` and `place` identify the failure;
    /// without them the whole match does.
    pub pattern: Pattern,
}

/// How the Python package is driven, where that differs from the program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Python {
    /// How the runner is called.
    pub modes: Modes,
    /// Its own deterministic limit.
    #[serde(default)]
    pub resource: Option<Resource>,
    /// Its own time limit.
    #[serde(default)]
    pub time: Option<TimeLimit>,
}

/// What was found: a program or a Python package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Driver {
    /// A program of its own.
    Program,
    /// A Python package, driven by a compiled-in runner.
    Python,
    /// A Rust crate, which a compiled-in runner compiles programs with.
    Crate,
}

impl Description {
    /// Reads a description; `file` is its name as the user knows it.
    pub fn parse(file: &str, text: &str) -> Result<Description, DescriptionError> {
        let mut description: Description = toml::from_str(text).map_err(|error| {
            let position = error.span().map_or(0, |span| span.start);
            DescriptionError::at(file, text, position, error.message().to_owned())
        })?;
        validation::check(&description).map_err(|fault| {
            let position = text.find(&fault.near).unwrap_or(0);
            DescriptionError::at(file, text, position, fault.message)
        })?;
        description.identity = identity_of(&description, text);
        Ok(description)
    }

    /// The hash of everything that decides how this analyzer is called and read; part of the key of every answer.
    pub fn identity(&self) -> Hash {
        self.identity
    }

    /// What techniques may know of this analyzer.
    pub fn member(&self, driver: Driver, version: &str, configuration: &[(String, String)]) -> AnalyzerInfo {
        AnalyzerInfo {
            id: AnalyzerId::new(&self.name, version, configuration),
            family: self.family.clone(),
            modes: self.modes(driver),
            roles: self.role_infos(&Choices { version, configuration }),
        }
    }

    fn role_infos(&self, choices: &Choices<'_>) -> Vec<RoleInfo> {
        let description = self.at_version(choices.version);
        ROLES.iter().filter_map(|kind| (kind.info)(&description, choices)).collect()
    }

    /// The description without the steps and options that this version does not have.
    pub fn at_version(&self, version: &str) -> Description {
        let mut description = self.clone();
        ROLES.iter().for_each(|kind| (kind.restrict)(&mut description, version));
        description
    }

    /// The options of every role that are arguments of the command line.
    pub(crate) fn command_options(&self) -> impl Iterator<Item = &CommandOption> {
        ROLES.iter().flat_map(|kind| (kind.options)(self))
    }

    /// The modes that work.
    pub fn modes(&self, driver: Driver) -> Vec<Mode> {
        match self.calls(driver) {
            Some(calls) => Mode::ALL.into_iter().filter(|mode| calls.call(*mode).is_some()).collect(),
            None => vec![Mode::Process],
        }
    }

    /// The calls of a solver's driver. A description without Python calls uses the program's.
    pub(crate) fn calls(&self, driver: Driver) -> Option<&Modes> {
        match (driver, &self.python) {
            (Driver::Python, Some(python)) => Some(&python.modes),
            _ => self.smt.as_ref().map(|smt| &smt.modes),
        }
    }

    /// The deterministic limit of a solver's driver.
    pub(crate) fn resource(&self, driver: Driver) -> Option<&Resource> {
        match (driver, &self.python) {
            (Driver::Python, Some(python)) => python.resource.as_ref(),
            _ => self.smt.as_ref()?.resource.as_ref(),
        }
    }

    /// The own time limit of a solver's driver.
    pub(crate) fn time(&self, driver: Driver) -> Option<&TimeLimit> {
        match (driver, &self.python) {
            (Driver::Python, Some(python)) => python.time.as_ref(),
            _ => self.smt.as_ref()?.time.as_ref(),
        }
    }

    /// The version in what the version command printed.
    pub fn version_in(&self, output: &[u8]) -> Option<String> {
        let captures = self.version.pattern.captures(output)?;
        let version = captures.name("version")?;
        Some(String::from_utf8_lossy(version.as_bytes()).into_owned())
    }

    /// The source text of the runner that drives the Python package or the Rust crate.
    pub fn runner_source(&self) -> Option<&'static str> {
        let python = self.find.python.as_ref().map(|module| module.runner.as_str());
        let name = python.or(self.find.rust_crate.as_ref().map(|_| runner::OF_CRATES))?;
        runner::find(name).map(|runner| runner.source)
    }
}

/// The identity of a description that has not been read from a text.
fn unread() -> Hash {
    Hash([0; 16])
}

/// Hashes the file, the runner and the version of this crate, whose reader belongs to the meaning of an answer.
fn identity_of(description: &Description, text: &str) -> Hash {
    let runner = description.runner_source().unwrap_or("");
    Hash::of_parts([text.as_bytes(), runner.as_bytes(), env!("CARGO_PKG_VERSION").as_bytes()])
}
