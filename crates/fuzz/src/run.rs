//! Runs a target on inputs and notices panics, hangs and large allocations.

use crate::mutate::mutated;
use crate::{Target, corpus, regressions};
use anyhow::{Context, Result};
use model::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{env, fs, thread};
use test_support::{peak_memory_of, thread_cpu_nanoseconds};

/// The memory that reading one input may take, stated in `docs/security.md`.
pub const MOST_MEMORY: usize = 64 << 20;
/// The CPU time that reading one input may take. Most inputs take less than a thousandth of it.
const MOST_NANOSECONDS: u64 = 10_000_000_000;
/// How often the watching thread looks.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);
/// The problem of an input that takes too long.
const HANGS: &str = "it hangs";
/// An input that fails is made smaller with at most this many attempts.
const SHRINKING_ATTEMPTS: usize = 2_000;

/// Which inputs a target gets.
#[derive(Clone, Copy, Debug)]
pub struct Fuzzing {
    /// The seed of the random choices.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// The largest number of mutated inputs.
    pub inputs: u64,
    /// The CPU time after which no further input is read.
    pub nanoseconds: u64,
}

/// The results of a target's inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fuzzed {
    /// The number of mutated inputs that were read.
    pub inputs: u64,
    /// The first failure.
    pub failure: Option<Failure>,
}

/// Why a target fails on an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

/// What the thread that runs a target and the one that watches it share.
#[derive(Default)]
struct Watched {
    /// The number of the input, counted from one; zero while no input is read.
    input: AtomicU64,
    /// The CPU time of the thread when it began with the input.
    began: AtomicU64,
    thread: AtomicU64,
}

/// Runs a target on its regressions and on mutated inputs, up to the first failure.
pub fn fuzz(target: &'static Target, fuzzing: Fuzzing) -> Result<Fuzzed> {
    if let Some((path, problem)) = failing_regression(target)? {
        let failure = Failure(format!("{}: {problem} on {}", target.name, path.display()));
        return Ok(Fuzzed { inputs: 0, failure: Some(failure) });
    }
    let corpus = Arc::new(corpus(target)?);
    let members = corpus.clone();
    let input =
        move |number| mutated(&members, target.dictionary, &mut Random::for_case(fuzzing.seed, number));
    let input = Arc::new(input);
    let made = input.clone();
    let (inputs, problem) = watch(target, fuzzing, move |number| made(fuzzing.first + number))?;
    let Some(problem) = problem else { return Ok(Fuzzed { inputs, failure: None }) };
    let number = fuzzing.first + inputs - 1;
    let mut failing = input(number);
    // An input on which the target hangs would hang again in every attempt to make it smaller.
    if problem != HANGS {
        failing = shrunk(target, failing);
    }
    let failure = report(target, fuzzing.seed, number, &failing, &problem)?;
    Ok(Fuzzed { inputs, failure: Some(failure) })
}

/// The first regression that fails, and its problem.
fn failing_regression(target: &'static Target) -> Result<Option<(PathBuf, String)>> {
    let (paths, inputs): (Vec<_>, Vec<_>) = regressions(target)?.into_iter().unzip();
    let all = Fuzzing { seed: 0, first: 0, inputs: inputs.len() as u64, nanoseconds: u64::MAX };
    let (read, problem) = watch(target, all, move |number| inputs[number as usize].clone())?;
    Ok(problem.and_then(|problem| Some((paths.get(read.checked_sub(1)? as usize)?.clone(), problem))))
}

