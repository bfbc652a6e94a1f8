//! Reads models as solvers print them.
//!
//! Supported are `define-fun` lists with or without the word `model` (z3, cvc4, cvc5, bitwuzla, yices), and yices'
//! lines `(= name value)` and `(function name (type ...) (= (name args) value) (default value))`. yices defines an
//! array as the function from its indices to its elements.

use crate::evaluate::Evaluator;
use crate::model::assignment::{Assignment, FunctionTable, Interpretation, declared_functions};
use crate::model::elements::find_elements;
use crate::model::expression::{ExpressionId, Expressions};
use crate::model::table::tabulate;
use crate::model::terms::ModelTerms;
use crate::script::Script;
use crate::term::function::FunctionKind;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::term::{Head, TermId};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a model could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The function whose meaning could not be read, if the error concerns one.
    pub symbol: Option<String>,
    /// What was expected and what was found.
    pub message: String,
}

impl ModelError {
    pub(crate) fn new(symbol: Option<&str>, message: impl fmt::Display) -> ModelError {
        ModelError { symbol: symbol.map(str::to_owned), message: message.to_string() }
    }

    fn of(mut self, symbol: &str) -> ModelError {
        self.symbol.get_or_insert_with(|| symbol.to_owned());
        self
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.symbol {
            Some(symbol) => write!(formatter, "the model's value of `{symbol}`: {}", self.message),
            None => write!(formatter, "the model: {}", self.message),
        }
    }
}

impl std::error::Error for ModelError {}

/// A model that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The values. Symbols that the model omits have their defaults.
    pub assignment: Assignment,
    /// The declared functions that the model does not mention. An assertion that is false under their defaults may be
    /// true under the values that the solver had in mind.
    pub omitted: Vec<SymbolId>,
}

/// Reads a model of a script.
///
/// The bodies of functions that are not finite tables are kept as terms in the store of the script; the script
/// itself does not change.
pub fn read_model(script: &mut Script, text: &str) -> Result<Model, ModelError> {
    let expressions = Expressions::read(text)?;
    let items = Items::collect(&expressions)?;
    let declared = declared_functions(script);
    let mut reader = Reader::new(script, &expressions, items, &declared);
    find_elements(&mut reader.terms, text)?;
    reader.find_listed_elements();
    reader.read_definitions()?;
    reader.read_equations()?;
    let assignment = reader.finish();
    let omitted =
        declared.into_iter().filter(|symbol| assignment.interpretation(*symbol).is_none()).collect();
    Ok(Model { assignment, omitted })
}

/// A `define-fun` of the model.
#[derive(Clone, Copy, Debug)]
struct DefinitionText {
    parameters: Option<ExpressionId>,
    result: ExpressionId,
    body: ExpressionId,
}

/// The lines of yices about one function.
#[derive(Clone, Debug, Default)]
struct Equations {
    entries: Vec<(Vec<ExpressionId>, ExpressionId)>,
    default: Option<ExpressionId>,
}

/// The top level of a model, by name.
#[derive(Debug, Default)]
struct Items<'t> {
    definitions: BTreeMap<&'t str, DefinitionText>,
    equations: BTreeMap<&'t str, Equations>,
}

