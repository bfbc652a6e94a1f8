//! How many programs are rewritten in a CPU second, with one step each and with sequences, and how many show the change.
//!
//! `rewrites` prints a table; `rewrites cell` prints the number of rewritten programs with one step alone.
#![allow(clippy::disallowed_methods, reason = "time is what is measured here")]

use datalog::generate::{Options, generate};
use datalog::{Program, RelationId, Tuple, check, reference};
use model::Random;
use std::collections::BTreeSet;
use std::time::Instant;
use techniques::rewrites::{Effect, ON_GRAPHS, ON_QUERIES, Rewrite, rewrite};

const PROGRAMS: u64 = 2_000;
const REWRITTEN: u64 = 5;
const FUEL: u64 = 200_000;

fn main() {
    let programs: Vec<Program> =
        (0..PROGRAMS).map(|number| generate(&Options::default(), &mut Random::for_case(1, number))).collect();
    if std::env::args().nth(1).as_deref() == Some("cell") {
        let speed = |kinds| measure(&programs, kinds, 1, false).0;
        println!("{:.0} on queries, {:.0} on graphs", speed(ON_QUERIES), speed(ON_GRAPHS));
        return;
    }
    for (name, kinds) in [("queries", ON_QUERIES), ("graphs", ON_GRAPHS)] {
        for (steps, is_evaluated) in [(1, false), (20, false), (100, false), (1, true), (20, true)] {
            let (speed, changed) = measure(&programs, kinds, steps, is_evaluated);
            let how = if is_evaluated { "computed by the reference engine, too" } else { "printed" };
            println!("{name}, {steps} steps, {how}: {speed:.0} programs a second, {changed} changed rows");
        }
    }
}

/// Rewritten programs a second, and how many of them have other rows.
fn measure(
    programs: &[Program],
    kinds: &[&'static dyn Rewrite],
    steps: usize,
    is_evaluated: bool,
) -> (f64, usize) {
    let effects = [Effect::Same, Effect::Fewer, Effect::More];
    let (mut made, mut changed, mut bytes) = (0usize, 0usize, 0usize);
    let start = Instant::now();
    for (number, program) in programs.iter().enumerate() {
        let mut random = Random::for_case(2, number as u64);
        let Some(compared) = program.outputs().next() else { continue };
        let before = if is_evaluated { rows(program, compared) } else { None };
        for _ in 0..REWRITTEN {
            let effect = random.choose(&effects).copied().unwrap_or(Effect::Same);
            let mut rewritten = program.clone();
            if rewrite(&mut rewritten, compared, kinds, effect, steps, &mut random).is_empty() {
                continue;
            }
            made += 1;
            bytes += rewritten.to_string().len();
            changed += usize::from(is_evaluated && rows(&rewritten, compared) != before);
        }
    }
    assert!(bytes > 0, "nothing was rewritten");
    (made as f64 / start.elapsed().as_secs_f64(), changed)
}

fn rows(program: &Program, relation: RelationId) -> Option<BTreeSet<Tuple>> {
    let strata = check(program).ok()?;
    Some(reference::evaluate(program, &strata, FUEL).ok()?.rows(relation))
}
