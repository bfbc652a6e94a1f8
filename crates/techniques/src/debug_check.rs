//! Debug checks: what the engine of an analyzer must know where a condition has just been seen to hold.
//!
//! [`prepared`] finds the points of a program where something is known and the conditions that follow from it. The
//! rules that derive them work on abstract comparisons, so that tests can try every value of small types on the very
//! code that makes the text.

mod context;
mod fact;
mod form;
mod memory;
mod normal_form;
mod operand;
mod place;
pub mod prepared;
mod rule;
mod shape;
mod statements;
mod text;

#[cfg(test)]
mod executed;
#[cfg(test)]
mod full_width;
#[cfg(test)]
mod scaled;
