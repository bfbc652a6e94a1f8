//! The role `smt`: a solver decides SMT-LIB scripts.

use super::{Choices, RoleKind, line};
use crate::description::{Description, Echo, ModeCall, Modes, SmtRole};
use crate::probes;
use crate::question::smt_question;
use crate::validation::{check_argument, check_not_empty};
use descriptions::{Fault, Pattern, fault, nearest};
use model::{Approximation, Claim, Input, OptionChoice, Role, RoleInfo, SmtCheck, SmtInfo, SmtStatus};

pub(super) const KIND: RoleKind = RoleKind {
    role: Role::Smt,
    summary: |description| description.smt.as_ref().map(|role| role.theories.join(", ")),
    manual,
    probes: probes::smt::probes,
    permissive,
    simulate,
    check_choices: |_, _, _| Ok(()),
    question: smt_question,
    info,
    steps: |_| &[],
    options: |_| &[],
    restrict: |_, _| {},
    validate,
};

/// The theories that a description can name; seeds are assigned to solvers by them.
const THEORIES: [&str; 11] = [
    "core",
    "ints",
    "reals",
    "bitvectors",
    "arrays",
    "functions",
    "floats",
    "strings",
    "datatypes",
    "quantifiers",
    "other",
];

/// A space at which lines are not broken.
const NO_BREAK: &str = "\u{a0}";

fn manual(description: &Description) -> Vec<(String, String)> {
    let Some(role) = &description.smt else { return Vec::new() };
    let logics = if role.logics.is_empty() { "any".to_owned() } else { role.logics.join(", ") };
    let options: Vec<&str> = role.options.iter().map(|option| option.name.as_str()).collect();
    // Lines are broken between tactics, never inside one.
    let tactics: Vec<String> = role.tactics.iter().map(|tactic| tactic.replace(' ', NO_BREAK)).collect();
    vec![
        line("theories", role.theories.join(", ")),
        line("logics", logics),
        line("tactics drawn", tactics.join(", ")),
        line("options drawn", options.join(", ")),
    ]
}

fn permissive() -> RoleInfo {
    RoleInfo::Smt(SmtInfo {
        approximation: Approximation::Exact,
        theories: THEORIES.map(str::to_owned).to_vec(),
        logics: Vec::new(),
        models: false,
        incremental: true,
        assuming: true,
        named: true,
        tactics: Vec::new(),
        options: Vec::new(),
        expected_refusals: Vec::new(),
    })
}

/// Every check is `sat`, which is the right answer to every script of `satisfiable`.
fn simulate(input: &Input) -> Claim {
    let checks = input.smt().map_or(0, |script| script.checks);
    Claim::Smt(vec![SmtCheck { status: SmtStatus::Sat, model: None }; checks as usize])
}

fn info(description: &Description, _choices: &Choices<'_>) -> Option<RoleInfo> {
    let role = description.smt.as_ref()?;
    let options = role.options.iter();
    Some(RoleInfo::Smt(SmtInfo {
        approximation: role.approximation,
        theories: role.theories.clone(),
        logics: role.logics.clone(),
        models: role.models,
        incremental: role.incremental,
        assuming: role.assuming,
        named: role.named,
        tactics: role.tactics.clone(),
        options: options
            .map(|it| OptionChoice { name: it.name.clone(), values: it.values.clone() })
            .collect(),
        expected_refusals: role.output.expected_refusals.iter().map(|it| it.as_str().to_owned()).collect(),
    }))
}

fn validate(description: &Description) -> Result<(), Fault> {
    let Some(role) = &description.smt else { return Ok(()) };
    check_theories(&role.theories)?;
    let names: Vec<&str> = role.options.iter().map(|option| option.name.as_str()).collect();
    for option in &role.options {
        option.tune.iter().try_for_each(|tune| tune.check(&option.name, &option.values, &names))?;
    }
    check_placeholders(description, role)?;
    check_sessions(role)?;
    refusals(role).try_for_each(check_not_empty)
}

/// A theory under another name would never be asked for, and the analyzer would be left out without notice.
fn check_theories(theories: &[String]) -> Result<(), Fault> {
    let Some(unknown) = theories.iter().find(|name| !THEORIES.contains(&name.as_str())) else {
        return Ok(());
    };
    let meant = nearest(unknown, THEORIES).map_or(String::new(), |it| format!(" (did you mean `{it}`?)"));
    let message = format!("unknown theory `{unknown}`{meant}; expected some of {}", THEORIES.join(", "));
    fault(format!("\"{unknown}\""), message)
}

fn check_placeholders(description: &Description, role: &SmtRole) -> Result<(), Fault> {
    let python = description.python.as_ref();
    let check = |arguments: &[String], allowed: &[&str]| {
        arguments.iter().try_for_each(|argument| check_argument(argument, allowed))
    };
    for call in calls(&role.modes).chain(python.into_iter().flat_map(|python| calls(&python.modes))) {
        check(&call.arguments, &["file"])?;
        check(&call.incremental_arguments, &[])?;
    }
    for resource in role.resource.iter().chain(python.and_then(|python| python.resource.as_ref())) {
        check(&resource.arguments, &["units"])?;
    }
    for time in role.time.iter().chain(python.and_then(|python| python.time.as_ref())) {
        check(&time.arguments, &["seconds", "milliseconds"])?;
    }
    Ok(())
}

fn calls(modes: &Modes) -> impl Iterator<Item = &ModeCall> {
    [Some(&modes.process), modes.reset.as_ref(), modes.push.as_ref()].into_iter().flatten()
}

/// In a session, the end of an answer is recognized by an echo.
fn check_sessions(role: &SmtRole) -> Result<(), Fault> {
    let sessions = role.modes.reset.is_some() || role.modes.push.is_some();
    if sessions && role.output.echo == Echo::None {
        return fault("echo", "a session needs an echo; expected `plain` or `quoted`, or no such modes");
    }
    Ok(())
}

/// The patterns that would hide every refusal or every answer if they matched everything.
fn refusals(role: &SmtRole) -> impl Iterator<Item = &Pattern> {
    let output = &role.output;
    let lists = [
        &output.expected_refusals,
        &output.harmless_errors,
        &output.failed_checks,
        &output.rejections,
        &output.ignored_lines,
    ];
    lists.into_iter().flatten()
}
