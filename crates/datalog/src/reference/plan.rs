//! Rules as steps: in which order the literals of a body are looked at, and what is known at each of them.

use super::floats;
use super::rows::{IndexNumber, Rows, Word};
use super::run::{DOUBTFUL_FLOAT, DOUBTFUL_NUMBER};
use crate::program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Term, Type, Variable,
};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// A term over words.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A variable, by its number.
    Variable(usize),
    /// A constant.
    Constant(Word),
    /// An operation on words of a type.
    Apply(Operator, Type, Vec<Expression>),
}

/// Which rows of a relation are looked at: all, those of the last round, or those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All that there are at the beginning of the round.
    All,
    /// Those that came in the last round.
    New,
    /// Those that were there before.
    Old,
}

/// One step of a rule.
#[derive(Clone, Debug)]
pub enum Step {
    /// For each row with these words in the columns of the index.
    Each {
        /// The literal, by its place in the body.
        literal: usize,
        /// The relation, by its place.
        relation: usize,
        /// Which of its rows.
        part: Part,
        /// How they are found; none if every row will do.
        index: Option<IndexNumber>,
        /// The words in the columns of the index.
        key: Vec<Expression>,
        /// Columns that give a variable its value.
        binds: Vec<(usize, usize)>,
        /// Columns that must be the same as another column of the row.
        repeats: Vec<(usize, usize)>,
        /// Whether one row that leads to the end is enough: the head is known before.
        is_witness: bool,
    },
    /// Unless there is such a row.
    Unless {
        /// The literal, by its place in the body.
        literal: usize,
        /// The relation, by its place.
        relation: usize,
        /// How rows are found; none if any row counts.
        index: Option<IndexNumber>,
        /// The words in the columns of the index.
        key: Vec<Expression>,
    },
    /// If a comparison holds.
    If {
        /// The literal, by its place in the body.
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
    /// A variable gets a value.
    Let {
        /// The variable, by its number.
        variable: usize,
        /// Its value.
        value: Expression,
    },
    /// A variable gets, or must have, the value of an aggregate.
    Aggregate {
        /// The literal, by its place in the body.
        literal: usize,
        /// The variable, by its number.
        result: usize,
        /// Whether it has a value before.
        is_known: bool,
        /// What is computed.
        function: Aggregate,
        /// The type of the result.
        r#type: Type,
        /// Of what.
        term: Option<Expression>,
        /// For each way through these steps.
        steps: Vec<Step>,
    },
}

/// A rule, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule, by its place.
    pub rule: usize,
    /// The relation of the head, by its place.
    pub relation: usize,
    /// The columns of the head.
    pub head: Vec<Expression>,
    /// How many variables there are.
    pub variables: usize,
    /// The steps.
    pub steps: Vec<Step>,
    /// The types of its variables, by their numbers.
    pub types: Vec<Option<Type>>,
}

/// For each variable by its number, whether it has a value.
type Known = Vec<bool>;

/// The numbers of symbols.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    numbers: HashMap<Arc<str>, Word>,
    texts: Vec<Arc<str>>,
    /// What engines do not agree on in a constant that was met.
    pub doubtful: Option<&'static str>,
}

impl Symbols {
    fn doubt(&mut self, is_safe: bool, why: &'static str) {
        if !is_safe {
            self.doubtful = Some(why);
        }
    }

    /// The word for a constant.
    pub fn word(&mut self, constant: &Constant) -> Word {
        match constant {
            Constant::Signed(number) => {
                self.doubt(i32::try_from(*number).is_ok(), DOUBTFUL_NUMBER);
                *number
            }
            Constant::Unsigned(number) => {
                self.doubt(u32::try_from(*number).is_ok(), DOUBTFUL_NUMBER);
                number.cast_signed()
            }
            Constant::Float(bits) => {
                self.doubt(floats::is_safe(f64::from_bits(*bits)), DOUBTFUL_FLOAT);
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

    /// The constant for a word of a type.
    pub fn constant(&self, word: Word, r#type: Type) -> Constant {
        match r#type {
            Type::Signed => Constant::Signed(word),
            Type::Unsigned => Constant::Unsigned(word.cast_unsigned()),
            Type::Float => Constant::Float(word.cast_unsigned()),
            Type::Symbol => Constant::Symbol(self.texts.get(word as usize).cloned().unwrap_or_default()),
        }
    }
}

/// Makes plans for the rules of a program, and the indices that they need.
pub struct Planner<'a> {
    /// The program.
    pub program: &'a Program,
    /// The rows of each relation.
    pub rows: &'a mut [Rows],
    /// The symbols.
    pub symbols: &'a mut Symbols,
}

impl Planner<'_> {
    /// The steps of a rule. `parts` says which rows of each literal are looked at; `given` has a value before.
    pub fn plan(&mut self, rule: usize, parts: &[Part], given: &[Variable]) -> Plan {
        let it = &self.program.rules[rule];
        let variables = it.fresh_variable().0 as usize;
        let types = self.types(rule, variables);
        let mut known = vec![false; variables];
        given.iter().for_each(|variable| known[variable.0 as usize] = true);
        let mut steps = self.steps(&it.body, parts, known.clone(), &types);
        mark_witnesses(&mut steps, &it.head.arguments, known);
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
        mut bound: Known,
        types: &[Option<Type>],
    ) -> Vec<Step> {
        let mut left: Vec<usize> = (0..body.len()).collect();
        let mut steps = Vec::new();
        while let Some(place) = self.next_literal(body, parts, &left, &bound) {
            left.retain(|other| *other != place);
            let part = parts.get(place).copied().unwrap_or(Part::All);
            self.step(body, place, part, &mut bound, types, &mut steps);
        }
        steps
    }

