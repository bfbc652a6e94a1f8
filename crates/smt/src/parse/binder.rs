//! Parses the constructs that bind names inside terms: let, quantifiers and match.

use crate::parse::lexer::{ErrorAt, TokenKind};
use crate::parse::parser::Parser;
use crate::parse::term::{Frame, Step};
use crate::term::TermId;
use crate::term::function::FunctionKind;
use crate::term::head::{Head, MatchCase, Quantifier};
use crate::term::sort::SortId;
use crate::term::symbol::SymbolId;

impl Parser<'_> {
    // Let: all values are read in the outer scope, then all names are bound at once.

    pub(crate) fn open_let(&mut self) -> Step {
        self.expect_open("`(` before the bindings of `let`")?;
        self.frames
            .push(Frame::LetBindings { first_value: self.values.len(), first_name: self.let_names.len() });
        self.expect_open("`(` before a binding of `let`")?;
        self.let_name()
    }

    fn let_name(&mut self) -> Step {
        let token = self.expect_name("a name bound by `let`")?;
        self.let_names.push(self.terms.intern_symbol(token.text));
        Ok(None)
    }

    pub(crate) fn let_value(&mut self, term: TermId) -> Step {
        self.values.push(term);
        self.expect_close("`)` after a binding of `let`")?;
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Open => self.let_name(),
            TokenKind::Close => self.bind_let(token.start),
            _ => Err(token.unexpected("another binding or `)`")),
        }
    }

    fn bind_let(&mut self, position: usize) -> Step {
        let Some(Frame::LetBindings { first_value, first_name }) = self.frames.pop() else { return Ok(None) };
        let names = self.let_names.split_off(first_name);
        let first_shadowed = self.shadowed.len();
        for (offset, name) in names.iter().enumerate() {
            if self.shadowed[first_shadowed..].iter().any(|(earlier, _)| earlier == name) {
                let message = format!(
                    "expected different names in one `let`, found `{}` twice",
                    self.terms.symbol(*name)
                );
                return Err(ErrorAt::new(position, message));
            }
            self.bind_local(*name, self.values[first_value + offset]);
        }
        self.values.truncate(first_value);
        self.frames.push(Frame::LetBody { first_shadowed });
        Ok(None)
    }

    pub(crate) fn close_let(&mut self, body: TermId) -> Step {
        self.expect_close("`)` after the body of `let`")?;
        if let Some(Frame::LetBody { first_shadowed }) = self.frames.pop() {
            self.unbind_locals(first_shadowed);
        }
        Ok(Some(body))
    }

    fn bind_local(&mut self, name: SymbolId, meaning: TermId) {
        if self.locals.len() <= name.index() {
            self.locals.resize(name.index() + 1, None);
        }
        let before = self.locals[name.index()].replace(meaning);
        self.shadowed.push((name, before));
    }

    pub(crate) fn unbind_locals(&mut self, first_shadowed: usize) {
        while self.shadowed.len() > first_shadowed {
            if let Some((name, before)) = self.shadowed.pop() {
                self.locals[name.index()] = before;
            }
        }
    }

    // Quantifiers.

    pub(crate) fn open_binder(&mut self, quantifier: Quantifier, position: usize) -> Step {
        let first_shadowed = self.shadowed.len();
        let open = self.expect_open("`(` before the variables")?;
        let named = self.sorted_names()?;
        if named.is_empty() {
            return Err(ErrorAt::new(open.start, "expected at least one variable, found `()`"));
        }
        let variables = self.bind_variables(&named)?;
        let variables = self.terms.intern_symbol_list(&variables);
        self.frames.push(Frame::Binder { quantifier, variables, first_shadowed, position });
        Ok(None)
    }

    pub(crate) fn close_binder(&mut self, body: TermId) -> Step {
        self.expect_close("`)` after the body of a binder")?;
        let Some(Frame::Binder { quantifier, variables, first_shadowed, position }) = self.frames.pop()
        else {
            return Ok(None);
        };
        self.unbind_locals(first_shadowed);
        let symbols = self.terms.symbol_list(variables).to_vec();
        self.release_variables(&symbols);
        self.make(Head::Quantifier { quantifier, variables }, &[body], position).map(Some)
    }

    /// Reads `(x S) ... )`.
    pub(crate) fn sorted_names(&mut self) -> Result<Vec<(SymbolId, SortId)>, ErrorAt> {
        let mut read: Vec<(SymbolId, SortId)> = Vec::new();
        while !self.accept(TokenKind::Close)? {
            self.expect_open("`(` before a variable")?;
            let token = self.expect_name("the name of a variable")?;
            let name = self.terms.intern_symbol(token.text);
            if read.iter().any(|(earlier, _)| *earlier == name) {
                let message = format!("expected different variables, found `{}` twice", token.text);
                return Err(ErrorAt::new(token.start, message));
            }
            let sort = self.sort()?;
            self.expect_close("`)` after the sort of a variable")?;
            read.push((name, sort));
        }
        Ok(read)
    }

    /// Binds variables and gives their symbols.
    pub(crate) fn bind_variables(&mut self, named: &[(SymbolId, SortId)]) -> Result<Vec<SymbolId>, ErrorAt> {
        named.iter().map(|(name, sort)| self.bind_variable(*name, *sort)).collect()
    }

    /// Binds a variable, under another name if its own is taken by a function or an open binder.
    fn bind_variable(&mut self, name: SymbolId, sort: SortId) -> Result<SymbolId, ErrorAt> {
        let printed = self.free_name(name);
        let text = self.terms.symbol(printed).to_owned();
        let variable = self.terms.bound_variable(&text, sort);
        let term = self.make(Head::Bound(variable), &[], 0)?;
        self.bind_local(name, term);
        if self.binder_counts.len() <= printed.index() {
            self.binder_counts.resize(printed.index() + 1, 0);
        }
        self.binder_counts[printed.index()] += 1;
        self.open_binders += 1;
        Ok(variable)
    }

    /// The name itself, or the name with a number that makes it free.
    fn free_name(&mut self, name: SymbolId) -> SymbolId {
        if !self.is_taken(name) {
            return name;
        }
        // The taken numbers are usually 1 to the depth of the binders, so a bisection finds the next one fast.
        let (mut taken, mut free) = (0u64, 1u64);
        while self.is_number_taken(name, free) {
            (taken, free) = (free, free * 2);
        }
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2;
            if self.is_number_taken(name, middle) { taken = middle } else { free = middle }
        }
        self.numbered(name, free)
    }

    fn is_number_taken(&mut self, name: SymbolId, number: u64) -> bool {
        let candidate = self.numbered(name, number);
        self.is_taken(candidate)
    }

    pub(crate) fn numbered(&mut self, name: SymbolId, number: u64) -> SymbolId {
        let text = format!("{}!{number}", self.terms.symbol(name));
        self.terms.intern_symbol(&text)
    }

    pub(crate) fn is_taken(&self, name: SymbolId) -> bool {
        self.functions.get(name).is_some()
            || self.binder_counts.get(name.index()).is_some_and(|count| *count > 0)
    }

    /// Ends the binding of variables. Their names may then be bound again.
    pub(crate) fn release_variables(&mut self, variables: &[SymbolId]) {
        self.open_binders -= variables.len();
        for variable in variables {
            let printed = self.terms.find_symbol(self.terms.symbol(*variable));
            if let Some(count) = printed.and_then(|printed| self.binder_counts.get_mut(printed.index())) {
                *count = count.saturating_sub(1);
            }
        }
    }

    // Match.

    pub(crate) fn open_match(&mut self, position: usize) -> Step {
        self.frames.push(Frame::Match {
            first_value: self.values.len(),
            first_case: self.cases.len(),
            first_shadowed: self.shadowed.len(),
            position,
        });
        Ok(None)
    }

    pub(crate) fn match_value(&mut self, term: TermId) -> Step {
        let Some(&Frame::Match { first_value, first_case, first_shadowed, position }) = self.frames.last()
        else {
            return Ok(None);
        };
        let is_scrutinee = self.values.len() == first_value;
        self.values.push(term);
        if is_scrutinee {
            self.expect_open("`(` before the cases of `match`")?;
            self.expect_open("`(` before a case")?;
            return self.match_pattern(first_value);
        }
        self.expect_close("`)` after a case")?;
        self.unbind_locals(first_shadowed);
        if let Some(case) = self.cases.last().copied() {
            let variables = self.terms.symbol_list(case.variables).to_vec();
            self.release_variables(&variables);
        }
        if !self.accept(TokenKind::Close)? {
            self.expect_open("another case or `)`")?;
            return self.match_pattern(first_value);
        }
        self.expect_close("`)` after the cases of `match`")?;
        self.frames.pop();
        let cases = self.cases.split_off(first_case);
        let cases = self.terms.intern_match_cases(&cases);
        let children = self.values.split_off(first_value);
        self.make(Head::Match(cases), &children, position).map(Some)
    }

    fn match_pattern(&mut self, first_value: usize) -> Step {
        let scrutinee = self.values.get(first_value).map_or(SortId::UNKNOWN, |term| self.terms.sort(*term));
        let token = self.lexer.next()?;
        let (constructor, names) = match token.kind {
            TokenKind::Open => {
                let constructor = self.expect_name("a constructor")?;
                let Some(symbol) = self.constructor(constructor.text) else {
                    return Err(constructor.unexpected("a constructor"));
                };
                let mut names = Vec::new();
                while !self.accept(TokenKind::Close)? {
                    names.push(self.expect_name("a variable of a pattern")?);
                }
                (Some(symbol), names)
            }
            _ if token.is_name() => match self.constructor(token.text) {
                Some(symbol) => (Some(symbol), Vec::new()),
                None => (None, vec![token]),
            },
            _ => return Err(token.unexpected("a pattern")),
        };
        let mut variables = Vec::new();
        for (position, name) in names.into_iter().enumerate() {
            let fields = constructor.and_then(|symbol| self.terms.function(symbol));
            let sort = match (constructor, fields) {
                (None, _) => scrutinee,
                (Some(_), Some(info)) => info.parameters.get(position).copied().unwrap_or(SortId::UNKNOWN),
                (Some(_), None) => SortId::UNKNOWN,
            };
            // The wildcard is a reserved word, so no variable can have this name.
            let text = if name.is_word("_") { "wildcard" } else { name.text };
            let symbol = self.terms.intern_symbol(text);
            variables.push(self.bind_variable(symbol, sort)?);
        }
        let variables = self.terms.intern_symbol_list(&variables);
        self.cases.push(MatchCase { constructor, variables });
        Ok(None)
    }

    fn constructor(&self, name: &str) -> Option<SymbolId> {
        let name = self.terms.find_symbol(name)?;
        let is_datatype = |symbol: &&SymbolId| {
            self.terms.function(**symbol).is_some_and(|info| info.kind == FunctionKind::Datatype)
        };
        self.functions.all(name).find(is_datatype).copied()
    }
}
