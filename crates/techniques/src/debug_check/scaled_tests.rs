//! Tests: the rules on a scaled-down C, with all values of all pairs of types.

#![cfg(test)]

use super::form::{Body, Form, Meaning, Operation, Side, Term, Test};
use super::rule::{RULES, transitive};
use super::shape::{Domain, IntegerType, Relation, Shape};

const RELATIONS: [Relation; 6] = [
    Relation::Less,
    Relation::AtMost,
    Relation::Greater,
    Relation::AtLeast,
    Relation::Equal,
    Relation::Unequal,
];

/// An integer type of a scaled-down C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scaled {
    bits: u32,
    is_signed: bool,
    /// The conversion rank; that of `int` is [`INT_RANK`].
    rank: u32,
}

const INT_RANK: u32 = 3;

/// A value with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    value: i64,
    r#type: Scaled,
}

/// A signed result that its type does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Overflow;

impl Scaled {
    fn minimum(self) -> i64 {
        if self.is_signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    fn maximum(self) -> i64 {
        if self.is_signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    fn values(self) -> impl Iterator<Item = Value> {
        (self.minimum()..=self.maximum()).map(move |value| Value { value, r#type: self })
    }
}

impl Value {
    fn converted(self, r#type: Scaled) -> Value {
        let modulus = 1 << r#type.bits;
        let low = self.value.rem_euclid(modulus);
        Value { value: if low > r#type.maximum() { low - modulus } else { low }, r#type }
    }
}

/// A C with certain widths.
struct Model {
    int: Scaled,
    types: Vec<Scaled>,
    /// Whether comparisons hold or fail.
    negations: &'static [bool],
}

impl Model {
    /// `_Bool`, and each rank from `char` to `long long`, signed and unsigned.
    fn new(char: u32, short: u32, int: u32, long: u32) -> Model {
        let mut types = vec![Scaled { bits: 1, is_signed: false, rank: 0 }];
        for (bits, rank) in [(char, 1), (short, 2), (int, INT_RANK), (long, 4), (long, 5)] {
            types.extend([true, false].map(|is_signed| Scaled { bits, is_signed, rank }));
        }
        Model { int: Scaled { bits: int, is_signed: true, rank: INT_RANK }, types, negations: &[false, true] }
    }

    /// An `int` of eight bits, alone, for comparisons that hold: those that fail are tried on smaller types.
    fn eight_bits() -> Model {
        let types = [true, false].map(|is_signed| Scaled { bits: 8, is_signed, rank: INT_RANK });
        Model { int: types[0], types: types.to_vec(), negations: &[false] }
    }

    fn promoted(&self, r#type: Scaled) -> Scaled {
        match r#type.rank < INT_RANK {
            true if r#type.minimum() >= self.int.minimum() && r#type.maximum() <= self.int.maximum() => {
                self.int
            }
            true => Scaled { is_signed: false, ..self.int },
            false => r#type,
        }
    }

    /// The usual arithmetic conversions.
    fn common(&self, left: Scaled, right: Scaled) -> Scaled {
        let (left, right) = (self.promoted(left), self.promoted(right));
        if left.is_signed == right.is_signed {
            return if left.rank >= right.rank { left } else { right };
        }
        let (signed, unsigned) = if left.is_signed { (left, right) } else { (right, left) };
        if unsigned.rank >= signed.rank {
            unsigned
        } else if signed.maximum() >= unsigned.maximum() {
            signed
        } else {
            Scaled { is_signed: false, ..signed }
        }
    }

    fn arithmetic(&self, operation: Operation, left: Value, right: Value) -> Result<Value, Overflow> {
        let r#type = self.common(left.r#type, right.r#type);
        let (left, right) = (left.converted(r#type).value, right.converted(r#type).value);
        let value = match operation {
            Operation::Plus => left + right,
            Operation::Minus => left - right,
            Operation::Times => left * right,
        };
        let exact = Value { value, r#type };
        let result = exact.converted(r#type);
        if r#type.is_signed && result != exact { Err(Overflow) } else { Ok(result) }
    }

    fn compare(&self, relation: Relation, left: Value, right: Value) -> bool {
        let r#type = self.common(left.r#type, right.r#type);
        holds(relation, left.converted(r#type).value, right.converted(r#type).value)
    }
}

fn holds<T: PartialOrd>(relation: Relation, left: T, right: T) -> bool {
    match relation {
        Relation::Less => left < right,
        Relation::AtMost => left <= right,
        Relation::Greater => left > right,
        Relation::AtLeast => left >= right,
        Relation::Equal => left == right,
        Relation::Unequal => left != right,
    }
}

/// Two operands of a comparison in a model.
struct Case<'a> {
    model: &'a Model,
    left: Value,
    right: Value,
    common: Scaled,
}

impl Case<'_> {
    fn side(&self, side: Side) -> Value {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    fn term(&self, term: Term) -> Result<Value, Overflow> {
        let int = |value| Value { value, r#type: self.model.int };
        Ok(match term {
            Term::Operand(side) => self.side(side),
            Term::Negated(side) => int(i64::from(self.side(side).value == 0)),
            Term::Zero => int(0),
            Term::Converted(side) => self.side(side).converted(self.common),
            Term::Moved(side, operation, amount) => {
                let converted = self.side(side).converted(self.common);
                self.model.arithmetic(operation, converted, int(i64::from(amount)))?
            }
            Term::Limit(value) => {
                let limit = Value { value: i64::try_from(value).unwrap(), r#type: self.common };
                assert_eq!(limit, limit.converted(self.common), "a constant that its type does not hold");
                limit
            }
            Term::Stepped(..) => panic!("integers have no steps"),
        })
    }

    fn test(&self, test: Test) -> Result<bool, Overflow> {
        Ok(self.model.compare(test.relation, self.term(test.left)?, self.term(test.right)?))
    }

    fn guard(&self, form: &Form) -> Result<bool, Overflow> {
        for test in &form.guard {
            if !self.test(*test)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn condition(&self, form: &Form) -> Result<bool, Overflow> {
        let body = match form.body {
            Body::Truth => self.left.value != 0,
            Body::Test(test) => self.test(test)?,
        };
        Ok(body == form.negations.is_multiple_of(2))
    }

    /// What is wrong with a form here, given whether the comparison is as the shape says.
    fn fault(&self, form: &Form, is_known: bool) -> Option<&'static str> {
        if !is_known && form.meaning != Meaning::Same {
            return None;
        }
        match self.guard(form) {
            Err(Overflow) => return Some("the guard overflows"),
            Ok(false) => return None,
            Ok(true) => {}
        }
        match self.condition(form) {
            Err(Overflow) if is_known => Some("the condition overflows"),
            Ok(false) if is_known => Some("the condition does not hold"),
            Ok(true) if !is_known => Some("the condition is weaker"),
            _ => None,
        }
    }
}

/// A rule under test.
type Derive = fn(&Shape, &mut Vec<Form>);

/// The faults of a rule in a model: at most one for each pair of types and shape.
fn faults(model: &Model, derive: Derive) -> Vec<String> {
    let mut faults = Vec::new();
    for left in &model.types {
        for right in &model.types {
            for relation in RELATIONS {
                for is_negated in model.negations {
                    let shape = (relation, *is_negated, false);
                    faults.extend(fault_of_pair(model, derive, (*left, *right), shape));
                }
            }
        }
        // A value that is used as a condition is compared with 0, which is an `int`.
        for is_negated in [false, true] {
            let shape = (Relation::Unequal, is_negated, true);
            faults.extend(fault_of_pair(model, derive, (*left, model.int), shape));
        }
    }
    faults
}

fn fault_of_pair(
    model: &Model,
    derive: Derive,
    (left, right): (Scaled, Scaled),
    (relation, is_negated, is_truth): (Relation, bool, bool),
) -> Option<String> {
    let common = model.common(left, right);
    let domain = IntegerType { bits: common.bits, is_signed: common.is_signed, name: "C", suffix: "" };
    let mut forms = Vec::new();
    for is_part in [false, true] {
        let shape = Shape { relation, is_negated, is_truth, is_part, domain: Domain::Integer(domain) };
        let mut found = Vec::new();
        derive(&shape, &mut found);
        found.retain(|form| !forms.contains(form));
        forms.append(&mut found);
    }
    for left in left.values() {
        for right in right.values().filter(|right| !is_truth || right.value == 0) {
            let case = Case { model, left, right, common };
            let is_known = model.compare(relation, left, right) != is_negated;
            for form in &forms {
                if let Some(fault) = case.fault(form, is_known) {
                    return Some(format!("{fault}: {left:?} {right:?} {form:?}"));
                }
            }
        }
    }
    None
}

fn assert_right(model: &Model) {
    for rule in RULES {
        let faults = faults(model, rule.derive);
        assert!(faults.is_empty(), "{}: {}", rule.name, faults[0]);
    }
}

#[test]
fn every_rule_is_right_for_all_values_of_all_pairs_of_types() {
    assert_right(&Model::new(3, 4, 5, 6));
}

#[test]
fn every_rule_is_right_where_long_is_no_longer_than_int() {
    assert_right(&Model::new(3, 5, 5, 5));
}

#[test]
fn every_rule_is_right_for_eight_bits() {
    assert_right(&Model::eight_bits());
}

#[test]
fn two_comparisons_in_a_row_say_what_holds_between_their_ends() {
    let model = Model::new(2, 3, 4, 5);
    for [left, middle, right] in triples(&model.types) {
        let common = model.common(left, middle);
        if common != model.common(middle, right) {
            continue;
        }
        for [left, middle, right] in values(left, middle, right) {
            let ends = [left, right].map(|end| end.converted(common).value);
            for (first, second) in RELATIONS.into_iter().flat_map(|it| RELATIONS.map(|other| (it, other))) {
                let is_known = model.compare(first, left, middle) && model.compare(second, middle, right);
                if let Some(joined) = transitive::joined(first, second).filter(|_| is_known) {
                    assert!(
                        holds(joined, ends[0], ends[1]),
                        "{left:?} {first:?} {middle:?} {second:?} {right:?}"
                    );
                }
            }
        }
    }
}

fn triples(types: &[Scaled]) -> impl Iterator<Item = [Scaled; 3]> {
    let pairs = types.iter().flat_map(move |left| types.iter().map(move |middle| (*left, *middle)));
    pairs.flat_map(move |(left, middle)| types.iter().map(move |right| [left, middle, *right]))
}

fn values(left: Scaled, middle: Scaled, right: Scaled) -> impl Iterator<Item = [Value; 3]> {
    let pairs = left.values().flat_map(move |left| middle.values().map(move |middle| (left, middle)));
    pairs.flat_map(move |(left, middle)| right.values().map(move |right| [left, middle, right]))
}

/// How many rows of [`faults`] a wrong rule has.
fn number_of_faults(derive: Derive) -> usize {
    faults(&Model::new(3, 4, 5, 6), derive).len()
}

#[test]
fn a_sum_with_the_guards_of_the_paper_is_found_to_be_wrong() {
    // MIN <= a + 1 && b + 1 <= MAX is computed with overflow, or is always true.
    fn derive(shape: &Shape, forms: &mut Vec<Form>) {
        let Some(common) = shape.domain.common().filter(|_| shape.settled() == Some(Relation::Less)) else {
            return;
        };
        let term = |side| Term::Moved(side, Operation::Plus, 1);
        let guard = vec![
            Test::new(Term::Limit(common.minimum()), Relation::AtMost, term(Side::Left)),
            Test::new(term(Side::Right), Relation::AtMost, Term::Limit(common.maximum())),
        ];
        forms.push(Form::guarded(guard, Test::new(term(Side::Left), Relation::Less, term(Side::Right))));
    }
    assert!(number_of_faults(derive) >= 26);
}

#[test]
fn the_rule_for_at_least_that_was_released_is_found_to_be_wrong() {
    fn derive(shape: &Shape, forms: &mut Vec<Form>) {
        if shape.relation == Relation::AtLeast && !shape.is_negated && !shape.is_truth {
            let swapped = Test::new(Term::Operand(Side::Right), Relation::Less, Term::Operand(Side::Left));
            forms.push(Form::same(0, Body::Test(swapped)));
        }
    }
    // It is wrong for all 121 pairs of types.
    assert_eq!(number_of_faults(derive), 121);
}

#[test]
fn a_sum_without_guard_is_found_to_be_wrong() {
    fn derive(shape: &Shape, forms: &mut Vec<Form>) {
        let mut guarded = Vec::new();
        let sum = RULES.iter().find(|rule| rule.name == "sum").unwrap();
        (sum.derive)(shape, &mut guarded);
        forms.extend(guarded.into_iter().map(|form| Form { guard: Vec::new(), ..form }));
    }
    assert!(number_of_faults(derive) > 0);
}

#[test]
fn a_sum_with_guards_in_the_own_types_is_found_to_be_wrong() {
    let model = Model::new(3, 4, 5, 6);
    let mut wrong = 0;
    for left in &model.types {
        for right in &model.types {
            wrong += usize::from(has_fault_with_own_guards(&model, *left, *right));
        }
    }
    assert!(wrong >= 5, "{wrong}");
    let int = model.int;
    assert!(has_fault_with_own_guards(&model, Scaled { is_signed: false, ..int }, int));
}

/// Whether `a + 1 < b + 1` can fail where a < b and each operand is below the greatest value of its promoted type.
fn has_fault_with_own_guards(model: &Model, left: Scaled, right: Scaled) -> bool {
    let common = model.common(left, right);
    let term = |side| Term::Moved(side, Operation::Plus, 1);
    let form = Form::guarded(Vec::new(), Test::new(term(Side::Left), Relation::Less, term(Side::Right)));
    left.values().any(|left| {
        right.values().any(|right| {
            let is_below = |value: Value| value.value < model.promoted(value.r#type).maximum();
            let is_known = model.compare(Relation::Less, left, right) && is_below(left) && is_below(right);
            Case { model, left, right, common }.fault(&form, is_known).is_some() && is_known
        })
    })
}

#[test]
fn what_is_said_of_floating_values_holds_for_nan_too() {
    let values = [f64::NAN, f64::NEG_INFINITY, -1.5, -0.0, 0.0, 5e-324, 1.0, f64::INFINITY];
    for (relation, is_negated) in RELATIONS.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        for is_truth in [false, true] {
            let shape = Shape { relation, is_negated, is_truth, is_part: false, domain: Domain::Real };
            if is_truth && relation != Relation::Unequal {
                continue;
            }
            for rule in RULES {
                let mut forms = Vec::new();
                (rule.derive)(&shape, &mut forms);
                for (left, right) in values
                    .iter()
                    .flat_map(|left| values.map(|right| (*left, if is_truth { 0.0 } else { right })))
                {
                    let is_known = holds(relation, left, right) != is_negated;
                    for form in &forms {
                        assert!(form.guard.is_empty(), "{form:?}");
                        let value = real_condition(form, left, right);
                        let is_fault = if is_known { !value } else { value && form.meaning == Meaning::Same };
                        assert!(!is_fault, "{}: {left} {right} {form:?}", rule.name);
                    }
                }
            }
        }
    }
}

fn real_condition(form: &Form, left: f64, right: f64) -> bool {
    let term = |term: Term| match term {
        Term::Operand(Side::Left) => left,
        Term::Operand(Side::Right) => right,
        Term::Negated(Side::Left) => f64::from(u8::from(left == 0.0)),
        Term::Zero => 0.0,
        _ => panic!("{term:?} is not for floating operands"),
    };
    let body = match form.body {
        Body::Truth => left != 0.0,
        Body::Test(test) => holds(test.relation, term(test.left), term(test.right)),
    };
    body == form.negations.is_multiple_of(2)
}

#[test]
fn pointers_get_no_order_that_the_program_did_not_ask_for() {
    for relation in RELATIONS {
        for is_negated in [false, true] {
            let domain = Domain::Element { before: 1, after: 2 };
            let shape = Shape { relation, is_negated, is_truth: false, is_part: false, domain };
            let mut forms = Vec::new();
            RULES.iter().for_each(|rule| (rule.derive)(&shape, &mut forms));
            for form in &forms {
                let Body::Test(test) = form.body else { panic!("{form:?}") };
                let is_same = [relation, relation.mirrored()].contains(&test.relation);
                assert!(is_same || relation.is_equality() && test.relation.is_equality(), "{form:?}");
                assert!(form.guard.is_empty());
            }
            let steps = forms.iter().filter(|form| form.meaning == Meaning::Own).count();
            let is_equal = shape.settled() == Some(Relation::Equal);
            assert_eq!(steps, if is_equal { 3 } else { 0 }, "{relation:?} {is_negated}");
        }
    }
}
