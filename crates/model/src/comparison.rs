//! How several analyzers, configurations or versions answered the same checks.
//!
//! A check stands in a program, and every analyzer says one [`CheckAnswer`] of it. Where the program was executed, too, that
//! settles who is right: see [`Executed`]. Between SMT solvers a check is a script. `unsat` says that the assertions
//! never hold together, so it is what safe is to a program, and `sat` is unsafe; a model that the evaluator confirms takes
//! the place of an execution. What is computed from a [`Comparison`] is in the crate `findings`.

use crate::{AnalyzerId, Approximation, Input, Language};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an analyzer says of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckAnswer {
    /// The check never fails.
    Safe,
    /// The check can fail.
    Unsafe,
    /// Neither: the analyzer gave up, ran into a limit, crashed or refused.
    Unknown,
}

/// The languages whose analyzers say one of a few words of each check, so that tables can be made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonDomain {
    /// Checks of C programs.
    C,
    /// SMT-LIB scripts.
    Smt,
}

impl ComparisonDomain {
    /// The same of any language; none if its analyzers do not say such words.
    pub fn of(language: Language) -> Option<ComparisonDomain> {
        match language {
            Language::C => Some(ComparisonDomain::C),
            Language::Smt => Some(ComparisonDomain::Smt),
            Language::Datalog => None,
        }
    }
}

impl CheckAnswer {
    /// The word as analyzers of this language say it.
    pub fn spelled(self, language: ComparisonDomain) -> &'static str {
        match (self, language) {
            (CheckAnswer::Safe, ComparisonDomain::C) => "safe",
            (CheckAnswer::Unsafe, ComparisonDomain::C) => "unsafe",
            (CheckAnswer::Safe, ComparisonDomain::Smt) => "unsat",
            (CheckAnswer::Unsafe, ComparisonDomain::Smt) => "sat",
            (CheckAnswer::Unknown, _) => "unknown",
        }
    }
}

impl fmt::Display for CheckAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.spelled(ComparisonDomain::C))
    }
}

/// What executing the program showed, or evaluating the script under the models of solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Executed {
    /// With these inputs the check fails; a script holds under these values.
    Violated {
        /// The inputs, in the order in which the program reads them, or the assignment.
        inputs: String,
    },
    /// Every input was run, and the check never fails. Nothing shows that of a script.
    Never,
    /// Nothing was shown either way, or the program was not run.
    Open,
}

impl Executed {
    /// True if an execution violates the check.
    pub fn is_violated(&self) -> bool {
        matches!(self, Executed::Violated { .. })
    }

    /// The word in tables and files: `violated`, `never` or `open`.
    pub fn word(&self) -> &'static str {
        match self {
            Executed::Violated { .. } => "violated",
            Executed::Never => "never",
            Executed::Open => "open",
        }
    }
}

/// A check of a program, or a script, as every analyzer answered it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedCheck {
    /// Counted from 1 over the comparison.
    pub number: u64,
    /// The name of the seed.
    pub seed: String,
    /// The line of the seed's text before which the check stands; 0 for a script.
    pub line: u32,
    /// What must hold there, a C expression; of a script, what it is in few words.
    pub condition: String,
    /// The program with the check, or the script.
    pub input: Input,
    /// What the analyzers say, in their order.
    pub words: Vec<CheckAnswer>,
    /// What executing the program showed.
    pub executed: Executed,
}

impl ComparedCheck {
    /// What the analyzer at this place says; one that was not asked does not know.
    pub fn word(&self, analyzer: usize) -> CheckAnswer {
        self.words.get(analyzer).copied().unwrap_or(CheckAnswer::Unknown)
    }
}

/// An analyzer of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedAnalyzer {
    /// Its identity.
    pub id: AnalyzerId,
    /// What its answers mean.
    pub approximation: Approximation,
    /// The number of times it was asked.
    pub queries: u64,
    /// The processor time of all queries.
    pub cpu_microseconds: u64,
    /// The time on the clock of all queries.
    pub wall_microseconds: u64,
    /// Answers that say that it does not know.
    pub unknowns: u64,
    /// Answers that a limit cut off.
    pub limits: u64,
    /// Answers that were crashes.
    pub crashes: u64,
    /// Programs that it did not take.
    pub refusals: u64,
}

/// Several analyzers and the checks that all of them were asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// What was compared on; it decides the words.
    pub language: ComparisonDomain,
    /// The analyzers; tables and pairs name them by their places here.
    pub analyzers: Vec<ComparedAnalyzer>,
    /// The checks, by number.
    pub checks: Vec<ComparedCheck>,
    /// Pairs (more precise, less precise) of places in `analyzers`, known from descriptions.
    pub orders: Vec<(usize, usize)>,
}

impl Default for Comparison {
    /// An empty comparison.
    fn default() -> Comparison {
        Comparison {
            language: ComparisonDomain::C,
            analyzers: Vec::new(),
            checks: Vec::new(),
            orders: Vec::new(),
        }
    }
}

impl Comparison {
    /// A word as the analyzers of this comparison say it.
    pub fn spelled(&self, word: CheckAnswer) -> &'static str {
        word.spelled(self.language)
    }

    /// True if every analyzer says the same of a check.
    pub fn is_unanimous(&self, check: &ComparedCheck) -> bool {
        (1..self.analyzers.len()).all(|analyzer| check.word(analyzer) == check.word(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CInput, DataModel};

    fn check(words: &[CheckAnswer]) -> ComparedCheck {
        let program = CInput { base: "".into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        ComparedCheck {
            number: 1,
            seed: "a.c".to_owned(),
            line: 3,
            condition: "x != 3".to_owned(),
            input: Input::C(program),
            words: words.to_vec(),
            executed: Executed::Open,
        }
    }

    #[test]
    fn words_are_lower_case_everywhere() {
        for word in [CheckAnswer::Safe, CheckAnswer::Unsafe, CheckAnswer::Unknown] {
            assert_eq!(serde_json::to_string(&word).unwrap(), format!("\"{word}\""));
        }
        let violated = Executed::Violated { inputs: "1, 2".to_owned() };
        let text = serde_json::to_string(&violated).unwrap();
        assert_eq!(text, "{\"violated\":{\"inputs\":\"1, 2\"}}");
        assert_eq!(serde_json::from_str::<Executed>(&text).unwrap(), violated);
        assert_eq!(format!("{:>7}", CheckAnswer::Safe), "   safe");
        let words = [CheckAnswer::Safe, CheckAnswer::Unsafe, CheckAnswer::Unknown]
            .map(|word| word.spelled(ComparisonDomain::Smt));
        assert_eq!(words, ["unsat", "sat", "unknown"]);
    }

    #[test]
    fn one_that_was_not_asked_does_not_know() {
        let analyzer = |name| ComparedAnalyzer {
            id: AnalyzerId::new(name, "1", &[]),
            approximation: Approximation::Over,
            queries: 0,
            cpu_microseconds: 0,
            wall_microseconds: 0,
            unknowns: 0,
            limits: 0,
            crashes: 0,
            refusals: 0,
        };
        let comparison =
            Comparison { analyzers: vec![analyzer("a"), analyzer("b")], ..Comparison::default() };
        assert!(!comparison.is_unanimous(&check(&[CheckAnswer::Safe])));
        assert!(comparison.is_unanimous(&check(&[CheckAnswer::Unknown])));
        assert!(Comparison::default().is_unanimous(&check(&[])));
    }
}
