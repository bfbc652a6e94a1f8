//! Terms. The store keeps every term once, so a formula is a shared graph.

pub(crate) mod builder;
pub(crate) mod function;
pub(crate) mod head;
pub(crate) mod intern;
pub(crate) mod literal;
pub(crate) mod opaque_theory;
pub(crate) mod operator;
pub(crate) mod rebuild;
pub(crate) mod sort;
pub(crate) mod sort_check;
pub(crate) mod symbol;

use crate::term::function::{Definition, FunctionInfo};
pub use crate::term::head::{Attribute, AttributeListId, Head, MatchCase, MatchId, Quantifier};
use crate::term::intern::{InternTable, hash_of};
use crate::term::literal::{Decimal, DecimalId, IntegerId, Literals};
use crate::term::operator::{ALIASES, Operator, PLAIN};
use crate::term::sort::{Sort, SortId, Sorts};
use crate::term::sort_check::{SortError, result_sort};
use crate::term::symbol::{SymbolId, SymbolListId, SymbolLists, Symbols};
use num_bigint::BigInt;

/// A term. Equal terms have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position of the term in tables indexed by terms. Children come before their parents.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    head: Head,
    sort: SortId,
    first_child: u32,
    child_count: u32,
    free: SymbolListId,
    /// Whether there is a quantifier or a match at the root or below.
    has_binder: bool,
}

const NO_FUNCTION: u32 = u32::MAX;

/// The store of symbols, sorts, functions and terms of a script.
#[derive(Clone, Debug)]
pub struct Terms {
    symbols: Symbols,
    lists: SymbolLists,
    sorts: Sorts,
    literals: Literals,
    nodes: Vec<Node>,
    children: Vec<TermId>,
    table: InternTable,
    /// For each symbol the position in `functions`, or `NO_FUNCTION`; may be shorter than the symbols.
    function_positions: Vec<u32>,
    functions: Vec<(SymbolId, FunctionInfo)>,
    /// For each symbol whether it names a sort of the script; may be shorter than the symbols.
    sort_symbols: Vec<bool>,
    /// For each symbol its sort as a bound variable; may be shorter than the symbols.
    bound_sorts: Vec<Option<SortId>>,
    bound_variables: Vec<(SymbolId, SortId, SymbolId)>,
    bound_table: InternTable,
    /// Result sorts fixed by `as`, by the text of the opaque identifier.
    opaque_sorts: Vec<(SymbolId, SortId)>,
    opaque_table: InternTable,
    attribute_lists: Vec<Box<[Attribute]>>,
    attribute_table: InternTable,
    match_lists: Vec<Box<[MatchCase]>>,
    match_table: InternTable,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// A store that holds no term.
    pub fn new() -> Terms {
        let mut symbols = Symbols::default();
        // The parser finds plain operators by the number of their symbol, so these come first, in this order.
        for (name, _) in PLAIN.iter().chain(ALIASES) {
            symbols.intern(name);
        }
        let unknown = symbols.intern("unknown");
        let unknown = symbols.twin(unknown);
        Terms {
            symbols,
            lists: SymbolLists::new(),
            sorts: Sorts::new(unknown),
            literals: Literals::default(),
            nodes: Vec::new(),
            children: Vec::new(),
            table: InternTable::default(),
            function_positions: Vec::new(),
            functions: Vec::new(),
            sort_symbols: Vec::new(),
            bound_sorts: Vec::new(),
            bound_variables: Vec::new(),
            bound_table: InternTable::default(),
            opaque_sorts: Vec::new(),
            opaque_table: InternTable::default(),
            attribute_lists: Vec::new(),
            attribute_table: InternTable::default(),
            match_lists: Vec::new(),
            match_table: InternTable::default(),
        }
    }

    // Terms.

    /// How many terms there are; their indices are below this number.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The head at the root of a term.
    pub fn head(&self, term: TermId) -> Head {
        self.nodes[term.index()].head
    }

