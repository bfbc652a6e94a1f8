//! Rewriting programs for dialects that cannot say something: the rows of all original relations stay the same.
//!
//! Original relations keep their places; helper relations stand behind them.

use super::abilities::{Abilities, NegatedAnything, Texts, is_or_equal};
use crate::program::{
    Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Rule, Term, Type, Variable,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The program as a dialect can say it, or a sentence on what it cannot say.
pub(super) fn prepare(program: &Program, abilities: &Abilities) -> Result<Program, String> {
    abilities.check(program)?;
    let mut program = program.clone();
    settle_constants(&mut program);
    program.rules.iter_mut().for_each(name_anything_in_aggregates);
    program.rules.iter_mut().for_each(part_results);
    move_operations(&mut program);
    if abilities.extremes_by_rules {
        program.rules = split_all(program.rules, is_extreme, split_extreme)?;
    }
    if abilities.negated_anything != NegatedAnything::NoRow {
        add_projections(&mut program, abilities.negated_anything);
    }
    if !abilities.flags {
        widen_flags(&mut program);
    }
    if !abilities.bodies_without_atoms {
        add_atoms(&mut program);
    }
    if !abilities.anything {
        program.rules.iter_mut().for_each(name_anything);
    }
    if !abilities.repeated_variables {
        program.rules.iter_mut().for_each(part_variables);
    }
    if !abilities.or_equal {
        program.rules = split_all(program.rules, is_or_equal_literal, split_or_equal)?;
    }
    if abilities.texts == Texts::Numbered {
        number_texts(&mut program);
    }
    if !abilities.constants_in_rules {
        move_constants(&mut program);
    }
    if !abilities.free_heads {
        program.rules.iter_mut().for_each(free_head);
    }
    if !abilities.single_variables {
        program.rules.iter_mut().for_each(forget_single_variables);
    }
    Ok(program)
}

/// Leaves out comparisons of constants, and rules that never hold because of one.
fn settle_constants(program: &mut Program) {
    let mut rules = std::mem::take(&mut program.rules);
    rules.retain(|rule| !rule.body.iter().any(|literal| settled(literal) == Some(false)));
    for rule in &mut rules {
        rule.body.retain(|literal| settled(literal).is_none());
        if rule.body.is_empty() {
            let zero = Constant::Signed(0);
            let relation = hold(program, &zero);
            rule.body.push(Literal::Positive(Atom { relation, arguments: vec![Term::Constant(zero)] }));
        }
    }
    program.rules = rules;
}

/// Whether a comparison of two constants holds; none for anything else.
fn settled(literal: &Literal) -> Option<bool> {
    let Literal::Compare(comparison, Term::Constant(left), Term::Constant(right)) = literal else {
        return None;
    };
    let order = match (left, right) {
        (Constant::Signed(left), Constant::Signed(right)) => left.cmp(right),
        (Constant::Unsigned(left), Constant::Unsigned(right)) => left.cmp(right),
        (Constant::Symbol(left), Constant::Symbol(right)) => left.cmp(right),
        _ => return None,
    };
    let is_ordered = !matches!(left, Constant::Symbol(_));
    match comparison {
        Comparison::Equal => Some(order.is_eq()),
        Comparison::Different => Some(order.is_ne()),
        Comparison::Less => is_ordered.then_some(order.is_lt()),
        Comparison::LessOrEqual => is_ordered.then_some(order.is_le()),
        Comparison::Greater => is_ordered.then_some(order.is_gt()),
        Comparison::GreaterOrEqual => is_ordered.then_some(order.is_ge()),
    }
}

/// Gives each aggregate a result of its own.
fn part_results(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    let mut seen = BTreeSet::new();
    let mut equalities = Vec::new();
    for literal in &mut rule.body {
        if let Literal::Aggregate { result, .. } = literal
            && !seen.insert(*result)
        {
            let other = take(&mut next);
            equalities.push(Literal::Compare(
                Comparison::Equal,
                Term::Variable(*result),
                Term::Variable(other),
            ));
            *result = other;
        }
    }
    rule.body.append(&mut equalities);
}

/// A rule becomes at most so many.
const MOST_RULES: u32 = 64;

/// Splits every rule in two for each literal that is to be split.
fn split_all(
    rules: Vec<Rule>,
    is_split: fn(&Literal) -> usize,
    split: fn(Rule) -> Vec<Rule>,
) -> Result<Vec<Rule>, String> {
    let count = |rule: &Rule| rule.body.iter().map(is_split).sum::<usize>() as u32;
    if rules.iter().any(|rule| count(rule) > MOST_RULES.ilog2()) {
        return Err(format!("a rule would become more than {MOST_RULES}"));
    }
    Ok(rules.into_iter().flat_map(split).collect())
}

/// How many times a comparison has the lesser or the greater of two numbers.
fn is_extreme(literal: &Literal) -> usize {
    match literal {
        Literal::Compare(_, left, right) => extremes(left) + extremes(right),
        _ => 0,
    }
}

fn extremes(term: &Term) -> usize {
    let Term::Apply(operator, operands) = term else { return 0 };
    let own = usize::from(matches!(operator, Operator::Minimum | Operator::Maximum));
    own + operands.iter().map(extremes).sum::<usize>()
}

/// A rule for each of two numbers of which the lesser or the greater is wanted.
fn split_extreme(rule: Rule) -> Vec<Rule> {
    let Some(place) = rule.body.iter().position(|literal| is_extreme(literal) > 0) else { return vec![rule] };
    let with = |takes_first: bool| {
        let mut rule = rule.clone();
        if let Literal::Compare(_, left, right) = &mut rule.body[place] {
            let side = if extremes(left) > 0 { left } else { right };
            let condition = replace_extreme(side, takes_first);
            rule.body.extend(condition);
        }
        split_extreme(rule)
    };
    [with(true), with(false)].concat()
}

/// Puts one of its operands in the place of an innermost extreme; says when it is that one.
fn replace_extreme(term: &mut Term, takes_first: bool) -> Option<Literal> {
    let Term::Apply(operator, operands) = term else { return None };
    if let Some(inner) = operands.iter_mut().find(|operand| extremes(operand) > 0) {
        return replace_extreme(inner, takes_first);
    }
    let [left, right] = operands.as_slice() else { return None };
    let comparison = match (operator, takes_first) {
        (Operator::Minimum, true) => Comparison::LessOrEqual,
        (Operator::Minimum, false) => Comparison::Greater,
        (_, true) => Comparison::GreaterOrEqual,
        (_, false) => Comparison::Less,
    };
    let condition = Literal::Compare(comparison, left.clone(), right.clone());
    *term = if takes_first { left.clone() } else { right.clone() };
    Some(condition)
}

/// Puts operations in atoms into equalities before them.
fn move_operations(program: &mut Program) {
    for rule in &mut program.rules {
        let mut next = rule.fresh_variable();
        let mut equalities = Vec::new();
        move_from(&mut rule.head, &mut next, &mut equalities);
        move_from_body(&mut rule.body, &mut next);
        rule.body.append(&mut equalities);
    }
}

fn move_from_body(body: &mut Vec<Literal>, next: &mut Variable) {
    let mut equalities = Vec::new();
    for literal in body.iter_mut() {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => move_from(atom, next, &mut equalities),
            // Bodies of aggregates hold no aggregates, so that this goes one step deep.
            Literal::Aggregate { body, .. } => move_from_body(body, next),
            Literal::Compare(..) => {}
        }
    }
    body.append(&mut equalities);
}

