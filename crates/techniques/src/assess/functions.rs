//! The functions of a program, by which what is open can be counted.

use super::OpenPart;
use model::CInput;
use std::collections::BTreeMap;

/// The functions of a C program, in the order of the text.
pub(super) struct Functions(Vec<Function>);

struct Function {
    name: String,
    /// The bytes of the base text.
    bytes: std::ops::RangeInclusive<u32>,
    lines: std::ops::RangeInclusive<u32>,
}

impl Functions {
    /// The functions; none if juvenal cannot parse the program.
    pub(super) fn of(name: &str, input: &CInput) -> Functions {
        let Ok(program) = c::parse(name, input.base.as_bytes(), input.data_model) else {
            return Functions(Vec::new());
        };
        let line = |place: u32| {
            let before = &input.base.as_bytes()[..(place as usize).min(input.base.len())];
            1 + before.iter().filter(|byte| **byte == b'\n').count() as u32
        };
        let function = |function: &c::syntax::Function| Function {
            name: program.name(program.entities[function.entity].name).into_owned(),
            bytes: function.span.start..=function.span.end,
            lines: line(function.span.start)..=line(function.span.end),
        };
        Functions(program.functions.iter().map(function).collect())
    }

    /// What is open, and all of it, by function, given lines.
    pub(super) fn count(&self, open: &[u32], all: &[u32]) -> BTreeMap<String, OpenPart> {
        self.counted(open, all, |function, line| function.lines.contains(&line))
    }

    /// The same, given places in the base text.
    pub(super) fn count_places(&self, open: &[u32], all: &[u32]) -> BTreeMap<String, OpenPart> {
        self.counted(open, all, |function, place| function.bytes.contains(&place))
    }

    /// A nested function belongs to the one around it, which comes first.
    fn counted(
        &self,
        open: &[u32],
        all: &[u32],
        has: impl Fn(&Function, u32) -> bool,
    ) -> BTreeMap<String, OpenPart> {
        let mut parts: BTreeMap<String, OpenPart> = BTreeMap::new();
        let function_at = |place: u32| self.0.iter().find(|function| has(function, place));
        for function in all.iter().filter_map(|place| function_at(*place)) {
            parts.entry(function.name.clone()).or_default().total += 1;
        }
        for function in open.iter().filter_map(|place| function_at(*place)) {
            parts.entry(function.name.clone()).or_default().unresolved += 1;
        }
        for part in parts.values_mut() {
            part.total = part.total.max(part.unresolved);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    #[test]
    fn lines_and_places_belong_to_functions() {
        let text = "int x;\nint f(void) {\n  return x;\n}\nint main(void) { return f(); }\n";
        let input = CInput { base: text.into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        let functions = Functions::of("a.c", &input);
        let part = |unresolved, total| OpenPart { unresolved, total };
        let by_line = functions.count(&[3], &[1, 3, 5]);
        assert_eq!(by_line, BTreeMap::from([("f".to_owned(), part(1, 1)), ("main".to_owned(), part(0, 1))]));
        let place = text.find("return x").unwrap() as u32;
        assert_eq!(functions.count_places(&[], &[place])["f"], part(0, 1));
    }
}
