//! Well-formedness: types match, variables are bound, and no relation depends on its own negation.
//!
//! Every engine must accept a well-formed program. Engines differ in which others they reject, so programs are checked
//! before any engine runs.

use crate::program::{Aggregate, Atom, Comparison, Literal, Operator, Program, Rule, Term, Type, Variable};
use crate::strata::{Strata, Unstratified};
use std::collections::{BTreeMap, BTreeSet};

/// Checks a program and returns its strata. An error says what is wrong and where.
pub fn check(program: &Program) -> Result<Strata, String> {
    let mut names = BTreeSet::new();
    for relation in &program.relations {
        if !names.insert(&relation.name) {
            return Err(format!("two relations are named {}", relation.name));
        }
        for fact in &relation.facts {
            let types: Vec<Type> = fact.iter().map(|value| value.r#type()).collect();
            if types != relation.columns {
                let row = program.row_text(&relation.name, fact);
                return Err(format!("the fact {row} does not match the declaration of {}", relation.name));
            }
        }
    }
    for rule in &program.rules {
        check_rule(program, rule).map_err(|problem| format!("{problem} in {}", program.rule_text(rule)))?;
    }
    Strata::of(program).map_err(|Unstratified(edge)| {
        let (user, used) = (&program.relation(edge.to).name, &program.relation(edge.from).name);
        let rule = program.rule_text(&program.rules[edge.rule]);
        format!("{user} negates or aggregates {used}, which depends on {user}, in {rule}")
    })
}

/// Checks the types and the bindings of one rule.
pub fn check_rule(program: &Program, rule: &Rule) -> Result<(), String> {
    if rule.body.is_empty() {
        return Err("the body is empty".to_owned());
    }
    let mut types = BTreeMap::new();
    check_types(program, rule, &mut types)?;
    let bound = bound_variables(&rule.body, &BTreeSet::new());
    let mut unbound = None;
    let mut require = |variable: Variable| {
        if !bound.contains(&variable) {
            unbound.get_or_insert(variable);
        }
    };
    for argument in &rule.head.arguments {
        if has_wildcard(argument) {
            return Err("the head contains `_`".to_owned());
        }
        argument.for_each_variable(&mut require);
    }
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => {
                // The value of an operation must be known before rows can be looked up.
                for argument in atom.arguments.iter().filter(|it| matches!(it, Term::Apply(..))) {
                    argument.for_each_variable(&mut require);
                }
            }
            Literal::Negative(_) | Literal::Compare(..) => literal.for_each_variable(&mut require),
            Literal::Aggregate { .. } => {}
        }
    }
    if let Some(variable) = unbound {
        return Err(format!("nothing binds {variable}"));
    }
    check_aggregates(rule, &bound)
}

fn check_aggregates(rule: &Rule, bound: &BTreeSet<Variable>) -> Result<(), String> {
    let is_aggregate = |literal: &Literal| matches!(literal, Literal::Aggregate { .. });
    if !rule.body.iter().any(is_aggregate) {
        return Ok(());
    }
    let others: Vec<Literal> = rule.body.iter().filter(|literal| !is_aggregate(literal)).cloned().collect();
    let given = bound_variables(&others, &BTreeSet::new());
    rule.body.iter().try_for_each(|literal| match literal {
        Literal::Aggregate { term, body, .. } => check_aggregate(&given, bound, term.as_ref(), body),
        _ => Ok(()),
    })
}

/// Returns the variables that a body binds: in positive atoms, by equality with a bound term, or as the result of an
/// aggregate.
pub fn bound_variables(body: &[Literal], given: &BTreeSet<Variable>) -> BTreeSet<Variable> {
    let mut bound = given.clone();
    for literal in body {
        match literal {
            Literal::Positive(atom) => {
                for argument in &atom.arguments {
                    if let Term::Variable(variable) = argument {
                        bound.insert(*variable);
                    }
                }
            }
            Literal::Aggregate { result, .. } => {
                bound.insert(*result);
            }
            Literal::Negative(_) | Literal::Compare(..) => {}
        }
    }
    follow_equalities(body, &mut bound);
    bound
}

