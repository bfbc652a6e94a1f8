//! Go: what a file imports.

use super::syntax::{Visitor, line_of, literal, text_of, visit};
use super::{MentionKind, References, SourceText};
use tree_sitter::Node;

/// The package of a file and the paths that it imports.
pub(super) fn references(source: &SourceText) -> References {
    let mut imports = Imports { text: source.text, found: References::default() };
    imports.found.unread = visit(source.text, &tree_sitter_go::LANGUAGE.into(), &mut imports);
    imports.found
}

struct Imports<'a> {
    text: &'a [u8],
    found: References,
}

impl Visitor for Imports<'_> {
    fn enter(&mut self, node: Node) -> bool {
        match node.kind() {
            "package_clause" => {
                let name = node.named_child(0).map(|name| text_of(self.text, name));
                self.found.package = name.unwrap_or_default().into();
            }
            "import_spec" => {
                let path = node.child_by_field_name("path");
                if let Some(path) = path.and_then(|path| literal(self.text, path)) {
                    self.found.mention(MentionKind::Import, line_of(node), &path);
                }
            }
            "source_file" | "ERROR" | "import_declaration" | "import_spec_list" => return true,
            _ => {}
        }
        false
    }
}
