//! The variables in scope, and the facts about each.

use super::interval::Interval;
use super::types::{Dimensions, Kind, Scalar};

/// The prefix of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Global,
    Local,
    Parameter,
}

/// A variable and the invariants that every statement keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) family: Family,
    pub(super) number: usize,
    pub(super) kind: Kind,
    pub(super) dimensions: Dimensions,
    /// The range of the variable or of its elements, for integers. Every write keeps to it.
    pub(super) range: Interval,
    /// Whether the value is known not to be zero, within a branch that tested it.
    pub(super) is_nonzero: bool,
    /// The nesting depth of its block; 0 for objects with static storage.
    pub(super) level: u16,
    pub(super) is_constant: bool,
    /// Whether only statements that name it in this function can change it: its address is never taken.
    pub(super) is_private: bool,
    /// Whether its address may be taken.
    pub(super) is_addressable: bool,
    /// Whether a pointer may be null here.
    pub(super) is_nullable: bool,
    pub(super) is_initialized: bool,
    /// The number of facts and loops that rely on it. It is written only if there are none.
    pub(super) locks: u16,
    /// The last full expression that read it.
    pub(super) last_read: u32,
    /// The last full expression with a side effect on it.
    pub(super) changed: u32,
}

impl Variable {
    /// A variable of a family, with the weakest invariants.
    pub(super) fn new(family: Family, number: usize, kind: Kind) -> Variable {
        let range = match kind {
            Kind::Scalar(scalar) if !scalar.is_real() => scalar.range(),
            _ => Interval::exactly(0),
        };
        Variable {
            family,
            number,
            kind,
            dimensions: Dimensions::default(),
            range,
            is_nonzero: false,
            level: 0,
            is_constant: false,
            is_private: false,
            is_addressable: false,
            is_nullable: false,
            is_initialized: true,
            locks: 0,
            last_read: 0,
            changed: 0,
        }
    }

    /// The type of a variable of integer type that is no array.
    pub(super) fn plain_integer(&self) -> Option<Scalar> {
        match self.kind {
            Kind::Scalar(scalar) if !scalar.is_real() && !self.dimensions.is_array() => Some(scalar),
            _ => None,
        }
    }

    /// Whether a test of it holds until it is written by name, as long as nothing is called.
    pub(super) fn keeps_tested_value(&self) -> bool {
        !self.is_addressable && !self.dimensions.is_array()
    }

    /// Whether it can be written now.
    pub(super) fn is_writable(&self) -> bool {
        !self.is_constant && self.locks == 0
    }
}
