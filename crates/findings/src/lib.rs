//! From an exhibit to a bug report: confirm, weigh, reduce, group, rank, report.
//!
//! Invariants: the technique's judge is the only test of interest; reports are made from the store alone.

mod bug_list;
mod confirm;
mod escape;
mod examine;
mod group;
mod profile;
mod rank;
mod reduce;
mod report_finding;
mod report_json;
mod report_markdown;
mod titles;
mod vacuity;

pub use bug_list::{ListedBug, listed_bugs};
pub use confirm::{Confirmation, confirm};
pub use examine::{Examination, Examined, Stops, examine, examine_again};
pub use group::{Assigned, Bugs, Sighting};
pub use rank::ranked;
pub use reduce::{ReduceBudget, Reduced, reduce, still_broken};
pub use report_finding::{directory_name, finding_files};
pub use report_json::{finding_rows, report_json};
pub use report_markdown::report_markdown;
pub use titles::Titles;
pub use vacuity::{EmptyWork, empty_work};
