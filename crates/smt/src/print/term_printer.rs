//! Prints terms: a shared graph becomes text with `let`, never an exponentially larger tree.

use crate::print::{write_sort, write_sorted_variables, write_symbol};
use crate::term::head::{AttributeListId, AttributeValue, Head, MatchId, Quantifier};
use crate::term::operator::Operator;
use crate::term::symbol::{SymbolId, SymbolListId};
use crate::term::{TermId, Terms};
use std::fmt::Write;

/// Prints terms of one store, and keeps its working memory between terms.
///
/// A sub-term that occurs more than once is bound by a `let` at the root of its region: the term that is printed, or
/// the body of the innermost binder whose variables it needs. The text depends only on the structure of the term, so
/// parsing it and printing it again gives the same text.
pub struct Printer<'a> {
    terms: &'a Terms,
    let_prefix: String,
    /// For each term the last region that visited it, and how often.
    regions: Vec<u32>,
    counts: Vec<u32>,
    /// For each term how many nested lets its sub-terms need.
    levels: Vec<u32>,
    /// For each term the number of the let variable that currently represents it; 0 if there is none.
    let_numbers: Vec<u32>,
    /// For each symbol how many open binders bind it.
    scope: Vec<u32>,
    region: u32,
    last_let: u32,
    tasks: Vec<Task>,
}

/// Pending output; the last task comes first.
enum Task {
    Text(&'static str),
    /// A term, or the let variable that represents it.
    Term(TermId),
    /// A term even if a let variable represents it.
    Structure(TermId),
    /// The children of a term from a position on, and its closing parenthesis.
    Children {
        term: TermId,
        next: usize,
    },
    /// A term with its own lets, inside a binder of these variables if there is one.
    Region {
        root: TermId,
        variables: Option<SymbolListId>,
    },
    /// The end of a region.
    EndRegion {
        shared: Vec<TermId>,
        entered: Vec<SymbolId>,
        lets: u32,
    },
    /// `(v `, the start of a binding.
    Binding(u32),
    /// The keyword of an attribute, and its value unless that is a term.
    Attribute {
        list: AttributeListId,
        position: usize,
    },
    /// The pattern of a case of a match.
    Pattern {
        cases: MatchId,
        position: usize,
    },
}

impl<'a> Printer<'a> {
    /// A printer for the terms of this store.
    pub fn new(terms: &'a Terms) -> Printer<'a> {
        let count = terms.len();
        Printer {
            terms,
            let_prefix: unused_prefix(terms),
            regions: vec![0; count],
            counts: vec![0; count],
            levels: vec![0; count],
            let_numbers: vec![0; count],
            scope: vec![0; terms.symbol_count()],
            region: 0,
            last_let: 0,
            tasks: Vec::new(),
        }
    }

    /// The store whose terms are printed.
    pub fn terms(&self) -> &'a Terms {
        self.terms
    }

    /// The text of a term.
    pub fn term(&mut self, term: TermId) -> String {
        let mut out = String::new();
        self.write_term(term, &mut out);
        out
    }

