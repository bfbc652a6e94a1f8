//! What a description must satisfy beyond its shape: the rules that all roles share.

use crate::calling::{CommandOption, Step};
use crate::description::Description;
use crate::placeholder::OPTIONS;
use crate::roles::ROLES;
use crate::runner;
use crate::support::support_file;
use descriptions::{Fault, Pattern, check_name, check_texts, fault, fill, first_unknown};
use model::{Role, release_of};

/// Finds the first fault.
pub(crate) fn check(description: &Description) -> Result<(), Fault> {
    check_name(&description.name)?;
    check_texts(&[
        ("title", &description.title),
        ("summary", &description.summary),
        ("family", &description.family),
        ("homepage", &description.homepage),
    ])?;
    check_find(description)?;
    check_version(description)?;
    check_variants(description)?;
    check_language(description)?;
    let arguments = &description.configuration.arguments;
    arguments.iter().try_for_each(|argument| check_argument(argument, &["key", "value"]))?;
    ROLES.iter().try_for_each(|kind| (kind.validate)(description))
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
    fault("[version]", "the pattern has no group for the version; expected `(?<version>...)`")
}

fn check_variants(description: &Description) -> Result<(), Fault> {
    for variant in &description.variants {
        check_name(&variant.name)?;
        if variant.programs.is_empty() || !variant.version_pattern.has_capture("version") {
            let message = "expected `programs` and a `version-pattern` with a group `(?<version>...)`";
            return fault("[[variants]]", format!("the variant `{}`: {message}", variant.name));
        }
    }
    Ok(())
}

/// An analyzer needs a role in its language; it may have roles in others.
fn check_language(description: &Description) -> Result<(), Fault> {
    let roles = || ROLES.iter().filter(|kind| description.language.has_role(kind.role));
    if roles().any(|kind| (kind.summary)(description).is_some()) {
        return Ok(());
    }
    let sections: Vec<String> = roles().map(|kind| format!("`[{}]`", kind.role)).collect();
    let sections = match sections.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => sections.concat(),
    };
    let language = description.language.name();
    fault("language", format!("an analyzer of `{language}` needs a section {sections}"))
}

/// Checks the placeholders of an analyzer of C programs.
pub(crate) fn check_calling(steps: &[Step], options: &[CommandOption]) -> Result<(), Fault> {
    for argument in steps.iter().flat_map(|step| &step.arguments) {
        check_argument(argument, &["file", "options", "seconds", "milliseconds", "checks"])?;
    }
    let mut arguments = options.iter().flat_map(|option| &option.arguments);
    arguments.try_for_each(|argument| check_argument(argument, &["value"]))
}

/// There must be something to run, and steps that run once come first.
pub(crate) fn check_steps(steps: &[Step], role: Role) -> Result<(), Fault> {
    if steps.is_empty() {
        let message = format!("nothing to run; expected at least one `[[{role}.steps]]`");
        return fault(format!("[{role}]"), message);
    }
    steps.iter().try_for_each(|step| check_bounds(step.since.as_deref(), step.until.as_deref()))?;
    check_confined(steps)?;
    check_once(steps)
}

pub(crate) fn check_files(files: &[String]) -> Result<(), Fault> {
    match files.iter().find(|name| support_file(name).is_none()) {
        Some(unknown) => fault(unknown, format!("juvenal has no support file `{unknown}`")),
        None => Ok(()),
    }
}

/// A bound that cannot be compared would disable what it limits.
pub(crate) fn check_bounds(since: Option<&str>, until: Option<&str>) -> Result<(), Fault> {
    match since.into_iter().chain(until).find(|bound| release_of(bound).is_none()) {
        Some(bound) => fault(
            format!("\"{bound}\""),
            format!("`{bound}` is not a version; expected numbers such as `12.2`"),
        ),
        None => Ok(()),
    }
}

/// The declaration of an option must make sense, and users must be able to choose what is never drawn.
pub(crate) fn check_options(options: &[CommandOption], rules: &[String]) -> Result<(), Fault> {
    let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    for option in options {
        option.tune.iter().try_for_each(|tune| tune.check(&option.name, &option.values, &names))?;
    }
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
            let message = "it is listed twice; expected one entry, or one with sound and one with other, unsound values";
            return fault(near, format!("the option `{}`: {message}", option.name));
        }
        let chosen: Vec<String> =
            rules.iter().map(|rule| fill(rule, &[("key", option.name.as_str())])).collect();
        if !option.sound && chosen != option.arguments {
            let message = format!(
                "it is unsound, so it is never drawn, but users cannot choose it either: [configuration] turns it into `{}`",
                chosen.join(" ")
            );
            return fault(near, format!("the option `{}`: {message}", option.name));
        }
    }
    Ok(())
}

/// Other programs than the analyzer are confined without being asked, so saying it would suggest a choice.
fn check_confined(steps: &[Step]) -> Result<(), Fault> {
    let needless = steps.iter().filter(|step| step.confined).find_map(|step| step.program.as_ref());
    match needless {
        Some(program) => fault(
            "confined = ",
            format!("`{program}` is confined anyway; `confined` is for steps that run the analyzer itself"),
        ),
        None => Ok(()),
    }
}

/// A step that runs once does not depend on the program, and comes before all others.
fn check_once(steps: &[Step]) -> Result<(), Fault> {
    let (once, each) = steps.split_at(steps.iter().take_while(|step| step.once).count());
    if each.is_empty() || each.iter().any(|step| step.once) {
        return fault(
            "once = ",
            "steps with `once` must come first, followed by at least one step without it",
        );
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

pub(crate) fn check_argument(argument: &str, allowed: &[&str]) -> Result<(), Fault> {
    if argument.contains(OPTIONS) && argument != OPTIONS {
        let message = "several arguments take the place of {options}; expected it as an argument of its own";
        return fault(argument, format!("`{argument}`: {message}"));
    }
    if first_unknown(argument, allowed).is_none() {
        return Ok(());
    }
    let allowed: Vec<String> = allowed.iter().map(|name| format!("{{{name}}}")).collect();
    let expected = if allowed.is_empty() { "none here".to_owned() } else { allowed.join(" or ") };
    fault(argument, format!("unknown placeholder in `{argument}`; expected {expected}"))
}

/// A pattern that matches everything would hide every refusal, or every answer.
pub(crate) fn check_not_empty(pattern: &Pattern) -> Result<(), Fault> {
    if pattern.is_match(b"") {
        let message = "this pattern matches the empty text, and therefore everything";
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
    fn a_list_of_options_is_an_argument_of_its_own() {
        check("\"{options}\"", "\"-x{options}\"", "expected it as an argument of its own");
    }

    #[test]
    fn steps_that_run_once_do_not_see_the_program() {
        let first = "steps with `once` must come first";
        check("arguments = [\"--mode\"", "once = true\narguments = [\"--mode\"", first);
        check(
            "\"execute.c\"]",
            "\"{file}\"]",
            "a step with `once` serves every program: unknown placeholder",
        );
        check("\"execute.c\"]", "\"-DCHECKS={checks}\"]", "expected {options}");
    }

    #[test]
    fn only_steps_of_the_analyzer_itself_can_be_declared_confined() {
        check("arguments = [\"--mode\"", "confined = true\narguments = [\"--mode\"", "is confined anyway");
    }
}
