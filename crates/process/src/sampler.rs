//! Measures a process tree by sampling `/proc`: a lower bound, for machines without usable control groups.

use crate::system;
use std::fs;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(20);

/// Samples the tree below a guardian.
pub(crate) struct Sampler {
    guardian: i32,
    next: Instant,
    peak_bytes: u64,
}

/// One sample of a tree.
pub(crate) struct Sample {
    /// Resident memory of all processes.
    pub(crate) memory_bytes: u64,
    /// The number of processes.
    pub(crate) processes: usize,
}

impl Sampler {
    /// Starts to sample the tree below this guardian.
    pub(crate) fn new(guardian: i32, now: Instant) -> Sampler {
        // The first sample comes early, because many runs are short.
        Sampler { guardian, next: now + INTERVAL / 10, peak_bytes: 0 }
    }

    /// When to take the next sample.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// Takes a sample. Sampling a large tree takes long, so it is done less often.
    #[allow(clippy::disallowed_methods, reason = "this crate measures time")]
    pub(crate) fn look(&mut self, limit_bytes: u64) -> Sample {
        let start = Instant::now();
        let processes = descendants(self.guardian);
        let mut memory_bytes = processes.iter().map(|process| resident_bytes(*process)).sum();
        if memory_bytes > limit_bytes {
            // Pages that processes share are counted for each of them; counting them once takes much longer.
            memory_bytes = processes.iter().map(|process| proportional_bytes(*process)).sum();
        }
        self.peak_bytes = self.peak_bytes.max(memory_bytes);
        let end = Instant::now();
        self.next = end + INTERVAL.max((end - start) * 10);
        Sample { memory_bytes, processes: processes.len() }
    }

    /// Resets the peak.
    pub(crate) fn reset_peak(&mut self) {
        self.peak_bytes = 0;
    }

    /// The most memory seen since the last reset.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// CPU time of the tree so far: of the living processes and of those that were reaped.
    pub(crate) fn cpu_microseconds(&self) -> u64 {
        let living: Duration = descendants(self.guardian)
            .into_iter()
            .map(|process| system::process_cpu_time(process).unwrap_or_default() + reaped_cpu_time(process))
            .sum();
        let total = living + reaped_cpu_time(self.guardian);
        u64::try_from(total.as_micros()).unwrap_or(u64::MAX)
    }
}

/// All processes below this one, without itself.
pub(crate) fn descendants(process: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut pending = vec![process];
    while let Some(parent) = pending.pop() {
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|child| child.parse::<i32>().ok());
            pending.extend(children.clone());
            found.extend(children);
        }
    }
    found
}

/// The child that the process started first.
pub(crate) fn first_child(process: i32) -> Option<i32> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

fn resident_bytes(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|field| field.parse().ok()).unwrap_or(0);
    pages * system::page_bytes()
}

/// Resident memory where a page that is shared by two processes counts half for each.
fn proportional_bytes(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let Some(line) = text.lines().find_map(|line| line.strip_prefix("Pss:")) else {
        return resident_bytes(process);
    };
    line.split_whitespace().next().and_then(|field| field.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// CPU time of the ended children that the process has waited for.
fn reaped_cpu_time(process: i32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program is in parentheses and may contain anything.
    let Some((_, fields)) = text.rsplit_once(')') else { return Duration::ZERO };
    let ticks: u32 =
        fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
    system::clock_tick() * ticks
}
