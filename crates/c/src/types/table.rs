//! The table of types, in which each type exists once.

use crate::syntax::arena::{Arena, List};
use crate::syntax::span::Span;
use crate::types::{
    ArrayLength, DataModel, Enumeration, FunctionStyle, IntegerKind, Member, Qualifiers, RealKind, Record,
    Type, TypeKind,
};
use rustc_hash::FxHashMap;

/// All types of a program.
#[derive(Debug, Clone)]
pub struct Types {
    /// The sizes of the basic types.
    pub data_model: DataModel,
    /// The structures and unions.
    pub records: Arena<Record>,
    /// The enumerations.
    pub enumerations: Arena<Enumeration>,
    pub(crate) entries: Vec<Entry>,
    interned: FxHashMap<(TypeKind, u32), u32>,
    parameters: Arena<Type>,
    parameter_lists: FxHashMap<Box<[Type]>, List<Type>>,
    va_list: Type,
}

/// What is known about one interned type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) kind: TypeKind,
    /// The alignment that the attribute `aligned` gave to the type, or 0.
    pub(crate) aligned: u32,
    /// The nesting depth of pointers, arrays and functions in it.
    depth: u32,
    /// The number of types in it, each counted as often as it is written out; see [`Types::weight`].
    weight: u32,
    /// The pointer to this type, once made. It is needed very often.
    pointer: Option<Type>,
}

/// The kinds of the types that have constants, in the order of their indices.
const BASIC: [TypeKind; 28] = {
    use {IntegerKind as I, RealKind as R, TypeKind as T};
    [
        T::Void,
        T::Bool,
        T::Integer(I::Char),
        T::Integer(I::SignedChar),
        T::Integer(I::UnsignedChar),
        T::Integer(I::Short),
        T::Integer(I::UnsignedShort),
        T::Integer(I::Int),
        T::Integer(I::UnsignedInt),
        T::Integer(I::Long),
        T::Integer(I::UnsignedLong),
        T::Integer(I::LongLong),
        T::Integer(I::UnsignedLongLong),
        T::Integer(I::Int128),
        T::Integer(I::UnsignedInt128),
        T::Real(R::Float16),
        T::Real(R::Float),
        T::Real(R::Double),
        T::Real(R::LongDouble),
        T::Real(R::Float32),
        T::Real(R::Float64),
        T::Real(R::Float128),
        T::Real(R::Float32x),
        T::Real(R::Float64x),
        T::Real(R::Decimal32),
        T::Real(R::Decimal64),
        T::Real(R::Decimal128),
        T::NullPointer,
    ]
};

impl Types {
    /// The basic types and `__builtin_va_list`.
    pub fn new(data_model: DataModel) -> Types {
        let mut types = Types {
            data_model,
            records: Arena::new(),
            enumerations: Arena::new(),
            entries: Vec::new(),
            interned: FxHashMap::default(),
            parameters: Arena::new(),
            parameter_lists: FxHashMap::default(),
            va_list: Type::VOID,
        };
        for kind in BASIC {
            types.intern(kind);
        }
        types.va_list = types.make_va_list();
        types
    }

