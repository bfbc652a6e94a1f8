//! The exact evaluator: the value of a term under an assignment, or unknown.
//!
//! Anything that the standard leaves open is unknown, never guessed: division by zero, operators of theories that are
//! not evaluated, quantifiers over domains too large to enumerate, recursive definitions.

pub(crate) mod arithmetic;
pub(crate) mod array;
pub(crate) mod bitvector;
pub(crate) mod bitvector_arithmetic;
pub(crate) mod core_theory;

use crate::model::assignment::{Assignment, Interpretation};
use crate::script::Script;
use crate::term::operator::Operator;
use crate::term::sort::SortId;
use crate::term::symbol::{SymbolId, SymbolListId};
use crate::term::{Head, Quantifier, TermId, Terms};
use crate::value::Value;
use crate::value::domain::Domains;
use num_bigint::BigUint;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap};

/// The work that one call of [`Evaluator::value`] may do; about one unit for each term and machine word.
const FUEL: u64 = 20_000_000;

/// The machine words that the values in the tables of an evaluator may take, besides some for each term of the script.
const MOST_WORDS: u64 = 4 << 20;
const WORDS_PER_TERM: u64 = 640;
/// The machine words that the results of calls may take. They can be computed again.
const MOST_CALL_WORDS: u64 = 1 << 20;

/// The machine words that an entry of a table takes besides its values.
const WORDS_PER_ENTRY: u64 = 8;

/// Quantifiers with more instances than this are unknown.
const MOST_INSTANCES: u64 = 256;

/// Calls that nest deeper than this are unknown.
const DEEPEST_CALL: usize = 200_000;

type Memo = FxHashMap<TermId, Option<Value>>;
type CallKey = (SymbolId, Vec<Value>);

/// Evaluates terms of one script under one assignment, and memoizes the values.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    domains: Domains<'a>,
    closed: Memo,
    calls: HashMap<CallKey, Option<Value>>,
    /// The work that the current call may still do.
    fuel: u64,
    /// The work that all calls together may still do.
    left: u64,
    /// The machine words that the values in `closed`, in the open frames and in `calls` take.
    closed_words: u64,
    open_words: u64,
    call_words: u64,
}

/// A pending step of a frame.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Request the children of the term.
    Visit(TermId),
    /// The condition of this ite is known: request the branches that matter.
    Branch(TermId),
    /// The children are known: compute the term.
    Compute(TermId),
}

/// A body under evaluation with values for its bound variables.
#[derive(Debug)]
struct Frame {
    environment: BTreeMap<SymbolId, Value>,
    open: Memo,
    tasks: Vec<Task>,
    body: TermId,
    purpose: Purpose,
    /// The machine words that the values in `open` take.
    words: u64,
}

/// The purpose of the value of a frame's body.
#[derive(Debug)]
enum Purpose {
    /// It is the answer.
    Answer,
    /// It is the result of a call.
    Call(CallKey, SortId),
    /// It is an instance of a quantifier of the frame below.
    Instance(Instances),
}

#[derive(Debug)]
struct Instances {
    term: TermId,
    quantifier: Quantifier,
    variables: SymbolListId,
    next: u64,
    count: u64,
    all_known: bool,
}

