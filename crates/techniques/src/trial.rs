//! Trials: honest analyzers that a technique must not accuse, and liars that it must catch.

/// How the conformance tests try a technique.
pub struct Trials {
    /// Analyzers that answer correctly. The technique must find nothing.
    pub twin: Option<Trial>,
    /// Analyzers that lie. The technique must find something in each trial.
    pub liars: &'static [Trial],
}

/// A short campaign.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The analyzers under test, as users name them. A name that ends in `.toml` is a description file below this crate.
    pub subjects: &'static [&'static str],
    /// The witnesses, in the same form.
    pub witnesses: &'static [&'static str],
    /// The seed file, below this crate; `None` for the seeds that a campaign has without one.
    pub seed: Option<&'static str>,
    /// The knobs that make the campaign short.
    pub knobs: &'static [(&'static str, &'static str)],
    /// The random seed of the campaign.
    pub random_seed: u64,
    /// The number of cases.
    pub cases: u64,
}

impl Trial {
    /// A trial of one analyzer with the usual seeds and without witnesses.
    pub const fn of(subjects: &'static [&'static str], cases: u64) -> Trial {
        Trial { subjects, witnesses: &[], seed: None, knobs: &[], random_seed: 1, cases }
    }
}
