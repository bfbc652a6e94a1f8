//! Infers the types of constants. The type of a number without a suffix depends on its context: a column, or the
//! variables with which it is compared.

use crate::program::{Aggregate, Atom, Constant, Literal, Program, Rule, Term, Type, Variable};

/// Converts a constant to the type of its context.
pub(super) fn settle_constant(constant: Constant, wanted: Option<Type>) -> Constant {
    match (&constant, wanted) {
        (Constant::Signed(number), Some(Type::Float)) => Constant::float(*number as f64),
        (Constant::Signed(number), Some(Type::Unsigned)) => match u64::try_from(*number) {
            Ok(number) => Constant::Unsigned(number),
            // It does not fit. The check of the program reports that.
            Err(_) => constant,
        },
        (Constant::Unsigned(number), Some(Type::Float)) if i64::try_from(*number).is_err() => {
            Constant::float(*number as f64)
        }
        _ => constant,
    }
}

/// Gives the constants of a rule the types of their contexts.
pub(super) fn settle_rule(program: &Program, rule: &mut Rule) {
    let mut classes = Classes::new(rule.fresh_variable().0 as usize);
    classes.learn_atom(program, &rule.head);
    classes.learn_rows(program, &rule.body);
    classes.join_body(&rule.body);
    classes.learn_constants(&rule.body);
    settle_atom(program, &mut rule.head);
    settle_body(program, &mut rule.body, &mut classes);
}

fn settle_body(program: &Program, body: &mut [Literal], classes: &mut Classes) {
    for literal in body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => settle_atom(program, atom),
            Literal::Compare(_, left, right) => {
                let wanted = classes.type_of(left).or(classes.type_of(right));
                settle_term(left, wanted);
                settle_term(right, wanted);
            }
            Literal::Aggregate { result, term, body, .. } => {
                if let Some(term) = term {
                    let wanted = classes.type_of(term).or(classes.type_of(&Term::Variable(*result)));
                    settle_term(term, wanted);
                }
                settle_body(program, body, classes);
            }
        }
    }
}

fn settle_atom(program: &Program, atom: &mut Atom) {
    let columns = program.relations.get(atom.relation.index()).map_or(&[][..], |it| &it.columns);
    atom.arguments
        .iter_mut()
        .zip(columns)
        .for_each(|(argument, column)| settle_term(argument, Some(*column)));
}

fn settle_term(term: &mut Term, wanted: Option<Type>) {
    match term {
        Term::Constant(constant) => *constant = settle_constant(constant.clone(), wanted),
        Term::Apply(_, operands) => operands.iter_mut().for_each(|operand| settle_term(operand, wanted)),
        Term::Variable(_) | Term::Wildcard => {}
    }
}

/// Classes of variables that must have the same type because they are compared.
struct Classes {
    /// For each variable, another one of its class, or itself if it represents the class.
    parents: Vec<usize>,
    /// For each representative, the type of its class.
    types: Vec<Option<Type>>,
}

impl Classes {
    fn new(count: usize) -> Classes {
        Classes { parents: (0..count).collect(), types: vec![None; count] }
    }

    fn find(&mut self, variable: Variable) -> usize {
        let mut place = variable.0 as usize;
        while let Some(parent) = self.parents.get(place).copied()
            && parent != place
        {
            let above = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(own) = self.parents.get_mut(place) {
                *own = above;
            }
            place = above;
        }
        place
    }

    fn learn(&mut self, variable: Variable, r#type: Type) {
        let place = self.find(variable);
        if let Some(known) = self.types.get_mut(place) {
            known.get_or_insert(r#type);
        }
    }

    fn learn_atom(&mut self, program: &Program, atom: &Atom) {
        let columns = program.relations.get(atom.relation.index()).map_or(&[][..], |it| &it.columns);
        for (argument, column) in atom.arguments.iter().zip(columns) {
            argument.for_each_variable(&mut |variable| self.learn(variable, *column));
        }
    }

    fn learn_rows(&mut self, program: &Program, body: &[Literal]) {
        for literal in body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => self.learn_atom(program, atom),
                Literal::Aggregate { result, function, body, .. } => {
                    if *function == Aggregate::Count {
                        self.learn(*result, Type::Signed);
                    }
                    self.learn_rows(program, body);
                }
                Literal::Compare(..) => {}
            }
        }
    }

    fn join_body(&mut self, body: &[Literal]) {
        for literal in body {
            let mut first = None;
            let mut join = |variable| match first {
                None => first = Some(variable),
                Some(first) => self.join(first, variable),
            };
            match literal {
                Literal::Positive(_) | Literal::Negative(_) => {}
                Literal::Compare(..) => literal.for_each_variable(&mut join),
                Literal::Aggregate { result, term, body, .. } => {
                    if let Some(term) = term {
                        join(*result);
                        term.for_each_variable(&mut join);
                    }
                    self.join_body(body);
                }
            }
        }
    }

    fn join(&mut self, left: Variable, right: Variable) {
        let (left, right) = (self.find(left), self.find(right));
        let known = self.types.get(right).copied().flatten();
        if let Some(parent) = self.parents.get_mut(right) {
            *parent = left;
        }
        if let Some(own) = self.types.get_mut(left) {
            *own = own.or(known);
        }
    }

    /// Gives variables the types of the constants with which they are compared.
    fn learn_constants(&mut self, body: &[Literal]) {
        for literal in body {
            match literal {
                Literal::Compare(_, left, right) => {
                    if let Some(shown) = shown_type(left).or(shown_type(right)) {
                        literal.for_each_variable(&mut |variable| self.learn(variable, shown));
                    }
                }
                Literal::Aggregate { body, .. } => self.learn_constants(body),
                Literal::Positive(_) | Literal::Negative(_) => {}
            }
        }
    }

    fn type_of(&mut self, term: &Term) -> Option<Type> {
        let mut found = None;
        term.for_each_variable(&mut |variable| {
            if found.is_none() {
                let place = self.find(variable);
                found = self.types.get(place).copied().flatten();
            }
        });
        found.or(shown_type(term))
    }
}

/// Returns the type of a constant in the term that is unambiguous.
fn shown_type(term: &Term) -> Option<Type> {
    match term {
        Term::Constant(Constant::Signed(_)) | Term::Variable(_) | Term::Wildcard => None,
        Term::Constant(constant) => Some(constant.r#type()),
        Term::Apply(_, operands) => operands.iter().find_map(shown_type),
    }
}
