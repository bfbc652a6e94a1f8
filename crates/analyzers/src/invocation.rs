//! Queries as arguments and text for the program.

use crate::built_in::CLiar;
use crate::c_role::CRole;
use crate::calling::FilledStep;
use crate::datalog_role::DatalogRole;
use crate::description::{Description, Driver, Echo, ModeCall};
use crate::placeholder::OwnTime;
use crate::request::{RunRequest, SessionRequest};
use descriptions::fill;
use model::{CInput, Language, Limits, Mode, Query, SmtInput, TextInput};

/// An analyzer as it was found and configured: everything needed to call it.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// Its description.
    pub description: &'a Description,
    /// What was found. With [`Driver::Python`] the arguments go to the runner.
    pub driver: Driver,
    /// The user's `key=value` configuration.
    pub configuration: &'a [(String, String)],
    /// What stands between juvenal and the program.
    pub wrapper: Wrapper<'a>,
}

/// What stands between juvenal and the program of an analyzer.
#[derive(Clone, Copy, Debug)]
pub enum Wrapper<'a> {
    /// Nothing: the program is called and its output is read as the description says.
    None,
    /// A BenchExec module, which calls the tool and reads its output. Only the module's word is read here.
    Module,
    /// A liar about C programs, which falsifies either the program or the verdict.
    Liar(&'a CLiar),
}

/// No more units than fit into the 32 bits that some solvers give them.
const MOST_UNITS: u64 = 4_000_000_000;

impl<'a> Invocation<'a> {
    /// An honest analyzer whose output is read by the rules of its description.
    pub fn new(
        description: &'a Description,
        driver: Driver,
        configuration: &'a [(String, String)],
    ) -> Invocation<'a> {
        Invocation { description, driver, configuration, wrapper: Wrapper::None }
    }

    /// The run of a script: in a process of its own, or in a session.
    pub(crate) fn smt_run(&self, query: &Query, script: &SmtInput) -> RunRequest<'a> {
        if query.mode == Mode::Process {
            let text = self.preamble(script) + &script.body;
            return self.process_run(Language::SMT, text, is_incremental(script), &query.limits);
        }
        let arguments = self.session_arguments(query.mode, &query.limits);
        let session = arguments.as_ref().map(|arguments| SessionRequest {
            name: self.session_name(query, script, arguments),
            opening: self.opening(script, query.mode),
        });
        RunRequest {
            steps: vec![FilledStep::own(arguments.unwrap_or_default())],
            stdin: self.session_text(script, query.mode).into_bytes(),
            session,
            ..RunRequest::default()
        }
    }

    /// The run of an input of another language than SMT-LIB, which the analyzer gets as it is.
    pub(crate) fn text_run(&self, query: &Query, input: &TextInput) -> RunRequest<'a> {
        self.process_run(input.language, input.text.to_string(), false, &query.limits)
    }

    /// A run in a process of its own. The input is in a file if the description says so, else on standard input.
    fn process_run(
        &self,
        language: Language,
        text: String,
        is_incremental: bool,
        limits: &Limits,
    ) -> RunRequest<'a> {
        let call = self.description.calls(self.driver).map(|calls| &calls.process);
        let (plain, incremental) =
            call.map_or((&[][..], &[][..]), |call| (&call.arguments, &call.incremental_arguments));
        let mut arguments = self.leading_arguments(limits);
        arguments.extend(self.time_arguments(limits));
        let name = format!("input.{}", language.endings().first().copied().unwrap_or_default());
        arguments.extend(plain.iter().map(|argument| fill(argument, &[("file", &name)])));
        if is_incremental {
            arguments.extend(incremental.iter().cloned());
        }
        let is_file = plain.iter().any(|argument| argument.contains("{file}"));
        let (stdin, file) =
            if is_file { (Vec::new(), Some((name, text.into_bytes()))) } else { (text.into_bytes(), None) };
        RunRequest { steps: vec![FilledStep::own(arguments)], file, stdin, ..RunRequest::default() }
    }

    /// The commands for a C program in this file.
    pub fn steps(
        &self,
        role: CRole<'_>,
        file: &str,
        program: &CInput,
        query: &Query,
        limits: &Limits,
    ) -> Vec<FilledStep> {
        role.commands(file, program, &query.options, &self.configuration_arguments(), limits)
    }

    /// The arguments for a Datalog program in this file.
    pub fn datalog_arguments(
        &self,
        role: &DatalogRole,
        query: &Query,
        file: &str,
        limits: &Limits,
    ) -> Vec<String> {
        role.arguments(file, &query.options, &self.configuration_arguments(), limits)
    }

    /// The arguments that open a session, if there are sessions of this mode.
    fn session_arguments(&self, mode: Mode, limits: &Limits) -> Option<Vec<String>> {
        let call = self.session_call(mode)?;
        let mut arguments = self.leading_arguments(limits);
        arguments.extend(call.arguments.iter().cloned());
        Some(arguments)
    }

    /// Queries with the same name can share a session. Arguments are fixed when a session opens; options can only be
    /// set at its start, and some survive `(reset)`; a logic survives `(pop 1)` but not `(reset)`.
    fn session_name(&self, query: &Query, script: &SmtInput, arguments: &[String]) -> String {
        let logic = if query.mode == Mode::Push { self.logic(script).unwrap_or("") } else { "" };
        let id = query.analyzer.as_str();
        format!("{id}\n{}\n{}\n{logic}\n{}", query.mode, arguments.join("\u{1f}"), script.options)
    }

    /// What a new session is sent first, once.
    fn opening(&self, script: &SmtInput, mode: Mode) -> String {
        if mode == Mode::Push { self.preamble(script) } else { String::new() }
    }

    /// What a session is sent for one script. The body must be balanced: no `(exit)`, and a `pop` for every `push`.
    fn session_text(&self, script: &SmtInput, mode: Mode) -> String {
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
        text
    }

    /// What a session is sent after each script, so that it prints a marker.
    pub fn echo(marker: &str) -> String {
        format!("(echo \"{marker}\")\n")
    }

    /// The line, without its newline, that shows that a script has been answered.
    pub fn marker_line(&self, marker: &str) -> String {
        match self.description.smt.as_ref().map(|smt| smt.output.echo) {
            Some(Echo::Quoted) => format!("\"{marker}\""),
            _ => marker.to_owned(),
        }
    }

    fn session_call(&self, mode: Mode) -> Option<&ModeCall> {
        if mode == Mode::Process { None } else { self.description.calls(self.driver)?.call(mode) }
    }

    /// The arguments of every mode: the deterministic limit first, so that the user's configuration overrides it.
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

    /// The arguments of the user's `key=value` configuration. A declared option means the same as where a technique
    /// draws it.
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
