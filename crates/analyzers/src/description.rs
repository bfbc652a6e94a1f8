//! The description of one analyzer, as its file states it.

use crate::calling::CommandOption;
use crate::datalog_role::DatalogRole;
use crate::reachability::ReachabilityRole;
use crate::roles::{Choices, ROLES};
use crate::tune::Tune;
use crate::warnings::WarningsRole;
use crate::{runner, validation};
use descriptions::{ANALYZER_READERS, DescriptionError, Pattern};
use model::{AnalyzerId, AnalyzerInfo, Approximation, Hash, Language, LimitKind, Mode, RoleInfo};
use serde::Deserialize;
use std::collections::BTreeSet;

/// One file of `analyzers/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Description {
    /// The word that users type.
    pub name: String,
    /// The name as its authors write it.
    pub title: String,
    /// What it is, in a sentence or two; its manual page begins with this.
    pub summary: String,
    /// The language of its inputs: `smt`, `c`, `datalog`, or a language that the program using juvenal's crates adds.
    pub language: Language,
    /// Analyzers of one family share code, so they are not independent judges of each other.
    pub family: String,
    /// Where to read about it.
    pub homepage: String,
    /// Where its bugs are reported.
    #[serde(default)]
    pub tracker: Option<String>,
    /// Facts for users, such as differences between versions.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The packages that contain it.
    pub install: Install,
    /// How to find it on a machine.
    pub find: Find,
    /// How to ask for its version.
    pub version: Version,
    /// How `key=value` on juvenal's command line becomes arguments.
    pub configuration: Configuration,
    /// Its use as an SMT solver.
    #[serde(default)]
    pub smt: Option<SmtRole>,
    /// Its use on C programs with checks.
    #[serde(default)]
    pub reachability: Option<ReachabilityRole>,
    /// Its use to report what its engine knows where it reaches a check.
    #[serde(default)]
    pub debug: Option<ReachabilityRole>,
    /// Its use as a bug finder.
    #[serde(default)]
    pub warnings: Option<WarningsRole>,
    /// Its use as a Datalog engine.
    #[serde(default)]
    pub datalog: Option<DatalogRole>,
    /// How it is driven if only its Python package is installed.
    #[serde(default)]
    pub python: Option<Python>,
    /// The same analyzer with other programs, each under a name of its own; for shipped descriptions only.
    #[serde(default)]
    pub variants: Vec<Variant>,
    #[serde(skip, default = "unread")]
    identity: Hash,
}

/// What a variant of a description replaces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// The word that users type.
    pub name: String,
    /// The name as its authors write it.
    pub title: String,
    /// What it is, in a sentence or two.
    pub summary: String,
    /// Where to read about it.
    pub homepage: String,
    /// The packages of Debian and Ubuntu.
    pub apt: Vec<String>,
    /// The programs to look for.
    pub programs: Vec<String>,
    /// The pattern of its version.
    pub version_pattern: Pattern,
}

/// Package names by package manager.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Install {
    /// Debian and Ubuntu.
    #[serde(default)]
    pub apt: Vec<String>,
    /// The Python package index.
    #[serde(default)]
    pub pip: Vec<String>,
    /// The Rust registry; after the first crate, those that must have the same version.
    #[serde(default)]
    pub crates: Vec<String>,
    /// Where to get it by hand, if no package manager has it.
    #[serde(default)]
    pub by_hand: Option<String>,
}

/// How an installed analyzer is recognized.
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
    /// Arguments with which the program prints the path of a file or a directory that belongs to it, such as a compiler
    /// proper or plugins. If it changes, recorded answers are not reused. Shared libraries
    /// need no mention.
    #[serde(default)]
    pub parts: Vec<Vec<String>>,
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

/// How to ask for the version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Version {
    /// Arguments for the program, or for the runner.
    pub arguments: Vec<String>,
    /// A pattern for the output; the capture `version` is the version.
    pub pattern: Pattern,
}

/// How `key=value` on juvenal's command line becomes arguments.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Configuration {
    /// The arguments for one choice, with the placeholders `{key}` and `{value}`.
    pub arguments: Vec<String>,
    /// Choices that neither run programs, nor load code, nor read or write files, in addition to the options that the
    /// description declares: `key` with numbers and truth values, `beginning*` for all such keys, or `key=value`. Every
    /// other choice must be named again when a campaign is continued, because a campaign directory is never trusted.
    #[serde(default)]
    pub harmless: Vec<String>,
}

