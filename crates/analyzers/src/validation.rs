//! What a description must satisfy beyond its shape.

use crate::calling::{Calling, CommandOption, Step};
use crate::datalog_role::{DIALECT, DatalogRole};
use crate::description::{Description, Echo, Language, ModeCall, Modes};
use crate::did_you_mean::nearest;
use crate::pattern::Pattern;
use crate::placeholder::{fill, first_unknown};
use crate::reachability::ReachabilityRole;
use crate::runner;
use crate::support::support_file;
use crate::warnings::{WarningFormat, WarningRow, WarningsRole};
use datalog::Dialect;
use model::{CheckStatus, Role, release_of};

/// The theories that a description can name; seeds are told apart by them.
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

/// What is wrong, and a text of the file near which it stands.
pub(crate) struct Fault {
    pub(crate) near: String,
    pub(crate) message: String,
}

/// Finds the first fault.
pub(crate) fn check(description: &Description) -> Result<(), Fault> {
    check_name(&description.name)?;
    check_texts(description)?;
    check_find(description)?;
    check_version(description)?;
    check_theories(description)?;
    check_roles(description)?;
    check_placeholders(description)?;
    check_sessions(description)?;
    check_refusals(description)
}

fn fault(near: impl Into<String>, message: impl Into<String>) -> Result<(), Fault> {
    Err(Fault { near: near.into(), message: message.into() })
}

fn check_name(name: &str) -> Result<(), Fault> {
    let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !name.is_empty() && name.chars().all(allowed) {
        return Ok(());
    }
    fault("name = ", format!("the name `{name}` is no name; expected lower-case letters, digits and `-`"))
}

fn check_texts(description: &Description) -> Result<(), Fault> {
    for (key, text) in [
        ("title", &description.title),
        ("summary", &description.summary),
        ("family", &description.family),
        ("homepage", &description.homepage),
    ] {
        if text.trim().is_empty() {
            return fault(key, format!("`{key}` is empty; expected a text"));
        }
    }
    Ok(())
}

fn check_find(description: &Description) -> Result<(), Fault> {
    let Some(python) = &description.find.python else {
        if description.find.programs.is_empty() && description.find.rust_crate.is_none() {
            return fault("[find]", "nothing to find; expected `programs`, `python` or `crate`");
        }
        return Ok(());
    };
    if runner::find(&python.runner).is_none() {
        let known: Vec<&str> = runner::RUNNERS.iter().map(|runner| runner.name).collect();
        let message = format!("unknown runner `{}`; expected one of {}", python.runner, known.join(", "));
        return fault(&python.runner, message);
    }
    Ok(())
}

fn check_version(description: &Description) -> Result<(), Fault> {
    if description.version.pattern.has_capture("version") {
        return Ok(());
    }
    fault("[version]", "the pattern does not capture the version; expected a group `(?<version>...)`")
}

/// A theory under another name would never be asked for, and the analyzer would be left out in silence.
fn check_theories(description: &Description) -> Result<(), Fault> {
    let theories = description.smt.as_ref().map_or(&[][..], |smt| &smt.theories);
    let Some(unknown) = theories.iter().find(|name| !THEORIES.contains(&name.as_str())) else {
        return Ok(());
    };
    let meant = nearest(unknown, THEORIES).map_or(String::new(), |it| format!(" (did you mean `{it}`?)"));
    let message = format!("unknown theory `{unknown}`{meant}; expected some of {}", THEORIES.join(", "));
    fault(format!("\"{unknown}\""), message)
}

/// Every placeholder must be one that is filled in at its place.
fn check_placeholders(description: &Description) -> Result<(), Fault> {
    let mut groups: Vec<(&[String], &[&str])> =
        vec![(&description.configuration.arguments, &["key", "value"])];
    let python = description.python.as_ref();
    let smt = description.smt.as_ref();
    for modes in [smt.map(|smt| &smt.modes), python.map(|python| &python.modes)].into_iter().flatten() {
        groups.extend(calls(modes).map(|call| (&call.arguments[..], &["file"][..])));
        groups.extend(calls(modes).map(|call| (&call.incremental_arguments[..], &[][..])));
    }
    let resources =
        [smt.and_then(|smt| smt.resource.as_ref()), python.and_then(|python| python.resource.as_ref())];
    groups.extend(resources.into_iter().flatten().map(|limit| (&limit.arguments[..], &["units"][..])));
    let times = [smt.and_then(|smt| smt.time.as_ref()), python.and_then(|python| python.time.as_ref())];
    groups.extend(times.into_iter().flatten().map(|limit| (&limit.arguments[..], TIMES)));
    for calling in callings(description) {
        let placeholders = &["file", "options", "seconds", "milliseconds", "checks"][..];
        groups.extend(calling.steps.iter().map(|step| (&step.arguments[..], placeholders)));
        groups.extend(calling.options.iter().map(|option| (&option.arguments[..], &["value"][..])));
    }
    if let Some(role) = &description.datalog {
        let placeholders = &["file", "options", "seconds", "milliseconds"][..];
        groups.push((&role.arguments[..], placeholders));
        groups.extend(role.options.iter().map(|option| (&option.arguments[..], &["value"][..])));
    }
    for (arguments, allowed) in groups {
        arguments.iter().try_for_each(|argument| check_argument(argument, allowed))?;
    }
    Ok(())
}

