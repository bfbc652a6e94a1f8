//! Finding analyzers: in juvenal's own directory, on the search path, or where the user says.

use crate::door::{self, Trust};
use crate::{Backend, LyingProgram, Program, Resolved, RunDirectory, Specification, read_given_file};
use analyzers::{
    BENCHEXEC, BuiltIn, CLiar, Catalogue, Description, Driver, LIAR_C, ROLES, benchexec_description,
    benchexec_module,
};
use anyhow::{Context, Result, bail};
use model::{Limits, compare_versions};
use std::cmp::Ordering;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Description files above this size are refused; real ones have some thousand bytes.
const LARGEST_DESCRIPTION: u64 = 1 << 20;

/// Finds analyzers and their versions.
pub struct Locator {
    catalogue: Catalogue,
    runner: process::Runner,
    directory: RunDirectory,
}

/// An analyzer on this machine.
#[derive(Clone)]
pub struct Found {
    /// The version that it printed.
    pub version: String,
    /// Where it is, in words.
    pub origin: String,
    pub(crate) program: Program,
}

/// Where juvenal keeps the analyzers that it installs.
pub fn analyzer_directory() -> PathBuf {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given("JUVENAL_ANALYZERS")
        .or_else(|| given("XDG_DATA_HOME").map(|data| data.join("juvenal/analyzers")))
        .or_else(|| given("HOME").map(|home| home.join(".local/share/juvenal/analyzers")))
        .unwrap_or_else(|| PathBuf::from("juvenal-analyzers"))
}

/// What may be wrong with a Datalog engine beyond that.
const CONFINED_HINT: &str = "; it runs confined, so all of its files must be in its own directory or outside of home \
                             directories";

impl Locator {
    /// A locator over the shipped descriptions and those that the user gives.
    pub fn new(catalogue: Catalogue) -> Result<Locator> {
        Ok(Locator { catalogue, runner: process::Runner::probe(), directory: RunDirectory::create()? })
    }