/// An analyzer's use as an SMT solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SmtRole {
    /// What its answers mean.
    pub approximation: Approximation,
    /// The theories it supports.
    pub theories: Vec<String>,
    /// The logics it accepts by name; empty if it accepts any.
    #[serde(default)]
    pub logics: Vec<String>,
    /// The logic for scripts that name none, for solvers that require one.
    #[serde(default)]
    pub default_logic: Option<String>,
    /// True if `get-model` after `sat` is supported.
    pub models: bool,
    /// True if several checks with `push` and `pop` are supported.
    pub incremental: bool,
    /// True if `check-sat-assuming` is supported.
    pub assuming: bool,
    /// True if `:named` annotations are supported.
    pub named: bool,
    /// Tactics for `check-sat-using` that preserve satisfiability in both directions.
    #[serde(default)]
    pub tactics: Vec<String>,
    /// Options for `set-option` whose listed values are all sound.
    #[serde(default)]
    pub options: Vec<SoundOption>,
    /// Unsoundness by design, as its authors document it.
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
    /// How `juvenal tune` varies it.
    #[serde(default)]
    pub tune: Option<Tune>,
}

/// Unsoundness by design, with a reference.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Unsoundness {
    /// What is unsound.
    pub what: String,
    /// Where its authors document it.
    pub source: String,
}

/// The modes in which a solver can be driven; modes that are not listed are unsupported.
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
    /// The arguments. If one of them contains `{file}`, as in `--input={file}`, the script is in that file; otherwise it
    /// is standard input.
    pub arguments: Vec<String>,
    /// Further arguments for scripts with several checks or with `push`; for the mode `process` only.
    #[serde(default)]
    pub incremental_arguments: Vec<String>,
}

/// A limit that depends on the input alone, so a run ends at the same point on every machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resource {
    /// Arguments with the placeholder `{units}`.
    pub arguments: Vec<String>,
    /// The number of units for each second of the wall limit; low enough that this limit is reached first.
    pub units_per_second: u64,
}

/// The analyzer's own time limit, set slightly below the wall limit, in the mode `process`.
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
    /// Lines of standard output to ignore, such as warnings.
    #[serde(default)]
    pub ignored_lines: Vec<Pattern>,
    /// The meanings of exit codes other than 0. An unlisted code makes the output unreadable.
    #[serde(default)]
    pub exit_codes: Vec<ExitCode>,
    /// Texts by which the solver reports that it hit a limit; only complete answers take precedence.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Texts outside `(error ...)` by which the solver refuses the input; they take precedence over crashes.
    #[serde(default)]
    pub rejections: Vec<Pattern>,
    /// Texts by which the solver reports an internal failure.
    #[serde(default)]
    pub crashes: Vec<Crash>,
    /// Error messages after which later answers still count, because the failed command changed nothing.
    #[serde(default)]
    pub harmless_errors: Vec<Pattern>,
    /// Error messages in place of the answer to one check, read as `unknown`. Later answers still count.
    #[serde(default)]
    pub failed_checks: Vec<Pattern>,
    /// Refusals that are not findings.
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
    /// Not at all; sessions are impossible.
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
    /// The last answer is `sat`; other output contradicts it.
    Sat,
    /// The last answer is `unsat`; other output contradicts it.
    Unsat,
    /// An error message was printed; without one the output is unreadable.
    Error,
    /// An internal failure.
    Crash,
    /// The time limit was hit.
    Time,
    /// The memory limit was hit.
    Memory,
}

/// A text that reports a limit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limit {
    /// Which limit.
    pub kind: LimitKind,
    /// The text, in standard output or standard error.
    pub pattern: Pattern,
}

/// A text that reports an internal failure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Crash {
    /// The text, in standard output or standard error. The captures `what` and `place`, or else the whole match,
    /// identify the failure.
    pub pattern: Pattern,
}

/// How the Python package is driven, if that differs from the program.
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

/// The form in which an analyzer is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Driver {
    /// A program of its own.
    Program,
    /// A Python package, driven by a compiled-in runner.
    Python,
    /// A Rust crate; a compiled-in runner compiles programs against it.
    Crate,
}

