//! Inputs of analyzers and seeds of cases, as plain data.

use crate::{CInput, DataModel, Hash, Language};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One input, in the language of the analyzers that take it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// An SMT-LIB script.
    Smt(SmtInput),
    /// A C program with checks and assumptions.
    C(CInput),
    /// A Datalog program.
    Datalog(DatalogInput),
}

impl Input {
    /// The hash that identifies this input.
    pub fn identity(&self) -> Hash {
        match self {
            Input::Smt(script) => Hash::of_parts([
                script.options.as_bytes(),
                script.logic.as_deref().unwrap_or("").as_bytes(),
                script.body.as_bytes(),
            ]),
            Input::C(program) => program.identity(),
            Input::Datalog(program) => Hash::of_parts([b"datalog", program.text.as_bytes()]),
        }
    }

    /// Its language.
    pub fn language(&self) -> Language {
        match self {
            Input::Smt(_) => Language::Smt,
            Input::C(_) => Language::C,
            Input::Datalog(_) => Language::Datalog,
        }
    }

    /// The ending of a file that holds this input.
    pub fn extension(&self) -> &'static str {
        self.language().endings().first().copied().unwrap_or_default()
    }

    /// The input as the text of one file.
    pub fn text(&self) -> String {
        match self {
            Input::Smt(script) => script.text(),
            Input::C(program) => program.text(),
            Input::Datalog(program) => program.text.to_string(),
        }
    }

    /// The script, if the input is one.
    pub fn smt(&self) -> Option<&SmtInput> {
        match self {
            Input::Smt(script) => Some(script),
            Input::C(_) | Input::Datalog(_) => None,
        }
    }

    /// The C program, if the input is one.
    pub fn c(&self) -> Option<&CInput> {
        match self {
            Input::C(program) => Some(program),
            Input::Smt(_) | Input::Datalog(_) => None,
        }
    }

    /// The Datalog program, if the input is one.
    pub fn datalog(&self) -> Option<&DatalogInput> {
        match self {
            Input::Datalog(program) => Some(program),
            Input::Smt(_) | Input::C(_) => None,
        }
    }
}

/// An SMT-LIB script in the three parts that a solver session treats differently.
///
/// Options and logic can only be set at the start of a session, so sessions are keyed by them;
/// the body can be put between `(push 1)` and `(pop 1)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtInput {
    /// `set-option` commands, one per line, each with its newline; often empty.
    pub options: Arc<str>,
    /// The argument of `set-logic`, if there is such a command.
    pub logic: Option<Arc<str>>,
    /// Declarations, assertions, checks and other commands, up to the last newline.
    pub body: Arc<str>,
    /// The number of `check-sat`, `check-sat-assuming` and `check-sat-using` commands in the body.
    pub checks: u32,
}

impl SmtInput {
    /// The whole script.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.options.len() + self.body.len() + 32);
        text.push_str(&self.options);
        if let Some(logic) = &self.logic {
            text.push_str("(set-logic ");
            text.push_str(logic);
            text.push_str(")\n");
        }
        text.push_str(&self.body);
        text
    }
}

/// A Datalog program. Each engine gets it in its own dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatalogInput {
    /// The program as crate `datalog` prints it: in Soufflé's dialect, one statement per line.
    pub text: Arc<str>,
}

/// What a case starts from: the text of a seed file, or a generated input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// The file's name as the user knows it, for messages.
    pub name: Arc<str>,
    /// The text as techniques get it: a C program is preprocessed and has no line markers.
    pub text: Arc<str>,
    /// The language of the text.
    pub language: Language,
    /// The sizes of the types of a C program.
    pub data_model: DataModel,
    /// What the author of a C program says of its properties; empty where nothing is said.
    pub expected: Vec<ExpectedVerdict>,
    /// True if a technique made the input, for which the user gave no seed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_generated: bool,
}

/// What the author of a verification task says of one property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedVerdict {
    /// The name of the property's file without its ending, such as `unreach-call`.
    pub property: String,
    /// Whether the property holds.
    pub holds: bool,
}

impl Seed {
    /// A script.
    pub fn smt(name: &str, text: &str) -> Seed {
        let (language, data_model) = (Language::Smt, DataModel::default());
        Seed {
            name: name.into(),
            text: text.into(),
            language,
            data_model,
            expected: Vec::new(),
            is_generated: false,
        }
    }

    /// A Datalog program.
    pub fn datalog(name: &str, text: &str) -> Seed {
        Seed { language: Language::Datalog, ..Seed::smt(name, text) }
    }

    /// A program of whose properties nothing is known.
    pub fn c(name: &str, text: &str, data_model: DataModel) -> Seed {
        Seed { data_model, language: Language::C, ..Seed::smt(name, text) }
    }

    /// The hash of everything that a walk can depend on.
    pub fn identity(&self) -> Hash {
        match self.language {
            Language::Smt | Language::Datalog => Hash::of(self.text.as_bytes()),
            Language::C => {
                let verdicts: Vec<u8> = self.expected.iter().map(|it| u8::from(it.holds)).collect();
                let properties = self.expected.iter().map(|it| it.property.as_bytes());
                let model = [self.data_model as u8];
                Hash::of_parts([&model, self.text.as_bytes(), &verdicts].into_iter().chain(properties))
            }
        }
    }
}
