//! Smaller exhibits. Both programs of a pair shrink together: they always share the text of the seed, and each
//! change between them is kept, undone or dropped as a whole, so that the relation between them stays what it was.

mod valid;

use super::condition::parts;
use super::judge::{self, EXECUTED};
use crate::Edit;
use crate::drawn_options::{OPTIONS, option_edits, without_options};
use crate::failures::ANSWERED;
use crate::reduction::{self, DECLARATIONS, EXPRESSIONS, INITIALIZE, LAYOUT, STATEMENTS, each};
use c::reduce::Reduced;
use model::{Annotation, CInput, Exhibit, Input};
use std::collections::BTreeSet;
use std::sync::Arc;
use valid::is_valid;

/// The passes, in the order in which they are tried.
pub const PASSES: &[&str] =
    &[OPTIONS, ANNOTATIONS, INITIALIZE, STATEMENTS, CONDITIONS, EXPRESSIONS, DECLARATIONS, LAYOUT];
/// Drops checks and assumptions, and undoes changes.
const ANNOTATIONS: &str = "annotations";
/// Replaces conditions by their parts.
const CONDITIONS: &str = "conditions";
/// The edits of one pass.
pub fn edits(exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
    let Some(shown) = Shown::of(exhibit) else { return Vec::new() };
    match pass {
        OPTIONS => option_edits(exhibit),
        ANNOTATIONS => {
            let changed = |place: usize| !shown.is_added(place) && !shown.is_same(place);
            let choices = |place: usize| if changed(place) { 0..2 } else { 0..1 };
            each((0..shown.last().len()).map(|place| (place, choices(place))))
        }
        CONDITIONS => each((0..shown.last().len()).filter(|place| shown.is_same(*place)).map(|place| {
            let whole = shown.last()[place].condition.clone();
            (place, 0..parts(&whole).len())
        })),
        _ => reduction::edits(&shown.base, pass),
    }
}

/// Applies edits of one pass; none if the result would not be two valid programs.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    if pass == OPTIONS {
        return Some(without_options(exhibit, edits));
    }
    let mut shown = Shown::of(exhibit)?;
    match pass {
        ANNOTATIONS => shown.drop_annotations(edits),
        CONDITIONS => shown.shorten_conditions(edits)?,
        _ => shown.edit_base(reduction::apply(&shown.base, pass, edits)?)?,
    }
    shown.exhibit(exhibit)
}

/// The exhibit with another text of the seed; none if the result would not be two valid programs.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    let mut shown = Shown::of(exhibit)?;
    shown.edit_base(c::reduce::with_text(&shown.base, text)?)?;
    shown.exhibit(exhibit)
}

/// The programs of an exhibit.
struct Shown {
    base: CInput,
    /// The annotations of the first program, where there are two.
    first: Option<Vec<Annotation>>,
    /// The annotations of the second, or of the only one.
    second: Vec<Annotation>,
    /// The positions in `second` that have no counterpart in `first`; all others have one, in order.
    added: BTreeSet<usize>,
}

impl Shown {
    fn of(exhibit: &Exhibit) -> Option<Shown> {
        let program = |index: usize| exhibit.queries.get(index)?.input.c();
        let first = program(0)?;
        let base = CInput { annotations: Vec::new(), ..first.clone() };
        if matches!(exhibit.relation.name.as_str(), EXECUTED | ANSWERED) {
            return Some(Shown {
                base,
                first: None,
                second: first.annotations.clone(),
                added: BTreeSet::new(),
            });
        }
        let second = program(1)?.annotations.clone();
        let added = judge::added(&exhibit.relation);
        let fits = second.len() == first.annotations.len() + added.len();
        fits.then(|| Shown { base, first: Some(first.annotations.clone()), second, added })
    }

    fn last(&self) -> &[Annotation] {
        &self.second
    }

    fn is_added(&self, position: usize) -> bool {
        self.added.contains(&position)
    }

    /// The position in the first program of what stands at a position in the second.
    fn counterpart(&self, position: usize) -> Option<usize> {
        (!self.is_added(position)).then(|| position - self.added.range(..position).count())
    }

    /// True if an annotation stands unchanged in every program.
    fn is_same(&self, position: usize) -> bool {
        match &self.first {
            None => true,
            Some(first) => {
                self.counterpart(position).is_some_and(|index| first.get(index) == self.second.get(position))
            }
        }
    }

    fn drop_annotations(&mut self, edits: &[Edit]) {
        for edit in edits.iter().filter(|edit| edit.choice == 1) {
            if let (Some(index), Some(first)) = (self.counterpart(edit.place), &self.first) {
                self.second[edit.place] = first[index].clone();
            }
        }
        let mut dropped: Vec<usize> =
            edits.iter().filter(|edit| edit.choice == 0).map(|edit| edit.place).collect();
        dropped.sort_unstable();
        dropped.dedup();
        for position in dropped.into_iter().rev() {
            self.remove(position);
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

    fn shorten_conditions(&mut self, edits: &[Edit]) -> Option<()> {
        for edit in edits {
            let whole = self.second.get(edit.place)?.condition.clone();
            let part: Arc<str> = (*parts(&whole).get(edit.choice)?).into();
            if let (Some(index), Some(first)) = (self.counterpart(edit.place), &mut self.first) {
                first.get_mut(index)?.condition = part.clone();
            }
            self.second.get_mut(edit.place)?.condition = part;
        }
        Some(())
    }

    /// Puts the edited text of the seed in its place and moves every annotation along.
    fn edit_base(&mut self, Reduced { program: after, edits: replaced }: Reduced) -> Option<()> {
        let moved = |annotations: &Vec<Annotation>| c::reduce::moved_annotations(annotations, &replaced);
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
        let there = programs.iter().flat_map(CInput::checks).collect();
        exhibit.relation = judge::keep_numbers(&like.relation, &there);
        if self.first.is_some() {
            judge::set_added(&mut exhibit.relation, &self.added);
        }
        Some(exhibit)
    }
}
