//! Smaller exhibits: the program shrinks, and the stations or the injected error move along.

use super::injection::Injection;
use super::judge;
use super::relation::RuntimeRelation;
use super::units::Units;
use crate::drawn_options::DropOptions;
use crate::text_pass::{TextPass, first_program};
use crate::{Pass, Patch};
use c::reduce::{self, Pass as Over, Reduced};
use model::{CInput, Exhibit, Input};

/// The passes, in the order in which they are tried. A smaller program has shorter paths, so stations are dropped twice.
pub const PASSES: &[&dyn Pass] = &[
    &DropOptions,
    &DropStations { name: "stations" },
    &TextPass { pass: Over::Initialize, put: put_program },
    &TextPass { pass: Over::Statements, put: put_program },
    &TextPass { pass: Over::Expressions, put: put_program },
    &TextPass { pass: Over::Declarations, put: put_program },
    &DropStations { name: "stations again" },
    &TextPass { pass: Over::Layout, put: put_program },
];

/// Drops stations that the path of the warning does not need.
struct DropStations {
    name: &'static str,
}

impl Pass for DropStations {
    fn name(&self) -> &'static str {
        self.name
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        (0..stations_of(exhibit).len()).map(Patch::DropStation).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let stations = stations_of(exhibit).into_iter().enumerate();
        let kept = stations.filter(|(position, _)| !patches.contains(&Patch::DropStation(*position)));
        let kept: Vec<u32> = kept.map(|(_, station)| station).collect();
        judge::with_stations(exhibit, first_program(exhibit)?.clone(), kept)
    }
}

/// The exhibit with another text of its program; `None` if the result would not be a valid exhibit.
pub fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    put_program(exhibit, reduce::with_text(first_program(exhibit)?, text)?)
}

/// Moves the stations or the injected error along with the text.
fn put_program(exhibit: &Exhibit, Reduced { program: after, edits: replaced }: Reduced) -> Option<Exhibit> {
    let moved = |place: u32| c::patch::moved(place, &replaced);
    match RuntimeRelation::of(exhibit)? {
        RuntimeRelation::NoFalseWarning { stations, .. } => {
            let mut kept: Vec<u32> = stations.into_iter().map(moved).collect();
            kept.dedup();
            let kept = still_there(&after, kept)?;
            judge::with_stations(exhibit, after, kept)
        }
        RuntimeRelation::ErrorIsReported(injected) => {
            let before = judge::injection(exhibit, &injected)?;
            let after = Injection {
                program: after,
                preparing_at: moved(before.preparing_at),
                failing_at: moved(before.failing_at),
                ..before
            };
            let place = after.failing_at as usize;
            let is_whole = after.program.base.get(place..)?.starts_with(&after.failing);
            is_whole.then(|| judge::with_injection(exhibit, injected, &after))
        }
        RuntimeRelation::Analyzed => {
            let mut smaller = exhibit.clone();
            smaller.queries.iter_mut().for_each(|query| query.input = Input::C(after.clone()));
            Some(smaller)
        }
    }
}

/// The stations of an exhibit; empty if it is not about a warning.
fn stations_of(exhibit: &Exhibit) -> Vec<u32> {
    match RuntimeRelation::of(exhibit) {
        Some(RuntimeRelation::NoFalseWarning { stations, .. }) => stations,
        Some(RuntimeRelation::Analyzed | RuntimeRelation::ErrorIsReported(_)) | None => Vec::new(),
    }
}

/// The stations at which a statement or an expression still begins. The path of the warning can no longer go to the
/// others.
fn still_there(program: &CInput, mut stations: Vec<u32>) -> Option<Vec<u32>> {
    let parsed = c::parse_input("reduced", program).ok()?;
    let units = Units::of(&parsed);
    stations.retain(|station| units.at(&parsed, *station).is_some_and(|unit| unit.place() == *station));
    Some(stations)
}
