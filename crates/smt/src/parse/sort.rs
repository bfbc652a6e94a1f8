//! Reading sorts.

use crate::parse::lexer::{ErrorAt, Token, TokenKind};
use crate::parse::parser::{Parser, SortMeaning};
use crate::print;
use crate::term::opaque_theory::float_sort;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use rustc_hash::FxHashMap;

/// Sort names of theories that are not evaluated.
const OPAQUE_SORTS: &[&str] = &[
    "RoundingMode",
    "String",
    "RegLan",
    "RegEx",
    "Seq",
    "Set",
    "Bag",
    "Relation",
    "Tuple",
    "UnitTuple",
    "Unicode",
    "Char",
    "Table",
    "Nullable",
    "List",
    "->",
];

/// The most bytes of a sort that a definition abbreviates, written out. Definitions that use each other twice double it.
const LARGEST_EXPANSION: u64 = 64 << 10;
/// The most bytes of all sorts, written out, besides a multiple of the script's length. Every declaration, quantifier and
/// ascription repeats its sort.
const LARGEST_SORTS: u64 = 4 << 20;
/// This multiple.
const SORTS_PER_BYTE: u64 = 8;

/// A sort whose arguments are being read.
struct OpenSort<'a> {
    name: Token<'a>,
    first_argument: usize,
}

impl<'a> Parser<'a> {
    /// Reads a sort.
    pub(crate) fn sort(&mut self) -> Result<SortId, ErrorAt> {
        let start = self.lexer.position();
        let sort = self.unmeasured_sort()?;
        self.measure_sorts(self.terms.sort_length(sort), start)?;
        Ok(sort)
    }

    /// Counts the length of a text in which sorts are written out.
    fn measure_sorts(&mut self, length: u64, position: usize) -> Result<(), ErrorAt> {
        self.sorts_length = self.sorts_length.saturating_add(length);
        let largest = LARGEST_SORTS + SORTS_PER_BYTE * self.lexer.length() as u64;
        if self.sorts_length <= largest {
            return Ok(());
        }
        let message =
            format!("expected sorts that take at most {largest} bytes when they are written out, found more");
        Err(ErrorAt::new(position, message))
    }

