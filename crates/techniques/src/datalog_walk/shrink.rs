//! Smaller exhibits: fewer rules, facts, literals and columns, in all programs of the exhibit alike.

use super::judge::agree;
use super::program::{Row, input_of, must_answer, program_of, rows_of};
use super::relation::DatalogRelation;
use crate::drawn_options::DropOptions;
use crate::{Pass, Patch};
use datalog::{
    Ancestry, Constant, Literal, Program, RelationId, Rule, Storage, Term, Tuple, ancestry, check,
};
use model::{Exhibit, Relation};
use std::collections::BTreeSet;

/// The passes, in the order in which they are tried.
pub const PASSES: &[&dyn Pass] = &[
    &DropOptions,
    &PartPass { name: "origin", parts: origins },
    &PartPass { name: "rules", parts: rules },
    &PartPass { name: "rows", parts: computed_relations },
    &PartPass { name: "facts", parts: facts },
    &PartPass { name: "literals", parts: literals },
    &PartPass { name: "relations", parts: other_relations },
    &PartPass { name: "columns", parts: columns },
    &PartPass { name: "arguments", parts: arguments },
    &PartPass { name: "marks", parts: marks },
];

/// A part of a Datalog program that a reduction may remove or simplify. Rules are identified by their text, which both
/// programs of a pair share; relations by their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramPart {
    /// Drop a rule.
    Rule(String),
    /// Drop the fact of a relation at a position.
    Fact(String, usize),
    /// Drop the literal of a rule's body at a position.
    Literal(String, usize),
    /// Drop a relation that nothing uses.
    Relation(String),
    /// Drop the column of a relation at a position.
    Column(String, usize),
    /// Replace an argument by `_`: the rule, the position of the literal, the position of the argument.
    Argument(String, usize, usize),
    /// Drop how a relation is stored, and that it is an output if it is not the compared one.
    Marks(String),
    /// Compare this relation, from which the compared one is computed, and ask for no other.
    Origin(String),
    /// Replace the rules of a relation by its rows.
    Rows(String),
}

use ProgramPart as Part;

/// Relations with more rows than this keep their rules.
const MOST_ROWS: usize = 50;

/// A pass over all programs of an exhibit. The parts are those of the first program, given the compared relation.
struct PartPass {
    name: &'static str,
    parts: fn(&Program, &str) -> Vec<ProgramPart>,
}

impl Pass for PartPass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let relation = DatalogRelation::of(exhibit);
        let (Some(program), Some(relation)) = (first_program(exhibit), relation) else { return Vec::new() };
        (self.parts)(&program, relation.compared()).into_iter().map(Patch::Datalog).collect()
    }

    /// The result is `None` if one of the results would not be a program, or if the relation between them would no
    /// longer have to hold.
    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let part = |patch: &'_ Patch| match patch {
            Patch::Datalog(part) => Some(part.clone()),
            _ => None,
        };
        let parts: Vec<Part> = patches.iter().map(part).collect::<Option<_>>()?;
        match parts.as_slice() {
            [Part::Origin(name)] => return at_origin(exhibit, &first_program(exhibit)?, name),
            [Part::Origin(_), ..] => return None,
            _ => {}
        }
        let relation = DatalogRelation::of(exhibit)?;
        let mut smaller = exhibit.clone();
        let mut programs = Vec::new();
        for query in &mut smaller.queries {
            let program = without(&program_of(&query.input)?, &parts, relation.compared());
            check(&program).ok()?;
            query.input = input_of(&program);
            programs.push(program);
        }
        must_hold(&relation, &programs).then_some(smaller)
    }
}

/// True if the relation of an exhibit must hold: an engine must answer, or the reference engine confirms the effect
/// between two programs.
fn must_hold(relation: &DatalogRelation, programs: &[Program]) -> bool {
    match (relation, programs) {
        (DatalogRelation::Analyzed, _) => programs.iter().all(must_answer),
        (DatalogRelation::Rewritten { effect, compared }, [before, after]) => {
            let rows = |program: &Program| {
                let rows = rows_of(program, program.find(compared)?)?;
                Some(rows.into_iter().collect::<Vec<_>>())
            };
            let rows = rows(before).zip(rows(after));
            rows.is_some_and(|(before, after)| agree(*effect, &before, &after))
        }
        (
            DatalogRelation::HasFollowingRows { .. }
            | DatalogRelation::IsFixedPoint { .. }
            | DatalogRelation::IsDeterministic { .. }
            | DatalogRelation::Rewritten { .. },
            _,
        ) => true,
    }
}