impl Description {
    /// Parses a description; `file` is its name in error messages.
    pub fn parse(file: &str, text: &str) -> Result<Description, DescriptionError> {
        let mut description: Description = descriptions::parse(file, text, validation::check)?;
        description.identity = identity_of(&description, text, ANALYZER_READERS);
        Ok(description)
    }

    /// The description itself, followed by one description for each variant.
    pub fn with_variants(mut self) -> Vec<Description> {
        let variants = std::mem::take(&mut self.variants);
        let mut all = vec![self.clone()];
        all.extend(variants.into_iter().map(|variant| self.varied(variant)));
        all
    }

    fn varied(&self, variant: Variant) -> Description {
        let mut description = self.clone();
        description.identity = Hash::of_parts([&self.identity.0[..], variant.name.as_bytes()]);
        description.name = variant.name;
        description.title = variant.title;
        description.summary = variant.summary;
        description.homepage = variant.homepage;
        description.install.apt = variant.apt;
        description.find.programs = variant.programs;
        description.version.pattern = variant.version_pattern;
        description
    }

    /// The hash of everything that determines how this analyzer is called and read.
    pub fn identity(&self) -> Hash {
        self.identity
    }

    /// What techniques may know of this analyzer.
    pub fn member(&self, driver: Driver, version: &str, configuration: &[(String, String)]) -> AnalyzerInfo {
        AnalyzerInfo {
            id: AnalyzerId::new(&self.name, version, configuration),
            language: self.language,
            family: self.family.clone(),
            modes: self.modes(driver),
            roles: self.role_infos(&Choices { version, configuration }),
        }
    }

    fn role_infos(&self, choices: &Choices<'_>) -> Vec<RoleInfo> {
        let description = self.at_version(choices.version);
        ROLES.iter().filter_map(|kind| (kind.info)(&description, choices)).collect()
    }

    /// The programs other than the analyzer that its steps run, such as compilers, without those that earlier steps make.
    pub fn step_programs(&self) -> BTreeSet<&str> {
        let steps = ROLES.iter().flat_map(|kind| (kind.steps)(self));
        steps.filter_map(|step| step.program.as_deref()).filter(|name| !name.starts_with("./")).collect()
    }

    /// True if the analyzer itself runs confined, because it compiles programs or calls their code.
    pub fn is_confined(&self) -> bool {
        let mut steps = ROLES.iter().flat_map(|kind| (kind.steps)(self));
        self.datalog.is_some() || steps.any(|step| step.confined)
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

    /// The calls for a form of installation. Without calls for Python, those of the program are used.
    pub(crate) fn calls(&self, driver: Driver) -> Option<&Modes> {
        match (driver, &self.python) {
            (Driver::Python, Some(python)) => Some(&python.modes),
            _ => self.smt.as_ref().map(|smt| &smt.modes),
        }
    }

    /// The deterministic limit for a form of installation.
    pub(crate) fn resource(&self, driver: Driver) -> Option<&Resource> {
        match (driver, &self.python) {
            (Driver::Python, Some(python)) => python.resource.as_ref(),
            _ => self.smt.as_ref()?.resource.as_ref(),
        }
    }

    /// The solver's own time limit for a form of installation.
    pub(crate) fn time(&self, driver: Driver) -> Option<&TimeLimit> {
        match (driver, &self.python) {
            (Driver::Python, Some(python)) => python.time.as_ref(),
            _ => self.smt.as_ref()?.time.as_ref(),
        }
    }

    /// The version in the output of the version command.
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

/// The identity of a description before its text is hashed.
fn unread() -> Hash {
    Hash([0; 16])
}

/// Hashes the file, the runner and the source of everything that reads outputs.
fn identity_of(description: &Description, text: &str, readers: &str) -> Hash {
    let runner = description.runner_source().unwrap_or("");
    Hash::of_parts([text.as_bytes(), runner.as_bytes(), readers.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalogue;

    /// Otherwise outputs that an older reader read would keep their verdicts.
    #[test]
    fn another_text_and_other_code_are_other_readers() {
        let catalogue = Catalogue::shipped().unwrap();
        let description = &catalogue.descriptions()[0];
        let identity = |text, readers| identity_of(description, text, readers);
        let identities = [identity("a", "1"), identity("a", "2"), identity("b", "1"), identity("b", "2")];
        for (number, one) in identities.iter().enumerate() {
            assert!(!identities[..number].contains(one));
        }
        assert_eq!(identity("a", "1"), identities[0]);
    }
}
