//! What a description must satisfy beyond its shape.

use crate::output::{Output, ReportFormat};
use crate::tool::{Dependencies, ProjectConfiguration, Tool, ToolStep};
use descriptions::{Fault, check_name, check_texts, fault, first_unknown};

/// Placeholders that stand for several arguments; each is an argument of its own.
const WHOLE: [&str; 3] = ["{options}", "{configuration}", "{flags}"];

/// Finds the first fault.
pub(crate) fn check(tool: &Tool) -> Result<(), Fault> {
    check_name(&tool.name)?;
    check_texts(&[("title", &tool.title), ("summary", &tool.summary), ("homepage", &tool.homepage)])?;
    check_lists(tool)?;
    check_version(tool)?;
    tool.steps.iter().try_for_each(check_step)?;
    check_values(tool)?;
    check_files(tool)?;
    check_output(&tool.output)
}

fn check_lists(tool: &Tool) -> Result<(), Fault> {
    if tool.languages.is_empty() {
        return fault("languages", "expected at least one language");
    }
    if let Some(ending) = tool.endings.iter().find(|ending| ending.is_empty() || ending.contains(['.', '/']))
    {
        return fault("endings", format!("the ending `{ending}` is not valid; expected one such as `py`"));
    }
    if tool.find.programs.is_empty() {
        return fault("[find]", "nothing to find; expected `programs`");
    }
    if tool.steps.is_empty() {
        return fault("steps", "nothing to run; expected at least one `[[steps]]`");
    }
    match tool.most_files {
        Some(0) => fault("most-files", "expected a number from 1"),
        Some(_) if tool.dependencies == Dependencies::Definitions => {
            let reason =
                "a tool that follows calls into other files must be given all of them in one command";
            fault(
                "most-files",
                format!("`most-files` does not go with `dependencies = \"definitions\"`: {reason}"),
            )
        }
        _ => Ok(()),
    }
}

fn check_version(tool: &Tool) -> Result<(), Fault> {
    if tool.version.pattern.has_capture("version") {
        return Ok(());
    }
    fault("[version]", "the pattern has no group for the version; expected `(?<version>...)`")
}

fn check_step(step: &ToolStep) -> Result<(), Fault> {
    for argument in step.arguments.iter().filter(|argument| !WHOLE.contains(&argument.as_str())) {
        check_placeholders(argument, &["file", "number", "root", "scratch"])?;
    }
    if !step.each && step.arguments.iter().any(|argument| argument == "{flags}") {
        return fault("{flags}", "`{flags}` are those of one file; expected a step with `each = true`");
    }
    step.output
        .iter()
        .try_for_each(|output| check_placeholders(output, &["file", "number", "root", "scratch"]))
}

fn check_values(tool: &Tool) -> Result<(), Fault> {
    let ProjectConfiguration { arguments, default_arguments, .. } = &tool.configuration;
    let arguments = arguments.iter().chain(default_arguments);
    arguments
        .chain(tool.environment.values())
        .try_for_each(|text| check_placeholders(text, &["root", "scratch"]))
}

fn check_placeholders(text: &str, allowed: &[&str]) -> Result<(), Fault> {
    match first_unknown(text, allowed) {
        None => Ok(()),
        Some(unknown) => {
            let known: Vec<String> = allowed.iter().map(|name| format!("`{{{name}}}`")).collect();
            let message = format!("unknown placeholder at `{unknown}`; expected {}", known.join(", "));
            fault(text, message)
        }
    }
}

fn check_files(tool: &Tool) -> Result<(), Fault> {
    match tool.files.iter().find(|file| file.name.is_empty() || file.name.contains('/') || file.name == "..")
    {
        Some(file) => {
            fault("[[files]]", format!("`{}` is not valid; expected the name of a file", file.name))
        }
        None => Ok(()),
    }
}

fn check_output(output: &Output) -> Result<(), Fault> {
    let is_json = matches!(output.format, ReportFormat::Json | ReportFormat::JsonLines);
    match (is_json, &output.json, output.format, output.rows.is_empty()) {
        (true, None, ..) => fault("[output]", "the format needs the section `[output.json]`"),
        (_, _, ReportFormat::Text, true) => fault("[output]", "the format `text` needs `[[output.rows]]`"),
        _ => check_pointers(output),
    }
}

fn check_pointers(output: &Output) -> Result<(), Fault> {
    let Some(fields) = &output.json else { return Ok(()) };
    let required = [&fields.results, &fields.file, &fields.line, &fields.rule, &fields.message];
    let optional = [&fields.column, &fields.end_line, &fields.end_column, &fields.level];
    let more = [&fields.rule_name, &fields.help, &fields.suppressed];
    let failures =
        fields.failures.iter().flat_map(|failures| [&failures.list, &failures.file, &failures.message]);
    let nested = fields.nested.iter();
    let mut pointers =
        required.into_iter().chain(optional.into_iter().chain(more).flatten()).chain(failures).chain(nested);
    match pointers.find(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
        Some(pointer) => fault(pointer, format!("`{pointer}` is no JSON pointer; expected `/{pointer}`")),
        None => Ok(()),
    }
}
