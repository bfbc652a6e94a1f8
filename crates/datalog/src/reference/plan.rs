//! Plans: the order in which the literals of a rule are evaluated, and which variables each of them binds.

use super::agenda::Agenda;
use super::floats;
use super::rows::{IndexNumber, Rows, Word};
use super::run::{UNPORTABLE_FLOAT, UNPORTABLE_NUMBER};
use crate::program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Term, Type, Variable,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

/// A term over words.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A variable.
    Variable(usize),
    /// A constant.
    Constant(Word),
    /// An operation on words of a type.
    Apply(Operator, Type, Vec<Expression>),
}

/// The rows of a relation that a step visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All rows at the beginning of the round.
    All,
    /// The rows that the last round added.
    New,
    /// The rows from before the last round.
    Old,
}

/// One step of a rule.
#[derive(Clone, Debug)]
pub enum PlanStep {
    /// Continues with each row that matches the key.
    Each {
        /// The index of the literal in the body.
        literal: usize,
        /// The index of the relation.
        relation: usize,
        /// Which of its rows.
        part: Part,
        /// The index over the key's columns; `None` if every row matches.
        index: Option<IndexNumber>,
        /// The values in the columns of the index.
        key: Vec<Expression>,
        /// Columns and the variables that they bind.
        binds: Vec<(usize, usize)>,
        /// Pairs of columns that must be equal.
        repeats: Vec<(usize, usize)>,
        /// Whether one row that leads to a solution is enough, because the head is already determined.
        stops_at_first: bool,
    },
    /// Continues if no row matches the key.
    Unless {
        /// The index of the literal in the body.
        literal: usize,
        /// The index of the relation.
        relation: usize,
        /// The index over the key's columns; `None` if every row matches.
        index: Option<IndexNumber>,
        /// The values in the columns of the index.
        key: Vec<Expression>,
    },
    /// Continues if a comparison holds.
    If {
        /// The index of the literal in the body.
        literal: usize,
        /// The comparison.
        comparison: Comparison,
        /// The type of both sides.
        r#type: Type,
        /// The left side.
        left: Expression,
        /// The right side.
        right: Expression,
    },
    /// Assigns a value to a variable.
    Let {
        /// The variable.
        variable: usize,
        /// Its value.
        value: Expression,
    },
    /// Computes an aggregate and assigns it to a variable, or compares it with the variable's value.
    Aggregate {
        /// The index of the literal in the body.
        literal: usize,
        /// The variable.
        result: usize,
        /// Whether the variable already has a value.
        is_known: bool,
        /// The aggregate function.
        function: Aggregate,
        /// The type of the result.
        r#type: Type,
        /// The aggregated term; `None` for a count.
        term: Option<Expression>,
        /// The steps whose solutions are aggregated.
        steps: Vec<PlanStep>,
    },
}

impl PlanStep {
    /// The variables that have a value after the step, some of which may have had it before.
    fn bound_variables(&self) -> Vec<usize> {
        match self {
            PlanStep::Each { binds, .. } => binds.iter().map(|(_, variable)| *variable).collect(),
            PlanStep::Let { variable, .. } => vec![*variable],
            PlanStep::Aggregate { result, .. } => vec![*result],
            PlanStep::Unless { .. } | PlanStep::If { .. } => Vec::new(),
        }
    }
}

/// An executable rule.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The index of the rule.
    pub rule: usize,
    /// The index of the head's relation.
    pub relation: usize,
    /// The columns of the head.
    pub head: Vec<Expression>,
    /// The number of variables.
    pub variables: usize,
    /// The steps of the body.
    pub steps: Vec<PlanStep>,
    /// The types of the variables.
    pub types: Vec<Option<Type>>,
}

/// For each variable, whether it has a value.
type Known = Vec<bool>;

/// The interned strings.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    numbers: HashMap<Arc<str>, Word>,
    texts: Vec<Arc<str>>,
    /// Why engines do not agree on a constant of the program, if there is such a constant.
    pub unportable: Option<&'static str>,
}

