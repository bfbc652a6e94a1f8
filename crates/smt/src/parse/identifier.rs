//! The meaning of an identifier: a function of the script, an operator, or a symbol of another theory.

use crate::parse::lexer::{ErrorAt, Token, TokenKind};
use crate::parse::parser::Parser;
use crate::parse::term::PendingHead;
use crate::print;
use crate::term::TermId;
use crate::term::function::{FunctionInfo, FunctionKind};
use crate::term::head::Head;
use crate::term::opaque_theory::is_theory_name;
use crate::term::operator::Operator;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use num_bigint::BigInt;

impl<'a> Parser<'a> {
    /// Puts a function into scope.
    pub(crate) fn declare(&mut self, name: Token<'a>, info: FunctionInfo) -> Result<SymbolId, ErrorAt> {
        let base = self.terms.intern_symbol(name.text);
        if info.kind != FunctionKind::Datatype {
            for other in self.functions.all(base) {
                if self.terms.function(*other).is_some_and(|other| other.parameters == info.parameters) {
                    let message =
                        format!("expected a new name, found `{}`, which is already declared", name.text);
                    return Err(ErrorAt::new(name.start, message));
                }
            }
        }
        let symbol = self.terms.add_function(name.text, info);
        self.functions.add(base, symbol);
        Ok(symbol)
    }

    /// An application of a plain name.
    pub(crate) fn apply_name(
        &mut self,
        name: SymbolId,
        arguments: &[TermId],
        position: usize,
    ) -> Result<TermId, ErrorAt> {
        let operator = Operator::from_symbol_number(name.index());
        if let Some(newest) = self.functions.get(name).copied() {
            let chosen = self.overload(name, arguments);
            if chosen.is_some() || operator.is_none() {
                return self.apply_function(chosen.unwrap_or(newest), arguments, position);
            }
        }
        if let Some(operator) = operator {
            return self.make(Head::Operator(operator), arguments, position);
        }
        if let Some(variable) = self.locals.get(name.index()).copied().flatten() {
            // A variable in function position: `@` is the application of higher-order solvers.
            let children = [&[variable], arguments].concat();
            let at = self.terms.intern_symbol("@");
            return self.make(Head::Opaque(at), &children, position);
        }
        if self.is_opaque_name(name, arguments) {
            return self.make(Head::Opaque(name), arguments, position);
        }
        // For an application the position is that of its parenthesis; the name comes right after it.
        let position = if arguments.is_empty() { position } else { self.name_position(position) };
        Err(ErrorAt::new(position, format!("unknown symbol `{}`", self.terms.symbol(name))))
    }

    fn name_position(&self, open: usize) -> usize {
        self.lexer.position_after(open + 1)
    }

    /// The function of this name whose parameters fit the arguments; newest first.
    fn overload(&self, name: SymbolId, arguments: &[TermId]) -> Option<SymbolId> {
        let fits = |symbol: &&SymbolId| {
            self.terms.function(**symbol).is_some_and(|info| {
                info.parameters.len() == arguments.len()
                    && info.parameters.iter().zip(arguments).all(|(parameter, argument)| {
                        self.terms.compatible(*parameter, self.terms.sort(*argument))
                    })
            })
        };
        self.functions.all(name).find(fits).copied()
    }

    fn apply_function(
        &mut self,
        symbol: SymbolId,
        arguments: &[TermId],
        position: usize,
    ) -> Result<TermId, ErrorAt> {
        let info = self.terms.function(symbol);
        let is_datatype = info.is_some_and(|info| info.kind == FunctionKind::Datatype);
        let is_map = info.is_some_and(|info| self.is_applied_as_map(info, arguments.len()));
        let head = if is_datatype { Head::Opaque(symbol) } else { Head::Function(symbol) };
        if is_map {
            let text = print::symbol_text(self.terms.symbol(symbol));
            let identifier = self.terms.ascribed_identifier(&text, SortId::UNKNOWN);
            return self.make(Head::Opaque(identifier), arguments, position);
        }
        self.make(head, arguments, position)
    }

    /// Whether a function is used as higher-order solvers allow: with too few arguments, or with arguments for
    /// its result.
    fn is_applied_as_map(&self, info: &FunctionInfo, arguments: usize) -> bool {
        let has_map_result = match self.terms.sort_of(info.result) {
            Sort::Opaque(text) => self.terms.symbol(*text).starts_with("(-> "),
            _ => false,
        };
        let parameters = info.parameters.len();
        (arguments > parameters && has_map_result) || (arguments < parameters && self.is_higher_order)
    }

    fn is_opaque_name(&self, name: SymbolId, arguments: &[TermId]) -> bool {
        let text = self.terms.symbol(name);
        let is_tester = || {
            let constructor =
                text.strip_prefix("is-").and_then(|constructor| self.terms.find_symbol(constructor));
            constructor.is_some_and(|constructor| self.functions.get(constructor).is_some())
        };
        is_theory_name(text) || (!arguments.is_empty() && is_tester())
    }

