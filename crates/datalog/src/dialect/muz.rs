//! z3's engine for fixed points, with rules in SMT-LIB. All columns are bit-vectors that are wide enough for every
//! constant; strings are numbered.

use super::abilities::{Abilities, NegatedWildcard, Texts};
use super::rewrite::{for_each_constant, prepare, texts};
use super::rows::{Answers, text_of};
use super::syntax::{Names, Syntax, TermSyntax, clauses};
use crate::program::{Comparison, Constant, Program, Rule, Tuple, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

struct Muz {
    names: Names,
    width: u32,
}

pub(super) fn abilities(title: &'static str) -> Abilities {
    Abilities {
        texts: Texts::Numbered,
        numbers: 0..=i128::from(u32::MAX),
        // Every variable is declared, and one that occurs only under a negation would range over the whole sort.
        wildcards: false,
        negated_wildcards: NegatedWildcard::Helper,
        ..Abilities::usual(title)
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities("muz"))?;
    let width = (u64::BITS - greatest(&program).leading_zeros()).max(1);
    let muz = Muz { names: Names::small(&program), width };
    let mut text = format!("(set-option :fp.engine datalog)\n(define-sort s () (_ BitVec {width}))\n");
    for id in program.ids() {
        let columns = vec!["s"; program.relation(id).columns.len()];
        let _ = writeln!(text, "(declare-rel {} ({}))", muz.names.of(id), columns.join(" "));
    }
    let variables = program.rules.iter().map(Rule::fresh_variable).max().map_or(0, |next| next.0);
    for number in 0..variables {
        let _ = writeln!(text, "(declare-var x{number} s)");
    }
    text += &clauses(&muz, &program);
    for output in program.outputs() {
        let _ = writeln!(text, "(query {} :print-answer true)", muz.names.of(output));
    }
    Ok(text)
}

/// Returns the greatest number in a program without negative numbers.
pub(super) fn greatest(program: &Program) -> u64 {
    let mut greatest = 0;
    for_each_constant(&mut program.clone(), &mut |constant| match constant {
        Constant::Signed(number) => greatest = greatest.max(number.unsigned_abs()),
        Constant::Unsigned(number) => greatest = greatest.max(*number),
        Constant::Float(_) | Constant::Symbol(_) => {}
    });
    greatest
}

impl TermSyntax for Muz {
    fn constant(&self, constant: &Constant) -> String {
        let number = match constant {
            Constant::Signed(number) => number.unsigned_abs(),
            Constant::Unsigned(number) => *number,
            Constant::Float(_) | Constant::Symbol(_) => 0,
        };
        format!("(_ bv{number} {})", self.width)
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        let function = match comparison {
            Comparison::Equal => "=",
            Comparison::Different => return format!("(not (= {left} {right}))"),
            Comparison::Less => "bvult",
            Comparison::LessOrEqual => "bvule",
            Comparison::Greater => "bvugt",
            Comparison::GreaterOrEqual => "bvuge",
        };
        format!("({function} {left} {right})")
    }
}

impl Syntax for Muz {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        match arguments {
            [] => name.to_owned(),
            _ => format!("({name} {})", arguments.join(" ")),
        }
    }

    fn negation(&self, atom: &str) -> String {
        format!("(not {atom})")
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        match body {
            [one] => format!("(rule (=> {one} {head}))"),
            _ => format!("(rule (=> (and {}) {head}))", body.join(" ")),
        }
    }

    fn fact(&self, atom: &str) -> String {
        format!("(rule {atom})")
    }
}

/// A formula as z3 prints it.
#[derive(Clone, Debug, PartialEq)]
enum Expression<'a> {
    Word(&'a str),
    List(Vec<Expression<'a>>),
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    let mut expressions = expressions(text_of(output)?)?.into_iter();
    let texts = texts(program);
    let mut answers = Answers::new();
    for id in program.outputs() {
        let relation = program.relation(id);
        let rows = match expressions.next() {
            Some(Expression::Word("unsat")) => BTreeSet::new(),
            Some(Expression::Word("sat")) => {
                let formula = expressions.next().ok_or("the output was cut off after sat")?;
                let rows = alternatives(&formula, &BTreeMap::new())?;
                let row = |row| complete(&relation.columns, &row, &texts);
                rows.into_iter().map(row).collect::<Result<_, _>>()?
            }
            Some(_) => return Err(format!("there is no answer for {}", relation.name)),
            None => return Err(format!("the output lacks {}", relation.name)),
        };
        answers.insert(id, rows);
    }
    match expressions.next() {
        Some(_) => Err("unexpected text after the last answer".to_owned()),
        None => Ok(answers),
    }
}

/// Parses a sequence of expressions.
fn expressions(text: &str) -> Result<Vec<Expression<'_>>, String> {
    // A stack of unfinished lists; the first collects the finished expressions.
    let mut open: Vec<Vec<Expression<'_>>> = vec![Vec::new()];
    for word in words(text) {
        match word {
            "(" if open.len() > MAX_DEPTH => return Err("the output is nested too deeply".to_owned()),
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop().unwrap_or_default();
                open.last_mut().ok_or("there is a parenthesis too many")?.push(Expression::List(list));
            }
            word => open.last_mut().ok_or("there is a parenthesis too many")?.push(Expression::Word(word)),
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(done), true) => Ok(done),
        _ => Err("the output was cut off".to_owned()),
    }
}

/// Splits a text into parentheses and the words between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['(', ')']).flat_map(|piece| {
        let (before, mark) = match piece.strip_suffix(['(', ')']) {
            Some(before) => (before, Some(&piece[before.len()..])),
            None => (piece, None),
        };
        before.split_whitespace().chain(mark)
    })
}

