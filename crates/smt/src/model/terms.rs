//! Builds the terms of a model's text in the store of the script.

use crate::model::assignment::{Assignment, FunctionTable, Interpretation};
use crate::model::expression::{Expression, ExpressionId, Expressions};
use crate::model::reader::ModelError;
use crate::model::table::tabulate;
use crate::parse::lexer::{Token, TokenKind};
use crate::script::{Command, Script};
use crate::term::operator::Operator;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::term::{Head, TermId};
use crate::value::Value;
use crate::value::text::{element_name, free_name};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Sorts in a model that nest deeper than this are refused.
const DEEPEST_SORT: u32 = 64;

/// Builds terms from expressions, with what is known of the model so far.
pub(crate) struct ModelTerms<'a, 't> {
    pub(crate) script: &'a mut Script,
    pub(crate) expressions: &'a Expressions<'t>,
    pub(crate) assignment: Assignment,
    /// The elements of declared sorts by the names that the solver gave them.
    pub(crate) elements: BTreeMap<String, Value>,
    /// The heads of the functions that were read: declared ones, and auxiliary ones of the model.
    pub(crate) heads: BTreeMap<String, Head>,
    /// The parameter and result sorts of the auxiliary functions of one parameter.
    pub(crate) auxiliary_sorts: BTreeMap<SymbolId, (SortId, SortId)>,
    lambda_count: usize,
}

