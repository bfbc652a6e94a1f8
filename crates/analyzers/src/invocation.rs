//! Queries as arguments and text for the program.

use crate::description::{Description, Driver, Echo, ModeCall};
use crate::placeholder::{OwnTime, fill};
use model::{Limits, Mode, Query, SmtInput};

/// An analyzer as it was found and configured: everything needed to call it.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// Its description.
    pub description: &'a Description,
    /// What was found. With [`Driver::Python`] the arguments go to the runner.
    pub driver: Driver,
    /// The user's `key=value` choices.
    pub configuration: &'a [(String, String)],
}

/// One process for one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The arguments after the program's name, or after the runner's.
    pub arguments: Vec<String>,
    /// What to write to standard input before closing it.
    pub stdin: Vec<u8>,
    /// A file that must stand in the working directory: its name, which is among the arguments, and its bytes.
    pub file: Option<(String, Vec<u8>)>,
}

/// No more units than fit into the 32 bits that some solvers give them.
const MOST_UNITS: u64 = 4_000_000_000;

impl Invocation<'_> {
    /// The run of a script for a process of its own.
    pub fn run(&self, script: &SmtInput, limits: &Limits) -> Run {
        let call = self.description.calls(self.driver).map(|calls| &calls.process);
        let (plain, incremental) =
            call.map_or((&[][..], &[][..]), |call| (&call.arguments, &call.incremental_arguments));
        let name = "input.smt2".to_owned();
        let mut arguments = self.leading_arguments(limits);
        arguments.extend(self.time_arguments(limits));
        arguments.extend(plain.iter().map(|argument| fill(argument, &[("file", &name)])));
        if is_incremental(script) {
            arguments.extend(incremental.iter().cloned());
        }
        let text = (self.preamble(script) + &script.body).into_bytes();
        if plain.iter().any(|argument| argument.contains("{file}")) {
            return Run { arguments, stdin: Vec::new(), file: Some((name, text)) };
        }
        Run { arguments, stdin: text, file: None }
    }

    /// The arguments that open a session, if there are sessions of this mode.
    pub fn session_arguments(&self, mode: Mode, limits: &Limits) -> Option<Vec<String>> {
        let call = self.session_call(mode)?;
        let mut arguments = self.leading_arguments(limits);
        arguments.extend(call.arguments.iter().cloned());
        Some(arguments)
    }

    /// Queries with the same key can share a session. Arguments are fixed when a session opens; options can only be
    /// set at its start, and some survive `(reset)`; a logic survives `(pop 1)` but not `(reset)`.
    pub fn session_key(&self, query: &Query, script: &SmtInput) -> String {
        let arguments = self.session_arguments(query.mode, &query.limits).unwrap_or_default();
        let logic = if query.mode == Mode::Push { self.logic(script).unwrap_or("") } else { "" };
        let id = query.analyzer.as_str();
        format!("{id}\n{}\n{}\n{logic}\n{}", query.mode, arguments.join("\u{1f}"), script.options)
    }

    /// What a new session is told first, once.
    pub fn opening(&self, script: &SmtInput, mode: Mode) -> String {
        if mode == Mode::Push { self.preamble(script) } else { String::new() }
    }

    /// What a session is told for one script. The body must be balanced: no `(exit)`, and a `pop` for every `push`.
    pub fn request(&self, script: &SmtInput, mode: Mode, marker: &str) -> String {
        let mut text = match mode {
            Mode::Push => "(push 1)\n".to_owned(),
            Mode::Reset => "(reset)\n".to_owned() + &self.preamble(script),
            Mode::Process => self.preamble(script),
        };
        text.push_str(&script.body);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        if mode == Mode::Push {
            text.push_str("(pop 1)\n");
        }
        text + "(echo \"" + marker + "\")\n"
    }

    /// The line, without its newline, that shows that a request has been answered.
    pub fn marker_line(&self, marker: &str) -> String {
        match self.description.smt.as_ref().map(|smt| smt.output.echo) {
            Some(Echo::Quoted) => format!("\"{marker}\""),
            _ => marker.to_owned(),
        }
    }

    fn session_call(&self, mode: Mode) -> Option<&ModeCall> {
        if mode == Mode::Process { None } else { self.description.calls(self.driver)?.call(mode) }
    }

    /// The arguments of every mode: the deterministic limit first, so that the user's choices override it.
    fn leading_arguments(&self, limits: &Limits) -> Vec<String> {
        let mut arguments = Vec::new();
        if let Some(resource) = self.description.resource(self.driver) {
            let units = resource.units_per_second.saturating_mul(limits.wall_milliseconds) / 1000;
            let units = units.clamp(1, MOST_UNITS).to_string();
            arguments.extend(resource.arguments.iter().map(|argument| fill(argument, &[("units", &units)])));
        }
        arguments.extend(self.configuration_arguments());
        arguments
    }

    /// The arguments of the user's `key=value` choices. A declared option means the same as where it is drawn.
    pub fn configuration_arguments(&self) -> Vec<String> {
        let rules = &self.description.configuration.arguments;
        let filled = |(key, value): &(String, String)| -> Vec<String> {
            let mut options = self.description.command_options();
            match options.find(|option| option.name == *key && option.takes(value)) {
                Some(option) => option.filled(value),
                None => rules.iter().map(|rule| fill(rule, &[("key", key), ("value", value)])).collect(),
            }
        };
        self.configuration.iter().flat_map(filled).collect()
    }

    /// The analyzer's own time limit, a tenth below the wall limit, so that it can still say that it hit it.
    fn time_arguments(&self, limits: &Limits) -> Vec<String> {
        let Some(time) = self.description.time(self.driver) else { return Vec::new() };
        let own_time = OwnTime::below(limits, 10);
        time.arguments.iter().map(|argument| fill(argument, &own_time.values())).collect()
    }

    fn logic<'s>(&'s self, script: &'s SmtInput) -> Option<&'s str> {
        script.logic.as_deref().or(self.description.smt.as_ref()?.default_logic.as_deref())
    }

    /// The options and the logic.
    fn preamble(&self, script: &SmtInput) -> String {
        let mut text = script.options.to_string();
        if let Some(logic) = self.logic(script) {
            text.push_str("(set-logic ");
            text.push_str(logic);
            text.push_str(")\n");
        }
        text
    }
}

/// True if a solver that is not in incremental mode could refuse the script. A `(push` inside a string or a comment
/// counts too, which costs nothing but the mode.
fn is_incremental(script: &SmtInput) -> bool {
    script.checks > 1 || script.body.contains("(push") || script.body.contains("(pop")
}
