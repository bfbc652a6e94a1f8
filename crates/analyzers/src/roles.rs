//! The table of roles: everything that differs between the ways in which an analyzer can be used.
//!
//! A role is a section of a description, such as `[warnings]`. What depends on the role alone is asked of its row, so
//! adding a role means adding a row here; questions and the readers of answers are in `question.rs`.

mod datalog;
mod debug;
mod reachability;
mod smt;
mod warnings;

use crate::calling::{CommandOption, Step};
use crate::description::Description;
use crate::invocation::Invocation;
use crate::probes::Probe;
use crate::question::Question;
use descriptions::Fault;
use model::{AnalyzerInfo, Claim, Input, OptionChoice, Query, Role, RoleInfo};

/// Every role, in the order of manual pages.
pub static ROLES: [RoleKind; 5] = [smt::KIND, reachability::KIND, debug::KIND, warnings::KIND, datalog::KIND];

/// One role.
pub struct RoleKind {
    /// Its name, which is the name of its section in descriptions.
    pub role: Role,
    /// What an analyzer answers in this role, for lists; `None` if the description lacks the role.
    pub summary: fn(&Description) -> Option<String>,
    /// The lines of a manual page: labels and values. A no-break space in a value stays within its line.
    pub manual: fn(&Description) -> Vec<(String, String)>,
    /// The questions with known answers by which `juvenal analyzer check` tests a description.
    pub probes: fn(&AnalyzerInfo) -> Vec<Probe>,
    /// The declaration of an analyzer that accepts everything, for `juvenal generate`.
    pub permissive: fn() -> RoleInfo,
    /// What such an analyzer answers.
    pub simulate: fn(&Input) -> Claim,
    /// Refuses choices of the user that this version does not have, where a wrong choice would not be noticed otherwise.
    pub check_choices: CheckChoices,
    /// What techniques may know; `None` if the description lacks the role.
    pub(crate) info: fn(&Description, &Choices<'_>) -> Option<RoleInfo>,
    /// A query in this role as an analyzer is asked it; `None` if the description or the input does not fit the role.
    pub(crate) question: AskQuestion,
    /// The commands that a run consists of, where the description lists them.
    pub(crate) steps: fn(&Description) -> &[Step],
    /// The options that are arguments of the command line.
    pub(crate) options: fn(&Description) -> &[CommandOption],
    /// Drops the steps and options that a version does not have.
    pub(crate) restrict: fn(&mut Description, &str),
    /// Finds the first fault in the section, if the description has it.
    pub(crate) validate: fn(&Description) -> Result<(), Fault>,
}

/// Makes a question of a query.
pub(crate) type AskQuestion = for<'a> fn(Invocation<'a>, &'a Query) -> Option<Question<'a>>;

/// A check of the user's choices, `key=value`, for a version of an analyzer.
pub type CheckChoices = fn(&Description, &str, &[(String, String)]) -> Result<(), String>;

/// The version of an analyzer and the choices of the user.
pub(crate) struct Choices<'a> {
    pub(crate) version: &'a str,
    pub(crate) configuration: &'a [(String, String)],
}

/// The row of a role.
pub fn role_kind(role: Role) -> Option<&'static RoleKind> {
    ROLES.iter().find(|kind| kind.role == role)
}

/// The options that techniques draw from. Unsound options are left to the user.
fn drawn(options: &[CommandOption]) -> Vec<OptionChoice> {
    options.iter().filter(|option| option.sound).map(choice).collect()
}

fn choice(option: &CommandOption) -> OptionChoice {
    OptionChoice { name: option.name.clone(), values: option.values.clone() }
}

/// One line of a manual page.
fn line(label: &str, value: impl Into<String>) -> (String, String) {
    (label.to_owned(), value.into())
}

/// The options that are drawn, with their values and the versions that have them.
fn options_line(options: &[CommandOption]) -> Option<(String, String)> {
    let option = |option: &CommandOption| {
        let since = option.since.as_ref().map_or(String::new(), |version| format!(" (since {version})"));
        let until = option.until.as_ref().map_or(String::new(), |version| format!(" (before {version})"));
        format!("{}={}{since}{until}", option.name, option.values.join("|"))
    };
    let drawn: Vec<String> = options.iter().filter(|option| option.sound).map(option).collect();
    (!drawn.is_empty()).then(|| line("options drawn", drawn.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use model::Language;

    #[test]
    fn every_role_has_a_row_and_every_language_a_role() {
        for role in Role::ALL {
            assert_eq!(role_kind(role).map(|kind| kind.role), Some(role));
        }
        for language in Language::BUILT_IN {
            assert!(ROLES.iter().any(|kind| language.has_role(kind.role)), "{language}");
        }
    }

    #[test]
    fn permissive_analyzers_are_declared_and_probed_in_their_own_role() {
        for kind in &ROLES {
            let info = (kind.permissive)();
            assert_eq!(info.role(), kind.role);
            let id = model::AnalyzerId::new("any", "0", &[]);
            let modes = vec![model::Mode::Process];
            let analyzer = AnalyzerInfo {
                id,
                language: model::Language::C,
                family: "any".to_owned(),
                modes,
                roles: vec![info],
            };
            let probes = (kind.probes)(&analyzer);
            assert!(!probes.is_empty(), "{}", kind.role);
            assert!(probes.iter().all(|probe| probe.query.role == kind.role), "{}", kind.role);
        }
    }

    #[test]
    fn pages_say_what_an_analyzer_is_asked_in_every_role_that_it_has() {
        let catalogue = Catalogue::shipped().unwrap();
        for description in catalogue.descriptions() {
            for kind in &ROLES {
                let has_lines = !(kind.manual)(description).is_empty();
                assert_eq!((kind.summary)(description).is_some(), has_lines, "{}", description.name);
            }
        }
    }
}
