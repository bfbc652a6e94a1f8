//! A role of an analyzer of C programs: what is run, and how the output is read.

use crate::calling::{FilledStep, Step};
use crate::description::Description;
use crate::reachability::{ReachabilityRole, Rendered};
use crate::reachability_reading::read_checks;
use crate::warning_reading::read_warnings;
use crate::warnings::WarningsRole;
use model::{CInput, Limits, Role, Run, Verdict};

/// A role of an analyzer of C programs.
#[derive(Clone, Copy, Debug)]
pub enum CRole<'a> {
    /// It gives every check a status: `[reachability]` and `[debug]`.
    Checks(&'a ReachabilityRole),
    /// It reports what can go wrong: `[warnings]`.
    Warnings(&'a WarningsRole),
}

impl Description {
    /// The section of one role on C programs, if the description has it.
    pub fn c_role(&self, role: Role) -> Option<CRole<'_>> {
        match role {
            Role::Smt | Role::Datalog => None,
            Role::Reachability => self.reachability.as_ref().map(CRole::Checks),
            Role::Debug => self.debug.as_ref().map(CRole::Checks),
            Role::Warnings => self.warnings.as_ref().map(CRole::Warnings),
        }
    }
}

impl<'a> CRole<'a> {
    /// The commands for a program in this file. `options` are among those that the role declares, `configuration`
    /// holds the arguments of the user's own choices.
    pub fn commands(
        &self,
        file: &str,
        input: &CInput,
        options: &[(String, String)],
        configuration: &[String],
        limits: &Limits,
    ) -> Vec<FilledStep> {
        let calling = match self {
            CRole::Checks(role) => role.calling(),
            CRole::Warnings(role) => role.calling(),
        };
        calling.commands(file, input, options, configuration, limits)
    }

    /// The program as the analyzer gets it.
    pub fn render(&self, input: &CInput) -> Rendered {
        match self {
            CRole::Checks(role) => role.render(input),
            CRole::Warnings(role) => role.render(input),
        }
    }

    /// The verdict of a run.
    pub fn read(&self, input: &CInput, rendered: &Rendered, run: &Run) -> Verdict {
        match self {
            CRole::Checks(role) => read_checks(role, input, rendered, run),
            CRole::Warnings(role) => read_warnings(role, run),
        }
    }

    /// Files of juvenal's own that must stand beside the program.
    pub fn files(&self) -> &'a [String] {
        match self {
            CRole::Checks(role) => &role.files,
            CRole::Warnings(role) => &role.files,
        }
    }

    /// The file of the run directory that is read instead of the output.
    pub fn output_file(&self) -> Option<&'a str> {
        match self {
            CRole::Checks(role) => role.output.file.as_deref(),
            CRole::Warnings(role) => role.output.file.as_deref(),
        }
    }

    /// True if the analyzer itself calls functions of the program.
    pub fn calls_programs(&self) -> bool {
        let steps = match self {
            CRole::Checks(role) => &role.steps,
            CRole::Warnings(role) => &role.steps,
        };
        steps.iter().any(|step| step.confined)
    }

    /// True if one of its steps runs what an earlier one has made, whether or not that counts as an execution.
    pub fn runs_programs(&self) -> bool {
        let steps = match self {
            CRole::Checks(role) => &role.steps,
            CRole::Warnings(role) => &role.steps,
        };
        let is_made = |step: &Step| step.program.as_ref().is_some_and(|name| name.starts_with("./"));
        self.executes() || steps.iter().any(is_made)
    }

    /// True if its violations have happened.
    pub fn executes(&self) -> bool {
        matches!(self, CRole::Checks(role) if role.executes)
    }

    /// False if it must be asked about one check at a time.
    pub fn reports_all(&self) -> bool {
        match self {
            CRole::Checks(role) => role.reports_all,
            CRole::Warnings(_) => true,
        }
    }
}
