//! Rules: which relations they use and with which arguments.

use super::{Generator, Side};
use crate::program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, RelationId, Rule, Term, Type, Variable,
};
use model::Random;

/// The number of attempts to draw a suitable relation.
const TRIES: usize = 6;

/// Which relations a rule may use.
#[derive(Clone, Copy)]
pub(super) struct RuleScope {
    /// The first relation of its group; those before it may be negated.
    pub(super) group: usize,
    /// The relation of its own group that it uses, if any.
    pub(super) own: Option<RelationId>,
}

impl Generator<'_> {
    /// Draws a relation with an index below `end`: in half of all cases one of the given ones, and otherwise preferably a
    /// late one, which makes programs deep.
    pub(super) fn pick(&mut self, end: usize) -> RelationId {
        let given = self.given;
        let place = match end.saturating_sub(given) {
            0 => self.random.below(given),
            _ if given > 0 && self.random.coin() => self.random.below(given),
            new if self.random.coin() => given + self.random.below(new),
            new => given + self.random.below(new).max(self.random.below(new)),
        };
        RelationId(place as u32)
    }

    /// Draws a relation for a positive atom: rarely an empty one, and one of the same side if the program has sides.
    fn pick_positive(&mut self, end: usize, side: Side) -> RelationId {
        let mut relation = self.pick(end);
        for _ in 0..TRIES {
            if !self.is_empty(relation) && self.fits(relation, side) {
                break;
            }
            relation = self.pick(end);
        }
        if !self.fits(relation, side) {
            // A rule across sides would join them, so this takes the next relation of the same side.
            let places = (relation.index()..end).chain(0..relation.index());
            let mut others = places.map(|place| RelationId(place as u32));
            relation = others.find(|other| self.fits(*other, side)).unwrap_or(relation);
        }
        relation
    }

    /// Draws a relation for a negation or an aggregate: one of the other side if the program has sides, and never an inlined
    /// one, which engines reject. Returns `None` if no attempt succeeds.
    fn pick_negative(&mut self, end: usize, side: Side) -> Option<RelationId> {
        let other = side.other();
        for _ in 0..TRIES {
            let relation = self.pick(end);
            if self.fits(relation, other) && !self.program.relation(relation).is_inlined {
                return Some(relation);
            }
        }
        None
    }

    fn fits(&self, relation: RelationId, side: Side) -> bool {
        !self.has_sides || self.sides[relation.index()] == side
    }

    /// Adds a rule for a relation.
    pub(super) fn add_rule(&mut self, head: RelationId, scope: RuleScope) {
        let mut draft = Draft::default();
        let mut body = Vec::new();
        let atoms = self.random.between(1, self.options.atoms.max(1));
        let own = match scope.own {
            Some(_) if self.random.percent(25) => 2,
            Some(_) => 1,
            None => 0,
        };
        let columns = self.program.relation(head).columns.clone();
        let side = self.sides[head.index()];
        for number in 0..atoms.max(own) {
            let relation = match scope.own {
                Some(relation) if number < own => relation,
                _ => self.pick_positive(scope.group, side),
            };
            body.push(Literal::Positive(self.atom(relation, &mut draft, true)));
        }
        self.bind_types(&columns, scope.group, side, &mut draft, &mut body);
        self.random.shuffle(&mut body);
        self.add_tests(scope.group, side, &mut draft, &mut body);
        let arguments = columns.iter().map(|column| self.head_argument(*column, &draft)).collect();
        self.program.rules.push(Rule { head: Atom { relation: head, arguments }, body });
    }

    /// Adds an atom if no variable has the type of a column of the head, which would otherwise become a constant.
    fn bind_types(
        &mut self,
        columns: &[Type],
        group: usize,
        side: Side,
        draft: &mut Draft,
        body: &mut Vec<Literal>,
    ) {
        for column in columns {
            if draft.has(*column) || self.random.percent(15) {
                continue;
            }
            for _ in 0..TRIES {
                let relation = self.pick_positive(group, side);
                if self.program.relation(relation).columns.contains(column) {
                    body.push(Literal::Positive(self.atom(relation, draft, true)));
                    break;
                }
            }
        }
    }

    /// Adds comparisons, negations and aggregates, or none of them.
    fn add_tests(&mut self, group: usize, side: Side, draft: &mut Draft, body: &mut Vec<Literal>) {
        if self.options.comparisons && self.random.percent(30) {
            body.extend(self.comparison(draft));
        }
        if self.options.negation && self.random.percent(50) {
            for _ in 0..if self.random.percent(20) { 2 } else { 1 } {
                if let Some(relation) = self.pick_negative(group, side) {
                    body.push(Literal::Negative(self.atom(relation, draft, false)));
                }
            }
        }
        if self.options.aggregates
            && self.random.percent(8)
            && let Some(relation) = self.pick_negative(group, side)
        {
            let aggregate = self.aggregate(relation, draft);
            body.push(aggregate);
        }
    }

    /// Draws an atom. If it `binds`, it may use new variables; otherwise it uses known ones, constants and `_`.
    fn atom(&mut self, relation: RelationId, draft: &mut Draft, binds: bool) -> Atom {
        let count = self.program.relation(relation).columns.len();
        let mut arguments = Vec::with_capacity(count);
        for place in 0..count {
            let column = self.program.relation(relation).columns[place];
            let argument = match self.random.below(100) {
                0..6 => Term::Constant(self.constant(column)),
                6..14 => Term::Wildcard,
                14..62 if binds => Term::Variable(draft.add(column)),
                _ => match draft.choose(column, self.random) {
                    Some(variable) => Term::Variable(variable),
                    None if binds => Term::Variable(draft.add(column)),
                    None => Term::Wildcard,
                },
            };
            arguments.push(argument);
        }
        Atom { relation, arguments }
    }

    /// Draws a comparison of a variable with another or with a constant. Returns `None` if there is no variable.
    fn comparison(&mut self, draft: &Draft) -> Option<Literal> {
        use Comparison as C;
        let place = self.random.below(draft.types.len());
        let column = *draft.types.get(place)?;
        let other = match draft.choose(column, self.random) {
            Some(other) if other.0 as usize != place && self.random.coin() => Term::Variable(other),
            _ => Term::Constant(self.constant(column)),
        };
        // Weak comparisons are more likely, because strong ones make rules empty.
        let signs: &[Comparison] = match column {
            Type::Symbol => &[C::Different, C::Different, C::Equal],
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

    /// Draws an aggregate over an atom of an earlier group.
    fn aggregate(&mut self, relation: RelationId, draft: &mut Draft) -> Literal {
        let columns = self.program.relation(relation).columns.clone();
        let result = draft.add(Type::Signed);
        let known = Draft { types: draft.types[..result.0 as usize].to_vec() };
        let mut inside = Draft { types: draft.types.clone() };
        let first = inside.types.len();
        let arguments = columns.iter().map(|column| match known.choose(*column, self.random) {
            Some(variable) if self.random.percent(40) => Term::Variable(variable),
            _ => Term::Variable(inside.add(*column)),
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
        Literal::Aggregate { result, function, term, body }
    }

    /// Draws an argument of the head: a variable of the column's type if there is one, otherwise a constant.
    fn head_argument(&mut self, column: Type, draft: &Draft) -> Term {
        let Some(variable) = draft.choose(column, self.random) else {
            return Term::Constant(self.constant(column));
        };
        match self.random.below(100) {
            0..4 => Term::Constant(self.constant(column)),
            4..16 if self.options.arithmetic => self.operation(column, variable),
            _ => Term::Variable(variable),
        }
    }

    /// Draws an operation on a variable. Results stay in a small range so that recursion terminates, and are not negative
    /// because engines differ in the remainders of negative numbers.
    fn operation(&mut self, column: Type, variable: Variable) -> Term {
        let most = self.options.numbers.max(1) * 2;
        let number = |value: i64| {
            Term::Constant(match column {
                Type::Unsigned => Constant::Unsigned(value.cast_unsigned()),
                Type::Float => Constant::float(value as f64),
                _ => Constant::Signed(value),
            })
        };
        let apply = |operator, left, right| Term::Apply(operator, vec![left, right]);
        let (it, little) = (Term::Variable(variable), number(self.random.below(4) as i64));
        match (column, self.random.below(3)) {
            (Type::Symbol, _) => it,
            (Type::Float, 0) => apply(Operator::Minimum, it, little),
            (Type::Float, _) => apply(Operator::Maximum, it, little),
            (_, 0) => apply(Operator::Minimum, apply(Operator::Add, it, little), number(most)),
            (Type::Signed, 1) => apply(Operator::Maximum, apply(Operator::Subtract, it, little), number(0)),
            _ => apply(Operator::Remainder, apply(Operator::Multiply, it, little), number(most)),
        }
    }
}

/// The types of a rule's variables.
#[derive(Default)]
struct Draft {
    types: Vec<Type>,
}

impl Draft {
    fn add(&mut self, r#type: Type) -> Variable {
        self.types.push(r#type);
        Variable(self.types.len() as u32 - 1)
    }

    fn has(&self, r#type: Type) -> bool {
        self.types.contains(&r#type)
    }

    /// Draws a variable of a type, if there is one.
    fn choose(&self, r#type: Type, random: &mut Random) -> Option<Variable> {
        let wanted = random.below(self.types.iter().filter(|known| **known == r#type).count());
        let places = self.types.iter().enumerate().filter(|(_, known)| **known == r#type);
        places.map(|(place, _)| Variable(place as u32)).nth(wanted)
    }
}
