//! Assignments: a value for every declared function, and the size of every declared sort.

use crate::script::Script;
use crate::term::TermId;
use crate::term::function::FunctionKind;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::value::Value;
use crate::value::domain::Domains;
use std::collections::{BTreeMap, BTreeSet};

/// A function as a finite table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionTable {
    /// The result wherever there is no entry; the value of a constant.
    pub default: Value,
    /// The result for these arguments.
    pub entries: BTreeMap<Vec<Value>, Value>,
}

impl FunctionTable {
    /// The table with all results as values of this sort. Solvers may write an integer where a real is meant.
    pub(crate) fn promoted(self, result: SortId) -> FunctionTable {
        let entries = self.entries.into_iter().map(|(key, value)| (key, value.promoted(result)));
        FunctionTable { default: self.default.promoted(result), entries: entries.collect() }
    }
}

/// The meaning of a function symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpretation {
    /// A finite table with a default.
    Table(FunctionTable),
    /// A term, evaluated for the arguments at hand; its parameters occur in it as [`crate::Head::Bound`].
    Definition {
        /// The formal parameters.
        variables: Box<[SymbolId]>,
        /// The body, in the store of the script that the assignment belongs to.
        body: TermId,
    },
}

/// The meaning of every declared function of a script, and the size of the universe of each declared sort.
///
/// A function without interpretation has the default of its sort everywhere, and a sort without a size has one
/// element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    universes: BTreeMap<SortId, u32>,
    interpretations: BTreeMap<SymbolId, Interpretation>,
}

impl Assignment {
    /// The assignment in which everything has its default.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Sets the number of elements of a declared sort, at least one, before values of it are made.
    pub fn set_universe(&mut self, sort: SortId, size: u32) {
        self.universes.insert(sort, size.max(1));
    }

    /// The sizes of the universes that were set.
    pub fn universes(&self) -> &BTreeMap<SortId, u32> {
        &self.universes
    }

    /// The domains of the sorts of a script under this assignment.
    pub fn domains<'a>(&'a self, script: &'a Script) -> Domains<'a> {
        Domains::new(&script.terms, &self.universes)
    }

    /// Gives a constant its value.
    pub fn set_constant(&mut self, symbol: SymbolId, value: Value) {
        self.set_function(symbol, FunctionTable { default: value, entries: BTreeMap::new() });
    }

    /// Gives a function its table.
    pub fn set_function(&mut self, symbol: SymbolId, table: FunctionTable) {
        self.interpretations.insert(symbol, Interpretation::Table(table));
    }

    /// Gives a symbol its meaning.
    pub fn set_interpretation(&mut self, symbol: SymbolId, interpretation: Interpretation) {
        self.interpretations.insert(symbol, interpretation);
    }

    /// The meaning of a symbol, if it was set.
    pub fn interpretation(&self, symbol: SymbolId) -> Option<&Interpretation> {
        self.interpretations.get(&symbol)
    }

    /// All meanings that were set, by symbol.
    pub fn interpretations(&self) -> impl Iterator<Item = (SymbolId, &Interpretation)> {
        self.interpretations.iter().map(|(symbol, interpretation)| (*symbol, interpretation))
    }

    /// The value of a constant, or the default of a table, if it was set.
    pub fn constant(&self, symbol: SymbolId) -> Option<&Value> {
        match self.interpretations.get(&symbol) {
            Some(Interpretation::Table(table)) => Some(&table.default),
            _ => None,
        }
    }
}

/// The declared functions of a script whose sorts are all evaluated, in the order of their declarations.
pub(crate) fn declared_functions(script: &Script) -> Vec<SymbolId> {
    let universes = BTreeMap::new();
    let domains = Domains::new(&script.terms, &universes);
    script
        .terms
        .functions()
        .filter(|(_, info)| info.kind == FunctionKind::Declared)
        .filter(|(_, info)| {
            info.parameters.iter().chain([&info.result]).all(|sort| domains.is_evaluated(*sort))
        })
        .map(|(symbol, _)| symbol)
        .collect()
}

/// The declared sorts that occur in a script, inside array sorts too.
pub(crate) fn declared_sorts(script: &Script) -> Vec<SortId> {
    let terms = &script.terms;
    let mut pending: Vec<SortId> = (0..terms.len() as u32).map(|index| terms.sort(TermId(index))).collect();
    for (_, info) in terms.functions() {
        pending.extend(info.parameters.iter().chain([&info.result]));
    }
    let (mut seen, mut sorts) = (BTreeSet::new(), BTreeSet::new());
    while let Some(sort) = pending.pop() {
        if !seen.insert(sort) {
            continue;
        }
        match terms.sort_of(sort) {
            Sort::Array(index, element) => pending.extend([*index, *element]),
            Sort::Declared { .. } => {
                sorts.insert(sort);
            }
            _ => {}
        }
    }
    sorts.into_iter().collect()
}
