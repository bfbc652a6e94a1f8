//! Prints programs in Soufflé's dialect, one statement per line. Programs are also stored in this form.

use crate::program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, Rule, Storage, Term, Type,
    Variable,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Writing to a `String` is much faster than writing through a formatter.
        let mut text = String::with_capacity(1024);
        write_program(&mut text, self)?;
        f.write_str(&text)
    }
}

fn write_program(f: &mut String, program: &Program) -> fmt::Result {
    for statement in &program.opaque {
        f.push_str(statement);
        f.push('\n');
    }
    // Opaque relations are declared by opaque statements.
    for relation in program.relations.iter().filter(|relation| !relation.is_opaque) {
        write_declaration(f, relation)?;
    }
    for relation in &program.relations {
        for fact in &relation.facts {
            f.push_str(&relation.name);
            write_listed(f, fact, write_constant)?;
            f.push_str(".\n");
        }
    }
    for rule in &program.rules {
        write_rule(f, program, rule)?;
        f.push('\n');
    }
    for relation in program.relations.iter().filter(|relation| relation.is_output) {
        f.push_str(".output ");
        f.push_str(&relation.name);
        f.push('\n');
    }
    Ok(())
}

impl Program {
    /// Prints a rule.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = write_rule(&mut text, self, rule);
        text
    }

    /// Prints a literal.
    pub fn literal_text(&self, literal: &Literal) -> String {
        let mut text = String::new();
        let _ = write_literal(&mut text, self, literal);
        text
    }

    /// Prints a row of a relation.
    pub fn row_text(&self, name: &str, row: &[Constant]) -> String {
        let values: Vec<String> = row.iter().map(Constant::to_string).collect();
        format!("{name}({})", values.join(", "))
    }
}

/// Writes the declaration of a relation, with columns named `c0`, `c1`, ….
fn write_declaration(f: &mut impl Write, relation: &Relation) -> fmt::Result {
    f.write_str(".decl ")?;
    f.write_str(&relation.name)?;
    f.write_char('(')?;
    for (place, column) in relation.columns.iter().enumerate() {
        f.write_str(if place == 0 { "c" } else { ", c" })?;
        write_number(f, place as u64)?;
        f.write_char(':')?;
        f.write_str(column.name())?;
    }
    f.write_char(')')?;
    f.write_str(match relation.storage {
        Storage::Any => "",
        Storage::Btree => " btree",
        Storage::Brie => " brie",
    })?;
    f.write_str(if relation.is_inlined { " inline\n" } else { "\n" })
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
        Literal::Compare(comparison, left, right) => {
            write_term(f, left)?;
            write!(f, " {comparison} ")?;
            write_term(f, right)
        }
        Literal::Aggregate { result, function, term, body } => {
            write!(f, "{result} = {function}")?;
            if let Some(term) = term {
                f.write_char(' ')?;
                write_term(f, term)?;
            }
            f.write_str(" : { ")?;
            write_body(f, program, body)?;
            f.write_str(" }")
        }
    }
}

fn write_atom(f: &mut impl Write, program: &Program, atom: &Atom) -> fmt::Result {
    f.write_str(&program.relation(atom.relation).name)?;
    write_listed(f, &atom.arguments, write_term)
}

/// Writes items in parentheses, separated by commas.
fn write_listed<F: Write, T>(
    f: &mut F,
    items: &[T],
    write: impl Fn(&mut F, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char('(')?;
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    f.write_char(')')
}

fn write_term(f: &mut impl Write, term: &Term) -> fmt::Result {
    match term {
        Term::Variable(variable) => write_variable(f, *variable),
        Term::Constant(constant) => write_constant(f, constant),
        Term::Wildcard => f.write_char('_'),
        Term::Apply(operator, operands) => match (operator.sign(), operands.as_slice()) {
            (Some(sign), [left, right]) => write!(f, "({left} {sign} {right})"),
            (_, [operand]) => write!(f, "(-{operand})"),
            (_, operands) => {
                f.write_str(if *operator == Operator::Minimum { "min" } else { "max" })?;
                write_listed(f, operands, |f, operand| write!(f, "{operand}"))
            }
        },
    }
}

fn write_variable(f: &mut impl Write, variable: Variable) -> fmt::Result {
    f.write_char('x')?;
    write_number(f, u64::from(variable.0))
}

fn write_constant(f: &mut impl Write, constant: &Constant) -> fmt::Result {
    match constant {
        Constant::Signed(number) => {
            if *number < 0 {
                f.write_char('-')?;
            }
            write_number(f, number.unsigned_abs())
        }
        // Without the suffix, it would be read as signed where both types are possible.
        Constant::Unsigned(number) => {
            write_number(f, *number)?;
            f.write_char('u')
        }
        Constant::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
        Constant::Symbol(text) => write_symbol(f, text),
    }
}

/// Writes a number. Most have one digit, which is worth a fast path.
fn write_number(f: &mut impl Write, number: u64) -> fmt::Result {
    match u8::try_from(number) {
        Ok(digit @ 0..10) => f.write_char(char::from(b'0' + digit)),
        _ => write!(f, "{number}"),
    }
}

/// Writes a quoted string with the four escapes that Soufflé knows.
fn write_symbol(f: &mut impl Write, text: &str) -> fmt::Result {
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

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_term(f, self)
    }
}

impl Operator {
    /// Returns the symbol of an infix operator.
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
        write_variable(f, *self)
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_constant(f, self)
    }
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Signed => "number",
            Type::Unsigned => "unsigned",
            Type::Float => "float",
            Type::Symbol => "symbol",
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
