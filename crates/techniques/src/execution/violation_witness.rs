//! Violation witnesses in format 2.0 of SV-COMP, in YAML.
//!
//! Every consumed input with a known call becomes a `function_return` waypoint at the closing parenthesis of that call,
//! with a constraint on `\result`, the only form that the format has. An input without a waypoint makes the witness weaker,
//! not wrong. The last waypoint is the `target`, at the error call.

use super::call_site::{CallSite, call_sites};
use super::input_list::{ConsumedInput, InputValue};
use super::input_type::Format;
use super::task::{FILE, Task};
use c::Program;
use model::{CInput, DataModel};
use sha2::{Digest, Sha256};

/// The creation time of all witnesses. The format requires one, and a fixed one makes witnesses reproducible.
const CREATION_TIME: &str = "1970-01-01T00:00:00Z";

/// Returns the witness for a task that these inputs violate.
pub(super) fn text(
    task: &Task,
    input: &CInput,
    program: Option<&Program>,
    consumed: &[ConsumedInput],
) -> String {
    let sites = program.map(call_sites).unwrap_or_default();
    let content = content(task, program, &sites, consumed);
    metadata(task, input.data_model, &content) + &content
}

fn metadata(task: &Task, data_model: DataModel, content: &str) -> String {
    let hash = hexadecimal(&Sha256::digest(task.text.as_bytes()));
    let uuid = uuid(&(hash.clone() + content));
    let data_model = match data_model {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
    };
    let version = env!("CARGO_PKG_VERSION");
    format!(
        r#"- entry_type: "violation_sequence"
  metadata:
    format_version: "2.0"
    uuid: "{uuid}"
    creation_time: "{CREATION_TIME}"
    producer:
      name: "juvenal"
      version: "{version}"
    task:
      input_files:
        - "{FILE}"
      input_file_hashes:
        "{FILE}": "{hash}"
      specification: "G ! call(reach_error())"
      data_model: "{data_model}"
      language: "C"
"#
    )
}

/// Returns a name-based UUID. Its version is 5, although it uses a better hash than that version prescribes.
fn uuid(name: &str) -> String {
    let mut bytes = Sha256::digest(name.as_bytes());
    bytes[6] = 0x50 | bytes[6] & 0x0f;
    bytes[8] = 0x80 | bytes[8] & 0x3f;
    let parts = [&bytes[..4], &bytes[4..6], &bytes[6..8], &bytes[8..10], &bytes[10..16]];
    parts.map(hexadecimal).join("-")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn content(task: &Task, program: Option<&Program>, sites: &[CallSite], consumed: &[ConsumedInput]) -> String {
    let mut text = "  content:\n".to_owned();
    for input in consumed {
        let Some((place, constraint)) = waypoint(sites, input) else { continue };
        let constraint = format!(
            "            constraint:\n              value: \"{constraint}\"\n              format: \"acsl_expression\"\n"
        );
        let location = location(task, program, task.offset_of(place), place);
        text.push_str(&segment("function_return", &constraint, &location));
    }
    let location = location(task, program, task.target, task.target_place);
    text + &segment("target", "", &location)
}

fn segment(waypoint_type: &str, constraint: &str, location: &str) -> String {
    format!(
        "    - segment:\n        - waypoint:\n            type: \"{waypoint_type}\"\n            action: \"follow\"\n{constraint}{location}"
    )
}

/// Returns the closing parenthesis of the call that consumed an input, and a constraint on its result.
fn waypoint(sites: &[CallSite], input: &ConsumedInput) -> Option<(u32, String)> {
    let site = sites.get(input.call?.checked_sub(1)?)?;
    // Functions that fill memory consume inputs too, but do not return them.
    if site.type_name != input.input_type.name {
        return None;
    }
    Some((site.closing?, constraint(input)?))
}

fn location(task: &Task, program: Option<&Program>, offset: usize, place: u32) -> String {
    let (line, column) = task.line_and_column(offset);
    let mut text = format!(
        "            location:\n              file_name: \"{FILE}\"\n              line: {line}\n              column: {column}\n"
    );
    if let Some(function) = program.and_then(|program| function_around(program, place)) {
        text.push_str(&format!("              function: \"{function}\"\n"));
    }
    text
}

/// Returns the innermost function around an offset, or `None` if its name would need an escape.
fn function_around(program: &Program, place: u32) -> Option<String> {
    let around =
        program.functions.iter().filter(|function| function.span.range().contains(&(place as usize)));
    let innermost = around.max_by_key(|function| function.span.start)?;
    let name = program.name(program.entities[innermost.entity].name);
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then(|| name.into_owned())
}

/// Returns a comparison of `\result` with a constant, escaped for YAML, or `None` if C has no constant for the value.
fn constraint(input: &ConsumedInput) -> Option<String> {
    let sign = |is_negative: bool| if is_negative { "-" } else { "" };
    let is_long = input.input_type.format == Format::LongDouble;
    let suffix = if is_long { "L" } else { "" };
    match input.value {
        InputValue::Integer { is_negative, magnitude } => {
            let constant = integer_constant(is_negative, magnitude)?;
            Some(format!("\\\\result == {constant}"))
        }
        InputValue::Finite { is_negative, mantissa, exponent } => {
            // A hexadecimal constant is exact; readers might round a decimal one differently.
            Some(format!("\\\\result == {}{mantissa:#x}p{exponent}{suffix}", sign(is_negative)))
        }
        InputValue::Infinite { is_negative } => {
            let greatest = match input.input_type.format {
                Format::Float => "0xffffffp104",
                Format::Integer | Format::Double => "0x1fffffffffffffp971",
                Format::LongDouble => "0xffffffffffffffffp16320L",
            };
            let operator = if is_negative { "<" } else { ">" };
            Some(format!("\\\\result {operator} {}{greatest}", sign(is_negative)))
        }
        InputValue::NotANumber { .. } => None,
    }
}

fn integer_constant(is_negative: bool, magnitude: u128) -> Option<String> {
    if is_negative {
        return (magnitude <= 1 << 63).then(|| format!("-{magnitude}"));
    }
    match u64::try_from(magnitude).ok()? {
        small if i64::try_from(small).is_ok() => Some(small.to_string()),
        // Without a suffix, C would read it as a signed constant that is too large.
        great => Some(format!("{great}u")),
    }
}
