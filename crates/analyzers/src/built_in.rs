//! Analyzers that are part of juvenal: a small honest solver and liars made from it, liars made from `exact-c`, and the
//! reference engine for Datalog with liars made from it.
//!
//! A liar shows what a hunt looks like, and every technique is tested against it: it must catch the lies that it
//! can catch, and stay silent on the honest twin.

mod annotated;
mod assumption_lies;
mod c_liar;
mod datalog_engine;
mod datalog_lie;
mod lie;
mod place_lies;
mod small_solver;
mod smt_liar;

pub use c_liar::{CLiar, CLie, LIAR_C};
pub use datalog_engine::{DatalogEngine, LIAR_DATALOG, REFERENCE_DATALOG};
pub use datalog_lie::DatalogLie;
pub use lie::Lie;
pub use smt_liar::{LIAR_SMT, SmtLiar};

use crate::description::Description;
use model::AnalyzerInfo;
use std::io::{self, BufRead, Write};

/// What users may know of a built-in analyzer.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInPage {
    /// The word that users type.
    pub name: &'static str,
    /// The language of its inputs.
    pub language: &'static str,
    /// Its name in full.
    pub title: &'static str,
    /// What it is asked, or what it says.
    pub about: &'static str,
    /// Its manual page.
    pub manual: &'static str,
}

/// All built-in analyzers.
pub const BUILT_INS: [BuiltInPage; 4] = [
    BuiltInPage {
        name: LIAR_SMT,
        language: "smt",
        title: "Built-in liar",
        about: "planted lies",
        manual: include_str!("built_in/liar-smt.md"),
    },
    BuiltInPage {
        name: LIAR_C,
        language: "c",
        title: "Built-in liar",
        about: "planted lies",
        manual: include_str!("built_in/liar-c.md"),
    },
    BuiltInPage {
        name: REFERENCE_DATALOG,
        language: "datalog",
        title: "Reference engine",
        about: "rows of Datalog programs, exactly",
        manual: include_str!("built_in/reference-datalog.md"),
    },
    BuiltInPage {
        name: LIAR_DATALOG,
        language: "datalog",
        title: "Built-in liar",
        about: "planted lies",
        manual: include_str!("built_in/liar-datalog.md"),
    },
];

/// The built-in analyzer of this name.
pub fn built_in_page(name: &str) -> Option<&'static BuiltInPage> {
    BUILT_INS.iter().find(|page| page.name == name)
}

/// A built-in analyzer that needs nothing else on the machine.
#[derive(Clone, Debug)]
pub enum BuiltIn {
    /// A solver.
    Smt(Box<SmtLiar>),
    /// A Datalog engine.
    Datalog(Box<DatalogEngine>),
}

impl BuiltIn {
    /// The built-in analyzer of this name, if there is one; an error if its configuration makes no sense.
    pub fn find(name: &str, configuration: &[(String, String)]) -> Option<Result<BuiltIn, String>> {
        let datalog = |engine| BuiltIn::Datalog(Box::new(engine));
        match name {
            LIAR_SMT => Some(SmtLiar::configured(configuration).map(|it| BuiltIn::Smt(Box::new(it)))),
            REFERENCE_DATALOG => Some(DatalogEngine::reference(configuration).map(datalog)),
            LIAR_DATALOG => Some(DatalogEngine::liar(configuration).map(datalog)),
            _ => None,
        }
    }

    /// What it declares to techniques.
    pub fn member(&self) -> AnalyzerInfo {
        match self {
            BuiltIn::Smt(liar) => liar.member(),
            BuiltIn::Datalog(engine) => engine.member(),
        }
    }

    /// Its description, as if it were a program outside.
    pub fn description(&self) -> &Description {
        match self {
            BuiltIn::Smt(liar) => liar.description(),
            BuiltIn::Datalog(engine) => engine.description(),
        }
    }

    /// Runs as a program: its input on standard input, answers on standard output. Returns the exit code.
    pub fn run(&self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<i32> {
        match self {
            BuiltIn::Smt(liar) => liar.run(input, output),
            BuiltIn::Datalog(engine) => engine.run(input, output),
        }
    }
}
