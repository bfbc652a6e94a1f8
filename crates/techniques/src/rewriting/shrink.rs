//! Smaller exhibits: fewer rules, facts, literals and columns, in all programs of the exhibit alike.

use super::judge::{agree, compared, effect_of};
use super::program::{input_of, program_of, rows_of};
use crate::Edit;
use datalog::{Literal, Program, RelationId, check};
use model::Exhibit;
use std::collections::BTreeSet;

/// The passes, in the order in which they are tried.
pub const PASSES: &[&str] = &[RULES, FACTS, LITERALS, RELATIONS];
/// Drops rules.
const RULES: &str = "rules";
/// Drops facts.
const FACTS: &str = "facts";
/// Drops literals of bodies.
const LITERALS: &str = "literals";
/// Drops relations that nothing uses.
const RELATIONS: &str = "relations";

/// Something of the first program that may go.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Rule(String),
    Fact(String, usize),
    Literal(String, usize),
    Relation(String),
}

/// The edits of one pass.
pub fn edits(exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
    let Some(program) = first_program(exhibit) else { return Vec::new() };
    (0..parts(&program, pass, compared(exhibit)).len()).map(|place| Edit { place, choice: 0 }).collect()
}

/// Applies edits of one pass to every program; none if one of them would not be a program, or if the relation between
/// them would no longer have to hold.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    let first = first_program(exhibit)?;
    let parts = parts(&first, pass, compared(exhibit));
    let chosen: Vec<&Part> = edits.iter().map(|edit| parts.get(edit.place)).collect::<Option<_>>()?;
    let mut smaller = exhibit.clone();
    let mut programs = Vec::new();
    for query in &mut smaller.queries {
        let program = without(&program_of(&query.input)?, &chosen);
        check(&program).ok()?;
        query.input = input_of(&program);
        programs.push(program);
    }
    (holds(exhibit, &programs) && smaller != *exhibit).then_some(smaller)
}

/// True if the relation between two programs must hold: the reference engine says that it does.
fn holds(exhibit: &Exhibit, programs: &[Program]) -> bool {
    let (Some(effect), [before, after]) = (effect_of(exhibit), programs) else { return true };
    let rows = |program: &Program| {
        let rows = rows_of(program, program.find(compared(exhibit))?)?;
        Some(rows.into_iter().collect::<Vec<_>>())
    };
    match (rows(before), rows(after)) {
        (Some(before), Some(after)) => agree(effect, &before, &after),
        _ => false,
    }
}

fn first_program(exhibit: &Exhibit) -> Option<Program> {
    exhibit.queries.first().and_then(|query| program_of(&query.input))
}

fn parts(program: &Program, pass: &str, compared: &str) -> Vec<Part> {
    let rules = || program.rules.iter().map(|rule| program.rule_text(rule));
    match pass {
        RULES => rules().map(Part::Rule).collect(),
        FACTS => {
            let facts = |relation: &datalog::Relation| {
                let name = relation.name.to_string();
                (0..relation.facts.len()).map(move |place| Part::Fact(name.clone(), place))
            };
            program.relations.iter().flat_map(facts).collect()
        }
        LITERALS => {
            let literals = |rule: &datalog::Rule| {
                let text = program.rule_text(rule);
                let many = if rule.body.len() > 1 { rule.body.len() } else { 0 };
                (0..many).map(move |place| Part::Literal(text.clone(), place))
            };
            program.rules.iter().flat_map(literals).collect()
        }
        RELATIONS => {
            let names = program.relations.iter().map(|relation| relation.name.to_string());
            names.filter(|name| name != compared).map(Part::Relation).collect()
        }
        _ => Vec::new(),
    }
}

/// The program without some parts. Rules are known by their text, which both programs of a pair share.
fn without(program: &Program, parts: &[&Part]) -> Program {
    let mut smaller = program.clone();
    let has_part = |part: Part| parts.contains(&&part);
    smaller.rules = program
        .rules
        .iter()
        .filter(|rule| !has_part(Part::Rule(program.rule_text(rule))))
        .map(|rule| {
            let text = program.rule_text(rule);
            let mut rule = rule.clone();
            let mut place = 0;
            rule.body.retain(|_| {
                place += 1;
                !has_part(Part::Literal(text.clone(), place - 1))
            });
            rule
        })
        .collect();
    for relation in &mut smaller.relations {
        let name = relation.name.to_string();
        let mut place = 0;
        relation.facts.retain(|_| {
            place += 1;
            !has_part(Part::Fact(name.clone(), place - 1))
        });
    }
    let doomed: Vec<RelationId> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Relation(name) => smaller.find(name),
            _ => None,
        })
        .collect();
    without_relations(smaller, &doomed)
}

/// The program without relations that no rule uses any more; the others of them stay.
fn without_relations(mut program: Program, doomed: &[RelationId]) -> Program {
    let mut used: BTreeSet<RelationId> = BTreeSet::new();
    for rule in &program.rules {
        used.insert(rule.head.relation);
        for literal in &rule.body {
            note_relations(literal, &mut used);
        }
    }
    let mut places = Vec::with_capacity(program.relations.len());
    let mut kept = Vec::new();
    for id in program.ids() {
        places.push(RelationId(kept.len() as u32));
        if used.contains(&id) || !doomed.contains(&id) {
            kept.push(program.relation(id).clone());
        }
    }
    program.relations = kept;
    for rule in &mut program.rules {
        rule.head.relation = places[rule.head.relation.index()];
        rule.body.iter_mut().for_each(|literal| move_relations(literal, &places));
    }
    program
}

fn note_relations(literal: &Literal, used: &mut BTreeSet<RelationId>) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            used.insert(atom.relation);
        }
        Literal::Aggregate { body, .. } => body.iter().for_each(|inner| note_relations(inner, used)),
        Literal::Compare(..) => {}
    }
}

fn move_relations(literal: &mut Literal, places: &[RelationId]) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            atom.relation = places[atom.relation.index()];
        }
        Literal::Aggregate { body, .. } => body.iter_mut().for_each(|inner| move_relations(inner, places)),
        Literal::Compare(..) => {}
    }
}

/// What a program is made of, for grouping: which kinds of literals its rules have, whether they are recursive, and how.
pub fn shape(program: &Program) -> BTreeSet<String> {
    let mut shape = BTreeSet::new();
    let edges = datalog::strata::edges(program);
    let strata = datalog::strata::Strata::ignoring_negation(program.relations.len(), &edges);
    let mut note = |what: &str| {
        shape.insert(what.to_owned());
    };
    for edge in &edges {
        if strata.are_together(edge.from, edge.to) {
            note("recursion");
        }
        if edge.needs_all {
            note(if edge.is_counted { "aggregate" } else { "negation" });
        }
    }
    for rule in &program.rules {
        if rule.body.iter().any(|literal| matches!(literal, Literal::Compare(..))) {
            note("comparison");
        }
        if has_repeated_variable(rule) {
            note("repeated variable");
        }
    }
    if program.relations.iter().any(|relation| relation.columns.is_empty()) {
        note("no columns");
    }
    shape
}

/// True if an atom has one variable twice.
fn has_repeated_variable(rule: &datalog::Rule) -> bool {
    rule.body.iter().filter_map(Literal::atom).any(|atom| {
        let variables: Vec<_> = atom
            .arguments
            .iter()
            .filter_map(|term| match term {
                datalog::Term::Variable(variable) => Some(variable),
                _ => None,
            })
            .collect();
        let different: BTreeSet<_> = variables.iter().collect();
        different.len() < variables.len()
    })
}
