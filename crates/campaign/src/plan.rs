//! `campaign.toml`: what was asked, enough to run it again.

use anyhow::{Context, Result};
use model::Settings;
use serde::{Deserialize, Serialize};

/// A campaign as it is written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The juvenal that made it.
    pub juvenal: String,
    /// The techniques, by name.
    pub techniques: Vec<String>,
    /// The analyzers under test: identities such as `z3@4.8.12`.
    pub subjects: Vec<String>,
    /// The analyzers that help to judge.
    pub witnesses: Vec<String>,
    /// Those of them that were given by path or description file, and must be named again to go on.
    #[serde(default)]
    pub by_hand: Vec<String>,
    /// True if a built-in liar is hunted only to show what a hunt looks like.
    #[serde(default)]
    pub demonstration: bool,
    /// The number from which everything random comes.
    pub random_seed: u64,
    /// Wall seconds of one run, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Number of cases, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// Workers.
    pub jobs: usize,
    /// How many smaller candidates are tried for each finding.
    #[serde(default = "usual_candidates")]
    pub candidates: usize,
    /// Where the cases start from.
    pub seeds: SeedPlan,
    /// The knobs that were set.
    #[serde(default)]
    pub settings: Settings,
}

/// Where the cases of a campaign start from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedPlan {
    /// The paths given; none for the seeds that come with juvenal.
    pub paths: Vec<String>,
    /// How many files were found.
    pub count: usize,
    /// A hash over their names, so that going on with other seeds is noticed at once. Every case records the
    /// hash of its seed's text besides.
    pub identity: String,
}

/// Candidates that the reducer may ask for each finding during a hunt; `juvenal reduce` goes on from there.
pub const USUAL_CANDIDATES: usize = 1500;

fn usual_candidates() -> usize {
    USUAL_CANDIDATES
}

impl Plan {
    /// The text of the file.
    pub fn text(&self) -> Result<String> {
        let body = toml::to_string_pretty(self).context("cannot write the campaign down")?;
        Ok(format!("# Written by juvenal; `juvenal resume` reads it.\n{body}"))
    }

    /// Reads the file back.
    pub fn parse(text: &str) -> Result<Plan> {
        toml::from_str(text).context("campaign.toml is damaged, or was written by another version of juvenal")
    }
}
