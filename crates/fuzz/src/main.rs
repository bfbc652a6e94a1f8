//! `fuzz`: runs the targets on many inputs. `fuzz --minutes 10` with a new seed is the nightly run.

use anyhow::Result;
use clap::Parser;
use fuzz::{Fuzzed, Fuzzing, TARGETS, Target, fuzz};
use std::process::ExitCode;
use test_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Reads mutated inputs with every parser and reader. Exit code: 0 if none fails, 1 otherwise
#[derive(Parser)]
struct Arguments {
    /// The targets; all by default
    targets: Vec<String>,
    /// The number of inputs for each target [default: 20000]
    #[arg(long)]
    inputs: Option<u64>,
    /// Minutes of CPU time for all targets together, in equal parts, in place of a number of inputs
    #[arg(long, conflicts_with = "inputs")]
    minutes: Option<u64>,
    /// The number of the first input
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The number from which all random choices derive
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(unknown) = arguments.targets.iter().find(|name| TARGETS.iter().all(|it| it.name != **name)) {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        anyhow::bail!("there is no target `{unknown}`; the targets are {}", names.join(", "));
    }
    let chosen: Vec<&'static Target> = TARGETS
        .iter()
        .filter(|target| arguments.targets.is_empty() || arguments.targets.iter().any(|it| it == target.name))
        .collect();
    let fuzzing = fuzzing(&arguments, chosen.len() as u64);
    let mut has_failed = false;
    for target in chosen {
        // A stack overflow ends the process, so the name comes first.
        println!("{}: inputs of seed {} from {} on", target.name, fuzzing.seed, fuzzing.first);
        let Fuzzed { inputs, failure } = fuzz(target, fuzzing)?;
        println!("{}: {inputs} inputs read", target.name);
        if let Some(failure) = failure {
            println!("{}", failure.0);
            has_failed = true;
        }
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The inputs that each of this many targets gets.
fn fuzzing(arguments: &Arguments, targets: u64) -> Fuzzing {
    let Arguments { first, seed, .. } = *arguments;
    match arguments.minutes {
        Some(minutes) => {
            let nanoseconds = minutes.saturating_mul(60_000_000_000) / targets;
            Fuzzing { seed, first, inputs: u64::MAX, nanoseconds }
        }
        None => {
            let inputs = arguments.inputs.unwrap_or(20_000);
            Fuzzing { seed, first, inputs, nanoseconds: u64::MAX }
        }
    }
}
