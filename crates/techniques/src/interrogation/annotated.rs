//! A program with checks and assumptions at its places.

use super::condition::Condition;
use super::material::Material;
use crate::checks::{Statuses, Unsettled};
use model::{Annotation, AnnotationKind, CInput};
use std::sync::Arc;

/// The annotations of a program, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// In the order of the text; those of one place in the order in which they are executed.
    pub items: Vec<Item>,
}

/// A check or an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The number of its place.
    pub place: usize,
    /// What it is.
    pub what: AnnotationKind,
    /// Its condition.
    pub condition: Condition,
    /// The same as text: an item occurs in many programs, and is printed once.
    text: Arc<str>,
}

impl Annotated {
    /// The input for analyzers.
    pub fn input(&self, material: &Material) -> CInput {
        let annotation = |item: &Item| {
            let place = material.places.get(item.place)?.offset;
            Some(Annotation::new(place, item.what, item.text.clone()))
        };
        CInput { annotations: self.items.iter().filter_map(annotation).collect(), ..material.bare() }
    }

    /// Adds an item at its place: as the `position`th of those that stand there, or as the last. Says where it
    /// stands among all.
    pub fn add(&mut self, item: Item, position: usize) -> usize {
        let first = self.items.partition_point(|other| other.place < item.place);
        let here = self.items.iter().skip(first).take_while(|other| other.place == item.place).count();
        let index = first + position.min(here);
        self.items.insert(index, item);
        index
    }

    /// The smallest number from 1 that no check has.
    pub fn free_number(&self) -> u32 {
        let mut used: Vec<u32> = self.checks().collect();
        used.sort_unstable();
        let mut free = 1;
        for number in used {
            free += u32::from(number == free);
        }
        free
    }

    /// The numbers of the checks.
    pub fn checks(&self) -> impl Iterator<Item = u32> {
        self.items.iter().filter_map(|item| item.check())
    }

    /// For each place of the program, whether a check fails there: what makes queries differ.
    pub fn profile(&self, places: usize, statuses: &Statuses, unsettled: Unsettled) -> Vec<bool> {
        let mut profile = vec![false; places];
        for item in &self.items {
            let status = item.check().and_then(|check| statuses.get(&check).copied());
            if status.and_then(|status| unsettled.fails(status)) == Some(true) {
                profile[item.place] = true;
            }
        }
        profile
    }
}

impl Item {
    /// An item at a place.
    pub fn new(place: usize, what: AnnotationKind, condition: Condition) -> Item {
        let text = condition.to_string().into();
        Item { place, what, condition, text }
    }

    /// The same with another condition.
    pub fn with(&self, condition: Condition) -> Item {
        Item::new(self.place, self.what, condition)
    }

    /// The number of the check, if it is one.
    pub fn check(&self) -> Option<u32> {
        match self.what {
            AnnotationKind::Check(number) => Some(number),
            AnnotationKind::Assume => None,
        }
    }
}