/// How the analyzer is called in each of its roles on C programs.
fn callings(description: &Description) -> impl Iterator<Item = Calling<'_>> {
    let checks = [description.reachability.as_ref(), description.debug.as_ref()].into_iter().flatten();
    checks.map(ReachabilityRole::calling).chain(description.warnings.as_ref().map(WarningsRole::calling))
}

const TIMES: &[&str] = &["seconds", "milliseconds"];

/// An analyzer must be of some use, and its language must be that of its roles.
fn check_roles(description: &Description) -> Result<(), Fault> {
    let mut of_c = callings(description).peekable();
    match description.language {
        Language::Smt if description.smt.is_none() => {
            return fault("language", "an analyzer of `smt` needs a section `[smt]`");
        }
        Language::C if of_c.peek().is_none() => {
            let message = "an analyzer of `c` needs a section `[reachability]`, `[debug]` or `[warnings]`";
            return fault("language", message);
        }
        Language::Datalog if description.datalog.is_none() => {
            return fault("language", "an engine of `datalog` needs a section `[datalog]`");
        }
        _ => {}
    }
    if let Some(role) = &description.datalog {
        check_datalog(role, &description.configuration.arguments)?;
    }
    of_c.try_for_each(|calling| check_options(calling.options, &description.configuration.arguments))?;
    if let Some(role) = &description.reachability {
        check_reachability(role, Role::Reachability)?;
    }
    if let Some(role) = &description.debug {
        check_reachability(role, Role::Debug)?;
        check_debug(role)?;
    }
    description.warnings.as_ref().map_or(Ok(()), check_warnings)
}

fn check_datalog(role: &DatalogRole, rules: &[String]) -> Result<(), Fault> {
    let (languages, others): (Vec<CommandOption>, Vec<CommandOption>) =
        role.options.iter().cloned().partition(|option| option.name == DIALECT);
    let names = languages.iter().flat_map(|option| &option.values).chain([&role.dialect]);
    if let Some(unknown) = names.into_iter().find(|name| Dialect::from_name(name).is_none()) {
        let known: Vec<&str> = Dialect::ALL.iter().map(|it| it.name()).collect();
        let message = format!("`{unknown}` is no language of Datalog; there are {}", known.join(", "));
        return fault("dialect", message);
    }
    if languages.iter().any(|option| !option.arguments.is_empty()) {
        return fault("\"dialect\"", "the option `dialect` chooses the language; expected no arguments");
    }
    if role.programs_at_once == 0 {
        return fault("programs-at-once", "expected at least one program at once");
    }
    check_options(&others, rules)?;
    languages.iter().try_for_each(|it| check_bounds(it.since.as_deref(), it.until.as_deref()))?;
    role.output.rejections.iter().try_for_each(check_not_empty)
}

fn check_reachability(role: &ReachabilityRole, name: Role) -> Result<(), Fault> {
    check_spelling(&role.check, &["{condition}"])?;
    check_spelling(&role.assume, &["{condition}"])?;
    if let Some(spelling) = &role.check_guarded {
        check_spelling(spelling, &["{guard}", "{condition}"])?;
    }
    if let Some(spelling) = &role.check_within {
        check_spelling(spelling, &["{condition}"])?;
        if !spelling.trim_end().ends_with(',') {
            let message = "expected an expression and a comma, since an operand follows";
            return fault("check-within", format!("`check-within`: {message}"));
        }
    }
    check_steps(&role.steps, name)?;
    check_files(&role.files)?;
    for row in &role.output.rows {
        if role.reports_all && !row.names_its_check() {
            let message = "a row must say which check it is about; expected a group `check` or `line`, \
                or `reports-all = false` for an analyzer that is asked about one check at a time";
            return fault(row.pattern.as_str(), message);
        }
    }
    let output = &role.output;
    for pattern in output.incomplete.iter().chain(&output.failures.rejections) {
        check_not_empty(pattern)?;
    }
    Ok(())
}

