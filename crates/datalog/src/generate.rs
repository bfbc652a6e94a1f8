//! Random programs: typed, safe and stratified by construction.
//!
//! Relations come in groups. A rule uses what earlier groups and its own group have, and negates and counts only what
//! earlier groups have; so recursion is linear, mutual or neither as it happens, and negation stands at every height.
//! Rules draw few variables for many places, which makes joins.

use crate::program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Rule, Term,
    Tuple, Type, Variable,
};
use crate::reference::Tables;
use crate::strata::{self, Strata};
use model::Random;

/// What programs may have, and how large they are.
#[derive(Clone, Debug)]
pub struct Options {
    /// At most so many relations of facts; at least one.
    pub fact_relations: usize,
    /// At most so many rows in each.
    pub rows: usize,
    /// At most so many groups of relations with rules; at least one.
    pub groups: usize,
    /// At most so many further rules for a relation, behind the first.
    pub rules: usize,
    /// At most so many positive atoms in a body; at least one.
    pub atoms: usize,
    /// Relations have at most so many columns, but for a wide one now and then.
    pub columns: usize,
    /// The types of columns.
    pub types: Vec<Type>,
    /// Numbers are below this one.
    pub numbers: i64,
    /// Whether rules negate.
    pub negation: bool,
    /// Whether rules compare.
    pub comparisons: bool,
    /// Whether rules compute.
    pub arithmetic: bool,
    /// Whether rules count and sum.
    pub aggregates: bool,
    /// Whether there are relations without columns.
    pub flags: bool,
    /// Whether a relation that comes out empty is drawn again, a few times.
    pub steered: bool,
}

impl Default for Options {
    /// What every engine takes: small numbers, negation and comparisons.
    fn default() -> Options {
        Options {
            fact_relations: 4,
            rows: 10,
            groups: 5,
            rules: 2,
            atoms: 3,
            columns: 3,
            types: vec![Type::Signed],
            numbers: 10,
            negation: true,
            comparisons: true,
            arithmetic: false,
            aggregates: false,
            flags: true,
            steered: true,
        }
    }
}

/// A relation that comes out empty is drawn again so many times.
const TRIES: usize = 6;
/// More rows than this are not looked at for one program, lest products of relations slow everything down.
const FUEL: u64 = 20_000;

/// Makes a program with one output.
pub fn generate(options: &Options, random: &mut Random) -> Program {
    let mut maker = Maker { options, program: Program::default(), tables: Tables::default(), random };
    let count = maker.random.between(1, options.fact_relations.max(1));
    (0..count).for_each(|_| maker.add_facts());
    let groups = maker.random.between(1, options.groups.max(1));
    (0..groups).for_each(|_| maker.add_group());
    maker.choose_output();
    maker.program.rules.iter_mut().for_each(|rule| *rule = rule.renumbered());
    maker.program
}

struct Maker<'a> {
    options: &'a Options,
    program: Program,
    /// What is computed so far, where that is asked for.
    tables: Tables,
    random: &'a mut Random,
}

