//! `fuzz`: runs the targets on many inputs. `fuzz --inputs 1000000` is the nightly run.

use anyhow::Result;
use clap::Parser;
use fuzz::{Fuzzing, TARGETS, fuzz};
use std::process::ExitCode;
use test_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Reads mutated inputs with every parser and reader. Exit code: 0 if none fails, 1 otherwise
#[derive(Parser)]
struct Arguments {
    /// The targets; all by default
    targets: Vec<String>,
    /// The number of inputs for each target
    #[arg(long, default_value_t = 20_000)]
    inputs: u64,
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
    let mut has_failed = false;
    for target in TARGETS {
        if !arguments.targets.is_empty() && arguments.targets.iter().all(|name| name != target.name) {
            continue;
        }
        let Arguments { inputs, first, seed, .. } = arguments;
        // A stack overflow ends the process, so the name comes first.
        println!("{}: {inputs} inputs of seed {seed} from {first} on", target.name);
        if let Some(failure) = fuzz(target, Fuzzing { seed, first, inputs })? {
            println!("{}", failure.0);
            has_failed = true;
        }
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
