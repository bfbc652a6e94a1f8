//! Measures a process tree by sampling `/proc`: a lower bound, for machines without usable control groups.

use crate::system;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(20);

/// Samples the tree below a guardian.
pub(crate) struct Sampler {
    guardian: i32,
    /// A process below the guardian that does not belong to the program.
    left_out: Option<i32>,
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
        Sampler { guardian, left_out: None, next: now + INTERVAL / 10, peak_bytes: 0 }
    }

    /// Does not count the memory of this process, but that of all processes below it.
    pub(crate) fn leave_out(&mut self, process: Option<i32>) {
        self.left_out = process;
    }

    /// The processes of the tree.
    fn processes(&self) -> Vec<i32> {
        let mut processes = descendants(self.guardian);
        processes.retain(|process| Some(*process) != self.left_out);
        processes
    }

    /// When to take the next sample.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// Takes a sample. Sampling a large tree takes long, so it is done less often.
    #[allow(clippy::disallowed_methods, reason = "this crate measures time")]
    pub(crate) fn look(&mut self, limit_bytes: u64) -> Sample {
        let start = Instant::now();
        let processes = self.processes();
        let in_files = file_bytes(&processes);
        let mut memory_bytes: u64 = processes.iter().map(|process| resident_bytes(*process)).sum();
        memory_bytes += in_files;
        if memory_bytes > limit_bytes {
            // Pages that processes share are counted for each of them; counting them once takes much longer.
            let shares: Vec<Share> = processes.iter().map(|process| Share::of(*process)).collect();
            let mapped: u64 = shares.iter().map(|share| share.in_files).sum();
            // Files in memory may be mapped, too, and must not count twice.
            memory_bytes = shares.iter().map(|share| share.elsewhere).sum::<u64>() + mapped.max(in_files);
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

    /// The peak memory since the last reset.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// CPU time of the tree so far: of the living processes and of those that were reaped.
    pub(crate) fn cpu_microseconds(&self) -> u64 {
        let living: Duration = self
            .processes()
            .into_iter()
            .map(|process| system::process_cpu_time(process).unwrap_or_default() + reaped_cpu_time(process))
            .sum();
        let guardians = [Some(self.guardian), self.left_out].into_iter().flatten();
        let total = living + guardians.map(reaped_cpu_time).sum::<Duration>();
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

/// Memory of one process, where a page that is shared by two processes counts half for each.
struct Share {
    /// Pages of files that exist in memory only.
    in_files: u64,
    elsewhere: u64,
}

impl Share {
    fn of(process: i32) -> Share {
        let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
        let bytes = |name: &str| -> Option<u64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
        };
        let Some(all) = bytes("Pss:") else {
            return Share { in_files: 0, elsewhere: resident_bytes(process) };
        };
        let in_files = bytes("Pss_Shmem:").unwrap_or(0);
        Share { in_files, elsewhere: all.saturating_sub(in_files) }
    }
}

/// The bytes of the files in memory that these processes hold open. They need not be mapped, so no process counts them.
fn file_bytes(processes: &[i32]) -> u64 {
    let mut files = BTreeMap::new();
    for process in processes {
        for entry in fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten() {
            let is_in_memory = fs::read_link(entry.path()).is_ok_and(|target| {
                target.as_os_str().as_bytes().starts_with(b"/memfd:") || target.starts_with("/dev/shm")
            });
            if is_in_memory && let Ok(metadata) = fs::metadata(entry.path()) {
                files.insert((metadata.dev(), metadata.ino()), metadata.blocks().saturating_mul(512));
            }
        }
    }
    files.into_values().sum()
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
