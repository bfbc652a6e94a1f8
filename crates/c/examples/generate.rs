//! Writes random programs.
//!
//! `cargo run --release -p c --example generate -- COUNT SEED SIZE [inputs] [joined|rate]`
//!
//! Programs are separated by a line `/* program NUMBER */`. With `joined`, each has its own prefix, and a `main` that
//! calls all of them follows. With `rate`, nothing is printed but the number of lines per CPU second.
#![allow(clippy::disallowed_methods, reason = "an example prints what it makes")]

use c::generate::{Options, generate};
use model::Random;
use std::io::Write;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| {
        words.get(place).and_then(|word| word.parse::<u64>().ok()).unwrap_or(default)
    };
    let has = |word: &str| words.iter().any(|own| own == word);
    let (count, seed) = (number(0, 1), number(1, 1));
    let mut options = Options { size: number(2, 120) as usize, inputs: has("inputs"), ..Options::default() };
    if has("rate") {
        rate(count, seed, &options);
        return;
    }
    let mut output = std::io::stdout().lock();
    for case in 0..count {
        if has("joined") {
            options.prefix = format!("p{case}_");
        }
        let text = generate(&options, &mut Random::for_case(seed, case));
        if writeln!(output, "/* program {case} */\n{text}").is_err() {
            return;
        }
    }
    if has("joined") {
        let calls: String = (0..count).map(|case| format!("    p{case}_main();\n")).collect();
        let _ = writeln!(output, "int main(void)\n{{\n{calls}    return 0;\n}}");
    }
}

fn rate(count: u64, seed: u64, options: &Options) {
    let start = cpu_seconds();
    let (mut lines, mut bytes) = (0, 0);
    for case in 0..count {
        let text = generate(options, &mut Random::for_case(seed, case));
        lines += text.bytes().filter(|byte| *byte == b'\n').count();
        bytes += text.len();
    }
    let seconds = cpu_seconds() - start;
    println!(
        "programs {count} lines {lines} bytes {bytes} cpu_seconds {seconds:.3} lines_per_cpu_second {:.0}",
        lines as f64 / seconds
    );
}

/// The CPU time of this process so far, as the kernel counts it.
fn cpu_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}
