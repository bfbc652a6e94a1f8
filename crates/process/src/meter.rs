//! How one run is measured: by a control group or by sampling.

use crate::group::{Group, MAXIMUM_PROCESSES};
use crate::sampler::Sampler;
use model::MeasureMode;
use std::time::Instant;

/// The measurement of one process tree.
pub(crate) enum Meter {
    /// A control group measures and limits.
    Group(Box<Group>),
    /// juvenal samples `/proc`.
    Sampler(Sampler),
}

impl Meter {
    /// How this measures.
    pub(crate) fn mode(&self) -> MeasureMode {
        match self {
            Meter::Group(group) => group.mode(),
            Meter::Sampler(_) => MeasureMode::Sampling,
        }
    }

    /// When `finds_too_much` should be called next, if ever.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        match self {
            Meter::Group(_) => None,
            Meter::Sampler(sampler) => Some(sampler.next()),
        }
    }

    /// Samples the tree if it is time, and returns whether it is too large.
    /// Without control groups a tree of too many processes counts as one with too much memory.
    pub(crate) fn finds_too_much(&mut self, now: Instant, memory_bytes: u64) -> bool {
        match self {
            Meter::Sampler(sampler) if now >= sampler.next() => {
                let sample = sampler.look(memory_bytes);
                sample.memory_bytes > memory_bytes || sample.processes > MAXIMUM_PROCESSES
            }
            _ => false,
        }
    }

    /// CPU time since the meter was made.
    pub(crate) fn cpu_microseconds(&self) -> u64 {
        match self {
            Meter::Group(group) => group.cpu_microseconds(),
            Meter::Sampler(sampler) => sampler.cpu_microseconds(),
        }
    }

    /// The most memory since the last reset.
    pub(crate) fn peak_bytes(&self) -> u64 {
        match self {
            Meter::Group(group) => group.peak_bytes(),
            Meter::Sampler(sampler) => sampler.peak_bytes(),
        }
    }

    /// Starts a new peak.
    pub(crate) fn reset_peak(&mut self) {
        match self {
            Meter::Group(group) => group.reset_peak(),
            Meter::Sampler(sampler) => sampler.reset_peak(),
        }
    }

    /// Whether the system has killed something because of memory.
    pub(crate) fn was_over_memory(&self) -> bool {
        matches!(self, Meter::Group(group) if group.was_over_memory())
    }
}
