//! C and C++: what a file includes, defines and uses.

use super::syntax::{Visitor, parse, text_of, walk};
use super::{MentionKind, References, SourceText, c_includes};
use rustc_hash::FxHashSet;
use tree_sitter::{Language, Node, Tree};

/// The headers that a file includes, the functions and variables with external linkage that it defines, and the names that it
/// uses, in the bodies of macros too.
///
/// For C++ a class `A`, or a namespace, of which members are defined outside of it counts as the definition `A::`, and each
/// mention of `A` as its use. A header is read as C, and as C++ if C does not fit.
pub(super) fn references(source: &SourceText) -> References {
    let mut found = References::default();
    if source.text.contains(&0) {
        found.unread = Some("it holds zero bytes, as binary files do".into());
        return found;
    }
    c_includes::find(source.text, &mut found);
    match read(source) {
        Ok((tree, is_cpp)) => Names::new(source.text, is_cpp).read(&tree, &mut found),
        Err(reason) => found.unread = Some(format!("only its #include lines were read: {reason}").into()),
    }
    found
}

/// The syntax tree, and whether it is one of C++.
fn read(source: &SourceText) -> Result<(Tree, bool), &'static str> {
    let ending = source.name.rsplit('.').next().unwrap_or("");
    let c: Language = tree_sitter_c::LANGUAGE.into();
    let cpp: Language = tree_sitter_cpp::LANGUAGE.into();
    match ending {
        "c" => Ok((parse(source.text, &c)?, false)),
        "h" => {
            let tree = parse(source.text, &c)?;
            if !tree.root_node().has_error() {
                return Ok((tree, false));
            }
            match parse(source.text, &cpp) {
                Ok(other) if !other.root_node().has_error() => Ok((other, true)),
                _ => Ok((tree, false)),
            }
        }
        _ => Ok((parse(source.text, &cpp)?, true)),
    }
}

/// The names in a file.
struct Names<'a> {
    text: &'a [u8],
    is_cpp: bool,
    defined: FxHashSet<String>,
    /// Names that mean something of this file: static functions and variables, macros, enumerators.
    own: FxHashSet<String>,
    used: FxHashSet<String>,
    /// What the function around the current place declares and uses; nothing outside of functions.
    function: Option<Function>,
    /// Where the names stand that are declared, and so not used.
    declared_at: FxHashSet<usize>,
    /// How many classes, templates and unnamed namespaces are around the current place.
    hidden: usize,
}

#[derive(Default)]
struct Function {
    end: usize,
    locals: FxHashSet<String>,
    used: FxHashSet<String>,
}

impl Visitor for Names<'_> {
    fn enter(&mut self, node: Node) -> bool {
        if hides(node) {
            self.hidden += 1;
        }
        match node.kind() {
            "function_definition" => self.function_definition(node),
            "declaration" => self.declaration(node),
            "parameter_declaration" | "optional_parameter_declaration" => self.parameter(node),
            "for_range_loop" => self.local(node.child_by_field_name("declarator")),
            "enumerator" => self.owned(node.child_by_field_name("name")),
            "preproc_def" | "preproc_function_def" => {
                self.macro_definition(node);
                return false;
            }
            "preproc_call" => return false,
            "preproc_ifdef" => self.mark(node.child_by_field_name("name")),
            "identifier" => self.identifier(node),
            "type_identifier" | "namespace_identifier" if self.is_cpp => self.scope(node),
            _ => {}
        }
        true
    }

    fn leave(&mut self, node: Node) {
        if hides(node) {
            self.hidden = self.hidden.saturating_sub(1);
        }
        if self
            .function
            .as_ref()
            .is_some_and(|function| node.kind() == "function_definition" && function.end == node.end_byte())
        {
            self.end_function();
        }
    }
}

/// True for what makes definitions inside of it invisible to the linker, or visible only where it is included.
fn hides(node: Node) -> bool {
    match node.kind() {
        "class_specifier" | "struct_specifier" | "union_specifier" | "template_declaration" => true,
        "namespace_definition" => node.child_by_field_name("name").is_none(),
        _ => false,
    }
}

