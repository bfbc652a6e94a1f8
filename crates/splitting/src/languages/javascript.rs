//! JavaScript and TypeScript: what a file imports.

use super::syntax::{Visitor, line_of, literal, parse, text_of, walk};
use super::{MentionKind, References, SourceText};
use tree_sitter::{Language, Node};

/// All modules that a file names: in `import` and `export … from`, in `import("…")`, `require("…")` and
/// `require.resolve("…")` with a literal, in `import x = require("…")`, in `declare module "./…"`, and in
/// `/// <reference path="…" />`.
pub(super) fn references(source: &SourceText) -> References {
    let mut imports = Imports { text: source.text, found: References::default() };
    match parse(source.text, &grammar(source.name)) {
        Ok(tree) => walk(&tree, &mut imports),
        Err(reason) => imports.found.unread = Some(reason.into()),
    }
    imports.found
}

fn grammar(name: &str) -> Language {
    let ending = name.rsplit('.').next().unwrap_or("");
    match ending {
        "ts" | "mts" | "cts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        "tsx" => tree_sitter_typescript::LANGUAGE_TSX.into(),
        _ => tree_sitter_javascript::LANGUAGE.into(),
    }
}

struct Imports<'a> {
    text: &'a [u8],
    found: References,
}

impl Visitor for Imports<'_> {
    fn enter(&mut self, node: Node) -> bool {
        match node.kind() {
            "import_statement" | "export_statement" | "import_require_clause" => {
                self.module(node.child_by_field_name("source"));
            }
            "module" => self.augmented(node),
            "call_expression" => self.call(node),
            "comment" => self.comment(node),
            _ => {}
        }
        true
    }
}

impl Imports<'_> {
    fn module(&mut self, node: Option<Node>) {
        let Some(node) = node.filter(|node| matches!(node.kind(), "string" | "template_string")) else {
            return;
        };
        if let Some(name) = literal(self.text, node) {
            self.found.mention(MentionKind::Import, line_of(node), &name);
        }
    }

    /// `declare module "./a"` adds to a module; `declare module "a"` may declare one.
    fn augmented(&mut self, node: Node) {
        let name = node.child_by_field_name("name");
        if name.and_then(|name| literal(self.text, name)).is_some_and(|name| name.starts_with('.')) {
            self.module(name);
        }
    }

    fn call(&mut self, call: Node) {
        let Some(function) = call.child_by_field_name("function") else { return };
        // A chain of calls has all calls before the last one in its function, so no text is made of it.
        let is_called = |name: &[u8]| self.text.get(function.byte_range()) == Some(name);
        let is_import = match function.kind() {
            "import" => true,
            "identifier" => is_called(b"require"),
            "member_expression" => is_called(b"require.resolve"),
            _ => false,
        };
        if is_import {
            self.module(call.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0)));
        }
    }

    /// `/// <reference path="a.ts" />` names a file, and `types="a"` a module.
    fn comment(&mut self, node: Node) {
        let text = text_of(self.text, node);
        let Some(reference) =
            text.strip_prefix("///").map(str::trim).and_then(|text| text.strip_prefix("<reference "))
        else {
            return;
        };
        if let Some(path) = attribute(reference, "path") {
            let path = if path.starts_with('.') { path.to_owned() } else { format!("./{path}") };
            self.found.mention(MentionKind::Import, line_of(node), &path);
        }
        if let Some(name) = attribute(reference, "types") {
            self.found.mention(MentionKind::Import, line_of(node), name);
        }
    }
}

/// The value of an attribute in a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, after) = tag.split_once(name)?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split_once(quote).map(|(value, _)| value)
}