impl Maker<'_> {
    /// A relation with facts, sometimes none. Small values are likelier, so that joins find something.
    fn add_facts(&mut self) {
        let columns = self.columns();
        let rows = if self.random.percent(5) { 0 } else { self.random.between(1, self.options.rows.max(1)) };
        let mut relation = Relation::new(format!("r{}", self.program.relations.len()), columns.clone());
        for _ in 0..rows {
            let row: Tuple = columns.iter().map(|column| self.constant(*column)).collect();
            if !relation.facts.contains(&row) {
                relation.facts.push(row);
            }
        }
        self.program.relations.push(relation);
    }

    fn columns(&mut self) -> Vec<Type> {
        let most = self.options.columns.max(1);
        let count = match self.random.below(100) {
            0..5 if self.options.flags => 0,
            5..8 => most + self.random.between(1, 4),
            _ => self.random.between(1, most),
        };
        (0..count).map(|_| self.random.choose(&self.options.types).copied().unwrap_or(Type::Signed)).collect()
    }

    fn constant(&mut self, r#type: Type) -> Constant {
        let below = self.options.numbers.max(1) as usize;
        let number = self.random.below(below).min(self.random.below(below));
        match r#type {
            Type::Signed => Constant::Signed(number as i64),
            Type::Unsigned => Constant::Unsigned(number as u64),
            Type::Float => Constant::float(number as f64 / 4.0),
            Type::Symbol => Constant::Symbol(format!("s{number}").into()),
        }
    }

    /// One relation with rules, or a few that depend on each other.
    fn add_group(&mut self) {
        let (start, rules) = (self.program.relations.len(), self.program.rules.len());
        let size = if self.random.percent(25) { self.random.between(2, 3) } else { 1 };
        for attempt in 0..=TRIES {
            for place in start..start + size {
                let columns = self.columns();
                self.program.relations.push(Relation::new(format!("r{place}"), columns));
            }
            for place in start..start + size {
                self.add_rules(RelationId(place as u32), start);
            }
            if !self.options.steered || self.is_full(start, rules) || attempt == TRIES {
                return;
            }
            self.program.relations.truncate(start);
            self.program.rules.truncate(rules);
            self.tables.forget_from(start);
        }
    }

    /// True if the last relations can be computed in time and all have rows.
    fn is_full(&mut self, start: usize, first_rule: usize) -> bool {
        self.tables.load(&self.program);
        let edges = strata::edges_from(&self.program, first_rule);
        let strata = Strata::ignoring_negation(self.program.relations.len(), &edges);
        let mut fuel = FUEL;
        // What came before has no rules in these strata, and its rows are known.
        (0..strata.groups.len())
            .filter(|group| strata.groups[*group].iter().all(|member| member.index() >= start))
            .all(|group| self.tables.compute(&self.program, &strata, group, &mut fuel).is_ok())
            && (start..self.program.relations.len())
                .all(|place| self.tables.count(RelationId(place as u32)) > 0)
    }

    /// The first rule of a relation uses earlier groups alone; the others may use its own group too.
    fn add_rules(&mut self, head: RelationId, group: usize) {
        self.add_rule(head, group, group);
        for _ in 0..self.random.between(0, self.options.rules) {
            let behind = if self.random.percent(60) { self.program.relations.len() } else { group };
            self.add_rule(head, behind, group);
        }
    }

    /// A rule for a relation from those before a place; those before the group may be negated.
    fn add_rule(&mut self, head: RelationId, behind: usize, group: usize) {
        let mut draft = Draft::default();
        let mut body = Vec::new();
        for _ in 0..self.random.between(1, self.options.atoms.max(1)) {
            let relation = RelationId(self.random.below(behind) as u32);
            body.push(Literal::Positive(self.atom(relation, &mut draft, true)));
        }
        if self.options.comparisons && self.random.percent(30) {
            body.extend(self.comparison(&draft));
        }
        if self.options.negation && self.random.percent(45) {
            let relation = RelationId(self.random.below(group) as u32);
            body.push(Literal::Negative(self.atom(relation, &mut draft, false)));
        }
        if self.options.aggregates && self.random.percent(15) {
            let aggregate = self.aggregate(group, &mut draft);
            body.push(aggregate);
        }
        let columns = self.program.relation(head).columns.clone();
        let arguments = columns.iter().map(|column| self.head_argument(*column, &draft)).collect();
        self.program.rules.push(Rule { head: Atom { relation: head, arguments }, body });
    }

    /// An atom. One that binds may use new variables; one that does not uses known ones, constants and `_`.
    fn atom(&mut self, relation: RelationId, draft: &mut Draft, binds: bool) -> Atom {
        let columns = self.program.relation(relation).columns.clone();
        let mut arguments = Vec::with_capacity(columns.len());
        for column in columns {
            let known = draft.of(column);
            let argument = match self.random.below(100) {
                0..8 => Term::Constant(self.constant(column)),
                8..16 => Term::Anything,
                16..62 if binds || known.is_empty() => match binds {
                    true => Term::Variable(draft.add(column)),
                    false => Term::Anything,
                },
                _ => match self.random.choose(&known) {
                    Some(variable) => Term::Variable(*variable),
                    None if binds => Term::Variable(draft.add(column)),
                    None => Term::Anything,
                },
            };
            arguments.push(argument);
        }
        Atom { relation, arguments }
    }

    /// A comparison of a variable with another or with a constant; none if there is no variable.
    fn comparison(&mut self, draft: &Draft) -> Option<Literal> {
        use Comparison as C;
        let (place, column) = {
            let place = self.random.below(draft.types.len().max(1));
            (place, *draft.types.get(place)?)
        };
        let known = draft.of(column);
        let other = match self.random.choose(&known) {
            Some(other) if self.random.coin() => Term::Variable(*other),
            _ => Term::Constant(self.constant(column)),
        };
        let signs: &[Comparison] = match column {
            Type::Symbol => &[C::Equal, C::Different],
            // What is less often makes rules empty less often.
            _ => &[
                C::Different,
                C::Different,
                C::Less,
                C::LessOrEqual,
                C::Greater,
                C::GreaterOrEqual,
                C::Equal,
            ],
        };
        let sign = self.random.choose(signs).copied().unwrap_or(C::Different);
        Some(Literal::Compare(sign, Term::Variable(Variable(place as u32)), other))
    }

    /// A count, or a sum, least or greatest of numbers, over an atom of an earlier group.
    fn aggregate(&mut self, group: usize, draft: &mut Draft) -> Literal {
        let relation = RelationId(self.random.below(group) as u32);
        let columns = self.program.relation(relation).columns.clone();
        let result = Variable(draft.types.len() as u32);
        let mut inside = Draft { types: draft.types.clone() };
        inside.types.push(Type::Signed);
        let first = inside.types.len();
        let arguments = columns.iter().map(|column| {
            let known: Vec<Variable> = draft.of(*column);
            match self.random.choose(&known) {
                Some(variable) if self.random.percent(40) => Term::Variable(*variable),
                _ => Term::Variable(inside.add(*column)),
            }
        });
        let body = vec![Literal::Positive(Atom { relation, arguments: arguments.collect() })];
        let numbers: Vec<Variable> = (first..inside.types.len())
            .filter(|place| inside.types[*place] == Type::Signed)
            .map(|place| Variable(place as u32))
            .collect();
        let functions = [Aggregate::Count, Aggregate::Sum, Aggregate::Minimum, Aggregate::Maximum];
        let function = self.random.choose(&functions).copied().unwrap_or(Aggregate::Count);
        let (function, term) = match self.random.choose(&numbers) {
            Some(number) if function != Aggregate::Count => (function, Some(Term::Variable(*number))),
            _ => (Aggregate::Count, None),
        };
        draft.types.push(Type::Signed);
        Literal::Aggregate { result, function, term, body }
    }

    /// What stands in a column of a head: a variable of that type, or else a constant.
    fn head_argument(&mut self, column: Type, draft: &Draft) -> Term {
        let known = draft.of(column);
        let Some(variable) = self.random.choose(&known).copied() else {
            return Term::Constant(self.constant(column));
        };
        let can_compute = self.options.arithmetic && column != Type::Symbol;
        match self.random.below(100) {
            0..4 => Term::Constant(self.constant(column)),
            // The result stays in a small range whatever it is computed from, or recursion would not end.
            4..14 if can_compute && column == Type::Signed => {
                let more = Term::Constant(Constant::Signed(self.random.below(4) as i64));
                let sum = Term::Apply(Operator::Add, vec![Term::Variable(variable), more]);
                let most = Term::Constant(Constant::Signed(self.options.numbers * 2));
                Term::Apply(Operator::Minimum, vec![sum, most])
            }
            _ => Term::Variable(variable),
        }
    }

    /// The output is one of the last relations.
    fn choose_output(&mut self) {
        let count = self.program.relations.len();
        let place = count - 1 - self.random.below(3.min(count)).min(self.random.below(3.min(count)));
        self.program.relations[place].is_output = true;
    }
}

/// The variables of a rule, by their numbers.
#[derive(Default)]
struct Draft {
    types: Vec<Type>,
}

impl Draft {
    fn add(&mut self, r#type: Type) -> Variable {
        self.types.push(r#type);
        Variable(self.types.len() as u32 - 1)
    }

    /// The variables of a type.
    fn of(&self, r#type: Type) -> Vec<Variable> {
        let places = self.types.iter().enumerate().filter(|(_, known)| **known == r#type);
        places.map(|(place, _)| Variable(place as u32)).collect()
    }
}