/// A step of making a term.
enum Step<'t> {
    Visit(ExpressionId),
    Build(Head, usize),
    Bind(Vec<&'t str>, ExpressionId),
    Unbind(Vec<&'t str>),
    Lambda(Vec<SymbolId>),
}

/// The bindings of names, innermost last.
type Scope<'t> = BTreeMap<&'t str, Vec<TermId>>;

impl<'a, 't> ModelTerms<'a, 't> {
    pub(crate) fn new(script: &'a mut Script, expressions: &'a Expressions<'t>) -> ModelTerms<'a, 't> {
        ModelTerms {
            script,
            expressions,
            assignment: Assignment::new(),
            elements: BTreeMap::new(),
            heads: BTreeMap::new(),
            auxiliary_sorts: BTreeMap::new(),
            lambda_count: 0,
        }
    }

    /// The sort that an expression names.
    pub(crate) fn sort(&mut self, id: ExpressionId) -> Result<SortId, ModelError> {
        self.sort_within(id, DEEPEST_SORT)
    }

    fn sort_within(&mut self, id: ExpressionId, depth: u32) -> Result<SortId, ModelError> {
        let unknown = |this: &Self| {
            ModelError::new(None, format!("expected a sort, found `{}`", this.expressions.excerpt(id)))
        };
        if depth == 0 {
            return Err(unknown(self));
        }
        let expressions = self.expressions;
        let items = match expressions.list(id) {
            Some(items) => items,
            None => &[id],
        };
        let Some(name) = items.first().and_then(|first| expressions.symbol(*first)) else {
            return Err(unknown(self));
        };
        match (name, items) {
            ("Bool", [_]) => return Ok(SortId::BOOL),
            ("Int", [_]) => return Ok(SortId::INT),
            ("Real", [_]) => return Ok(SortId::REAL),
            ("_", [_, kind, width]) if expressions.symbol(*kind) == Some("BitVec") => {
                let width = expressions.number(*width).ok_or_else(|| unknown(self))?;
                return Ok(self.script.terms.bitvec_sort(width));
            }
            ("Array", [_, index, element]) => {
                let index = self.sort_within(*index, depth - 1)?;
                let element = self.sort_within(*element, depth - 1)?;
                return Ok(self.script.terms.array_sort(index, element));
            }
            _ => {}
        }
        let mut arguments = Vec::new();
        for item in &items[1..] {
            arguments.push(self.sort_within(*item, depth - 1)?);
        }
        self.declared_sort(name, arguments).ok_or_else(|| unknown(self))
    }

    /// The declared sort of this name and these arguments, if the script declares it.
    pub(crate) fn declared_sort(&mut self, name: &str, arguments: Vec<SortId>) -> Option<SortId> {
        let symbol = self.script.terms.find_symbol(name)?;
        let arity = arguments.len() as u32;
        let declaration = Command::DeclareSort { name: symbol, arity };
        if !self.script.commands.contains(&declaration) {
            return None;
        }
        Some(self.script.terms.intern_sort(Sort::Declared { name: symbol, arguments: arguments.into() }))
    }

    /// Assigns the next element of a declared sort to this name, unless the name already has one.
    pub(crate) fn add_element(&mut self, name: &str, sort: SortId) {
        if self.elements.contains_key(name)
            || !matches!(self.script.terms.sort_of(sort), Sort::Declared { .. })
        {
            return;
        }
        let index = self.elements.values().filter(|value| is_of_sort(value, sort)).count() as u32;
        self.elements.insert(name.to_owned(), Value::Element { sort, index });
        self.assignment.set_universe(sort, index + 1);
    }

    /// The identifier that stands for a function of the model which the script does not declare.
    pub(crate) fn identifier(&mut self, name: &str, sort: SortId) -> SymbolId {
        let name = free_name(&self.script.terms, name, sort);
        self.script.terms.ascribed_identifier(&name, sort)
    }

    fn constant_term(&mut self, identifier: SymbolId, value: Value) -> Result<TermId, ModelError> {
        self.assignment.set_constant(identifier, value);
        self.make(Head::Opaque(identifier), &[])
    }

    fn element_term(&mut self, value: &Value) -> Result<TermId, ModelError> {
        let Value::Element { sort, index } = *value else {
            return Err(ModelError::new(None, "expected an element of a declared sort"));
        };
        let name = element_name(&self.script.terms, sort, index);
        let identifier = self.script.terms.ascribed_identifier(&name, sort);
        self.constant_term(identifier, value.clone())
    }

    fn make(&mut self, head: Head, children: &[TermId]) -> Result<TermId, ModelError> {
        self.script.terms.make(head, children).map_err(|error| ModelError::new(None, error))
    }

    /// The term of an expression in which the variables stand for these symbols.
    pub(crate) fn term(
        &mut self,
        root: ExpressionId,
        variables: &[(&'t str, SymbolId)],
    ) -> Result<TermId, ModelError> {
        let mut scope: Scope<'t> = BTreeMap::new();
        for (name, symbol) in variables {
            let term = self.make(Head::Bound(*symbol), &[])?;
            scope.entry(*name).or_default().push(term);
        }
        let mut steps = vec![Step::Visit(root)];
        let mut results: Vec<TermId> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id) => match self.expressions.get(id) {
                    Expression::Atom(token) => results.push(self.atom(*token, &scope)?),
                    Expression::List(items) => self.list(id, items, &mut scope, &mut steps, &mut results)?,
                },
                Step::Build(head, count) => {
                    let children = results.split_off(results.len().saturating_sub(count));
                    results.push(self.make(head, &children)?);
                }
                Step::Bind(names, body) => {
                    let values = results.split_off(results.len().saturating_sub(names.len()));
                    for (name, value) in names.iter().zip(values) {
                        scope.entry(*name).or_default().push(value);
                    }
                    steps.extend([Step::Unbind(names), Step::Visit(body)]);
                }
                Step::Unbind(names) => {
                    for name in names {
                        scope.get_mut(name).and_then(Vec::pop);
                    }
                }
                Step::Lambda(variables) => {
                    let body =
                        results.pop().ok_or_else(|| ModelError::new(None, "expected a body of `lambda`"))?;
                    results.push(self.lambda(&variables, body)?);
                }
            }
        }
        results.pop().ok_or_else(|| ModelError::new(None, "expected a term, found nothing"))
    }

    fn atom(&mut self, token: Token<'t>, scope: &Scope<'t>) -> Result<TermId, ModelError> {
        let unknown = || ModelError::new(None, format!("expected a value, found {}", token.describe()));
        let number = |radix: u32| BigInt::parse_bytes(token.text.as_bytes(), radix).ok_or_else(unknown);
        match token.kind {
            TokenKind::Numeral => {
                let value = number(10)?;
                Ok(self.script.terms.integer(&value))
            }
            TokenKind::Decimal => {
                let decimal = self.script.terms.intern_decimal(token.text).ok_or_else(unknown)?;
                self.make(Head::Decimal(decimal), &[])
            }
            TokenKind::Hexadecimal => {
                let (width, value) = (token.text.len() as u32 * 4, number(16)?);
                Ok(self.script.terms.bitvec(width, &value))
            }
            TokenKind::Binary => {
                let (width, value) = (token.text.len() as u32, number(2)?);
                Ok(self.script.terms.bitvec(width, &value))
            }
            TokenKind::Symbol | TokenKind::QuotedSymbol => {
                self.name(token.text, scope).ok_or_else(unknown)?
            }
            _ => Err(unknown()),
        }
    }

    /// The meaning of a symbol without arguments.
    fn name(&mut self, name: &'t str, scope: &Scope<'t>) -> Option<Result<TermId, ModelError>> {
        if let Some(term) = scope.get(name).and_then(|bindings| bindings.last()) {
            return Some(Ok(*term));
        }
        if let Some(value) = self.elements.get(name).cloned() {
            return Some(self.element_term(&value));
        }
        let head = match self.heads.get(name) {
            Some(head) => *head,
            None => Head::Operator(Operator::from_name(name)?),
        };
        Some(self.make(head, &[]))
    }

    fn list(
        &mut self,
        id: ExpressionId,
        items: &'a [ExpressionId],
        scope: &mut Scope<'t>,
        steps: &mut Vec<Step<'t>>,
        results: &mut Vec<TermId>,
    ) -> Result<(), ModelError> {
        let unknown = |this: &Self| {
            ModelError::new(None, format!("cannot evaluate `{}`", this.expressions.excerpt(id)))
        };
        let Some((first, arguments)) = items.split_first() else { return Err(unknown(self)) };
        let name = self.expressions.symbol(*first);
        match (name, arguments) {
            (Some("!"), [term, ..]) => steps.push(Step::Visit(*term)),
            (Some("let"), [bindings, body]) => {
                let (names, values) = self.bindings(*bindings).ok_or_else(|| unknown(self))?;
                steps.push(Step::Bind(names, *body));
                steps.extend(values.into_iter().rev().map(Step::Visit));
            }
            (Some("lambda"), [variables, body]) => {
                let variables = self.variables(*variables)?;
                let mut names = Vec::new();
                for (name, symbol) in &variables {
                    let term = self.make(Head::Bound(*symbol), &[])?;
                    scope.entry(*name).or_default().push(term);
                    names.push(*name);
                }
                let symbols = variables.into_iter().map(|(_, symbol)| symbol).collect();
                steps.extend([Step::Unbind(names), Step::Lambda(symbols), Step::Visit(*body)]);
            }
            (Some("_"), [kind, name]) if self.expressions.symbol(*kind) == Some("as-array") => {
                let name = self.expressions.symbol(*name).ok_or_else(|| unknown(self))?;
                results.push(self.as_array(name)?);
            }
            (Some("_"), [literal, width]) => {
                results.push(self.bitvec_literal(*literal, *width).ok_or_else(|| unknown(self))?);
            }
            (Some("as"), [term, sort]) => {
                let sort = self.sort(*sort)?;
                if let Some(name) = self.expressions.symbol(*term) {
                    self.add_element(name, sort);
                }
                steps.push(Step::Visit(*term));
            }
            _ => {
                let head = self.head(*first, arguments.len()).ok_or_else(|| unknown(self))??;
                steps.push(Step::Build(head, arguments.len()));
                steps.extend(arguments.iter().rev().map(|argument| Step::Visit(*argument)));
            }
        }
        Ok(())
    }

    /// The head of an application.
    fn head(&mut self, first: ExpressionId, arguments: usize) -> Option<Result<Head, ModelError>> {
        let expressions = self.expressions;
        if let Some(name) = expressions.symbol(first) {
            return match self.heads.get(name) {
                Some(head) => Some(Ok(*head)),
                None => Operator::from_name(name).map(|operator| Ok(Head::Operator(operator))),
            };
        }
        match expressions.list(first)? {
            [word, constant, sort]
                if expressions.symbol(*word) == Some("as")
                    && expressions.symbol(*constant) == Some("const")
                    && arguments == 1 =>
            {
                Some(self.sort(*sort).map(|sort| Head::Operator(Operator::ConstArray(sort))))
            }
            [word, name, indices @ ..] if expressions.symbol(*word) == Some("_") => {
                let indices: Vec<u32> =
                    indices.iter().map(|index| expressions.number(*index)).collect::<Option<_>>()?;
                let operator = Operator::from_indexed(expressions.symbol(*name)?, &indices)?;
                Some(Ok(Head::Operator(operator)))
            }
            _ => None,
        }
    }

    fn bindings(&self, id: ExpressionId) -> Option<(Vec<&'t str>, Vec<ExpressionId>)> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for binding in self.expressions.list(id)? {
            let [name, value] = self.expressions.list(*binding)? else { return None };
            names.push(self.expressions.symbol(*name)?);
            values.push(*value);
        }
        Some((names, values))
    }

    /// The variables of a list such as `((x Int) (y S))`.
    pub(crate) fn variables(&mut self, id: ExpressionId) -> Result<Vec<(&'t str, SymbolId)>, ModelError> {
        let expressions = self.expressions;
        let unknown =
            || ModelError::new(None, format!("expected variables, found `{}`", expressions.excerpt(id)));
        let mut variables = Vec::new();
        for variable in expressions.list(id).ok_or_else(unknown)? {
            let Some([name, sort]) = expressions.list(*variable) else { return Err(unknown()) };
            let name = expressions.symbol(*name).ok_or_else(unknown)?;
            let sort = self.sort(*sort)?;
            variables.push((name, self.script.terms.bound_variable(name, sort)));
        }
        Ok(variables)
    }

    fn bitvec_literal(&mut self, literal: ExpressionId, width: ExpressionId) -> Option<TermId> {
        let digits = self.expressions.symbol(literal)?.strip_prefix("bv")?;
        let value = BigInt::parse_bytes(digits.as_bytes(), 10)?;
        let width = self.expressions.number(width).filter(|width| *width > 0)?;
        Some(self.script.terms.bitvec(width, &value))
    }

    /// z3's `(_ as-array f)`: the array with the table of an auxiliary function.
    fn as_array(&mut self, name: &'t str) -> Result<TermId, ModelError> {
        let refuse =
            || ModelError::new(None, format!("`(_ as-array {name})` needs `{name}` as a finite table"));
        let (Some(Head::Opaque(symbol)) | Some(Head::Function(symbol))) = self.heads.get(name).copied()
        else {
            return Err(refuse());
        };
        let (index, element) = self.array_sorts(symbol).ok_or_else(refuse)?;
        let table = match self.assignment.interpretation(symbol) {
            Some(Interpretation::Table(table)) => table.clone(),
            Some(Interpretation::Definition { variables, body }) => {
                tabulate(self.script, &self.assignment, variables, *body)
                    .ok_or_else(refuse)?
                    .promoted(element)
            }
            None => return Err(refuse()),
        };
        self.array_term(index, element, table)
    }

    /// The index and element sorts of the array that a function of one parameter makes.
    fn array_sorts(&self, symbol: SymbolId) -> Option<(SortId, SortId)> {
        if let Some(info) = self.script.function(symbol) {
            let [index] = *info.parameters else { return None };
            return Some((index, info.result));
        }
        self.auxiliary_sorts.get(&symbol).copied()
    }

    fn lambda(&mut self, variables: &[SymbolId], body: TermId) -> Result<TermId, ModelError> {
        let refuse = || {
            ModelError::new(
                None,
                "a `lambda` in the model is not a finite table; ask for the values by `get-value`",
            )
        };
        let &[variable] = variables else { return Err(refuse()) };
        let index = self.script.terms.bound_sort(variable).ok_or_else(refuse)?;
        let element = self.script.terms.sort(body);
        let table = tabulate(self.script, &self.assignment, variables, body).ok_or_else(refuse)?;
        self.array_term(index, element, table)
    }

    fn array_term(
        &mut self,
        index: SortId,
        element: SortId,
        table: FunctionTable,
    ) -> Result<TermId, ModelError> {
        let value = self.array_value(index, element, table);
        let sort = self.script.terms.array_sort(index, element);
        self.lambda_count += 1;
        let name = format!("array!{}", self.lambda_count);
        let identifier = self.identifier(&name, sort);
        self.constant_term(identifier, value)
    }

    /// The array with the elements of a table of one parameter.
    pub(crate) fn array_value(&self, index: SortId, element: SortId, table: FunctionTable) -> Value {
        let entries =
            table.entries.into_iter().filter_map(|(key, value)| Some((key.into_iter().next()?, value)));
        self.assignment.domains(self.script).array(index, element, table.default, entries.collect())
    }
}

fn is_of_sort(value: &Value, sort: SortId) -> bool {
    matches!(value, Value::Element { sort: of, .. } if *of == sort)
}
