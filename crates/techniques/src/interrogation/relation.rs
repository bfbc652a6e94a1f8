//! The relations of `interrogation`.

use crate::checks::Unsettled;
use model::{Exhibit, RelationData};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What the answers of a verifier must not break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "kebab-case")]
pub enum InterrogationRelation {
    /// A valid program is analyzed.
    Analyzed,
    /// No execution violates a verified check.
    NoVerifiedCheckFails,
    /// Two programs, asked of one analyzer, fail related checks.
    Pair(PairRelation),
}

/// What must hold between the checks that fail in a program and in a changed one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PairRelation {
    /// Which checks may fail.
    pub law: PairLaw,
    /// The checks that were added or changed. They are not compared.
    pub touched: BTreeSet<u32>,
    /// The checks that must be verified in the first program for the law to hold.
    pub invariants: BTreeSet<u32>,
    /// The positions of annotations of the second program that have no counterpart in the first.
    pub added: BTreeSet<usize>,
    /// What an unknown check counts as.
    pub unsettled: Unsettled,
}

/// Which checks may fail in the second program, given those that fail in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairLaw {
    /// After strengthening, no check fails that did not fail before.
    Strengthened,
    /// After weakening, every check fails that failed before.
    Weakened,
    /// The same checks fail, because only what is verified or the wording of an assumption differs.
    Even,
    /// The same checks fail, because a failing check does not end the execution.
    ChecksAreIndependent,
    /// Without per-check results: a correct program stays correct.
    StaysCorrect,
    /// Without per-check results: an incorrect program stays incorrect.
    StaysIncorrect,
}

impl PairLaw {
    /// The law as the end of a sentence, for reports.
    pub fn sentence(self) -> &'static str {
        match self {
            PairLaw::Strengthened => "a stronger program fails no other check",
            PairLaw::Weakened => "a weaker program fails every other check that failed",
            PairLaw::Even => "changing what is verified, or the wording of an assumption, changes nothing",
            PairLaw::ChecksAreIndependent => "checks have no effect on each other",
            PairLaw::StaysCorrect => "a correct program stays correct",
            PairLaw::StaysIncorrect => "an incorrect program stays incorrect",
        }
    }
}

impl RelationData for InterrogationRelation {
    const SCHEMA: u32 = 1;
}

impl InterrogationRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<InterrogationRelation> {
        exhibit.relation.read()
    }

    /// The relation of an exhibit between two programs.
    pub fn of_pair(exhibit: &Exhibit) -> Option<PairRelation> {
        match InterrogationRelation::of(exhibit)? {
            InterrogationRelation::Pair(pair) => Some(pair),
            InterrogationRelation::Analyzed | InterrogationRelation::NoVerifiedCheckFails => None,
        }
    }
}