fn move_from(atom: &mut Atom, next: &mut Variable, equalities: &mut Vec<Literal>) {
    for argument in &mut atom.arguments {
        if matches!(argument, Term::Apply(..)) {
            let variable = take(next);
            let operation = std::mem::replace(argument, Term::Variable(variable));
            equalities.push(Literal::Compare(Comparison::Equal, Term::Variable(variable), operation));
        }
    }
}

fn take(next: &mut Variable) -> Variable {
    let taken = *next;
    next.0 += 1;
    taken
}

/// Gives each negated atom with `_` a relation of the columns that count, and negates that.
fn add_projections(program: &mut Program, meaning: NegatedAnything) {
    let mut known: BTreeMap<(RelationId, Vec<bool>), RelationId> = BTreeMap::new();
    let mut rules = std::mem::take(&mut program.rules);
    for literal in rules.iter_mut().flat_map(|rule| rule.body.iter_mut()) {
        let Literal::Negative(atom) = literal else { continue };
        let count = atom.arguments.iter().filter(|argument| **argument == Term::Anything).count();
        let is_partial = count < atom.arguments.len();
        if count == 0 || (is_partial && meaning == NegatedAnything::NoRowIfPartial) {
            continue;
        }
        let kept: Vec<bool> = atom.arguments.iter().map(|argument| *argument != Term::Anything).collect();
        let key = (atom.relation, kept);
        let projection = match known.get(&key) {
            Some(projection) => *projection,
            None => {
                let projection = add_projection(program, key.0, &key.1);
                known.insert(key, projection);
                projection
            }
        };
        atom.relation = projection;
        atom.arguments.retain(|argument| *argument != Term::Anything);
    }
    rules.append(&mut program.rules);
    program.rules = rules;
}

