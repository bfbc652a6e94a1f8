//! Types as text: for messages, and as C declarations.

use crate::syntax::name::{Name, Names};
use crate::syntax::program::Program;
use crate::types::{ArrayLength, FunctionStyle, IntegerKind, Qualifiers, RealKind, Type, TypeKind, Types};

/// How to write a type that C cannot spell.
#[derive(Clone, Copy)]
struct Speller<'a> {
    types: &'a Types,
    names: &'a Names,
    /// Whether to give up on such a type instead of describing it.
    exact: bool,
}

impl Types {
    /// The type as messages show it.
    pub fn text(&self, names: &Names, r#type: Type) -> String {
        let speller = Speller { types: self, names, exact: false };
        speller.declare(r#type, String::new()).unwrap_or_default()
    }

    /// C text that declares `name` with this type, or the type itself if the name is empty. Returns `None` if a part
    /// of the type has no name or has a variable length. Tags and typedef names are used whether or not they are in
    /// scope.
    pub fn declaration_text(&self, names: &Names, r#type: Type, name: &str) -> Option<String> {
        Speller { types: self, names, exact: true }.declare(r#type, name.to_owned())
    }
}

impl Program {
    /// The type as messages show it.
    pub fn type_text(&self, r#type: Type) -> String {
        self.types.text(&self.names, r#type)
    }

    /// C text that declares `name` with this type: see [`Types::declaration_text`].
    pub fn declaration_text(&self, r#type: Type, name: &str) -> Option<String> {
        self.types.declaration_text(&self.names, r#type, name)
    }
}

impl Speller<'_> {
    /// Puts the declarator around the name from the inside out.
    fn declare(self, r#type: Type, name: String) -> Option<String> {
        let mut declarator = name;
        let mut current = r#type;
        loop {
            match self.types.kind(current) {
                TypeKind::Pointer(target) => {
                    let qualifiers = qualifier_text(current.qualifiers());
                    let space = if qualifiers.is_empty() || declarator.is_empty() { "" } else { " " };
                    declarator = format!("*{qualifiers}{space}{declarator}");
                    current = target;
                }
                TypeKind::Array { element, length } => {
                    declarator = format!("{}[{}]", grouped(declarator), self.length(length)?);
                    current = element;
                }
                TypeKind::Function { result, parameters, style } => {
                    declarator = format!("{}({})", grouped(declarator), self.parameters(parameters, style)?);
                    current = result;
                }
                _ => break,
            }
        }
        let mut text = qualifier_text(current.qualifiers());
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&self.base(current)?);
        if !declarator.is_empty() {
            text.push(' ');
            text.push_str(&declarator);
        }
        Some(text)
    }

    fn length(self, length: ArrayLength) -> Option<String> {
        match length {
            ArrayLength::Known(length) => Some(length.to_string()),
            ArrayLength::Unknown => Some(String::new()),
            ArrayLength::Variable(_) | ArrayLength::Star if self.exact => None,
            ArrayLength::Variable(_) | ArrayLength::Star => Some("*".to_owned()),
        }
    }

    fn parameters(self, list: crate::syntax::arena::List<Type>, style: FunctionStyle) -> Option<String> {
        let types = self.types.parameters(list);
        let mut parts = Vec::new();
        for r#type in types {
            parts.push(self.declare(*r#type, String::new())?);
        }
        match style {
            FunctionStyle::Unspecified => return Some(String::new()),
            FunctionStyle::Variadic => parts.push("...".to_owned()),
            FunctionStyle::Fixed if parts.is_empty() => parts.push("void".to_owned()),
            FunctionStyle::Fixed => {}
        }
        Some(parts.join(", "))
    }

    fn base(self, r#type: Type) -> Option<String> {
        Some(match self.types.kind(r#type) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Integer(kind) => integer_text(kind).to_owned(),
            TypeKind::Real(kind) => real_text(kind).to_owned(),
            TypeKind::Complex(part) => format!("_Complex {}", self.base(part)?),
            TypeKind::NullPointer => "__typeof__(nullptr)".to_owned(),
            TypeKind::Enumeration(id) => {
                let enumeration = &self.types.enumerations[id];
                self.tagged("enum", enumeration.tag, enumeration.typedef_name)?
            }
            TypeKind::Record(id) => {
                let record = &self.types.records[id];
                let keyword = if record.is_union { "union" } else { "struct" };
                self.tagged(keyword, record.tag, record.typedef_name)?
            }
            TypeKind::Vector { element, .. } => {
                let size = self.types.size(r#type.unqualified())?;
                format!("{} __attribute__((vector_size({size})))", self.base(element)?)
            }
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function { .. } => return None,
        })
    }

    fn tagged(self, keyword: &str, tag: Option<Name>, typedef_name: Option<Name>) -> Option<String> {
        match (tag, typedef_name) {
            (Some(tag), _) => Some(format!("{keyword} {}", self.names.text(tag))),
            (None, Some(name)) => Some(self.names.text(name).into_owned()),
            (None, None) if self.exact => None,
            (None, None) => Some(format!("{keyword} (unnamed)")),
        }
    }
}

/// A declarator that begins with a star needs parentheses before a suffix.
fn grouped(declarator: String) -> String {
    if declarator.starts_with('*') { format!("({declarator})") } else { declarator }
}

fn qualifier_text(qualifiers: Qualifiers) -> String {
    let words = [
        (Qualifiers::CONST, "const"),
        (Qualifiers::VOLATILE, "volatile"),
        (Qualifiers::RESTRICT, "__restrict"),
        (Qualifiers::ATOMIC, "_Atomic"),
        (Qualifiers::SEG_FS, "__seg_fs"),
        (Qualifiers::SEG_GS, "__seg_gs"),
    ];
    let present: Vec<&str> = words
        .iter()
        .filter(|(qualifier, _)| qualifiers.contains(*qualifier))
        .map(|(_, word)| *word)
        .collect();
    present.join(" ")
}

fn integer_text(kind: IntegerKind) -> &'static str {
    use IntegerKind as I;
    match kind {
        I::Char => "char",
        I::SignedChar => "signed char",
        I::UnsignedChar => "unsigned char",
        I::Short => "short",
        I::UnsignedShort => "unsigned short",
        I::Int => "int",
        I::UnsignedInt => "unsigned int",
        I::Long => "long",
        I::UnsignedLong => "unsigned long",
        I::LongLong => "long long",
        I::UnsignedLongLong => "unsigned long long",
        I::Int128 => "__int128",
        I::UnsignedInt128 => "unsigned __int128",
    }
}

fn real_text(kind: RealKind) -> &'static str {
    use RealKind as R;
    match kind {
        R::Float16 => "_Float16",
        R::Float => "float",
        R::Double => "double",
        R::LongDouble => "long double",
        R::Float32 => "_Float32",
        R::Float64 => "_Float64",
        R::Float128 => "_Float128",
        R::Float32x => "_Float32x",
        R::Float64x => "_Float64x",
        R::Decimal32 => "_Decimal32",
        R::Decimal64 => "_Decimal64",
        R::Decimal128 => "_Decimal128",
    }
}
