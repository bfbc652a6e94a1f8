//! Operators as templates: all ways to write a node, and one of them written.

use super::machine::CType;
use super::template::{Expression, Local, Template, fill, locals_of, occurrences};

/// All ways to write one operator on operands of known types.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The name of its helper functions; those after the first have a suffix.
    pub(super) name: String,
    /// The ways.
    pub(super) templates: &'static [Template],
    /// The type that each operand is cast to, and that of the helper function's parameter.
    pub(super) operands: Vec<(CType, CType)>,
    /// The constants and types in the gaps. `M` is the greatest value, `S` the sign bit, `W` the width, `Z` zero, `I`
    /// one; `U` is the unsigned type that the operator works in, `D` the signed one, `E` the signed one of exactly the
    /// width. The others are the constants of single operators.
    pub(super) gaps: Vec<(char, String)>,
    /// The type of the locals that are not signed, and of those that are.
    pub(super) locals: (CType, CType),
    /// Whether a signed type has exactly the width of the operands.
    pub(super) has_signed_type: bool,
    /// The type of the expression.
    pub(super) result: CType,
    /// The greatest value of the result's width, if values above it must be cut off.
    pub(super) mask: Option<String>,
    /// The type that the helper function returns, which holds every value of the result and no bit more if
    /// `is_exact`.
    pub(super) returned: CType,
    /// Whether a cast to the returned type cuts the result.
    pub(super) is_exact: bool,
}

/// How one node is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    /// Which template.
    pub(super) template: usize,
    /// Whether signed values are read by casts.
    pub(super) by_cast: bool,
    /// Whether it is a call of a helper function.
    pub(super) is_call: bool,
    /// Whether the result is cut by a cast.
    pub(super) cut_by_cast: bool,
}

impl Form {
    fn text(&self, way: Way) -> &'static str {
        self.templates.get(way.template).map_or("", |template| template.text())
    }

    /// Whether an operand occurs twice, or a local is needed first.
    pub(super) fn repeats(&self, template: usize) -> bool {
        let text = self.text(Way { template, ..Way::default() });
        !locals_of(text).is_empty() || (0..self.operands.len()).any(|place| occurrences(text, letter(place)) > 1)
    }

    /// Whether a template reads signed values that a cast could read.
    pub(super) fn can_cast(&self, template: usize) -> bool {
        let text = self.text(Way { template, ..Way::default() });
        self.has_signed_type && locals_of(text).iter().any(|local| local.cast.is_some())
    }

    /// Whether an operand must be a name or a literal, because it occurs twice.
    pub(super) fn needs_atom(&self, way: Way, place: usize) -> bool {
        !way.is_call && occurrences(self.text(way), letter(place)) > 1
    }

    /// Writes the node. Locals are declared through `declare`, which is given the type and the value and returns the
    /// name.
    pub(super) fn write(
        &self,
        way: Way,
        operands: &[Expression],
        mut declare: impl FnMut(&CType, String) -> String,
    ) -> Expression {
        let mut gaps = self.gaps.clone();
        for (place, (operand, (working, _))) in operands.iter().zip(&self.operands).enumerate() {
            gaps.push((letter(place), operand.operand(working)));
        }
        for local in locals_of(self.text(way)) {
            let c_type = self.local_type(local);
            let value = fill(self.local_text(local, way), |letter| lookup(&gaps, letter));
            gaps.push((local.letter, declare(c_type, value)));
        }
        let text = fill(self.text(way), |letter| lookup(&gaps, letter));
        self.finished(way, text)
    }

    /// The name of the helper function for a way.
    pub(super) fn function_name(&self, way: Way) -> String {
        match way.template * 2 + usize::from(way.by_cast) {
            0 => self.name.clone(),
            variant => format!("{}_v{variant}", self.name),
        }
    }

    /// The definition of the helper function for a way.
    pub(super) fn function(&self, way: Way) -> String {
        let parameters: Vec<String> = self
            .operands
            .iter()
            .enumerate()
            .map(|(place, (_, parameter))| format!("{} {}", parameter.name(), letter(place)))
            .collect();
        let operands: Vec<Expression> = self
            .operands
            .iter()
            .enumerate()
            .map(|(place, (_, parameter))| Expression::primary(letter(place), parameter.clone()))
            .collect();
        let mut lines = String::new();
        let mut names = locals_of(self.text(way)).into_iter().map(|local| local.letter.to_string());
        let inline = Way { is_call: false, cut_by_cast: false, ..way };
        let result = self.write(inline, &operands, |c_type, value| {
            let name = names.next().unwrap_or_default();
            lines.push_str(&format!("  {} {name} = {value};\n", c_type.name()));
            name
        });
        let returned =
            if result.c_type == self.returned { result.text } else { result.operand(&self.returned) };
        format!(
            "static {} {}({}) {{\n{lines}  return {returned};\n}}\n",
            self.returned.name(),
            self.function_name(way),
            parameters.join(", "),
        )
    }

    fn local_type(&self, local: &Local) -> &CType {
        if local.is_signed { &self.locals.1 } else { &self.locals.0 }
    }

    fn local_text(&self, local: &Local, way: Way) -> &'static str {
        match local.cast {
            Some(cast) if way.by_cast => cast,
            _ => local.text,
        }
    }

    fn finished(&self, way: Way, text: String) -> Expression {
        let is_cut = self.templates.get(way.template).is_some_and(|template| template.is_cut());
        match &self.mask {
            Some(_) if is_cut && way.cut_by_cast && self.is_exact => {
                Expression::open(format!("({})({text})", self.returned.name()), self.returned.clone())
            }
            Some(mask) if is_cut => Expression::open(format!("({text}) & {mask}"), self.result.clone()),
            _ => Expression::open(text, self.result.clone()),
        }
    }
}

/// The letter of an operand.
fn letter(place: usize) -> char {
    ['x', 'y', 'z'].get(place).copied().unwrap_or('?')
}

fn lookup(gaps: &[(char, String)], letter: char) -> String {
    let found = gaps.iter().find(|(known, _)| *known == letter);
    debug_assert!(found.is_some(), "no gap {letter}");
    found.map(|(_, text)| text.clone()).unwrap_or_default()
}