    /// Reads the rest of `(_ ...)` or `(as ...)`.
    pub(crate) fn compound_identifier(
        &mut self,
        open: Token<'a>,
        word: Token<'a>,
    ) -> Result<PendingHead, ErrorAt> {
        if word.text == "as" { self.qualified_identifier(open) } else { self.indexed_identifier(open) }
    }

    fn indexed_identifier(&mut self, open: Token<'a>) -> Result<PendingHead, ErrorAt> {
        let name = self.expect_name("the name of an indexed identifier")?;
        let mut text = format!("(_ {}", print::symbol_text(name.text));
        let mut indices: Vec<u32> = Vec::new();
        let mut all_numbers = true;
        while !self.accept(TokenKind::Close)? {
            let index = self.lexer.peek()?;
            let raw = self.lexer.skip_expression()?;
            text.push(' ');
            text.push_str(raw);
            match (index.kind, raw.parse()) {
                (TokenKind::Numeral, Ok(number)) => indices.push(number),
                _ => all_numbers = false,
            }
        }
        text.push(')');
        if let Some(head) = self.bitvec_literal(name, &indices, all_numbers)? {
            return Ok(PendingHead::Decided(head));
        }
        if all_numbers && let Some(operator) = Operator::from_indexed(name.text, &indices) {
            return Ok(PendingHead::Decided(Head::Operator(operator)));
        }
        if Operator::is_indexed_name(name.text) && name.text != "divisible" {
            let message = format!("expected the indices of `{}`, found `{text}`", name.text);
            return Err(ErrorAt::new(open.start, message));
        }
        Ok(PendingHead::Decided(Head::Opaque(self.terms.intern_symbol(&text))))
    }

    /// `(_ bv10 32)`.
    fn bitvec_literal(
        &mut self,
        name: Token<'a>,
        indices: &[u32],
        all_numbers: bool,
    ) -> Result<Option<Head>, ErrorAt> {
        let Some(digits) = name.text.strip_prefix("bv") else { return Ok(None) };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let (&[width], true) = (indices, all_numbers) else {
            return Err(ErrorAt::new(name.start, format!("expected one width as index of `{}`", name.text)));
        };
        if width == 0 {
            return Err(ErrorAt::new(name.start, "expected a positive width of a bit-vector, found `0`"));
        }
        let Some(value) = BigInt::parse_bytes(digits.as_bytes(), 10) else { return Ok(None) };
        let literal = self.terms.bitvec(width, &value);
        Ok(Some(self.terms.head(literal)))
    }

    fn qualified_identifier(&mut self, open: Token<'a>) -> Result<PendingHead, ErrorAt> {
        let first = self.lexer.peek()?;
        if !first.is_name() && first.kind != TokenKind::Open {
            return Err(first.unexpected("an identifier"));
        }
        self.lexer.skip_expression()?;
        let sort = self.sort()?;
        let close = self.expect_close("`)` after the sort of `as`")?;
        if first.is_word("const") && matches!(self.terms.sort_of(sort), Sort::Array(..)) {
            return Ok(PendingHead::Decided(Head::Operator(Operator::ConstArray(sort))));
        }
        if first.is_name()
            && let Some(head) = self.declared_with_result(first.text, sort)
        {
            return Ok(PendingHead::Decided(head));
        }
        if first.is_name() && !self.is_qualifiable(first.text, sort) {
            return Err(ErrorAt::new(first.start, format!("unknown symbol `{}`", first.text)));
        }
        // A datatype without its parameters has no sort of its own, so this identifier is kept as written.
        let text = match sort {
            SortId::UNKNOWN => self.lexer.slice(open.start, close.end).to_owned(),
            _ if first.is_name() => {
                format!("(as {} {})", print::symbol_text(first.text), print::sort(&self.terms, sort))
            }
            _ => self.lexer.slice(open.start, close.end).to_owned(),
        };
        Ok(PendingHead::Decided(Head::Opaque(self.terms.ascribed_identifier(&text, sort))))
    }

    /// The declared function of this name with this result, for which `as` adds nothing.
    fn declared_with_result(&self, name: &str, result: SortId) -> Option<Head> {
        let name = self.terms.find_symbol(name)?;
        let fits = |symbol: &&SymbolId| {
            self.terms
                .function(**symbol)
                .is_some_and(|info| info.kind != FunctionKind::Datatype && info.result == result)
        };
        self.functions.all(name).find(fits).map(|symbol| Head::Function(*symbol))
    }

    /// Whether `as` may give this name this sort. Solvers print values of uninterpreted sorts as `(as @a U)`.
    fn is_qualifiable(&self, name: &str, sort: SortId) -> bool {
        let is_declared =
            self.terms.find_symbol(name).is_some_and(|symbol| self.functions.get(symbol).is_some());
        let is_opaque = matches!(self.terms.sort_of(sort), Sort::Opaque(_));
        is_declared || is_opaque || name == "const" || name.starts_with('@') || is_theory_name(name)
    }
}
