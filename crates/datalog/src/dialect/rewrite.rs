//! Rewrites programs for dialects that lack a feature, without changing the rows of the original relations.
//!
//! Original relations keep their indices; helper relations come after them.

use super::abilities::{Abilities, NegatedWildcard, Texts, is_or_equal};
use super::unique_names::UniqueNames;
use crate::program::{
    Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Rule, Term, Type, Variable,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Rewrites a program for a dialect. An error says which feature the dialect lacks.
pub(super) fn prepare(program: &Program, abilities: &Abilities) -> Result<Program, String> {
    abilities.check(program)?;
    let mut program = program.clone();
    fold_constant_comparisons(&mut program);
    program.rules.iter_mut().for_each(name_wildcards_in_aggregates);
    program.rules.iter_mut().for_each(separate_results);
    move_operations(&mut program);
    if abilities.min_max_by_rules {
        program.rules = split_all(program.rules, count_min_max, split_min_max)?;
    }
    if abilities.negated_wildcards != NegatedWildcard::NoRow {
        add_projections(&mut program, abilities.negated_wildcards);
    }
    if !abilities.flags {
        widen_flags(&mut program);
    }
    if !abilities.bodies_without_atoms {
        add_atoms(&mut program);
    }
    if !abilities.wildcards {
        program.rules.iter_mut().for_each(name_wildcards);
    }
    if !abilities.repeated_variables {
        program.rules.iter_mut().for_each(separate_variables);
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

/// Removes comparisons of constants, and rules that such a comparison makes false.
fn fold_constant_comparisons(program: &mut Program) {
    let mut helpers = Helpers::of(program);
    let mut rules = std::mem::take(&mut helpers.program.rules);
    rules.retain(|rule| !rule.body.iter().any(|literal| constant_comparison(literal) == Some(false)));
    for rule in &mut rules {
        rule.body.retain(|literal| constant_comparison(literal).is_none());
        if rule.body.is_empty() {
            let zero = Constant::Signed(0);
            let relation = helpers.add_singleton(&zero);
            rule.body.push(Literal::Positive(Atom { relation, arguments: vec![Term::Constant(zero)] }));
        }
    }
    program.rules = rules;
}

/// Evaluates a comparison of two constants. Returns `None` for all other literals.
fn constant_comparison(literal: &Literal) -> Option<bool> {
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

/// Gives each aggregate its own result variable.
fn separate_results(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    let mut seen = BTreeSet::new();
    let mut equalities = Vec::new();
    for literal in &mut rule.body {
        if let Literal::Aggregate { result, .. } = literal
            && !seen.insert(*result)
        {
            let other = take_variable(&mut next);
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

/// The maximum number of rules into which one rule may be split.
const MAX_RULES: u32 = 64;

/// Splits every rule in two for each literal that requires it.
fn split_all(
    rules: Vec<Rule>,
    is_split: fn(&Literal) -> usize,
    split: fn(Rule) -> Vec<Rule>,
) -> Result<Vec<Rule>, String> {
    let count = |rule: &Rule| rule.body.iter().map(is_split).sum::<usize>() as u32;
    if rules.iter().any(|rule| count(rule) > MAX_RULES.ilog2()) {
        return Err(format!("a rule would be split into more than {MAX_RULES} rules"));
    }
    Ok(rules.into_iter().flat_map(split).collect())
}

/// Counts the minima and maxima of two numbers in a comparison.
fn count_min_max(literal: &Literal) -> usize {
    match literal {
        Literal::Compare(_, left, right) => min_max_in(left) + min_max_in(right),
        _ => 0,
    }
}

fn min_max_in(term: &Term) -> usize {
    let Term::Apply(operator, operands) = term else { return 0 };
    let own = usize::from(matches!(operator, Operator::Minimum | Operator::Maximum));
    own + operands.iter().map(min_max_in).sum::<usize>()
}

/// Splits a rule with a minimum or maximum into one rule for each operand.
fn split_min_max(rule: Rule) -> Vec<Rule> {
    let Some(place) = rule.body.iter().position(|literal| count_min_max(literal) > 0) else {
        return vec![rule];
    };
    let with = |takes_first: bool| {
        let mut rule = rule.clone();
        if let Literal::Compare(_, left, right) = &mut rule.body[place] {
            let side = if min_max_in(left) > 0 { left } else { right };
            let condition = replace_min_max(side, takes_first);
            rule.body.extend(condition);
        }
        split_min_max(rule)
    };
    [with(true), with(false)].concat()
}

/// Replaces an innermost minimum or maximum by one of its operands. Returns the condition under which they are equal.
fn replace_min_max(term: &mut Term, takes_first: bool) -> Option<Literal> {
    let Term::Apply(operator, operands) = term else { return None };
    if let Some(inner) = operands.iter_mut().find(|operand| min_max_in(operand) > 0) {
        return replace_min_max(inner, takes_first);
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

/// Moves operations from atoms into equalities.
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
            // Aggregates do not nest, so this recurses only once.
            Literal::Aggregate { body, .. } => move_from_body(body, next),
            Literal::Compare(..) => {}
        }
    }
    body.append(&mut equalities);
}

fn move_from(atom: &mut Atom, next: &mut Variable, equalities: &mut Vec<Literal>) {
    for argument in &mut atom.arguments {
        if matches!(argument, Term::Apply(..)) {
            let variable = take_variable(next);
            let operation = std::mem::replace(argument, Term::Variable(variable));
            equalities.push(Literal::Compare(Comparison::Equal, Term::Variable(variable), operation));
        }
    }
}

fn take_variable(next: &mut Variable) -> Variable {
    let taken = *next;
    next.0 += 1;
    taken
}

/// Replaces each negated atom with `_` by a negated projection to its other columns.
fn add_projections(program: &mut Program, meaning: NegatedWildcard) {
    let mut known: BTreeMap<(RelationId, Vec<bool>), RelationId> = BTreeMap::new();
    let mut helpers = Helpers::of(program);
    let mut rules = std::mem::take(&mut helpers.program.rules);
    for literal in rules.iter_mut().flat_map(|rule| rule.body.iter_mut()) {
        let Literal::Negative(atom) = literal else { continue };
        let count = atom.arguments.iter().filter(|argument| **argument == Term::Wildcard).count();
        let is_partial = count < atom.arguments.len();
        if count == 0 || (is_partial && meaning == NegatedWildcard::NoRowIfPartial) {
            continue;
        }
        let kept: Vec<bool> = atom.arguments.iter().map(|argument| *argument != Term::Wildcard).collect();
        let key = (atom.relation, kept);
        let projection = match known.get(&key) {
            Some(projection) => *projection,
            None => {
                let projection = helpers.add_projection(key.0, &key.1);
                known.insert(key, projection);
                projection
            }
        };
        atom.relation = projection;
        atom.arguments.retain(|argument| *argument != Term::Wildcard);
    }
    rules.append(&mut program.rules);
    program.rules = rules;
}

/// Adds helper relations to a program.
struct Helpers<'a> {
    program: &'a mut Program,
    names: UniqueNames,
}

impl<'a> Helpers<'a> {
    fn of(program: &'a mut Program) -> Helpers<'a> {
        let names = UniqueNames::of(program.relations.iter().map(|relation| relation.name.clone()));
        Helpers { program, names }
    }

    /// Adds the projection of a relation to the kept columns.
    fn add_projection(&mut self, of: RelationId, kept: &[bool]) -> RelationId {
        let relation = self.program.relation(of);
        let columns = relation.columns.iter().zip(kept).filter(|(_, kept)| **kept).map(|(column, _)| *column);
        let columns: Vec<Type> = columns.collect();
        let name = format!("some_{}", relation.name);
        let mut next = Variable(0);
        let arguments: Vec<Term> = kept
            .iter()
            .map(|kept| if *kept { Term::Variable(take_variable(&mut next)) } else { Term::Wildcard })
            .collect();
        let head = (0..next.0).map(|number| Term::Variable(Variable(number))).collect();
        let projection = self.add_relation(name, columns);
        self.program.rules.push(Rule {
            head: Atom { relation: projection, arguments: head },
            body: vec![Literal::Positive(Atom { relation: of, arguments })],
        });
        projection
    }

    /// Adds a relation with one constant as its single fact.
    fn add_singleton(&mut self, constant: &Constant) -> RelationId {
        let singleton = self.add_relation(format!("only_{constant}"), vec![constant.r#type()]);
        self.program.relations[singleton.index()].facts.push(vec![constant.clone()]);
        singleton
    }

    /// Adds a relation with a unique name.
    fn add_relation(&mut self, name: String, columns: Vec<Type>) -> RelationId {
        let name = self.names.take(name);
        self.program.relations.push(Relation::new(name, columns));
        RelationId(self.program.relations.len() as u32 - 1)
    }
}

/// Gives nullary relations a column that is always zero.
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

/// Calls `visit` with each atom in all rules.
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

/// Replaces `_` in positive atoms by fresh variables.
fn name_wildcards(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    name_wildcards_in(&mut rule.body, &mut next);
}

/// Replaces `_` inside aggregates by fresh variables, because each value is a solution of its own.
fn name_wildcards_in_aggregates(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    for literal in &mut rule.body {
        if let Literal::Aggregate { body, .. } = literal {
            name_wildcards_in(body, &mut next);
        }
    }
}

fn name_wildcards_in(body: &mut [Literal], next: &mut Variable) {
    for literal in body {
        let Literal::Positive(atom) = literal else { continue };
        for argument in &mut atom.arguments {
            if *argument == Term::Wildcard {
                *argument = Term::Variable(take_variable(next));
            }
        }
    }
}

/// Makes the variables of each positive atom distinct.
fn separate_variables(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    let mut equalities = Vec::new();
    for literal in &mut rule.body {
        let Literal::Positive(atom) = literal else { continue };
        let mut seen = BTreeSet::new();
        for argument in &mut atom.arguments {
            if matches!(argument, Term::Variable(variable) if !seen.insert(*variable)) {
                let other = Term::Variable(take_variable(&mut next));
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

/// Splits a rule with `<=` or `>=` into one rule with a strict comparison and one with an equality.
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

/// Returns all strings of a program, sorted. The index of a string is the number that replaces it.
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
        Term::Variable(_) | Term::Wildcard => {}
    }
}

/// Adds an atom that always holds to bodies without positive atoms.
fn add_atoms(program: &mut Program) {
    let has_none = |rule: &Rule| !rule.body.iter().any(|it| matches!(it, Literal::Positive(_)));
    if !program.rules.iter().any(has_none) {
        return;
    }
    let zero = Constant::Signed(0);
    let always = Helpers::of(program).add_singleton(&zero);
    for rule in program.rules.iter_mut().filter(|rule| has_none(rule)) {
        let arguments = vec![Term::Constant(zero.clone())];
        rule.body.insert(0, Literal::Positive(Atom { relation: always, arguments }));
    }
}

/// Replaces constants in rules by variables that relations with a single fact bind.
fn move_constants(program: &mut Program) {
    let mut singletons: BTreeMap<Constant, RelationId> = BTreeMap::new();
    let mut helpers = Helpers::of(program);
    let mut rules = std::mem::take(&mut helpers.program.rules);
    for rule in &mut rules {
        let mut next = rule.fresh_variable();
        let mut moved: BTreeMap<Constant, Variable> = BTreeMap::new();
        let mut visit = |term: &mut Term| {
            if let Term::Constant(constant) = term {
                let variable = *moved.entry(constant.clone()).or_insert_with(|| take_variable(&mut next));
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
            let relation =
                *singletons.entry(constant.clone()).or_insert_with(|| helpers.add_singleton(&constant));
            rule.body.push(Literal::Positive(Atom { relation, arguments: vec![Term::Variable(variable)] }));
        }
    }
    program.rules = rules;
}

/// Makes the arguments of a head distinct variables.
fn free_head(rule: &mut Rule) {
    let mut next = rule.fresh_variable();
    let mut seen = BTreeSet::new();
    for argument in &mut rule.head.arguments {
        let is_free = matches!(argument, Term::Variable(variable) if seen.insert(*variable));
        if !is_free {
            let variable = Term::Variable(take_variable(&mut next));
            let value = std::mem::replace(argument, variable.clone());
            rule.body.push(Literal::Compare(Comparison::Equal, variable, value));
        }
    }
}

/// Replaces variables that occur once in a rule by `_`. In a safe rule, they occur in positive atoms.
fn forget_single_variables(rule: &mut Rule) {
    let mut counts: BTreeMap<Variable, usize> = BTreeMap::new();
    rule.for_each_variable(&mut |variable| *counts.entry(variable).or_default() += 1);
    for literal in &mut rule.body {
        let Literal::Positive(atom) = literal else { continue };
        for argument in &mut atom.arguments {
            if matches!(argument, Term::Variable(variable) if counts.get(variable) == Some(&1)) {
                *argument = Term::Wildcard;
            }
        }
    }
}
