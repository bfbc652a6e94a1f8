//! The common parts of dialects: names, and rules that consist of a head and a list of literals.

use super::order::{OrderedLiteral, ordered};
use super::unique_names::UniqueNames;
use crate::program::{
    Aggregate, Atom, Comparison, Constant, Operator, Program, RelationId, Rule, Term, Variable,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of relations in a dialect: lower-case letters, digits and `_`, and never a reserved word of any engine.
#[derive(Clone, Debug)]
pub(super) struct Names {
    names: Vec<Arc<str>>,
    places: BTreeMap<Arc<str>, RelationId>,
}

impl Names {
    /// Creates names that begin with a lower-case letter. The name of a relation does not depend on later relations.
    pub(super) fn small(program: &Program) -> Names {
        Names::new(program, 'r')
    }

    /// Creates names that begin with an upper-case letter.
    pub(super) fn capital(program: &Program) -> Names {
        Names::new(program, 'R')
    }

    fn new(program: &Program, first: char) -> Names {
        let mut names = Names { names: Vec::new(), places: BTreeMap::new() };
        let mut unique = UniqueNames::default();
        for id in program.ids() {
            let name = unique.take(safe_name(&program.relation(id).name, first));
            names.places.insert(name.clone(), id);
            names.names.push(name);
        }
        names
    }

    /// Returns the name of a relation.
    pub(super) fn of(&self, relation: RelationId) -> &str {
        self.names.get(relation.index()).map_or("", |name| name)
    }

    /// Finds a relation by its name.
    pub(super) fn find(&self, name: &str) -> Option<RelationId> {
        self.places.get(name).copied()
    }
}

/// Returns a name that no dialect reserves: `r` with a number stays, and all others are prefixed with `r_`.
fn safe_name(name: &str, first: char) -> String {
    let digits = name.strip_prefix('r').unwrap_or_default();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{first}{digits}");
    }
    let is_safe = |letter: char| letter.is_ascii_alphanumeric();
    let safe = name.chars().map(|letter| if is_safe(letter) { letter.to_ascii_lowercase() } else { '_' });
    format!("{first}_{}", safe.collect::<String>())
}

/// How a dialect writes what stands in the literals of a clause. The defaults are the usual spelling.
pub(super) trait TermSyntax {
    /// A variable.
    fn variable(&self, variable: Variable) -> String {
        format!("x{}", variable.0)
    }

    /// A constant in a rule or fact. The default writes strings between quotes, without escapes.
    fn constant(&self, constant: &Constant) -> String {
        constant_text(constant, |text| format!("\"{text}\""))
    }

    /// A comparison of two values.
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("{left} {comparison} {right}")
    }

    /// A comparison in which at least one side is an operation.
    fn computed_comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        self.comparison(comparison, left, right)
    }

    /// An assignment to an unbound variable; `is_computed` tells whether the value is an operation.
    fn assignment(&self, variable: &str, value: &str, is_computed: bool) -> String {
        let _ = is_computed;
        self.comparison(Comparison::Equal, variable, value)
    }

    /// An operation.
    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        infix_or_call(operator, operands)
    }

    /// An aggregate over a body.
    fn aggregate(&self, part: &AggregateParts) -> String {
        let _ = part;
        String::new()
    }
}

/// How a dialect writes the parts of rules. Unsupported parts are rejected before this is used.
pub(super) trait Syntax: TermSyntax {
    /// The names of relations.
    fn names(&self) -> &Names;

    /// A relation with arguments.
    fn atom(&self, name: &str, arguments: &[String]) -> String {
        format!("{name}({})", arguments.join(", "))
    }

    /// A negated atom.
    fn negation(&self, atom: &str) -> String {
        format!("not {atom}")
    }

    /// A rule from its parts.
    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("{head} :- {}.", body.join(", "))
    }

    /// A fact.
    fn fact(&self, atom: &str) -> String {
        format!("{atom}.")
    }
}

/// The parts of an aggregate as text.
pub(super) struct AggregateParts {
    /// The variable that receives the value.
    pub result: String,
    /// The aggregate function.
    pub function: Aggregate,
    /// The aggregated term; `None` for a count.
    pub term: Option<String>,
    /// The literals.
    pub body: Vec<String>,
    /// The variables that occur only in this body, in ascending order.
    pub local: Vec<String>,
}

/// The symbol of a comparison in languages that write `==` for equality.
pub(super) fn double_equals_sign(comparison: Comparison) -> String {
    match comparison {
        Comparison::Equal => "==".to_owned(),
        other => other.to_string(),
    }
}

/// Writes an operation with an infix operator or as a function call, as most languages do.
pub(super) fn infix_or_call(operator: Operator, operands: &[String]) -> String {
    match (operator, operator.sign()) {
        (_, Some(sign)) => format!("({})", operands.join(&format!(" {sign} "))),
        (Operator::Negate, None) => format!("(-{})", operands.concat()),
        (Operator::Minimum, None) => format!("min({})", operands.join(", ")),
        (_, None) => format!("max({})", operands.join(", ")),
    }
}

