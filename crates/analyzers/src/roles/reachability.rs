//! The role `reachability`: a verifier decides which checks of a C program can fail.

use super::{Choices, RoleKind, choice, drawn, line, options_line};
use crate::calling::Step;
use crate::probes;
use crate::question::c_question;
use crate::reachability::ReachabilityRole;
use crate::validation::{check_calling, check_files, check_not_empty, check_options, check_steps};
use crate::version;
use descriptions::{Fault, fault};
use model::{
    Approximation, CheckClaim, CheckStatus, ChecksClaim, Claim, DataModel, FailingCheck, Input,
    ReachabilityInfo, Role, RoleInfo,
};
use std::collections::BTreeMap;

pub(super) const KIND: RoleKind = RoleKind {
    role: Role::Reachability,
    summary: |description| description.reachability.as_ref().map(|_| "checks in C programs".to_owned()),
    manual: |description| {
        let role = description.reachability.as_ref();
        role.map_or(Vec::new(), |role| manual(Role::Reachability, "says which checks can fail", role))
    },
    probes: probes::reachability::probes,
    permissive: || RoleInfo::Reachability(permissive()),
    simulate,
    check_choices: |_, _, _| Ok(()),
    question: c_question,
    info: |description, choices| {
        description.reachability.as_ref().map(|role| RoleInfo::Reachability(info(role, choices)))
    },
    steps: |description| description.reachability.as_ref().map_or(&[][..], |role| &role.steps[..]),
    options: |description| description.reachability.as_ref().map_or(&[][..], |role| &role.options[..]),
    restrict: |description, version| {
        if let Some(role) = &mut description.reachability {
            restrict(role, version);
        }
    },
    validate: |description| {
        let Some(role) = &description.reachability else { return Ok(()) };
        validate(Role::Reachability, role, &description.configuration.arguments)
    },
};

pub(super) fn manual(name: Role, what: &str, role: &ReachabilityRole) -> Vec<(String, String)> {
    let mut lines = vec![
        (format!("role {name}"), format!("{what}; {}", data_models(&role.data_models))),
        line("a check is", role.check.as_str()),
        line("an assumption is", role.assume.as_str()),
    ];
    lines.extend(options_line(&role.options));
    lines
}

pub(super) fn data_models(known: &BTreeMap<DataModel, Vec<String>>) -> String {
    let names: Vec<String> = known.keys().map(DataModel::to_string).collect();
    let noun = if names.len() == 1 { "data model" } else { "data models" };
    format!("{noun} {}", names.join(", "))
}

pub(super) fn permissive() -> ReachabilityInfo {
    ReachabilityInfo {
        approximation: Approximation::Exact,
        reports_all: true,
        failing_check: FailingCheck::Ends,
        data_models: vec![DataModel::Lp64, DataModel::Ilp32],
        options: Vec::new(),
        ordered: Vec::new(),
        executes: false,
    }
}

/// Checks with even numbers hold and the others do not, so that techniques see both.
pub(super) fn simulate(input: &Input) -> Claim {
    let status = |check| if check % 2 == 0 { CheckStatus::Verified } else { CheckStatus::Violated };
    let checks = input.c().into_iter().flat_map(|program| program.checks());
    let checks = checks.map(|check| CheckClaim::new(check, status(check))).collect();
    Claim::Checks(ChecksClaim { checks, undefined: None })
}

pub(super) fn info(role: &ReachabilityRole, choices: &Choices<'_>) -> ReachabilityInfo {
    ReachabilityInfo {
        approximation: role.approximation_under(choices.configuration),
        reports_all: role.reports_all,
        failing_check: role.failing_check,
        data_models: role.data_models.keys().copied().collect(),
        options: drawn(&role.options),
        ordered: role.options.iter().filter(|option| option.ordered).map(choice).collect(),
        executes: role.executes,
    }
}

pub(super) fn restrict(role: &mut ReachabilityRole, version: &str) {
    role.options.retain(|option| version::has(option, version));
    role.steps.retain(|step| version::has(step, version));
    role.steps.iter_mut().for_each(Step::settle);
}

pub(super) fn validate(name: Role, role: &ReachabilityRole, rules: &[String]) -> Result<(), Fault> {
    check_options(&role.options, rules)?;
    check_calling(&role.steps, &role.options)?;
    check_spellings(role)?;
    check_steps(&role.steps, name)?;
    check_files(&role.files)?;
    for row in &role.output.rows {
        if role.reports_all && !row.names_its_check() {
            let message = "a row must name its check; expected a group `check` or `line`, \
                or `reports-all = false` for an analyzer that is asked about one check at a time";
            return fault(row.pattern.as_str(), message);
        }
    }
    let output = &role.output;
    output.incomplete.iter().chain(&output.failures.rejections).try_for_each(check_not_empty)
}

fn check_spellings(role: &ReachabilityRole) -> Result<(), Fault> {
    check_spelling(&role.check, &["{condition}"])?;
    check_spelling(&role.assume, &["{condition}"])?;
    if let Some(spelling) = &role.check_guarded {
        check_spelling(spelling, &["{guard}", "{condition}"])?;
    }
    let Some(spelling) = &role.check_within else { return Ok(()) };
    check_spelling(spelling, &["{condition}"])?;
    if !spelling.trim_end().ends_with(',') {
        let message = "`check-within`: expected an expression and a comma, since an operand follows";
        return fault("check-within", message);
    }
    Ok(())
}

/// A spelling is one line, so the line of every check is known.
fn check_spelling(spelling: &str, placeholders: &[&str]) -> Result<(), Fault> {
    let missing = placeholders.iter().any(|placeholder| !spelling.contains(placeholder));
    if missing || spelling.contains('\n') {
        let near = spelling.lines().next().unwrap_or_default();
        return fault(near, format!("expected one line with the placeholder {}", placeholders.join(" and ")));
    }
    Ok(())
}
