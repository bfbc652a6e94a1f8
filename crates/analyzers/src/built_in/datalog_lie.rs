//! The planted bugs of the built-in liar for Datalog. Each lie evaluates a different program from the one it is given.

use datalog::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Term, Tuple,
    Variable, check, reference,
};
use std::collections::BTreeSet;

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatalogLie {
    /// Ignores repetitions of a variable in an atom.
    RepeatedVariable,
    /// Evaluates a negation before the rules of the negated relation.
    EarlyNegation,
    /// Keeps only one row for each value in an index on the first column.
    Index,
    /// Counts with two bits.
    Counter,
    /// Loses the last of the rows that match a constant.
    MagicSets,
    /// Omits the last row of every third answer.
    Unsteady,
}

const NAMES: [(&str, DatalogLie); 6] = [
    ("repeated-variable", DatalogLie::RepeatedVariable),
    ("early-negation", DatalogLie::EarlyNegation),
    ("index", DatalogLie::Index),
    ("counter", DatalogLie::Counter),
    ("magic-sets", DatalogLie::MagicSets),
    ("unsteady", DatalogLie::Unsteady),
];

/// The number at which the counter wraps.
const COUNTER_SIZE: i64 = 4;

impl DatalogLie {
    /// Finds a lie by its name.
    pub fn from_name(name: &str) -> Option<DatalogLie> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, lie)| *lie)
    }

    /// Returns the names of all lies.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(name, _)| *name).collect()
    }

    /// Returns the program that the lie evaluates in place of another.
    pub(super) fn distort(self, program: &Program, fuel: u64) -> Program {
        let mut distorted = program.clone();
        match self {
            DatalogLie::RepeatedVariable => distorted.rules.iter_mut().for_each(|rule| {
                positive_atoms(&mut rule.body).for_each(forget_repetitions);
            }),
            DatalogLie::EarlyNegation => negate_early(&mut distorted),
            DatalogLie::Index => keep_one_row_per_key(&mut distorted),
            DatalogLie::Counter => wrap_counters(&mut distorted),
            DatalogLie::MagicSets => drop_demanded(&mut distorted, fuel),
            DatalogLie::Unsteady => {}
        }
        distorted
    }
}

fn positive_atoms(body: &mut [Literal]) -> impl Iterator<Item = &mut Atom> {
    body.iter_mut().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    })
}

fn forget_repetitions(atom: &mut Atom) {
    let mut seen = BTreeSet::new();
    for argument in &mut atom.arguments {
        if let Term::Variable(variable) = argument
            && !seen.insert(*variable)
        {
            *argument = Term::Wildcard;
        }
    }
}

/// Adds a relation with the columns of another one and some of its rows.
fn shadow(program: &mut Program, of: RelationId, facts: Vec<Tuple>) -> RelationId {
    let relation = program.relation(of);
    let columns = relation.columns.clone();
    let mut name = format!("{}_shadow", relation.name);
    while program.find(&name).is_some() {
        name.push('_');
    }
    let id = RelationId(program.relations.len() as u32);
    program.relations.push(Relation { facts, ..Relation::new(name, columns) });
    id
}

fn negate_early(program: &mut Program) {
    for rule in 0..program.rules.len() {
        for literal in 0..program.rules[rule].body.len() {
            let Literal::Negative(atom) = &program.rules[rule].body[literal] else { continue };
            let negated = atom.relation;
            if program.rules_of(negated).next().is_none() {
                continue;
            }
            let early = shadow(program, negated, program.relation(negated).facts.clone());
            if let Literal::Negative(atom) = &mut program.rules[rule].body[literal] {
                atom.relation = early;
            }
        }
    }
}

fn keep_one_row_per_key(program: &mut Program) {
    for rule in 0..program.rules.len() {
        let mut bound: BTreeSet<Variable> = BTreeSet::new();
        for literal in 0..program.rules[rule].body.len() {
            let Literal::Positive(atom) = &program.rules[rule].body[literal] else { continue };
            let (relation, arguments) = (atom.relation, atom.arguments.clone());
            let is_indexed =
                matches!(arguments.first(), Some(Term::Variable(variable)) if bound.contains(variable));
            for argument in &arguments {
                argument.for_each_variable(&mut |variable| {
                    bound.insert(variable);
                });
            }
            if !is_indexed || program.rules_of(relation).next().is_some() {
                continue;
            }
            let mut keys: BTreeSet<Constant> = BTreeSet::new();
            let mut facts = program.relation(relation).facts.clone();
            facts.retain(|fact| fact.first().is_some_and(|key| keys.insert(key.clone())));
            let index = shadow(program, relation, facts);
            if let Literal::Positive(atom) = &mut program.rules[rule].body[literal] {
                atom.relation = index;
            }
        }
    }
}