    /// The children of a term.
    pub fn children(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        &self.children[node.first_child as usize..(node.first_child + node.child_count) as usize]
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// Whether no bound variable is free in the term.
    pub fn is_closed(&self, term: TermId) -> bool {
        self.nodes[term.index()].free == SymbolListId::EMPTY
    }

    /// The bound variables that are free in the term, in the order of their symbols.
    pub fn free_variables(&self, term: TermId) -> &[SymbolId] {
        self.lists.get(self.nodes[term.index()].free)
    }

    /// Whether there is a quantifier or a match at the root of the term or below.
    pub fn has_binder(&self, term: TermId) -> bool {
        self.nodes[term.index()].has_binder
    }

    /// The term with this head and these children, after a check of the sorts.
    ///
    /// A binder must not stand above another binder of the same variable; the parser never makes such terms.
    /// `-` with one argument is always [`Operator::Negate`], with more it is [`Operator::Subtract`].
    pub fn make(&mut self, head: Head, children: &[TermId]) -> Result<TermId, SortError> {
        let head = match (head, children.len()) {
            (Head::Operator(Operator::Subtract), 1) => Head::Operator(Operator::Negate),
            _ => head,
        };
        let hash = hash_of(&(head, children));
        if let Some(term) = self.find(hash, head, children) {
            return Ok(term);
        }
        let sort = result_sort(self, head, children)?;
        Ok(self.add(hash, head, children, sort))
    }

    /// The integer with this id.
    pub fn integer_value(&self, id: IntegerId) -> &BigInt {
        self.literals.integer(id)
    }

    /// The decimal with this id.
    pub fn decimal_value(&self, id: DecimalId) -> &Decimal {
        self.literals.decimal(id)
    }

    /// The integer side table's id of a value, for a [`Head::Numeral`] or [`Head::BitVec`].
    pub fn intern_integer(&mut self, value: &BigInt) -> IntegerId {
        self.literals.intern_integer(value)
    }

    /// The id of a decimal such as `1.50`, or `None` if the text is no decimal.
    pub fn intern_decimal(&mut self, digits: &str) -> Option<DecimalId> {
        self.literals.intern_decimal(digits)
    }

    /// The symbols of a list.
    pub fn symbol_list(&self, list: SymbolListId) -> &[SymbolId] {
        self.lists.get(list)
    }

    /// The id of a list of symbols.
    pub fn intern_symbol_list(&mut self, symbols: &[SymbolId]) -> SymbolListId {
        self.lists.intern(symbols)
    }

    /// The attributes of a [`Head::Annotated`].
    pub fn attributes(&self, list: AttributeListId) -> &[Attribute] {
        &self.attribute_lists[list.0 as usize]
    }

    /// The id of a list of attributes.
    pub fn intern_attributes(&mut self, attributes: &[Attribute]) -> AttributeListId {
        let hash = hash_of(attributes);
        let lists = &self.attribute_lists;
        if let Some(number) = self.attribute_table.find(hash, |number| *lists[number as usize] == *attributes)
        {
            return AttributeListId(number);
        }
        self.attribute_lists.push(attributes.into());
        let number = (self.attribute_lists.len() - 1) as u32;
        self.attribute_table.insert(hash, number);
        AttributeListId(number)
    }

    /// The cases of a [`Head::Match`].
    pub fn match_cases(&self, cases: MatchId) -> &[MatchCase] {
        &self.match_lists[cases.0 as usize]
    }

    /// The id of a list of cases.
    pub fn intern_match_cases(&mut self, cases: &[MatchCase]) -> MatchId {
        let hash = hash_of(cases);
        let lists = &self.match_lists;
        if let Some(number) = self.match_table.find(hash, |number| *lists[number as usize] == *cases) {
            return MatchId(number);
        }
        self.match_lists.push(cases.into());
        let number = (self.match_lists.len() - 1) as u32;
        self.match_table.insert(hash, number);
        MatchId(number)
    }

    // Symbols.

    /// The name of a symbol, without quotes.
    pub fn symbol(&self, symbol: SymbolId) -> &str {
        self.symbols.name(symbol)
    }

    /// The symbol of a name; the same name always gives the same symbol.
    pub fn intern_symbol(&mut self, name: &str) -> SymbolId {
        self.symbols.intern(name)
    }

    /// The symbol of a name, if the name was ever interned.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.find(name)
    }

    /// How many symbols there are; their indices are below this number.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    // Sorts.

    /// What a sort is.
    pub fn sort_of(&self, sort: SortId) -> &Sort {
        self.sorts.get(sort)
    }

    /// The id of a sort.
    pub fn intern_sort(&mut self, sort: Sort) -> SortId {
        let name_length = match &sort {
            Sort::Declared { name, .. } | Sort::Opaque(name) => self.symbol(*name).len(),
            _ => 0,
        };
        self.sorts.intern(sort, name_length)
    }

    /// The length of a sort's text, about.
    pub(crate) fn sort_length(&self, sort: SortId) -> u64 {
        self.sorts.length(sort)
    }

    /// `(_ BitVec width)`.
    pub fn bitvec_sort(&mut self, width: u32) -> SortId {
        self.intern_sort(Sort::BitVec(width))
    }

