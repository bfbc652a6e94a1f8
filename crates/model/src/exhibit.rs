//! Answers that cannot all be right.

use crate::{NamedFile, Query, Relation};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A proof in waiting: the queries whose answers cannot all be right, and the relation that they break.
/// Self-contained, so that it can be confirmed, replayed and reduced without the walk that found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exhibit {
    /// The technique that judges it.
    pub technique: String,
    /// What it accuses the analyzer of.
    pub kind: Kind,
    /// A few words for lists, such as `unsat on a satisfiable script`.
    pub title: String,
    /// What to ask, in order.
    pub queries: Vec<Query>,
    /// What the answers must not break.
    pub relation: Relation,
    /// What this exhibit has in common with many others, of which a campaign examines only the first few. `None` if it
    /// is always examined. The technique sets it when it puts up the exhibit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_key: Option<String>,
}

impl Exhibit {
    /// The bytes of what the accused is asked.
    pub fn bytes(&self) -> usize {
        let accused = self.queries.first().map(|query| &query.analyzer);
        let of_accused = self.queries.iter().filter(|query| Some(&query.analyzer) == accused);
        of_accused.map(|query| query.input.text().len()).sum()
    }
}

/// What an analyzer is accused of. The order is the order of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It calls something impossible that is possible.
    Soundness,
    /// Its model does not satisfy the assertions.
    InvalidModel,
    /// It cannot exclude what is impossible, although it can elsewhere.
    Precision,
    /// It died.
    Crash,
    /// It refused a valid input.
    Refusal,
    /// A bug finder missed an error of a kind that it looks for.
    Missed,
    /// A bug finder warned of an error that is not there.
    FalseWarning,
}

impl Kind {
    /// Every kind, in the order of lists.
    pub const ALL: [Kind; 7] = [
        Kind::Soundness,
        Kind::InvalidModel,
        Kind::Precision,
        Kind::Crash,
        Kind::Refusal,
        Kind::Missed,
        Kind::FalseWarning,
    ];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Soundness => "soundness",
            Kind::InvalidModel => "invalid-model",
            Kind::Precision => "precision",
            Kind::Crash => "crash",
            Kind::Refusal => "refusal",
            Kind::Missed => "missed",
            Kind::FalseWarning => "false-warning",
        })
    }
}

/// How strong the case against the analyzer is. The order is the order of lists: strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Independent evidence that can be executed shows that the analyzer is wrong.
    Proved,
    /// The analyzer contradicts itself, or juvenal's own evaluator alone.
    Contradiction,
    /// Others disagree with it.
    Suspicion,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Proved => "proved",
            Evidence::Contradiction => "contradiction",
            Evidence::Suspicion => "suspicion",
        })
    }
}

/// What the witnesses make of an exhibit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weighed {
    /// What it turned out to be, where that is another thing than the exhibit says: execution may show that what
    /// looked like imprecision is unsoundness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The strength.
    pub evidence: Evidence,
    /// Why, one sentence each, for the report.
    pub reasons: Vec<String>,
    /// What lets a stranger check it.
    pub files: Vec<NamedFile>,
}
