//! What is given to an analyzer, as plain data.

use crate::{CInput, Hash};
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
}

impl Input {
    /// The hash under which answers to this input are kept.
    pub fn identity(&self) -> Hash {
        match self {
            Input::Smt(script) => Hash::of_parts([
                script.options.as_bytes(),
                script.logic.as_deref().unwrap_or("").as_bytes(),
                script.body.as_bytes(),
            ]),
            Input::C(program) => program.identity(),
        }
    }

    /// The ending of a file that holds this input.
    pub fn extension(&self) -> &'static str {
        match self {
            Input::Smt(_) => "smt2",
            Input::C(_) => "c",
        }
    }

    /// The input as one text, as a file of its own.
    pub fn text(&self) -> String {
        match self {
            Input::Smt(script) => script.text(),
            Input::C(program) => program.text(),
        }
    }

    /// The script, if the input is one.
    pub fn smt(&self) -> Option<&SmtInput> {
        match self {
            Input::Smt(script) => Some(script),
            Input::C(_) => None,
        }
    }

    /// The C program, if the input is one.
    pub fn c(&self) -> Option<&CInput> {
        match self {
            Input::C(program) => Some(program),
            Input::Smt(_) => None,
        }
    }
}

/// An SMT-LIB script in the three parts that a warm solver session must keep apart.
///
/// Options and logic can only be set at the start of a session, so sessions are keyed by them;
/// the body can be put between `(push 1)` and `(pop 1)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtInput {
    /// `set-option` commands, one a line, each line with its newline; often empty.
    pub options: Arc<str>,
    /// The argument of `set-logic`, if there is such a command.
    pub logic: Option<Arc<str>>,
    /// Declarations, assertions, checks and questions, to the last newline.
    pub body: Arc<str>,
    /// How many `check-sat`, `check-sat-assuming` and `check-sat-using` commands the body holds.
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

/// Where a case starts from: the text of one seed file, or of one input made from nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The file's name as the user knows it, for messages.
    pub name: Arc<str>,
    /// The file's text.
    pub text: Arc<str>,
}