    /// Appends the text of a term.
    pub fn write_term(&mut self, term: TermId, out: &mut String) {
        self.last_let = 0;
        self.tasks.push(Task::Region { root: term, variables: None });
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Text(text) => out.push_str(text),
                Task::Term(term) => self.write_shared(term, out),
                Task::Structure(term) => self.write_structure(term, out),
                Task::Children { term, next } => self.write_children(term, next, out),
                Task::Region { root, variables } => self.start_region(root, variables, out),
                Task::EndRegion { shared, entered, lets } => self.end_region(&shared, &entered, lets, out),
                Task::Binding(number) => {
                    out.push('(');
                    self.write_let_name(number, out);
                    out.push(' ');
                }
                Task::Attribute { list, position } => self.write_attribute(list, position, out),
                Task::Pattern { cases, position } => self.write_pattern(cases, position, out),
            }
        }
    }

    fn write_let_name(&self, number: u32, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}{number}", self.let_prefix);
    }

    fn write_shared(&mut self, term: TermId, out: &mut String) {
        match self.let_numbers[term.index()] {
            0 => self.write_structure(term, out),
            number => self.write_let_name(number, out),
        }
    }

    fn write_structure(&mut self, term: TermId, out: &mut String) {
        let terms = self.terms;
        let children = terms.children(term);
        match terms.head(term) {
            Head::Quantifier { quantifier, variables } => {
                out.push_str(match quantifier {
                    Quantifier::Forall => "(forall ",
                    Quantifier::Exists => "(exists ",
                    Quantifier::Lambda => "(lambda ",
                    Quantifier::Choice => "(choice ",
                });
                write_sorted_variables(terms, terms.symbol_list(variables), out);
                out.push(' ');
                self.tasks.push(Task::Text(")"));
                let regions =
                    children.iter().map(|body| Task::Region { root: *body, variables: Some(variables) });
                self.tasks.extend(regions);
            }
            Head::Match(cases) => self.write_match(cases, children, out),
            Head::Annotated(list) => {
                out.push_str("(! ");
                self.push_attributes(list, children, Task::Term);
                self.tasks.extend(children.first().map(|subject| Task::Term(*subject)));
            }
            head if children.is_empty() => write_head(terms, head, out),
            head => {
                out.push('(');
                write_head(terms, head, out);
                self.tasks.push(Task::Children { term, next: 0 });
            }
        }
    }

    fn write_children(&mut self, term: TermId, mut next: usize, out: &mut String) {
        let terms = self.terms;
        while let Some(child) = terms.children(term).get(next).copied() {
            out.push(' ');
            next += 1;
            match self.let_numbers[child.index()] {
                0 if terms.children(child).is_empty() => write_head(terms, terms.head(child), out),
                0 => {
                    self.tasks.push(Task::Children { term, next });
                    self.tasks.push(Task::Structure(child));
                    return;
                }
                number => self.write_let_name(number, out),
            }
        }
        out.push(')');
    }

    fn write_match(&mut self, cases: MatchId, children: &[TermId], out: &mut String) {
        out.push_str("(match ");
        self.tasks.push(Task::Text("))"));
        for (position, body) in children.iter().skip(1).enumerate().rev() {
            let case = self.terms.match_cases(cases).get(position);
            let variables = case.map_or(SymbolListId::EMPTY, |case| case.variables);
            self.tasks.push(Task::Text(")"));
            self.tasks.push(Task::Region { root: *body, variables: Some(variables) });
            self.tasks.push(Task::Pattern { cases, position });
            if position > 0 {
                self.tasks.push(Task::Text(" "));
            }
        }
        self.tasks.push(Task::Text(" ("));
        self.tasks.extend(children.first().map(|scrutinee| Task::Term(*scrutinee)));
    }

    fn write_pattern(&self, cases: MatchId, position: usize, out: &mut String) {
        let Some(case) = self.terms.match_cases(cases).get(position) else { return };
        let variables = self.terms.symbol_list(case.variables);
        let has_parentheses = case.constructor.is_some() && !variables.is_empty();
        out.push_str(if has_parentheses { "((" } else { "(" });
        for (position, symbol) in case.constructor.iter().chain(variables).enumerate() {
            if position > 0 {
                out.push(' ');
            }
            write_symbol(self.terms.symbol(*symbol), out);
        }
        out.push_str(if has_parentheses { ") " } else { " " });
    }

    /// Pushes what follows the subject of an annotation; `task` says how the terms in attributes are printed.
    fn push_attributes(&mut self, list: AttributeListId, children: &[TermId], task: impl Fn(TermId) -> Task) {
        self.tasks.push(Task::Text(")"));
        let mut remaining = children;
        for (position, attribute) in self.terms.attributes(list).iter().enumerate().rev() {
            let (count, is_list) = match attribute.value {
                AttributeValue::Term => (1, false),
                AttributeValue::Terms(count) => (count as usize, true),
                _ => (0, false),
            };
            let own;
            (remaining, own) = remaining.split_at(remaining.len().saturating_sub(count));
            if is_list {
                self.tasks.push(Task::Text(")"));
            }
            for (offset, term) in own.iter().enumerate().rev() {
                self.tasks.push(task(*term));
                if offset > 0 {
                    self.tasks.push(Task::Text(" "));
                }
            }
            if is_list {
                self.tasks.push(Task::Text("("));
            }
            self.tasks.push(Task::Attribute { list, position });
        }
    }

    fn write_attribute(&self, list: AttributeListId, position: usize, out: &mut String) {
        let Some(attribute) = self.terms.attributes(list).get(position) else { return };
        out.push(' ');
        out.push_str(self.terms.symbol(attribute.keyword));
        match attribute.value {
            AttributeValue::None => {}
            AttributeValue::Name(name) => {
                out.push(' ');
                write_symbol(self.terms.symbol(name), out);
            }
            AttributeValue::Text(text) => {
                out.push(' ');
                out.push_str(self.terms.symbol(text));
            }
            AttributeValue::Term | AttributeValue::Terms(_) => out.push(' '),
        }
    }

    // Regions.

    fn start_region(&mut self, root: TermId, variables: Option<SymbolListId>, out: &mut String) {
        let terms = self.terms;
        if self.let_numbers[root.index()] != 0 {
            return self.write_shared(root, out);
        }
        if let Head::Annotated(list) = terms.head(root) {
            // Solvers expect patterns directly under the quantifier, so lets go inside the annotation.
            let children = terms.children(root);
            out.push_str("(! ");
            self.push_attributes(list, children, |root| Task::Region { root, variables });
            self.tasks.extend(children.first().map(|root| Task::Region { root: *root, variables }));
            return;
        }
        let entered = match variables {
            Some(list) => terms.symbol_list(list).to_vec(),
            None => terms.free_variables(root).to_vec(),
        };
        for variable in &entered {
            self.scope[variable.index()] += 1;
        }
        let shared = self.shared_terms(root, variables);
        self.push_region(root, shared, entered);
    }

    /// Pushes the tasks that write the lets of a region and its root.
    fn push_region(&mut self, root: TermId, shared: Vec<TermId>, entered: Vec<SymbolId>) {
        let first_let = self.last_let;
        for term in &shared {
            self.last_let += 1;
            self.let_numbers[term.index()] = self.last_let;
        }
        let mut lets = 0;
        let mut header = Vec::new();
        let mut previous_level = None;
        for (position, term) in shared.iter().enumerate() {
            let level = self.levels[term.index()];
            if previous_level == Some(level) {
                header.push(Task::Text(" "));
            } else {
                header.push(Task::Text(if lets == 0 { "(let (" } else { ") (let (" }));
                lets += 1;
            }
            previous_level = Some(level);
            header.push(Task::Binding(first_let + 1 + position as u32));
            header.push(Task::Structure(*term));
            header.push(Task::Text(")"));
        }
        if lets > 0 {
            header.push(Task::Text(") "));
        }
        self.tasks.push(Task::EndRegion { shared, entered, lets });
        self.tasks.push(Task::Structure(root));
        self.tasks.extend(header.into_iter().rev());
    }

    fn end_region(&mut self, shared: &[TermId], entered: &[SymbolId], lets: u32, out: &mut String) {
        for _ in 0..lets {
            out.push(')');
        }
        for term in shared {
            self.let_numbers[term.index()] = 0;
        }
        for variable in entered {
            self.scope[variable.index()] -= 1;
        }
    }

    /// The terms to be bound by lets at the root of a region, by level, and within a level in the order in which
    /// they end in the text.
    fn shared_terms(&mut self, root: TermId, variables: Option<SymbolListId>) -> Vec<TermId> {
        let order = self.count_references(root, variables);
        let mut shared = Vec::new();
        for term in order {
            let mut level = 0;
            for child in self.terms.children(term) {
                if self.regions[child.index()] == self.region {
                    let step = u32::from(self.is_shared(*child));
                    level = level.max(self.levels[child.index()] + step);
                }
            }
            self.levels[term.index()] = level;
            if term != root && self.is_shared(term) {
                shared.push(term);
            }
        }
        shared.sort_by_key(|term| self.levels[term.index()]);
        shared
    }

    /// Counts the references to each term of the region. Returns the terms, children first.
    fn count_references(&mut self, root: TermId, variables: Option<SymbolListId>) -> Vec<TermId> {
        let terms = self.terms;
        self.region += 1;
        let mut order = Vec::new();
        if terms.children(root).is_empty() {
            return order;
        }
        self.regions[root.index()] = self.region;
        self.counts[root.index()] = 0;
        let mut open = vec![(root, 0)];
        while let Some((term, next)) = open.last_mut() {
            let Some(child) = terms.children(*term).get(*next).copied() else {
                order.push(*term);
                open.pop();
                continue;
            };
            *next += 1;
            if self.regions[child.index()] == self.region {
                self.counts[child.index()] += 1;
            } else if self.is_interesting(child, variables) {
                self.regions[child.index()] = self.region;
                self.counts[child.index()] = 1;
                open.push((child, 0));
            }
        }
        order
    }

    /// Whether a term may be, or contain, a term that is to be bound in a region with these variables.
    fn is_interesting(&self, term: TermId, variables: Option<SymbolListId>) -> bool {
        if self.terms.children(term).is_empty() || self.let_numbers[term.index()] != 0 {
            return false;
        }
        match variables {
            None => true,
            Some(list) => {
                let bound = self.terms.symbol_list(list);
                self.terms.free_variables(term).iter().any(|variable| bound.contains(variable))
            }
        }
    }

    fn is_shared(&self, term: TermId) -> bool {
        self.counts[term.index()] >= 2
            && !self.is_tiny(term)
            && self.terms.free_variables(term).iter().all(|variable| self.scope[variable.index()] > 0)
    }

    /// Whether a term is so short that a let would not make the text shorter.
    fn is_tiny(&self, term: TermId) -> bool {
        let is_plain =
            matches!(self.terms.head(term), Head::Operator(_) | Head::Function(_) | Head::Opaque(_));
        let children = self.terms.children(term);
        is_plain && children.len() <= 2 && children.iter().all(|child| self.terms.children(*child).is_empty())
    }
}