/// Adds the relation of those columns of a relation that are kept, with its rule.
fn add_projection(program: &mut Program, of: RelationId, kept: &[bool]) -> RelationId {
    let relation = program.relation(of);
    let columns = relation.columns.iter().zip(kept).filter(|(_, kept)| **kept).map(|(column, _)| *column);
    let columns: Vec<Type> = columns.collect();
    let name = format!("some_{}", relation.name);
    let mut next = Variable(0);
    let arguments: Vec<Term> = kept
        .iter()
        .map(|kept| if *kept { Term::Variable(take(&mut next)) } else { Term::Anything })
        .collect();
    let head = (0..next.0).map(|number| Term::Variable(Variable(number))).collect();
    let projection = add_relation(program, name, columns);
    program.rules.push(Rule {
        head: Atom { relation: projection, arguments: head },
        body: vec![Literal::Positive(Atom { relation: of, arguments })],
    });
    projection
}

/// Adds a relation under a name that no other has.
fn add_relation(program: &mut Program, name: String, columns: Vec<Type>) -> RelationId {
    let mut unique = name.clone();
    let mut number = 0;
    while program.find(&unique).is_some() {
        unique = format!("{name}_{number}");
        number += 1;
    }
    program.relations.push(Relation::new(unique, columns));
    RelationId(program.relations.len() as u32 - 1)
}

/// Gives relations without columns one that always holds zero.
fn widen_flags(program: &mut Program) {
    let zero = Constant::Signed(0);
    let flags: BTreeSet<RelationId> =
        program.ids().filter(|id| program.relation(*id).columns.is_empty()).collect();
    for flag in &flags {
        let relation = &mut program.relations[flag.index()];
        relation.columns.push(Type::Signed);
        relation.facts.iter_mut().for_each(|fact| fact.push(zero.clone()));
    }
    for_each_atom(program, &mut |atom| {
        if flags.contains(&atom.relation) {
            atom.arguments.push(Term::Constant(zero.clone()));
        }
    });
}

/// Calls `visit` with each atom of all rules.
fn for_each_atom(program: &mut Program, visit: &mut impl FnMut(&mut Atom)) {
    for rule in &mut program.rules {
        visit(&mut rule.head);
        for literal in &mut rule.body {
            match literal {
                Literal::Aggregate { body, .. } => {
                    body.iter_mut().filter_map(Literal::atom_mut).for_each(&mut *visit);
                }
                literal => literal.atom_mut().into_iter().for_each(&mut *visit),
            }
        }
    }
}

