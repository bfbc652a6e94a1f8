//! An analyzer's use on C programs with checks: how checks are spelled, how it is called, how it is read.

use crate::calling::{Calling, CommandOption, FilledStep, Step, newlines, whole_lines};
use crate::failing::FailureRules;
use crate::pattern::Pattern;
use crate::placeholder::fill;
use model::{
    Annotation, AnnotationKind, Approximation, CInput, CheckStatus, DataModel, FailingCheck, Limits,
};
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
    /// How a check is spelled that is looked at under a guard alone, with the placeholder `{guard}` besides. Without
    /// it, the check stands behind an `if`.
    #[serde(default)]
    pub check_guarded: Option<String>,
    /// How a check is spelled inside of an expression, before an operand: an expression and a comma. Without it, the
    /// check stands in a statement expression of GNU C.
    #[serde(default)]
    pub check_within: Option<String>,
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
    /// True if a check has a status only where every row that speaks of it gives it the same one, and is unknown
    /// otherwise; its values are then all the words of these rows, joined by `+`. False if the worst row counts.
    #[serde(default)]
    pub agreement: bool,
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
    /// How to recognize runs that fail.
    #[serde(flatten)]
    pub failures: FailureRules,
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
        let prelude = whole_lines(&self.prelude);
        let body = program.render(|annotation| self.spell(annotation));
        let lines = lines_of_checks(program, newlines(&prelude));
        Rendered { text: prelude + &body, lines }
    }

    fn spell(&self, annotation: &Annotation) -> String {
        if annotation.within {
            return self.spell_within(annotation);
        }
        let Some(guard) = &annotation.guard else { return self.spell_plain(annotation) };
        match (&self.check_guarded, annotation.what) {
            (Some(spelling), AnnotationKind::Check(number)) => {
                filled(spelling, number, guard, &annotation.condition)
            }
            // An `else` behind it must find the `if` that it belongs to, so there are braces.
            _ => format!("if ({guard}) {{ {} }}", self.spell_plain(annotation)),
        }
    }

    /// An annotation between two statements, its guard aside.
    fn spell_plain(&self, annotation: &Annotation) -> String {
        match annotation.what {
            AnnotationKind::Check(number) => filled(&self.check, number, "", &annotation.condition),
            AnnotationKind::Assume => fill(&self.assume, &[("condition", &annotation.condition)]),
        }
    }

    /// An annotation inside of an expression; it ends with a comma.
    fn spell_within(&self, annotation: &Annotation) -> String {
        let spelled = match (&self.check_within, annotation.what) {
            (Some(spelling), AnnotationKind::Check(number)) => {
                filled(spelling, number, "", &annotation.condition)
            }
            _ => format!("({{ {} }}),", self.spell_plain(annotation)),
        };
        match &annotation.guard {
            Some(guard) => format!("({guard}) && ({spelled} 1),"),
            None => spelled,
        }
    }
}

fn filled(spelling: &str, check: u32, guard: &str, condition: &str) -> String {
    fill(spelling, &[("check", &check.to_string()), ("guard", guard), ("condition", condition)])
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
        self.calling().commands(file, program, options, configuration, limits)
    }

    pub(crate) fn calling(&self) -> Calling<'_> {
        Calling { data_models: &self.data_models, steps: &self.steps, options: &self.options }
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
        if let AnnotationKind::Check(number) = annotation.what {
            lines.insert(line, number);
        }
        line += 1;
    }
    lines
}
