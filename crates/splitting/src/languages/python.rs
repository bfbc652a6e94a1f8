//! Python: what a file imports.

use super::syntax::{Visitor, line_of, literal, parse, text_of, walk};
use super::{MentionKind, References, SourceText};
use tree_sitter::Node;

/// All imports of a file, wherever they stand: in functions, in `if TYPE_CHECKING`, and as calls of
/// `importlib.import_module` and `__import__` with a literal.
///
/// `from a import b` mentions the module `a`, and `a.b`, which may be a module or a name inside of `a`.
pub(super) fn references(source: &SourceText) -> References {
    let mut imports = Imports { text: source.text, found: References::default() };
    match parse(source.text, &tree_sitter_python::LANGUAGE.into()) {
        Ok(tree) => walk(&tree, &mut imports),
        Err(reason) => imports.found.unread = Some(reason.into()),
    }
    imports.found
}

/// A longer name is not that of a module: hostile texts would have names of a length that grows with their own.
const LONGEST_MODULE: usize = 1000;

struct Imports<'a> {
    text: &'a [u8],
    found: References,
}

impl Visitor for Imports<'_> {
    fn enter(&mut self, node: Node) -> bool {
        match node.kind() {
            "import_statement" => self.import(node),
            "import_from_statement" => self.import_from(node),
            "call" => self.call(node),
            _ => return true,
        }
        node.kind() == "call"
    }
}

impl Imports<'_> {
    /// `import a.b, c as d`
    fn import(&mut self, statement: Node) {
        for name in self.names(statement) {
            self.found.mention(MentionKind::Import, line_of(statement), &name);
        }
    }

    /// `from ..a import b as c, d`
    fn import_from(&mut self, statement: Node) {
        let Some(module) = statement.child_by_field_name("module_name") else { return };
        if module.byte_range().len() > LONGEST_MODULE {
            return;
        }
        let module = self.dotted(module);
        self.found.mention(MentionKind::Import, line_of(statement), &module);
        let dot = if module.ends_with('.') { "" } else { "." };
        for name in self.names(statement) {
            self.found.mention(MentionKind::Member, line_of(statement), &format!("{module}{dot}{name}"));
        }
    }

    /// `importlib.import_module("a.b")`. A relative name depends on the second argument, which is rarely another package
    /// than the file's own: what it leads to is a module, or nothing.
    fn call(&mut self, call: Node) {
        let Some(function) = call.child_by_field_name("function") else { return };
        // A chain of calls has all calls before the last one in its function.
        if function.byte_range().len() > LONGEST_MODULE {
            return;
        }
        let function = self.dotted(function);
        if !matches!(function.as_str(), "importlib.import_module" | "import_module" | "__import__") {
            return;
        }
        let argument = call.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
        let Some(name) =
            argument.filter(|node| node.kind() == "string").and_then(|node| literal(self.text, node))
        else {
            return;
        };
        let kind = if name.starts_with('.') { MentionKind::Member } else { MentionKind::Import };
        if is_dotted_name(&name) {
            self.found.mention(kind, line_of(call), &name);
        }
    }

    fn names(&self, statement: Node) -> Vec<String> {
        let mut cursor = statement.walk();
        let names = statement.children_by_field_name("name", &mut cursor);
        names.map(|name| self.dotted(name.child_by_field_name("name").unwrap_or(name))).collect()
    }

    /// A dotted name without the white space and comments that may stand in it.
    fn dotted(&self, node: Node) -> String {
        let text = text_of(self.text, node);
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        lines.flat_map(str::chars).filter(|letter| !letter.is_whitespace() && *letter != '\\').collect()
    }
}

/// True for `a.b`, `..a` and the like.
fn is_dotted_name(name: &str) -> bool {
    let name = name.trim_start_matches('.');
    !name.is_empty()
        && name
            .split('.')
            .all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
}
