//! A program with checks and assumptions at its points.

use super::condition::Condition;
use super::material::Material;
use crate::checks::{Statuses, Unsettled};
use model::{Annotation, AnnotationKind, CInput};
use std::sync::Arc;

/// The annotations of a program, by point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// In the order of the text; those of one point in the order in which they are executed.
    pub items: Vec<Item>,
}

/// A check or an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The number of its point.
    pub point: usize,
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
            let point = material.points.get(item.point)?.offset;
            Some(Annotation::new(point, item.what, item.text.clone()))
        };
        CInput { annotations: self.items.iter().filter_map(annotation).collect(), ..material.bare() }
    }

    /// Adds an item at its point: as the `position`th of those that stand there, or as the last. Says where it
    /// stands among all.
    pub fn add(&mut self, item: Item, position: usize) -> usize {
        let first = self.items.partition_point(|other| other.point < item.point);
        let here = self.items.iter().skip(first).take_while(|other| other.point == item.point).count();
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

    /// For each point of the program, whether a check fails there: what makes queries differ.
    pub fn profile(&self, points: usize, statuses: &Statuses, unsettled: Unsettled) -> Vec<bool> {
        let mut profile = vec![false; points];
        for item in &self.items {
            let status = item.check().and_then(|check| statuses.get(&check).copied());
            if status.and_then(|status| unsettled.fails(status)) == Some(true) {
                profile[item.point] = true;
            }
        }
        profile
    }
}

impl Item {
    /// An item at a point.
    pub fn new(point: usize, what: AnnotationKind, condition: Condition) -> Item {
        let text = condition.to_string().into();
        Item { point, what, condition, text }
    }

    /// The same with another condition.
    pub fn with(&self, condition: Condition) -> Item {
        Item::new(self.point, self.what, condition)
    }

    /// The number of the check, if it is one.
    pub fn check(&self) -> Option<u32> {
        match self.what {
            AnnotationKind::Check(number) => Some(number),
            AnnotationKind::Assume => None,
        }
    }
}
