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
    /// A text in a language whose inputs are nothing but text, such as Datalog.
    Text(TextInput),
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
            Input::Text(input) => Hash::of_parts([input.language.name().as_bytes(), input.text.as_bytes()]),
        }
    }

    /// Its language.
    pub fn language(&self) -> Language {
        match self {
            Input::Smt(_) => Language::SMT,
            Input::C(_) => Language::C,
            Input::Text(input) => input.language,
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
            Input::Text(input) => input.text.to_string(),
        }
    }

    /// The script, if the input is one.
    pub fn smt(&self) -> Option<&SmtInput> {
        match self {
            Input::Smt(script) => Some(script),
            Input::C(_) | Input::Text(_) => None,
        }
    }

    /// The C program, if the input is one.
    pub fn c(&self) -> Option<&CInput> {
        match self {
            Input::C(program) => Some(program),
            Input::Smt(_) | Input::Text(_) => None,
        }
    }

    /// The text, if the input is nothing but text in this language.
    pub fn text_in(&self, language: Language) -> Option<&str> {
        match self {
            Input::Text(input) if input.language == language => Some(&input.text),
            _ => None,
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

/// An input that is nothing but text. What the text means is up to the techniques of its language.
///
/// A Datalog program is stored as crate `datalog` prints it: in Soufflé's dialect, one statement per line. Each engine
/// gets it in its own dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextInput {
    /// The language of the text.
    pub language: Language,
    /// The text.
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
    /// True if a technique made the input, for which the user gave no seed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_generated: bool,
}

impl Seed {
    /// A text in a language, with the usual sizes of types.
    pub fn new(language: Language, name: &str, text: &str) -> Seed {
        let data_model = DataModel::default();
        Seed { name: name.into(), text: text.into(), language, data_model, is_generated: false }
    }

    /// An SMT-LIB script.
    pub fn smt(name: &str, text: &str) -> Seed {
        Seed::new(Language::SMT, name, text)
    }

    /// A Datalog program.
    pub fn datalog(name: &str, text: &str) -> Seed {
        Seed::new(Language::DATALOG, name, text)
    }

    /// A C program.
    pub fn c(name: &str, text: &str, data_model: DataModel) -> Seed {
        Seed { data_model, ..Seed::new(Language::C, name, text) }
    }

    /// The hash of everything that a walk can depend on.
    pub fn identity(&self) -> Hash {
        if !self.language.kind().has_data_models {
            return Hash::of(self.text.as_bytes());
        }
        // The empty part was the list of expected verdicts; it keeps the identity of seeds in older campaigns.
        Hash::of_parts([&[self.data_model as u8][..], self.text.as_bytes(), &[]])
    }
}