    /// The number of different types.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no type; never, since the basic ones are always there.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The kind of a type, regardless of its qualifiers.
    pub fn kind(&self, r#type: Type) -> TypeKind {
        self.entries[r#type.index()].kind
    }

    /// The type `__builtin_va_list`: an array of one structure, or `char *` for [`DataModel::Ilp32`].
    pub fn va_list(&self) -> Type {
        self.va_list
    }

    /// The type of `sizeof`.
    pub fn size_type(&self) -> Type {
        match self.data_model {
            DataModel::Lp64 => Type::UNSIGNED_LONG,
            DataModel::Ilp32 => Type::UNSIGNED_INT,
        }
    }

    /// The type of a difference of pointers.
    pub fn difference_type(&self) -> Type {
        match self.data_model {
            DataModel::Lp64 => Type::LONG,
            DataModel::Ilp32 => Type::INT,
        }
    }

    /// The type `wchar_t`.
    pub fn wide_character_type(&self) -> Type {
        match self.data_model {
            DataModel::Lp64 => Type::INT,
            DataModel::Ilp32 => Type::LONG,
        }
    }

    /// The types in a parameter list.
    pub fn parameters(&self, list: List<Type>) -> &[Type] {
        &self.parameters[list]
    }

    /// The type of a kind.
    pub fn intern(&mut self, kind: TypeKind) -> Type {
        self.intern_aligned(kind, 0)
    }

    fn intern_aligned(&mut self, kind: TypeKind, aligned: u32) -> Type {
        let next = self.entries.len();
        let index = *self.interned.entry((kind, aligned)).or_insert(next as u32) as usize;
        if index == next {
            let (depth, weight) = (self.depth_of(kind), self.weight_of(kind));
            self.entries.push(Entry { kind, aligned, depth, weight, pointer: None });
        }
        Type::at(index)
    }

    fn depth_of(&self, kind: TypeKind) -> u32 {
        match kind {
            TypeKind::Pointer(inner)
            | TypeKind::Complex(inner)
            | TypeKind::Array { element: inner, .. }
            | TypeKind::Vector { element: inner, .. } => self.depth(inner) + 1,
            TypeKind::Function { result, parameters, .. } => {
                let parameters = self.parameters[parameters].iter().map(|parameter| self.depth(*parameter));
                parameters.fold(self.depth(result), u32::max) + 1
            }
            _ => 0,
        }
    }

    fn weight_of(&self, kind: TypeKind) -> u32 {
        let inner = match kind {
            TypeKind::Pointer(inner)
            | TypeKind::Complex(inner)
            | TypeKind::Array { element: inner, .. }
            | TypeKind::Vector { element: inner, .. } => self.entries[inner.index()].weight,
            TypeKind::Function { result, parameters, .. } => {
                let parameters = self.parameters[parameters].iter();
                let weights = parameters.map(|parameter| self.entries[parameter.index()].weight);
                weights.fold(self.entries[result.index()].weight, u32::saturating_add)
            }
            _ => 0,
        };
        inner.saturating_add(1)
    }

    /// The number of types in a type, each counted as often as it occurs: types share their parts, but who compares or
    /// prints them, or looks at all members of a record, meets each occurrence. What a pointer leads to counts, unless it is
    /// a record. The parser keeps it small.
    pub(crate) fn weight(&self, r#type: Type) -> u32 {
        let mut innermost = r#type;
        while let TypeKind::Array { element, .. } = self.kind(innermost) {
            innermost = element;
        }
        match self.kind(innermost) {
            // Arrays of a record may have been made before its members were known.
            TypeKind::Record(id) => self.records[id].weight.saturating_add(self.depth(r#type)),
            _ => self.entries[r#type.index()].weight,
        }
    }

    /// The nesting depth of pointers, arrays and functions in a type. The parser keeps it small enough for recursive
    /// functions on types.
    pub(crate) fn depth(&self, r#type: Type) -> u32 {
        self.entries[r#type.index()].depth
    }

    /// The pointer to a type.
    pub fn pointer_to(&mut self, target: Type) -> Type {
        if !target.qualifiers().is_empty() {
            return self.intern(TypeKind::Pointer(target));
        }
        if let Some(pointer) = self.entries[target.index()].pointer {
            return pointer;
        }
        let pointer = self.intern(TypeKind::Pointer(target));
        self.entries[target.index()].pointer = Some(pointer);
        pointer
    }

    /// The array of a type.
    pub fn array_of(&mut self, element: Type, length: ArrayLength) -> Type {
        self.intern(TypeKind::Array { element, length })
    }

    /// The function type with these parameters.
    pub fn function(&mut self, result: Type, parameters: &[Type], style: FunctionStyle) -> Type {
        let list = match self.parameter_lists.get(parameters) {
            Some(list) => *list,
            None => {
                let list = self.parameters.push_list(parameters.iter().copied());
                self.parameter_lists.insert(parameters.into(), list);
                list
            }
        };
        self.intern(TypeKind::Function { result, parameters: list, style })
    }

    /// The same type with another alignment, as the attribute `aligned` on a typedef makes it.
    pub fn aligned(&mut self, r#type: Type, alignment: u64) -> Type {
        let alignment = u32::try_from(alignment).unwrap_or(0);
        self.intern_aligned(self.kind(r#type), alignment).with(r#type.qualifiers())
    }

    /// The type of a value of this type: without qualifiers and without an alignment of its own.
    pub fn plain(&mut self, r#type: Type) -> Type {
        let entry = self.entries[r#type.index()];
        if entry.aligned == 0 { r#type.unqualified() } else { self.intern(entry.kind) }
    }

    /// The type with more qualifiers. Those of an array go to its elements.
    pub fn qualified(&mut self, r#type: Type, qualifiers: Qualifiers) -> Type {
        if qualifiers.is_empty() {
            return r#type;
        }
        // The arrays inside arrays are rebuilt from the inside out, without recursion.
        let mut lengths = Vec::new();
        let mut innermost = r#type;
        while let TypeKind::Array { element, length } = self.kind(innermost) {
            lengths.push(length);
            innermost = element;
        }
        let mut result = innermost.with(qualifiers);
        while let Some(length) = lengths.pop() {
            result = self.array_of(result, length);
        }
        result
    }

    /// True if an object of the type is this record or contains it.
    pub fn holds_record(&self, r#type: Type, id: crate::types::RecordId) -> bool {
        match self.kind(r#type) {
            TypeKind::Array { element, .. } => self.holds_record(element, id),
            TypeKind::Record(record) => {
                let mut members = self.records[record].members.iter();
                record == id || members.any(|member| self.holds_record(member.r#type, id))
            }
            _ => false,
        }
    }

    /// True if the type involves a record: it contains one, points to one, or is a function type with one.
    pub fn knows_records(&self, r#type: Type) -> bool {
        match self.kind(r#type) {
            TypeKind::Record(_) => true,
            TypeKind::Array { element: inner, .. } | TypeKind::Pointer(inner) => self.knows_records(inner),
            TypeKind::Function { result, parameters, .. } => {
                self.knows_records(result)
                    || self.parameters(parameters).iter().any(|parameter| self.knows_records(*parameter))
            }
            _ => false,
        }
    }

    /// True if an object of the type is a union or contains one.
    pub fn has_union(&self, r#type: Type) -> bool {
        match self.kind(r#type) {
            TypeKind::Array { element, .. } => self.has_union(element),
            TypeKind::Record(record) => {
                let record = &self.records[record];
                record.is_union || record.members.iter().any(|member| self.has_union(member.r#type))
            }
            _ => false,
        }
    }

    /// True if an object of this type has a constant member.
    pub fn has_constant_member(&self, r#type: Type) -> bool {
        match self.kind(r#type) {
            TypeKind::Array { element, .. } => self.has_constant_member(element),
            TypeKind::Record(record) => self.records[record].members.iter().any(|member| {
                self.qualifiers(member.r#type).contains(Qualifiers::CONST)
                    || self.has_constant_member(member.r#type)
            }),
            _ => false,
        }
    }

    /// The qualifiers of a type; those of an array are those of its elements.
    pub fn qualifiers(&self, r#type: Type) -> Qualifiers {
        let mut innermost = r#type;
        while let TypeKind::Array { element, .. } = self.kind(innermost) {
            innermost = element;
        }
        innermost.qualifiers()
    }

    fn make_va_list(&mut self) -> Type {
        if self.data_model == DataModel::Ilp32 {
            return self.pointer_to(Type::CHAR);
        }
        let pointer = self.pointer_to(Type::VOID);
        let member =
            |r#type| Member { name: None, r#type, width: None, offset: 0, aligned: 0, packed: false };
        let members =
            vec![member(Type::UNSIGNED_INT), member(Type::UNSIGNED_INT), member(pointer), member(pointer)];
        let record = self.records.push(Record {
            is_union: false,
            tag: None,
            typedef_name: None,
            members,
            complete: true,
            packed: false,
            transparent: false,
            weight: 1,
            size: Some(24),
            alignment: 8,
            span: Span::default(),
        });
        let record = self.intern(TypeKind::Record(record));
        self.array_of(record, ArrayLength::Known(1))
    }
}
