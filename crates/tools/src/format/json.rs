//! Reports in JSON of any shape: pointers say where the fields are.

use super::{TextBudget, json_value, level};
use crate::output::{JsonFailures, JsonFields, Output};
use model::{FileFailure, ProjectReport, ResultPlace, Rule, ToolResult};
use serde_json::Value;

/// Reads a report that is one value.
pub(super) fn read(output: &Output, text: &[u8]) -> Result<ProjectReport, String> {
    let Some(fields) = &output.json else { return Err("its fields are not described".to_owned()) };
    let value = json_value::parse(text)?;
    let Some(entries) = value.pointer(&fields.results).and_then(Value::as_array) else {
        return Err(format!("expected a list at `{}`", fields.results));
    };
    let mut reader = FieldReader { output, fields, budget: TextBudget::of(text) };
    let mut report = ProjectReport::default();
    entries.iter().try_for_each(|entry| reader.add_entry(entry, &mut report))?;
    report.failures = fields.failures.iter().flat_map(|failures| listed_failures(failures, &value)).collect();
    Ok(report)
}

/// Reads a report with one value on each line. Other lines say nothing.
pub(super) fn read_lines(output: &Output, text: &[u8]) -> Result<ProjectReport, String> {
    let Some(fields) = &output.json else { return Err("its fields are not described".to_owned()) };
    let mut reader = FieldReader { output, fields, budget: TextBudget::of(text) };
    let mut report = ProjectReport::default();
    for line in text.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
        let value = json_value::parse(line)?;
        let entry = value.pointer(&fields.results).ok_or_else(|| format!("expected `{}`", fields.results))?;
        reader.add_entry(entry, &mut report)?;
    }
    Ok(report)
}

fn listed_failures(failures: &JsonFailures, value: &Value) -> Vec<FileFailure> {
    let failure = |entry: &Value| FileFailure {
        file: json_value::text(entry, &failures.file),
        message: json_value::text(entry, &failures.message).unwrap_or_default(),
    };
    json_value::list(value, &failures.list).iter().map(failure).collect()
}

struct FieldReader<'a> {
    output: &'a Output,
    fields: &'a JsonFields,
    budget: TextBudget,
}

impl FieldReader<'_> {
    /// Adds the results of an entry, which is a result or has a list of them.
    fn add_entry(&mut self, entry: &Value, report: &mut ProjectReport) -> Result<(), String> {
        if self.fields.nested.is_empty() {
            return self.add(&[entry], report);
        }
        let mut inner = self.fields.nested.iter().flat_map(|nested| json_value::list(entry, nested));
        inner.try_for_each(|inner| self.add(&[inner, entry], report))
    }

    /// Adds a result, whose fields are looked up in these values, in order.
    fn add(&mut self, values: &[&Value], report: &mut ProjectReport) -> Result<(), String> {
        let text = |pointer: &str| values.iter().find_map(|value| json_value::text(value, pointer));
        let optional = |pointer: &Option<String>| pointer.as_ref().and_then(|pointer| text(pointer));
        let rule = text(&self.fields.rule).unwrap_or_else(|| self.output.default_rule.clone());
        let Some(message) = text(&self.fields.message) else {
            return Err(format!("expected a message at `{}`", self.fields.message));
        };
        let (name, help) = (optional(&self.fields.rule_name), optional(&self.fields.help));
        if name.is_some() || help.is_some() {
            report.rules.push(Rule { id: rule.clone(), name, description: None, help });
        }
        let result = ToolResult {
            rule,
            level: level(self.output, optional(&self.fields.level).as_deref()),
            message,
            place: text(&self.fields.file).map(|file| self.place(file, values)),
            related: Vec::new(),
            fingerprints: Default::default(),
            suppressed: self.is_suppressed(values),
        };
        self.budget.take(&result)?;
        report.results.push(result);
        Ok(())
    }

    fn place(&self, file: String, values: &[&Value]) -> ResultPlace {
        let number = |pointer: &str| values.iter().find_map(|value| json_value::number(value, pointer));
        let line =
            |pointer: &Option<String>| pointer.as_ref().and_then(|pointer| number(pointer)).unwrap_or(0);
        let shift = 1u32.saturating_sub(self.fields.first_column);
        let first_line = number(&self.fields.line).unwrap_or(0);
        if first_line == 0 {
            return ResultPlace::line(file, 0);
        }
        let column = |pointer: &Option<String>| {
            let number = pointer.as_ref().and_then(|pointer| number(pointer));
            number.map_or(0, |number| number.saturating_add(shift))
        };
        ResultPlace {
            file,
            line: first_line,
            column: column(&self.fields.column),
            end_line: line(&self.fields.end_line),
            end_column: column(&self.fields.end_column),
        }
    }

    fn is_suppressed(&self, values: &[&Value]) -> bool {
        let Some(pointer) = &self.fields.suppressed else { return false };
        match values.iter().find_map(|value| value.pointer(pointer)) {
            Some(Value::Array(list)) => !list.is_empty(),
            Some(Value::Bool(truth)) => *truth,
            _ => false,
        }
    }
}
