//! The section `[reachability]`, also used for `[debug]`: how checks are spelled, how the analyzer is called and read.

use crate::calling::{Calling, CommandOption, Step, newlines, whole_lines};
use crate::failing::FailureRules;
use descriptions::{Pattern, fill};
use model::{Annotation, AnnotationKind, Approximation, CInput, CheckStatus, DataModel, FailingCheck};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The analyzer decides for every numbered check whether some execution violates it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReachabilityRole {
    /// What its answers mean.
    pub approximation: Approximation,
    /// False if the analyzer stops at the first failing check or has one property only.
    pub reports_all: bool,
    /// What a failing check does to the execution.
    pub failing_check: FailingCheck,
    /// True if it executes the program.
    #[serde(default)]
    pub executes: bool,
    /// The data models it supports, with the arguments that select them.
    pub data_models: BTreeMap<DataModel, Vec<String>>,
    /// Text before the program, such as declarations for the spellings.
    #[serde(default)]
    pub prelude: String,
    /// How a check is spelled, with the placeholders `{condition}` and `{check}`.
    pub check: String,
    /// How a check under a guard is spelled, with the placeholders `{guard}`, `{condition}` and `{check}`. Without it,
    /// the check is the body of an `if`.
    #[serde(default)]
    pub check_guarded: Option<String>,
    /// How a check inside an expression is spelled, before an operand: an expression and a comma. Without it, the check
    /// is a GNU C statement expression.
    #[serde(default)]
    pub check_within: Option<String>,
    /// How an assumption is spelled, with the placeholder `{condition}`. It must end the execution, not the function.
    pub assume: String,
    /// The commands of a run, in order; all but the last are preparation.
    pub steps: Vec<Step>,
    /// The support files of juvenal that must be in the same directory as the program.
    #[serde(default)]
    pub files: Vec<String>,
    /// Sound and unsound options; only sound ones are drawn.
    #[serde(default)]
    pub options: Vec<CommandOption>,
    /// How to read its output.
    pub output: ReachabilityOutput,
}

/// How to read the status of checks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReachabilityOutput {
    /// A file of the run directory to read instead of standard output and standard error.
    #[serde(default)]
    pub file: Option<String>,
    /// The rows of the output. The capture `check` holds the number of a check, or `line` its line; a row with neither
    /// is about the only check of the program. The capture `inputs` holds the inputs of an execution, `values` the values
    /// that executions recorded.
    pub rows: Vec<Row>,
    /// True if a check is unknown unless all of its rows agree; its values are then the words of these rows, joined by
    /// `+`. False if the worst row counts.
    #[serde(default)]
    pub agreement: bool,
    /// The status of checks without a row; if not set, such an output is unreadable.
    #[serde(default)]
    pub silent: Option<CheckStatus>,
    /// A pattern that every complete output matches; other outputs are truncated and unreadable.
    #[serde(default)]
    pub complete: Option<Pattern>,
    /// A pattern that the output must match for `silent` to apply; otherwise checks without a row are unknown.
    #[serde(default)]
    pub finished: Option<Pattern>,
    /// Texts by which the analyzer reports that it skipped some executions: verified checks are then unknown, violated
    /// ones remain violated.
    #[serde(default)]
    pub incomplete: Vec<Pattern>,
    /// A text that reports undefined behaviour, in an execution or found by the analyzer.
    #[serde(default)]
    pub undefined: Option<Pattern>,
    /// How to recognize runs that fail.
    #[serde(flatten)]
    pub failures: FailureRules,
}

/// One kind of row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Row {
    /// A pattern for the row.
    pub pattern: Pattern,
    /// The status that it gives its check.
    pub status: CheckStatus,
}

impl Row {
    /// True if the row names its check, false if it is about the only one.
    pub(crate) fn names_its_check(&self) -> bool {
        self.pattern.has_capture("check") || self.pattern.has_capture("line")
    }
}

/// A program with its checks spelled out, and the lines of the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The number of the check on each line that has one; lines are counted from 1.
    pub lines: BTreeMap<u32, u32>,
}

impl ReachabilityRole {
    /// What the answers mean under the user's configuration.
    pub fn approximation_under(&self, choices: &[(String, String)]) -> Approximation {
        let overlooks = choices.iter().any(|(name, value)| self.is_unsound(name, value));
        match self.approximation {
            Approximation::Exact if overlooks => Approximation::Under,
            Approximation::Over if overlooks => Approximation::Neither,
            declared => declared,
        }
    }

    /// True if the option has unsound values and this is not one of its sound ones. An unlisted value of such an option
    /// counts as unsound.
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
            // The braces keep a following `else` with its own `if`.
            _ => format!("if ({guard}) {{ {} }}", self.spell_plain(annotation)),
        }
    }

    /// An annotation between two statements, without its guard.
    fn spell_plain(&self, annotation: &Annotation) -> String {
        match annotation.what {
            AnnotationKind::Check(number) => filled(&self.check, number, "", &annotation.condition),
            AnnotationKind::Assume => fill(&self.assume, &[("condition", &annotation.condition)]),
        }
    }

    /// An annotation inside an expression; it ends with a comma.
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
    pub(crate) fn calling(&self) -> Calling<'_> {
        Calling { data_models: &self.data_models, steps: &self.steps, options: &self.options }
    }
}

/// The lines of the checks. Every annotation adds a newline before and after itself.
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
