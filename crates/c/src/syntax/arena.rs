//! Arenas: vectors whose elements are named by 32-bit ids, and whose runs of elements are named by lists.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// Names one element of an [`Arena`]. `Option<Id<T>>` is as small as `Id<T>`.
pub struct Id<T> {
    number: NonZeroU32,
    marker: PhantomData<fn() -> T>,
}

/// Names a run of consecutive elements of an [`Arena`].
pub struct List<T> {
    start: u32,
    length: u32,
    marker: PhantomData<fn() -> T>,
}

/// A vector whose elements are named by [`Id`] and [`List`].
#[derive(Debug, Clone)]
pub struct Arena<T> {
    elements: Vec<T>,
}

impl<T> Id<T> {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.number.get() as usize - 1
    }

    /// The id of the element at a position. A position always fits in 32 bits because texts are below 4 GB.
    pub fn at(index: usize) -> Id<T> {
        Id { number: NonZeroU32::MIN.saturating_add(index as u32), marker: PhantomData }
    }
}

impl<T> List<T> {
    /// The list without elements.
    pub const EMPTY: List<T> = List { start: 0, length: 0, marker: PhantomData };

    /// The number of elements.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether there is no element.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// The ids of the elements.
    pub fn ids(self) -> impl DoubleEndedIterator<Item = Id<T>> + ExactSizeIterator {
        (self.start as usize..self.start as usize + self.len()).map(Id::at)
    }
}

impl<T> Arena<T> {
    /// An arena without elements.
    pub fn new() -> Arena<T> {
        Arena { elements: Vec::new() }
    }

    /// Appends an element and names it.
    pub fn push(&mut self, element: T) -> Id<T> {
        let id = Id::at(self.elements.len());
        self.elements.push(element);
        id
    }

    /// Appends a run of elements and names it.
    pub fn push_list(&mut self, elements: impl IntoIterator<Item = T>) -> List<T> {
        let start = self.elements.len();
        self.elements.extend(elements);
        List { start: start as u32, length: (self.elements.len() - start) as u32, marker: PhantomData }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// All elements, in order of insertion.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// The ids of all elements.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Id<T>> + ExactSizeIterator + use<T> {
        (0..self.elements.len()).map(Id::at)
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Arena<T> {
        Arena::new()
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;

    fn index(&self, id: Id<T>) -> &T {
        &self.elements[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.elements[id.index()]
    }
}

impl<T> Index<List<T>> for Arena<T> {
    type Output = [T];

    fn index(&self, list: List<T>) -> &[T] {
        &self.elements[list.start as usize..list.start as usize + list.len()]
    }
}

// The traits are written out because deriving them would require them of the element type.

impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Id<T>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Id<T>) -> std::cmp::Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", self.index())
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> PartialEq for List<T> {
    fn eq(&self, other: &List<T>) -> bool {
        (self.start, self.length) == (other.start, other.length)
    }
}

impl<T> Eq for List<T> {}

impl<T> Hash for List<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.start, self.length).hash(state);
    }
}

impl<T> fmt::Debug for List<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}+{}", self.start, self.length)
    }
}
