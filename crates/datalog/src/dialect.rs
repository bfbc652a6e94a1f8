//! The languages of engines: rendering programs for an engine and reading the rows that it prints.
//!
//! If a dialect lacks a feature, the program is rewritten without changing its rows, or [`Dialect::render`] returns an
//! error. Reading is strict: an output relation that the engine does not print is an error, never an empty result.

mod abilities;
mod ascent;
mod clingo;
mod cozo;
mod crepe;
mod ddlog;
mod egglog;
mod flix;
mod formulog;
mod logica;
mod muz;
mod muz_datalog;
mod nemo;
mod order;
mod pydatalog;
mod python;
mod rewrite;
mod rows;
mod rust;
mod scallop;
mod souffle;
mod swi_prolog;
mod syntax;
mod unique_names;

use crate::program::{Program, RelationId, Tuple};
use std::collections::{BTreeMap, BTreeSet};

/// The language of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Soufflé, run as `souffle -D- FILE`.
    Souffle,
    /// z3's engine for fixed points with SMT-LIB rules, run as `z3 FILE`.
    Muz,
    /// The same engine with its own syntax, run as `z3 FILE`. z3 4.13.4 and later cannot read such files.
    MuzDatalog,
    /// clingo, run as `clingo FILE 0 -V0`.
    Clingo,
    /// SWI-Prolog, run as `swipl FILE`.
    SwiProlog,
    /// CozoDB, as a Python script.
    Cozo,
    /// Nemo, as a Python script.
    Nemo,
    /// pyDatalog, as a Python script.
    PyDatalog,
    /// Logica, as a Python script.
    Logica,
    /// egglog, as a Python script.
    Egglog,
    /// Ascent, as a Rust file.
    Ascent,
    /// Crepe, as a Rust file.
    Crepe,
    /// Differential Datalog, compiled, with [`Dialect::input`] on standard input.
    Ddlog,
    /// Flix, as a source file of a project.
    Flix,
    /// Formulog, run as `java -jar formulog.jar FILE --dump-idb`.
    Formulog,
    /// Scallop, run as `scli FILE`.
    Scallop,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 16] = [
        Dialect::Souffle,
        Dialect::Muz,
        Dialect::MuzDatalog,
        Dialect::Clingo,
        Dialect::SwiProlog,
        Dialect::Cozo,
        Dialect::Nemo,
        Dialect::PyDatalog,
        Dialect::Logica,
        Dialect::Egglog,
        Dialect::Ascent,
        Dialect::Crepe,
        Dialect::Ddlog,
        Dialect::Flix,
        Dialect::Formulog,
        Dialect::Scallop,
    ];

    /// Returns the name used in analyzer descriptions, such as `muz-datalog`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Souffle => "souffle",
            Dialect::Muz => "muz",
            Dialect::MuzDatalog => "muz-datalog",
            Dialect::Clingo => "clingo",
            Dialect::SwiProlog => "swi-prolog",
            Dialect::Cozo => "cozo",
            Dialect::Nemo => "nemo",
            Dialect::PyDatalog => "pydatalog",
            Dialect::Logica => "logica",
            Dialect::Egglog => "egglog",
            Dialect::Ascent => "ascent",
            Dialect::Crepe => "crepe",
            Dialect::Ddlog => "ddlog",
            Dialect::Flix => "flix",
            Dialect::Formulog => "formulog",
            Dialect::Scallop => "scallop",
        }
    }

    /// Finds a dialect by its name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Returns the file extension without the dot. z3 chooses between its two dialects by extension.
    pub fn extension(self) -> &'static str {
        match self {
            Dialect::Souffle | Dialect::Ddlog => "dl",
            Dialect::Muz => "smt2",
            Dialect::MuzDatalog => "datalog",
            Dialect::Clingo => "lp",
            Dialect::SwiProlog => "pl",
            Dialect::Cozo | Dialect::Nemo | Dialect::PyDatalog | Dialect::Logica | Dialect::Egglog => "py",
            Dialect::Ascent | Dialect::Crepe => "rs",
            Dialect::Flix => "flix",
            Dialect::Formulog => "flg",
            Dialect::Scallop => "scl",
        }
    }

    /// Renders a complete file for the engine that prints every output relation.
    ///
    /// [`crate::check`] must accept the program. An error says which feature the dialect lacks. A Python script must not
    /// have the name of the module that it imports, or it would import itself.
    pub fn render(self, program: &Program) -> Result<String, String> {
        match self {
            Dialect::Souffle => souffle::render(program),
            Dialect::Muz => muz::render(program),
            Dialect::MuzDatalog => muz_datalog::render(program),
            Dialect::Clingo => clingo::render(program),
            Dialect::SwiProlog => swi_prolog::render(program),
            Dialect::Cozo => cozo::render(program),
            Dialect::Nemo => nemo::render(program),
            Dialect::PyDatalog => pydatalog::render(program),
            Dialect::Logica => logica::render(program),
            Dialect::Egglog => egglog::render(program),
            Dialect::Ascent => rust::file_of_one(program, ascent::module),
            Dialect::Crepe => rust::file_of_one(program, crepe::module),
            Dialect::Ddlog => ddlog::render(program),
            Dialect::Flix => flix::render(program),
            Dialect::Formulog => formulog::render(program),
            Dialect::Scallop => scallop::render(program),
        }
    }

    /// Reads the rows of each output relation from the engine's standard output.
    pub fn read(
        self,
        program: &Program,
        output: &[u8],
    ) -> Result<BTreeMap<RelationId, BTreeSet<Tuple>>, String> {
        match self {
            Dialect::Souffle => souffle::read(program, output),
            Dialect::Muz => muz::read(program, output),
            Dialect::MuzDatalog => muz_datalog::read(program, output),
            Dialect::Clingo => clingo::read(program, output),
            Dialect::SwiProlog => swi_prolog::read(program, output),
            Dialect::Cozo => cozo::read(program, output),
            Dialect::Nemo => nemo::read(program, output),
            Dialect::PyDatalog => pydatalog::read(program, output),
            Dialect::Logica => logica::read(program, output),
            Dialect::Egglog => egglog::read(program, output),
            Dialect::Ascent => ascent::read(program, output),
            Dialect::Crepe => crepe::read(program, output),
            Dialect::Ddlog => ddlog::read(program, output),
            Dialect::Flix => flix::read(program, output),
            Dialect::Formulog => formulog::read(program, output),
            Dialect::Scallop => scallop::read(program, output),
        }
    }

    /// Returns the standard input of the engine, if it needs any.
    pub fn input(self, program: &Program) -> Option<String> {
        (self == Dialect::Ddlog).then(|| ddlog::commands(program))
    }

    /// Renders one file for several programs, for compiled dialects: starting the compiler takes most of the time.
    pub fn render_many(self, programs: &[&Program]) -> Result<String, String> {
        match self {
            Dialect::Ascent => rust::file_of_many(programs, ascent::module),
            Dialect::Crepe => rust::file_of_many(programs, crepe::module),
            _ => Err(format!("a file for {} can hold only one program", self.name())),
        }
    }

    /// What each program of a file from [`Dialect::render_many`] would have printed alone, in the same order.
    pub fn split_output(self, programs: usize, output: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let parts = rust::split_output(rows::text_of(output)?, programs)?;
        Ok(parts.into_iter().map(|part| part.as_bytes().to_vec()).collect())
    }

    /// Reads the output of a file from [`Dialect::render_many`], program by program.
    pub fn read_many(
        self,
        programs: &[&Program],
        output: &[u8],
    ) -> Result<Vec<BTreeMap<RelationId, BTreeSet<Tuple>>>, String> {
        let parts = self.split_output(programs.len(), output)?;
        programs.iter().zip(parts).map(|(program, part)| self.read(program, &part)).collect()
    }
}
