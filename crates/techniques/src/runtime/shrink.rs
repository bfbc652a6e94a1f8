//! Smaller exhibits: the program shrinks, and the stations or the injected error move along.

use super::injection::Injection;
use super::judge::{self, DOES_NOT_HAPPEN, MEETS};
use super::units::Units;
use crate::Edit;
use crate::drawn_options::{OPTIONS, option_edits, without_options};
use crate::failures::ANSWERED;
use crate::reduction::{self, DECLARATIONS, EXPRESSIONS, INITIALIZE, LAYOUT, STATEMENTS};
use c::reduce::Reduced;
use model::{CInput, Exhibit, Input};

/// The passes, in the order in which they are tried.
pub const PASSES: &[&str] =
    &[OPTIONS, STATIONS, INITIALIZE, STATEMENTS, EXPRESSIONS, DECLARATIONS, STATIONS_AGAIN, LAYOUT];
/// Drops stations that the path of the warning does not need.
const STATIONS: &str = "stations";
/// The same once the program is smaller and the path shorter.
const STATIONS_AGAIN: &str = "stations again";

/// The edits of one pass.
pub fn edits(exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
    let Some(program) = exhibit.queries.first().and_then(|query| query.input.c()) else { return Vec::new() };
    match pass {
        OPTIONS => option_edits(exhibit),
        STATIONS | STATIONS_AGAIN => {
            let count = judge::stations_of(exhibit).len();
            (0..count).map(|place| Edit { place, choice: 0 }).collect()
        }
        _ => reduction::edits(program, pass),
    }
}

/// Applies edits of one pass; none if the result would not be a valid exhibit.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    if pass == OPTIONS {
        return Some(without_options(exhibit, edits));
    }
    let program = exhibit.queries.first()?.input.c()?;
    if matches!(pass, STATIONS | STATIONS_AGAIN) {
        let stations = judge::stations_of(exhibit).into_iter().enumerate();
        let kept = stations.filter(|(place, _)| !edits.iter().any(|edit| edit.place == *place));
        let kept: Vec<u32> = kept.map(|(_, station)| station).collect();
        return judge::with_stations(exhibit, program.clone(), &kept);
    }
    with_program(exhibit, reduction::apply(program, pass, edits)?)
}

/// The exhibit with another text of its program; none if the result would not be a valid exhibit.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    let program = exhibit.queries.first()?.input.c()?;
    with_program(exhibit, c::reduce::with_text(program, text)?)
}

fn with_program(exhibit: &Exhibit, Reduced { program: after, edits: replaced }: Reduced) -> Option<Exhibit> {
    let moved = |place: u32| c::patch::moved(place, &replaced);
    match exhibit.relation.name.as_str() {
        DOES_NOT_HAPPEN => {
            let mut kept: Vec<u32> = judge::stations_of(exhibit).into_iter().map(moved).collect();
            kept.dedup();
            let kept = still_there(&after, kept)?;
            judge::with_stations(exhibit, after, &kept)
        }
        MEETS => {
            let before = judge::injection(exhibit)?;
            let after = Injection {
                program: after,
                prepared: moved(before.prepared),
                place: moved(before.place),
                ..before
            };
            let place = after.place as usize;
            let is_whole = after.program.base.get(place..)?.starts_with(&after.failing);
            is_whole.then(|| judge::with_injection(exhibit, &after))
        }
        ANSWERED => {
            let mut smaller = exhibit.clone();
            smaller.queries.iter_mut().for_each(|query| query.input = Input::C(after.clone()));
            Some(smaller)
        }
        _ => None,
    }
}

/// The stations at which something still begins. The path of the warning cannot go to the others any more.
fn still_there(program: &CInput, mut stations: Vec<u32>) -> Option<Vec<u32>> {
    let parsed = c::parse_input("reduced", program).ok()?;
    let units = Units::of(&parsed);
    stations.retain(|station| units.at(&parsed, *station).is_some_and(|unit| unit.place() == *station));
    Some(stations)
}
