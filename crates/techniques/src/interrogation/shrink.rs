//! Smaller exhibits. Both programs of a pair shrink together: they always share the text of the seed, and each
//! change between them is kept, undone or dropped as a whole, so that the relation between them stays what it was.

mod valid;

use super::condition::parts;
use super::relation::{InterrogationRelation, PairRelation};
use crate::drawn_options::DropOptions;
use crate::text_pass::{TextPass, first_program};
use crate::{Pass, Patch};
use c::reduce::{self, Pass as Over, Reduced};
use model::{Annotation, CInput, Exhibit, Input, Relation};
use std::collections::BTreeSet;
use valid::is_valid;

/// The passes, in the order in which they are tried.
pub const PASSES: &[&dyn Pass] = &[
    &DropOptions,
    &DropAnnotations,
    &TextPass { pass: Over::Initialize, put: put_program },
    &TextPass { pass: Over::Statements, put: put_program },
    &ShortenConditions,
    &TextPass { pass: Over::Expressions, put: put_program },
    &TextPass { pass: Over::Declarations, put: put_program },
    &TextPass { pass: Over::Layout, put: put_program },
];

/// Drops checks and assumptions, and undoes changes.
struct DropAnnotations;

impl Pass for DropAnnotations {
    fn name(&self) -> &'static str {
        "annotations"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let Some(programs) = Programs::of(exhibit) else { return Vec::new() };
        let is_changed = |position: usize| !programs.is_added(position) && !programs.is_same(position);
        let patches = |position: usize| {
            let undo = is_changed(position).then_some(Patch::UndoAnnotation(position));
            std::iter::once(Patch::DropAnnotation(position)).chain(undo)
        };
        (0..programs.second.len()).flat_map(patches).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let mut programs = Programs::of(exhibit)?;
        programs.drop_annotations(patches);
        programs.exhibit(exhibit)
    }
}

/// Replaces conditions by their parts.
struct ShortenConditions;

impl Pass for ShortenConditions {
    fn name(&self) -> &'static str {
        "conditions"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let Some(programs) = Programs::of(exhibit) else { return Vec::new() };
        let mut patches = Vec::new();
        for (annotation, whole) in programs.second.iter().enumerate().filter(|(it, _)| programs.is_same(*it))
        {
            let shorter = |part: &&str| Patch::Condition { annotation, condition: (*part).into() };
            patches.extend(parts(&whole.condition).iter().map(shorter));
        }
        patches
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let mut programs = Programs::of(exhibit)?;
        programs.shorten_conditions(patches)?;
        programs.exhibit(exhibit)
    }
}

/// Replaces the text of the seed in both programs.
fn put_program(exhibit: &Exhibit, reduced: Reduced) -> Option<Exhibit> {
    let mut programs = Programs::of(exhibit)?;
    programs.edit_base(reduced)?;
    programs.exhibit(exhibit)
}

/// The exhibit with another text of the seed; `None` if the result would not be two valid programs.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    put_program(exhibit, reduce::with_text(first_program(exhibit)?, text)?)
}

/// The programs of an exhibit.
struct Programs {
    base: CInput,
    /// The annotations of the first program, where there are two.
    first: Option<Vec<Annotation>>,
    /// The annotations of the second, or of the only one.
    second: Vec<Annotation>,
    /// The positions in `second` that have no counterpart in `first`; all others have one, in order.
    added: BTreeSet<usize>,
}

impl Programs {
    fn of(exhibit: &Exhibit) -> Option<Programs> {
        let program = |index: usize| exhibit.queries.get(index)?.input.c();
        let first = program(0)?;
        let base = CInput { annotations: Vec::new(), ..first.clone() };
        let added = match InterrogationRelation::of(exhibit)? {
            InterrogationRelation::Pair(pair) => pair.added,
            InterrogationRelation::Analyzed | InterrogationRelation::NoVerifiedCheckFails => {
                let second = first.annotations.clone();
                return Some(Programs { base, first: None, second, added: BTreeSet::new() });
            }
        };
        let second = program(1)?.annotations.clone();
        let fits = second.len() == first.annotations.len() + added.len();
        fits.then(|| Programs { base, first: Some(first.annotations.clone()), second, added })
    }

