//! Measures how the CPU time of the parser, of sites and of constants grows when a text gets eight times as long.
//!
//! `cargo run --release -p c --example scaling` prints the seconds for 100 KB and 800 KB of each text and their ratio. A
//! ratio well above eight means that the work grows faster than the text.

#[path = "../tests/support/repeated.rs"]
mod repeated;

use c::{DataModel, parse};
use repeated::{REPEATED, repeated};

fn main() {
    println!("{:>9} {:>9} {:>6}  repeated text", "100 KB", "800 KB", "ratio");
    for (before, piece, after) in REPEATED {
        let [small, large] =
            [100_000, 800_000].map(|bytes| cost(repeated(before, piece, after, bytes).as_bytes()));
        println!("{small:>9.5} {large:>9.5} {:>6.1}  {piece:?}", large / small.max(1e-9));
    }
}

fn cost(text: &[u8]) -> f64 {
    let start = cpu_seconds();
    if let Ok(program) = parse("large.c", text, DataModel::Lp64) {
        let _ = (c::sites(&program), c::constants(&program));
    }
    let _ = c::needs_preprocessor(text);
    cpu_seconds() - start
}

/// The CPU time of this process as the scheduler counts it. The clock ticks of `stat` are too coarse.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