fn first_program(exhibit: &Exhibit) -> Option<Program> {
    exhibit.queries.first().and_then(|query| program_of(&query.input))
}

fn rules(program: &Program, _compared: &str) -> Vec<Part> {
    program.rules.iter().map(|rule| Part::Rule(program.rule_text(rule))).collect()
}

fn facts(program: &Program, _compared: &str) -> Vec<Part> {
    let facts = |relation: &datalog::Relation| {
        let name = relation.name.to_string();
        (0..relation.facts.len()).map(move |position| Part::Fact(name.clone(), position))
    };
    program.relations.iter().flat_map(facts).collect()
}

fn literals(program: &Program, _compared: &str) -> Vec<Part> {
    let literals = |rule: &Rule| {
        let text = program.rule_text(rule);
        let many = if rule.body.len() > 1 { rule.body.len() } else { 0 };
        (0..many).map(move |position| Part::Literal(text.clone(), position))
    };
    program.rules.iter().flat_map(literals).collect()
}

fn other_relations(program: &Program, compared: &str) -> Vec<Part> {
    let names = program.relations.iter().map(|relation| relation.name.to_string());
    names.filter(|name| name != compared).map(Part::Relation).collect()
}

fn columns(program: &Program, _compared: &str) -> Vec<Part> {
    let columns = |relation: &datalog::Relation| {
        let name = relation.name.to_string();
        // The last column stays: many engines treat a relation without columns specially.
        let many = if relation.columns.len() > 1 { relation.columns.len() } else { 0 };
        (0..many).map(move |position| Part::Column(name.clone(), position))
    };
    program.relations.iter().flat_map(columns).collect()
}

fn computed_relations(program: &Program, compared: &str) -> Vec<Part> {
    let rules = program.rules_by_relation();
    let has_rules = |id: &RelationId| !rules[id.index()].is_empty();
    let names = program.ids().filter(has_rules).map(|id| program.relation(id).name.to_string());
    names.filter(|name| name != compared).map(Part::Rows).collect()
}

fn marks(program: &Program, _compared: &str) -> Vec<Part> {
    program.relations.iter().map(|relation| Part::Marks(relation.name.to_string())).collect()
}

/// The relations with rules that are computed before the compared one.
fn origins(program: &Program, compared: &str) -> Vec<Part> {
    let (Some(compared), Ok(strata)) = (program.find(compared), check(program)) else { return Vec::new() };
    let ancestry = ancestry(program, compared);
    let rules = program.rules_by_relation();
    let is_origin = |id: &RelationId| {
        ancestry[id.index()] != Ancestry::None
            && strata.group_of[id.index()] < strata.group_of[compared.index()]
            && !rules[id.index()].is_empty()
    };
    let mut found: Vec<RelationId> = program.ids().filter(is_origin).collect();
    found.sort_by_key(|id| strata.group_of[id.index()]);
    found.into_iter().map(|id| Part::Origin(program.relation(id).name.to_string())).collect()
}

/// Compares another relation of an answer. A pair is compared in one relation only, the one whose effect is known.
fn at_origin(exhibit: &Exhibit, program: &Program, name: &str) -> Option<Exhibit> {
    let DatalogRelation::HasFollowingRows { .. } = DatalogRelation::of(exhibit)? else { return None };
    let mut program = program.clone();
    program.relations.iter_mut().for_each(|relation| relation.is_output = &*relation.name == name);
    let mut smaller = exhibit.clone();
    smaller.relation = Relation::of(&DatalogRelation::HasFollowingRows { compared: name.to_owned() });
    smaller.queries.iter_mut().for_each(|query| query.input = input_of(&program));
    Some(smaller)
}

/// The arguments of atoms that are not `_`.
fn arguments(program: &Program, _compared: &str) -> Vec<Part> {
    let mut found = Vec::new();
    for rule in &program.rules {
        let text = program.rule_text(rule);
        for (position, literal) in rule.body.iter().enumerate() {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { continue };
            for (argument, term) in atom.arguments.iter().enumerate() {
                if *term != Term::Wildcard {
                    found.push(Part::Argument(text.clone(), position, argument));
                }
            }
        }
    }
    found
}

