//! Analyzers that are part of juvenal: the reference engine for Datalog, and liars for SMT-LIB, C and Datalog.
//!
//! A liar is an honest analyzer with planted bugs. It demonstrates a hunt, and every technique is tested with it: the
//! technique must catch the lies that are in its reach and stay silent on the honest twin.

mod annotated;
mod assumption_lies;
mod c_liar;
mod datalog_engine;
mod datalog_lie;
mod lie;
mod operator_lies;
mod place_lies;
mod small_solver;
mod smt_liar;

pub use c_liar::{CLiar, CLie, LIAR_C};
pub use datalog_engine::{DatalogEngine, LIAR_DATALOG, REFERENCE_DATALOG};
pub use datalog_lie::DatalogLie;
pub use lie::Lie;
pub use smt_liar::{LIAR_SMT, SmtLiar};

use crate::description::Description;
use model::{AnalyzerInfo, Language};
use std::io::{self, BufRead, Write};
use std::sync::Arc;

/// The documentation of a built-in analyzer.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInPage {
    /// The name that users type.
    pub name: &'static str,
    /// The language of its inputs.
    pub language: Language,
    /// Its full name.
    pub title: &'static str,
    /// What it answers, in a few words.
    pub about: &'static str,
    /// Its manual page.
    pub manual: &'static str,
}

/// All built-in analyzers.
pub const BUILT_INS: [BuiltInPage; 4] = [
    BuiltInPage {
        name: LIAR_SMT,
        language: Language::SMT,
        title: "Built-in liar",
        about: "planted lies",
        manual: include_str!("built_in/liar-smt.md"),
    },
    BuiltInPage {
        name: LIAR_C,
        language: Language::C,
        title: "Built-in liar",
        about: "planted lies",
        manual: include_str!("built_in/liar-c.md"),
    },
    BuiltInPage {
        name: REFERENCE_DATALOG,
        language: Language::DATALOG,
        title: "Reference engine",
        about: "rows of Datalog programs, exactly",
        manual: include_str!("built_in/reference-datalog.md"),
    },
    BuiltInPage {
        name: LIAR_DATALOG,
        language: Language::DATALOG,
        title: "Built-in liar",
        about: "planted lies",
        manual: include_str!("built_in/liar-datalog.md"),
    },
];

/// Finds a built-in analyzer by its name.
pub fn built_in_page(name: &str) -> Option<&'static BuiltInPage> {
    BUILT_INS.iter().find(|page| page.name == name)
}

/// A built-in analyzer that needs no other program.
#[derive(Clone, Debug)]
pub enum BuiltIn {
    /// A solver.
    Smt(Arc<SmtLiar>),
    /// A Datalog engine.
    Datalog(Arc<DatalogEngine>),
}

impl BuiltIn {
    /// Finds a built-in analyzer by its name. An error says what is wrong with its configuration.
    pub fn find(name: &str, configuration: &[(String, String)]) -> Option<Result<BuiltIn, String>> {
        let datalog = |engine| BuiltIn::Datalog(Arc::new(engine));
        match name {
            LIAR_SMT => Some(SmtLiar::configured(configuration).map(|it| BuiltIn::Smt(Arc::new(it)))),
            REFERENCE_DATALOG => Some(DatalogEngine::reference(configuration).map(datalog)),
            LIAR_DATALOG => Some(DatalogEngine::liar(configuration).map(datalog)),
            _ => None,
        }
    }

    /// Returns what it declares to techniques.
    pub fn member(&self) -> AnalyzerInfo {
        match self {
            BuiltIn::Smt(liar) => liar.member(),
            BuiltIn::Datalog(engine) => engine.member(),
        }
    }

    /// Returns its description, in the form of those of external programs.
    pub fn description(&self) -> &Description {
        match self {
            BuiltIn::Smt(liar) => liar.description(),
            BuiltIn::Datalog(engine) => engine.description(),
        }
    }

    /// Runs it as a program that reads standard input and writes standard output; returns the exit code.
    pub fn run(&self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<i32> {
        match self {
            BuiltIn::Smt(liar) => liar.run(input, output),
            BuiltIn::Datalog(engine) => engine.run(input, output),
        }
    }
}
