//! The common parts of scripts for engines that are Python modules.

use super::syntax::quoted;

/// Prints rows in the format of [`super::rows`]. A value that is neither an integer nor a string raises an error.
pub(super) const PRINTING: &str = r#"
import sys

sys.stdout.reconfigure(encoding="utf-8", newline="\n")


def show_value(value):
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    raise ValueError("no value: %r" % (value,))


def show_rows(name, rows):
    print("begin " + name)
    for row in rows:
        print("\t".join([name] + [show_value(value) for value in row]))
    print("end " + name)
"#;

/// Writes a Python string literal with one source line for each line of the text.
pub(super) fn python_text(text: &str) -> String {
    let lines: Vec<String> =
        text.split_inclusive('\n').map(|line| format!("    {}", quoted(line, '"'))).collect();
    format!("(\n{}\n)", lines.join("\n"))
}
