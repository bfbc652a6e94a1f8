//! Measures parsing and printing: generates a script of 10 MB, parses it, prints it, and prints the cost.
//!
//! The figures are CPU seconds and peak memory of this process, from /proc/self.

use smt::{parse, print};
use std::fmt::Write;

const BYTES: usize = 10_000_000;
const CONSTANTS: u64 = 400;

fn main() {
    let text = generate();
    let start = cpu_seconds();
    let script = match parse("generated.smt2", &text) {
        Ok(script) => script,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let parsed = cpu_seconds();
    let printed = print::script(&script);
    let done = cpu_seconds();
    println!("bytes {} commands {} terms {}", text.len(), script.commands.len(), script.terms.len());
    println!("parse_cpu_seconds {:.3}", parsed - start);
    println!("print_cpu_seconds {:.3}", done - parsed);
    println!("printed_bytes {}", printed.len());
    println!("peak_rss_megabytes {:.1}", peak_megabytes());
}

/// A fixed sequence of numbers: every run measures the same script.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A script in QF_UFLIA whose assertions are nested lets over functions and linear arithmetic.
fn generate() -> String {
    let mut numbers = Numbers(1);
    let mut text = "(set-logic QF_UFLIA)\n".to_owned();
    for function in ["f", "g", "h"] {
        text += &format!("(declare-fun {function} (Int Int) Int)\n");
    }
    for constant in 0..CONSTANTS {
        text += &format!("(declare-fun constant_{constant} () Int)\n");
    }
    while text.len() < BYTES {
        assertion(&mut numbers, &mut text);
    }
    text.push_str("(check-sat)\n");
    text
}

fn assertion(numbers: &mut Numbers, text: &mut String) {
    let lets = 10 + numbers.below(6);
    text.push_str("(assert ");
    for level in 0..lets {
        // Writing to a string cannot fail.
        let _ = write!(text, "(let ((?v_{level} ");
        let function = ["f", "g", "h", "+", "-"][numbers.below(5) as usize];
        let _ = write!(text, "({function} ");
        operand(numbers, level, text);
        text.push(' ');
        let _ = write!(text, "(+ (* {} constant_{}) ", numbers.below(1000), numbers.below(CONSTANTS));
        operand(numbers, level, text);
        text.push_str("))))\n  ");
    }
    text.push_str("(or");
    for _ in 0..4 {
        text.push_str(" (<= ");
        operand(numbers, lets, text);
        text.push(' ');
        operand(numbers, lets, text);
        text.push(')');
    }
    text.push(')');
    for _ in 0..lets {
        text.push(')');
    }
    text.push_str(")\n");
}

fn operand(numbers: &mut Numbers, level: u64, text: &mut String) {
    let _ = match numbers.below(3) {
        0 => write!(text, "constant_{}", numbers.below(CONSTANTS)),
        _ if level > 0 => write!(text, "?v_{}", numbers.below(level)),
        _ => write!(text, "{}", numbers.below(100)),
    };
}

/// The time that this process has run on a processor; 0 where /proc cannot tell.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
    nanoseconds as f64 / 1e9
}

/// The largest resident size so far; 0 where /proc cannot tell.
fn peak_megabytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes: u64 = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0);
    kilobytes as f64 / 1024.0
}