/// Adds the variables that are equal to a bound term. Equalities can form chains, so each is examined again when one of
/// its variables becomes bound.
fn follow_equalities(body: &[Literal], bound: &mut BTreeSet<Variable>) {
    let mut equalities = Vec::new();
    let mut users: BTreeMap<Variable, Vec<usize>> = BTreeMap::new();
    for literal in body {
        if let Literal::Compare(Comparison::Equal, left, right) = literal {
            let mut note = |variable| users.entry(variable).or_default().push(equalities.len());
            left.for_each_variable(&mut note);
            right.for_each_variable(&mut note);
            equalities.push((left, right));
        }
    }
    let mut waiting: Vec<usize> = (0..equalities.len()).collect();
    while let Some(place) = waiting.pop() {
        let (left, right) = equalities[place];
        for (variable, other) in [(left, right), (right, left)] {
            if let Term::Variable(variable) = variable
                && is_bound(other, bound)
                && bound.insert(*variable)
            {
                waiting.extend(users.remove(variable).unwrap_or_default());
            }
        }
    }
}

/// Returns true if all variables of a term are bound.
pub fn is_bound(term: &Term, bound: &BTreeSet<Variable>) -> bool {
    let mut is_bound = !has_wildcard(term);
    term.for_each_variable(&mut |variable| is_bound &= bound.contains(&variable));
    is_bound
}

/// Returns true if a term has a wildcard in it.
pub(crate) fn has_wildcard(term: &Term) -> bool {
    match term {
        Term::Wildcard => true,
        Term::Apply(_, operands) => operands.iter().any(has_wildcard),
        Term::Variable(_) | Term::Constant(_) => false,
    }
}

/// Checks that the body of an aggregate, together with the rest of the rule, binds every variable that it uses. The
/// variables in `given` get their values from the rule without its aggregates.
fn check_aggregate(
    given: &BTreeSet<Variable>,
    bound: &BTreeSet<Variable>,
    term: Option<&Term>,
    body: &[Literal],
) -> Result<(), String> {
    // Engines do not agree on whether such a variable is local to the aggregate.
    let mut ambiguous = None;
    let mut reject_ambiguous = |variable: Variable| {
        if bound.contains(&variable) && !given.contains(&variable) {
            ambiguous.get_or_insert(variable);
        }
    };
    term.into_iter().for_each(|term| term.for_each_variable(&mut reject_ambiguous));
    body.iter().for_each(|literal| literal.for_each_variable(&mut reject_ambiguous));
    if let Some(variable) = ambiguous {
        return Err(format!("an aggregate uses {variable}, which gets its value from an aggregate"));
    }
    let inside = bound_in_aggregate(given, body);
    let mut unbound = None;
    let mut require = |variable: Variable| {
        if !inside.contains(&variable) && !given.contains(&variable) {
            unbound.get_or_insert(variable);
        }
    };
    term.into_iter().for_each(|term| term.for_each_variable(&mut require));
    for literal in body {
        match literal {
            Literal::Aggregate { .. } => return Err("aggregates are nested".to_owned()),
            Literal::Positive(_) => {}
            Literal::Negative(_) | Literal::Compare(..) => literal.for_each_variable(&mut require),
        }
    }
    match unbound {
        Some(variable) => Err(format!("nothing binds {variable} in the aggregate")),
        None if body.iter().any(|literal| matches!(literal, Literal::Positive(_))) => Ok(()),
        None => Err("an aggregate has no positive atom".to_owned()),
    }
}

/// Returns the variables that the body of an aggregate binds. Of the given variables, only those in the body are copied: a
/// rule may have many aggregates.
fn bound_in_aggregate(given: &BTreeSet<Variable>, body: &[Literal]) -> BTreeSet<Variable> {
    let mut known = BTreeSet::new();
    for literal in body {
        literal.for_each_variable(&mut |variable| {
            if given.contains(&variable) {
                known.insert(variable);
            }
        });
    }
    bound_variables(body, &known)
}

