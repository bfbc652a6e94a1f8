//! What makes a program one that every engine must take: types that fit, variables that are bound, and no relation that
//! depends on its own absence. Engines do not agree on refusing others, so these are checked before anybody is asked.

use crate::program::{Aggregate, Atom, Comparison, Literal, Operator, Program, Rule, Term, Type, Variable};
use crate::strata::{Strata, Unstratified};
use std::collections::{BTreeMap, BTreeSet};

/// Checks a program. An error is a sentence that says where, and what is wrong.
pub fn check(program: &Program) -> Result<Strata, String> {
    let mut names = BTreeSet::new();
    for relation in &program.relations {
        if !names.insert(&relation.name) {
            return Err(format!("two relations are called {}", relation.name));
        }
        for fact in &relation.facts {
            let types: Vec<Type> = fact.iter().map(|value| value.r#type()).collect();
            if types != relation.columns {
                let row = program.row_text(&relation.name, fact);
                return Err(format!("the fact {row} does not fit the declaration of {}", relation.name));
            }
        }
    }
    for rule in &program.rules {
        check_rule(program, rule).map_err(|problem| format!("{problem} in {}", program.rule_text(rule)))?;
    }
    Strata::of(program).map_err(|Unstratified(edge)| {
        let (user, used) = (&program.relation(edge.to).name, &program.relation(edge.from).name);
        let rule = program.rule_text(&program.rules[edge.rule]);
        format!("{user} needs all of {used}, which depends on {user}, in {rule}")
    })
}

/// Checks types and binding in one rule.
pub fn check_rule(program: &Program, rule: &Rule) -> Result<(), String> {
    if rule.body.is_empty() {
        return Err("there is no body".to_owned());
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
        if has_anything(argument) {
            return Err("`_` stands in the head".to_owned());
        }
        argument.for_each_variable(&mut require);
    }
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => {
                // An operation must have a value before a row is looked for.
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
    rule.body.iter().try_for_each(|literal| match literal {
        Literal::Aggregate { term, body, .. } => check_aggregate(rule, &bound, term.as_ref(), body),
        _ => Ok(()),
    })
}

/// The variables that a body binds: in rows, by equality with something bound, and as the value of an aggregate.
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
    // Equalities may pass a value on, one after the other.
    loop {
        let before = bound.len();
        for literal in body {
            if let Literal::Compare(Comparison::Equal, left, right) = literal {
                for (variable, other) in [(left, right), (right, left)] {
                    if let Term::Variable(variable) = variable
                        && is_bound(other, &bound)
                    {
                        bound.insert(*variable);
                    }
                }
            }
        }
        if bound.len() == before {
            return bound;
        }
    }
}

/// True if all variables of a term are bound.
pub fn is_bound(term: &Term, bound: &BTreeSet<Variable>) -> bool {
    let mut is_bound = !has_anything(term);
    term.for_each_variable(&mut |variable| is_bound &= bound.contains(&variable));
    is_bound
}

fn has_anything(term: &Term) -> bool {
    match term {
        Term::Anything => true,
        Term::Apply(_, operands) => operands.iter().any(has_anything),
        Term::Variable(_) | Term::Constant(_) => false,
    }
}

/// The body of an aggregate must bind what it uses, with what the rule binds outside of aggregates given.
fn check_aggregate(
    rule: &Rule,
    bound: &BTreeSet<Variable>,
    term: Option<&Term>,
    body: &[Literal],
) -> Result<(), String> {
    let is_aggregate = |literal: &&Literal| matches!(literal, Literal::Aggregate { .. });
    let others: Vec<Literal> = rule.body.iter().filter(|literal| !is_aggregate(literal)).cloned().collect();
    let given = bound_variables(&others, &BTreeSet::new());
    // Engines do not agree on whether such a variable is the aggregate's own.
    let mut doubtful = None;
    let mut doubt = |variable: Variable| {
        if bound.contains(&variable) && !given.contains(&variable) {
            doubtful.get_or_insert(variable);
        }
    };
    term.into_iter().for_each(|term| term.for_each_variable(&mut doubt));
    body.iter().for_each(|literal| literal.for_each_variable(&mut doubt));
    if let Some(variable) = doubtful {
        return Err(format!("an aggregate uses {variable}, which gets its value from an aggregate"));
    }
    let inside = bound_variables(body, &given);
    let mut unbound = None;
    let mut require = |variable: Variable| {
        if !inside.contains(&variable) {
            unbound.get_or_insert(variable);
        }
    };
    term.into_iter().for_each(|term| term.for_each_variable(&mut require));
    for literal in body {
        match literal {
            Literal::Aggregate { .. } => return Err("an aggregate stands inside of another".to_owned()),
            Literal::Positive(_) => {}
            Literal::Negative(_) | Literal::Compare(..) => literal.for_each_variable(&mut require),
        }
    }
    match unbound {
        Some(variable) => Err(format!("nothing binds {variable} in the aggregate")),
        None if body.iter().any(|literal| matches!(literal, Literal::Positive(_))) => Ok(()),
        None => Err("an aggregate is over nothing".to_owned()),
    }
}

/// Every variable has one type, which fits wherever it stands.
fn check_types(program: &Program, rule: &Rule, types: &mut BTreeMap<Variable, Type>) -> Result<(), String> {
    check_atom(program, &rule.head, types)?;
    // Rows tell the types that comparisons and aggregates then have.
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
            let known = known.ok_or("a comparison of which no side has a type")?;
            check_term(left, known, types)?;
            check_term(right, known, types)?;
            let is_order = !matches!(comparison, Comparison::Equal | Comparison::Different);
            match known {
                Type::Symbol if is_order => Err("symbols are compared for equality only".to_owned()),
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
    let relation = program.relations.get(atom.relation.index()).ok_or("a relation is not declared")?;
    if relation.columns.len() != atom.arguments.len() {
        return Err(format!(
            "{} has {} columns and gets {} arguments",
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

/// The type that a term has by its constants and known variables.
fn type_of(term: &Term, types: &BTreeMap<Variable, Type>) -> Result<Option<Type>, String> {
    match term {
        Term::Variable(variable) => Ok(types.get(variable).copied()),
        Term::Constant(constant) => Ok(Some(constant.r#type())),
        Term::Anything => Err("`_` stands where a value is needed".to_owned()),
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
        Term::Anything => Ok(()),
        Term::Variable(variable) => match *types.entry(*variable).or_insert(wanted) {
            known if known == wanted => Ok(()),
            known => Err(format!("{variable} is a {known} and a {wanted}")),
        },
        Term::Constant(constant) if constant.r#type() == wanted => Ok(()),
        Term::Constant(constant) => Err(format!("{constant} stands where a {wanted} is needed")),
        Term::Apply(operator, operands) => {
            let is_whole = matches!(wanted, Type::Signed | Type::Unsigned);
            let allowed = match operator {
                Operator::Remainder => is_whole,
                Operator::Negate => matches!(wanted, Type::Signed | Type::Float),
                _ => is_whole || wanted == Type::Float,
            };
            if !allowed {
                return Err(format!("there is no such operation on a {wanted}"));
            }
            operands.iter().try_for_each(|operand| match operand {
                Term::Anything => Err("`_` stands where a value is needed".to_owned()),
                operand => check_term(operand, wanted, types),
            })
        }
    }
}