/// Reads inputs on a thread of their own, whose stack has the size of a worker's, up to the first one with a problem.
/// Returns the number of inputs read and the problem.
fn watch(
    target: &'static Target,
    fuzzing: Fuzzing,
    input: impl Fn(u64) -> Vec<u8> + Send + 'static,
) -> Result<(u64, Option<String>)> {
    let watched = Arc::new(Watched::default());
    let (sender, receiver) = mpsc::channel();
    let shared = watched.clone();
    thread::Builder::new().spawn(move || {
        let _ = sender.send(read_inputs(target, &input, fuzzing, &shared));
    })?;
    loop {
        match receiver.recv_timeout(WATCH_INTERVAL) {
            Ok(ended) => return Ok(ended),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(number) = watched.hanging() {
                    return Ok((number + 1, Some(HANGS.to_owned())));
                }
            }
            Err(RecvTimeoutError::Disconnected) => anyhow::bail!("{}: the thread ended", target.name),
        }
    }
}

impl Watched {
    /// The number of the input, counted from zero, that takes too long.
    fn hanging(&self) -> Option<u64> {
        let number = self.input.load(Ordering::SeqCst).checked_sub(1)?;
        let spent = thread_cpu_nanoseconds(self.thread.load(Ordering::SeqCst))?;
        let is_over = spent.saturating_sub(self.began.load(Ordering::SeqCst)) > MOST_NANOSECONDS;
        (is_over && self.input.load(Ordering::SeqCst) == number + 1).then_some(number)
    }

    fn begin(&self, number: u64) {
        let thread = self.thread.load(Ordering::SeqCst);
        // Reading the clock for each of many short inputs would take longer than reading the inputs.
        if number.is_multiple_of(64) {
            self.began.store(thread_cpu_nanoseconds(thread).unwrap_or(0), Ordering::SeqCst);
        }
        self.input.store(number + 1, Ordering::SeqCst);
    }
}

/// Reads inputs up to the first one with a problem. Returns their number and the problem.
fn read_inputs(
    target: &'static Target,
    input: &impl Fn(u64) -> Vec<u8>,
    fuzzing: Fuzzing,
    watched: &Watched,
) -> (u64, Option<String>) {
    watched.thread.store(test_support::thread_number(), Ordering::SeqCst);
    for number in 0..fuzzing.inputs {
        watched.begin(number);
        if watched.began.load(Ordering::SeqCst) > fuzzing.nanoseconds {
            return (number, None);
        }
        if let Some(problem) = problem_with(target, input(number)) {
            return (number + 1, Some(problem));
        }
    }
    (fuzzing.inputs, None)
}

/// What goes wrong when a target reads an input.
fn problem_with(target: &Target, input: Vec<u8>) -> Option<String> {
    let (ended, peak) = peak_memory_of(|| catch_unwind(AssertUnwindSafe(|| (target.read)(&input))));
    match ended {
        Err(_) => Some("it panics".to_owned()),
        Ok(()) if peak > MOST_MEMORY => Some(format!("it allocates {peak} bytes, more than {MOST_MEMORY}")),
        Ok(()) => None,
    }
}

/// Removes parts of an input as long as it fails.
fn shrunk(target: &Target, mut input: Vec<u8>) -> Vec<u8> {
    let mut attempts = SHRINKING_ATTEMPTS;
    let mut size = input.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        while start < input.len() && attempts > 0 {
            attempts -= 1;
            let mut smaller = input.clone();
            smaller.drain(start..(start + size).min(input.len()));
            if problem_with(target, smaller.clone()).is_some() {
                input = smaller;
            } else {
                start += size;
            }
        }
        size = if size == 1 || attempts == 0 { 0 } else { size.div_ceil(2) };
    }
    input
}

fn report(target: &Target, seed: u64, number: u64, input: &[u8], problem: &str) -> Result<Failure> {
    let path: PathBuf = env::temp_dir().join(format!("fuzz-{}-{seed}-{number}", target.name));
    fs::write(&path, input).with_context(|| format!("cannot write {}", path.display()))?;
    let (name, path) = (target.name, path.display());
    Ok(Failure(format!(
        "{name}: {problem} on input {number} of seed {seed}, a smaller form of which is in {path}; \
         put it into crates/fuzz/regressions/{name} when it is repaired"
    )))
}