/// A prefix for let variables with which no function and no bound variable begins.
fn unused_prefix(terms: &Terms) -> String {
    let mut prefix = "v!".to_owned();
    let is_used = |prefix: &str| {
        let mut symbols = terms.functions().map(|(symbol, _)| symbol).chain(terms.bound_variables());
        symbols.any(|symbol| terms.symbol(symbol).starts_with(prefix))
    };
    while is_used(&prefix) {
        prefix.push('!');
    }
    prefix
}

/// Appends the root of a term, without its children.
fn write_head(terms: &Terms, head: Head, out: &mut String) {
    match head {
        Head::Operator(operator) => write_operator(terms, operator, out),
        Head::Numeral { value, .. } => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", terms.integer_value(value));
        }
        Head::Decimal(decimal) => out.push_str(&terms.decimal_value(decimal).digits),
        Head::BitVec { width, value } => {
            let value = terms.integer_value(value);
            let _ = match width {
                _ if width > 64 => write!(out, "(_ bv{value} {width})"),
                _ if width % 4 == 0 => write!(out, "#x{value:0digits$x}", digits = width as usize / 4),
                _ => write!(out, "#b{value:0digits$b}", digits = width as usize),
            };
        }
        Head::StringLiteral(text) => {
            out.push('"');
            out.push_str(terms.symbol(text));
            out.push('"');
        }
        Head::Function(symbol) | Head::Bound(symbol) => write_symbol(terms.symbol(symbol), out),
        // A name of a datatype may need bars; any other identifier is already text.
        Head::Opaque(symbol) if terms.function(symbol).is_some() => write_symbol(terms.symbol(symbol), out),
        Head::Opaque(symbol) => out.push_str(terms.symbol(symbol)),
        Head::Quantifier { .. } | Head::Match(_) | Head::Annotated(_) => {}
    }
}

fn write_operator(terms: &Terms, operator: Operator, out: &mut String) {
    if let Operator::ConstArray(sort) = operator {
        out.push_str("(as const ");
        write_sort(terms, sort, out);
        out.push(')');
        return;
    }
    let indices = operator.indices();
    if indices[0].is_none() {
        out.push_str(operator.name());
        return;
    }
    out.push_str("(_ ");
    out.push_str(operator.name());
    for index in indices.iter().flatten() {
        // Writing to a string cannot fail.
        let _ = write!(out, " {index}");
    }
    out.push(')');
}
