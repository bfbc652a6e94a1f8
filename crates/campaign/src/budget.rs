//! When a campaign ends. Besides `process`, the only place that reads the clock.
#![allow(clippy::disallowed_methods, reason = "the budget reads the clock")]

use crate::Progress;
use std::time::{Duration, Instant};

/// How long a campaign may go on.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Instant,
    own_cpu_at_start: u64,
    /// Wall time from now; none for no limit.
    pub time: Option<Duration>,
    /// Cases with a number below this are run; none for no limit.
    pub cases: Option<u64>,
}

impl Budget {
    /// A budget that begins now.
    pub fn starting_now(time: Option<Duration>, cases: Option<u64>) -> Budget {
        Budget { started: Instant::now(), own_cpu_at_start: engine::own_cpu_microseconds(), time, cases }
    }

    /// True if the time is used up.
    pub fn time_is_up(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// The time that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.started.elapsed()))
    }

    pub(crate) fn describe(&self, progress: &mut Progress) {
        progress.seconds = self.started.elapsed().as_secs_f64();
        progress.seconds_left = self.left().map(|left| left.as_secs_f64());
        progress.cases_wanted = self.cases;
        progress.own_cpu_microseconds = engine::own_cpu_microseconds().saturating_sub(self.own_cpu_at_start);
    }
}
