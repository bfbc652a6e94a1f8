//! The role `datalog`: an engine computes the rows of a Datalog program.

use super::{Choices, RoleKind, drawn, line, options_line};
use crate::calling::CommandOption;
use crate::datalog_role::{DIALECT, DatalogRole};
use crate::description::Description;
use crate::probes;
use crate::question::datalog_question;
use crate::validation::{check_argument, check_bounds, check_not_empty, check_options};
use crate::version;
use ::datalog::Dialect;
use descriptions::{Fault, fault};
use model::{Claim, DatalogInfo, Role, RoleInfo};

pub(super) const KIND: RoleKind = RoleKind {
    role: Role::Datalog,
    summary: |description| description.datalog.as_ref().map(|_| "rows of Datalog programs".to_owned()),
    manual,
    probes: probes::datalog::probes,
    permissive,
    simulate: |_| Claim::Rows(Vec::new()),
    check_choices,
    question: datalog_question,
    info,
    steps: |_| &[],
    options: |description| description.datalog.as_ref().map_or(&[][..], |role| &role.options[..]),
    restrict: |description, version| {
        let Some(role) = &mut description.datalog else { return };
        role.options.retain(|option| version::has(option, version));
    },
    validate: |description| {
        let Some(role) = &description.datalog else { return Ok(()) };
        validate(role, &description.configuration.arguments)
    },
};

fn manual(description: &Description) -> Vec<(String, String)> {
    let Some(role) = &description.datalog else { return Vec::new() };
    let mut lines = vec![line("Datalog dialect", role.dialect.as_str())];
    lines.extend(options_line(&role.options));
    lines
}

fn permissive() -> RoleInfo {
    RoleInfo::Datalog(DatalogInfo { dialect: "souffle".to_owned(), is_reference: false, options: Vec::new() })
}

fn info(description: &Description, choices: &Choices<'_>) -> Option<RoleInfo> {
    let role = description.datalog.as_ref()?;
    Some(RoleInfo::Datalog(DatalogInfo {
        dialect: role.dialect(&[], choices.configuration).to_owned(),
        is_reference: false,
        options: drawn(&role.options),
    }))
}

/// Refuses a dialect that the engine does not read at this version.
fn check_choices(
    description: &Description,
    version: &str,
    configuration: &[(String, String)],
) -> Result<(), String> {
    let Some(role) = &description.datalog else { return Ok(()) };
    let Some((_, chosen)) = configuration.iter().find(|(key, _)| key == DIALECT) else { return Ok(()) };
    let mut known = vec![role.dialect.as_str()];
    let options = role.options.iter().filter(|option| option.name == DIALECT);
    let at_version = options.clone().filter(|option| version::has(*option, version));
    known.extend(at_version.flat_map(|option| &option.values).map(String::as_str));
    if known.contains(&chosen.as_str()) {
        return Ok(());
    }
    let name = &description.name;
    if options.flat_map(|option| &option.values).any(|value| value == chosen) {
        return Err(format!(
            "{name}@{version} does not read {chosen}, but other versions do; see analyzers/{name}.toml"
        ));
    }
    Err(format!("{name}@{version} has no dialect `{chosen}`; expected one of {}", known.join(", ")))
}

fn validate(role: &DatalogRole, rules: &[String]) -> Result<(), Fault> {
    let (dialects, others): (Vec<CommandOption>, Vec<CommandOption>) =
        role.options.iter().cloned().partition(|option| option.name == DIALECT);
    let mut names = dialects.iter().flat_map(|option| &option.values).chain([&role.dialect]);
    if let Some(unknown) = names.find(|name| Dialect::from_name(name).is_none()) {
        let known: Vec<&str> = Dialect::ALL.iter().map(|it| it.name()).collect();
        return fault(
            "dialect",
            format!("unknown dialect `{unknown}`; expected one of {}", known.join(", ")),
        );
    }
    if dialects.iter().any(|option| !option.arguments.is_empty()) {
        return fault("\"dialect\"", "the option `dialect` chooses the language; expected no arguments");
    }
    if role.programs_at_once == 0 {
        return fault("programs-at-once", "expected at least one program at once");
    }
    for argument in &role.arguments {
        check_argument(argument, &["file", "options", "seconds", "milliseconds"])?;
    }
    for argument in role.options.iter().flat_map(|option| &option.arguments) {
        check_argument(argument, &["value"])?;
    }
    check_options(&others, rules)?;
    dialects.iter().try_for_each(|it| check_bounds(it.since.as_deref(), it.until.as_deref()))?;
    role.output.rejections.iter().try_for_each(check_not_empty)
}