    /// `(Array index element)`.
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.intern_sort(Sort::Array(index, element))
    }

    /// An opaque sort with this text.
    pub fn opaque_sort(&mut self, text: &str) -> SortId {
        let symbol = self.symbols.intern(text);
        self.intern_sort(Sort::Opaque(symbol))
    }

    /// Whether a term of sort `found` is allowed where `expected` is required.
    ///
    /// Equal sorts are compatible, the unknown sort is compatible with all, and an Int is allowed for a Real. Opaque
    /// sorts with arguments are compared loosely, because a defined sort may be an abbreviation of another.
    pub fn compatible(&self, expected: SortId, found: SortId) -> bool {
        if expected == found || (expected == SortId::REAL && found == SortId::INT) {
            return true;
        }
        let mut pairs = vec![(expected, found)];
        while let Some((left, right)) = pairs.pop() {
            if left == right || left == SortId::UNKNOWN || right == SortId::UNKNOWN {
                continue;
            }
            match (self.sort_of(left), self.sort_of(right)) {
                (Sort::Array(left_index, left_element), Sort::Array(right_index, right_element)) => {
                    pairs.push((*left_index, *right_index));
                    pairs.push((*left_element, *right_element));
                }
                (
                    Sort::Declared { name: left, arguments: left_arguments },
                    Sort::Declared { name, arguments },
                ) if left == name && left_arguments.len() == arguments.len() => {
                    pairs.extend(left_arguments.iter().copied().zip(arguments.iter().copied()));
                }
                (left, right) if self.is_loose(left) || self.is_loose(right) => {}
                _ => return false,
            }
        }
        true
    }

    fn is_loose(&self, sort: &Sort) -> bool {
        match sort {
            Sort::Opaque(text) => {
                let text = self.symbol(*text);
                text.starts_with('(') && !text.starts_with("(_ ")
            }
            _ => false,
        }
    }

    /// A symbol for a new sort that prints like `base`: another one if the name was given to a sort before.
    pub fn new_sort_symbol(&mut self, base: SymbolId) -> SymbolId {
        let symbol = if self.names_sort(base) { self.symbols.twin(base) } else { base };
        if self.sort_symbols.len() <= symbol.index() {
            self.sort_symbols.resize(symbol.index() + 1, false);
        }
        self.sort_symbols[symbol.index()] = true;
        symbol
    }

    fn names_sort(&self, symbol: SymbolId) -> bool {
        self.sort_symbols.get(symbol.index()).copied().unwrap_or(false)
    }

    // Functions and bound variables.

    /// What is known of a function.
    pub fn function(&self, symbol: SymbolId) -> Option<&FunctionInfo> {
        let position = *self.function_positions.get(symbol.index())?;
        self.functions.get(position as usize).map(|(_, info)| info)
    }

    /// All functions, in the order of their declarations.
    pub fn functions(&self) -> impl Iterator<Item = (SymbolId, &FunctionInfo)> + '_ {
        self.functions.iter().map(|(symbol, info)| (*symbol, info))
    }

    /// Adds a function and returns its symbol, which is new if the name is already taken.
    pub fn add_function(&mut self, name: &str, mut info: FunctionInfo) -> SymbolId {
        let base = self.symbols.intern(name);
        let mut symbol = base;
        if self.function(base).is_some() {
            info.name_reused = true;
            let position = self.function_positions[base.index()] as usize;
            self.functions[position].1.name_reused = true;
        }
        if info.name_reused || self.bound_sort(base).is_some() {
            symbol = self.symbols.twin(base);
        }
        if self.function_positions.len() <= symbol.index() {
            self.function_positions.resize(symbol.index() + 1, NO_FUNCTION);
        }
        self.function_positions[symbol.index()] = self.functions.len() as u32;
        self.functions.push((symbol, info));
        symbol
    }

    /// Gives a declared function its definition.
    pub fn define_function(&mut self, symbol: SymbolId, definition: Definition) {
        if let Some(&position) = self.function_positions.get(symbol.index())
            && let Some((_, info)) = self.functions.get_mut(position as usize)
        {
            info.definition = Some(definition);
        }
    }

    /// The sort of a bound variable.
    pub fn bound_sort(&self, symbol: SymbolId) -> Option<SortId> {
        self.bound_sorts.get(symbol.index()).copied().flatten()
    }

    /// The symbol of the bound variable with this name and sort.
    pub fn bound_variable(&mut self, name: &str, sort: SortId) -> SymbolId {
        let base = self.symbols.intern(name);
        let hash = hash_of(&(base, sort));
        let variables = &self.bound_variables;
        let same = |number: u32| {
            let (name, of_sort, _) = variables[number as usize];
            name == base && of_sort == sort
        };
        if let Some(number) = self.bound_table.find(hash, same) {
            return self.bound_variables[number as usize].2;
        }
        let taken = self.function(base).is_some() || self.bound_sort(base).is_some();
        let symbol = if taken { self.symbols.twin(base) } else { base };
        if self.bound_sorts.len() <= symbol.index() {
            self.bound_sorts.resize(symbol.index() + 1, None);
        }
        self.bound_sorts[symbol.index()] = Some(sort);
        self.bound_variables.push((base, sort, symbol));
        self.bound_table.insert(hash, (self.bound_variables.len() - 1) as u32);
        symbol
    }

    /// All bound variables, in order of first use.
    pub fn bound_variables(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.bound_variables.iter().map(|(_, _, symbol)| *symbol)
    }

    /// The result sort that `as` fixed for an opaque identifier.
    pub(crate) fn ascribed_sort(&self, identifier: SymbolId) -> Option<SortId> {
        let entries = &self.opaque_sorts;
        let number = self
            .opaque_table
            .find(hash_of(&identifier), |number| entries[number as usize].0 == identifier)?;
        Some(self.opaque_sorts[number as usize].1)
    }

    /// The opaque identifier with this text, whose result has this sort.
    pub fn ascribed_identifier(&mut self, text: &str, sort: SortId) -> SymbolId {
        let identifier = self.symbols.intern(text);
        if self.ascribed_sort(identifier).is_none() {
            self.opaque_sorts.push((identifier, sort));
            self.opaque_table.insert(hash_of(&identifier), (self.opaque_sorts.len() - 1) as u32);
        }
        identifier
    }

    fn find(&self, hash: u32, head: Head, children: &[TermId]) -> Option<TermId> {
        let same = |number: u32| {
            self.nodes[number as usize].head == head && self.children(TermId(number)) == children
        };
        self.table.find(hash, same).map(TermId)
    }

    fn add(&mut self, hash: u32, head: Head, children: &[TermId], sort: SortId) -> TermId {
        let free = self.free_list(head, children);
        let has_binder = matches!(head, Head::Quantifier { .. } | Head::Match(_))
            || children.iter().any(|child| self.has_binder(*child));
        let first_child = self.children.len() as u32;
        self.children.extend_from_slice(children);
        self.nodes.push(Node {
            head,
            sort,
            first_child,
            child_count: children.len() as u32,
            free,
            has_binder,
        });
        let number = (self.nodes.len() - 1) as u32;
        self.table.insert(hash, number);
        TermId(number)
    }

    /// A term whose sort is known without a check.
    pub(crate) fn make_checked(&mut self, head: Head, children: &[TermId], sort: SortId) -> TermId {
        let hash = hash_of(&(head, children));
        match self.find(hash, head, children) {
            Some(term) => term,
            None => self.add(hash, head, children, sort),
        }
    }

    fn free_list(&mut self, head: Head, children: &[TermId]) -> SymbolListId {
        match head {
            Head::Bound(symbol) => self.lists.intern(&[symbol]),
            Head::Quantifier { variables, .. } => {
                let body = self.free_union(children);
                self.without(body, variables)
            }
            Head::Match(cases) => self.free_list_of_match(cases, children),
            _ => self.free_union(children),
        }
    }

    fn free_list_of_match(&mut self, cases: MatchId, children: &[TermId]) -> SymbolListId {
        let mut all = match children.first() {
            Some(scrutinee) => self.nodes[scrutinee.index()].free,
            None => SymbolListId::EMPTY,
        };
        for (position, body) in children.iter().skip(1).enumerate() {
            let variables =
                self.match_cases(cases).get(position).map_or(SymbolListId::EMPTY, |case| case.variables);
            let free = self.nodes[body.index()].free;
            let free = self.without(free, variables);
            all = self.union(all, free);
        }
        all
    }

    fn free_union(&mut self, children: &[TermId]) -> SymbolListId {
        let mut all = SymbolListId::EMPTY;
        for child in children {
            let free = self.nodes[child.index()].free;
            all = self.union(all, free);
        }
        all
    }

    fn union(&mut self, left: SymbolListId, right: SymbolListId) -> SymbolListId {
        if left == right || right == SymbolListId::EMPTY {
            return left;
        }
        if left == SymbolListId::EMPTY {
            return right;
        }
        let mut merged = [self.lists.get(left), self.lists.get(right)].concat();
        merged.sort_unstable();
        merged.dedup();
        self.lists.intern(&merged)
    }

    fn without(&mut self, list: SymbolListId, removed: SymbolListId) -> SymbolListId {
        if list == SymbolListId::EMPTY || removed == SymbolListId::EMPTY {
            return list;
        }
        let removed = self.lists.get(removed);
        let kept: Vec<SymbolId> =
            self.lists.get(list).iter().copied().filter(|symbol| !removed.contains(symbol)).collect();
        self.lists.intern(&kept)
    }
}
