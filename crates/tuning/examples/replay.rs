//! Replays searches on what `juvenal tune` has recorded, without running an analyzer.
//!
//! `cargo run --release -p tuning --example replay -- tune.json [SEARCH] [RUNS]` prints a line for each run: the search, its
//! seed, the CPU seconds after which it reached 90 % of the best possible gain (empty if it never did), the area under the
//! share of that gain over the CPU time of a tenth of the grid, and the share at the end.

use std::error::Error;
use tuning::{Replayed, SEARCHES, Tuned, replay};

/// Points at which the share is measured for the area.
const POINTS: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("expected the path of a tune.json")?;
    let tuned: Tuned = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let wanted = arguments.get(1).map(String::as_str).filter(|name| *name != "all");
    let runs: u64 = arguments.get(2).map_or(Ok(20), |text| text.parse())?;
    let whole =
        tuned.grid.history().ok_or("the default was not tried on every program")?.spent_microseconds();
    let budget = whole / 10;
    for kind in SEARCHES.iter().filter(|kind| wanted.is_none_or(|name| name == kind.name)) {
        for seed in 0..runs {
            let replayed = replay(&tuned.grid, kind, seed, budget).ok_or("the grid has nothing to vary")?;
            print_run(kind.name, seed, &replayed, budget);
        }
    }
    Ok(())
}

fn print_run(name: &str, seed: u64, replayed: &Replayed, budget: u64) {
    let seconds = |microseconds: u64| microseconds as f64 / 1e6;
    let reached = replayed.time_to(0.9).map_or(String::new(), |time| format!("{:.2}", seconds(time)));
    let area: f64 =
        (1..=POINTS).map(|point| replayed.share_at(budget * point / POINTS)).sum::<f64>() / POINTS as f64;
    println!("{name},{seed},{reached},{area:.4},{:.4},{:.2}", replayed.share_at(budget), seconds(budget));
}
