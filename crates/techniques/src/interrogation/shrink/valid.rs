//! Whether reduced programs are still valid.

use super::super::material::{Point, points};
use model::{Annotation, CInput};

/// True if the text is a program and every annotation stands at a point where all that it reads has a value, of the
/// type that it had before. The annotations before and after the reduction are given in pairs.
pub fn is_valid(before: &CInput, after: &CInput, moved: &[(&Annotation, &Annotation)]) -> bool {
    let (Some(old), Some(new)) = (places_of(before), places_of(after)) else { return false };
    let fits = |(from, to): &(&Annotation, &Annotation)| match (find(&old, from.place), find(&new, to.place))
    {
        (Some(old), Some(new)) => new.can_read(&to.condition, old),
        _ => false,
    };
    moved.iter().all(fits)
}

fn places_of(program: &CInput) -> Option<Vec<Point>> {
    let program = c::parse_input("reduced", program).ok()?;
    Some(points(&program))
}

fn find(points: &[Point], offset: u32) -> Option<&Point> {
    points.binary_search_by_key(&offset, |point| point.offset).ok().and_then(|index| points.get(index))
}
