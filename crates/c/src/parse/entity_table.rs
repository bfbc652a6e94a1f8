//! Creates entities and merges repeated declarations of the same entity.

use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::syntax::arena::List;
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::syntax::{Attribute, Entity, EntityId, EntityKind, Linkage, Storage};
use crate::types::{Type, TypeKind};

/// The entity that a declarator declares.
pub(crate) struct NewEntity {
    pub(crate) name: Name,
    pub(crate) kind: EntityKind,
    pub(crate) r#type: Type,
    pub(crate) storage: Storage,
    pub(crate) thread_local: bool,
    pub(crate) span: Span,
    pub(crate) name_start: u32,
    pub(crate) attributes: List<Attribute>,
    /// A function with a body inside another function; it has no linkage.
    pub(crate) is_nested_definition: bool,
}

impl Parser<'_> {
    /// Creates an entity of the current scope without binding its name.
    pub(crate) fn new_entity(&mut self, name: Name, kind: EntityKind, r#type: Type, span: Span) -> EntityId {
        self.program.entities.push(Entity {
            name,
            kind,
            r#type,
            storage: Storage::None,
            thread_local: false,
            linkage: Linkage::None,
            function: self.function,
            scope: self.scopes.current(),
            span,
            visible_from: self.previous_end,
            is_initialized: false,
            address_taken: false,
            attributes: List::EMPTY,
        })
    }

    /// Binds a name that must be new in its scope.
    pub(crate) fn bind_new(&mut self, name: Name, entity: EntityId, start: u32) -> Parse<()> {
        match self.scopes.entity_here(name) {
            Some(known) if self.program.entities[known].kind != EntityKind::ImplicitFunction => {
                let name = self.name_text(name);
                fail(start, format!("`{name}` is declared again in the same scope"))
            }
            _ => {
                self.scopes.bind_entity(name, entity);
                Ok(())
            }
        }
    }

    /// Declares a variable, function or typedef: a new entity, or another declaration of a known one.
    pub(crate) fn declare_entity(&mut self, new: NewEntity) -> Parse<EntityId> {
        let linkage = self.linkage(&new);
        let here = self.scopes.entity_here(new.name);
        let known = match (here, linkage) {
            (Some(known), _) => Some(known),
            (None, Linkage::None) => None,
            (None, _) => self.externals.get(new.name),
        };
        let entity = match known {
            Some(known) => self.declare_again(known, &new, linkage)?,
            None => self.declare_first(&new, linkage),
        };
        if here != Some(entity) {
            self.scopes.bind_entity(new.name, entity);
        }
        if linkage != Linkage::None {
            self.externals.set(new.name, Some(entity));
        }
        Ok(entity)
    }

    fn linkage(&self, new: &NewEntity) -> Linkage {
        let at_file_scope = self.scopes.is_at_file_scope();
        match (new.kind, new.storage) {
            (EntityKind::Typedef, _) => Linkage::None,
            _ if new.is_nested_definition => Linkage::None,
            (EntityKind::Function, Storage::Auto) => Linkage::None,
            (_, Storage::Static) if at_file_scope => Linkage::Internal,
            (_, Storage::Extern) | (EntityKind::Function, Storage::None) => {
                // `extern` takes over the linkage of an earlier declaration.
                let earlier = self.externals.get(new.name);
                earlier.map_or(Linkage::External, |entity| self.program.entities[entity].linkage)
            }
            _ if at_file_scope => Linkage::External,
            _ => Linkage::None,
        }
    }

    fn declare_first(&mut self, new: &NewEntity, linkage: Linkage) -> EntityId {
        let entity = self.new_entity(new.name, new.kind, new.r#type, new.span);
        let file_scope = self.program.file_scope;
        let node = &mut self.program.entities[entity];
        node.storage = new.storage;
        node.thread_local = new.thread_local;
        node.linkage = linkage;
        node.attributes = new.attributes;
        if linkage != Linkage::None {
            node.function = None;
            node.scope = file_scope;
        }
        entity
    }

    fn declare_again(&mut self, known: EntityId, new: &NewEntity, linkage: Linkage) -> Parse<EntityId> {
        let node = self.program.entities[known];
        if node.kind == EntityKind::ImplicitFunction {
            let entity = &mut self.program.entities[known];
            entity.kind = new.kind;
            entity.r#type = new.r#type;
            entity.storage = new.storage;
            entity.linkage = linkage;
            entity.span = new.span;
            entity.attributes = new.attributes;
            return Ok(known);
        }
        let is_nested_function = node.kind == EntityKind::Function && node.linkage == Linkage::None;
        let is_same_kind = node.kind == new.kind;
        let may_repeat = node.linkage != Linkage::None && linkage != Linkage::None
            || new.kind == EntityKind::Typedef
            || is_nested_function;
        if !is_same_kind || !may_repeat {
            let name = self.name_text(new.name);
            return fail(new.name_start, format!("`{name}` is declared again in the same scope"));
        }
        let composite = match new.kind {
            EntityKind::Typedef => node.r#type,
            _ => self.composite_declaration(node.r#type, new.r#type),
        };
        let joined = self.join_attributes(node.attributes, new.attributes);
        let entity = &mut self.program.entities[known];
        entity.r#type = composite;
        entity.attributes = joined;
        entity.thread_local |= new.thread_local;
        // A single declaration without `extern` makes it a definition here.
        if entity.storage == Storage::Extern {
            entity.storage = new.storage;
        }
        Ok(known)
    }

    fn composite_declaration(&mut self, known: Type, new: Type) -> Type {
        let types = &mut self.program.types;
        let keeps_known = matches!(types.kind(new), TypeKind::Function { .. } | TypeKind::Array { .. });
        if keeps_known { types.composite(known, new) } else { new }
    }

    /// The attributes of two declarations, without those of the second whose names the first has: headers repeat
    /// declarations with all their attributes, and the lists must not grow each time.
    fn join_attributes(&mut self, first: List<Attribute>, second: List<Attribute>) -> List<Attribute> {
        if first.is_empty() {
            return second;
        }
        let known = &self.program.attributes[first];
        let is_new = |new: &&Attribute| known.iter().all(|old| old.name != new.name);
        let new: Vec<Attribute> = self.program.attributes[second].iter().filter(is_new).copied().collect();
        if new.is_empty() {
            return first;
        }
        let joined: Vec<Attribute> = known.iter().copied().chain(new).collect();
        self.program.attributes.push_list(joined)
    }
}
