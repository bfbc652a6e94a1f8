//! The words for what was compared: checks of C programs that are executed, or scripts that are evaluated under models.

use model::{ComparedCheck, Comparison, ComparisonDomain};

/// The words of one language.
pub(crate) struct Vocabulary {
    /// What is safe, as analyzers say it.
    pub safe: &'static str,
    /// What is unsafe, as analyzers say it.
    pub not_safe: &'static str,
    /// What analyzers are asked about.
    pub check: &'static str,
    /// What a summary calls the share of checks that an analyzer says are safe.
    pub verified: &'static str,
    /// Of which checks that is the share.
    pub may_hold: &'static str,
    /// Who overrules analyzers.
    pub oracle: &'static str,
    /// What analyzers are given.
    pub program: &'static str,
    /// What else a reader of tables must know.
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
    legend: "To a script, unsat is what safe is to a check, and sat is what unsafe is; all else is unknown. \
             An unsat is unsound where the evaluator confirms a model, and a sat that others contradict is imprecise.",
};

/// The words of a comparison.
pub(crate) fn vocabulary(comparison: &Comparison) -> &'static Vocabulary {
    match comparison.language {
        ComparisonDomain::C => &OF_PROGRAMS,
        ComparisonDomain::Smt => &OF_SCRIPTS,
    }
}

impl Vocabulary {
    /// Several checks.
    pub fn checks(&self) -> String {
        format!("{}s", self.check)
    }
}

/// Where a check stands: `check 3 at loops/count.c:7`; a script stands for itself.
pub(crate) fn place_in_words(comparison: &Comparison, check: &ComparedCheck) -> String {
    match comparison.language {
        ComparisonDomain::C => format!("check {} at {}:{}", check.number, check.seed, check.line),
        ComparisonDomain::Smt => format!("script {} of {}", check.number, check.seed),
    }
}

/// What a check demands, as a statement; a script in few words.
pub(crate) fn demand_in_words(comparison: &Comparison, condition: &str) -> String {
    match comparison.language {
        ComparisonDomain::C => format!("assert({condition});"),
        ComparisonDomain::Smt => condition.to_owned(),
    }
}

/// The text with a capital letter at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
