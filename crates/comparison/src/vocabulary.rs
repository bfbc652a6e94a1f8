//! The vocabulary of each kind of comparison: checks of C programs are executed, and scripts are evaluated under models.

use model::{ComparedCheck, Comparison, ComparisonDomain};

/// The words of one language.
pub(crate) struct Vocabulary {
    /// The answer that corresponds to `safe`.
    pub safe: &'static str,
    /// The answer that corresponds to `unsafe`.
    pub not_safe: &'static str,
    /// The noun for a check.
    pub check: &'static str,
    /// The name of the share of checks that an analyzer calls safe.
    pub verified: &'static str,
    /// The checks that this is a share of.
    pub may_hold: &'static str,
    /// The judge that overrules analyzers.
    pub oracle: &'static str,
    /// The noun for an input.
    pub program: &'static str,
    /// The noun for what a case starts from.
    pub seed: &'static str,
    /// An explanation for the tables.
    pub legend: &'static str,
}

const OF_PROGRAMS: Vocabulary = Vocabulary {
    safe: "safe",
    not_safe: "unsafe",
    check: "check",
    verified: "verified",
    may_hold: "the checks that may hold",
    oracle: "execution",
    program: "program",
    seed: "program",
    legend: "",
};

const OF_SCRIPTS: Vocabulary = Vocabulary {
    safe: "unsat",
    not_safe: "sat",
    check: "script",
    verified: "unsat",
    may_hold: "the scripts that may be unsatisfiable",
    oracle: "the evaluator",
    program: "script",
    seed: "seed",
    legend: "For a script, unsat corresponds to safe and sat to unsafe. An unsat is unsound if the evaluator confirms a \
             model, and a sat that others contradict is imprecise.",
};

/// The words of a comparison.
pub(crate) fn vocabulary(comparison: &Comparison) -> &'static Vocabulary {
    match comparison.language {
        ComparisonDomain::C => &OF_PROGRAMS,
        ComparisonDomain::Smt => &OF_SCRIPTS,
    }
}

/// The nouns for a check and for what a case starts from.
pub fn nouns(comparison: &Comparison) -> (&'static str, &'static str) {
    let words = vocabulary(comparison);
    (words.check, words.seed)
}

impl Vocabulary {
    /// The plural of `check`.
    pub fn checks(&self) -> String {
        format!("{}s", self.check)
    }
}

/// The number and location of a check: `check 3 at loops/count.c:7`.
pub(crate) fn location_in_words(comparison: &Comparison, check: &ComparedCheck) -> String {
    match comparison.language {
        ComparisonDomain::C => format!("check {} at {}:{}", check.number, check.seed, check.line),
        ComparisonDomain::Smt => format!("script {} of {}", check.number, check.seed),
    }
}

/// A check as a statement; a script in a few words.
pub(crate) fn demand_in_words(comparison: &Comparison, condition: &str) -> String {
    match comparison.language {
        ComparisonDomain::C => format!("assert({condition});"),
        ComparisonDomain::Smt => condition.to_owned(),
    }
}

/// The text with its first letter in upper case.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
