//! When a job ends. Apart from `process`, this is the only module that reads the clock.
#![allow(clippy::disallowed_methods, reason = "the budget reads the clock")]

use crate::Progress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a job may run.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Instant,
    own_cpu_at_start: u64,
    /// Wall time from the start; none for no limit.
    pub time: Option<Duration>,
    /// Units with a number below this run; none for no limit.
    pub units: Option<u64>,
}

impl Budget {
    /// A budget that starts now.
    pub fn starting_now(time: Option<Duration>, units: Option<u64>) -> Budget {
        Budget { started: Instant::now(), own_cpu_at_start: engine::own_cpu_microseconds(), time, units }
    }

    /// The same budget for a job with so many units.
    pub fn with_units(self, units: u64) -> Budget {
        Budget { units: Some(units), ..self }
    }

    /// The same budget without a limit on the time, for what must be done after the time is up.
    pub fn without_time(self) -> Budget {
        Budget { time: None, ..self }
    }

    /// The share of the time that is over, in percent; 0 if there is no limit.
    pub fn used_percent(&self) -> u32 {
        let share = |time: Duration, left: Duration| {
            100.0 * (1.0 - left.as_secs_f64() / time.as_secs_f64().max(1e-9))
        };
        self.time.zip(self.left()).map_or(0, |(time, left)| share(time, left) as u32)
    }

    /// True if this share of the time is over, in percent.
    pub fn is_used_up_by(&self, percent: u32) -> bool {
        self.time.zip(self.left()).is_some_and(|(time, left)| left <= time * (100 - percent.min(100)) / 100)
    }

    /// The time that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.started.elapsed()))
    }

    fn time_is_up(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    pub(crate) fn describe(&self, progress: &mut Progress) {
        progress.seconds = self.started.elapsed().as_secs_f64();
        progress.seconds_left = self.left().map(|left| left.as_secs_f64());
        progress.cases_wanted = self.units;
        progress.own_cpu_microseconds = engine::own_cpu_microseconds().saturating_sub(self.own_cpu_at_start);
    }
}

/// The two reasons to end early: the user interrupts, or the time is up.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    /// Set from outside, for instance by Ctrl-C.
    pub requested: &'a AtomicBool,
    /// The time and the units that are left.
    pub budget: Budget,
}

impl Stop<'_> {
    /// True once no new work may begin.
    pub fn is_over(&self) -> bool {
        self.is_requested() || self.budget.time_is_up()
    }

    /// True once running work must end at the next query.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    pub(crate) fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }
}
