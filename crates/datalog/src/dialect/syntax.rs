//! What dialects have in common: names, and rules that are a head and a list of literals.

use super::order::{Step, ordered};
use crate::program::{
    Aggregate, Atom, Comparison, Constant, Operator, Program, RelationId, Rule, Term, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// The names of relations in a dialect: lower-case letters, digits and `_`, and never a word that an engine knows.
#[derive(Clone, Debug)]
pub(super) struct Names {
    names: Vec<String>,
    places: BTreeMap<String, RelationId>,
}

impl Names {
    /// Names that begin with a small letter. The names of the first relations do not depend on later ones.
    pub(super) fn small(program: &Program) -> Names {
        Names::new(program, 'r')
    }

    /// Names that begin with a capital letter.
    pub(super) fn capital(program: &Program) -> Names {
        Names::new(program, 'R')
    }

    fn new(program: &Program, first: char) -> Names {
        let mut names = Names { names: Vec::new(), places: BTreeMap::new() };
        for id in program.ids() {
            let base = safe_name(&program.relation(id).name, first);
            let mut name = base.clone();
            let mut number = 0;
            while names.places.contains_key(&name) {
                name = format!("{base}_{number}");
                number += 1;
            }
            names.places.insert(name.clone(), id);
            names.names.push(name);
        }
        names
    }

    /// The name of a relation.
    pub(super) fn of(&self, relation: RelationId) -> &str {
        self.names.get(relation.index()).map_or("", String::as_str)
    }

    /// The relation of a name.
    pub(super) fn find(&self, name: &str) -> Option<RelationId> {
        self.places.get(name).copied()
    }
}

/// A name that no dialect has reserved: `r` with a number stays, all others get `r_` before them.
fn safe_name(name: &str, first: char) -> String {
    let digits = name.strip_prefix('r').unwrap_or_default();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{first}{digits}");
    }
    let is_safe = |letter: char| letter.is_ascii_alphanumeric();
    let safe = name.chars().map(|letter| if is_safe(letter) { letter.to_ascii_lowercase() } else { '_' });
    format!("{first}_{}", safe.collect::<String>())
}

/// How a dialect spells the parts of rules. Parts that a dialect cannot say are refused before.
pub(super) trait Syntax {
    /// The names of relations.
    fn names(&self) -> &Names;

    /// A variable.
    fn variable(&self, variable: Variable) -> String {
        format!("x{}", variable.0)
    }

    /// A constant in a rule or fact.
    fn constant(&self, constant: &Constant) -> String;

    /// A relation with arguments.
    fn atom(&self, name: &str, arguments: &[String]) -> String {
        format!("{name}({})", arguments.join(", "))
    }

    /// The absence of a row.
    fn negation(&self, atom: &str) -> String {
        format!("not {atom}")
    }

