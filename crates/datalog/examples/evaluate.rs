//! Evaluates a program with the reference engine and prints the rows of its outputs.
//!
//! `evaluate FILE` prints rows. `evaluate FILE clingo` prints the program in a dialect instead. `evaluate 20 FILE...`
//! evaluates each program 20 times and prints the CPU seconds of one evaluation of all of them.

use datalog::{Dialect, Program, check, parse_with_facts, reference};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// The number of rows that an evaluation may visit.
const FUEL: u64 = 10_000_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    match arguments {
        [file] => rows(&read(Path::new(file))?),
        [times, files @ ..] if times.parse::<u32>().is_ok() => measure(times, files),
        [file, name] => {
            let dialect = Dialect::from_name(name).ok_or_else(|| format!("there is no dialect {name}"))?;
            dialect.render(&read(Path::new(file))?)
        }
        _ => Err("name a file".to_owned()),
    }
}

/// Prints the rows of all outputs.
fn rows(program: &Program) -> Result<String, String> {
    let strata = check(program)?;
    let evaluation = reference::evaluate(program, &strata, FUEL).map_err(|halt| format!("{halt:?}"))?;
    let mut text = String::new();
    for output in program.outputs() {
        for row in evaluation.rows(output) {
            let row = program.row_text(&program.relation(output).name, &row);
            writeln!(text, "{row}.").map_err(|problem| problem.to_string())?;
        }
    }
    Ok(text)
}

/// Returns the CPU seconds of checking and evaluating all programs once.
fn measure(times: &str, files: &[String]) -> Result<String, String> {
    let times: u32 = times.parse().map_err(|_| format!("{times} is not a number"))?;
    let programs: Vec<Program> = files.iter().map(|file| read(Path::new(file))).collect::<Result<_, _>>()?;
    let start = cpu_seconds();
    for program in programs.iter().cycle().take(programs.len() * times as usize) {
        let strata = check(program)?;
        reference::evaluate(program, &strata, FUEL).map_err(|halt| format!("{halt:?}"))?;
    }
    Ok(format!("{:.6}\n", (cpu_seconds() - start) / f64::from(times)))
}

fn read(path: &Path) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|problem| problem.to_string())?;
    let directory = path.parent().unwrap_or(Path::new("."));
    let facts = |name: &str| std::fs::read_to_string(directory.join(name)).ok();
    parse_with_facts(&path.to_string_lossy(), &text, &facts).map_err(|problem| problem.to_string())
}

/// Returns the CPU time of this process, which has one thread.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = text.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    nanoseconds as f64 / 1e9
}
