//! Analyzers as data: how each is found, called and read.
//!
//! A [`Description`] is one file of `analyzers/`, compiled in; users add their own as text. A [`Question`] is
//! a query as one analyzer is asked it: it makes the [`Request`] and reads the transcript.
//!
//! Invariant: this crate is pure. It opens no file, starts no process and reads no clock, and it never says "bug".

mod built_in;
mod c_role;
mod calling;
mod catalogue;
mod datalog_role;
mod description;
mod failing;
mod file_access;
mod harmless_choice;
mod invocation;
mod modelled;
mod one_by_one;
mod placeholder;
mod probes;
mod question;
mod reachability;
mod reachability_reading;
mod reading;
mod request;
mod roles;
mod runner;
mod scanner;
mod signature;
mod support;
mod tool_info;
mod tune;
mod validation;
mod version;
mod warning_reading;
mod warnings;

pub use built_in::{
    BUILT_INS, BuiltIn, BuiltInPage, CLiar, CLie, DatalogEngine, DatalogLie, LIAR_C, LIAR_DATALOG, LIAR_SMT,
    Lie, REFERENCE_DATALOG, SmtLiar, built_in_page,
};
pub use c_role::CRole;
pub use calling::{CommandOption, FilledStep, PROGRAM_FILE, Step};
pub use catalogue::Catalogue;
pub use datalog_role::{DatalogRole, can_say};
pub use description::{
    Configuration, Crash, Description, Driver, Echo, ExitCode, ExitMeaning, Find, Install, Limit, ModeCall,
    Modes, Output, Python, PythonModule, Resource, SmtRole, SoundOption, TimeLimit, Unsoundness, Variant,
    Version,
};
pub use failing::FailureRules;
pub use file_access::file_access;
pub use invocation::{Invocation, Wrapper};
pub use one_by_one::programs;
pub use probes::{Probe, probes};
pub use question::Question;
pub use reachability::{ReachabilityOutput, ReachabilityRole, Rendered, Row};
pub use reachability_reading::read_checks;
pub use reading::read;
pub use request::{Request, RunRequest, SessionRequest};
pub use roles::{ROLES, RoleKind, role_kind};
pub use runner::{RUNNERS, Runner};
pub use support::support_file;
pub use tool_info::{BENCHEXEC, BENCHEXEC_MANUAL, BENCHEXEC_OPTION, benchexec_description, benchexec_module};
pub use warning_reading::read_warnings;
pub use warnings::{Checker, DeliberateMiss, WarningFormat, WarningRow, WarningsOutput, WarningsRole};
