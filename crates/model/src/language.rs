//! The table of languages: the plain data that differs between the languages of inputs.

use crate::Role;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The language of inputs, and of the seeds they are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// SMT-LIB scripts.
    Smt,
    /// C programs.
    C,
    /// Datalog programs.
    Datalog,
}

/// One language. How its seeds are prepared is in the table of loaders in `engine`.
#[derive(Clone, Copy, Debug)]
pub struct LanguageKind {
    /// The language of this row.
    pub language: Language,
    /// The word for it in descriptions and lists.
    pub name: &'static str,
    /// Its name as people write it.
    pub title: &'static str,
    /// One input, such as "a C program".
    pub an_input: &'static str,
    /// The endings of its seed files; the first is the ending of files that juvenal writes.
    pub endings: &'static [&'static str],
    /// What begins a comment that ends with its line.
    pub line_comment: &'static str,
    /// Two of its analyzers, as users name them, for messages.
    pub example_analyzers: [&'static str; 2],
    /// The role in which analyzers are asked unless a query names another.
    pub usual_role: Role,
}

/// Every language, in the order of the variants of [`Language`].
pub const LANGUAGES: [LanguageKind; 3] = [
    LanguageKind {
        language: Language::Smt,
        name: "smt",
        title: "SMT-LIB",
        an_input: "an SMT-LIB script",
        endings: &["smt2"],
        line_comment: ";",
        example_analyzers: ["z3", "cvc5"],
        usual_role: Role::Smt,
    },
    LanguageKind {
        language: Language::C,
        name: "c",
        title: "C",
        an_input: "a C program",
        endings: &["c", "i", "yml"],
        line_comment: "//",
        example_analyzers: ["frama-c:precision=0", "exact-c"],
        usual_role: Role::Reachability,
    },
    LanguageKind {
        language: Language::Datalog,
        name: "datalog",
        title: "Datalog",
        an_input: "a Datalog program",
        endings: &["dl", "datalog"],
        line_comment: "//",
        example_analyzers: ["souffle", "reference-datalog"],
        usual_role: Role::Datalog,
    },
];

impl Language {
    /// Every language.
    pub const ALL: [Language; 3] = [Language::Smt, Language::C, Language::Datalog];

    /// Its row in the table.
    pub fn kind(self) -> &'static LanguageKind {
        const TABLE: &[LanguageKind; 3] = &LANGUAGES;
        &TABLE[self as usize]
    }

    /// The endings of its seed files.
    pub fn endings(self) -> &'static [&'static str] {
        self.kind().endings
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_language_finds_its_own_row() {
        for (language, kind) in Language::ALL.into_iter().zip(&LANGUAGES) {
            assert_eq!((language.kind().language, kind.language), (language, language));
            assert_eq!(serde_json::to_string(&language).unwrap(), format!("\"{}\"", kind.name));
        }
    }

    #[test]
    fn an_ending_names_one_language() {
        let all: Vec<&str> = LANGUAGES.iter().flat_map(|kind| kind.endings).copied().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
    }
}
