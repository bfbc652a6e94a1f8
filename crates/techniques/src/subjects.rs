//! The choice of the analyzer that a case is about.

use crate::Case;
use crate::case::SkippedCase;
use model::{AnalyzerInfo, Lineup, Seed};

/// The analyzers under test that support a seed, each with the role in which it is asked about it.
pub(crate) fn supporting<Role>(
    lineup: &Lineup,
    role: impl Fn(&AnalyzerInfo) -> Option<Role>,
) -> Vec<(AnalyzerInfo, Role)> {
    lineup.subjects.iter().filter_map(|subject| Some((subject.clone(), role(subject)?))).collect()
}

/// The case of a seed whose data model no analyzer under test supports.
pub(crate) fn unsupported_data_model(seed: &Seed) -> Box<dyn Case> {
    let detail = format!("{}: {}", seed.name, seed.data_model);
    Box::new(SkippedCase::new("no analyzer under test supports the seed's data model", detail))
}
