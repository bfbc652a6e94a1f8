//! Java: what a file imports, uses and defines.

use super::syntax::{Visitor, line_of, text_of, visit};
use super::{MentionKind, References, SourceText};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// The package of a file, its imports, the types that it defines with those inside of them, and the names that may be types:
/// wherever a type stands, in annotations, and before a dot unless a variable of the file is called so.
pub(super) fn references(source: &SourceText) -> References {
    let mut types = Types { text: source.text, ..Types::default() };
    types.found.unread = visit(source.text, &tree_sitter_java::LANGUAGE.into(), &mut types);
    types.finish()
}

#[derive(Default)]
struct Types<'a> {
    text: &'a [u8],
    found: References,
    /// The types around the current place.
    around: Vec<String>,
    used: FxHashSet<String>,
    /// What stands before a dot in an expression.
    qualifiers: FxHashSet<String>,
    variables: FxHashSet<String>,
    parameters: FxHashSet<String>,
    /// Where names stand that are seen from the type before them.
    inner: FxHashSet<usize>,
}

impl Visitor for Types<'_> {
    fn enter(&mut self, node: Node) -> bool {
        match node.kind() {
            "package_declaration" => self.found.package = self.last_name(node).unwrap_or_default().into(),
            "import_declaration" => self.import(node),
            "type_identifier" => self.simple_type(node),
            "scoped_type_identifier" => return self.scoped_type(node),
            "marker_annotation" | "annotation" => self.annotation(node),
            "method_invocation" | "field_access" => return self.member(node),
            "method_reference" => self.qualifier(node.named_child(0)),
            "type_parameter" => self.parameter(node),
            "inferred_parameters" | "lambda_expression" => self.lambda(node),
            "variable_declarator"
            | "formal_parameter"
            | "catch_formal_parameter"
            | "resource"
            | "enhanced_for_statement"
            | "enum_constant" => self.variable(node.child_by_field_name("name")),
            kind if is_type_declaration(kind) => self.declare(node),
            _ => {}
        }
        !matches!(node.kind(), "package_declaration" | "import_declaration")
    }

    fn leave(&mut self, node: Node) {
        if is_type_declaration(node.kind()) {
            self.around.pop();
        }
    }
}

fn is_type_declaration(kind: &str) -> bool {
    matches!(
        kind,
        "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration"
    )
}

/// A longer chain of names is not the name of a type.
const LONGEST_NAME: usize = 1000;

impl Types<'_> {
    fn text(&self, node: Node) -> String {
        text_of(self.text, node).into_owned()
    }

    /// The text of a node that consists of names and dots only.
    fn dotted(&self, node: Node) -> Option<String> {
        let range = node.byte_range();
        if range.len() > LONGEST_NAME {
            return None;
        }
        let text: String = self.text(node).chars().filter(|letter| !letter.is_whitespace()).collect();
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '$');
        text.chars().all(is_name).then_some(text)
    }

    fn last_name(&self, node: Node) -> Option<String> {
        let mut cursor = node.walk();
        let names = node.named_children(&mut cursor);
        let name = names.filter(|child| matches!(child.kind(), "identifier" | "scoped_identifier")).last()?;
        self.dotted(name)
    }

    /// `import static a.B.c;` and `import a.*;`
    fn import(&mut self, node: Node) {
        let mut cursor = node.walk();
        let is_on_demand = node.named_children(&mut cursor).any(|child| child.kind() == "asterisk");
        let kind = if is_on_demand { MentionKind::OnDemand } else { MentionKind::Import };
        if let Some(name) = self.last_name(node) {
            self.found.mention(kind, line_of(node), &name);
        }
    }

    fn simple_type(&mut self, node: Node) {
        if !self.inner.remove(&node.start_byte()) {
            let name = self.text(node);
            self.used.insert(name);
        }
    }

    /// `a.b.C`, or `Outer<T>.Inner`, where `Inner` is no name by itself.
    fn scoped_type(&mut self, node: Node) -> bool {
        if let Some(name) = self.dotted(node) {
            self.used.insert(name);
            return false;
        }
        let last = u32::try_from(node.named_child_count().saturating_sub(1)).unwrap_or(0);
        self.inner.extend(node.named_child(last as usize).map(|child| child.start_byte()));
        true
    }

    fn annotation(&mut self, node: Node) {
        let name = node.child_by_field_name("name").and_then(|name| self.dotted(name));
        self.used.extend(name);
    }

    /// `a.b.c` or `a.b.c()`: what stands before the last dot may be a type.
    fn member(&mut self, node: Node) -> bool {
        let object = node.child_by_field_name("object");
        self.qualifier(object);
        node.kind() != "field_access" || object.is_none_or(|object| object.kind() != "identifier")
    }

    fn qualifier(&mut self, node: Option<Node>) {
        let node = node.filter(|node| matches!(node.kind(), "identifier" | "field_access"));
        let name = node.and_then(|node| self.dotted(node));
        self.qualifiers.extend(name);
    }

    fn parameter(&mut self, node: Node) {
        let mut cursor = node.walk();
        let name = node.named_children(&mut cursor).find(|child| child.kind() == "type_identifier");
        self.parameters.extend(name.map(|name| self.text(name)));
    }

    fn variable(&mut self, name: Option<Node>) {
        let name = name.map(|name| self.text(name));
        self.variables.extend(name);
    }

    fn lambda(&mut self, node: Node) {
        let parameters = node.child_by_field_name("parameters").unwrap_or(node);
        if parameters.kind() == "identifier" {
            self.variable(Some(parameters));
        }
        if node.kind() == "inferred_parameters" {
            let mut cursor = node.walk();
            let names: Vec<Node> = node.named_children(&mut cursor).collect();
            names.into_iter().for_each(|name| self.variable(Some(name)));
        }
    }

    fn declare(&mut self, node: Node) {
        let name = node.child_by_field_name("name").map(|name| self.text(name)).unwrap_or_default();
        self.around.push(name);
        // No program nests so deeply. The names of a hostile text would take space quadratic in its length.
        if self.around.len() <= 50 {
            self.found.definitions.push(self.around.join(".").into());
        }
    }

    fn finish(mut self) -> References {
        let is_value = |name: &String| self.variables.contains(name.split('.').next().unwrap_or(""));
        self.qualifiers.retain(|name| !is_value(name));
        let mut names: Vec<String> = self.used.into_iter().chain(self.qualifiers).collect();
        names.sort_unstable();
        for name in names.iter().filter(|name| !self.parameters.contains(*name)) {
            self.found.mention(MentionKind::Use, 0, name);
        }
        self.found
    }
}