    /// A comparison of two values.
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("{left} {comparison} {right}")
    }

    /// A comparison of two values of which an operation gives at least one.
    fn computed_comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        self.comparison(comparison, left, right)
    }

    /// A variable that has no value gets one; `is_computed` says whether an operation gives it.
    fn assignment(&self, variable: &str, value: &str, is_computed: bool) -> String {
        let _ = is_computed;
        self.comparison(Comparison::Equal, variable, value)
    }

    /// An operation.
    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        infix_or_call(operator, operands)
    }

    /// An aggregate over a body; `local` are its own variables.
    fn aggregate(&self, part: &AggregateParts) -> String {
        let _ = part;
        String::new()
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

/// The parts of an aggregate as they are spelled.
pub(super) struct AggregateParts {
    /// The variable that gets the value.
    pub result: String,
    /// What is computed.
    pub function: Aggregate,
    /// Of what.
    pub term: Option<String>,
    /// The literals.
    pub body: Vec<String>,
    /// The variables that only the body has, in the order of their numbers.
    pub local: Vec<String>,
}

/// Operations with signs between operands or as calls of functions, as most languages have them.
pub(super) fn infix_or_call(operator: Operator, operands: &[String]) -> String {
    match (operator, operator.sign()) {
        (_, Some(sign)) => format!("({})", operands.join(&format!(" {sign} "))),
        (Operator::Negate, None) => format!("(-{})", operands.concat()),
        (Operator::Minimum, None) => format!("min({})", operands.join(", ")),
        (_, None) => format!("max({})", operands.join(", ")),
    }
}

/// A term as text.
pub(super) fn term_text(syntax: &impl Syntax, term: &Term) -> String {
    match term {
        Term::Variable(variable) => syntax.variable(*variable),
        Term::Constant(constant) => syntax.constant(constant),
        Term::Anything => "_".to_owned(),
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

fn step_text(syntax: &impl Syntax, step: &Step<'_>) -> String {
    match step {
        Step::Positive(atom) => atom_text(syntax, atom),
        Step::Negative(atom) => syntax.negation(&atom_text(syntax, atom)),
        Step::Assign(variable, term) => {
            let is_computed = matches!(term, Term::Apply(..));
            syntax.assignment(&syntax.variable(*variable), &term_text(syntax, term), is_computed)
        }
        Step::Compare(comparison, left, right) => {
            let is_computed = [left, right].into_iter().any(|side| matches!(side, Term::Apply(..)));
            let (left, right) = (term_text(syntax, left), term_text(syntax, right));
            match is_computed {
                true => syntax.computed_comparison(*comparison, &left, &right),
                false => syntax.comparison(*comparison, &left, &right),
            }
        }
        Step::Aggregate { result, function, term, body, given } => syntax.aggregate(&AggregateParts {
            result: syntax.variable(*result),
            function: *function,
            term: term.map(|term| term_text(syntax, term)),
            body: body.iter().map(|step| step_text(syntax, step)).collect(),
            local: local_variables(body, given).iter().map(|variable| syntax.variable(*variable)).collect(),
        }),
    }
}

/// The variables of a body that have no value before it.
fn local_variables(body: &[Step<'_>], given: &BTreeSet<Variable>) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    for step in body {
        match step {
            Step::Positive(atom) => {
                let arguments = atom.arguments.iter();
                arguments.for_each(|argument| argument.for_each_variable(&mut |it| _ = found.insert(it)));
            }
            Step::Assign(variable, _) => _ = found.insert(*variable),
            _ => {}
        }
    }
    found.difference(given).copied().collect()
}

/// A rule as text, its body in an order that every engine can follow.
pub(super) fn rule_text(syntax: &impl Syntax, rule: &Rule) -> String {
    let steps = ordered(&rule.body, &BTreeSet::new());
    let body: Vec<String> = steps.iter().map(|step| step_text(syntax, step)).collect();
    syntax.rule(&atom_text(syntax, &rule.head), &body)
}

/// The facts of a relation as text, one by one.
pub(super) fn fact_texts(syntax: &impl Syntax, program: &Program, relation: RelationId) -> Vec<String> {
    let name = syntax.names().of(relation);
    let text = |row: &Vec<Constant>| {
        let values: Vec<String> = row.iter().map(|value| syntax.constant(value)).collect();
        syntax.fact(&syntax.atom(name, &values))
    };
    program.relation(relation).facts.iter().map(text).collect()
}

/// Facts and rules, relation by relation, one a line.
pub(super) fn clauses(syntax: &impl Syntax, program: &Program) -> String {
    let mut text = String::new();
    for relation in program.ids() {
        for fact in fact_texts(syntax, program, relation) {
            text += &fact;
            text.push('\n');
        }
        for rule in program.rules_of(relation) {
            text += &rule_text(syntax, &program.rules[rule]);
            text.push('\n');
        }
    }
    text
}

/// Relations with neither facts nor rules, of which some engines have not heard.
pub(super) fn undefined(program: &Program) -> Vec<RelationId> {
    let is_undefined =
        |id: &RelationId| program.relation(*id).facts.is_empty() && program.rules_of(*id).next().is_none();
    program.ids().filter(is_undefined).collect()
}

/// The whole number that a constant is, as text; a text between quotes.
pub(super) fn constant_text(constant: &Constant, quoted: impl Fn(&str) -> String) -> String {
    match constant {
        Constant::Signed(number) => number.to_string(),
        Constant::Unsigned(number) => number.to_string(),
        Constant::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
        Constant::Symbol(text) => quoted(text),
    }
}

/// A text between quotes, with a backslash before quotes and backslashes, and line breaks and tabs as letters.
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