/// The maximum depth of nesting. The output comes from a program that may be broken.
const MAX_DEPTH: usize = 500;
/// The maximum number of alternatives of a formula, for the same reason.
const MAX_ALTERNATIVES: usize = 1 << 20;

/// The values of some of the columns.
type Partial = BTreeMap<usize, u64>;
/// The alternatives of the names that `let` binds.
type Named<'a> = BTreeMap<&'a str, Vec<Partial>>;

/// Returns the rows that satisfy a formula.
fn alternatives<'a>(formula: &Expression<'a>, named: &Named<'a>) -> Result<Vec<Partial>, String> {
    match formula {
        Expression::Word("true") => Ok(vec![Partial::new()]),
        Expression::Word("false") => Ok(Vec::new()),
        Expression::Word(name) => {
            named.get(name).cloned().ok_or_else(|| format!("unexpected {name} in an answer"))
        }
        Expression::List(parts) => match parts.as_slice() {
            [Expression::Word("or"), parts @ ..] => {
                let mut found = Vec::new();
                for part in parts {
                    found.extend(alternatives(part, named)?);
                    check_number(found.len())?;
                }
                Ok(found)
            }
            [Expression::Word("and"), parts @ ..] => {
                let mut all = vec![Partial::new()];
                for part in parts {
                    let more = alternatives(part, named)?;
                    check_number(all.len().saturating_mul(more.len()))?;
                    all = combined(&all, &more);
                }
                Ok(all)
            }
            [Expression::Word("="), left, right] => Ok(vec![equality(left, right)?]),
            [Expression::Word("let"), Expression::List(names), body] => {
                alternatives(body, &with_names(names, named)?)
            }
            _ => Err("cannot read a part of an answer".to_owned()),
        },
    }
}

fn check_number(count: usize) -> Result<(), String> {
    if count > MAX_ALTERNATIVES { Err("an answer has too many rows".to_owned()) } else { Ok(()) }
}

fn with_names<'a>(names: &[Expression<'a>], named: &Named<'a>) -> Result<Named<'a>, String> {
    let mut more = named.clone();
    for name in names {
        match name {
            Expression::List(pair) => match pair.as_slice() {
                [Expression::Word(name), value] => more.insert(name, alternatives(value, named)?),
                _ => return Err("malformed binding in an answer".to_owned()),
            },
            Expression::Word(word) => return Err(format!("malformed binding {word} in an answer")),
        };
    }
    Ok(more)
}

/// Returns the rows that satisfy two formulas together.
fn combined(left: &[Partial], right: &[Partial]) -> Vec<Partial> {
    let mut found = Vec::new();
    for (one, other) in left.iter().flat_map(|one| right.iter().map(move |other| (one, other))) {
        let agree = other.iter().all(|(place, value)| one.get(place).is_none_or(|known| known == value));
        if agree {
            found.push(one.iter().chain(other).map(|(place, value)| (*place, *value)).collect());
        }
    }
    found
}

/// Reads `(= (:var 0) #x1)`, in either order.
fn equality(left: &Expression<'_>, right: &Expression<'_>) -> Result<Partial, String> {
    let found = [(left, right), (right, left)]
        .into_iter()
        .find_map(|(variable, value)| Some((place(variable)?, bits(value)?)));
    found.map(|pair| Partial::from([pair])).ok_or_else(|| "cannot read an equality".to_owned())
}

fn place(expression: &Expression<'_>) -> Option<usize> {
    let Expression::List(parts) = expression else { return None };
    match parts.as_slice() {
        [Expression::Word(":var"), Expression::Word(number)] => number.parse().ok(),
        _ => None,
    }
}

/// Reads a bit-vector: `#x1`, `#b01` or `(_ bv1 4)`.
fn bits(expression: &Expression<'_>) -> Option<u64> {
    match expression {
        Expression::Word(word) => match word.strip_prefix("#x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => u64::from_str_radix(word.strip_prefix("#b")?, 2).ok(),
        },
        Expression::List(parts) => match parts.as_slice() {
            [Expression::Word("_"), Expression::Word(value), Expression::Word(_)] => {
                value.strip_prefix("bv")?.parse().ok()
            }
            _ => None,
        },
    }
}

/// Turns values into a row, in which no column may be missing.
fn complete(columns: &[Type], row: &Partial, texts: &[Arc<str>]) -> Result<Tuple, String> {
    if row.len() != columns.len() {
        return Err(format!("a row has {} values instead of {}", row.len(), columns.len()));
    }
    let value = |(place, r#type): (usize, &Type)| {
        let number = row.get(&place).ok_or_else(|| format!("a row lacks column {place}"))?;
        decoded(*number, *r#type, texts)
    };
    columns.iter().enumerate().map(value).collect()
}

/// Returns the value that a number represents in a column of a type.
pub(super) fn decoded(number: u64, r#type: Type, texts: &[Arc<str>]) -> Result<Constant, String> {
    let unknown = || format!("{number} represents no value of the program");
    match r#type {
        Type::Signed => i64::try_from(number).map(Constant::Signed).map_err(|_| unknown()),
        Type::Unsigned => Ok(Constant::Unsigned(number)),
        Type::Float => Err(unknown()),
        Type::Symbol => usize::try_from(number)
            .ok()
            .and_then(|place| texts.get(place))
            .cloned()
            .map(Constant::Symbol)
            .ok_or_else(unknown),
    }
}
