//! Parses the preprocessed files given on the command line, and prints the speed and counts of nodes.
//!
//! `cargo run --release -p c --example parse -- [--ilp32] FILE…`

use c::{DataModel, Program, parse};

#[derive(Default)]
struct Counts {
    files: usize,
    failed: usize,
    bytes: usize,
    functions: usize,
    statements: usize,
    expressions: usize,
    entities: usize,
    types: usize,
}

impl Counts {
    fn add(&mut self, program: &Program) {
        self.functions += program.functions.len();
        self.statements += program.statements.len();
        self.expressions += program.expressions.len();
        self.entities += program.entities.len();
        self.types += program.types.len();
    }
}

fn main() {
    let mut data_model = DataModel::Lp64;
    let mut counts = Counts::default();
    let mut seconds = 0.0;
    for argument in std::env::args().skip(1) {
        if argument == "--ilp32" {
            data_model = DataModel::Ilp32;
            continue;
        }
        let text = match std::fs::read(&argument) {
            Ok(text) => text,
            Err(error) => {
                println!("{argument}: {error}");
                counts.failed += 1;
                continue;
            }
        };
        let start = cpu_seconds();
        let result = parse(&argument, &text, data_model);
        seconds += cpu_seconds() - start;
        counts.files += 1;
        counts.bytes += text.len();
        match result {
            Ok(program) => counts.add(&program),
            Err(error) => {
                println!("{argument}: {error}");
                counts.failed += 1;
            }
        }
    }
    report(&counts, seconds);
    if counts.failed > 0 {
        std::process::exit(1);
    }
}

fn report(counts: &Counts, seconds: f64) {
    let megabytes = counts.bytes as f64 / 1e6;
    println!("files {} failed {} megabytes {megabytes:.2}", counts.files, counts.failed);
    println!(
        "functions {} statements {} expressions {} entities {} types {}",
        counts.functions, counts.statements, counts.expressions, counts.entities, counts.types
    );
    println!("cpu_seconds {seconds:.3} megabytes_per_cpu_second {:.1}", megabytes / seconds.max(1e-9));
}

/// The CPU time of this process in nanoseconds as the scheduler counts it; the clock ticks of `stat` are too coarse.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
