//! Arrays. Small ones are C arrays in structs; of others only elements are said, and those of free variables are inputs.

use super::graph::{Kind, NodeId, What};
use super::{AsC, Read, Refusal};
use smt::{Head, Operator, Sort, SortId, SymbolId, TermId};
use std::collections::{BTreeSet, HashMap};

/// An element that is looked for: of which array, at which indices.
type Wanted = (NodeId, Vec<NodeId>);

impl AsC<'_> {
    /// Takes an asserted equation `(= a t)` as the definition of an array `a` that C cannot hold, unless `t` depends on
    /// it. The equation then holds and need not be said. All equations must be taken before the first snippet.
    pub(crate) fn take_equation(&mut self, assertion: TermId) -> bool {
        let &[left, right] = self.terms.children(assertion) else { return false };
        if self.terms.head(assertion) != Head::Operator(Operator::Equal) {
            return false;
        }
        for (side, other) in [(left, right), (right, left)] {
            let Head::Function(symbol) = self.terms.head(side) else { continue };
            let is_array =
                matches!(self.kind_of_sort(side, self.terms.sort(side), None), Ok(Kind::Unsaid(_)));
            let is_free = self.terms.children(side).is_empty()
                && self.terms.function(symbol).is_some_and(|info| info.definition.is_none())
                && !self.equations.contains_key(&symbol);
            if is_array && is_free && !self.depends(other, symbol) {
                self.equations.insert(symbol, other);
                return true;
            }
        }
        false
    }

    /// Whether a term depends on a constant, by the definitions of functions and the equations so far.
    fn depends(&self, term: TermId, symbol: SymbolId) -> bool {
        let mut seen = BTreeSet::from([term]);
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            let mut next = self.terms.children(term).to_vec();
            if let Head::Function(function) = self.terms.head(term) {
                if function == symbol {
                    return true;
                }
                let definition = self.terms.function(function).and_then(|info| info.definition.as_ref());
                next.extend(definition.map(|definition| definition.body));
                next.extend(self.equations.get(&function));
            }
            stack.extend(next.into_iter().filter(|term| seen.insert(*term)));
        }
        false
    }

    /// `select`, `store` or a constant array.
    pub(super) fn array_operator(
        &mut self,
        term: TermId,
        operator: Operator,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        let sort = self.terms.sort(term);
        match (operator, children) {
            (Operator::Select, &[array, index]) => match self.graph.kind(array) {
                Kind::Array(_) => {
                    let kind = self.kind_of_element(term, array)?;
                    Ok(self.graph.add(What::Apply(operator), children, kind))
                }
                _ => self.element(term, (array, vec![index]), sort),
            },
            (Operator::Store, &[array, index, element]) => {
                let kind = self.graph.kind(array);
                if let Kind::Array(sort) = kind {
                    self.check_stored(term, sort, element)?;
                }
                self.check_index(term, index)?;
                Ok(self.graph.add(What::Apply(operator), children, kind))
            }
            (Operator::ConstArray(_), &[element]) => {
                let kind = self.kind_of_sort(term, sort, None)?;
                if let Kind::Array(sort) = kind {
                    self.check_stored(term, sort, element)?;
                }
                Ok(self.graph.add(What::Apply(operator), children, kind))
            }
            _ => Err(self.refusal("an array with several indices", term)),
        }
    }

    /// The values of the elements of a small array.
    fn kind_of_element(&self, term: TermId, array: NodeId) -> Result<Kind, Refusal> {
        let Kind::Array(sort) = self.graph.kind(array) else {
            return Err(self.refusal("an array of this sort", term));
        };
        let Sort::Array(_, element) = *self.terms.sort_of(sort) else {
            return Err(self.refusal("an array of this sort", term));
        };
        self.kind_of_sort(term, element, None)
    }

    /// An element of a small array must be in the box that all elements have.
    fn check_stored(&self, term: TermId, sort: SortId, element: NodeId) -> Result<(), Refusal> {
        let Sort::Array(_, element_sort) = *self.terms.sort_of(sort) else { return Ok(()) };
        match (self.kind_of_sort(term, element_sort, None)?, self.graph.kind(element)) {
            (Kind::Number(held), Kind::Number(own))
                if held.denominator != own.denominator || own.low < held.low || own.high > held.high =>
            {
                Err(self.refusal("an array element outside the box of its sort", term))
            }
            _ => Ok(()),
        }
    }

    fn check_index(&self, term: TermId, index: NodeId) -> Result<(), Refusal> {
        match self.graph.kind(index) {
            Kind::Array(_) | Kind::Unsaid(_) => Err(self.refusal("an array as an index", term)),
            _ => Ok(()),
        }
    }

    /// The element of an array that is not said: reads go through stores, choices and constant arrays down to free
    /// variables. If the element is itself such an array, it is a node that stands for it.
    fn element(&mut self, term: TermId, wanted: Wanted, sort: SortId) -> Result<NodeId, Refusal> {
        for index in &wanted.1 {
            self.check_index(term, *index)?;
        }
        if let kind @ Kind::Unsaid(_) = self.kind_of_sort(term, sort, None)? {
            let children = [vec![wanted.0], wanted.1].concat();
            return Ok(self.graph.add(What::Apply(Operator::Select), &children, kind));
        }
        let mut known: HashMap<Wanted, NodeId> = HashMap::new();
        let mut stack = vec![wanted.clone()];
        while let Some(next) = stack.last().cloned() {
            if known.contains_key(&next) {
                stack.pop();
                continue;
            }
            if known.len() + stack.len() > super::lower::MOST_NODES {
                return Err(self.refusal("a read through very many stores", term));
            }
            let before = stack.len();
            let found = self.element_below(term, &next, sort, &known, &mut stack)?;
            if let Some(node) = found {
                known.insert(next, node);
                stack.truncate(before - 1);
            }
        }
        known.get(&wanted).copied().ok_or_else(|| self.refusal("a read of this array", term))
    }

    /// The element, or nothing if others must be found first, which are then on the stack.
    fn element_below(
        &mut self,
        term: TermId,
        wanted: &Wanted,
        sort: SortId,
        known: &HashMap<Wanted, NodeId>,
        stack: &mut Vec<Wanted>,
    ) -> Result<Option<NodeId>, Refusal> {
        let (array, indices) = wanted;
        let children = self.graph.children(*array).to_vec();
        let parts: Vec<Wanted> = match (self.graph.what(*array).clone(), children.as_slice()) {
            (What::Name(symbol), _) => return self.read(term, symbol, indices.clone(), sort).map(Some),
            (What::Call(symbol), arguments) => {
                let arguments = [arguments, indices].concat();
                return self.read(term, symbol, arguments, sort).map(Some);
            }
            (What::Apply(Operator::Select), [array, outer @ ..]) => vec![(*array, [outer, indices].concat())],
            (What::Apply(Operator::ConstArray(_)), [element]) => vec![(*element, rest(indices))],
            (What::Apply(Operator::Store), [array, _, element]) => {
                vec![(*array, indices.clone()), (*element, rest(indices))]
            }
            (What::Apply(Operator::Ite), [_, then, otherwise]) => {
                vec![(*then, indices.clone()), (*otherwise, indices.clone())]
            }
            _ => return Err(self.refusal("a read of this array", term)),
        };
        let mut found = Vec::new();
        for part in &parts {
            // A part without indices is itself the element.
            let node = if part.1.is_empty() { Some(part.0) } else { known.get(part).copied() };
            match node {
                Some(node) => found.push(node),
                None => stack.push(part.clone()),
            }
        }
        match (self.graph.what(*array).clone(), found.as_slice(), children.as_slice(), indices.first()) {
            (_, found, _, _) if found.len() < parts.len() => Ok(None),
            (What::Apply(Operator::Store), &[below, element], &[_, index, _], Some(wanted)) => {
                let same = self.equal(term, Operator::Equal, *wanted, index)?;
                self.chosen(term, same, element, below).map(Some)
            }
            (What::Apply(Operator::Ite), &[then, otherwise], &[condition, ..], _) => {
                self.chosen(term, condition, then, otherwise).map(Some)
            }
            (_, found, _, _) => Ok(found.first().copied()),
        }
    }

    fn chosen(
        &mut self,
        term: TermId,
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    ) -> Result<NodeId, Refusal> {
        match self.graph.kind(then) {
            Kind::Number(_) => self.number_ite(term, condition, then, otherwise),
            kind => Ok(self.choice(condition, then, otherwise, kind)),
        }
    }

    /// The node of an element of a free variable, which is an input of the program.
    pub(super) fn read(
        &mut self,
        term: TermId,
        symbol: SymbolId,
        arguments: Vec<NodeId>,
        sort: SortId,
    ) -> Result<NodeId, Refusal> {
        let kind = self.kind_of_sort(term, sort, Some(symbol))?;
        let key = (symbol, arguments);
        if let Some(number) = self.read_numbers.get(&key) {
            return Ok(self.graph.add(What::Read(*number), &[], kind));
        }
        let mut argument_terms = Vec::new();
        for argument in &key.1 {
            self.check_index(term, *argument)?;
            match self.origins.get(argument) {
                Some(origin) => argument_terms.push(*origin),
                None => {
                    return Err(self.refusal("a read whose index depends on a parameter of a function", term));
                }
            }
        }
        let c_type = self.c_type_of(term, sort)?;
        self.define_type(&c_type);
        let number = self.reads.len();
        let statements = self.read_statements(term, number, symbol, &key.1)?;
        self.reads.push(Read {
            symbol,
            arguments: argument_terms,
            sort,
            c_name: read_name(number),
            statements,
        });
        self.read_arguments.push(key.1.clone());
        self.read_numbers.insert(key, number);
        Ok(self.graph.add(What::Read(number), &[], kind))
    }

    /// The statements that compute the indices of a read, and compare them with those of earlier reads.
    fn read_statements(
        &mut self,
        term: TermId,
        number: usize,
        symbol: SymbolId,
        arguments: &[NodeId],
    ) -> Result<Vec<String>, Refusal> {
        let (mut statements, expressions) = self.write_all(arguments, term)?;
        for (place, (argument, expression)) in arguments.iter().zip(expressions).enumerate() {
            if !self.is_literal(*argument) {
                let c_type = self.storage(self.graph.kind(*argument), &expression);
                statements.push(format!(
                    "{} {} = {};",
                    c_type.name(),
                    index_name(number, place),
                    expression.text
                ));
            }
        }
        for earlier in 0..number {
            if self.reads[earlier].symbol != symbol {
                continue;
            }
            let others = self.read_arguments[earlier].clone();
            let Some(condition) = self.same_indices(term, (number, arguments), (earlier, &others))? else {
                continue;
            };
            let (locals, condition) = self.write_all(&[condition], term)?;
            statements.extend(locals);
            let condition: String = condition.into_iter().map(|expression| expression.text).collect();
            statements.push(format!("if ({condition}) {} = {};", read_name(number), read_name(earlier)));
        }
        Ok(statements)
    }

    /// Whether two reads are of one element, or nothing if they never are.
    fn same_indices(
        &mut self,
        term: TermId,
        one: (usize, &[NodeId]),
        other: (usize, &[NodeId]),
    ) -> Result<Option<NodeId>, Refusal> {
        let mut parts = Vec::new();
        for (place, (left, right)) in one.1.iter().zip(other.1).enumerate() {
            if left == right {
                continue;
            }
            if self.is_literal(*left)
                && self.is_literal(*right)
                && self.graph.kind(*left) == self.graph.kind(*right)
            {
                return Ok(None);
            }
            let (left, right) = (self.index(one.0, place, *left), self.index(other.0, place, *right));
            parts.push(self.equal(term, Operator::Equal, left, right)?);
        }
        Ok(Some(self.conjunction(&parts)))
    }

    /// The node of an index that a local holds, unless it is a literal.
    fn index(&mut self, read: usize, place: usize, node: NodeId) -> NodeId {
        if self.is_literal(node) {
            return node;
        }
        self.graph.add(What::Index(read, place), &[], self.graph.kind(node))
    }

    fn is_literal(&self, node: NodeId) -> bool {
        matches!(
            self.graph.what(node),
            What::Vector(_) | What::Number(_) | What::Apply(Operator::True | Operator::False)
        )
    }
}

fn rest(indices: &[NodeId]) -> Vec<NodeId> {
    indices.get(1..).unwrap_or_default().to_vec()
}

/// The variable of a read.
pub(super) fn read_name(number: usize) -> String {
    format!("read_{number}")
}

/// The local that holds an index of a read.
pub(super) fn index_name(number: usize, place: usize) -> String {
    format!("index_{number}_{place}")
}