    /// The descriptions.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub(crate) fn runner(&self) -> &process::Runner {
        &self.runner
    }

    /// A directory for running programs that print their version.
    pub(crate) fn scratch(&self) -> &Path {
        self.directory.path()
    }

    /// The description of this name.
    pub fn description(&self, name: &str) -> Result<Arc<Description>> {
        if name == BENCHEXEC {
            return benchexec_description().map(Arc::new).map_err(anyhow::Error::msg);
        }
        self.catalogue.find(name).map(|description| Arc::new(description.clone())).map_err(anyhow::Error::msg)
    }

    /// Finds the analyzer that the user named after `--analyzer`.
    pub fn resolve(&self, specification: &Specification) -> Result<Resolved> {
        if let Some(built_in) = BuiltIn::find(&specification.name, &specification.configuration) {
            return built_in.map(built_in_analyzer).map_err(anyhow::Error::msg);
        }
        if specification.name == LIAR_C {
            return self.liar_c(specification);
        }
        if benchexec_module(&specification.name).is_some() && !specification.is_file() {
            Locator::refuse_risky_recipe(specification, |_, _| false)?;
            return self.resolve_tool(specification);
        }
        let description = if specification.is_file() {
            Arc::new(read_description(Path::new(&specification.name))?)
        } else {
            self.description(&specification.name)?
        };
        if let (Some((key, _)), []) =
            (specification.configuration.first(), description.configuration.arguments.as_slice())
        {
            bail!("{} has no option `{key}`", description.name);
        }
        Locator::refuse_risky_recipe(specification, |key, value| description.is_harmless(key, value))?;
        let found = self.choose(&description, specification)?;
        for kind in &ROLES {
            (kind.check_choices)(&description, &found.version, &specification.configuration)
                .map_err(anyhow::Error::msg)?;
        }
        Ok(self.finish(&description, found, &specification.configuration))
    }

    /// The built-in liar about C programs, which needs a compiler.
    fn liar_c(&self, specification: &Specification) -> Result<Resolved> {
        let liar = CLiar::configured(&specification.configuration).map_err(anyhow::Error::msg)?;
        let description = Arc::new(CLiar::description().map_err(anyhow::Error::msg)?);
        let found = self.choose(&description, specification)?;
        let backend = |program| Backend::CLiar(LyingProgram { program, liar });
        Ok(finish_as(&description, found, &specification.configuration, backend))
    }

    /// Every installed version of an analyzer, newest first.
    pub fn installed(&self, description: &Arc<Description>) -> Vec<Found> {
        self.search(description).0
    }

    /// Every installed version of an analyzer, newest first, and the problems with programs that are installed but do
    /// not print their version.
    pub fn search(&self, description: &Arc<Description>) -> (Vec<Found>, Vec<anyhow::Error>) {
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for (program, origin) in self.candidates(description) {
            match self.look(program, origin) {
                Ok(it) => found.push(it),
                Err(problem) => problems.push(problem),
            }
        }
        found.sort_by(|left, right| compare_versions(&right.version, &left.version));
        found.dedup_by(|later, earlier| later.version == earlier.version);
        (found, problems)
    }

    /// The analyzer that a found program and a configuration make.
    pub fn finish(
        &self,
        description: &Arc<Description>,
        found: Found,
        configuration: &[(String, String)],
    ) -> Resolved {
        finish_as(description, found, configuration, Backend::Program)
    }

    pub(crate) fn choose(
        &self,
        description: &Arc<Description>,
        specification: &Specification,
    ) -> Result<Found> {
        let name = &description.name;
        if let Some(path) = &specification.path {
            // Each run has its own working directory, so a relative path would point elsewhere.
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let origin = path.display().to_string();
            return self.look(Program::plain(description, path.into_os_string()), origin);
        }
        let (installed, problems) = self.search(description);
        if let (true, Some(problem)) = (installed.is_empty(), problems.into_iter().next()) {
            return Err(problem);
        }
        let Some(version) = &specification.version else {
            return installed
                .into_iter()
                .next()
                .with_context(|| format!("{name} is not installed; {}", hint(description, specification)));
        };
        let versions: Vec<String> = installed.iter().map(|found| found.version.clone()).collect();
        let exact = installed.iter().position(|found| same_version(&found.version, version));
        let place = exact.or_else(|| installed.iter().position(|found| begins_with(&found.version, version)));
        place.and_then(|place| installed.into_iter().nth(place)).with_context(|| {
            let here = if versions.is_empty() { "no version".to_owned() } else { versions.join(", ") };
            let hint = match description.install.pip.first().or(description.install.crates.first()) {
                Some(_) if !specification.is_file() => {
                    format!("try `juvenal analyzer install {name}@{version}`")
                }
                _ => format!("give its path with --analyzer {}=/path/to/{name}", specification.name),
            };
            format!("{name}@{version} is not installed ({here} found); {hint}")
        })
    }

    /// Every place where the analyzer might be: our own directory first, then the search path.
    fn candidates(&self, description: &Arc<Description>) -> Vec<(Program, String)> {
        let mut candidates = Vec::new();
        for directory in own_installs(&description.name) {
            candidates.extend(self.in_wheel(description, &directory));
        }
        for name in &description.find.programs {
            let path = if name.contains('/') { Some(PathBuf::from(name)) } else { on_search_path(name) };
            if let Some(path) = path.filter(|path| path.is_file()) {
                candidates.push((
                    Program::plain(description, path.clone().into_os_string()),
                    path.display().to_string(),
                ));
            }
        }
        candidates
    }

    /// A program in the wheel's `bin`, or its Python interface through our runner.
    fn in_wheel(&self, description: &Arc<Description>, directory: &Path) -> Option<(Program, String)> {
        let origin = directory.display().to_string();
        for name in description.find.programs.iter().filter(|name| !name.contains('/')) {
            let path = directory.join("bin").join(name);
            if path.is_file() {
                let mut program = Program::plain(description, path.into_os_string());
                // Some programs of wheels are scripts that import the package that they belong to.
                program.environment.push(("PYTHONPATH".into(), directory.as_os_str().to_owned()));
                program.package = Some(directory.to_owned());
                return Some((program, origin));
            }
        }
        let mut program = Program::plain(description, OsString::new());
        program.package = Some(directory.to_owned());
        if description.find.rust_crate.is_some() {
            let script = runner_in(description, directory, "juvenal-runner.sh")?;
            program.command = vec!["/bin/sh".into(), script.into_os_string(), self.rustc()?.into_os_string()];
            program.driver = Driver::Crate;
        } else {
            let script = runner_in(description, directory, "juvenal-runner.py")?;
            program.command = vec![self.python()?.into_os_string(), script.into_os_string()];
            program.environment = vec![("PYTHONPATH".into(), directory.as_os_str().to_owned())];
            program.driver = Driver::Python;
        }
        Some((program, origin))
    }

    /// The real compiler: rustup puts wrappers on the search path that need the user's environment.
    fn rustc(&self) -> Option<PathBuf> {
        let found = self.printed("rustc", &["--print", "sysroot"])?.join("bin/rustc");
        found.is_file().then_some(found)
    }

    /// The real interpreter: version managers put wrappers on the search path that need the user's environment.
    fn python(&self) -> Option<PathBuf> {
        let path = self.printed("python3", &["-c", "import sys; print(sys.executable)"])?;
        path.is_file().then_some(path)
    }

    /// The path that a program prints in the user's environment.
    fn printed(&self, program: &str, arguments: &[&str]) -> Option<PathBuf> {
        let wrapper = on_search_path(program)?;
        let mut command = door::command(Trust::Installed, wrapper, self.directory.path().to_owned());
        command.environment = std::env::vars_os().collect();
        command.arguments = arguments.iter().map(OsString::from).collect();
        let outcome = self.runner.run(&command, &Limits::default()).ok()?;
        Some(PathBuf::from(String::from_utf8(outcome.stdout).ok()?.trim()))
    }

    /// Runs a program to learn its version.
    fn look(&self, program: Program, origin: String) -> Result<Found> {
        let description = program.description.clone();
        let mut words = program.command.iter();
        let first = words.next().context("an analyzer without a program")?;
        let readable = program.readable();
        // An analyzer that cannot start confined is better found now than by its first query.
        let is_confined = description.is_confined();
        let trust = if is_confined { Trust::UnderTest(&readable) } else { Trust::Installed };
        let mut command = door::command(trust, first, self.directory.path().to_owned());
        command.arguments = words.cloned().collect();
        command.arguments.extend(description.version.arguments.iter().map(OsString::from));
        command.environment.extend(program.environment.iter().cloned());
        let outcome = self
            .runner
            .run(&command, &Limits::default())
            .with_context(|| format!("cannot run {} at {origin}", description.name))?;
        let printed = [outcome.stdout.as_slice(), outcome.stderr.as_slice()].concat();
        let Some(version) = description.version_in(&printed) else {
            bail!(
                "`{origin} {}` prints `{}`, which does not match the version pattern of {}; \
                 check the path, or [version] in the description{}",
                description.version.arguments.join(" "),
                String::from_utf8_lossy(&printed).lines().next().unwrap_or("").escape_debug(),
                description.name,
                if is_confined { CONFINED_HINT } else { "" }
            );
        };
        Ok(Found { version, origin, program })
    }
}

