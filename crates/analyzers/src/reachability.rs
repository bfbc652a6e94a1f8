//! An analyzer's use on C programs with checks: how checks are spelled, how it is called, how it is read.

use crate::description::{Crash, Limit};
use crate::pattern::Pattern;
use model::{Annotation, Approximation, CInput, CheckStatus, DataModel, Demand, FailingCheck, Limits};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The role `reachability`: the analyzer says of every numbered check whether some execution violates it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReachabilityRole {
    /// What its answers mean.
    pub approximation: Approximation,
    /// False if the analyzer stops at the first failing check or has one property only.
    pub reports_all: bool,
    /// What a failing check does to the execution.
    pub failing_check: FailingCheck,
    /// True if it runs the program.
    #[serde(default)]
    pub executes: bool,
    /// The data models it knows, with the arguments that choose them.
    pub data_models: BTreeMap<DataModel, Vec<String>>,
    /// Text before the program, such as declarations of what the spellings use.
    #[serde(default)]
    pub prelude: String,
    /// How a check is spelled, with the placeholders `{condition}` and `{check}`.
    pub check: String,
    /// How an assumption is spelled, with the placeholder `{condition}`. It must end the execution, not the function.
    pub assume: String,
    /// What is run, in order; all but the last only prepare.
    pub steps: Vec<Step>,
    /// Files of juvenal's own that must stand beside the program.
    #[serde(default)]
    pub files: Vec<String>,
    /// Options, sound and unsound ones; only the sound ones are drawn.
    #[serde(default)]
    pub options: Vec<CommandOption>,
    /// How to read what it prints.
    pub output: ReachabilityOutput,
}

/// One command of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// Another program than the analyzer itself, such as a compiler.
    #[serde(default)]
    pub program: Option<String>,
    /// Its arguments. `{file}` is the program under test, `{options}` stands for the options and the data model,
    /// `{milliseconds}` and `{seconds}` for the time it has, `{checks}` for one more than the greatest check.
    pub arguments: Vec<String>,
    /// True if it does not depend on the program under test: it is run once for each choice of options and data
    /// model, and every run gets the files that it made.
    #[serde(default)]
    pub once: bool,
}

/// An option of the command line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandOption {
    /// The name. Users may choose it behind `--analyzer NAME:` where `[configuration]` makes the same arguments of it.
    pub name: String,
    /// The arguments for one value, with the placeholder `{value}`.
    pub arguments: Vec<String>,
    /// The values.
    pub values: Vec<String>,
    /// False if with these values the analyzer may overlook executions. They are never drawn, and where the user
    /// chooses one, nothing that the analyzer excludes is binding.
    #[serde(default = "yes")]
    pub sound: bool,
    /// True if the authors guarantee that every value settles at least the checks that the one before it settles.
    #[serde(default)]
    pub ordered: bool,
}

/// Options are sound unless their description says otherwise.
fn yes() -> bool {
    true
}

/// How to read what an analyzer says of checks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReachabilityOutput {
    /// A file of the run directory to read instead of standard output and standard error.
    #[serde(default)]
    pub file: Option<String>,
    /// What each row says. The capture `check` holds a check's number or `line` the line that it stands on; a row
    /// with neither speaks of the only check of the program. The capture `inputs` holds the inputs of an execution,
    /// `values` what executions noted.
    pub rows: Vec<Row>,
    /// The status of checks that no row speaks of; without it such an output is unreadable.
    #[serde(default)]
    pub silent: Option<CheckStatus>,
    /// What must stand in the output for any of it to count: without it the output was cut off and is unreadable.
    #[serde(default)]
    pub complete: Option<Pattern>,
    /// What must stand in the output for silence to mean anything; without it silent checks are unknown.
    #[serde(default)]
    pub finished: Option<Pattern>,
    /// Texts that say that some executions were not looked at: what is verified, by a row or by silence, is then
    /// unknown, and what is violated stays so.
    #[serde(default)]
    pub incomplete: Vec<Pattern>,
    /// What says that an execution met undefined behaviour, or that the analyzer sees some that no execution shows.
    #[serde(default)]
    pub undefined: Option<Pattern>,
    /// Exit codes of the last step, other than 0, that are no failure.
    #[serde(default)]
    pub exit_codes: Vec<i32>,
    /// Texts that say that a limit was hit.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Texts that say that the input was refused.
    #[serde(default)]
    pub rejections: Vec<Pattern>,
    /// Texts that say that the analyzer failed internally.
    #[serde(default)]
    pub crashes: Vec<Crash>,
}

/// What one kind of row says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Row {
    /// The row.
    pub pattern: Pattern,
    /// The status that it gives its check.
    pub status: CheckStatus,
}

