//! Datalog programs as plain data: typed relations with facts, and rules.

use std::sync::Arc;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Signed whole numbers.
    Signed,
    /// Unsigned whole numbers.
    Unsigned,
    /// Binary floating-point numbers.
    Float,
    /// Texts, which are compared for equality only: their order is the affair of each engine.
    Symbol,
}

/// A value that is written in a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// A signed whole number.
    Signed(i64),
    /// An unsigned whole number.
    Unsigned(u64),
    /// A floating-point number, by its bits: two zeros are two constants.
    Float(u64),
    /// A text.
    Symbol(Arc<str>),
}

impl Constant {
    /// The constant for a floating-point number.
    pub fn float(value: f64) -> Constant {
        Constant::Float(value.to_bits())
    }

    /// Reads a constant of a type as it is printed; none if the text is none.
    pub fn read(text: &str, r#type: Type) -> Option<Constant> {
        match r#type {
            Type::Signed => text.parse().ok().map(Constant::Signed),
            Type::Unsigned => text.strip_suffix('u')?.parse().ok().map(Constant::Unsigned),
            Type::Float => text.parse().ok().map(Constant::float),
            Type::Symbol => {
                let inside = text.strip_prefix('"')?.strip_suffix('"')?;
                let mut letters = inside.chars();
                let mut read = String::new();
                while let Some(letter) = letters.next() {
                    read.push(match letter {
                        '\\' => match letters.next()? {
                            'n' => '\n',
                            't' => '\t',
                            other => other,
                        },
                        letter => letter,
                    });
                }
                Some(Constant::Symbol(read.into()))
            }
        }
    }

    /// Its type.
    pub fn r#type(&self) -> Type {
        match self {
            Constant::Signed(_) => Type::Signed,
            Constant::Unsigned(_) => Type::Unsigned,
            Constant::Float(_) => Type::Float,
            Constant::Symbol(_) => Type::Symbol,
        }
    }
}

/// A row of a relation.
pub type Tuple = Vec<Constant>;

/// A relation of a program, by its place in [`Program::relations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

impl RelationId {
    /// The place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of a rule. Rules number their variables from zero in the order in which they are first written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// How an engine may keep the rows of a relation. Whatever it is, the rows are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// As the engine likes.
    #[default]
    Any,
    /// A B-tree.
    Btree,
    /// A trie.
    Brie,
}

/// A relation: its declaration and its facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The name, which no other relation has.
    pub name: Arc<str>,
    /// The types of the columns; none for a relation that holds or does not.
    pub columns: Vec<Type>,
    /// The rows that are given, without repetitions.
    pub facts: Vec<Tuple>,
    /// Whether its rows are asked for.
    pub is_output: bool,
    /// Whether the engine is asked to replace it by its rules wherever it is used.
    pub is_inlined: bool,
    /// How its rows are kept.
    pub storage: Storage,
    /// Whether statements in [`Program::opaque`] declare it and give it rows that are not known here.
    pub is_opaque: bool,
}

impl Relation {
    /// A relation without facts.
    pub fn new(name: impl Into<Arc<str>>, columns: Vec<Type>) -> Relation {
        Relation {
            name: name.into(),
            columns,
            facts: Vec::new(),
            is_output: false,
            is_inlined: false,
            storage: Storage::Any,
            is_opaque: false,
        }
    }
}

/// An argument, or a side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// A constant.
    Constant(Constant),
    /// `_`: anything at all, each time anew.
    Anything,
    /// An operation.
    Apply(Operator, Vec<Term>),
}

/// Arithmetic. What does not fit a word, and what is divided by zero, has no value that engines agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The sum of two numbers.
    Add,
    /// The difference of two numbers.
    Subtract,
    /// The product of two numbers.
    Multiply,
    /// The quotient, rounded towards zero.
    Divide,
    /// The remainder, with the sign of the first operand.
    Remainder,
    /// The negative.
    Negate,
    /// The lesser of two numbers.
    Minimum,
    /// The greater of two numbers.
    Maximum,
}

/// A relation applied to arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// As many arguments as the relation has columns.
    pub arguments: Vec<Term>,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same.
    Equal,
    /// Not the same.
    Different,
    /// Less.
    Less,
    /// Less or the same.
    LessOrEqual,
    /// Greater.
    Greater,
    /// Greater or the same.
    GreaterOrEqual,
}

/// What is computed from all rows that a body gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// Their number.
    Count,
    /// The sum of a term; zero if there are none.
    Sum,
    /// The least value of a term; the literal fails if there are none.
    Minimum,
    /// The greatest value of a term; the literal fails if there are none.
    Maximum,
}

/// A part of a rule's body.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// There is such a row.
    Positive(Atom),
    /// There is no such row.
    Negative(Atom),
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// A variable is the aggregate of a term over the ways to make a body true.
    Aggregate {
        /// The variable that gets the value.
        result: Variable,
        /// What is computed.
        function: Aggregate,
        /// Of what; none for the number of ways.
        term: Option<Term>,
        /// The body: positive and negative atoms and comparisons. Its variables that the rule binds outside are given.
        body: Vec<Literal>,
    },
}

/// A rule: the head holds wherever the body does.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what; never empty.
    pub body: Vec<Literal>,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The relations.
    pub relations: Vec<Relation>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// What is written in Soufflé's dialect and not understood here, statement by statement. Only Soufflé can run a
    /// program that has any of it.
    pub opaque: Vec<Arc<str>>,
}