/// The analyzer that a found program and a configuration make, with this backend.
fn finish_as(
    description: &Description,
    found: Found,
    configuration: &[(String, String)],
    backend: impl FnOnce(Program) -> Backend,
) -> Resolved {
    let mut program = found.program;
    program.configuration = configuration.to_vec();
    // Some steps apply to some versions only.
    program.description = Arc::new(description.at_version(&found.version));
    let member = description.member(program.driver, &found.version, configuration);
    let reader_hash = description.identity();
    Resolved { member, origin: found.origin, reader_hash, backend: backend(program) }
}

impl Program {
    fn plain(description: &Arc<Description>, program: OsString) -> Program {
        Program {
            description: description.clone(),
            command: vec![program],
            configuration: Vec::new(),
            environment: Vec::new(),
            package: None,
            also_hashed: Vec::new(),
            driver: Driver::Program,
        }
    }
}

/// How to get an analyzer, in one sentence.
pub fn install_hint(description: &Description) -> String {
    let name = &description.name;
    let install = &description.install;
    match (install.pip.first().or(install.crates.first()), install.apt.first()) {
        (Some(_), _) => format!("try `juvenal analyzer install {name}`"),
        (None, Some(package)) => format!("try `apt-get install {package}`"),
        (None, None) => {
            let place = install.by_hand.as_ref().unwrap_or(&description.homepage);
            format!("get it from {place} and give its path with --analyzer {name}=PATH")
        }
    }
}

