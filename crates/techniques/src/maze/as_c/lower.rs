//! Terms to nodes: functions are expanded, and chains of operators become pairs.

use super::graph::{Interval, Kind, NodeId, What};
use super::{AsC, NumberBox, Refusal, USUAL_BOX, machine};
use smt::{Head, Operator, Sort, SortId, SymbolId, TermId};
use std::collections::BTreeMap;

/// Terms with more nodes than this are refused: analyzers would not answer.
pub(super) const MOST_NODES: usize = 20_000;

/// The environment of closed terms.
const CLOSED: u32 = 0;

impl AsC<'_> {
    /// The node of a closed term.
    pub(super) fn lower(&mut self, root: TermId) -> Result<NodeId, Refusal> {
        let (first_nodes, first_terms) = (self.graph.len(), self.nodes.len());
        let mut stack = vec![(root, CLOSED)];
        while let Some(&(term, environment)) = stack.last() {
            if self.nodes.contains_key(&(term, environment)) {
                stack.pop();
                continue;
            }
            let is_large = self.graph.len() - first_nodes > MOST_NODES || stack.len() > 2 * MOST_NODES;
            if is_large || self.nodes.len() - first_terms > MOST_NODES {
                return Err(self.refusal(format!("a term of more than {MOST_NODES} nodes"), root));
            }
            let waiting = stack.len();
            if let Some(node) = self.lowered(term, environment, &mut stack)? {
                self.nodes.insert((term, environment), node);
                if environment == CLOSED {
                    self.origins.entry(node).or_insert(term);
                }
                stack.truncate(waiting - 1);
            }
        }
        self.nodes.get(&(root, CLOSED)).copied().ok_or_else(|| self.refusal("an open term", root))
    }

    /// The node of a term, or nothing if others must be lowered first, which are then on the stack.
    fn lowered(
        &mut self,
        term: TermId,
        environment: u32,
        stack: &mut Vec<(TermId, u32)>,
    ) -> Result<Option<NodeId>, Refusal> {
        let terms = self.terms;
        let head = terms.head(term);
        self.check_head(term, head)?;
        let children = match head {
            // The other children of an annotation are patterns.
            Head::Annotated(_) => &terms.children(term)[..1.min(terms.children(term).len())],
            _ => terms.children(term),
        };
        if children.len() > MOST_NODES {
            return Err(self.refusal(format!("an operator with more than {MOST_NODES} operands"), term));
        }
        let Some(nodes) = self.all_known(children, environment, stack) else { return Ok(None) };
        match head {
            Head::Annotated(_) => Ok(nodes.first().copied()),
            Head::Bound(symbol) => match self.environments[environment as usize].get(&symbol) {
                Some(value) => Ok(Some(*value)),
                None => Err(self.refusal("a bound variable", term)),
            },
            Head::Function(symbol) => self.function(term, symbol, &nodes, stack),
            _ => self.literal_or_operator(term, head, &nodes).map(Some),
        }
    }

    /// The nodes of terms, or nothing if some must be lowered first, which are then on the stack.
    fn all_known(
        &self,
        terms: &[TermId],
        environment: u32,
        stack: &mut Vec<(TermId, u32)>,
    ) -> Option<Vec<NodeId>> {
        let mut nodes = Vec::with_capacity(terms.len());
        let waiting = stack.len();
        for term in terms {
            let own = if self.terms.is_closed(*term) { CLOSED } else { environment };
            match self.nodes.get(&(*term, own)) {
                Some(node) => nodes.push(*node),
                None => stack.push((*term, own)),
            }
        }
        (stack.len() == waiting).then_some(nodes)
    }

    /// Refuses what has no meaning in C.
    fn check_head(&self, term: TermId, head: Head) -> Result<(), Refusal> {
        let construct = match head {
            Head::StringLiteral(_) => "a string".to_owned(),
            Head::Quantifier { quantifier, .. } => {
                format!("the binder `{}`", format!("{quantifier:?}").to_lowercase())
            }
            Head::Match(_) => "`match`".to_owned(),
            Head::Opaque(symbol) => format!("the operator `{}`", self.terms.symbol(symbol)),
            _ => return Ok(()),
        };
        Err(self.refusal(construct, term))
    }

    fn literal_or_operator(
        &mut self,
        term: TermId,
        head: Head,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        match head {
            Head::Operator(operator) => self.operator(term, operator, children),
            Head::Numeral { value, .. } => {
                let value = i128::try_from(self.terms.integer_value(value)).ok();
                self.number(term, value, Some(1))
            }
            Head::Decimal(decimal) => {
                let value = &self.terms.decimal_value(decimal).value;
                let (numerator, denominator) =
                    (i128::try_from(value.numer()).ok(), i128::try_from(value.denom()).ok());
                self.number(term, numerator, denominator)
            }
            Head::BitVec { width, value } => {
                self.checked_width(term, width)?;
                let limbs = self.terms.integer_value(value).magnitude().to_u32_digits();
                Ok(self.graph.add(What::Vector(limbs), &[], Kind::Vector(width)))
            }
            _ => Err(self.refusal("a term of this kind", term)),
        }
    }

    /// A function applied: its definition, an input, or an element of its table.
    fn function(
        &mut self,
        term: TermId,
        symbol: SymbolId,
        arguments: &[NodeId],
        stack: &mut Vec<(TermId, u32)>,
    ) -> Result<Option<NodeId>, Refusal> {
        let terms = self.terms;
        let info = terms.function(symbol);
        if let Some(&equal) = self.equations.get(&symbol) {
            return Ok(self.elsewhere(equal, CLOSED, stack));
        }
        if let Some(definition) = info.and_then(|info| info.definition.as_ref()) {
            if info.is_some_and(|info| info.recursive) || definition.variables.len() != arguments.len() {
                return Err(self.refusal("a recursive function", term));
            }
            let environment = self.environment(symbol, &definition.variables, arguments);
            return Ok(self.elsewhere(definition.body, environment, stack));
        }
        let kind = self.kind_of_sort(term, terms.sort(term), Some(symbol))?;
        if let (Kind::Unsaid(_), false) = (kind, arguments.is_empty()) {
            return Ok(Some(self.graph.add(What::Call(symbol), arguments, kind)));
        }
        if !arguments.is_empty() {
            return self.read(term, symbol, arguments.to_vec(), terms.sort(term)).map(Some);
        }
        if !matches!(kind, Kind::Unsaid(_)) && !self.names.contains_key(&symbol) {
            return Err(self.refusal("a variable without a name in C", term));
        }
        Ok(Some(self.graph.add(What::Name(symbol), &[], kind)))
    }

    /// The node of another term that means the same, or nothing if it must be lowered first.
    fn elsewhere(&self, other: TermId, environment: u32, stack: &mut Vec<(TermId, u32)>) -> Option<NodeId> {
        let environment = if self.terms.is_closed(other) { CLOSED } else { environment };
        let known = self.nodes.get(&(other, environment)).copied();
        if known.is_none() {
            stack.push((other, environment));
        }
        known
    }

    fn environment(&mut self, symbol: SymbolId, variables: &[SymbolId], arguments: &[NodeId]) -> u32 {
        let key = (symbol, arguments.to_vec());
        if let Some(known) = self.environment_numbers.get(&key) {
            return *known;
        }
        let number = self.environments.len() as u32;
        let values: BTreeMap<SymbolId, NodeId> =
            variables.iter().copied().zip(arguments.iter().copied()).collect();
        self.environments.push(values);
        self.environment_numbers.insert(key, number);
        number
    }

    /// The values of a sort; those of a number are in the box of the variable.
    pub(super) fn kind_of_sort(
        &self,
        term: TermId,
        sort: SortId,
        symbol: Option<SymbolId>,
    ) -> Result<Kind, Refusal> {
        let number_box = symbol.and_then(|symbol| self.boxes.get(&symbol)).copied().unwrap_or(USUAL_BOX);
        match self.terms.sort_of(sort) {
            Sort::Bool => Ok(Kind::Truth),
            Sort::Int => Ok(Kind::Number(interval(NumberBox { denominator: 1, ..number_box }))),
            Sort::Real => Ok(Kind::Number(interval(number_box))),
            Sort::BitVec(width) => self.checked_width(term, *width).map(|()| Kind::Vector(*width)),
            Sort::Declared { .. } => Ok(Kind::Element),
            Sort::Array(_, _) if machine::is_small_array(self.terms, sort) => {
                self.c_type_of(term, sort).map(|_| Kind::Array(sort))
            }
            Sort::Array(_, _) => Ok(Kind::Unsaid(sort)),
            Sort::Opaque(_) => {
                Err(self.refusal(format!("the sort {}", smt::print::sort(self.terms, sort)), term))
            }
        }
    }

    pub(super) fn c_type_of(&self, term: TermId, sort: SortId) -> Result<machine::CType, Refusal> {
        machine::type_of_sort(self.terms, sort, self.spelling.wide)
            .map_err(|construct| self.refusal(construct, term))
    }

    pub(super) fn checked_width(&self, term: TermId, width: u32) -> Result<(), Refusal> {
        machine::check_width(width, self.spelling.wide).map_err(|construct| self.refusal(construct, term))
    }

    fn operator(&mut self, term: TermId, operator: Operator, children: &[NodeId]) -> Result<NodeId, Refusal> {
        use Operator as O;
        match operator {
            O::True | O::False | O::Not => Ok(self.truth(operator, children)),
            O::And | O::Or | O::Xor => self.folded(term, operator, children),
            O::Implies => {
                let Some((last, others)) = children.split_last() else {
                    return Err(self.refusal("an operator without operands", term));
                };
                Ok(others.iter().rev().fold(*last, |rest, first| self.truth(O::Implies, &[*first, rest])))
            }
            O::Equal | O::Distinct => self.equality(term, operator, children),
            O::Ite => self.ite(term, children),
            O::Select | O::Store | O::ConstArray(_) => self.array_operator(term, operator, children),
            O::Add
            | O::Subtract
            | O::Negate
            | O::Multiply
            | O::Divide
            | O::IntDiv
            | O::Mod
            | O::Abs
            | O::LessEqual
            | O::Less
            | O::GreaterEqual
            | O::Greater
            | O::ToReal
            | O::ToInt
            | O::IsInt
            | O::Divisible(_) => self.arithmetic(term, operator, children),
            O::Bv2Nat | O::Bv2Int | O::UbvToInt | O::SbvToInt => {
                self.number_of_vector(term, operator, children)
            }
            O::Int2Bv(width) | O::Nat2Bv(width) | O::IntToBv(width) => {
                self.vector_of_number(term, operator, width, children)
            }
            _ => self.vector_operator(term, operator, children),
        }
    }

    /// A node whose value is a truth value.
    pub(super) fn truth(&mut self, operator: Operator, children: &[NodeId]) -> NodeId {
        self.graph.add(What::Apply(operator), children, Kind::Truth)
    }

    /// A chain of an associative operator on truth values.
    fn folded(&mut self, term: TermId, operator: Operator, children: &[NodeId]) -> Result<NodeId, Refusal> {
        let Some((first, rest)) = children.split_first() else {
            return Err(self.refusal("an operator without operands", term));
        };
        Ok(rest.iter().fold(*first, |left, right| self.truth(operator, &[left, *right])))
    }

    /// A conjunction, `true` if it is empty.
    pub(super) fn conjunction(&mut self, parts: &[NodeId]) -> NodeId {
        match parts.split_first() {
            None => self.truth(Operator::True, &[]),
            Some((first, rest)) => {
                rest.iter().fold(*first, |left, right| self.truth(Operator::And, &[left, *right]))
            }
        }
    }

    /// `=` holds between neighbours, `distinct` between all pairs.
    fn equality(&mut self, term: TermId, operator: Operator, children: &[NodeId]) -> Result<NodeId, Refusal> {
        let mut parts = Vec::new();
        for (place, left) in children.iter().enumerate() {
            let others = match operator {
                Operator::Equal => children.get(place + 1..(place + 2).min(children.len())),
                _ => children.get(place + 1..),
            };
            for right in others.unwrap_or_default() {
                parts.push(self.equal(term, operator, *left, *right)?);
            }
            if parts.len() > MOST_NODES {
                return Err(self.refusal(format!("`distinct` with {} operands", children.len()), term));
            }
        }
        Ok(self.conjunction(&parts))
    }

    /// `=` or `distinct` of two nodes.
    pub(super) fn equal(
        &mut self,
        term: TermId,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Result<NodeId, Refusal> {
        match (self.graph.kind(left), self.graph.kind(right)) {
            (Kind::Unsaid(_), _) => {
                Err(self.refusal("an equality of arrays with more than 64 elements, or of arrays", term))
            }
            (Kind::Number(_), Kind::Number(_)) => {
                let (left, right) = self.same_denominators(term, left, right)?;
                self.compared(term, operator, left, right)
            }
            (kind, _) if self.is_struct(kind) => {
                let equal = self.truth(Operator::Equal, &[left, right]);
                let is_negated = operator == Operator::Distinct;
                Ok(if is_negated { self.truth(Operator::Not, &[equal]) } else { equal })
            }
            _ => Ok(self.truth(operator, &[left, right])),
        }
    }

    fn ite(&mut self, term: TermId, children: &[NodeId]) -> Result<NodeId, Refusal> {
        let &[condition, then, otherwise] = children else {
            return Err(self.refusal("`ite` without three operands", term));
        };
        match (self.graph.kind(then), self.graph.kind(otherwise)) {
            (Kind::Number(_), Kind::Number(_)) => self.number_ite(term, condition, then, otherwise),
            (kind, _) => Ok(self.choice(condition, then, otherwise, kind)),
        }
    }

    /// `ite` of two nodes with values of one kind.
    pub(super) fn choice(
        &mut self,
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
        kind: Kind,
    ) -> NodeId {
        self.graph.add(What::Apply(Operator::Ite), &[condition, then, otherwise], kind)
    }
}

fn interval(number_box: NumberBox) -> Interval {
    Interval {
        low: number_box.low.min(number_box.high).into(),
        high: number_box.high.max(number_box.low).into(),
        denominator: number_box.denominator.into(),
    }
}