impl Program {
    /// A relation of the program.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// All relations by their places.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = RelationId> + use<> {
        (0..self.relations.len() as u32).map(RelationId)
    }

    /// The relation of this name.
    pub fn find(&self, name: &str) -> Option<RelationId> {
        self.ids().find(|id| &*self.relation(*id).name == name)
    }

    /// The relations whose rows are asked for.
    pub fn outputs(&self) -> impl Iterator<Item = RelationId> {
        self.ids().filter(|id| self.relation(*id).is_output)
    }

    /// The rules for a relation, by their places.
    pub fn rules_of(&self, id: RelationId) -> impl Iterator<Item = usize> {
        (0..self.rules.len()).filter(move |rule| self.rules[*rule].head.relation == id)
    }
}

impl Term {
    /// Calls `visit` with each variable in the term.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Term::Variable(variable) => visit(*variable),
            Term::Constant(_) | Term::Anything => {}
            Term::Apply(_, operands) => operands.iter().for_each(|operand| operand.for_each_variable(visit)),
        }
    }

    /// Calls `visit` with each variable in the term, to be changed.
    pub fn for_each_variable_mut(&mut self, visit: &mut impl FnMut(&mut Variable)) {
        match self {
            Term::Variable(variable) => visit(variable),
            Term::Constant(_) | Term::Anything => {}
            Term::Apply(_, operands) => {
                operands.iter_mut().for_each(|operand| operand.for_each_variable_mut(visit));
            }
        }
    }
}

impl Literal {
    /// The atom of a positive or negative literal.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Compare(..) | Literal::Aggregate { .. } => None,
        }
    }

    /// The same, to be changed.
    pub fn atom_mut(&mut self) -> Option<&mut Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Compare(..) | Literal::Aggregate { .. } => None,
        }
    }

    /// Calls `visit` with each variable in the literal, those of an aggregate's body included.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter().for_each(|argument| argument.for_each_variable(visit));
            }
            Literal::Compare(_, left, right) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
            Literal::Aggregate { result, term, body, .. } => {
                visit(*result);
                term.iter().for_each(|term| term.for_each_variable(visit));
                // Bodies of aggregates hold no aggregates, so that this goes one step deep.
                body.iter().for_each(|literal| literal.for_each_variable(visit));
            }
        }
    }

    /// The same, to be changed.
    pub fn for_each_variable_mut(&mut self, visit: &mut impl FnMut(&mut Variable)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter_mut().for_each(|argument| argument.for_each_variable_mut(visit));
            }
            Literal::Compare(_, left, right) => {
                left.for_each_variable_mut(visit);
                right.for_each_variable_mut(visit);
            }
            Literal::Aggregate { result, term, body, .. } => {
                visit(result);
                term.iter_mut().for_each(|term| term.for_each_variable_mut(visit));
                body.iter_mut().for_each(|literal| literal.for_each_variable_mut(visit));
            }
        }
    }
}

impl Rule {
    /// A number that no variable of the rule has.
    pub fn fresh_variable(&self) -> Variable {
        let mut next = 0;
        self.for_each_variable(&mut |variable: Variable| next = next.max(variable.0 + 1));
        Variable(next)
    }

    /// Calls `visit` with each variable in the rule, the head's first.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        self.head.arguments.iter().for_each(|argument| argument.for_each_variable(visit));
        self.body.iter().for_each(|literal| literal.for_each_variable(visit));
    }

    /// The same rule with its variables numbered from zero in the order in which they are first written, the head's
    /// first. Variables that stand in one aggregate only are its own: they get numbers that no other aggregate has,
    /// even if it used the same ones.
    pub fn renumbered(&self) -> Rule {
        let mut rule = self.clone();
        rule.renumber();
        rule
    }

    /// Numbers the variables in this way where the rule stands.
    pub fn renumber(&mut self) {
        let count = self.fresh_variable().0 as usize;
        let mut numbers = Numbers { next: 0, new: vec![None; count], own: Vec::new() };
        let is_aggregate = |literal: &Literal| matches!(literal, Literal::Aggregate { .. });
        let has_aggregates = self.body.iter().any(is_aggregate);
        let shared = if has_aggregates { self.shared_variables(count) } else { vec![true; count] };
        let head = self.head.arguments.iter_mut();
        head.for_each(|argument| argument.for_each_variable_mut(&mut |it| numbers.replace(it)));
        for literal in &mut self.body {
            literal.for_each_variable_mut(&mut |variable| match shared[variable.0 as usize] {
                true => numbers.replace(variable),
                false => numbers.replace_own(variable),
            });
            numbers.forget_own();
        }
    }

    /// For each variable by its number, whether it stands outside of aggregates, or is the value of one.
    fn shared_variables(&self, count: usize) -> Vec<bool> {
        let mut shared = vec![false; count];
        let mut insert = |variable: Variable| shared[variable.0 as usize] = true;
        self.head.arguments.iter().for_each(|argument| argument.for_each_variable(&mut insert));
        for literal in &self.body {
            match literal {
                Literal::Aggregate { result, .. } => insert(*result),
                literal => literal.for_each_variable(&mut insert),
            }
        }
        shared
    }
}

/// The new numbers of a rule's variables.
struct Numbers {
    next: u32,
    /// By the old numbers.
    new: Vec<Option<Variable>>,
    /// The old numbers of those that one aggregate has for itself.
    own: Vec<Variable>,
}

impl Numbers {
    fn replace(&mut self, variable: &mut Variable) {
        let place = &mut self.new[variable.0 as usize];
        *variable = *place.get_or_insert_with(|| {
            self.next += 1;
            Variable(self.next - 1)
        });
    }

    fn replace_own(&mut self, variable: &mut Variable) {
        self.own.push(*variable);
        self.replace(variable);
    }

    fn forget_own(&mut self) {
        self.own.drain(..).for_each(|variable| self.new[variable.0 as usize] = None);
    }
}