    fn is_added(&self, position: usize) -> bool {
        self.added.contains(&position)
    }

    /// The position in the first program of the annotation at a position in the second.
    fn counterpart(&self, position: usize) -> Option<usize> {
        (!self.is_added(position)).then(|| position - self.added.range(..position).count())
    }

    /// True if an annotation is the same in every program.
    fn is_same(&self, position: usize) -> bool {
        match &self.first {
            None => true,
            Some(first) => {
                self.counterpart(position).is_some_and(|index| first.get(index) == self.second.get(position))
            }
        }
    }

    fn drop_annotations(&mut self, patches: &[Patch]) {
        let mut dropped = BTreeSet::new();
        for patch in patches {
            match patch {
                Patch::UndoAnnotation(position) => self.undo(*position),
                Patch::DropAnnotation(position) => drop(dropped.insert(*position)),
                _ => {}
            }
        }
        for position in dropped.into_iter().rev() {
            self.remove(position);
        }
    }

    fn undo(&mut self, position: usize) {
        if let (Some(index), Some(first)) = (self.counterpart(position), &self.first) {
            self.second[position] = first[index].clone();
        }
    }

    fn remove(&mut self, position: usize) {
        if let (Some(index), Some(first)) = (self.counterpart(position), &mut self.first) {
            first.remove(index);
        }
        self.second.remove(position);
        let moved = |added: &usize| if *added > position { added - 1 } else { *added };
        self.added = self.added.iter().filter(|added| **added != position).map(moved).collect();
    }

    /// A condition can be replaced by one of its parts only.
    fn shorten_conditions(&mut self, patches: &[Patch]) -> Option<()> {
        let mut seen = BTreeSet::new();
        for patch in patches {
            let Patch::Condition { annotation, condition } = patch else { return None };
            if !seen.insert(*annotation) {
                return None;
            }
            if let (Some(index), Some(first)) = (self.counterpart(*annotation), &mut self.first) {
                first.get_mut(index)?.condition = condition.clone();
            }
            self.second.get_mut(*annotation)?.condition = condition.clone();
        }
        Some(())
    }

    /// Replaces the text of the seed and moves every annotation along.
    fn edit_base(&mut self, Reduced { program: after, edits: replaced }: Reduced) -> Option<()> {
        let after = CInput { annotations: Vec::new(), ..after };
        let moved = |annotations: &Vec<Annotation>| reduce::moved_annotations(annotations, &replaced);
        let (first, second) = (self.first.as_ref().map(moved), moved(&self.second));
        let old = self.first.iter().flatten().chain(&self.second);
        let pairs: Vec<_> = old.zip(first.iter().flatten().chain(&second)).collect();
        if !is_valid(&self.base, &after, &pairs) {
            return None;
        }
        (self.base, self.first, self.second) = (after, first, second);
        Some(())
    }

    fn programs(&self) -> Vec<CInput> {
        let with =
            |annotations: &Vec<Annotation>| CInput { annotations: annotations.clone(), ..self.base.clone() };
        self.first.iter().chain([&self.second]).map(with).collect()
    }

    /// The exhibit with these programs: they take turns in a pair, and there is one otherwise.
    fn exhibit(&self, like: &Exhibit) -> Option<Exhibit> {
        let programs = self.programs();
        let mut exhibit = like.clone();
        for (index, query) in exhibit.queries.iter_mut().enumerate() {
            query.input = Input::C(programs.get(index % programs.len())?.clone());
        }
        if let Some(pair) = InterrogationRelation::of_pair(like) {
            let there: BTreeSet<u32> = programs.iter().flat_map(CInput::checks).collect();
            let kept = |numbers: &BTreeSet<u32>| numbers.intersection(&there).copied().collect();
            exhibit.relation = Relation::of(&InterrogationRelation::Pair(PairRelation {
                touched: kept(&pair.touched),
                invariants: kept(&pair.invariants),
                added: self.added.clone(),
                ..pair
            }));
        }
        Some(exhibit)
    }
}
