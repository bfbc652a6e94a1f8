//! Nodes to C: children before parents, and what is shared, nested or needed twice in locals.

use super::form::{Form, Source, Way};
use super::graph::{Kind, NodeId, What};
use super::lower::MOST_NODES;
use super::lower_arrays::{index_name, read_name};
use super::machine::{CType, limb_count};
use super::template::Expression;
use super::template::Template::{self, Fits};
use super::{AsC, Refusal, Snippet, Wide, arrays, limbs, numbers, vectors};
use smt::{Operator, TermId};
use std::collections::BTreeMap;

/// Expressions are at most this many operators deep: compilers limit how deep parentheses nest.
const DEEPEST: u32 = 8;

/// Snippets with more bytes than this are refused.
const LONGEST: usize = 1 << 20;

/// How a node is written, and what is known of its use.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// The ways to write it, and the one that was drawn.
    form: Option<Form>,
    way: Way,
    uses: u32,
    /// An operator names it more than once.
    is_repeated: bool,
    /// How many operators deep its expression is.
    depth: u32,
    expression: Option<Expression>,
}

const CHOICE: &[Template] = &[Fits("{x} ? {y} : {z}")];

impl AsC<'_> {
    /// The snippet of a node.
    pub(super) fn write(&mut self, node: NodeId, term: TermId) -> Result<Snippet, Refusal> {
        let (statements, expressions) = self.write_all(&[node], term)?;
        let Some(expression) = expressions.into_iter().next() else {
            return Err(self.refusal("a term of this kind", term));
        };
        let c_type = self.storage(self.graph.kind(node), &expression);
        let is_scalar = matches!(c_type, CType::Unsigned(_));
        let expression = if is_scalar && c_type != expression.c_type {
            expression.operand(&c_type)
        } else {
            expression.text
        };
        Ok(Snippet { statements, expression })
    }

    /// Expressions of some nodes, and the statements that must run first.
    pub(super) fn write_all(
        &mut self,
        roots: &[NodeId],
        term: TermId,
    ) -> Result<(Vec<String>, Vec<Expression>), Refusal> {
        let mut plans = self.plans(roots, term)?;
        let order: Vec<NodeId> = plans.keys().copied().collect();
        for node in order.iter().rev() {
            self.plan(*node, &mut plans);
        }
        let mut statements = Vec::new();
        let mut length = 0;
        for node in order {
            let before = statements.len();
            self.write_node(node, &mut plans, &mut statements);
            length += statements.iter().skip(before).map(String::len).sum::<usize>();
            let own = plans.get(&node).and_then(|plan| plan.expression.as_ref());
            if length + own.map_or(0, |expression| expression.text.len()) > LONGEST {
                return Err(self.refusal(format!("a term of more than {LONGEST} bytes of C"), term));
            }
        }
        let expressions =
            roots.iter().filter_map(|root| plans.get(root).and_then(|plan| plan.expression.clone()));
        let expressions: Vec<Expression> = expressions.collect();
        Ok((statements, expressions))
    }

    /// All nodes below some roots with the number of their uses.
    fn plans(&self, roots: &[NodeId], term: TermId) -> Result<BTreeMap<NodeId, Plan>, Refusal> {
        let mut plans: BTreeMap<NodeId, Plan> = BTreeMap::new();
        let mut stack = roots.to_vec();
        while let Some(node) = stack.pop() {
            if let Kind::Unsaid(_) = self.graph.kind(node) {
                return Err(self.refusal("an array with more than 64 elements as a value", term));
            }
            let is_new = !plans.contains_key(&node);
            plans.entry(node).or_default().uses += 1;
            if is_new {
                stack.extend_from_slice(self.graph.children(node));
            }
            if plans.len() > MOST_NODES {
                return Err(self.refusal(format!("a term of more than {MOST_NODES} nodes"), term));
            }
        }
        Ok(plans)
    }

    /// Chooses how a node is written, and marks the operands that it names more than once.
    fn plan(&mut self, node: NodeId, plans: &mut BTreeMap<NodeId, Plan>) {
        let children = self.graph.children(node).to_vec();
        if self.is_indexing(node) {
            mark_repeated(plans, children.first());
        }
        let Some(form) = self.form(node) else { return };
        let way = self.draw(&form);
        for (place, child) in children.iter().enumerate() {
            if form.needs_atom(way, place) {
                mark_repeated(plans, Some(child));
            }
        }
        if let Some(plan) = plans.get_mut(&node) {
            plan.way = way;
            plan.form = Some(form);
        }
    }

    fn draw(&mut self, form: &Form) -> Way {
        let wants_signed = self.random.percent(self.spelling.casts as usize);
        let has = |wanted: bool| {
            form.templates.iter().any(|template| matches!(template, Template::Signed(_)) == wanted)
        };
        let is_signed = (wants_signed && has(true)) || !has(false);
        let places: Vec<usize> = form
            .templates
            .iter()
            .enumerate()
            .filter(|(_, template)| matches!(template, Template::Signed(_)) == is_signed)
            .map(|(place, _)| place)
            .collect();
        let template = self.random.choose(&places).copied().unwrap_or(0);
        Way {
            template,
            by_cast: form.can_cast(template) && self.random.percent(self.spelling.casts as usize),
            is_call: form.is_general
                && form.repeats(template)
                && self.random.percent(self.spelling.functions as usize),
            cut_by_cast: self.random.coin(),
        }
    }

    /// Whether a node reads an element of a C array, which only a variable has.
    fn is_indexing(&self, node: NodeId) -> bool {
        matches!(self.graph.what(node), What::Apply(Operator::Select))
    }

    /// The ways to write a node, unless it is a leaf or an operation on structs.
    pub(super) fn form(&self, node: NodeId) -> Option<Form> {
        let what = self.graph.what(node);
        let kind = self.graph.kind(node);
        let kinds: Vec<Kind> =
            self.graph.children(node).iter().map(|child| self.graph.kind(*child)).collect();
        let wide = self.spelling.wide;
        let is_number = |kind: &Kind| matches!(kind, Kind::Number(_));
        match what {
            What::Times(_) => Some(numbers::form(what, &kinds, kind, wide)),
            What::Apply(Operator::Select | Operator::Store | Operator::ConstArray(_)) => None,
            What::Apply(Operator::Ite) if self.is_struct(kind) => Some(self.struct_choice(kind)),
            What::Apply(_) if kinds.iter().any(|kind| self.is_struct(*kind)) || self.is_struct(kind) => None,
            What::Apply(_) if is_number(&kind) || kinds.iter().any(is_number) => {
                Some(numbers::form(what, &kinds, kind, wide))
            }
            What::Apply(operator) => {
                let mut children = self.graph.children(node).iter();
                let literals = [(); 2].map(|()| children.next().and_then(|child| self.literal_value(*child)));
                Some(vectors::form(*operator, &kinds, kind, literals, wide))
            }
            _ => None,
        }
    }

    /// The value of a literal of at most 128 bits.
    fn literal_value(&self, node: NodeId) -> Option<u128> {
        match self.graph.what(node) {
            What::Vector(limbs) if limbs.len() <= 4 => {
                Some(limbs.iter().rev().fold(0, |value, limb| value << 32 | u128::from(*limb)))
            }
            _ => None,
        }
    }

    fn struct_choice(&self, kind: Kind) -> Form {
        let c_type = self.struct_type(kind);
        let own = (c_type.clone(), c_type.clone());
        Form {
            source: Source::Choice,
            is_general: false,
            templates: CHOICE,
            operands: vec![(CType::INT, CType::INT), own.clone(), own.clone()],
            locals: own,
            has_signed_type: false,
            result: c_type.clone(),
            mask: None,
            returned: c_type,
            is_exact: false,
        }
    }

    fn write_node(&mut self, node: NodeId, plans: &mut BTreeMap<NodeId, Plan>, statements: &mut Vec<String>) {
        let Some(plan) = plans.get_mut(&node) else { return };
        let (form, way) = (plan.form.take(), plan.way);
        let (uses, is_repeated) = (plan.uses, plan.is_repeated);
        let children = self.graph.children(node).to_vec();
        let of_children = children.iter().filter_map(|child| plans.get(child));
        let depth = 1 + of_children.clone().map(|child| child.depth).max().unwrap_or(0);
        let operands: Vec<Expression> = of_children.filter_map(|child| child.expression.clone()).collect();
        let mut expression = match form {
            Some(form) => self.write_form(&form, way, &operands, statements),
            None if children.is_empty() => self.leaf(node),
            None => self.struct_operation(node, &children, &operands),
        };
        let is_local = !children.is_empty() && (uses > 1 || is_repeated || depth >= DEEPEST);
        if is_local {
            let c_type = self.storage(self.graph.kind(node), &expression);
            let name = self.local();
            statements.push(format!("{} {name} = {};", c_type.name(), expression.text));
            expression = Expression::primary(name, c_type);
        }
        if let Some(plan) = plans.get_mut(&node) {
            plan.depth = if is_local || children.is_empty() { 0 } else { depth };
            plan.expression = Some(expression);
        }
    }

    fn write_form(
        &mut self,
        form: &Form,
        way: Way,
        operands: &[Expression],
        statements: &mut Vec<String>,
    ) -> Expression {
        if way.is_call {
            let name = form.function_name(way);
            self.define(&name, || form.function(way));
            return call(&name, operands, form.returned.clone());
        }
        let mut next = self.next_local;
        let expression = form.write(way, operands, |c_type, value| {
            let name = format!("t{next}");
            next += 1;
            statements.push(format!("{} {name} = {value};", c_type.name()));
            name
        });
        self.next_local = next;
        expression
    }

    fn local(&mut self) -> String {
        self.next_local += 1;
        format!("t{}", self.next_local - 1)
    }

    /// The type of a variable that holds the value of a node.
    pub(super) fn storage(&self, kind: Kind, expression: &Expression) -> CType {
        match kind {
            Kind::Truth => CType::INT,
            Kind::Vector(width) => CType::storage(width, self.spelling.wide),
            Kind::Element => CType::Unsigned(32),
            Kind::Number(_) | Kind::Array(_) | Kind::Unsaid(_) => expression.c_type.clone(),
        }
    }

    /// The type of values that are structs.
    fn struct_type(&self, kind: Kind) -> CType {
        match kind {
            Kind::Vector(width) => CType::storage(width, self.spelling.wide),
            Kind::Array(sort) | Kind::Unsaid(sort) => {
                super::machine::type_of_sort(self.terms, sort, self.spelling.wide).unwrap_or(CType::INT)
            }
            _ => CType::INT,
        }
    }

    /// A literal, a variable or an input.
    fn leaf(&mut self, node: NodeId) -> Expression {
        let kind = self.graph.kind(node);
        match self.graph.what(node).clone() {
            What::Vector(limbs) => self.vector_literal(&limbs, kind.width()),
            What::Number(value) => {
                let c_type = numbers::type_holding(value, value).unwrap_or(CType::Signed(64));
                let is_primary = value >= 0 || numbers::number(value).starts_with('(');
                Expression { text: numbers::number(value), c_type, is_primary }
            }
            What::Name(symbol) => {
                let name = self.names.get(&symbol).cloned().unwrap_or_default();
                Expression::primary(name, self.type_of_variable(kind))
            }
            What::Read(number) => Expression::primary(read_name(number), self.type_of_variable(kind)),
            What::Index(read, place) => {
                Expression::primary(index_name(read, place), self.type_of_index(kind))
            }
            _ => Expression::primary("0", CType::INT),
        }
    }

    fn type_of_variable(&self, kind: Kind) -> CType {
        match kind {
            Kind::Truth | Kind::Number(_) => CType::INT,
            Kind::Element => CType::Unsigned(32),
            kind => self.struct_type(kind),
        }
    }

    /// An index of sort Int may be wider than any variable; a cast to a type that holds it is never wrong.
    fn type_of_index(&self, kind: Kind) -> CType {
        match kind {
            Kind::Number(interval) => {
                numbers::type_holding(interval.low, interval.high).unwrap_or(CType::Signed(64))
            }
            kind => self.type_of_variable(kind),
        }
    }

    fn vector_literal(&mut self, limbs: &[u32], width: u32) -> Expression {
        let c_type = CType::working(width, self.spelling.wide);
        let limb = |place: usize| limbs.get(place).copied().unwrap_or(0);
        if let CType::Limbs(_) = c_type {
            self.define_type(&c_type);
            let texts: Vec<String> =
                (0..limb_count(width) as usize).map(|place| format!("{}U", limb(place))).collect();
            return Expression::primary(format!("({}){{{{{}}}}}", c_type.name(), texts.join(", ")), c_type);
        }
        let value = (0..4).fold(0u128, |value, place| value | u128::from(limb(place)) << (32 * place));
        if width <= 64 && self.random.coin() {
            let suffix = if width <= 32 { "U" } else { "ULL" };
            return Expression::primary(format!("{value:#x}{suffix}"), c_type);
        }
        let text = vectors::constant(value, &c_type);
        let is_primary = !text.starts_with("(unsigned __int128)");
        Expression { text, c_type, is_primary }
    }

    /// An operation on structs, as a call of a helper function or an index.
    fn struct_operation(&mut self, node: NodeId, children: &[NodeId], operands: &[Expression]) -> Expression {
        let kind = self.graph.kind(node);
        let kinds: Vec<Kind> = children.iter().map(|child| self.graph.kind(*child)).collect();
        let What::Apply(operator) = *self.graph.what(node) else {
            return Expression::primary("0", CType::INT);
        };
        let array =
            [Some(&kind), kinds.first()].into_iter().flatten().find(|kind| matches!(kind, Kind::Array(_)));
        match array {
            Some(array) => self.array_operation(operator, self.struct_type(*array), operands),
            None => self.limbs_operation(operator, &kinds, kind, operands),
        }
    }

    fn array_operation(&mut self, operator: Operator, array: CType, operands: &[Expression]) -> Expression {
        self.define_type(&array);
        let CType::Array { length, element, .. } = array.clone() else {
            return Expression::primary("0", CType::INT);
        };
        match (operator, operands) {
            (Operator::Select, [from, index]) => {
                Expression::primary(format!("{}.at[{}]", from.text, index.text), *element)
            }
            (Operator::Store, _) => {
                let name = arrays::function_name("store", &array);
                self.define(&name, || arrays::store(&array, &element));
                call(&name, operands, array)
            }
            (Operator::Equal, _) => {
                if let CType::Limbs(width) = *element {
                    let (name, text) = limbs::function(Operator::Equal, &[width, width], 0);
                    self.define(&name, || text);
                }
                let name = arrays::function_name("equal", &array);
                self.define(&name, || arrays::equal(&array, length, &element));
                call(&name, operands, CType::INT)
            }
            _ => {
                let name = arrays::function_name("fill", &array);
                self.define(&name, || arrays::fill(&array, length, &element));
                call(&name, operands, array)
            }
        }
    }

    fn limbs_operation(
        &mut self,
        operator: Operator,
        kinds: &[Kind],
        kind: Kind,
        operands: &[Expression],
    ) -> Expression {
        let widths: Vec<u32> = kinds.iter().map(|kind| kind.width()).collect();
        for width in widths.iter().copied().chain([kind.width()]) {
            if width > 64 {
                self.define_type(&CType::Limbs(width));
            }
        }
        let (name, text) = limbs::function(operator, &widths, kind.width());
        self.define(&name, || text);
        let returned = match kind {
            Kind::Vector(width) => CType::storage(width, Wide::Limbs),
            _ => CType::INT,
        };
        call(&name, operands, returned)
    }
}

fn mark_repeated(plans: &mut BTreeMap<NodeId, Plan>, node: Option<&NodeId>) {
    if let Some(plan) = node.and_then(|node| plans.get_mut(node)) {
        plan.is_repeated = true;
    }
}

/// A call. Arguments are converted to the types of the parameters, which hold them.
fn call(name: &str, operands: &[Expression], returned: CType) -> Expression {
    let texts: Vec<&str> = operands.iter().map(|operand| operand.text.as_str()).collect();
    Expression::primary(format!("{name}({})", texts.join(", ")), returned)
}
