//! The meanings of names: tables by name with a log that undoes a scope's entries when it closes.

use crate::syntax::name::{Name, NameMap};
use crate::syntax::{EntityId, LabelId, ScopeId};
use crate::types::{EnumerationId, RecordId};

/// What a tag stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Record(RecordId),
    Enumeration(EnumerationId),
}

/// An entry and the depth of the scope that made it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound<T> {
    pub(crate) what: T,
    depth: u32,
}

/// An entry that was replaced.
enum Undo {
    Entity(Name, Option<Bound<EntityId>>),
    Tag(Name, Option<Bound<Tag>>),
    Label(Name, Option<LabelId>),
}

struct Open {
    scope: ScopeId,
    log_start: usize,
}

/// The names that are known at the current place.
pub(crate) struct ScopeTable {
    entities: NameMap<Option<Bound<EntityId>>>,
    tags: NameMap<Option<Bound<Tag>>>,
    labels: NameMap<Option<LabelId>>,
    log: Vec<Undo>,
    open: Vec<Open>,
    file: ScopeId,
}

/// The declarations of a scope, collected when it closes.
#[derive(Default)]
pub(crate) struct Closed {
    pub(crate) entities: Vec<EntityId>,
    pub(crate) tags: Vec<(Name, Tag)>,
}

impl ScopeTable {
    pub(crate) fn new(file: ScopeId) -> ScopeTable {
        ScopeTable {
            entities: NameMap::new(None),
            tags: NameMap::new(None),
            labels: NameMap::new(None),
            log: Vec::new(),
            open: Vec::new(),
            file,
        }
    }

    pub(crate) fn current(&self) -> ScopeId {
        self.open.last().map_or(self.file, |open| open.scope)
    }

    pub(crate) fn is_at_file_scope(&self) -> bool {
        self.open.is_empty()
    }

    fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    pub(crate) fn open(&mut self, scope: ScopeId) {
        self.open.push(Open { scope, log_start: self.log.len() });
    }

    /// Closes the innermost scope and restores the earlier meanings of its names.
    pub(crate) fn close(&mut self, closed: &mut Closed) {
        closed.entities.clear();
        closed.tags.clear();
        let Some(open) = self.open.pop() else {
            return;
        };
        while self.log.len() > open.log_start {
            match self.log.pop() {
                Some(Undo::Entity(name, before)) => {
                    closed.entities.extend(self.entities.set(name, before).map(|bound| bound.what));
                }
                Some(Undo::Tag(name, before)) => {
                    closed.tags.extend(self.tags.set(name, before).map(|bound| (name, bound.what)));
                }
                Some(Undo::Label(name, before)) => {
                    self.labels.set(name, before);
                }
                None => break,
            }
        }
        closed.entities.reverse();
        closed.tags.reverse();
    }

    pub(crate) fn entity(&self, name: Name) -> Option<EntityId> {
        self.entities.get(name).map(|bound| bound.what)
    }

    /// The meaning of the name, if the innermost scope declares it.
    pub(crate) fn entity_here(&self, name: Name) -> Option<EntityId> {
        self.entities.get(name).filter(|bound| bound.depth == self.depth()).map(|bound| bound.what)
    }

    pub(crate) fn bind_entity(&mut self, name: Name, what: EntityId) {
        let before = self.entities.set(name, Some(Bound { what, depth: self.depth() }));
        if !self.open.is_empty() {
            self.log.push(Undo::Entity(name, before));
        }
    }

    /// Binds a name at file scope if no scope binds it, as an implicit declaration of a function does.
    pub(crate) fn bind_implicit(&mut self, name: Name, what: EntityId) {
        self.entities.set(name, Some(Bound { what, depth: 0 }));
    }

    pub(crate) fn tag(&self, name: Name) -> Option<Tag> {
        self.tags.get(name).map(|bound| bound.what)
    }

    /// The meaning of the tag, if the innermost scope declares it.
    pub(crate) fn tag_here(&self, name: Name) -> Option<Tag> {
        self.tags.get(name).filter(|bound| bound.depth == self.depth()).map(|bound| bound.what)
    }

    pub(crate) fn bind_tag(&mut self, name: Name, what: Tag) {
        let before = self.tags.set(name, Some(Bound { what, depth: self.depth() }));
        if !self.open.is_empty() {
            self.log.push(Undo::Tag(name, before));
        }
    }

    pub(crate) fn label(&self, name: Name) -> Option<LabelId> {
        self.labels.get(name)
    }

    /// Declares a label of the innermost block, as `__label__` does.
    pub(crate) fn bind_block_label(&mut self, name: Name, label: LabelId) {
        let before = self.labels.set(name, Some(label));
        self.log.push(Undo::Label(name, before));
    }

    /// Sets a label of the whole function; the function forgets it at its end.
    pub(crate) fn set_label(&mut self, name: Name, label: Option<LabelId>) {
        self.labels.set(name, label);
    }
}