impl Symbols {
    fn require(&mut self, is_portable: bool, why: &'static str) {
        if !is_portable {
            self.unportable = Some(why);
        }
    }

    /// Returns the word for a constant.
    pub fn word(&mut self, constant: &Constant) -> Word {
        match constant {
            Constant::Signed(number) => {
                self.require(i32::try_from(*number).is_ok(), UNPORTABLE_NUMBER);
                *number
            }
            Constant::Unsigned(number) => {
                self.require(u32::try_from(*number).is_ok(), UNPORTABLE_NUMBER);
                number.cast_signed()
            }
            Constant::Float(bits) => {
                self.require(floats::is_portable(f64::from_bits(*bits)), UNPORTABLE_FLOAT);
                bits.cast_signed()
            }
            Constant::Symbol(text) => match self.numbers.get(text) {
                Some(number) => *number,
                None => {
                    let number = self.texts.len() as Word;
                    self.texts.push(text.clone());
                    self.numbers.insert(text.clone(), number);
                    number
                }
            },
        }
    }

    /// Returns the constant for a word of a type.
    pub fn constant(&self, word: Word, r#type: Type) -> Constant {
        match r#type {
            Type::Signed => Constant::Signed(word),
            Type::Unsigned => Constant::Unsigned(word.cast_unsigned()),
            Type::Float => Constant::Float(word.cast_unsigned()),
            Type::Symbol => Constant::Symbol(self.texts.get(word as usize).cloned().unwrap_or_default()),
        }
    }
}

/// Plans rules and creates the indices that the plans need.
pub struct Planner<'a> {
    /// The program whose rules are planned.
    pub program: &'a Program,
    /// The rows of each relation.
    pub rows: &'a mut [Rows],
    /// The interned strings.
    pub symbols: &'a mut Symbols,
}