    fn step(
        &mut self,
        body: &[Literal],
        place: usize,
        part: Part,
        bound: &mut Known,
        types: &[Option<Type>],
        steps: &mut Vec<Step>,
    ) {
        match &body[place] {
            Literal::Positive(atom) => {
                let relation = atom.relation.index();
                let types = &self.program.relations[relation].columns;
                let (mut columns, mut key) = (Vec::new(), Vec::new());
                let mut binds: Vec<(usize, usize)> = Vec::new();
                let mut repeats: Vec<(usize, usize)> = Vec::new();
                for (column, argument) in atom.arguments.iter().enumerate() {
                    match argument {
                        Term::Anything => {}
                        Term::Variable(variable) if !bound[variable.0 as usize] => {
                            let variable = variable.0 as usize;
                            match binds.iter().find(|(_, known)| *known == variable) {
                                Some((first, _)) => repeats.push((*first, column)),
                                None => binds.push((column, variable)),
                            }
                        }
                        argument => {
                            columns.push(column);
                            key.push(self.expression(argument, types[column]));
                        }
                    }
                }
                binds.iter().for_each(|(_, variable)| bound[*variable] = true);
                let index = self.index(relation, &columns);
                steps.push(Step::Each {
                    literal: place,
                    relation,
                    part,
                    index,
                    key,
                    binds,
                    repeats,
                    is_witness: false,
                });
            }
            Literal::Negative(atom) => {
                let relation = atom.relation.index();
                let types = &self.program.relations[relation].columns;
                let known = atom.arguments.iter().enumerate().filter(|(_, it)| **it != Term::Anything);
                let (columns, key): (Vec<usize>, Vec<Expression>) = known
                    .map(|(column, argument)| (column, self.expression(argument, types[column])))
                    .unzip();
                let index = self.index(relation, &columns);
                steps.push(Step::Unless { literal: place, relation, index, key });
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
                    bound[variable.0 as usize] = true;
                    let value = self.expression(value, r#type);
                    steps.push(Step::Let { variable: variable.0 as usize, value });
                    return;
                }
                let (left, right) = (self.expression(left, r#type), self.expression(right, r#type));
                steps.push(Step::If { literal: place, comparison: *comparison, r#type, left, right });
            }
            Literal::Aggregate { result, function, term, body } => {
                let number = result.0 as usize;
                let r#type = types[number].unwrap_or(Type::Signed);
                let is_known = bound[number];
                bound[number] = true;
                let mut given = bound.clone();
                given[number] = false;
                let steps_inside = self.steps(body, &[], given, types);
                let term = term.as_ref().map(|term| self.expression(term, r#type));
                steps.push(Step::Aggregate {
                    literal: place,
                    result: number,
                    is_known,
                    function: *function,
                    r#type,
                    term,
                    steps: steps_inside,
                });
            }
        }
    }

    /// The literal to look at next: what asks nothing new comes first, then the rows of the last round, then the atom of
    /// which most is known, and of these the one with fewest rows.
    fn next_literal(&self, body: &[Literal], parts: &[Part], left: &[usize], bound: &Known) -> Option<usize> {
        let is_ready = |place: &&usize| match &body[**place] {
            Literal::Positive(_) => false,
            Literal::Negative(atom) => {
                atom.arguments.iter().all(|argument| *argument == Term::Anything || is_bound(argument, bound))
            }
            Literal::Compare(comparison, one, other) => {
                let passes = |target: &Term, value: &Term| {
                    *comparison == Comparison::Equal
                        && matches!(target, Term::Variable(_))
                        && is_bound(value, bound)
                };
                let is_known = is_bound(one, bound) && is_bound(other, bound);
                is_known || passes(one, other) || passes(other, one)
            }
            Literal::Aggregate { .. } => false,
        };
        if let Some(place) = left.iter().find(is_ready) {
            return Some(*place);
        }
        let known = |place: usize| {
            let Literal::Positive(atom) = &body[place] else { return None };
            // An operation must have its value before rows are looked for.
            let operations = atom.arguments.iter().filter(|argument| matches!(argument, Term::Apply(..)));
            if !operations.into_iter().all(|operation| is_bound(operation, bound)) {
                return None;
            }
            let known = atom.arguments.iter().filter(|argument| is_bound(argument, bound)).count();
            let is_new = parts.get(place) == Some(&Part::New);
            let rows = self.rows[atom.relation.index()].count();
            Some((is_new, known == atom.arguments.len(), known, Reverse(rows)))
        };
        let best = left.iter().filter_map(|place| Some((known(*place)?, usize::MAX - place))).max();
        // Aggregates come last, when everything that the rule binds outside of them has its value.
        let is_aggregate = |place: &&usize| matches!(body[**place], Literal::Aggregate { .. });
        best.map(|(_, place)| usize::MAX - place).or_else(|| left.iter().find(is_aggregate).copied())
    }

    fn index(&mut self, relation: usize, columns: &[usize]) -> Option<IndexNumber> {
        (!columns.is_empty()).then(|| self.rows[relation].index_by(columns))
    }

    /// A term over words.
    pub fn expression(&mut self, term: &Term, r#type: Type) -> Expression {
        match term {
            Term::Variable(variable) => Expression::Variable(variable.0 as usize),
            Term::Constant(constant) => Expression::Constant(self.symbols.word(constant)),
            Term::Apply(operator, operands) => {
                let operands = operands.iter().map(|operand| self.expression(operand, r#type));
                Expression::Apply(*operator, r#type, operands.collect())
            }
            // Nothing well-formed has it where a value is needed.
            Term::Anything => Expression::Constant(0),
        }
    }

    /// The types of a rule's variables, which are known from the rows that they stand in.
    fn types(&self, rule: usize, variables: usize) -> Vec<Option<Type>> {
        let it = &self.program.rules[rule];
        let mut types = vec![None; variables];
        self.types_of_rows(&it.body, &mut types);
        self.types_of_atom(&it.head, &mut types);
        // Comparisons and aggregates pass types on, perhaps one to the other.
        let others = it.body.iter().filter(|literal| literal.atom().is_none()).count();
        for literal in it.body.iter().cycle().take(it.body.len() * others) {
            match literal {
                Literal::Compare(_, left, right) => {
                    let known = type_of(left, &types).or(type_of(right, &types));
                    for term in [left, right] {
                        if let Term::Variable(variable) = term {
                            let place = &mut types[variable.0 as usize];
                            *place = place.or(known);
                        }
                    }
                }
                Literal::Aggregate { result, function, term, .. } => {
                    let of = term.as_ref().and_then(|term| type_of(term, &types));
                    let known = if *function == Aggregate::Count { Some(Type::Signed) } else { of };
                    let place = &mut types[result.0 as usize];
                    *place = place.or(known);
                }
                Literal::Positive(_) | Literal::Negative(_) => {}
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

fn type_of(term: &Term, types: &[Option<Type>]) -> Option<Type> {
    match term {
        Term::Variable(variable) => types[variable.0 as usize],
        Term::Constant(constant) => Some(constant.r#type()),
        Term::Anything => None,
        Term::Apply(_, operands) => operands.iter().find_map(|operand| type_of(operand, types)),
    }
}

/// True if all variables of a term have values.
fn is_bound(term: &Term, known: &Known) -> bool {
    match term {
        Term::Variable(variable) => known[variable.0 as usize],
        Term::Constant(_) => true,
        Term::Anything => false,
        Term::Apply(_, operands) => operands.iter().all(|operand| is_bound(operand, known)),
    }
}

/// Marks the steps before which all variables of the head have values. Steps inside of aggregates count every row.
fn mark_witnesses(steps: &mut [Step], head: &[Term], mut known: Known) {
    for step in steps {
        let is_head_known = head.iter().all(|argument| is_bound(argument, &known));
        match step {
            Step::Each { binds, is_witness, .. } => {
                *is_witness = is_head_known;
                binds.iter().for_each(|(_, variable)| known[*variable] = true);
            }
            Step::Let { variable, .. } => known[*variable] = true,
            Step::Aggregate { result, .. } => known[*result] = true,
            Step::Unless { .. } | Step::If { .. } => {}
        }
    }
}

/// The variables that a row gives a value when it is asked about: those that stand alone in a column of the head.
pub fn head_variables(head: &[Term]) -> Vec<Variable> {
    let alone = |term: &Term| match term {
        Term::Variable(variable) => Some(*variable),
        _ => None,
    };
    head.iter().filter_map(alone).collect()
}