/// Names what `_` stands for in positive atoms.
fn name_anything(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    name_anything_in(&mut rule.body, &mut next);
}

/// Names what `_` stands for inside of aggregates, where each value counts as a way of its own.
fn name_anything_in_aggregates(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    for literal in &mut rule.body {
        if let Literal::Aggregate { body, .. } = literal {
            name_anything_in(body, &mut next);
        }
    }
}

fn name_anything_in(body: &mut [Literal], next: &mut Variable) {
    for literal in body {
        let Literal::Positive(atom) = literal else { continue };
        for argument in &mut atom.arguments {
            if *argument == Term::Anything {
                *argument = Term::Variable(take(next));
            }
        }
    }
}

/// Gives each place of a positive atom a variable of its own.
fn part_variables(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    let mut equalities = Vec::new();
    for literal in &mut rule.body {
        let Literal::Positive(atom) = literal else { continue };
        let mut seen = BTreeSet::new();
        for argument in &mut atom.arguments {
            if matches!(argument, Term::Variable(variable) if !seen.insert(*variable)) {
                let other = Term::Variable(take(&mut next));
                let first = std::mem::replace(argument, other.clone());
                equalities.push(Literal::Compare(Comparison::Equal, other, first));
            }
        }
    }
    rule.body.append(&mut equalities);
}

fn is_or_equal_literal(literal: &Literal) -> usize {
    usize::from(matches!(literal, Literal::Compare(comparison, ..) if is_or_equal(*comparison)))
}

/// A rule for "less" and one for "the same", for each comparison that allows both.
fn split_or_equal(rule: Rule) -> Vec<Rule> {
    let place = rule
        .body
        .iter()
        .position(|literal| matches!(literal, Literal::Compare(comparison, ..) if is_or_equal(*comparison)));
    let Some(place) = place else { return vec![rule] };
    let strict = match &rule.body[place] {
        Literal::Compare(Comparison::LessOrEqual, ..) => Comparison::Less,
        _ => Comparison::Greater,
    };
    let with = |sign: Comparison| {
        let mut rule = rule.clone();
        if let Literal::Compare(comparison, ..) = &mut rule.body[place] {
            *comparison = sign;
        }
        split_or_equal(rule)
    };
    with(strict).into_iter().chain(with(Comparison::Equal)).collect()
}

/// All texts of a program, sorted; the place of a text is the number that stands for it.
pub(super) fn texts(program: &Program) -> Vec<Arc<str>> {
    let mut found = BTreeSet::new();
    let mut program = program.clone();
    for_each_constant(&mut program, &mut |constant| {
        if let Constant::Symbol(text) = constant {
            found.insert(text.clone());
        }
    });
    found.into_iter().collect()
}

fn number_texts(program: &mut Program) {
    let texts = texts(program);
    for_each_constant(program, &mut |constant| {
        if let Constant::Symbol(text) = constant {
            let place = texts.binary_search(text).unwrap_or_default();
            *constant = Constant::Unsigned(place as u64);
        }
    });
    for relation in &mut program.relations {
        for column in relation.columns.iter_mut().filter(|column| **column == Type::Symbol) {
            *column = Type::Unsigned;
        }
    }
}

/// Calls `visit` with each constant in facts and rules.
pub(super) fn for_each_constant(program: &mut Program, visit: &mut impl FnMut(&mut Constant)) {
    for relation in &mut program.relations {
        relation.facts.iter_mut().flatten().for_each(&mut *visit);
    }
    for rule in &mut program.rules {
        rule.head.arguments.iter_mut().for_each(|term| constants_of_term(term, visit));
        rule.body.iter_mut().for_each(|literal| constants_of_literal(literal, visit));
    }
}

