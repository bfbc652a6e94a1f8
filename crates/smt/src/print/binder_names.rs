//! Keeps bound variables unambiguous when a let puts a binder under another binder of the same name.

use crate::parse::lexer::ErrorAt;
use crate::parse::parser::Parser;
use crate::term::head::{Head, MatchCase};
use crate::term::intern::{InternTable, hash_of};
use crate::term::symbol::{SymbolId, SymbolListId};
use crate::term::{TermId, Terms};

/// The memoized facts about let values that contain binders.
#[derive(Default)]
pub(crate) struct BinderNames {
    /// For a term the variables that its binders bind.
    variables: TermTable<SymbolListId>,
    /// For a term the variant of it that was used last.
    variants: TermTable<TermId>,
}

/// A table from terms to something small.
struct TermTable<T> {
    entries: Vec<(TermId, T)>,
    table: InternTable,
}

impl<T> Default for TermTable<T> {
    fn default() -> TermTable<T> {
        TermTable { entries: Vec::new(), table: InternTable::default() }
    }
}

impl<T: Copy> TermTable<T> {
    fn get(&self, term: TermId) -> Option<T> {
        let number = self.table.find(hash_of(&term), |number| self.entries[number as usize].0 == term)?;
        Some(self.entries[number as usize].1)
    }

    fn set(&mut self, term: TermId, value: T) {
        match self.table.find(hash_of(&term), |number| self.entries[number as usize].0 == term) {
            Some(number) => self.entries[number as usize].1 = value,
            None => {
                self.table.insert(hash_of(&term), self.entries.len() as u32);
                self.entries.push((term, value));
            }
        }
    }
}

impl Parser<'_> {
    /// The let value, or a variant of it whose binders have other names than the open ones.
    ///
    /// The invariant is that no binder is above another one of the same variable. Only then does a bound variable
    /// mean the same everywhere in one term, and shared sub-terms can be moved into a let.
    pub(crate) fn without_open_binders(&mut self, term: TermId) -> Result<TermId, ErrorAt> {
        if self.open_binders == 0 || !self.terms.has_binder(term) {
            return Ok(term);
        }
        let clashing = self.clashing_variables(term);
        if clashing.is_empty() {
            return Ok(term);
        }
        if let Some(variant) = self.binder_names.variants.get(term)
            && self.clashing_variables(variant).is_empty()
        {
            return Ok(variant);
        }
        let renaming = self.fresh_variables(term, &clashing);
        let variant = rename_variables(&mut self.terms, term, &renaming)?;
        self.binder_names.variants.set(term, variant);
        Ok(variant)
    }

    /// The variables bound inside the term that print like a variable of an open binder.
    fn clashing_variables(&mut self, term: TermId) -> Vec<SymbolId> {
        let list = self.bound_inside(term);
        let variables = self.terms.symbol_list(list);
        variables.iter().copied().filter(|variable| self.is_open(*variable)).collect()
    }

    fn is_open(&self, variable: SymbolId) -> bool {
        let printed = self.terms.find_symbol(self.terms.symbol(variable));
        printed.and_then(|printed| self.binder_counts.get(printed.index())).is_some_and(|count| *count > 0)
    }

    /// All variables that binders inside the term bind.
    fn bound_inside(&mut self, term: TermId) -> SymbolListId {
        if let Some(list) = self.binder_names.variables.get(term) {
            return list;
        }
        let mut found: Vec<SymbolId> = Vec::new();
        let mut seen: TermTable<()> = TermTable::default();
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            if !self.terms.has_binder(term) || seen.get(term).is_some() {
                continue;
            }
            seen.set(term, ());
            if let Some(list) = self.binder_names.variables.get(term) {
                found.extend(self.terms.symbol_list(list));
                continue;
            }
            match self.terms.head(term) {
                Head::Quantifier { variables, .. } => found.extend(self.terms.symbol_list(variables)),
                Head::Match(cases) => {
                    for case in self.terms.match_cases(cases) {
                        found.extend(self.terms.symbol_list(case.variables));
                    }
                }
                _ => {}
            }
            pending.extend(self.terms.children(term));
        }
        found.sort_unstable();
        found.dedup();
        let list = self.terms.intern_symbol_list(&found);
        self.binder_names.variables.set(term, list);
        list
    }

    /// A new variable for each clashing one, whose name neither the scope nor the term uses.
    fn fresh_variables(&mut self, term: TermId, clashing: &[SymbolId]) -> Vec<(SymbolId, SymbolId)> {
        let inside = self.bound_inside(term);
        let mut used: Vec<String> = Vec::new();
        for variable in self.terms.symbol_list(inside) {
            used.push(self.terms.symbol(*variable).to_owned());
        }
        let mut renaming = Vec::new();
        for variable in clashing {
            let mut number = 1;
            let mut candidate = self.numbered(*variable, number);
            while self.is_taken(candidate) || used.iter().any(|name| name == self.terms.symbol(candidate)) {
                number += 1;
                candidate = self.numbered(*variable, number);
            }
            let name = self.terms.symbol(candidate).to_owned();
            if let Some(sort) = self.terms.bound_sort(*variable) {
                renaming.push((*variable, self.terms.bound_variable(&name, sort)));
            }
            used.push(name);
        }
        renaming
    }
}

/// The term with bound variables renamed, where binders bind them and where they occur.
fn rename_variables(
    terms: &mut Terms,
    root: TermId,
    renaming: &[(SymbolId, SymbolId)],
) -> Result<TermId, ErrorAt> {
    let mut done: TermTable<TermId> = TermTable::default();
    let mut pending = vec![root];
    while let Some(&term) = pending.last() {
        if done.get(term).is_some() {
            pending.pop();
            continue;
        }
        let waiting: Vec<TermId> =
            terms.children(term).iter().copied().filter(|child| done.get(*child).is_none()).collect();
        if !waiting.is_empty() {
            pending.extend(waiting);
            continue;
        }
        pending.pop();
        let children: Vec<TermId> =
            terms.children(term).iter().filter_map(|child| done.get(*child)).collect();
        let head = renamed_head(terms, terms.head(term), renaming);
        let renamed = terms.make(head, &children).map_err(|error| ErrorAt::new(0, error.message))?;
        done.set(term, renamed);
    }
    Ok(done.get(root).unwrap_or(root))
}

fn renamed_head(terms: &mut Terms, head: Head, renaming: &[(SymbolId, SymbolId)]) -> Head {
    match head {
        Head::Bound(variable) => Head::Bound(renamed(variable, renaming)),
        Head::Quantifier { quantifier, variables } => {
            Head::Quantifier { quantifier, variables: renamed_list(terms, variables, renaming) }
        }
        Head::Match(cases) => {
            let mut renamed: Vec<MatchCase> = terms.match_cases(cases).to_vec();
            for case in &mut renamed {
                case.variables = renamed_list(terms, case.variables, renaming);
            }
            Head::Match(terms.intern_match_cases(&renamed))
        }
        _ => head,
    }
}

fn renamed(variable: SymbolId, renaming: &[(SymbolId, SymbolId)]) -> SymbolId {
    renaming.iter().find(|(from, _)| *from == variable).map_or(variable, |(_, to)| *to)
}

fn renamed_list(terms: &mut Terms, list: SymbolListId, renaming: &[(SymbolId, SymbolId)]) -> SymbolListId {
    let variables: Vec<SymbolId> =
        terms.symbol_list(list).iter().map(|variable| renamed(*variable, renaming)).collect();
    terms.intern_symbol_list(&variables)
}