/// The result of trying to compute a term.
enum Outcome {
    Value(Option<Value>),
    Enter(Frame),
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has computed nothing yet.
    pub fn new(script: &'a Script, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator {
            terms: &script.terms,
            assignment,
            domains: assignment.domains(script),
            closed: Memo::default(),
            calls: HashMap::new(),
            fuel: 0,
            left: u64::MAX,
            closed_words: 0,
            open_words: 0,
            call_words: 0,
        }
    }

    /// Bounds the work of all calls together; one unit is about one term or machine word. Without fuel all is unknown.
    pub fn limit(&mut self, fuel: u64) {
        self.left = fuel;
    }

    /// What is left of that bound.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The value of a closed term, or `None` if it is unknown.
    pub fn value(&mut self, term: TermId) -> Option<Value> {
        if let Some(known) = self.closed.get(&term) {
            return known.clone();
        }
        if !self.terms.is_closed(term) {
            return None;
        }
        self.answer(BTreeMap::new(), term)
    }

    /// The truth value of a closed Boolean term, or `None` if it is unknown.
    pub fn truth(&mut self, term: TermId) -> Option<bool> {
        self.value(term).as_ref().and_then(Value::as_bool)
    }

    /// The value of a body for given values of its variables.
    pub(crate) fn value_with(
        &mut self,
        environment: BTreeMap<SymbolId, Value>,
        body: TermId,
    ) -> Option<Value> {
        self.answer(environment, body)
    }

    fn answer(&mut self, environment: BTreeMap<SymbolId, Value>, body: TermId) -> Option<Value> {
        if self.closed_words > self.most_words() / 2 {
            self.closed.clear();
            self.closed_words = 0;
        }
        self.open_words = 0;
        let fuel = FUEL.min(self.left);
        self.fuel = fuel;
        let frame = self.frame(environment, body, Purpose::Answer);
        let value = self.run(frame);
        self.left -= fuel - self.fuel;
        value
    }

    fn most_words(&self) -> u64 {
        MOST_WORDS + WORDS_PER_TERM * self.terms.len() as u64
    }

    fn frame(&self, environment: BTreeMap<SymbolId, Value>, body: TermId, purpose: Purpose) -> Frame {
        Frame { environment, open: Memo::default(), tasks: vec![Task::Visit(body)], body, purpose, words: 0 }
    }

    fn run(&mut self, first: Frame) -> Option<Value> {
        let mut below: Vec<Frame> = Vec::new();
        let mut frame = first;
        loop {
            if self.fuel == 0 || below.len() > DEEPEST_CALL {
                return None;
            }
            self.fuel -= 1;
            let Some(task) = frame.tasks.pop() else {
                let value = self.known(&frame, frame.body).flatten();
                match self.finish(frame, below.pop(), value) {
                    Finished::Answer(value) => return value,
                    Finished::Return(parent) => frame = *parent,
                    Finished::Again(instance, parent) => {
                        below.push(*parent);
                        frame = *instance;
                    }
                }
                continue;
            };
            if let Some(entered) = self.perform(&mut frame, task) {
                below.push(std::mem::replace(&mut frame, entered));
            }
        }
    }

    /// Performs one task. Returns a frame that must be finished before the task is tried again.
    fn perform(&mut self, frame: &mut Frame, task: Task) -> Option<Frame> {
        match task {
            Task::Visit(term) => {
                if self.known(frame, term).is_none() {
                    self.visit(frame, term);
                }
                None
            }
            Task::Branch(term) => {
                self.branch(frame, term);
                None
            }
            Task::Compute(term) => match self.compute(frame, term) {
                Outcome::Value(value) => {
                    // Without fuel the value is unknown now, but perhaps not on another attempt.
                    if self.fuel > 0 {
                        self.remember(frame, term, value);
                    }
                    None
                }
                Outcome::Enter(entered) => {
                    frame.tasks.push(Task::Compute(term));
                    Some(entered)
                }
            },
        }
    }

    /// The memoized value of a term: `None` if it was not computed, `Some(None)` if it is unknown.
    fn known(&self, frame: &Frame, term: TermId) -> Option<Option<Value>> {
        let memo = if self.terms.is_closed(term) { &self.closed } else { &frame.open };
        memo.get(&term).cloned()
    }

    fn remember(&mut self, frame: &mut Frame, term: TermId, value: Option<Value>) {
        let value = value.map(|value| value.promoted(self.terms.sort(term)));
        let words = value.as_ref().map_or(0, Value::words) + WORDS_PER_ENTRY;
        if self.terms.is_closed(term) {
            self.closed_words += words;
            self.closed.insert(term, value);
        } else {
            self.open_words += words;
            frame.words += words;
            frame.open.insert(term, value);
        }
        // A value that is not kept would have to be computed again and again.
        if self.closed_words + self.open_words > self.most_words() {
            self.fuel = 0;
        }
    }

    fn remember_call(&mut self, key: CallKey, value: Option<Value>) {
        if self.call_words > MOST_CALL_WORDS {
            self.calls.clear();
            self.call_words = 0;
        }
        let words: u64 = key.1.iter().chain(&value).map(Value::words).sum();
        self.call_words += words + WORDS_PER_ENTRY;
        self.calls.insert(key, value);
    }

    fn visit(&mut self, frame: &mut Frame, term: TermId) {
        let children = self.terms.children(term);
        match self.terms.head(term) {
            Head::Operator(Operator::Ite) => {
                frame.tasks.push(Task::Branch(term));
                frame.tasks.extend(children.first().map(|condition| Task::Visit(*condition)));
            }
            // The other children of an annotation are patterns, not parts of the value.
            Head::Annotated(_) => {
                frame.tasks.push(Task::Compute(term));
                frame.tasks.extend(children.first().map(|child| Task::Visit(*child)));
            }
            Head::Operator(_) | Head::Function(_) | Head::Opaque(_) => {
                frame.tasks.push(Task::Compute(term));
                frame.tasks.extend(children.iter().rev().map(|child| Task::Visit(*child)));
            }
            _ => frame.tasks.push(Task::Compute(term)),
        }
        self.fuel = self.fuel.saturating_sub(children.len() as u64);
    }

    fn branch(&mut self, frame: &mut Frame, term: TermId) {
        frame.tasks.push(Task::Compute(term));
        let &[condition, then, otherwise] = self.terms.children(term) else { return };
        match self.known(frame, condition).flatten() {
            Some(Value::Bool(true)) => frame.tasks.push(Task::Visit(then)),
            Some(Value::Bool(false)) => frame.tasks.push(Task::Visit(otherwise)),
            _ => frame.tasks.extend([Task::Visit(otherwise), Task::Visit(then)]),
        }
    }

    fn compute(&mut self, frame: &Frame, term: TermId) -> Outcome {
        match self.terms.head(term) {
            Head::Operator(operator) => {
                let arguments = self.arguments(frame, term);
                Outcome::Value(self.apply(operator, &arguments))
            }
            Head::Numeral { value, real } => {
                let value = Value::Int(self.terms.integer_value(value).clone());
                Outcome::Value(Some(value.promoted(if real { SortId::REAL } else { SortId::INT })))
            }
            Head::Decimal(decimal) => {
                let value: BigRational = self.terms.decimal_value(decimal).value.clone();
                Outcome::Value(Some(Value::Real(value)))
            }
            Head::BitVec { width, value } => Outcome::Value(self.bitvec_literal(term, width, value)),
            Head::Bound(symbol) => Outcome::Value(frame.environment.get(&symbol).cloned()),
            Head::Function(symbol) | Head::Opaque(symbol) => self.call(frame, term, symbol),
            Head::Quantifier { quantifier, variables } => self.quantifier(frame, term, quantifier, variables),
            Head::Annotated(_) => {
                let child = self.terms.children(term).first();
                Outcome::Value(child.and_then(|child| self.known(frame, *child).flatten()))
            }
            Head::StringLiteral(_) | Head::Match(_) => Outcome::Value(None),
        }
    }

    fn bitvec_literal(
        &self,
        term: TermId,
        width: u32,
        value: crate::term::literal::IntegerId,
    ) -> Option<Value> {
        self.domains.default_value(self.terms.sort(term))?;
        let bits: BigUint = self.terms.integer_value(value).to_biguint()?;
        Some(Value::BitVec { width, bits })
    }

    fn arguments(&self, frame: &Frame, term: TermId) -> Vec<Option<Value>> {
        self.terms.children(term).iter().map(|child| self.known(frame, *child).flatten()).collect()
    }

    fn apply(&mut self, operator: Operator, arguments: &[Option<Value>]) -> Option<Value> {
        use Operator as O;
        match operator {
            O::True | O::False | O::Not | O::And | O::Or | O::Xor | O::Implies => {
                return core_theory::apply(operator, arguments);
            }
            O::Equal | O::Distinct | O::Ite => return core_theory::apply(operator, arguments),
            O::LessEqual | O::Less | O::GreaterEqual | O::Greater => {
                return arithmetic::compare(operator, arguments);
            }
            _ => {}
        }
        let arguments: Vec<Value> = arguments.iter().cloned().collect::<Option<_>>()?;
        self.fuel = self.fuel.saturating_sub(cost(operator, &arguments));
        if self.fuel == 0 {
            return None;
        }
        match operator {
            O::Add | O::Subtract | O::Negate | O::Multiply | O::Divide | O::IntDiv | O::Mod | O::Abs => {
                arithmetic::apply(operator, &arguments)
            }
            O::ToReal | O::ToInt | O::IsInt | O::Divisible(_) => arithmetic::apply(operator, &arguments),
            O::Select | O::Store | O::ConstArray(_) => {
                array::apply(self.terms, self.domains, operator, &arguments)
            }
            _ => bitvector::apply(operator, &arguments),
        }
    }

    /// The value of a declared function by its interpretation, or of a defined one by its body.
    ///
    /// Opaque identifiers have a value only if a model gave them one.
    fn call(&mut self, frame: &Frame, term: TermId, symbol: SymbolId) -> Outcome {
        let info = self.terms.function(symbol);
        let Some(arguments) = self.call_arguments(frame, term, symbol) else { return Outcome::Value(None) };
        let result_sort = self.terms.sort(term);
        if let Some(definition) = info.and_then(|info| info.definition.as_ref()) {
            if info.is_some_and(|info| info.recursive) {
                return Outcome::Value(None);
            }
            return self.enter(symbol, &definition.variables, definition.body, arguments, result_sort);
        }
        match self.assignment.interpretation(symbol) {
            Some(Interpretation::Table(table)) => {
                Outcome::Value(Some(table.entries.get(&arguments).unwrap_or(&table.default).clone()))
            }
            Some(Interpretation::Definition { variables, body }) => {
                self.enter(symbol, variables, *body, arguments, result_sort)
            }
            None => Outcome::Value(self.missing(term, symbol)),
        }
    }

    fn missing(&self, term: TermId, symbol: SymbolId) -> Option<Value> {
        let is_declared = matches!(self.terms.head(term), Head::Function(_))
            && self.terms.function(symbol).is_some_and(|info| info.kind == crate::FunctionKind::Declared);
        if is_declared { self.domains.default_value(self.terms.sort(term)) } else { None }
    }

    fn call_arguments(&self, frame: &Frame, term: TermId, symbol: SymbolId) -> Option<Vec<Value>> {
        let parameters = self.terms.function(symbol).map(|info| &info.parameters);
        let arguments = self.arguments(frame, term).into_iter().enumerate();
        arguments
            .map(|(position, argument)| match parameters.and_then(|sorts| sorts.get(position)) {
                Some(sort) => argument.map(|value| value.promoted(*sort)),
                None => argument,
            })
            .collect()
    }

    fn enter(
        &mut self,
        symbol: SymbolId,
        variables: &[SymbolId],
        body: TermId,
        arguments: Vec<Value>,
        sort: SortId,
    ) -> Outcome {
        let key = (symbol, arguments);
        if let Some(known) = self.calls.get(&key) {
            return Outcome::Value(known.clone());
        }
        if variables.len() != key.1.len() {
            return Outcome::Value(None);
        }
        let environment = variables.iter().copied().zip(key.1.iter().cloned()).collect();
        Outcome::Enter(self.frame(environment, body, Purpose::Call(key, sort)))
    }

    fn quantifier(
        &mut self,
        frame: &Frame,
        term: TermId,
        quantifier: Quantifier,
        variables: SymbolListId,
    ) -> Outcome {
        if !matches!(quantifier, Quantifier::Forall | Quantifier::Exists) {
            return Outcome::Value(None);
        }
        let symbols = self.terms.symbol_list(variables);
        let count = symbols.iter().try_fold(1u64, |count, symbol| {
            let size = self.terms.bound_sort(*symbol).and_then(|sort| self.domains.cardinality(sort))?;
            count.checked_mul(size).filter(|count| *count <= MOST_INSTANCES)
        });
        let (Some(count), Some(body)) = (count, self.terms.children(term).first()) else {
            return Outcome::Value(None);
        };
        let instances = Instances { term, quantifier, variables, next: 0, count, all_known: true };
        match self.instance(&frame.environment, *body, instances) {
            Some(frame) => Outcome::Enter(frame),
            None => Outcome::Value(None),
        }
    }

    /// The frame of the next instance: the number of the instance, in mixed radix, encodes the values.
    fn instance(
        &mut self,
        outer: &BTreeMap<SymbolId, Value>,
        body: TermId,
        mut instances: Instances,
    ) -> Option<Frame> {
        self.fuel = self.fuel.saturating_sub(outer.len() as u64);
        let mut environment = outer.clone();
        let mut rest = instances.next;
        for symbol in self.terms.symbol_list(instances.variables) {
            let sort = self.terms.bound_sort(*symbol)?;
            let size = self.domains.cardinality(sort)?;
            environment.insert(*symbol, self.domains.value(sort, rest % size)?);
            rest /= size;
        }
        instances.next += 1;
        Some(self.frame(environment, body, Purpose::Instance(instances)))
    }

    /// Passes the value of a finished frame to the frame or caller that waits for it.
    fn finish(&mut self, frame: Frame, parent: Option<Frame>, value: Option<Value>) -> Finished {
        let Some(mut parent) = parent else { return Finished::Answer(value) };
        self.open_words = self.open_words.saturating_sub(frame.words);
        match frame.purpose {
            Purpose::Answer => Finished::Answer(value),
            Purpose::Call(key, sort) => {
                self.remember_call(key, value.map(|value| value.promoted(sort)));
                Finished::Return(Box::new(parent))
            }
            Purpose::Instance(mut instances) => {
                let decisive = instances.quantifier == Quantifier::Exists;
                let truth = value.as_ref().and_then(Value::as_bool);
                instances.all_known &= truth.is_some();
                if truth != Some(decisive)
                    && instances.next < instances.count
                    && let Some(next) = self.next_instance(&parent, frame.body, &instances)
                {
                    return Finished::Again(Box::new(next), Box::new(parent));
                }
                let result = match truth {
                    Some(truth) if truth == decisive => Some(decisive),
                    _ => (instances.all_known && instances.next == instances.count).then_some(!decisive),
                };
                // The task that waits for the quantifier is on top of the parent and is now done.
                parent.tasks.pop();
                self.remember(&mut parent, instances.term, result.map(Value::Bool));
                Finished::Return(Box::new(parent))
            }
        }
    }

    fn next_instance(&mut self, parent: &Frame, body: TermId, instances: &Instances) -> Option<Frame> {
        self.instance(&parent.environment, body, Instances { ..*instances })
    }
}

/// What follows after a frame is finished.
enum Finished {
    Answer(Option<Value>),
    Return(Box<Frame>),
    Again(Box<Frame>, Box<Frame>),
}

/// An estimate of the work of an operator, made before it is applied.
fn cost(operator: Operator, arguments: &[Value]) -> u64 {
    let words: u64 = arguments.iter().map(Value::size).sum();
    let has_real = arguments.iter().any(|argument| matches!(argument, Value::Real(_)));
    match operator {
        Operator::Select => 1,
        _ if words <= 8 => words,
        // Rationals are kept in lowest terms, and the greatest common divisor is found bit by bit.
        _ if has_real || operator == Operator::Divide => words.saturating_mul(words).saturating_mul(16),
        Operator::Multiply | Operator::IntDiv | Operator::Mod => words.saturating_mul(words),
        Operator::BvMul | Operator::BvUdiv | Operator::BvUrem | Operator::BvSdiv => {
            words.saturating_mul(words)
        }
        Operator::BvSrem | Operator::BvSmod | Operator::BvUmulo | Operator::BvSmulo => {
            words.saturating_mul(words)
        }
        Operator::Concat => words.saturating_mul(arguments.len() as u64),
        _ => words,
    }
}