impl<'t> Items<'t> {
    fn collect(expressions: &Expressions<'t>) -> Result<Items<'t>, ModelError> {
        let mut items = Items::default();
        for id in expressions.top() {
            let Some(list) = expressions.list(*id) else { continue };
            if !items.add(expressions, list)? {
                for inner in list {
                    if let Some(list) = expressions.list(*inner) {
                        items.add(expressions, list)?;
                    }
                }
            }
        }
        Ok(items)
    }

    /// Adds an item. Returns false if the list is not an item; it may then be a list of items.
    fn add(&mut self, expressions: &Expressions<'t>, list: &[ExpressionId]) -> Result<bool, ModelError> {
        let word = list.first().and_then(|first| expressions.symbol(*first));
        let name = list.get(1).and_then(|name| expressions.symbol(*name));
        match (word, name, list) {
            (Some("error"), _, _) => {
                return Err(ModelError::new(None, "the solver printed an error instead of a model"));
            }
            (Some("define-fun" | "define-fun-rec"), Some(name), &[_, _, parameters, result, body]) => {
                let parameters = Some(parameters);
                self.definitions.insert(name, DefinitionText { parameters, result, body });
            }
            (Some("define-const"), Some(name), &[_, _, result, body]) => {
                self.definitions.insert(name, DefinitionText { parameters: None, result, body });
            }
            (Some("="), _, &[_, left, right]) => self.add_equation(expressions, left, right),
            (Some("function"), Some(name), &[_, _, ref lines @ ..]) => {
                self.add_function(expressions, name, lines)
            }
            (Some(_), _, _) if word != Some("model") => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add_equation(&mut self, expressions: &Expressions<'t>, left: ExpressionId, right: ExpressionId) {
        if let Some(name) = expressions.symbol(left) {
            self.equations.entry(name).or_default().default = Some(right);
        } else if let Some([name, arguments @ ..]) = expressions.list(left)
            && let Some(name) = expressions.symbol(*name)
        {
            self.equations.entry(name).or_default().entries.push((arguments.to_vec(), right));
        }
    }

    fn add_function(&mut self, expressions: &Expressions<'t>, name: &'t str, lines: &[ExpressionId]) {
        self.equations.entry(name).or_default();
        for line in lines {
            match expressions.list(*line) {
                Some(&[word, value]) if expressions.symbol(word) == Some("default") => {
                    self.equations.entry(name).or_default().default = Some(value);
                }
                Some(&[word, left, right]) if expressions.symbol(word) == Some("=") => {
                    self.add_equation(expressions, left, right);
                }
                _ => {}
            }
        }
    }
}

struct Reader<'a, 't> {
    terms: ModelTerms<'a, 't>,
    items: Items<'t>,
    /// The declared functions whose sorts are evaluated, by name; several if a name was declared again.
    declared: BTreeMap<String, Vec<SymbolId>>,
}

impl<'a, 't> Reader<'a, 't> {
    fn new(
        script: &'a mut Script,
        expressions: &'a Expressions<'t>,
        items: Items<'t>,
        symbols: &[SymbolId],
    ) -> Reader<'a, 't> {
        let mut declared: BTreeMap<String, Vec<SymbolId>> = BTreeMap::new();
        for symbol in symbols {
            declared.entry(script.terms.symbol(*symbol).to_owned()).or_default().push(*symbol);
        }
        let mut terms = ModelTerms::new(script, expressions);
        for (symbol, info) in terms.script.terms.functions() {
            let name = terms.script.terms.symbol(symbol);
            // A name to which the model gives a meaning is known only after that was read.
            let is_given = items.definitions.contains_key(name) || items.equations.contains_key(name);
            if !is_given && matches!(info.kind, FunctionKind::Declared | FunctionKind::Defined) {
                terms.heads.insert(name.to_owned(), Head::Function(symbol));
            }
        }
        Reader { terms, items, declared }
    }

    fn finish(self) -> Assignment {
        self.terms.assignment
    }

    /// The declared function that a name of the model refers to, if the script declares it.
    fn target(&self, name: &str, arity: usize) -> Result<Option<SymbolId>, ModelError> {
        let Some(symbols) = self.declared.get(name) else { return Ok(None) };
        let fits = |symbol: &&SymbolId| {
            self.terms.script.function(**symbol).is_some_and(|info| info.parameters.len() == arity)
        };
        let fitting: Vec<&SymbolId> = symbols.iter().filter(fits).collect();
        match fitting.as_slice() {
            [] => Err(ModelError::new(
                Some(name),
                format!("the script declares it with other than {arity} parameters"),
            )),
            [symbol] => Ok(Some(**symbol)),
            _ => Err(declared_twice(name)),
        }
    }

    // Definitions.

    fn read_definitions(&mut self) -> Result<(), ModelError> {
        for name in self.order() {
            if let Some(definition) = self.items.definitions.get(name).copied() {
                self.read_definition(name, definition).map_err(|error| error.of(name))?;
            }
        }
        Ok(())
    }

    /// The definitions that matter, each after those that it uses.
    ///
    /// A definition that uses itself comes before its own use, which then is the use of an unknown name.
    fn order(&self) -> Vec<&'t str> {
        let mut order = Vec::new();
        let mut entered = BTreeSet::new();
        let roots = self.items.definitions.keys().filter(|name| self.declared.contains_key(**name));
        let mut pending: Vec<(&'t str, bool)> = roots.map(|name| (*name, false)).collect();
        while let Some((name, is_done)) = pending.pop() {
            if is_done {
                order.push(name);
            } else if entered.insert(name) {
                pending.push((name, true));
                pending.extend(self.uses(name).into_iter().map(|used| (used, false)));
            }
        }
        order
    }

    /// The other definitions whose names occur in the body of a definition.
    fn uses(&self, name: &str) -> Vec<&'t str> {
        let Some(definition) = self.items.definitions.get(name) else { return Vec::new() };
        let expressions = self.terms.expressions;
        let mut own: BTreeSet<&str> = expressions.symbols_bound_inside(definition.body).into_iter().collect();
        own.extend(definition.parameters.map(|list| expressions.symbols_inside(list)).unwrap_or_default());
        let mut used: Vec<&'t str> = expressions.symbols_inside(definition.body);
        used.retain(|symbol| self.items.definitions.contains_key(symbol) && !own.contains(symbol));
        used.sort_unstable();
        used.dedup();
        used
    }

    fn read_definition(&mut self, name: &'t str, definition: DefinitionText) -> Result<(), ModelError> {
        let variables = match definition.parameters {
            Some(list) => self.terms.variables(list)?,
            None => Vec::new(),
        };
        let symbols: Vec<SymbolId> = variables.iter().map(|(_, symbol)| *symbol).collect();
        let result = self.terms.sort(definition.result)?;
        let array = self.array_target(name, &symbols, result)?;
        let target = match array {
            Some(_) => array,
            None => self.function_target(name, &symbols, result)?,
        };
        let body = self.terms.term(definition.body, &variables)?;
        if !self.terms.script.terms.compatible(result, self.terms.script.terms.sort(body)) {
            return Err(ModelError::new(Some(name), "the sort of the value is not the sort of the symbol"));
        }
        let mut interpretation = match target {
            Some(_) => self.interpretation(&symbols, result, body)?,
            // A function that the script does not declare is only used by other definitions, and printed back
            // unchanged.
            None => Interpretation::Definition { variables: symbols.as_slice().into(), body },
        };
        if array.is_some() {
            interpretation = self.array_interpretation(&symbols, result, interpretation)?;
        }
        let symbol = match target {
            Some(symbol) => {
                self.terms.heads.insert(name.to_owned(), Head::Function(symbol));
                symbol
            }
            None => self.add_auxiliary(name, &symbols, result),
        };
        self.terms.assignment.set_interpretation(symbol, interpretation);
        Ok(())
    }

    /// The declared array whose elements a definition with one parameter gives, as yices writes arrays.
    fn array_target(
        &self,
        name: &str,
        variables: &[SymbolId],
        result: SortId,
    ) -> Result<Option<SymbolId>, ModelError> {
        let (Some(symbols), &[variable]) = (self.declared.get(name), variables) else { return Ok(None) };
        let terms = &self.terms.script.terms;
        let fits = |symbol: &SymbolId| {
            terms.function(*symbol).is_some_and(|info| match *terms.sort_of(info.result) {
                Sort::Array(index, element) => {
                    info.parameters.is_empty()
                        && terms.bound_sort(variable) == Some(index)
                        && element == result
                }
                _ => false,
            })
        };
        match symbols.as_slice() {
            [symbol] => Ok(fits(symbol).then_some(*symbol)),
            // A function of that name would be defined by the same text.
            symbols if symbols.iter().any(fits) => Err(declared_twice(name)),
            _ => Ok(None),
        }
    }

    fn function_target(
        &self,
        name: &str,
        variables: &[SymbolId],
        result: SortId,
    ) -> Result<Option<SymbolId>, ModelError> {
        let target = self.target(name, variables.len())?;
        if let Some(target) = target {
            self.check_signature(target, variables, result)?;
        }
        Ok(target)
    }

    fn check_signature(
        &self,
        target: SymbolId,
        variables: &[SymbolId],
        result: SortId,
    ) -> Result<(), ModelError> {
        let terms = &self.terms.script.terms;
        let Some(info) = terms.function(target) else { return Ok(()) };
        let sorts: Option<Vec<SortId>> =
            variables.iter().map(|variable| terms.bound_sort(*variable)).collect();
        if info.result == result && sorts.as_deref() == Some(&info.parameters) {
            return Ok(());
        }
        Err(ModelError::new(None, "the sorts in the model are not those that the script declares"))
    }

    fn add_auxiliary(&mut self, name: &'t str, variables: &[SymbolId], result: SortId) -> SymbolId {
        let symbol = self.terms.identifier(name, result);
        self.terms.heads.insert(name.to_owned(), Head::Opaque(symbol));
        if let [variable] = variables
            && let Some(index) = self.terms.script.terms.bound_sort(*variable)
        {
            self.terms.auxiliary_sorts.insert(symbol, (index, result));
        }
        symbol
    }

    fn interpretation(
        &self,
        variables: &[SymbolId],
        result: SortId,
        body: TermId,
    ) -> Result<Interpretation, ModelError> {
        let (script, assignment) = (&*self.terms.script, &self.terms.assignment);
        if variables.is_empty() {
            let value = Evaluator::new(script, assignment).value(body).ok_or_else(not_evaluated)?;
            let table = FunctionTable { default: value.promoted(result), entries: BTreeMap::new() };
            return Ok(Interpretation::Table(table));
        }
        Ok(match tabulate(script, assignment, variables, body) {
            Some(table) => Interpretation::Table(table.promoted(result)),
            None => Interpretation::Definition { variables: variables.into(), body },
        })
    }

    /// The array whose elements a function of one parameter gives.
    fn array_interpretation(
        &self,
        variables: &[SymbolId],
        element: SortId,
        elements: Interpretation,
    ) -> Result<Interpretation, ModelError> {
        let index = variables.first().and_then(|variable| self.terms.script.terms.bound_sort(*variable));
        let index = index.ok_or_else(not_evaluated)?;
        let Interpretation::Table(table) = elements else {
            return Err(ModelError::new(None, "the elements of the array are not a finite table"));
        };
        let default = self.terms.array_value(index, element, table);
        Ok(Interpretation::Table(FunctionTable { default, entries: BTreeMap::new() }))
    }

    // Equations.

    /// Symbols that occur as values of declared sorts in equations are elements, regardless of their names.
    fn find_listed_elements(&mut self) {
        let mut found: Vec<(&'t str, SortId)> = Vec::new();
        for (name, equations) in &self.items.equations {
            let Some([symbol]) = self.declared.get(*name).map(Vec::as_slice) else { continue };
            let Some(info) = self.terms.script.function(*symbol) else { continue };
            let arguments =
                equations.entries.iter().flat_map(|(arguments, _)| arguments.iter().zip(&info.parameters));
            let results = equations.entries.iter().map(|(_, result)| result).chain(&equations.default);
            for (value, sort) in arguments.chain(results.map(|result| (result, &info.result))) {
                found.extend(self.terms.expressions.symbol(*value).map(|name| (name, *sort)));
            }
        }
        for (name, sort) in found {
            self.terms.add_element(name, sort);
        }
    }

    fn read_equations(&mut self) -> Result<(), ModelError> {
        let equations = self.items.equations.clone();
        for (name, lines) in &equations {
            let Some(symbols) = self.declared.get(*name) else { continue };
            let &[symbol] = symbols.as_slice() else {
                return Err(declared_twice(name));
            };
            let table = self.equation_table(symbol, lines).map_err(|error| error.of(name))?;
            self.terms.assignment.set_function(symbol, table);
        }
        Ok(())
    }

    fn equation_table(&mut self, symbol: SymbolId, lines: &Equations) -> Result<FunctionTable, ModelError> {
        let Some(info) = self.terms.script.function(symbol).cloned() else { return Err(not_evaluated()) };
        if info.parameters.is_empty() {
            let default = match (lines.default, lines.entries.is_empty()) {
                (Some(value), true) => self.listed_value(value, info.result, LISTED_DEPTH)?,
                _ => self.listed_array(lines, info.result, LISTED_DEPTH)?,
            };
            return Ok(FunctionTable { default, entries: BTreeMap::new() });
        }
        self.listed_table(lines, &info.parameters, info.result, LISTED_DEPTH)
    }

    fn listed_table(
        &mut self,
        lines: &Equations,
        parameters: &[SortId],
        result: SortId,
        depth: u32,
    ) -> Result<FunctionTable, ModelError> {
        let default = match lines.default {
            Some(value) => self.listed_value(value, result, depth)?,
            None => {
                let domains = self.terms.assignment.domains(self.terms.script);
                domains.default_value(result).ok_or_else(not_evaluated)?
            }
        };
        let mut entries = BTreeMap::new();
        for (arguments, value) in &lines.entries {
            if arguments.len() != parameters.len() {
                return Err(ModelError::new(
                    None,
                    "an entry has another number of arguments than the function",
                ));
            }
            let mut key = Vec::new();
            for (argument, sort) in arguments.iter().zip(parameters) {
                key.push(self.listed_value(*argument, *sort, depth)?);
            }
            entries.insert(key, self.listed_value(*value, result, depth)?);
        }
        Ok(FunctionTable { default, entries })
    }

    fn listed_array(&mut self, lines: &Equations, sort: SortId, depth: u32) -> Result<Value, ModelError> {
        let Sort::Array(index, element) = *self.terms.script.terms.sort_of(sort) else {
            return Err(ModelError::new(None, "expected a value, found a table"));
        };
        let table = self.listed_table(lines, &[index], element, depth)?;
        Ok(self.terms.array_value(index, element, table))
    }

    /// The value of an expression; the name of a listed function is an array.
    fn listed_value(&mut self, id: ExpressionId, sort: SortId, depth: u32) -> Result<Value, ModelError> {
        let lines =
            self.terms.expressions.symbol(id).and_then(|name| self.items.equations.get(name)).cloned();
        if let Some(lines) = lines
            && matches!(self.terms.script.terms.sort_of(sort), Sort::Array(..))
        {
            if depth == 0 {
                return Err(ModelError::new(None, "the tables of the model refer to each other too deeply"));
            }
            return self.listed_array(&lines, sort, depth - 1);
        }
        let term = self.terms.term(id, &[])?;
        let value = Evaluator::new(self.terms.script, &self.terms.assignment).value(term);
        if !self.terms.script.terms.compatible(sort, self.terms.script.terms.sort(term)) {
            return Err(ModelError::new(None, "the sort of the value is not the sort of the symbol"));
        }
        value.map(|value| value.promoted(sort)).ok_or_else(not_evaluated)
    }
}

/// How deeply tables may refer to tables; array sorts with values nest less deeply.
const LISTED_DEPTH: u32 = 32;

fn declared_twice(name: &str) -> ModelError {
    ModelError::new(Some(name), "the script declares this name twice; rename one")
}

fn not_evaluated() -> ModelError {
    ModelError::new(None, "it is not evaluated here, such as an algebraic number; ask for another model")
}
