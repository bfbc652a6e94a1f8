//! Reads fact files: one row per line, with a delimiter between the values.

use crate::program::{Constant, Tuple, Type};

/// The file that an `.input` statement names.
pub(super) struct FactFile {
    pub(super) name: String,
    pub(super) delimiter: String,
}

impl FactFile {
    /// Returns the file that the parameters name, or `None` if it is not a plain table.
    pub(super) fn new(relation: &str, parameters: &[(&str, &str)]) -> Option<FactFile> {
        let mut file = FactFile { name: format!("{relation}.facts"), delimiter: "\t".to_owned() };
        for (parameter, value) in parameters {
            let value = value.trim_matches('"');
            match *parameter {
                "filename" => file.name = value.to_owned(),
                "delimiter" if !value.is_empty() => file.delimiter = value.replace("\\t", "\t"),
                "IO" if value == "file" => {}
                _ => return None,
            }
        }
        Some(file)
    }

    /// Reads all rows. An error names the line that does not match the columns.
    pub(super) fn rows(&self, columns: &[Type], text: &str) -> Result<Vec<Tuple>, String> {
        let mut rows = Vec::new();
        for (number, line) in text.lines().enumerate() {
            // An empty line is a row only if the row is a single string.
            if line.is_empty() && columns != [Type::Symbol] {
                continue;
            }
            let row = self.row(columns, line).ok_or_else(|| {
                let (file, line_number) = (&self.name, number + 1);
                let wanted: Vec<String> = columns.iter().map(Type::to_string).collect();
                format!("line {line_number} of {file}: expected ({}), found `{line}`", wanted.join(", "))
            })?;
            rows.push(row);
        }
        Ok(rows)
    }

    fn row(&self, columns: &[Type], line: &str) -> Option<Tuple> {
        if columns.is_empty() {
            return (line == "()").then(Vec::new);
        }
        let mut fields = line.split(self.delimiter.as_str());
        let row: Option<Tuple> = columns.iter().map(|column| value(fields.next()?, *column)).collect();
        row.filter(|_| fields.next().is_none())
    }
}

fn value(field: &str, column: Type) -> Option<Constant> {
    match column {
        Type::Signed => signed(field).map(Constant::Signed),
        Type::Unsigned => unsigned(field).map(Constant::Unsigned),
        Type::Float => field.parse().ok().filter(|value: &f64| value.is_finite()).map(Constant::float),
        Type::Symbol => Some(Constant::Symbol(field.into())),
    }
}

fn signed(field: &str) -> Option<i64> {
    match field.strip_prefix('-') {
        Some(magnitude) => i64::try_from(-i128::from(unsigned(magnitude)?)).ok(),
        None => i64::try_from(unsigned(field)?).ok(),
    }
}

fn unsigned(field: &str) -> Option<u64> {
    match field.get(..2) {
        Some("0x" | "0X") => u64::from_str_radix(field.get(2..)?, 16).ok(),
        Some("0b" | "0B") => u64::from_str_radix(field.get(2..)?, 2).ok(),
        _ => field.parse().ok(),
    }
}
