//! Runs jobs: numbered units of work, done by several workers under one budget and recorded in order.
//!
//! A [`Job`] says how to run one unit; a [`Recorder`] takes the outcomes. The [`Pool`] between them owns the
//! workers, the clock and the progress figures. Jobs that walk cases do so with [`drive`], the only loop around [`techniques::Case`].
//!
//! Invariant: a unit is a function of the plan, the recorded answers and its number. It never depends on what another
//! worker holds in memory, so a unit may run in another process or on another machine.

mod budget;
mod in_order;
mod job;
mod pool;
mod progress;
mod unit;
mod walk;

pub use budget::{Budget, Stop};
pub use in_order::InOrder;
pub use job::{Job, Readiness, Recorder};
pub use pool::{Pool, Worker};
pub use progress::{Event, Progress, Silent, Watcher};
pub use unit::{AsBytes, UnitResult};
pub use walk::{End, Walker, drive};