/// Writes a term.
pub(super) fn term_text(syntax: &impl Syntax, term: &Term) -> String {
    match term {
        Term::Variable(variable) => syntax.variable(*variable),
        Term::Constant(constant) => syntax.constant(constant),
        Term::Wildcard => "_".to_owned(),
        Term::Apply(operator, operands) => {
            let operands: Vec<String> = operands.iter().map(|operand| term_text(syntax, operand)).collect();
            syntax.operation(*operator, &operands)
        }
    }
}

fn atom_text(syntax: &impl Syntax, atom: &Atom) -> String {
    let arguments: Vec<String> = atom.arguments.iter().map(|argument| term_text(syntax, argument)).collect();
    syntax.atom(syntax.names().of(atom.relation), &arguments)
}

fn literal_text(syntax: &impl Syntax, literal: &OrderedLiteral<'_>) -> String {
    match literal {
        OrderedLiteral::Positive(atom) => atom_text(syntax, atom),
        OrderedLiteral::Negative(atom) => syntax.negation(&atom_text(syntax, atom)),
        OrderedLiteral::Assign(variable, term) => {
            let is_computed = matches!(term, Term::Apply(..));
            syntax.assignment(&syntax.variable(*variable), &term_text(syntax, term), is_computed)
        }
        OrderedLiteral::Compare(comparison, left, right) => {
            let is_computed = [left, right].into_iter().any(|side| matches!(side, Term::Apply(..)));
            let (left, right) = (term_text(syntax, left), term_text(syntax, right));
            match is_computed {
                true => syntax.computed_comparison(*comparison, &left, &right),
                false => syntax.comparison(*comparison, &left, &right),
            }
        }
        OrderedLiteral::Aggregate { result, function, term, body, given } => {
            syntax.aggregate(&AggregateParts {
                result: syntax.variable(*result),
                function: *function,
                term: term.map(|term| term_text(syntax, term)),
                body: body.iter().map(|literal| literal_text(syntax, literal)).collect(),
                local: local_variables(body, given)
                    .iter()
                    .map(|variable| syntax.variable(*variable))
                    .collect(),
            })
        }
    }
}

/// Returns the variables of a body that are not bound before it.
fn local_variables(body: &[OrderedLiteral<'_>], given: &BTreeSet<Variable>) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    for literal in body {
        match literal {
            OrderedLiteral::Positive(atom) => {
                let arguments = atom.arguments.iter();
                arguments.for_each(|argument| argument.for_each_variable(&mut |it| _ = found.insert(it)));
            }
            OrderedLiteral::Assign(variable, _) => _ = found.insert(*variable),
            _ => {}
        }
    }
    found.difference(given).copied().collect()
}

/// Writes a rule, with its body in an order that every engine can evaluate.
pub(super) fn rule_text(syntax: &impl Syntax, rule: &Rule) -> String {
    let literals = ordered(&rule.body, &BTreeSet::new());
    let body: Vec<String> = literals.iter().map(|literal| literal_text(syntax, literal)).collect();
    syntax.rule(&atom_text(syntax, &rule.head), &body)
}

/// Writes the facts of a relation.
pub(super) fn fact_texts(syntax: &impl Syntax, program: &Program, relation: RelationId) -> Vec<String> {
    let name = syntax.names().of(relation);
    let text = |row: &Vec<Constant>| {
        let values: Vec<String> = row.iter().map(|value| syntax.constant(value)).collect();
        syntax.fact(&syntax.atom(name, &values))
    };
    program.relation(relation).facts.iter().map(text).collect()
}

/// Writes the facts and rules of all relations, one per line.
pub(super) fn clauses(syntax: &impl Syntax, program: &Program) -> String {
    let mut text = String::new();
    for (relation, rules) in program.ids().zip(program.rules_by_relation()) {
        for fact in fact_texts(syntax, program, relation) {
            text += &fact;
            text.push('\n');
        }
        for rule in rules {
            text += &rule_text(syntax, &program.rules[rule]);
            text.push('\n');
        }
    }
    text
}

/// Returns the relations with neither facts nor rules, which are unknown to engines without declarations.
pub(super) fn undefined(program: &Program) -> Vec<RelationId> {
    let with_rules = program.ids().zip(program.rules_by_relation());
    with_rules
        .filter(|(id, rules)| program.relation(*id).facts.is_empty() && rules.is_empty())
        .map(|(id, _)| id)
        .collect()
}

/// Writes a constant, with `quoted` for strings.
pub(super) fn constant_text(constant: &Constant, quoted: impl Fn(&str) -> String) -> String {
    match constant {
        Constant::Signed(number) => number.to_string(),
        Constant::Unsigned(number) => number.to_string(),
        Constant::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
        Constant::Symbol(text) => quoted(text),
    }
}

/// Writes a quoted string with escapes for quotes, backslashes, line breaks and tabs.
pub(super) fn quoted(text: &str, quote: char) -> String {
    let mut quoted = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\n' => quoted += "\\n",
            '\t' => quoted += "\\t",
            '\\' => quoted += "\\\\",
            letter if letter == quote => quoted.extend(['\\', quote]),
            letter => quoted.push(letter),
        }
    }
    quoted.push(quote);
    quoted
}
