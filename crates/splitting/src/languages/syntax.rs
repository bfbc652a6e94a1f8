//! Syntax trees of files, made and walked in bounded time and without recursion.

use std::borrow::Cow;
use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Tree};

/// A larger file is not read: its tree would need some thirty times its size in memory.
const LARGEST_TEXT: usize = 16 << 20;

/// How many bytes there must be for each report of the parser that it is still at work, or it is stopped. It reports once in
/// a hundred steps; for usual texts that is once in a hundred bytes or less.
const BYTES_PER_REPORT: usize = 10;

/// The syntax tree of a text, or why there is none.
pub(super) fn parse(text: &[u8], grammar: &Language) -> Result<Tree, &'static str> {
    if text.len() > LARGEST_TEXT {
        return Err("it is larger than 16 MiB");
    }
    if text.contains(&0) {
        return Err("it holds zero bytes, as binary files do");
    }
    let mut parser = Parser::new();
    parser.set_language(grammar).map_err(|_| "its grammar does not suit the parser")?;
    let mut reports_left = 1000 + text.len() / BYTES_PER_REPORT;
    let mut must_stop = |_: &ParseState| {
        reports_left = reports_left.saturating_sub(1);
        reports_left == 0
    };
    let options = ParseOptions::new().progress_callback(&mut must_stop);
    let mut read = |offset: usize, _| text.get(offset..).unwrap_or_default();
    parser
        .parse_with_options(&mut read, None, Some(options))
        .ok_or("its parser was stopped because it took too long")
}

/// Something that walks through a tree.
pub(super) trait Visitor {
    /// Called for a node before those inside of it. They are left out if the answer is false, and so is `leave`.
    fn enter(&mut self, node: Node) -> bool;
    /// Called for a node after those inside of it.
    fn leave(&mut self, _node: Node) {}
}

/// Parses a text and walks through its tree. Returns why there is no tree, if there is none.
pub(super) fn visit(text: &[u8], grammar: &Language, visitor: &mut impl Visitor) -> Option<Box<str>> {
    match parse(text, grammar) {
        Ok(tree) => {
            walk(&tree, visitor);
            None
        }
        Err(reason) => Some(reason.into()),
    }
}

/// Walks through a tree in the order of the text.
pub(super) fn walk(tree: &Tree, visitor: &mut impl Visitor) {
    let mut cursor = tree.walk();
    loop {
        let goes_inside = visitor.enter(cursor.node());
        if goes_inside && cursor.goto_first_child() {
            continue;
        }
        if goes_inside {
            visitor.leave(cursor.node());
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            visitor.leave(cursor.node());
        }
    }
}

/// The text of a node.
pub(super) fn text_of<'a>(text: &'a [u8], node: Node) -> Cow<'a, str> {
    String::from_utf8_lossy(text.get(node.byte_range()).unwrap_or_default())
}

/// The line on which a node begins, counted from 1.
pub(super) fn line_of(node: Node) -> usize {
    node.start_position().row + 1
}

/// The text between the quotes of a literal that has neither escapes nor holes.
pub(super) fn literal<'a>(text: &'a [u8], node: Node) -> Option<Cow<'a, str>> {
    let mut cursor = node.walk();
    if node
        .named_children(&mut cursor)
        .any(|child| matches!(child.kind(), "escape_sequence" | "interpolation" | "template_substitution"))
    {
        return None;
    }
    let quoted = text_of(text, node);
    let quote = quoted.chars().next_back().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let start = quoted.find(quote)?;
    let inner = quoted[start..].trim_matches(quote);
    (quoted.len() > start + 1).then(|| Cow::Owned(inner.to_owned()))
}
