//! The toy language: propositional formulas over four variables, such as `a & !(b | 1)`.

use model::{Language, LanguageKind, Random, Role};
use std::fmt;

/// The row of the language.
static KIND: LanguageKind = LanguageKind {
    name: "formulas",
    title: "propositional logic",
    an_input: "a formula",
    endings: &["formula"],
    line_comment: "#",
    example_analyzers: ["./tiny-sat.toml", "./tiny-sat.toml:lie=or"],
    usual_role: Role::Smt,
    other_roles: &[],
    comparison: None,
    has_data_models: false,
};

pub const FORMULAS: Language = Language::new(&KIND);

const VARIABLES: &str = "abcd";

/// A formula. Variables are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Constant(bool),
    Variable(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

use Formula::{And, Constant, Not, Or, Variable};

impl Formula {
    /// Reads a formula. `&` binds more strongly than `|`.
    pub fn parse(text: &str) -> Result<Formula, String> {
        let mut rest: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).rev().collect();
        let formula = disjunction(&mut rest)?;
        match rest.pop() {
            None => Ok(formula),
            Some(letter) => Err(format!("unexpected `{letter}`")),
        }
    }

    /// A random formula of at most this depth.
    pub fn generate(random: &mut Random, depth: usize) -> Formula {
        let operand = |random: &mut Random| Box::new(Formula::generate(random, depth - 1));
        match random.below(if depth == 0 { 1 } else { 6 }) {
            0 => Variable(random.below(VARIABLES.len())),
            1 => Not(operand(random)),
            2 | 3 => And(operand(random), operand(random)),
            _ => Or(operand(random), operand(random)),
        }
    }

    /// True if some assignment makes it true.
    pub fn is_satisfiable(&self) -> bool {
        (0..1 << VARIABLES.len()).any(|assignment| self.value(assignment))
    }

    fn value(&self, assignment: usize) -> bool {
        match self {
            Constant(value) => *value,
            Variable(number) => assignment >> number & 1 == 1,
            Not(operand) => !operand.value(assignment),
            And(left, right) => left.value(assignment) && right.value(assignment),
            Or(left, right) => left.value(assignment) || right.value(assignment),
        }
    }

    /// The operators in it.
    pub fn operators(&self) -> Vec<&'static str> {
        let own = match self {
            Constant(_) | Variable(_) => return Vec::new(),
            Not(_) => "!",
            And(..) => "&",
            Or(..) => "|",
        };
        self.operands().into_iter().flat_map(Formula::operators).chain([own]).collect()
    }

    /// Everything that is one step smaller: a part is replaced by a part of itself or by a constant, or a variable by a
    /// constant everywhere.
    pub fn smaller(&self) -> Vec<Formula> {
        let variables = 0..VARIABLES.len();
        let assigned = variables.flat_map(|number| [false, true].map(|value| self.assigned(number, value)));
        self.simplified().into_iter().chain(assigned.filter(|formula| formula != self)).collect()
    }

    fn simplified(&self) -> Vec<Formula> {
        let mut all: Vec<Formula> = self.parts().into_iter().cloned().collect();
        if !matches!(self, Constant(_)) {
            all.extend([Constant(false), Constant(true)]);
        }
        let boxed = |formula: &Formula| formula.simplified().into_iter().map(Box::new);
        match self {
            Constant(_) | Variable(_) => {}
            Not(operand) => all.extend(boxed(operand).map(Not)),
            And(left, right) => {
                all.extend(boxed(left).map(|left| And(left, right.clone())));
                all.extend(boxed(right).map(|right| And(left.clone(), right)));
            }
            Or(left, right) => {
                all.extend(boxed(left).map(|left| Or(left, right.clone())));
                all.extend(boxed(right).map(|right| Or(left.clone(), right)));
            }
        }
        all
    }

    fn operands(&self) -> Vec<&Formula> {
        match self {
            Constant(_) | Variable(_) => Vec::new(),
            Not(operand) => vec![operand],
            And(left, right) | Or(left, right) => vec![left, right],
        }
    }

    /// The parts of it, without the whole.
    fn parts(&self) -> Vec<&Formula> {
        let operands = self.operands();
        let deeper = operands.iter().flat_map(|operand| operand.parts()).collect::<Vec<_>>();
        operands.into_iter().chain(deeper).collect()
    }

    fn assigned(&self, number: usize, value: bool) -> Formula {
        let boxed = |operand: &Formula| Box::new(operand.assigned(number, value));
        match self {
            Variable(other) if *other == number => Constant(value),
            Constant(_) | Variable(_) => self.clone(),
            Not(operand) => Not(boxed(operand)),
            And(left, right) => And(boxed(left), boxed(right)),
            Or(left, right) => Or(boxed(left), boxed(right)),
        }
    }
}

fn disjunction(rest: &mut Vec<char>) -> Result<Formula, String> {
    let mut formula = conjunction(rest)?;
    while rest.pop_if(|letter| *letter == '|').is_some() {
        formula = Or(Box::new(formula), Box::new(conjunction(rest)?));
    }
    Ok(formula)
}

fn conjunction(rest: &mut Vec<char>) -> Result<Formula, String> {
    let mut formula = literal(rest)?;
    while rest.pop_if(|letter| *letter == '&').is_some() {
        formula = And(Box::new(formula), Box::new(literal(rest)?));
    }
    Ok(formula)
}

fn literal(rest: &mut Vec<char>) -> Result<Formula, String> {
    let letter = rest.pop().ok_or("the formula ends too early")?;
    match letter {
        '!' => Ok(Not(Box::new(literal(rest)?))),
        '0' | '1' => Ok(Constant(letter == '1')),
        '(' => {
            let formula = disjunction(rest)?;
            rest.pop_if(|letter| *letter == ')').ok_or("expected `)`")?;
            Ok(formula)
        }
        _ => VARIABLES.find(letter).map(Variable).ok_or(format!("unexpected `{letter}`")),
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant(value) => write!(f, "{}", u8::from(*value)),
            Variable(number) => f.write_str(&VARIABLES[*number..=*number]),
            Not(operand) => write!(f, "!{}", Operand(operand)),
            And(left, right) => write!(f, "{} & {}", Operand(left), Operand(right)),
            Or(left, right) => write!(f, "{} | {}", Operand(left), Operand(right)),
        }
    }
}

/// A formula in parentheses where it needs them.
struct Operand<'a>(&'a Formula);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            And(..) | Or(..) => write!(f, "({})", self.0),
            _ => write!(f, "{}", self.0),
        }
    }
}

#[test]
fn formulas_read_back() {
    let mut random = Random::for_case(1, 1);
    for _ in 0..500 {
        let formula = Formula::generate(&mut random, 4);
        assert_eq!(Formula::parse(&formula.to_string()), Ok(formula));
    }
    for text in ["", "a &", "(a", "a)", "a b", "e", "!|"] {
        assert!(Formula::parse(text).is_err(), "{text}");
    }
}

#[test]
fn the_evaluator_knows_what_is_satisfiable() {
    for (text, expected) in [("a & !a", false), ("a & !b | 0", true), ("!(a | !a)", false), ("1", true)] {
        assert_eq!(Formula::parse(text).unwrap().is_satisfiable(), expected, "{text}");
    }
}
