//! Operators as templates: all ways to write a node, and one of them written.

use super::machine::CType;
use super::template::{Expression, Local, Template, fill, locals_of, occurrences};
use super::vectors::Constants;
use smt::Operator;

/// All ways to write one operator on operands of known types.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// What tells the constants in the gaps, and the name of the helper functions.
    pub(super) source: Source,
    /// The ways.
    pub(super) templates: &'static [Template],
    /// The type that each operand is cast to, and that of the helper function's parameter.
    pub(super) operands: Vec<(CType, CType)>,
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

/// What an operator works on. Texts are made of it only where they are needed.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Core and bit-vectors.
    Vector(Constants),
    /// Numbers: the operator, if it is one of SMT-LIB, its constant, the type, and whether the divisor is negative.
    Number { operator: Option<Operator>, constant: i128, working: CType, is_negative: bool },
    /// A choice between structs.
    Choice,
}

impl Source {
    /// The text of a constant or type in a gap: for numbers `K`, for vectors see [`Constants::gap`].
    pub(super) fn gap(&self, letter: char) -> Option<String> {
        match self {
            Source::Vector(constants) => constants.gap(letter),
            Source::Number { constant, .. } if letter == 'K' => Some(super::numbers::number(*constant)),
            _ => None,
        }
    }

    /// The name of the first helper function. All that the text of the function depends on is in the name.
    fn name(&self) -> String {
        match self {
            Source::Vector(constants) => constants.function_name(),
            Source::Number { operator, constant, working, is_negative } => {
                let word = operator.map_or("times", Operator::name);
                match (constant, is_negative) {
                    (0, false) => format!("{word}_{}", working.tag()),
                    (0, true) => format!("{word}_negative_{}", working.tag()),
                    (constant, _) => format!("{word}_{constant}_{}", working.tag()),
                }
            }
            Source::Choice => "choice".to_owned(),
        }
    }
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
        !locals_of(text).is_empty()
            || (0..self.operands.len()).any(|place| occurrences(text, letter(place)) > 1)
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
        let mut gaps = Vec::with_capacity(8);
        for (place, (operand, (working, _))) in operands.iter().zip(&self.operands).enumerate() {
            gaps.push((letter(place), operand.operand(working)));
        }
        for local in locals_of(self.text(way)) {
            let c_type = self.local_type(local);
            let value = fill(self.local_text(local, way), |letter| self.gap(&gaps, letter));
            gaps.push((local.letter, declare(c_type, value)));
        }
        let text = fill(self.text(way), |letter| self.gap(&gaps, letter));
        self.finished(way, text)
    }

    /// The name of the helper function for a way.
    pub(super) fn function_name(&self, way: Way) -> String {
        match way.template * 2 + usize::from(way.by_cast) {
            0 => self.source.name(),
            variant => format!("{}_v{variant}", self.source.name()),
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

    /// The text of a gap: an operand or a local, which are given, or a constant.
    fn gap(&self, given: &[(char, String)], letter: char) -> String {
        let found = given.iter().find(|(known, _)| *known == letter).map(|(_, text)| text.clone());
        let text = found.or_else(|| self.source.gap(letter));
        debug_assert!(text.is_some(), "no gap {letter}");
        text.unwrap_or_default()
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