    fn unmeasured_sort(&mut self) -> Result<SortId, ErrorAt> {
        let mut open: Vec<OpenSort<'a>> = Vec::new();
        let mut arguments: Vec<SortId> = Vec::new();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                TokenKind::Symbol | TokenKind::QuotedSymbol => {
                    let sort = self.sort_application(token, &[])?;
                    arguments.push(sort);
                }
                TokenKind::Open => match self.sort_head(token)? {
                    Ok(name) => open.push(OpenSort { name, first_argument: arguments.len() }),
                    Err(sort) => arguments.push(sort),
                },
                TokenKind::Close => {
                    let Some(application) = open.pop() else { return Err(token.unexpected("a sort")) };
                    let own = arguments.split_off(application.first_argument);
                    let sort = self.sort_application(application.name, &own)?;
                    arguments.push(sort);
                }
                _ => return Err(token.unexpected("a sort")),
            }
            if open.is_empty()
                && let Some(sort) = arguments.pop()
            {
                return Ok(sort);
            }
        }
    }

    /// What follows an open parenthesis: the name of a sort with arguments, or a whole indexed sort.
    fn sort_head(&mut self, open: Token<'a>) -> Result<Result<Token<'a>, SortId>, ErrorAt> {
        let name = self.expect_name("the name of a sort")?;
        if !name.is_word("_") {
            return Ok(Ok(name));
        }
        let name = self.expect_name("the name of an indexed sort")?;
        if name.text == "BitVec" {
            let position = self.lexer.peek()?.start;
            let width = self.expect_number("the width of a bit-vector")?;
            if width == 0 {
                return Err(ErrorAt::new(position, "expected a positive width of a bit-vector, found `0`"));
            }
            self.expect_close("`)` after the width")?;
            return Ok(Err(self.terms.bitvec_sort(width)));
        }
        let end = self.lexer.skip_to_close(open.start)?;
        let words: Vec<&str> = self.lexer.slice(open.start, end).split_whitespace().collect();
        Ok(Err(self.terms.opaque_sort(&words.join(" "))))
    }

    /// The sort of a name with arguments.
    fn sort_application(&mut self, name: Token<'a>, arguments: &[SortId]) -> Result<SortId, ErrorAt> {
        let symbol = self.terms.intern_symbol(name.text);
        let Some(meaning) = self.sorts.get(symbol).cloned() else {
            return self.theory_sort(name, arguments);
        };
        match meaning {
            SortMeaning::Parameter(sort) if arguments.is_empty() => Ok(sort),
            SortMeaning::Parameter(_) => Err(argument_count(name, 0, arguments.len())),
            SortMeaning::Declared { symbol, arity } => {
                if arity as usize != arguments.len() {
                    return Err(argument_count(name, arity as usize, arguments.len()));
                }
                Ok(self.terms.intern_sort(Sort::Declared { name: symbol, arguments: arguments.into() }))
            }
            SortMeaning::Datatype { symbol, arity } => {
                // In the old syntax the name alone means the datatype with its own parameters.
                if arity as usize != arguments.len() && !arguments.is_empty() {
                    return Err(argument_count(name, arity as usize, arguments.len()));
                }
                if arity > 0 && arguments.is_empty() {
                    return Ok(SortId::UNKNOWN);
                }
                self.opaque_application(name.start, symbol, arguments)
            }
            SortMeaning::Defined { parameters, body, keeps_name } => {
                if parameters.len() != arguments.len() {
                    return Err(argument_count(name, parameters.len(), arguments.len()));
                }
                if keeps_name {
                    return self.opaque_application(name.start, symbol, arguments);
                }
                let sort = self.substitute_sort(body, &parameters, arguments);
                self.measure_expansion(sort, name.start)?;
                Ok(sort)
            }
        }
    }

    fn measure_expansion(&mut self, sort: SortId, position: usize) -> Result<(), ErrorAt> {
        let length = self.terms.sort_length(sort);
        if length > LARGEST_EXPANSION {
            let message = format!(
                "expected a sort that takes at most {LARGEST_EXPANSION} bytes when it is written out, found a larger one"
            );
            return Err(ErrorAt::new(position, message));
        }
        self.measure_sorts(length, position)
    }

    fn theory_sort(&mut self, name: Token<'a>, arguments: &[SortId]) -> Result<SortId, ErrorAt> {
        match (name.text, arguments) {
            ("Bool", []) => Ok(SortId::BOOL),
            ("Int", []) => Ok(SortId::INT),
            ("Real", []) => Ok(SortId::REAL),
            ("Array", &[index, element]) => Ok(self.terms.array_sort(index, element)),
            ("Float16", []) => Ok(float_sort(&mut self.terms, 5, 11)),
            ("Float32", []) => Ok(float_sort(&mut self.terms, 8, 24)),
            ("Float64", []) => Ok(float_sort(&mut self.terms, 11, 53)),
            ("Float128", []) => Ok(float_sort(&mut self.terms, 15, 113)),
            ("Bool" | "Int" | "Real", _) => Err(argument_count(name, 0, arguments.len())),
            ("Array", []) | ("Array", [_]) => Err(argument_count(name, 2, arguments.len())),
            ("Array", _) => self.opaque_theory_sort(name, arguments),
            (text, _) if OPAQUE_SORTS.contains(&text) => self.opaque_theory_sort(name, arguments),
            _ => Err(ErrorAt::new(name.start, format!("unknown sort `{}`", name.text))),
        }
    }

    fn opaque_theory_sort(&mut self, name: Token<'a>, arguments: &[SortId]) -> Result<SortId, ErrorAt> {
        let string = self.terms.opaque_sort("String");
        // z3's name for the sort of regular expressions.
        if name.text == "RegEx" && arguments == [string] {
            return Ok(self.terms.opaque_sort("RegLan"));
        }
        let symbol = self.terms.intern_symbol(name.text);
        self.opaque_application(name.start, symbol, arguments)
    }

    /// The sort of a name with arguments that is kept as text. The texts of nested ones hold each other.
    fn opaque_application(
        &mut self,
        position: usize,
        symbol: SymbolId,
        arguments: &[SortId],
    ) -> Result<SortId, ErrorAt> {
        if arguments.is_empty() {
            // Datatypes keep their own symbol: a name that is declared again is another sort.
            return Ok(self.terms.intern_sort(Sort::Opaque(symbol)));
        }
        for argument in arguments {
            self.measure_sorts(self.terms.sort_length(*argument), position)?;
        }
        if arguments.iter().any(|sort| self.mentions_parameter(*sort)) {
            self.opaque_parameter = true;
            return Ok(SortId::UNKNOWN);
        }
        let mut text = format!("({}", print::symbol_text(self.terms.symbol(symbol)));
        for argument in arguments {
            text.push(' ');
            print::write_sort(&self.terms, *argument, &mut text);
        }
        text.push(')');
        Ok(self.terms.opaque_sort(&text))
    }

    /// Whether a sort has a sort parameter in it: the unknown sort, or a placeholder of `define-sort`.
    fn mentions_parameter(&self, sort: SortId) -> bool {
        let mut pending = vec![sort];
        while let Some(sort) = pending.pop() {
            match self.terms.sort_of(sort) {
                Sort::Array(index, element) => pending.extend([*index, *element]),
                Sort::Declared { arguments, .. } => pending.extend(arguments.iter().copied()),
                Sort::Opaque(symbol) if sort == SortId::UNKNOWN || self.is_placeholder(*symbol, sort) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn is_placeholder(&self, symbol: SymbolId, sort: SortId) -> bool {
        let name = self.terms.find_symbol(self.terms.symbol(symbol));
        let meaning = name.and_then(|name| self.sorts.get(name));
        matches!(meaning, Some(SortMeaning::Parameter(parameter)) if *parameter == sort)
    }

    /// The sort with each parameter replaced by the corresponding argument.
    fn substitute_sort(&mut self, body: SortId, parameters: &[SortId], arguments: &[SortId]) -> SortId {
        if parameters.is_empty() {
            return body;
        }
        let mut done: FxHashMap<SortId, SortId> =
            parameters.iter().copied().zip(arguments.iter().copied()).collect();
        let mut pending = vec![body];
        while let Some(&sort) = pending.last() {
            if done.contains_key(&sort) {
                pending.pop();
                continue;
            }
            let parts: Vec<SortId> = match self.terms.sort_of(sort) {
                Sort::Array(index, element) => vec![*index, *element],
                Sort::Declared { arguments, .. } => arguments.to_vec(),
                _ => Vec::new(),
            };
            let replaced: Vec<SortId> = parts.iter().filter_map(|part| done.get(part).copied()).collect();
            if replaced.len() < parts.len() {
                pending.extend(parts.into_iter().filter(|part| !done.contains_key(part)));
                continue;
            }
            let result = match (self.terms.sort_of(sort).clone(), replaced.as_slice()) {
                (Sort::Array(..), &[index, element]) => self.terms.array_sort(index, element),
                (Sort::Declared { name, .. }, replaced) => {
                    self.terms.intern_sort(Sort::Declared { name, arguments: replaced.into() })
                }
                _ => sort,
            };
            done.insert(sort, result);
            pending.pop();
        }
        done.get(&body).copied().unwrap_or(body)
    }
}

fn argument_count(name: Token<'_>, expected: usize, found: usize) -> ErrorAt {
    ErrorAt::new(
        name.start,
        format!("expected {expected} arguments of the sort `{}`, found {found}", name.text),
    )
}