impl Planner<'_> {
    /// Plans a rule. `parts` selects the rows that each literal visits; `given` lists the variables that have values.
    pub fn plan(&mut self, rule: usize, parts: &[Part], given: &[Variable]) -> Plan {
        let it = &self.program.rules[rule];
        let variables = it.fresh_variable().0 as usize;
        let types = self.types(rule, variables);
        let mut known = vec![false; variables];
        given.iter().for_each(|variable| known[variable.0 as usize] = true);
        let mut steps = self.steps(&it.body, parts, &mut known.clone(), &types);
        mark_existential_steps(&mut steps, &it.head.arguments, &known);
        let columns = &self.program.relation(it.head.relation).columns;
        let arguments = it.head.arguments.iter().zip(columns);
        Plan {
            rule,
            relation: it.head.relation.index(),
            head: arguments.map(|(argument, r#type)| self.expression(argument, *r#type)).collect(),
            variables,
            steps,
            types,
        }
    }

    fn steps(
        &mut self,
        body: &[Literal],
        parts: &[Part],
        bound: &mut Known,
        types: &[Option<Type>],
    ) -> Vec<PlanStep> {
        let mut steps: Vec<PlanStep> = Vec::with_capacity(body.len());
        let mut agenda = Agenda::new(body, parts, |relation| self.rows[relation].count(), bound);
        while let Some(place) = agenda.take() {
            let part = parts.get(place).copied().unwrap_or(Part::All);
            let step = self.step(&body[place], place, part, bound, types);
            for variable in step.bound_variables() {
                bound[variable] = true;
                agenda.bind(variable);
            }
            steps.push(step);
        }
        steps
    }

    fn step(
        &mut self,
        literal: &Literal,
        place: usize,
        part: Part,
        bound: &mut Known,
        types: &[Option<Type>],
    ) -> PlanStep {
        match literal {
            Literal::Positive(atom) => {
                let relation = atom.relation.index();
                let types = &self.program.relations[relation].columns;
                let (mut columns, mut key) = (Vec::new(), Vec::new());
                let mut binds: Vec<(usize, usize)> = Vec::new();
                let mut repeats: Vec<(usize, usize)> = Vec::new();
                let mut firsts = BTreeMap::new();
                for (column, argument) in atom.arguments.iter().enumerate() {
                    match argument {
                        Term::Wildcard => {}
                        Term::Variable(variable) if !bound[variable.0 as usize] => {
                            let variable = variable.0 as usize;
                            match firsts.insert(variable, column) {
                                Some(first) => repeats.push((first, column)),
                                None => binds.push((column, variable)),
                            }
                        }
                        argument => {
                            columns.push(column);
                            key.push(self.expression(argument, types[column]));
                        }
                    }
                }
                let index = self.index(relation, &columns);
                let stops_at_first = false;
                PlanStep::Each { literal: place, relation, part, index, key, binds, repeats, stops_at_first }
            }
            Literal::Negative(atom) => {
                let relation = atom.relation.index();
                let types = &self.program.relations[relation].columns;
                let known = atom.arguments.iter().enumerate().filter(|(_, it)| **it != Term::Wildcard);
                let (columns, key): (Vec<usize>, Vec<Expression>) = known
                    .map(|(column, argument)| (column, self.expression(argument, types[column])))
                    .unzip();
                let index = self.index(relation, &columns);
                PlanStep::Unless { literal: place, relation, index, key }
            }
            Literal::Compare(comparison, left, right) => {
                let r#type = type_of(left, types).or(type_of(right, types)).unwrap_or(Type::Signed);
                let unbound = |term: &Term| match term {
                    Term::Variable(variable) if !bound[variable.0 as usize] => Some(*variable),
                    _ => None,
                };
                let assigned = [(left, right), (right, left)]
                    .into_iter()
                    .find_map(|(target, value)| Some((unbound(target)?, value)));
                if let (Comparison::Equal, Some((variable, value))) = (comparison, assigned) {
                    let value = self.expression(value, r#type);
                    return PlanStep::Let { variable: variable.0 as usize, value };
                }
                let (left, right) = (self.expression(left, r#type), self.expression(right, r#type));
                PlanStep::If { literal: place, comparison: *comparison, r#type, left, right }
            }
            Literal::Aggregate { result, function, term, body } => {
                let number = result.0 as usize;
                let r#type = types[number].unwrap_or(Type::Signed);
                let is_known = std::mem::replace(&mut bound[number], false);
                let steps = self.steps(body, &[], bound, types);
                // What the body of an aggregate binds has a value only there.
                steps.iter().flat_map(PlanStep::bound_variables).for_each(|inside| bound[inside] = false);
                bound[number] = is_known;
                let term = term.as_ref().map(|term| self.expression(term, r#type));
                PlanStep::Aggregate {
                    literal: place,
                    result: number,
                    is_known,
                    function: *function,
                    r#type,
                    term,
                    steps,
                }
            }
        }
    }

    fn index(&mut self, relation: usize, columns: &[usize]) -> Option<IndexNumber> {
        (!columns.is_empty()).then(|| self.rows[relation].index_by(columns))
    }

    /// Translates a term.
    pub fn expression(&mut self, term: &Term, r#type: Type) -> Expression {
        match term {
            Term::Variable(variable) => Expression::Variable(variable.0 as usize),
            Term::Constant(constant) => Expression::Constant(self.symbols.word(constant)),
            Term::Apply(operator, operands) => {
                let operands = operands.iter().map(|operand| self.expression(operand, r#type));
                Expression::Apply(*operator, r#type, operands.collect())
            }
            // Well-formed programs have no wildcard where a value is needed.
            Term::Wildcard => Expression::Constant(0),
        }
    }

    /// Infers the types of a rule's variables, starting with the columns in which they occur.
    fn types(&self, rule: usize, variables: usize) -> Vec<Option<Type>> {
        let it = &self.program.rules[rule];
        let mut types = vec![None; variables];
        self.types_of_rows(&it.body, &mut types);
        self.types_of_atom(&it.head, &mut types);
        // Comparisons and aggregates propagate types, possibly through each other: a literal is examined again when the
        // type of one of its variables becomes known.
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, literal) in it.body.iter().enumerate() {
            own_terms(literal).for_each(|term| {
                term.for_each_variable(&mut |variable| {
                    users.entry(variable.0 as usize).or_default().push(place);
                });
            });
        }
        let mut waiting: VecDeque<usize> = (0..it.body.len()).collect();
        while let Some(place) = waiting.pop_front() {
            for (variable, r#type) in inferred_types(&it.body[place], &types) {
                if types[variable].is_none() {
                    types[variable] = Some(r#type);
                    waiting.extend(users.remove(&variable).unwrap_or_default());
                }
            }
        }
        types
    }

    fn types_of_rows(&self, body: &[Literal], types: &mut [Option<Type>]) {
        for literal in body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => self.types_of_atom(atom, types),
                Literal::Aggregate { body, .. } => self.types_of_rows(body, types),
                Literal::Compare(..) => {}
            }
        }
    }

    fn types_of_atom(&self, atom: &Atom, types: &mut [Option<Type>]) {
        let columns = &self.program.relation(atom.relation).columns;
        for (argument, column) in atom.arguments.iter().zip(columns) {
            if let Term::Variable(variable) = argument {
                types[variable.0 as usize] = Some(*column);
            }
        }
    }
}

/// The terms from which [`inferred_types`] infers types.
fn own_terms(literal: &Literal) -> impl Iterator<Item = &Term> {
    let (left, right) = match literal {
        Literal::Compare(_, left, right) => (Some(left), Some(right)),
        Literal::Aggregate { term, .. } => (term.as_ref(), None),
        Literal::Positive(_) | Literal::Negative(_) => (None, None),
    };
    left.into_iter().chain(right)
}

/// The types of variables that follow from a comparison or an aggregate.
fn inferred_types(literal: &Literal, types: &[Option<Type>]) -> Vec<(usize, Type)> {
    match literal {
        Literal::Compare(_, left, right) => {
            let known = type_of(left, types).or(type_of(right, types));
            let variable = |term: &Term| match term {
                Term::Variable(variable) => Some((variable.0 as usize, known?)),
                _ => None,
            };
            [left, right].into_iter().filter_map(variable).collect()
        }
        Literal::Aggregate { result, function, term, .. } => {
            let of = term.as_ref().and_then(|term| type_of(term, types));
            let known = if *function == Aggregate::Count { Some(Type::Signed) } else { of };
            known.map(|known| (result.0 as usize, known)).into_iter().collect()
        }
        Literal::Positive(_) | Literal::Negative(_) => Vec::new(),
    }
}

fn type_of(term: &Term, types: &[Option<Type>]) -> Option<Type> {
    match term {
        Term::Variable(variable) => types[variable.0 as usize],
        Term::Constant(constant) => Some(constant.r#type()),
        Term::Wildcard => None,
        Term::Apply(_, operands) => operands.iter().find_map(|operand| type_of(operand, types)),
    }
}

/// Marks the steps before which all variables of the head have values. Steps inside aggregates must visit every row.
fn mark_existential_steps(steps: &mut [PlanStep], head: &[Term], known: &Known) {
    let mut unknown = BTreeSet::new();
    for argument in head {
        argument.for_each_variable(&mut |variable| _ = unknown.insert(variable.0 as usize));
    }
    unknown.retain(|variable| !known[*variable]);
    for step in steps {
        if let PlanStep::Each { stops_at_first, .. } = step {
            *stops_at_first = unknown.is_empty();
        }
        step.bound_variables().iter().for_each(|variable| _ = unknown.remove(variable));
    }
}

/// Returns the variables whose values a row of the head determines: those that are a column by themselves.
pub fn head_variables(head: &[Term]) -> Vec<Variable> {
    let alone = |term: &Term| match term {
        Term::Variable(variable) => Some(*variable),
        _ => None,
    };
    head.iter().filter_map(alone).collect()
}
