//! The planted bugs of the built-in liar about Datalog programs. A lie computes another program than the one it was given.

use datalog::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Term, Tuple,
    Variable, check, reference,
};
use std::collections::BTreeSet;

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatalogLie {
    /// A variable that stands twice in an atom is only looked at once.
    RepeatedVariable,
    /// A negated relation is looked at before its rules have been applied.
    EarlyNegation,
    /// An index on the first column holds one row for each value.
    Index,
    /// A counter has two bits.
    Counter,
    /// Of the rows that are asked for by a constant, the last is lost.
    MagicSets,
    /// Every third answer lacks its last row.
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

/// What the counter wraps at.
const COUNTER_SIZE: i64 = 4;

impl DatalogLie {
    /// The lie of this name.
    pub fn from_name(name: &str) -> Option<DatalogLie> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, lie)| *lie)
    }

    /// The names of all lies.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(name, _)| *name).collect()
    }

    /// The program that is computed in the place of another.
    pub(super) fn told(self, program: &Program, fuel: u64) -> Program {
        let mut told = program.clone();
        match self {
            DatalogLie::RepeatedVariable => told.rules.iter_mut().for_each(|rule| {
                positive_atoms(&mut rule.body).for_each(forget_repetitions);
            }),
            DatalogLie::EarlyNegation => look_early(&mut told),
            DatalogLie::Index => look_up_one(&mut told),
            DatalogLie::Counter => wrap_counters(&mut told),
            DatalogLie::MagicSets => drop_demanded(&mut told, fuel),
            DatalogLie::Unsteady => {}
        }
        told
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

/// A new relation with the columns of another one and some of its rows.
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

fn look_early(program: &mut Program) {
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

fn look_up_one(program: &mut Program) {
    for rule in 0..program.rules.len() {
        let mut bound: BTreeSet<Variable> = BTreeSet::new();
        for literal in 0..program.rules[rule].body.len() {
            let Literal::Positive(atom) = &program.rules[rule].body[literal] else { continue };
            let (relation, arguments) = (atom.relation, atom.arguments.clone());
            let is_looked_up =
                matches!(arguments.first(), Some(Term::Variable(variable)) if bound.contains(variable));
            for argument in &arguments {
                argument.for_each_variable(&mut |variable| {
                    bound.insert(variable);
                });
            }
            if !is_looked_up || program.rules_of(relation).next().is_some() {
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

/// Only the first atom that asks for rows of a relation with rules by a constant gets too few.
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

/// A rule and an atom in its body with a constant, of a relation that has rules and does not depend on the head.
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
        let told = lie.map_or(program.clone(), |lie| lie.told(&program, FUEL));
        let strata = check(&told).unwrap();
        let evaluation = reference::evaluate(&told, &strata, FUEL).unwrap();
        evaluation.count(told.find("out").unwrap())
    }

    /// A program for each lie that it tells another number of rows of.
    #[test]
    fn each_lie_is_told() {
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
