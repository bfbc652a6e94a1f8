//! A time limit for own work, which has no process that could be ended.

use std::time::{Duration, Instant};

/// A wall time limit that began when it was made.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    began: Instant,
    limit: Duration,
}

impl TimeLimit {
    /// A limit that begins now.
    #[allow(clippy::disallowed_methods, reason = "this crate measures time")]
    pub fn of_milliseconds(milliseconds: u64) -> TimeLimit {
        TimeLimit { began: Instant::now(), limit: Duration::from_millis(milliseconds) }
    }

    /// True once the time is up.
    pub fn is_over(&self) -> bool {
        self.began.elapsed() >= self.limit
    }
}
