//! The role `warnings`: a bug finder warns of errors in C programs.

use super::reachability::data_models;
use super::{Choices, RoleKind, drawn, line, options_line};
use crate::calling::Step;
use crate::description::Description;
use crate::probes;
use crate::question::c_question;
use crate::validation::{
    check_bounds, check_calling, check_files, check_not_empty, check_options, check_steps,
};
use crate::version;
use crate::warnings::{Checker, DeliberateMiss, WarningFormat, WarningRow, WarningsRole};
use descriptions::{Fault, fault};
use model::{Claim, DataModel, ErrorKind, Role, RoleInfo, WarningsInfo};

pub(super) const KIND: RoleKind = RoleKind {
    role: Role::Warnings,
    summary: |description| description.warnings.as_ref().map(|_| "errors in C programs".to_owned()),
    manual: |description| description.warnings.as_ref().map_or(Vec::new(), manual),
    probes: probes::warnings::probes,
    permissive,
    simulate: |_| Claim::Warnings(Vec::new()),
    check_choices: |_, _, _| Ok(()),
    question: c_question,
    info,
    steps: |description| description.warnings.as_ref().map_or(&[][..], |role| &role.steps[..]),
    options: |description| description.warnings.as_ref().map_or(&[][..], |role| &role.options[..]),
    restrict,
    validate: |description| {
        let Some(role) = &description.warnings else { return Ok(()) };
        validate(role, &description.configuration.arguments)
    },
};

fn manual(role: &WarningsRole) -> Vec<(String, String)> {
    let path = if role.paths { "shows the path to an error" } else { "shows no paths" };
    let promise = if role.sound { "its authors promise to miss nothing; " } else { "" };
    let what = format!("warns of errors; {path}; {promise}{}", data_models(&role.data_models));
    let mut lines = vec![line("role warnings", what)];
    for kind in ErrorKind::ALL {
        let checkers: Vec<String> =
            role.checkers.iter().filter(|checker| checker.kind == kind).map(checker_text).collect();
        if !checkers.is_empty() {
            lines.push((kind.to_string(), checkers.join(", ")));
        }
    }
    lines.extend(options_line(&role.options));
    for miss in &role.deliberate_misses {
        let kind = miss.kind.map_or(String::new(), |kind| format!("{kind}: "));
        lines.push(line("does not look for", format!("{kind}{} ({})", miss.what, miss.source)));
    }
    lines
}

/// The name of a checker, with the messages and versions to which it is limited.
fn checker_text(checker: &Checker) -> String {
    let name = without_anchors(checker.pattern.as_str());
    let message = checker.message.as_ref().map(|it| format!("message {}", without_anchors(it.as_str())));
    let since = checker.since.as_ref().map(|version| format!("since {version}"));
    let until = checker.until.as_ref().map(|version| format!("before {version}"));
    let details: Vec<String> = [message, since, until].into_iter().flatten().collect();
    if details.is_empty() { name } else { format!("{name} ({})", details.join(", ")) }
}

/// A pattern as people read it: names, with `or` between those that differ.
fn without_anchors(pattern: &str) -> String {
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    inner.replace("(?:", "(").replace("\\.", ".").replace('|', " or ")
}

fn permissive() -> RoleInfo {
    RoleInfo::Warnings(WarningsInfo {
        kinds: ErrorKind::ALL.to_vec(),
        deliberate_misses: Vec::new(),
        sound: false,
        paths: false,
        data_models: vec![DataModel::Lp64, DataModel::Ilp32],
        options: Vec::new(),
    })
}

fn info(description: &Description, choices: &Choices<'_>) -> Option<RoleInfo> {
    let role = description.warnings.as_ref()?;
    let present = role.checkers.iter().filter(|checker| version::has(*checker, choices.version));
    let mut kinds: Vec<ErrorKind> = present.map(|checker| checker.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let miss = |miss: &DeliberateMiss| (miss.kind, format!("{} ({})", miss.what, miss.source));
    Some(RoleInfo::Warnings(WarningsInfo {
        kinds,
        deliberate_misses: role.deliberate_misses.iter().map(miss).collect(),
        sound: role.sound,
        paths: role.paths,
        data_models: role.data_models.keys().copied().collect(),
        options: drawn(&role.options),
    }))
}

fn restrict(description: &mut Description, version: &str) {
    let Some(role) = &mut description.warnings else { return };
    role.options.retain(|option| version::has(option, version));
    role.steps.retain(|step| version::has(step, version));
    role.steps.iter_mut().for_each(Step::settle);
}

fn validate(role: &WarningsRole, rules: &[String]) -> Result<(), Fault> {
    check_options(&role.options, rules)?;
    check_calling(&role.steps, &role.options)?;
    check_steps(&role.steps, Role::Warnings)?;
    check_files(&role.files)?;
    if role.checkers.is_empty() {
        let message = "no checker is named, so every warning would be dropped; expected `checkers`";
        return fault("[warnings]", message);
    }
    for checker in &role.checkers {
        check_not_empty(&checker.pattern)?;
        check_bounds(checker.since.as_deref(), checker.until.as_deref())?;
    }
    for miss in &role.deliberate_misses {
        if miss.what.trim().is_empty() || miss.source.trim().is_empty() {
            let message = "a deliberate miss needs a reason and a reference; expected `what` and `source`";
            return fault("deliberate-misses", message);
        }
    }
    let output = &role.output;
    output.failures.rejections.iter().chain(&output.incomplete).try_for_each(check_not_empty)?;
    match (output.format, output.rows.is_empty()) {
        (WarningFormat::Rows, true) => fault("[warnings.output]", "the format `rows` needs `rows`"),
        (WarningFormat::Rows, false) => output.rows.iter().try_for_each(check_row),
        (_, true) => Ok(()),
        (_, false) => fault("[warnings.output]", "only the format `rows` takes `rows`"),
    }
}

fn check_row(row: &WarningRow) -> Result<(), Fault> {
    let needed: &[&str] = if row.note { &["line"] } else { &["line", "checker"] };
    match needed.iter().find(|name| !row.pattern.has_capture(name)) {
        Some(name) => fault(row.pattern.as_str(), format!("expected a group `(?<{name}>...)`")),
        None => check_not_empty(&row.pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn the_page_of_a_bug_finder_lists_its_checkers_and_deliberate_misses() {
        let catalogue = Catalogue::shipped().unwrap();
        let lines = manual(catalogue.find("gcc").unwrap().warnings.as_ref().unwrap());
        for (label, text) in [
            ("role warnings", "shows the path"),
            ("leak", "-Wanalyzer-malloc-leak (since 10)"),
            ("options drawn", "optimize=0|1|2"),
            ("does not look for", "leak: memory that `main` still holds"),
        ] {
            let fits = |(name, value): &(String, String)| name == label && value.contains(text);
            assert!(lines.iter().any(fits), "{label}: {text}\n{lines:?}");
        }
    }
}
