//! The built-in solver with planted bugs.

use super::{Lie, small_solver};
use crate::description::{Description, Driver, SmtRole};
use model::AnalyzerInfo;
use std::io::{self, BufRead, Write};

/// The name of the built-in solver.
pub const LIAR_SMT: &str = "liar-smt";

/// The lies of the liar without configuration. They never hang, and each is a separate bug.
const USUAL_LIES: [Lie; 3] = [Lie::Signed, Lie::Pop, Lie::NotIte];

/// The built-in solver with its lies.
#[derive(Clone, Debug)]
pub struct SmtLiar {
    description: Description,
    role: SmtRole,
    lies: Vec<Lie>,
    configuration: Vec<(String, String)>,
}

impl SmtLiar {
    /// Creates the solver with the configuration after `liar-smt:`.
    pub(super) fn configured(configuration: &[(String, String)]) -> Result<SmtLiar, String> {
        let mut lies = USUAL_LIES.to_vec();
        for (key, value) in configuration {
            lies = match (key.as_str(), value.as_str()) {
                ("lie", "none") => Vec::new(),
                ("lie", name) => vec![Lie::from_name(name).ok_or_else(|| {
                    format!("{LIAR_SMT} has no lie `{name}`; it has none, {}", Lie::names().join(", "))
                })?],
                _ => return Err(format!("{LIAR_SMT} has no key `{key}`; it has lie=NAME")),
            };
        }
        let description = Description::parse("liar-smt.toml", include_str!("liar-smt.toml"))
            .map_err(|error| error.to_string())?;
        let role = description.smt.clone().ok_or("the built-in solver has no section [smt]")?;
        Ok(SmtLiar { description, role, lies, configuration: configuration.to_vec() })
    }

    /// Returns true if it needs a separate process, because it crashes, hangs or floods.
    pub fn needs_process(&self) -> bool {
        self.lies.iter().any(|lie| lie.is_violent())
    }

    /// Returns what it prints for a script.
    pub fn answer(&self, script: &str) -> String {
        small_solver::answer(script, &self.lies)
    }

    /// Returns what it declares to techniques.
    pub fn member(&self) -> AnalyzerInfo {
        self.description.member(Driver::Program, env!("CARGO_PKG_VERSION"), &self.configuration)
    }

    /// Returns its description, in the form of those of external programs.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns how its output is read: by the same rules as that of real solvers.
    pub fn role(&self) -> &SmtRole {
        &self.role
    }

    /// Runs as a program: a script on standard input, answers on standard output. Returns the exit code.
    pub fn run(&self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<i32> {
        let mut script = String::new();
        input.read_to_string(&mut script)?;
        for lie in &self.lies {
            lie.misbehave(&script, output)?;
        }
        output.write_all(self.answer(&script).as_bytes())?;
        output.flush()?;
        Ok(if self.lies.contains(&Lie::ExitCode) { 20 } else { 0 })
    }
}