/// Checks that every variable has the same type wherever it occurs.
fn check_types(program: &Program, rule: &Rule, types: &mut BTreeMap<Variable, Type>) -> Result<(), String> {
    check_atom(program, &rule.head, types)?;
    // Atoms give variables their types, so they come before comparisons and aggregates.
    let (rows, others): (Vec<&Literal>, Vec<&Literal>) =
        rule.body.iter().partition(|literal| literal.atom().is_some());
    for literal in rows.into_iter().chain(others) {
        check_literal(program, literal, types)?;
    }
    Ok(())
}

fn check_literal(
    program: &Program,
    literal: &Literal,
    types: &mut BTreeMap<Variable, Type>,
) -> Result<(), String> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => check_atom(program, atom, types),
        Literal::Compare(comparison, left, right) => {
            let known = type_of(left, types)?.or(type_of(right, types)?);
            let known = known.ok_or("neither side of a comparison has a known type")?;
            check_term(left, known, types)?;
            check_term(right, known, types)?;
            let is_order = !matches!(comparison, Comparison::Equal | Comparison::Different);
            match known {
                Type::Symbol if is_order => Err("symbols can only be compared for equality".to_owned()),
                _ => Ok(()),
            }
        }
        Literal::Aggregate { result, function, term, body } => {
            for literal in body {
                check_literal(program, literal, types)?;
            }
            let of = term.as_ref().map(|term| type_of(term, types)).transpose()?.flatten();
            let r#type = match (function, of) {
                (Aggregate::Count, _) => Type::Signed,
                (_, Some(Type::Symbol) | None) => return Err("an aggregate needs a number".to_owned()),
                (_, Some(r#type)) => r#type,
            };
            check_term(&Term::Variable(*result), r#type, types)
        }
    }
}

fn check_atom(program: &Program, atom: &Atom, types: &mut BTreeMap<Variable, Type>) -> Result<(), String> {
    let relation = program.relations.get(atom.relation.index()).ok_or("a relation is undeclared")?;
    if relation.columns.len() != atom.arguments.len() {
        return Err(format!(
            "{} has {} columns but {} arguments",
            relation.name,
            relation.columns.len(),
            atom.arguments.len()
        ));
    }
    for (argument, column) in atom.arguments.iter().zip(&relation.columns) {
        check_term(argument, *column, types)?;
    }
    Ok(())
}

/// Returns the type of a term if its constants and the known variables determine it.
fn type_of(term: &Term, types: &BTreeMap<Variable, Type>) -> Result<Option<Type>, String> {
    match term {
        Term::Variable(variable) => Ok(types.get(variable).copied()),
        Term::Constant(constant) => Ok(Some(constant.r#type())),
        Term::Wildcard => Err("`_` is used where a value is needed".to_owned()),
        Term::Apply(_, operands) => {
            for operand in operands {
                if let Some(found) = type_of(operand, types)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
    }
}

fn check_term(term: &Term, wanted: Type, types: &mut BTreeMap<Variable, Type>) -> Result<(), String> {
    match term {
        Term::Wildcard => Ok(()),
        Term::Variable(variable) => match *types.entry(*variable).or_insert(wanted) {
            known if known == wanted => Ok(()),
            known => Err(format!("{variable} is both a {known} and a {wanted}")),
        },
        Term::Constant(constant) if constant.r#type() == wanted => Ok(()),
        Term::Constant(constant) => Err(format!("{constant} is used where a {wanted} is needed")),
        Term::Apply(operator, operands) => {
            let is_whole = matches!(wanted, Type::Signed | Type::Unsigned);
            let allowed = match operator {
                Operator::Remainder => is_whole,
                Operator::Negate => matches!(wanted, Type::Signed | Type::Float),
                _ => is_whole || wanted == Type::Float,
            };
            if !allowed {
                return Err(format!("an operation is not defined on a {wanted}"));
            }
            operands.iter().try_for_each(|operand| match operand {
                Term::Wildcard => Err("`_` is used where a value is needed".to_owned()),
                operand => check_term(operand, wanted, types),
            })
        }
    }
}
