//! Datalog programs as plain data: typed relations with facts, and rules.

use std::sync::Arc;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Binary floating-point numbers.
    Float,
    /// Strings. They are compared for equality only, because each engine orders them in its own way.
    Symbol,
}

/// A constant in a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// The bits of a floating-point number: the two zeros are different constants.
    Float(u64),
    /// A string.
    Symbol(Arc<str>),
}

impl Constant {
    /// The constant for a floating-point number.
    pub fn float(value: f64) -> Constant {
        Constant::Float(value.to_bits())
    }

    /// Parses a constant of the given type in the form in which it is printed.
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

    /// Returns the type of the constant.
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

/// The index of a relation in [`Program::relations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

impl RelationId {
    /// Returns the index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of a rule. Rules number their variables from zero in the order of first occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// The data structure in which an engine stores a relation. It never changes the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// The engine's default.
    #[default]
    Any,
    /// A B-tree.
    Btree,
    /// A trie.
    Brie,
}

/// The declaration and the facts of a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The name, which is unique in the program.
    pub name: Arc<str>,
    /// The types of the columns; empty for a nullary relation.
    pub columns: Vec<Type>,
    /// The rows given as facts, without duplicates.
    pub facts: Vec<Tuple>,
    /// Whether the engine prints its rows.
    pub is_output: bool,
    /// Whether the engine must inline its rules wherever it is used.
    pub is_inlined: bool,
    /// How its rows are stored.
    pub storage: Storage,
    /// Whether statements in [`Program::opaque`] declare it and may give it rows that we do not know.
    pub is_opaque: bool,
}

impl Relation {
    /// Creates a relation without facts.
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// A constant.
    Constant(Constant),
    /// `_`, which matches any value.
    Wildcard,
    /// An operation.
    Apply(Operator, Vec<Term>),
}

/// An arithmetic operator. Engines do not agree on the results of overflow and of division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// One argument for each column of the relation.
    pub arguments: Vec<Term>,
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A function over all solutions of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// The number of solutions.
    Count,
    /// The sum of a term; zero if there is no solution.
    Sum,
    /// The least value of a term; the literal fails if there is no solution.
    Minimum,
    /// The greatest value of a term; the literal fails if there is no solution.
    Maximum,
}

/// A part of a rule's body.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// Holds if the relation has such a row.
    Positive(Atom),
    /// Holds if the relation has no such row.
    Negative(Atom),
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// Binds a variable to the aggregate of a term over all solutions of a body.
    Aggregate {
        /// The variable that receives the value.
        result: Variable,
        /// The aggregate function.
        function: Aggregate,
        /// The aggregated term; `None` for a count.
        term: Option<Term>,
        /// Positive and negative atoms and comparisons. Variables that the rest of the rule binds keep their values.
        body: Vec<Literal>,
    },
}

/// A rule: the head holds wherever the body does.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The atom that the rule derives.
    pub head: Atom,
    /// The literals that must all hold; never empty.
    pub body: Vec<Literal>,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The relations, indexed by [`RelationId`].
    pub relations: Vec<Relation>,
    /// The rules of all relations.
    pub rules: Vec<Rule>,
    /// Statements of Soufflé that this crate does not model. Only Soufflé can run a program that has any.
    pub opaque: Vec<Arc<str>>,
}

impl Program {
    /// Returns the relation with this id.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// Iterates over the ids of all relations.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = RelationId> + use<> {
        (0..self.relations.len() as u32).map(RelationId)
    }

    /// Finds a relation by its name.
    pub fn find(&self, name: &str) -> Option<RelationId> {
        self.ids().find(|id| &*self.relation(*id).name == name)
    }

    /// Iterates over the output relations.
    pub fn outputs(&self) -> impl Iterator<Item = RelationId> {
        self.ids().filter(|id| self.relation(*id).is_output)
    }

    /// Returns the indices of the rules of each relation, for those who need them for all relations.
    pub fn rules_by_relation(&self) -> Vec<Vec<usize>> {
        let mut rules = vec![Vec::new(); self.relations.len()];
        for (place, rule) in self.rules.iter().enumerate() {
            rules[rule.head.relation.index()].push(place);
        }
        rules
    }

    /// Iterates over the indices of the rules whose head is this relation. This looks at all rules.
    pub fn rules_of(&self, id: RelationId) -> impl Iterator<Item = usize> {
        (0..self.rules.len()).filter(move |rule| self.rules[*rule].head.relation == id)
    }
}