/// The program without some parts.
fn without(program: &Program, parts: &[Part], compared: &str) -> Program {
    let mut smaller = program.clone();
    let has_part = |part: Part| parts.contains(&part);
    for id in program.ids().filter(|id| has_part(Part::Rows(program.relation(*id).name.to_string()))) {
        put_rows(&mut smaller, program, id);
    }
    smaller.rules = smaller
        .rules
        .iter()
        .filter(|rule| !has_part(Part::Rule(program.rule_text(rule))))
        .map(|rule| {
            let text = program.rule_text(rule);
            let mut rule = rule.clone();
            for (position, literal) in rule.body.iter_mut().enumerate() {
                let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { continue };
                for (argument, term) in atom.arguments.iter_mut().enumerate() {
                    if has_part(Part::Argument(text.clone(), position, argument)) {
                        *term = Term::Wildcard;
                    }
                }
            }
            let mut position = 0;
            rule.body.retain(|_| {
                position += 1;
                !has_part(Part::Literal(text.clone(), position - 1))
            });
            rule
        })
        .collect();
    for relation in &mut smaller.relations {
        let name = relation.name.to_string();
        let mut position = 0;
        relation.facts.retain(|_| {
            position += 1;
            !has_part(Part::Fact(name.clone(), position - 1))
        });
    }
    for relation in &mut smaller.relations {
        if has_part(Part::Marks(relation.name.to_string())) {
            (relation.is_inlined, relation.storage) = (false, Storage::Any);
            // A crash or a refusal is about no relation in particular.
            relation.is_output &= compared.is_empty() || &*relation.name == compared;
        }
    }
    drop_columns(&mut smaller, &has_part);
    let doomed: Vec<RelationId> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Relation(name) => smaller.find(name),
            _ => None,
        })
        .collect();
    without_relations(smaller, &doomed)
}

/// Gives a relation the rows that it has anyway, if they are few.
fn put_rows(smaller: &mut Program, program: &Program, relation: RelationId) {
    let columns = &program.relation(relation).columns;
    let read = |row: Row| -> Option<Tuple> {
        row.iter().zip(columns).map(|(text, column)| Constant::read(text, *column)).collect()
    };
    let Some(rows) = rows_of(program, relation).filter(|rows| rows.len() <= MOST_ROWS) else { return };
    let Some(rows) = rows.into_iter().map(read).collect() else { return };
    smaller.relations[relation.index()].facts = rows;
    smaller.rules.retain(|rule| rule.head.relation != relation);
}

fn drop_columns(program: &mut Program, has_part: &impl Fn(Part) -> bool) {
    let kept: Vec<Vec<bool>> = program
        .relations
        .iter()
        .map(|relation| {
            let name = relation.name.to_string();
            let is_kept = |position: usize| !has_part(Part::Column(name.clone(), position));
            let mut kept: Vec<bool> = (0..relation.columns.len()).map(is_kept).collect();
            if let (false, Some(first)) = (kept.contains(&true), kept.first_mut()) {
                *first = true;
            }
            kept
        })
        .collect();
    for (relation, kept) in program.relations.iter_mut().zip(&kept) {
        keep(&mut relation.columns, kept);
        relation.facts.iter_mut().for_each(|fact| keep(fact, kept));
        let mut seen = BTreeSet::new();
        relation.facts.retain(|fact| seen.insert(fact.clone()));
    }
    for rule in &mut program.rules {
        keep(&mut rule.head.arguments, &kept[rule.head.relation.index()]);
        rule.body.iter_mut().for_each(|literal| keep_arguments(literal, &kept));
    }
}

fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(true));
}

fn keep_arguments(literal: &mut Literal, kept: &[Vec<bool>]) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            keep(&mut atom.arguments, &kept[atom.relation.index()]);
        }
        Literal::Aggregate { body, .. } => body.iter_mut().for_each(|inner| keep_arguments(inner, kept)),
        Literal::Compare(..) => {}
    }
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

/// The features of a program, for grouping: which kinds of literals its rules have, whether they are recursive, and how.
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
            note(if edge.is_aggregated { "aggregate" } else { "negation" });
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
fn has_repeated_variable(rule: &Rule) -> bool {
    rule.body.iter().filter_map(Literal::atom).any(|atom| {
        let variables: Vec<_> = atom
            .arguments
            .iter()
            .filter_map(|term| match term {
                Term::Variable(variable) => Some(variable),
                _ => None,
            })
            .collect();
        let different: BTreeSet<_> = variables.iter().collect();
        different.len() < variables.len()
    })
}
