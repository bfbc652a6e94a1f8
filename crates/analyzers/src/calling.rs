//! How analyzers of C programs are called in every role: the steps of a run and their arguments.

use crate::placeholder::{OwnTime, fill_arguments};
use crate::tune::Tune;
use crate::version::Versioned;
use descriptions::fill;
use model::{CInput, DataModel, Limits};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The name of the program under test in the directory of its run.
pub const PROGRAM_FILE: &str = "program.c";

/// One command of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// A program other than the analyzer itself, such as a compiler.
    #[serde(default)]
    pub program: Option<String>,
    /// Its arguments. `{file}` is the program under test, `{options}` the options and the data model, `{milliseconds}`
    /// and `{seconds}` the available time, `{checks}` one more than the greatest check.
    pub arguments: Vec<String>,
    /// True if it does not depend on the program under test: it runs once for each choice of options and data model,
    /// and every run gets copies of the files that it creates.
    #[serde(default)]
    pub once: bool,
    /// True if the analyzer itself calls code of the program under test, as symbolic executors do. It runs confined, as
    /// compilers always do.
    #[serde(default)]
    pub confined: bool,
    /// The first version that has it.
    #[serde(default)]
    pub since: Option<String>,
    /// The first version that no longer has it.
    #[serde(default)]
    pub until: Option<String>,
}

impl Step {
    /// Removes the bounds once the version is known to satisfy them.
    pub(crate) fn settle(&mut self) {
        (self.since, self.until) = (None, None);
    }
}

impl Versioned for Step {
    fn bounds(&self) -> (Option<&str>, Option<&str>) {
        (self.since.as_deref(), self.until.as_deref())
    }
}

/// An option of the command line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandOption {
    /// The name; users choose it with `--analyzer NAME:OPTION=VALUE`.
    pub name: String,
    /// The arguments for one value, with the placeholder `{value}`.
    pub arguments: Vec<String>,
    /// The values.
    pub values: Vec<String>,
    /// False if these values can make the analyzer miss executions. They are never drawn, and if the user chooses one,
    /// what the analyzer excludes is not binding.
    #[serde(default = "yes")]
    pub sound: bool,
    /// True if each value is meant to settle at least the checks that the previous one settles.
    #[serde(default)]
    pub ordered: bool,
    /// How `juvenal tune` varies it.
    #[serde(default)]
    pub tune: Option<Tune>,
    /// The first version that has it.
    #[serde(default)]
    pub since: Option<String>,
    /// The first version that no longer has it.
    #[serde(default)]
    pub until: Option<String>,
}

impl Versioned for CommandOption {
    fn bounds(&self) -> (Option<&str>, Option<&str>) {
        (self.since.as_deref(), self.until.as_deref())
    }
}

/// Options are sound unless declared otherwise.
fn yes() -> bool {
    true
}

impl CommandOption {
    /// The arguments for one value.
    pub(crate) fn filled(&self, value: &str) -> Vec<String> {
        self.arguments.iter().map(|argument| fill(argument, &[("value", value)])).collect()
    }

    /// True if the description names the value, as one to draw or as one to tune.
    pub(crate) fn declares(&self, value: &str) -> bool {
        let is_tuned = self.tune.as_ref().is_some_and(|tune| tune.takes(value, &self.values));
        is_tuned || self.values.iter().any(|known| known == value)
    }

    /// True if the value is listed, or if the arguments take any value.
    pub(crate) fn takes(&self, value: &str) -> bool {
        let listed = self.values.iter().any(|known| known == value);
        listed || self.arguments.iter().any(|argument| argument.contains("{value}"))
    }
}

/// One command of a run, with its placeholders filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledStep {
    /// A program other than the analyzer itself.
    pub program: Option<String>,
    /// The arguments.
    pub arguments: Vec<String>,
    /// True if the files that it creates serve every run with the same options and data model.
    pub once: bool,
    /// True if the analyzer calls code of the program under test.
    pub confined: bool,
}

impl FilledStep {
    /// A step that runs the analyzer itself.
    pub(crate) fn own(arguments: Vec<String>) -> FilledStep {
        FilledStep { program: None, arguments, once: false, confined: false }
    }
}

/// The part of a section that declares how the analyzer is called.
#[derive(Clone, Copy)]
pub(crate) struct Calling<'a> {
    pub(crate) data_models: &'a BTreeMap<DataModel, Vec<String>>,
    pub(crate) steps: &'a [Step],
    pub(crate) options: &'a [CommandOption],
}

impl Calling<'_> {
    /// The commands for a program in this file. `options` are among those declared, `configuration` holds the
    /// arguments of the user's own choices.
    pub(crate) fn commands(
        &self,
        file: &str,
        program: &CInput,
        options: &[(String, String)],
        configuration: &[String],
        limits: &Limits,
    ) -> Vec<FilledStep> {
        let mut chosen = self.option_arguments(program.data_model, options);
        chosen.extend_from_slice(configuration);
        let checks = program.checks().max().map_or(0, |greatest| greatest + 1).to_string();
        // Earlier steps, such as compiling, take their share of the time.
        let steps: Vec<&Step> = self.steps.iter().filter(|step| step.since.is_none()).collect();
        let time = OwnTime::below(limits, if steps.len() > 1 { 2 } else { 10 });
        let [milliseconds, seconds] = time.values();
        let values = [("file", file), ("checks", checks.as_str()), milliseconds, seconds];
        let filled = |step: &Step| FilledStep {
            program: step.program.clone(),
            arguments: fill_arguments(&step.arguments, &values, &chosen),
            once: step.once,
            confined: step.confined,
        };
        steps.into_iter().map(filled).collect()
    }

    fn option_arguments(&self, data_model: DataModel, options: &[(String, String)]) -> Vec<String> {
        let mut arguments = self.data_models.get(&data_model).cloned().unwrap_or_default();
        for (name, value) in options {
            let known = self.options.iter().find(|option| option.name == *name);
            arguments.extend(known.into_iter().flat_map(|option| option.filled(value)));
        }
        arguments
    }
}

/// The text before a program, ending with a newline so that the program begins on a line of its own.
pub(crate) fn whole_lines(prelude: &str) -> String {
    let mut text = prelude.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The number of newlines.
pub(crate) fn newlines(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}
