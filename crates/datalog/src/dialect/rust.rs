//! The common parts of engines that are Rust macros: values, printing, and several programs in one file.

use super::syntax::{constant_text, infix_or_call};
use crate::program::{Constant, Operator, Program, Type};

/// Prints values in the format of [`super::rows`].
const PRINTING: &str = r#"#![allow(warnings)]

trait Show {
    fn show(&self) -> String;
}

impl Show for i64 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for u64 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for &'static str {
    fn show(&self) -> String {
        self.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n")
    }
}
"#;

/// Returns the Rust type of a column.
pub(super) fn rust_type(r#type: Type) -> &'static str {
    match r#type {
        Type::Signed => "i64",
        Type::Unsigned => "u64",
        Type::Float => "f64",
        Type::Symbol => "&'static str",
    }
}

/// Writes a constant with a type suffix.
pub(super) fn rust_constant(constant: &Constant) -> String {
    match constant {
        Constant::Signed(number) if *number < 0 => format!("({number}i64)"),
        Constant::Signed(number) => format!("{number}i64"),
        Constant::Unsigned(number) => format!("{number}u64"),
        other => constant_text(other, |text| format!("{text:?}")),
    }
}

/// Writes an operation in Rust.
pub(super) fn rust_operation(operator: Operator, operands: &[String]) -> String {
    match (operator, operands) {
        (Operator::Minimum, [left, right]) => format!("std::cmp::min({left}, {right})"),
        (Operator::Maximum, [left, right]) => format!("std::cmp::max({left}, {right})"),
        _ => infix_or_call(operator, operands),
    }
}

/// Writes the statements that print a relation, iterating over the expression `rows`.
pub(super) fn printing(name: &str, rows: &str, columns: usize) -> String {
    let values: String = (0..columns).map(|place| format!(", Show::show(&row.{place})")).collect();
    let places = "\\t{}".repeat(columns);
    format!(
        "        print!(\"begin {name}\\n\");\n        for row in {rows} {{\n            print!(\"{name}{places}\\n\"{values});\n        }}\n        print!(\"end {name}\\n\");\n"
    )
}

/// Writes a file for several programs that prints a line `program NUMBER` before the results of each.
pub(super) fn file_of_many(
    programs: &[&Program],
    module: impl Fn(&Program, &str) -> Result<String, String>,
) -> Result<String, String> {
    let mut text = PRINTING.to_owned();
    let mut calls = String::new();
    for (number, program) in programs.iter().enumerate() {
        text.push('\n');
        text += &module(program, &format!("program_{number}"))?;
        calls += &format!("    print!(\"program {number}\\n\");\n    program_{number}::run();\n");
    }
    Ok(format!("{text}\nfn main() {{\n{calls}}}\n"))
}

/// Writes a file for one program.
pub(super) fn file_of_one(
    program: &Program,
    module: impl Fn(&Program, &str) -> Result<String, String>,
) -> Result<String, String> {
    let module = module(program, "program")?;
    Ok(format!("{PRINTING}\n{module}\nfn main() {{\n    program::run();\n}}\n"))
}

/// Splits the output of several programs, in their order.
pub(super) fn split_output(output: &str, count: usize) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let mut rest = output.strip_prefix("program 0\n").ok_or("no program printed anything")?;
    for number in 1..count {
        let marker = format!("\nprogram {number}\n");
        let (part, after) =
            rest.split_once(&marker).ok_or_else(|| format!("program {number} printed nothing"))?;
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    Ok(parts)
}