impl<'a> Names<'a> {
    fn new(text: &'a [u8], is_cpp: bool) -> Names<'a> {
        Names {
            text,
            is_cpp,
            defined: FxHashSet::default(),
            own: FxHashSet::default(),
            used: FxHashSet::default(),
            function: None,
            declared_at: FxHashSet::default(),
            hidden: 0,
        }
    }

    fn read(mut self, tree: &Tree, found: &mut References) {
        walk(tree, &mut self);
        self.end_function();
        let (defined, own) = (&self.defined, &self.own);
        let is_foreign = |name: &&String| !defined.contains(*name) && !own.contains(*name);
        let mut used: Vec<&String> = self.used.iter().filter(is_foreign).collect();
        used.sort_unstable();
        used.into_iter().for_each(|name| found.mention(MentionKind::Use, 0, name));
        let mut defined: Vec<&String> = self.defined.iter().filter(|name| !own.contains(*name)).collect();
        defined.sort_unstable();
        found.definitions.extend(defined.into_iter().map(|name| name.as_str().into()));
    }

    fn text(&self, node: Node) -> String {
        text_of(self.text, node).into_owned()
    }

    /// True if the words before a declaration hold this one.
    fn has_word(&self, node: Node, word: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .filter(|child| matches!(child.kind(), "storage_class_specifier" | "type_qualifier"))
            .any(|child| text_of(self.text, child) == word)
    }

    fn function_definition(&mut self, node: Node) {
        let declarator = node.child_by_field_name("declarator").and_then(innermost);
        if let Some(declarator) = declarator
            && self.function.is_none()
            && self.hidden == 0
        {
            self.define(declarator, self.has_word(node, "static"), self.has_word(node, "inline"));
        }
        if let Some(declarator) = declarator {
            self.declared_at.insert(declarator.start_byte());
        }
        // What a grammar takes for a function in a function is a macro, as a rule.
        if self.function.is_none() {
            self.function = Some(Function { end: node.end_byte(), ..Function::default() });
        }
    }

    fn define(&mut self, declarator: Node, is_static: bool, is_inline: bool) {
        let name = match scope_of(declarator) {
            Some(scope) => format!("{}::", self.text(scope)),
            None => self.text(declarator),
        };
        if is_static {
            self.own.insert(name);
        } else if !is_inline {
            self.defined.insert(name);
        }
    }

    fn declaration(&mut self, node: Node) {
        let is_extern = self.has_word(node, "extern");
        // One declaration may have many declarators.
        let is_inline = self.has_word(node, "inline");
        let is_internal = self.has_word(node, "static")
            || self.is_cpp
                && !is_extern
                && (self.has_word(node, "const") || self.has_word(node, "constexpr"));
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(name) = innermost(declarator) else { continue };
            self.declared_at.insert(name.start_byte());
            let is_initialized = declarator.kind() == "init_declarator";
            let is_function = is_prototype(declarator);
            if let Some(function) = &mut self.function {
                if !is_function && !is_extern {
                    function.locals.insert(text_of(self.text, name).into_owned());
                }
            } else if is_internal {
                self.own.insert(self.text(name));
            } else if self.hidden == 0 && !is_function && (!is_extern || is_initialized) {
                self.define(name, false, is_inline);
            }
        }
    }

    fn parameter(&mut self, node: Node) {
        self.local(node.child_by_field_name("declarator"));
    }

    fn local(&mut self, declarator: Option<Node>) {
        let Some(name) = declarator.and_then(innermost) else { return };
        self.declared_at.insert(name.start_byte());
        if let Some(function) = &mut self.function {
            function.locals.insert(text_of(self.text, name).into_owned());
        }
    }

    /// A name with a meaning that ends with the file.
    fn owned(&mut self, name: Option<Node>) {
        self.mark(name);
        self.own.extend(name.map(|name| text_of(self.text, name).into_owned()));
    }

    fn mark(&mut self, name: Option<Node>) {
        self.declared_at.extend(name.map(|name| name.start_byte()));
    }

    fn identifier(&mut self, node: Node) {
        if !self.declared_at.remove(&node.start_byte()) {
            let name = self.text(node);
            self.use_name(name);
        }
    }

    /// A mention of a class or namespace.
    fn scope(&mut self, node: Node) {
        let name = format!("{}::", self.text(node));
        self.use_name(name);
    }

    fn use_name(&mut self, name: String) {
        match &mut self.function {
            Some(function) => function.used.insert(name),
            None => self.used.insert(name),
        };
    }

    /// A macro uses the words in its body that are not its parameters.
    fn macro_definition(&mut self, node: Node) {
        let text_of_field = |name| node.child_by_field_name(name).map(|child| text_of(self.text, child));
        let parameters = text_of_field("parameters").unwrap_or_default();
        let parameters: FxHashSet<&str> = words(&parameters).collect();
        let body = text_of_field("value").unwrap_or_default();
        self.used.extend(words(&body).filter(|word| !parameters.contains(word)).map(str::to_owned));
        self.own.extend(text_of_field("name").map(|name| name.into_owned()));
    }

    fn end_function(&mut self) {
        if let Some(function) = self.function.take() {
            self.used.extend(function.used.into_iter().filter(|name| !function.locals.contains(name)));
        }
    }
}

/// The names and keywords in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'))
}

/// The name that a declarator declares.
fn innermost(declarator: Node) -> Option<Node> {
    let mut node = declarator;
    loop {
        node = match node.kind() {
            "identifier" | "qualified_identifier" => return Some(node),
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                node.named_child(0)?
            }
            _ => node.child_by_field_name("declarator")?,
        };
    }
}

/// True if a declarator declares a function, and not a pointer to one.
fn is_prototype(declarator: Node) -> bool {
    let mut node = declarator;
    let mut is_function = false;
    loop {
        is_function = match node.kind() {
            "function_declarator" => true,
            "pointer_declarator" | "array_declarator" | "reference_declarator" => false,
            _ => is_function,
        };
        let inner = match node.kind() {
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                node.named_child(0)
            }
            _ => node.child_by_field_name("declarator"),
        };
        match inner {
            Some(inner) => node = inner,
            None => return is_function,
        }
    }
}

/// The last class or namespace before a name: `B` in `A::B::c`.
fn scope_of(name: Node) -> Option<Node> {
    let mut node = name;
    let mut scope = None;
    while node.kind() == "qualified_identifier" {
        scope = node.child_by_field_name("scope").or(scope);
        node = node.child_by_field_name("name")?;
    }
    match scope {
        Some(scope) if scope.kind() == "template_type" => scope.child_by_field_name("name"),
        scope => scope,
    }
}
