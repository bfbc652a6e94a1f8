//! An analyzer that was found on this machine, with everything a run of it needs.

use crate::ask::ToolInfo;
use crate::door::installation_of;
use analyzers::{BuiltIn, CLiar, Description, Driver, Invocation, Question, Wrapper};
use model::{AnalyzerInfo, Hash, Query};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An analyzer that can be asked on this machine.
#[derive(Clone)]
pub struct Resolved {
    /// What techniques may know about it.
    pub member: AnalyzerInfo,
    /// Where it was found, in words for `doctor`.
    pub origin: String,
    /// The hash of what reads its output: the description and juvenal's own version.
    pub reader_hash: Hash,
    /// How it is run.
    pub backend: Backend,
}

/// How an analyzer is run.
#[derive(Clone)]
pub enum Backend {
    /// As an external program, which is called and read as its description says.
    Program(Program),
    /// As an external program that a BenchExec module calls and reads.
    ToolInfo(Tool),
    /// As the built-in liar about C programs, which needs a compiler.
    CLiar(LyingProgram),
    /// Inside juvenal.
    BuiltIn(BuiltIn),
}

impl Backend {
    /// The description that renders queries and reads output.
    pub fn description(&self) -> &Description {
        match self {
            Backend::Program(program) => &program.description,
            Backend::ToolInfo(tool) => &tool.worker.description,
            Backend::CLiar(liar) => &liar.program.description,
            Backend::BuiltIn(built_in) => built_in.description(),
        }
    }

    /// A query as the analyzer is asked it.
    pub(crate) fn question<'a>(&'a self, query: &'a Query) -> Question<'a> {
        let wrapped = |program: &'a Program, wrapper| {
            Question::new(Invocation { wrapper, ..program.invocation() }, query)
        };
        match self {
            Backend::Program(program) => wrapped(program, Wrapper::None),
            Backend::ToolInfo(tool) => wrapped(&tool.worker, Wrapper::Module),
            Backend::CLiar(liar) => wrapped(&liar.program, Wrapper::Liar(&liar.liar)),
            Backend::BuiltIn(built_in) => Question::for_built_in(built_in, query),
        }
    }
}

/// A tool that is run through its BenchExec module.
#[derive(Clone)]
pub struct Tool {
    /// The process that hosts the module.
    pub worker: Program,
    /// The module, and where the tool is.
    pub info: ToolInfo,
}

/// The built-in liar about C programs.
#[derive(Clone)]
pub struct LyingProgram {
    /// The honest program.
    pub program: Program,
    /// What falsifies either the input or the verdict.
    pub liar: CLiar,
}

/// An external program, with what every run of it needs.
#[derive(Clone)]
pub struct Program {
    /// The description that renders queries and reads output.
    pub description: Arc<Description>,
    /// The program and the arguments that come before all others.
    pub command: Vec<OsString>,
    /// The configuration given after `--analyzer NAME:`.
    pub configuration: Vec<(String, String)>,
    /// Variables beyond the minimal environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The directory that juvenal installed it into, if it did.
    pub package: Option<PathBuf>,
    /// Files that belong to the program and tell one build from another.
    pub also_hashed: Vec<PathBuf>,
    /// Whether it is a stand-alone program, a Python package or a Rust crate.
    pub driver: Driver,
}

impl Program {
    /// How queries become arguments and text.
    pub(crate) fn invocation(&self) -> Invocation<'_> {
        Invocation::new(&self.description, self.driver, &self.configuration)
    }

    /// What it reads of its own when it is confined.
    pub(crate) fn readable(&self) -> Vec<PathBuf> {
        let words = self.command.iter().map(Path::new).filter(|word| word.is_file());
        words.flat_map(installation_of).chain(self.package.clone()).chain(self.also_hashed.clone()).collect()
    }
}