/// A spelling is one line, so that the lines of all checks are known.
fn check_spelling(spelling: &str, placeholders: &[&str]) -> Result<(), Fault> {
    let missing = placeholders.iter().any(|placeholder| !spelling.contains(placeholder));
    if missing || spelling.contains('\n') {
        let near = spelling.lines().next().unwrap_or_default();
        return fault(near, format!("expected one line with the placeholder {}", placeholders.join(" and ")));
    }
    Ok(())
}

/// What an engine knows is nothing where it says nothing or several things.
fn check_debug(role: &ReachabilityRole) -> Result<(), Fault> {
    if role.check_within.is_none() {
        let message =
            "`[debug]` needs `check-within`: a check inside of an expression, with a comma behind it";
        return fault("[debug]", message);
    }
    if !role.output.agreement || role.output.silent != Some(CheckStatus::Unknown) {
        let message = "expected `agreement = true` and `silent = \"unknown\"`: of a check of which the analyzer says \
            several things or nothing, its engine does not know";
        return fault("[debug.output]", message);
    }
    match role.output.rows.iter().find(|row| !row.pattern.has_capture("values")) {
        Some(row) => {
            let message = "a row must keep the word that was printed; expected a group `(?<values>...)`";
            fault(row.pattern.as_str(), message)
        }
        None => Ok(()),
    }
}

fn check_warnings(role: &WarningsRole) -> Result<(), Fault> {
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
            let message = "a miss is deliberate only if somebody says so; expected `what` and `source`";
            return fault("deliberate-misses", message);
        }
    }
    let output = &role.output;
    output.failures.rejections.iter().chain(&output.incomplete).try_for_each(check_not_empty)?;
    match (output.format, output.rows.is_empty()) {
        (WarningFormat::Rows, true) => fault("[warnings.output]", "the format `rows` needs `rows`"),
        (WarningFormat::Rows, false) => output.rows.iter().try_for_each(check_warning_row),
        (_, true) => Ok(()),
        (_, false) => fault("[warnings.output]", "only the format `rows` takes `rows`"),
    }
}

fn check_warning_row(row: &WarningRow) -> Result<(), Fault> {
    let needed: &[&str] = if row.note { &["line"] } else { &["line", "checker"] };
    match needed.iter().find(|name| !row.pattern.has_capture(name)) {
        Some(name) => fault(row.pattern.as_str(), format!("expected a group `(?<{name}>...)`")),
        None => check_not_empty(&row.pattern),
    }
}

/// There must be something to run, and what is run once comes first.
fn check_steps(steps: &[Step], name: Role) -> Result<(), Fault> {
    let section = name.section();
    if steps.is_empty() {
        let steps = section.replace(']', ".steps]");
        return fault(section, format!("nothing to run; expected at least one `[{steps}]`"));
    }
    steps.iter().try_for_each(|step| check_bounds(step.since.as_deref(), step.until.as_deref()))?;
    check_once(steps)
}

fn check_files(files: &[String]) -> Result<(), Fault> {
    match files.iter().find(|name| support_file(name).is_none()) {
        Some(unknown) => fault(unknown, format!("juvenal has no file `{unknown}` of its own")),
        None => Ok(()),
    }
}

/// A bound that cannot be compared would hide what it stands at.
fn check_bounds(since: Option<&str>, until: Option<&str>) -> Result<(), Fault> {
    match since.into_iter().chain(until).find(|bound| release_of(bound).is_none()) {
        Some(bound) => {
            fault(format!("\"{bound}\""), format!("`{bound}` is no version; expected numbers such as `12.2`"))
        }
        None => Ok(()),
    }
}