fn constants_of_literal(literal: &mut Literal, visit: &mut impl FnMut(&mut Constant)) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            atom.arguments.iter_mut().for_each(|term| constants_of_term(term, visit));
        }
        Literal::Compare(_, left, right) => {
            constants_of_term(left, visit);
            constants_of_term(right, visit);
        }
        Literal::Aggregate { term, body, .. } => {
            term.iter_mut().for_each(|term| constants_of_term(term, visit));
            body.iter_mut().for_each(|literal| constants_of_literal(literal, visit));
        }
    }
}

fn constants_of_term(term: &mut Term, visit: &mut impl FnMut(&mut Constant)) {
    match term {
        Term::Constant(constant) => visit(constant),
        Term::Apply(_, operands) => operands.iter_mut().for_each(|term| constants_of_term(term, visit)),
        Term::Variable(_) | Term::Anything => {}
    }
}

/// Puts an atom that always holds into bodies without any.
fn add_atoms(program: &mut Program) {
    let has_none = |rule: &Rule| !rule.body.iter().any(|it| matches!(it, Literal::Positive(_)));
    if !program.rules.iter().any(has_none) {
        return;
    }
    let zero = Constant::Signed(0);
    let always = hold(program, &zero);
    for rule in program.rules.iter_mut().filter(|rule| has_none(rule)) {
        let arguments = vec![Term::Constant(zero.clone())];
        rule.body.insert(0, Literal::Positive(Atom { relation: always, arguments }));
    }
}

/// Replaces constants in rules by variables, which relations with one fact each bind.
fn move_constants(program: &mut Program) {
    let mut holders: BTreeMap<Constant, RelationId> = BTreeMap::new();
    let mut rules = std::mem::take(&mut program.rules);
    for rule in &mut rules {
        let mut next = rule.fresh_variable();
        let mut moved: BTreeMap<Constant, Variable> = BTreeMap::new();
        let mut visit = |term: &mut Term| {
            if let Term::Constant(constant) = term {
                let variable = *moved.entry(constant.clone()).or_insert_with(|| take(&mut next));
                *term = Term::Variable(variable);
            }
        };
        rule.head.arguments.iter_mut().for_each(&mut visit);
        for literal in &mut rule.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    atom.arguments.iter_mut().for_each(&mut visit);
                }
                Literal::Compare(_, left, right) => [left, right].into_iter().for_each(&mut visit),
                Literal::Aggregate { .. } => {}
            }
        }
        for (constant, variable) in moved {
            let relation = *holders.entry(constant.clone()).or_insert_with(|| hold(program, &constant));
            rule.body.push(Literal::Positive(Atom { relation, arguments: vec![Term::Variable(variable)] }));
        }
    }
    program.rules = rules;
}

/// Adds the relation that holds one constant.
fn hold(program: &mut Program, constant: &Constant) -> RelationId {
    let holder = add_relation(program, format!("only_{constant}"), vec![constant.r#type()]);
    program.relations[holder.index()].facts.push(vec![constant.clone()]);
    holder
}

/// Makes a head one of variables that are all different.
fn free_head(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    let mut seen = BTreeSet::new();
    for argument in &mut rule.head.arguments {
        let is_free = matches!(argument, Term::Variable(variable) if seen.insert(*variable));
        if !is_free {
            let variable = Term::Variable(take(&mut next));
            let value = std::mem::replace(argument, variable.clone());
            rule.body.push(Literal::Compare(Comparison::Equal, variable, value));
        }
    }
}

/// Replaces variables that stand once in a rule by `_`. Those of positive atoms alone can, and no others are single.
fn forget_single_variables(rule: &mut Rule) {
    let mut counts: BTreeMap<Variable, usize> = BTreeMap::new();
    rule.for_each_variable(&mut |variable| *counts.entry(variable).or_default() += 1);
    for literal in &mut rule.body {
        let Literal::Positive(atom) = literal else { continue };
        for argument in &mut atom.arguments {
            if matches!(argument, Term::Variable(variable) if counts.get(variable) == Some(&1)) {
                *argument = Term::Anything;
            }
        }
    }
}