impl Row {
    /// True if the row says which check it is about, false if it speaks of the only one.
    pub(crate) fn names_its_check(&self) -> bool {
        self.pattern.has_capture("check") || self.pattern.has_capture("line")
    }
}

/// A program with its checks spelled out, and where they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Every line that holds a check, with the check's number; lines count from 1.
    pub lines: BTreeMap<u32, u32>,
}

impl ReachabilityRole {
    /// What the answers mean under the choices of the user.
    pub fn approximation_under(&self, choices: &[(String, String)]) -> Approximation {
        let overlooks = choices.iter().any(|(name, value)| self.is_unsound(name, value));
        match self.approximation {
            Approximation::Exact if overlooks => Approximation::Under,
            Approximation::Over if overlooks => Approximation::Neither,
            declared => declared,
        }
    }

    /// True if the option has unsound values and this is not one of its sound ones. A value that is not listed at all
    /// is one that nobody has vouched for.
    fn is_unsound(&self, name: &str, value: &str) -> bool {
        let mut entries = self.options.iter().filter(|option| option.name == name);
        let vouched = |option: &CommandOption| option.sound && option.values.iter().any(|it| it == value);
        entries.clone().any(|option| !option.sound) && !entries.any(vouched)
    }

    /// Spells out the checks and assumptions of a program.
    pub fn render(&self, program: &CInput) -> Rendered {
        let mut prelude = self.prelude.clone();
        if !prelude.is_empty() && !prelude.ends_with('\n') {
            prelude.push('\n');
        }
        let body = program.render(|annotation| self.spell(annotation));
        let lines = lines_of_checks(program, newlines(&prelude));
        Rendered { text: prelude + &body, lines }
    }

    fn spell(&self, annotation: &Annotation) -> String {
        match annotation.what {
            Demand::Check(number) => {
                let numbered = self.check.replace("{check}", &number.to_string());
                numbered.replace("{condition}", &annotation.condition)
            }
            Demand::Assume => self.assume.replace("{condition}", &annotation.condition),
        }
    }
}

/// One command of a run, filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledStep {
    /// Another program than the analyzer itself.
    pub program: Option<String>,
    /// The arguments.
    pub arguments: Vec<String>,
    /// True if what it makes serves every run with the same options and data model.
    pub once: bool,
}

impl ReachabilityRole {
    /// The commands for a program in this file. `options` are among those declared here, `configuration` holds the
    /// arguments of the user's own choices.
    pub fn commands(
        &self,
        file: &str,
        program: &CInput,
        options: &[(String, String)],
        configuration: &[String],
        limits: &Limits,
    ) -> Vec<FilledStep> {
        let mut chosen = self.option_arguments(program.data_model, options);
        chosen.extend_from_slice(configuration);
        let checks = program.checks().max().map_or(0, |greatest| greatest + 1);
        // Earlier steps, such as compiling, take their share of the time as well.
        let share = if self.steps.len() > 1 { 2 } else { 10 };
        let milliseconds = (limits.wall_milliseconds - limits.wall_milliseconds / share).max(1);
        let fill = |argument: &String| {
            argument
                .replace("{file}", file)
                .replace("{checks}", &checks.to_string())
                .replace("{milliseconds}", &milliseconds.to_string())
                .replace("{seconds}", &(milliseconds / 1000).max(1).to_string())
        };
        let filled = |step: &Step| {
            let mut arguments = Vec::new();
            for argument in &step.arguments {
                match argument.as_str() {
                    "{options}" => arguments.extend(chosen.iter().cloned()),
                    _ => arguments.push(fill(argument)),
                }
            }
            FilledStep { program: step.program.clone(), arguments, once: step.once }
        };
        self.steps.iter().map(filled).collect()
    }

    fn option_arguments(&self, data_model: DataModel, options: &[(String, String)]) -> Vec<String> {
        let mut arguments = self.data_models.get(&data_model).cloned().unwrap_or_default();
        for (name, value) in options {
            let known = self.options.iter().find(|option| option.name == *name);
            arguments.extend(
                known.into_iter().flat_map(|option| &option.arguments).map(|it| it.replace("{value}", value)),
            );
        }
        arguments
    }
}

/// Where the checks stand: every annotation has a line of its own between two newlines that it brings along.
fn lines_of_checks(program: &CInput, lines_before: u32) -> BTreeMap<u32, u32> {
    let mut lines = BTreeMap::new();
    let (mut line, mut done) = (1 + lines_before, 0);
    for annotation in &program.annotations {
        let place = annotation.place as usize;
        if let Some(between) = program.base.get(done..place) {
            line += newlines(between);
            done = place;
        }
        line += 1;
        if let Demand::Check(number) = annotation.what {
            lines.insert(line, number);
        }
        line += 1;
    }
    lines
}

fn newlines(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}