/// The same for a specification, which may name a description file that has no package.
fn hint(description: &Description, specification: &Specification) -> String {
    if !specification.is_file() {
        return install_hint(description);
    }
    let programs = description.find.programs.join(", ");
    format!("{programs} not found; give its path with --analyzer {}=/path/to/it", specification.name)
}

fn built_in_analyzer(built_in: BuiltIn) -> Resolved {
    Resolved {
        member: built_in.member(),
        origin: "built in".to_owned(),
        reader_hash: built_in.description().identity(),
        backend: Backend::BuiltIn(built_in),
    }
}

fn read_description(path: &Path) -> Result<Description> {
    let shown = path.display().to_string();
    let bytes = read_given_file(path, LARGEST_DESCRIPTION)
        .with_context(|| format!("cannot read the description {shown}"))?;
    let text = String::from_utf8(bytes)
        .with_context(|| format!("cannot read the description {shown}: it is not text in UTF-8"))?;
    let mut description = Description::parse(&shown, &text).map_err(anyhow::Error::msg)?;
    if let Some(variant) = description.variants.first() {
        bail!(
            "{shown}: variants are for shipped descriptions; write `{}` to a file of its own",
            variant.name
        );
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    for program in description.find.programs.iter_mut().filter(|program| program.contains('/')) {
        // A path in the file is relative to the file, wherever juvenal is started.
        let beside = std::path::absolute(folder.join(&*program))
            .with_context(|| format!("cannot make the path of {program} in {shown} absolute"))?;
        *program = beside.display().to_string();
    }
    Ok(description)
}

/// The runner in an installed package, updated to the one of this juvenal.
fn runner_in(description: &Description, directory: &Path, name: &str) -> Option<PathBuf> {
    let runner = description.runner_source()?;
    let script = directory.join(name);
    if fs::read(&script).ok().as_deref() != Some(runner.as_bytes()) {
        fs::write(&script, runner).ok()?;
    }
    Some(script)
}

/// The directories `NAME@VERSION` that juvenal installed.
fn own_installs(name: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(analyzer_directory()) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            file_name.split_once('@').is_some_and(|(before, _)| before == name)
        })
        .collect();
    found.sort();
    found
}

/// Where a program of this name is on the search path; the first of several.
pub fn on_search_path(name: &str) -> Option<PathBuf> {
    on_path(name, std::env::var_os("PATH")?)
}

/// Where a program of this name is in these directories.
pub(super) fn on_path(name: &str, path: OsString) -> Option<PathBuf> {
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|candidate| candidate.is_file())
}

/// 4.8.7 and 4.8.7.0 are the same version.
fn same_version(left: &str, right: &str) -> bool {
    compare_versions(left, right) == Ordering::Equal
}

/// 12.2.0 is a version 12, and a version 12.2.
fn begins_with(version: &str, first: &str) -> bool {
    version.strip_prefix(first).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_recognized() {
        assert!(same_version("4.8.7", "4.8.7.0"));
        assert!(!same_version("4.8.7", "4.8.70"));
        assert!(begins_with("12.2.0", "12") && begins_with("12.2.0", "12.2"));
        assert!(!begins_with("12.2.0", "1") && !begins_with("12.2.0", "12.2.0"));
    }
}
