//! Measures how many programs are generated and printed, and how many are checked and evaluated, per CPU second.
//!
//! `speed` prints all figures; `speed unsteered 20000` generates this many programs and prints one number, the programs
//! per CPU second. The other kinds are `steered`, `rich` and `evaluated`.

use datalog::generate::{Options, generate};
use datalog::{Program, check, reference};
use model::Random;

const KINDS: [&str; 4] = ["unsteered", "steered", "rich", "evaluated"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next();
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    match kind {
        Some(kind) => println!("{:.0}", measure(&kind, count).programs_in_a_second()),
        None => KINDS.into_iter().for_each(|kind| {
            let measured = measure(kind, count);
            println!(
                "{kind}: {:.0} programs in a CPU second, {}",
                measured.programs_in_a_second(),
                measured.note
            );
        }),
    }
}

struct Measured {
    count: u64,
    seconds: f64,
    note: String,
}

impl Measured {
    fn programs_in_a_second(&self) -> f64 {
        self.count as f64 / self.seconds
    }
}

fn measure(kind: &str, count: u64) -> Measured {
    let options = match kind {
        "unsteered" => Options { steered: false, ..Options::default() },
        "rich" => Options::rich(),
        _ => Options::default(),
    };
    let make = |number| generate(&options, &mut Random::for_case(1, number));
    if kind == "evaluated" {
        let programs: Vec<Program> = (0..count).map(make).collect();
        let start = cpu_seconds();
        let rows: usize = programs.iter().map(rows).sum();
        return Measured { count, seconds: cpu_seconds() - start, note: format!("{rows} rows in all") };
    }
    let (mut bytes, mut rules) = (0, 0);
    let start = cpu_seconds();
    for program in (0..count).map(make) {
        rules += program.rules.len();
        bytes += program.to_string().len();
    }
    let mean = |sum: usize| sum as f64 / count as f64;
    let note = format!("{:.0} bytes and {:.1} rules each", mean(bytes), mean(rules));
    Measured { count, seconds: cpu_seconds() - start, note }
}

/// Returns the number of rows of a program.
fn rows(program: &Program) -> usize {
    let Ok(strata) = check(program) else { return 0 };
    match reference::evaluate(program, &strata, 1_000_000) {
        Ok(evaluation) => program.ids().map(|id| evaluation.count(id)).sum(),
        Err(_) => 0,
    }
}

/// Returns the CPU time of this process, which has one thread. Unlike wall time, other processes hardly affect it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = text.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    nanoseconds as f64 / 1e9
}
