//! The expressions of a model's text. The tree is flat, so no depth of nesting can exhaust the stack.

use crate::model::reader::ModelError;
use crate::parse::lexer::{Lexer, Token, TokenKind};

/// The number of an expression in its [`Expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExpressionId(usize);

#[derive(Debug)]
pub(crate) enum Expression<'a> {
    Atom(Token<'a>),
    List(Vec<ExpressionId>),
}

/// All expressions of a text.
#[derive(Debug)]
pub(crate) struct Expressions<'a> {
    nodes: Vec<Expression<'a>>,
    top: Vec<ExpressionId>,
}

impl<'a> Expressions<'a> {
    /// Reads a text; comments are skipped.
    pub(crate) fn read(text: &'a str) -> Result<Expressions<'a>, ModelError> {
        let mut lexer = Lexer::new(text);
        let mut nodes = Vec::new();
        let mut open: Vec<Vec<ExpressionId>> = vec![Vec::new()];
        loop {
            let token = lexer.next().map_err(|error| ModelError::new(None, error.locate("model", text)))?;
            let node = match token.kind {
                TokenKind::End => break,
                TokenKind::Open => {
                    open.push(Vec::new());
                    continue;
                }
                TokenKind::Close if open.len() == 1 => {
                    return Err(ModelError::new(None, "expected the end of the model, found `)`"));
                }
                TokenKind::Close => Expression::List(open.pop().unwrap_or_default()),
                _ => Expression::Atom(token),
            };
            nodes.push(node);
            if let Some(list) = open.last_mut() {
                list.push(ExpressionId(nodes.len() - 1));
            }
        }
        if open.len() > 1 {
            return Err(ModelError::new(None, "the model ends inside an expression; its output was cut"));
        }
        Ok(Expressions { nodes, top: open.pop().unwrap_or_default() })
    }

    /// The expressions that are inside no other.
    pub(crate) fn top(&self) -> &[ExpressionId] {
        &self.top
    }

    /// All lists, in the order in which they end.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &[ExpressionId]> {
        self.nodes.iter().filter_map(|node| match node {
            Expression::List(items) => Some(items.as_slice()),
            Expression::Atom(_) => None,
        })
    }

    /// All atoms in the order of the text.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = &Token<'a>> {
        self.nodes.iter().filter_map(|node| match node {
            Expression::Atom(token) => Some(token),
            Expression::List(_) => None,
        })
    }

    pub(crate) fn get(&self, id: ExpressionId) -> &Expression<'a> {
        &self.nodes[id.0]
    }

    /// The items, if it is a list.
    pub(crate) fn list(&self, id: ExpressionId) -> Option<&[ExpressionId]> {
        match self.get(id) {
            Expression::List(items) => Some(items),
            Expression::Atom(_) => None,
        }
    }

    /// The text of an atom that is a symbol.
    pub(crate) fn symbol(&self, id: ExpressionId) -> Option<&'a str> {
        match self.get(id) {
            Expression::Atom(token) if token.is_name() => Some(token.text),
            _ => None,
        }
    }

    /// The number, if it is a numeral that fits.
    pub(crate) fn number(&self, id: ExpressionId) -> Option<u32> {
        match self.get(id) {
            Expression::Atom(token) if token.kind == TokenKind::Numeral => token.text.parse().ok(),
            _ => None,
        }
    }

    /// The symbols of all atoms inside an expression.
    pub(crate) fn symbols_inside(&self, id: ExpressionId) -> Vec<&'a str> {
        let (mut pending, mut found) = (vec![id], Vec::new());
        while let Some(id) = pending.pop() {
            match self.get(id) {
                Expression::List(items) => pending.extend(items),
                Expression::Atom(_) => found.extend(self.symbol(id)),
            }
        }
        found
    }

    /// The names that `let`, `lambda` and quantifiers bind inside an expression.
    pub(crate) fn symbols_bound_inside(&self, id: ExpressionId) -> Vec<&'a str> {
        let (mut pending, mut found) = (vec![id], Vec::new());
        while let Some(id) = pending.pop() {
            let Some(items) = self.list(id) else { continue };
            pending.extend(items);
            if let [word, bindings, _] = items
                && matches!(self.symbol(*word), Some("let" | "lambda" | "forall" | "exists"))
            {
                let bindings = self.list(*bindings).unwrap_or_default();
                let names = bindings.iter().filter_map(|binding| self.list(*binding)?.first());
                found.extend(names.filter_map(|name| self.symbol(*name)));
            }
        }
        found
    }

    /// The text of an expression, short enough for a message.
    pub(crate) fn excerpt(&self, id: ExpressionId) -> String {
        let (mut pending, mut words) = (vec![id], Vec::new());
        while let Some(id) = pending.pop() {
            match self.get(id) {
                Expression::List(items) => pending.extend(items.iter().rev()),
                Expression::Atom(token) => words.push(token.text),
            }
            if words.len() > 8 {
                words.push("...");
                break;
            }
        }
        words.join(" ")
    }
}
