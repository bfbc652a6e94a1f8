//! How several analyzers, configurations or versions answered the same checks.
//!
//! A check stands in a program, and every analyzer gives one [`CheckAnswer`] for it. If the program was executed as well,
//! the execution shows which analyzer is right: see [`Executed`]. For SMT solvers, a check is a script: `unsat` corresponds
//! to safe, because the assertions never hold together, and `sat` to unsafe; a model that the evaluator confirms takes the
//! place of an execution. The tables are computed in the crate `comparison`.

use crate::{AnalyzerId, Approximation, Input};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an analyzer says about a check.
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

/// The languages whose analyzers answer each check with one of a few words, which can be tabulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonDomain {
    /// Checks of C programs.
    C,
    /// SMT-LIB scripts.
    Smt,
}

impl CheckAnswer {
    /// The word that analyzers of this language use.
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
    /// Every input was run, and the check never fails. For a script there is no such evidence.
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
    /// What must hold there, a C expression; for a script, what it is in a few words.
    pub condition: String,
    /// The program with the check, or the script.
    pub input: Input,
    /// What the analyzers say, in their order.
    pub words: Vec<CheckAnswer>,
    /// What executing the program showed.
    pub executed: Executed,
}

impl ComparedCheck {
    /// The answer of the analyzer at this index; `Unknown` if it was not asked.
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
    /// The wall time of all queries.
    pub wall_microseconds: u64,
    /// Answers `unknown`.
    pub unknowns: u64,
    /// Queries that hit a limit.
    pub limits: u64,
    /// Queries that ended in a crash.
    pub crashes: u64,
    /// Programs that it refused.
    pub refusals: u64,
}

/// Several analyzers and the checks that all of them were asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The language of the inputs; it decides the words.
    pub language: ComparisonDomain,
    /// The analyzers; tables and pairs refer to them by index.
    pub analyzers: Vec<ComparedAnalyzer>,
    /// The checks, by number.
    pub checks: Vec<ComparedCheck>,
    /// Pairs (more precise, less precise) of indices in `analyzers`, known from descriptions.
    pub orders: Vec<(usize, usize)>,
    /// What the machines that the analyzers ran on could not promise about security, each in a sentence.
    pub weaknesses: Vec<String>,
}

impl Default for Comparison {
    /// An empty comparison.
    fn default() -> Comparison {
        Comparison {
            language: ComparisonDomain::C,
            analyzers: Vec::new(),
            checks: Vec::new(),
            orders: Vec::new(),
            weaknesses: Vec::new(),
        }
    }
}

impl Comparison {
    /// The word that the analyzers of this comparison use for an answer.
    pub fn spelled(&self, word: CheckAnswer) -> &'static str {
        word.spelled(self.language)
    }

    /// True if all analyzers give the same answer.
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
