//! Programs as text, in Soufflé's dialect: one statement a line, which is also how programs are kept.

use crate::program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, Rule, Storage, Term, Type,
    Variable,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for statement in &self.opaque {
            writeln!(f, "{statement}")?;
        }
        // The statements that make a relation opaque come with its declaration.
        for relation in self.relations.iter().filter(|relation| !relation.is_opaque) {
            write_declaration(f, relation)?;
        }
        for relation in &self.relations {
            for fact in &relation.facts {
                f.write_str(&relation.name)?;
                write_listed(f, fact, Constant::fmt)?;
                f.write_str(".\n")?;
            }
        }
        for rule in &self.rules {
            write_rule(f, self, rule)?;
            f.write_char('\n')?;
        }
        for relation in self.relations.iter().filter(|relation| relation.is_output) {
            writeln!(f, ".output {}", relation.name)?;
        }
        Ok(())
    }
}

impl Program {
    /// A rule as text.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = write_rule(&mut text, self, rule);
        text
    }

    /// A literal as text.
    pub fn literal_text(&self, literal: &Literal) -> String {
        let mut text = String::new();
        let _ = write_literal(&mut text, self, literal);
        text
    }

    /// A row of a relation as text.
    pub fn row_text(&self, name: &str, row: &[Constant]) -> String {
        let values: Vec<String> = row.iter().map(Constant::to_string).collect();
        format!("{name}({})", values.join(", "))
    }
}

/// A relation as it is declared. Columns are named by their places.
fn write_declaration(f: &mut impl Write, relation: &Relation) -> fmt::Result {
    write!(f, ".decl {}(", relation.name)?;
    for (place, column) in relation.columns.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        write!(f, "{comma}c{place}:{column}")?;
    }
    let storage = match relation.storage {
        Storage::Any => "",
        Storage::Btree => " btree",
        Storage::Brie => " brie",
    };
    let inlined = if relation.is_inlined { " inline" } else { "" };
    writeln!(f, "){storage}{inlined}")
}

fn write_rule(f: &mut impl Write, program: &Program, rule: &Rule) -> fmt::Result {
    write_atom(f, program, &rule.head)?;
    f.write_str(" :- ")?;
    write_body(f, program, &rule.body)?;
    f.write_char('.')
}

fn write_body(f: &mut impl Write, program: &Program, body: &[Literal]) -> fmt::Result {
    for (place, literal) in body.iter().enumerate() {
        if place > 0 {
            f.write_str(", ")?;
        }
        write_literal(f, program, literal)?;
    }
    Ok(())
}

fn write_literal(f: &mut impl Write, program: &Program, literal: &Literal) -> fmt::Result {
    match literal {
        Literal::Positive(atom) => write_atom(f, program, atom),
        Literal::Negative(atom) => {
            f.write_char('!')?;
            write_atom(f, program, atom)
        }
        Literal::Compare(comparison, left, right) => write!(f, "{left} {comparison} {right}"),
        Literal::Aggregate { result, function, term, body } => {
            write!(f, "{result} = {function}")?;
            if let Some(term) = term {
                write!(f, " {term}")?;
            }
            f.write_str(" : { ")?;
            write_body(f, program, body)?;
            f.write_str(" }")
        }
    }
}

fn write_atom(f: &mut impl Write, program: &Program, atom: &Atom) -> fmt::Result {
    f.write_str(&program.relation(atom.relation).name)?;
    f.write_char('(')?;
    for (place, argument) in atom.arguments.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        write!(f, "{comma}{argument}")?;
    }
    f.write_char(')')
}

/// Items in parentheses, with commas between them.
fn write_listed<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    write: impl Fn(&T, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_char('(')?;
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            f.write_str(", ")?;
        }
        write(item, f)?;
    }
    f.write_char(')')
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Variable(variable) => variable.fmt(f),
            Term::Constant(constant) => constant.fmt(f),
            Term::Anything => f.write_char('_'),
            Term::Apply(operator, operands) => match (operator.sign(), operands.as_slice()) {
                (Some(sign), [left, right]) => write!(f, "({left} {sign} {right})"),
                (_, [operand]) => write!(f, "(-{operand})"),
                (_, operands) => {
                    f.write_str(if *operator == Operator::Minimum { "min" } else { "max" })?;
                    write_listed(f, operands, Term::fmt)
                }
            },
        }
    }
}

impl Operator {
    /// The sign between two operands, where it is written like that.
    pub fn sign(self) -> Option<&'static str> {
        match self {
            Operator::Add => Some("+"),
            Operator::Subtract => Some("-"),
            Operator::Multiply => Some("*"),
            Operator::Divide => Some("/"),
            Operator::Remainder => Some("%"),
            Operator::Negate | Operator::Minimum | Operator::Maximum => None,
        }
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Signed(number) => number.fmt(f),
            // An unsigned constant says so, or it would be taken for a signed one where both could stand.
            Constant::Unsigned(number) => write!(f, "{number}u"),
            Constant::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Constant::Symbol(text) => write_symbol(f, text),
        }
    }
}

/// A text between quotes; Soufflé knows these four escapes.
fn write_symbol(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            letter => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Signed => "number",
            Type::Unsigned => "unsigned",
            Type::Float => "float",
            Type::Symbol => "symbol",
        })
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "=",
            Comparison::Different => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        })
    }
}

impl Display for Aggregate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aggregate::Count => "count",
            Aggregate::Sum => "sum",
            Aggregate::Minimum => "min",
            Aggregate::Maximum => "max",
        })
    }
}