/// What an option declares must make sense, and what only users may choose must be in their reach.
fn check_options(options: &[CommandOption], rules: &[String]) -> Result<(), Fault> {
    for (index, option) in options.iter().enumerate() {
        let near = format!("\"{}\"", option.name);
        check_bounds(option.since.as_deref(), option.until.as_deref())?;
        let takes_value = option.arguments.iter().any(|argument| argument.contains("{value}"));
        if option.values.is_empty() || (!takes_value && option.values.len() > 1) {
            let message = "expected at least one value, and only one where no argument has {value}";
            return fault(near, format!("the option `{}`: {message}", option.name));
        }
        if option.ordered && (option.values.len() < 2 || !option.sound) {
            let message = "only two or more sound values can be `ordered`";
            return fault(near, format!("the option `{}`: {message}", option.name));
        }
        if options[..index].iter().any(|earlier| overlap(earlier, option)) {
            let message =
                "it is listed twice; expected once, or once with sound and once with other, unsound values";
            return fault(near, format!("the option `{}`: {message}", option.name));
        }
        let chosen: Vec<String> =
            rules.iter().map(|rule| fill(rule, &[("key", option.name.as_str())])).collect();
        if !option.sound && chosen != option.arguments {
            let message = format!(
                "it is unsound, so it is never drawn, and users cannot choose it: [configuration] makes `{}` of it",
                chosen.join(" ")
            );
            return fault(near, format!("the option `{}`: {message}", option.name));
        }
    }
    Ok(())
}

/// A step that is run once knows nothing of the program, and everything else comes after it.
fn check_once(steps: &[Step]) -> Result<(), Fault> {
    let (once, each) = steps.split_at(steps.iter().take_while(|step| step.once).count());
    if each.is_empty() || each.iter().any(|step| step.once) {
        return fault("once = ", "steps with `once` come first, and at least one step without it follows");
    }
    for argument in once.iter().flat_map(|step| &step.arguments) {
        check_argument(argument, &["options"]).map_err(|fault| Fault {
            message: format!("a step with `once` serves every program: {}", fault.message),
            ..fault
        })?;
    }
    Ok(())
}

/// True if two entries of one name are both sound, both unsound, or share a value.
fn overlap(left: &CommandOption, right: &CommandOption) -> bool {
    let shared = left.values.iter().any(|value| right.values.contains(value));
    left.name == right.name && (left.sound == right.sound || shared)
}

fn calls(modes: &Modes) -> impl Iterator<Item = &ModeCall> {
    [Some(&modes.process), modes.reset.as_ref(), modes.push.as_ref()].into_iter().flatten()
}

fn check_argument(argument: &str, allowed: &[&str]) -> Result<(), Fault> {
    if first_unknown(argument, allowed).is_none() {
        return Ok(());
    }
    let allowed: Vec<String> = allowed.iter().map(|name| format!("{{{name}}}")).collect();
    let expected = if allowed.is_empty() { "none here".to_owned() } else { allowed.join(" or ") };
    fault(argument, format!("unknown placeholder in `{argument}`; expected {expected}"))
}

/// A session needs an echo, by which the end of an answer is seen.
fn check_sessions(description: &Description) -> Result<(), Fault> {
    let Some(smt) = &description.smt else { return Ok(()) };
    let sessions = smt.modes.reset.is_some() || smt.modes.push.is_some();
    if sessions && smt.output.echo == Echo::None {
        return fault("echo", "a session needs an echo; expected `plain` or `quoted`, or no such modes");
    }
    Ok(())
}

/// A pattern that matches everything would hide every refusal, or every answer.
fn check_refusals(description: &Description) -> Result<(), Fault> {
    let Some(output) = description.smt.as_ref().map(|smt| &smt.output) else { return Ok(()) };
    let lists = [
        &output.expected_refusals,
        &output.harmless_errors,
        &output.failed_checks,
        &output.rejections,
        &output.ignored_lines,
    ];
    lists.into_iter().flatten().try_for_each(check_not_empty)
}

fn check_not_empty(pattern: &Pattern) -> Result<(), Fault> {
    if pattern.is_match(b"") {
        let message = "this pattern matches the empty text, so it would match everything";
        return fault(pattern.as_str(), message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: &str = include_str!("../../../analyzers/exact-c.toml");

    fn check(old: &str, new: &str, expected: &str) {
        assert!(EXACT.contains(old), "{old}");
        let error = Description::parse("mine.toml", &EXACT.replace(old, new)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn steps_that_are_run_once_know_no_program() {
        let first = "steps with `once` come first";
        check("arguments = [\"--mode\"", "once = true\narguments = [\"--mode\"", first);
        check(
            "\"execute.c\"]",
            "\"{file}\"]",
            "a step with `once` serves every program: unknown placeholder",
        );
        check("\"execute.c\"]", "\"-DCHECKS={checks}\"]", "expected {options}");
    }
}