fn wrap_counters(program: &mut Program) {
    for rule in &mut program.rules {
        let mut next = rule.fresh_variable();
        let mut wrapped = Vec::new();
        for literal in &mut rule.body {
            if let Literal::Aggregate { result, function: Aggregate::Count, .. } = literal {
                let size = Term::Constant(Constant::Signed(COUNTER_SIZE));
                let rest = Term::Apply(Operator::Remainder, vec![Term::Variable(next), size]);
                wrapped.push(Literal::Compare(Comparison::Equal, Term::Variable(*result), rest));
                *result = next;
                next = Variable(next.0 + 1);
            }
        }
        rule.body.extend(wrapped);
    }
}

/// Drops a row from the first atom that has a constant and a relation with rules.
fn drop_demanded(program: &mut Program, fuel: u64) {
    let Some((rule, literal)) = demanding_atom(program) else { return };
    let Literal::Positive(atom) = &program.rules[rule].body[literal] else { return };
    let Ok(strata) = check(program) else { return };
    let Ok(evaluation) = reference::evaluate(program, &strata, fuel) else { return };
    let is_demanded = |row: &Tuple| {
        let fits = |(argument, value): (&Term, &Constant)| match argument {
            Term::Constant(wanted) => wanted == value,
            _ => true,
        };
        atom.arguments.iter().zip(row).all(fits)
    };
    let demanded = atom.relation;
    let mut rows: Vec<Tuple> = evaluation.rows(demanded).into_iter().filter(is_demanded).collect();
    rows.pop();
    let shadow = shadow(program, demanded, rows);
    if let Literal::Positive(atom) = &mut program.rules[rule].body[literal] {
        atom.relation = shadow;
    }
}

/// Finds a rule and an atom in its body with a constant, whose relation has rules and does not depend on the head.
fn demanding_atom(program: &Program) -> Option<(usize, usize)> {
    let strata = check(program).ok()?;
    let group = |relation: RelationId| strata.group_of[relation.index()];
    for (place, rule) in program.rules.iter().enumerate() {
        for (literal, it) in rule.body.iter().enumerate() {
            let Literal::Positive(atom) = it else { continue };
            let has_constant = atom.arguments.iter().any(|it| matches!(it, Term::Constant(_)));
            let has_rules = program.rules_of(atom.relation).next().is_some();
            if has_constant && has_rules && group(atom.relation) != group(rule.head.relation) {
                return Some((place, literal));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use datalog::parse;

    const FUEL: u64 = 10_000;

    fn rows(lie: Option<DatalogLie>, text: &str) -> usize {
        let program = parse("test", text).unwrap();
        let distorted = lie.map_or(program.clone(), |lie| lie.distort(&program, FUEL));
        let strata = check(&distorted).unwrap();
        let evaluation = reference::evaluate(&distorted, &strata, FUEL).unwrap();
        evaluation.count(distorted.find("out").unwrap())
    }

    /// Each lie changes the number of rows of its program.
    #[test]
    fn each_lie_changes_the_rows() {
        let edges = ".decl e(x:number, y:number)\ne(1, 1). e(1, 2). e(2, 3).\n";
        for (lie, text) in [
            (DatalogLie::RepeatedVariable, ".decl out(x:number)\n.output out\nout(x) :- e(x, x)."),
            (
                DatalogLie::EarlyNegation,
                ".decl r(x:number)\n.decl out(x:number)\n.output out\nr(x) :- e(x, x).\nout(x) :- e(x, _), !r(x).",
            ),
            (
                DatalogLie::Index,
                ".decl f(x:number)\nf(1).\n.decl out(x:number)\n.output out\nout(y) :- f(x), e(x, y).",
            ),
            (
                DatalogLie::MagicSets,
                ".decl r(x:number, y:number)\n.decl out(x:number)\n.output out\n\
                 r(x, y) :- e(x, y).\nout(y) :- r(1, y).",
            ),
        ] {
            let text = format!("{edges}{text}\n");
            assert_ne!(rows(Some(lie), &text), rows(None, &text), "{lie:?}");
        }
        let counted = ".decl f(x:number)\nf(1). f(2). f(3). f(4). f(5).\n.decl out(x:number)\n.output out\n\
                       out(n) :- n = count : { f(_) }, n > 4.\n";
        assert_eq!((rows(None, counted), rows(Some(DatalogLie::Counter), counted)), (1, 0));
    }
}