impl Term {
    /// Calls `visit` with each variable in the term.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Term::Variable(variable) => visit(*variable),
            Term::Constant(_) | Term::Wildcard => {}
            Term::Apply(_, operands) => operands.iter().for_each(|operand| operand.for_each_variable(visit)),
        }
    }

    /// Calls `visit` with a mutable reference to each variable in the term.
    pub fn for_each_variable_mut(&mut self, visit: &mut impl FnMut(&mut Variable)) {
        match self {
            Term::Variable(variable) => visit(variable),
            Term::Constant(_) | Term::Wildcard => {}
            Term::Apply(_, operands) => {
                operands.iter_mut().for_each(|operand| operand.for_each_variable_mut(visit));
            }
        }
    }
}

impl Literal {
    /// Returns the atom of a positive or negative literal.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Compare(..) | Literal::Aggregate { .. } => None,
        }
    }

    /// Returns the atom of a positive or negative literal mutably.
    pub fn atom_mut(&mut self) -> Option<&mut Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Compare(..) | Literal::Aggregate { .. } => None,
        }
    }

    /// Calls `visit` with each variable in the literal, including those in the body of an aggregate.
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
                // Aggregates do not nest, so this recurses only once.
                body.iter().for_each(|literal| literal.for_each_variable(visit));
            }
        }
    }

    /// Calls `visit` with a mutable reference to each variable in the literal.
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
    /// Returns the first variable whose number is above all those in the rule.
    pub fn fresh_variable(&self) -> Variable {
        let mut next = 0;
        self.for_each_variable(&mut |variable: Variable| next = next.max(variable.0 + 1));
        Variable(next)
    }

    /// Calls `visit` with each variable in the rule, starting with those of the head.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        self.head.arguments.iter().for_each(|argument| argument.for_each_variable(visit));
        self.body.iter().for_each(|literal| literal.for_each_variable(visit));
    }

    /// Returns the rule with its variables numbered from zero in the order of first occurrence, starting with the head.
    ///
    /// A variable that occurs in aggregates only is local to each of them, so two aggregates that used the same local
    /// variable get different ones.
    pub fn renumbered(&self) -> Rule {
        let mut rule = self.clone();
        rule.renumber();
        rule
    }

    /// Renumbers the variables in place, as [`Rule::renumbered`] does.
    pub fn renumber(&mut self) {
        let count = self.fresh_variable().0 as usize;
        let mut numbers = Numbers { next: 0, new: vec![None; count], local: Vec::new() };
        let is_aggregate = |literal: &Literal| matches!(literal, Literal::Aggregate { .. });
        let has_aggregates = self.body.iter().any(is_aggregate);
        let shared = if has_aggregates { self.shared_variables(count) } else { vec![true; count] };
        let head = self.head.arguments.iter_mut();
        head.for_each(|argument| argument.for_each_variable_mut(&mut |it| numbers.replace(it)));
        for literal in &mut self.body {
            literal.for_each_variable_mut(&mut |variable| match shared[variable.0 as usize] {
                true => numbers.replace(variable),
                false => numbers.replace_local(variable),
            });
            numbers.forget_local();
        }
    }

    /// Returns, for each variable, whether it occurs outside of aggregates or is the result of one.
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

/// Assigns new numbers to the variables of a rule.
struct Numbers {
    next: u32,
    /// The new number of each variable, indexed by its old number.
    new: Vec<Option<Variable>>,
    /// The old numbers of the variables that are local to the current aggregate.
    local: Vec<Variable>,
}

impl Numbers {
    fn replace(&mut self, variable: &mut Variable) {
        let place = &mut self.new[variable.0 as usize];
        *variable = *place.get_or_insert_with(|| {
            self.next += 1;
            Variable(self.next - 1)
        });
    }

    fn replace_local(&mut self, variable: &mut Variable) {
        self.local.push(*variable);
        self.replace(variable);
    }

    fn forget_local(&mut self) {
        self.local.drain(..).for_each(|variable| self.new[variable.0 as usize] = None);
    }
}
