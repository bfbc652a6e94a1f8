//! Scopes: the meanings of names, with `push` and `pop`.

use crate::term::symbol::SymbolId;

const NONE: u32 = u32::MAX;

struct Entry<T> {
    name: SymbolId,
    meaning: T,
    /// The older entry of the same name.
    older: u32,
}

/// The meanings of names, newest first, that can be cut back to an earlier state.
pub(crate) struct Scope<T> {
    /// For each name its newest entry; may be shorter than the symbols.
    newest: Vec<u32>,
    entries: Vec<Entry<T>>,
}

impl<T> Scope<T> {
    pub(crate) fn new() -> Scope<T> {
        Scope { newest: Vec::new(), entries: Vec::new() }
    }

    /// Gives the name one more meaning.
    pub(crate) fn add(&mut self, name: SymbolId, meaning: T) {
        if self.newest.len() <= name.index() {
            self.newest.resize(name.index() + 1, NONE);
        }
        let older = self.newest[name.index()];
        self.newest[name.index()] = self.entries.len() as u32;
        self.entries.push(Entry { name, meaning, older });
    }

    /// The newest meaning of a name.
    pub(crate) fn get(&self, name: SymbolId) -> Option<&T> {
        self.all(name).next()
    }

    /// All meanings of a name, newest first.
    pub(crate) fn all(&self, name: SymbolId) -> impl Iterator<Item = &T> + '_ {
        let mut position = self.newest.get(name.index()).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let entry = self.entries.get(position as usize)?;
            position = entry.older;
            Some(&entry.meaning)
        })
    }

    /// The state to which [`Scope::cut`] can return.
    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Forgets everything that was added since the mark.
    pub(crate) fn cut(&mut self, mark: usize) {
        while self.entries.len() > mark {
            if let Some(entry) = self.entries.pop() {
                self.newest[entry.name.index()] = entry.older;
            }
        }
    }
}
