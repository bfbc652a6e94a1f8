//! Replays searches on what `juvenal tune` has recorded, without running an analyzer.
//!
//! `cargo run --release -p tuning --example replay -- tune.json [SEARCH] [RUNS] [SECONDS]` prints a line for each run: the
//! search, its seed, the CPU seconds after which it reached 90 % of the best possible gain (empty if it never did), and its
//! curve: `SECONDS:SHARE` wherever the share of that gain changes. A run ends after so many CPU seconds, a tenth of those of
//! the whole grid unless told.

use std::error::Error;
use tuning::{Replayed, SEARCHES, Tuned, replay};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("expected the path of a tune.json")?;
    let tuned: Tuned = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let wanted = arguments.get(1).map(String::as_str).filter(|name| *name != "all");
    let runs: u64 = arguments.get(2).map_or(Ok(20), |text| text.parse())?;
    let whole =
        tuned.grid.history().ok_or("the default was not tried on every program")?.spent_microseconds();
    let budget = match arguments.get(3) {
        Some(seconds) => (seconds.parse::<f64>()? * 1e6) as u64,
        None => whole / 10,
    };
    for kind in SEARCHES.iter().filter(|kind| wanted.is_none_or(|name| name == kind.name)) {
        for seed in 0..runs {
            let replayed = replay(&tuned.grid, kind, seed, budget).ok_or("the grid has nothing to vary")?;
            println!("{},{seed},{}", kind.name, described(&replayed));
        }
    }
    Ok(())
}

fn described(replayed: &Replayed) -> String {
    let seconds = |microseconds: u64| microseconds as f64 / 1e6;
    let reached = replayed.time_to(0.9).map_or(String::new(), |time| format!("{:.2}", seconds(time)));
    let mut curve = String::new();
    let mut known = -1.0;
    for point in &replayed.points {
        let share = replayed.share_at(point.spent_microseconds);
        if share != known {
            curve.push_str(&format!(" {:.3}:{share:.4}", seconds(point.spent_microseconds)));
            known = share;
        }
    }
    format!("{reached},{}", curve.trim_start())
}
