//! Analyses of a parsed program that decide what can be done with it and what its executions prove.
//!
//! All of them err on the safe side: where a property is not obvious from the text, it does not hold.

mod closed;
pub(crate) mod constant;
mod constant_occurrence;
mod determinism;
mod evidence;
mod filled;
mod folded_error;
mod forged_pointers;
mod functions_by_offset;
mod initialized;
mod jump_table;
pub(crate) mod mentions;
mod pointer_free;
mod purity;
mod readable;
mod sites;
mod statements;
mod suitability;
pub mod unchecked_ub;

pub use closed::{sanitizers_detect, why_not_closed};
pub use constant_occurrence::{ConstantOccurrence, ConstantValue, constants};
pub use determinism::{is_deterministic, with_checks_as_statements};
pub use evidence::{undefined_functions, why_no_evidence};
pub use folded_error::has_folded_error;
pub use initialized::Values;
pub use mentions::reachable_functions;
pub use pointer_free::why_pointers_matter;
pub use purity::Purity;
pub use readable::Readable;
pub use sites::{Site, sites};
pub use statements::{
    evaluated_expressions, for_each_inner, instrumentable_functions, is_block_item_at, statements_of,
};
pub use suitability::refuse_unsuitable;

pub(crate) use statements::{block_items, local_variables, statements_within};

/// The names of the variables that a deliberately injected error uses. These may be read without a value, which is
/// then the point of the program.
pub const INJECTED_VARIABLES: [&str; 2] = ["juvenal_block", "juvenal_value"];
