//! How many programs are made, printed and evaluated in a CPU second.
#![allow(clippy::disallowed_methods, reason = "time is what is measured here")]

use datalog::generate::{Options, generate};
use datalog::{check, reference};
use model::Random;
use std::time::Instant;

fn main() {
    for (name, steered) in [("unsteered", false), ("steered", true)] {
        let options = Options { steered, ..Options::default() };
        let (mut bytes, mut rules, count) = (0, 0, 20_000u64);
        let start = Instant::now();
        for number in 0..count {
            let program = generate(&options, &mut Random::for_case(1, number));
            rules += program.rules.len();
            bytes += program.to_string().len();
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {:.0} programs a second, {} bytes and {:.1} rules each",
            count as f64 / seconds,
            bytes as u64 / count,
            rules as f64 / count as f64
        );
    }
    let programs: Vec<_> =
        (0..5_000).map(|number| generate(&Options::default(), &mut Random::for_case(1, number))).collect();
    let start = Instant::now();
    let mut rows = 0;
    for program in &programs {
        let Ok(strata) = check(program) else { continue };
        if let Ok(evaluation) = reference::evaluate(program, &strata, 1_000_000) {
            rows += program.ids().map(|id| evaluation.count(id)).sum::<usize>();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "checked and evaluated: {:.0} programs a second, {rows} rows in all",
        programs.len() as f64 / seconds
    );
}
