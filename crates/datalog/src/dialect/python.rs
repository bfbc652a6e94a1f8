//! What scripts for engines that are Python modules have in common.

use super::syntax::quoted;

/// Prints rows in our own form. A value that is neither a whole number nor a text ends the script with an error.
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

/// A text that may have several lines, as Python writes it: one line of the text a line.
pub(super) fn python_text(text: &str) -> String {
    let lines: Vec<String> =
        text.split_inclusive('\n').map(|line| format!("    {}", quoted(line, '"'))).collect();
    format!("(\n{}\n)", lines.join("\n"))
}
