//! Languages of inputs. The built-in ones are rows here; a process can add rows of its own.

use crate::{ComparisonDomain, Role};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// The language of inputs, and of the seeds they are made from. Two languages are the same if their names are.
#[derive(Clone, Copy)]
pub struct Language(&'static LanguageKind);

/// Everything that juvenal must know about a language. Its parser and its techniques are code elsewhere, and a language
/// whose seeds need preparation has a loader in `engine`.
#[derive(Clone, Copy, Debug)]
pub struct LanguageKind {
    /// The word for it in descriptions, lists and stored inputs.
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
    /// The other roles that take its inputs.
    pub other_roles: &'static [Role],
    /// The tables that `juvenal compare` can make of the answers, if it can.
    pub comparison: Option<ComparisonDomain>,
    /// True if the meaning of a program depends on the sizes of its types.
    pub has_data_models: bool,
}

/// The languages that the process has added.
static ADDED: OnceLock<Vec<Language>> = OnceLock::new();

impl Language {
    /// SMT-LIB scripts.
    pub const SMT: Language = Language(&LanguageKind {
        name: "smt",
        title: "SMT-LIB",
        an_input: "an SMT-LIB script",
        endings: &["smt2"],
        line_comment: ";",
        example_analyzers: ["z3", "cvc5"],
        usual_role: Role::Smt,
        other_roles: &[],
        comparison: Some(ComparisonDomain::Smt),
        has_data_models: false,
    });

    /// C programs.
    pub const C: Language = Language(&LanguageKind {
        name: "c",
        title: "C",
        an_input: "a C program",
        endings: &["c", "i", "yml"],
        line_comment: "//",
        example_analyzers: ["frama-c:precision=0", "exact-c"],
        usual_role: Role::Reachability,
        other_roles: &[Role::Debug, Role::Warnings],
        comparison: Some(ComparisonDomain::C),
        has_data_models: true,
    });

    /// Datalog programs.
    pub const DATALOG: Language = Language(&LanguageKind {
        name: "datalog",
        title: "Datalog",
        an_input: "a Datalog program",
        endings: &["dl", "datalog"],
        line_comment: "//",
        example_analyzers: ["souffle", "reference-datalog"],
        usual_role: Role::Datalog,
        other_roles: &[],
        comparison: None,
        has_data_models: false,
    });

    /// The languages that every process has.
    pub const BUILT_IN: [Language; 3] = [Language::SMT, Language::C, Language::DATALOG];

    /// The language of a row. Names and endings find it only after [`Language::add`].
    pub const fn new(kind: &'static LanguageKind) -> Language {
        Language(kind)
    }

    /// Adds languages to the built-in ones. A process does this once, before it reads seeds or stored inputs.
    ///
    /// Fails if languages were added before, if a name or an ending is taken, or if a language has no ending.
    pub fn add(languages: Vec<Language>) -> Result<(), String> {
        let mut known = Language::BUILT_IN.to_vec();
        for language in &languages {
            language.check_beside(&known)?;
            known.push(*language);
        }
        ADDED.set(languages).map_err(|_| "languages can be added only once".to_owned())
    }

    fn check_beside(self, known: &[Language]) -> Result<(), String> {
        let name = self.0.name;
        if self.0.endings.is_empty() {
            return Err(format!("the language `{name}` needs an ending for its files"));
        }
        if known.contains(&self) {
            return Err(format!("there is already a language `{name}`"));
        }
        let taken = |ending: &&&str| known.iter().any(|other| other.0.endings.contains(*ending));
        match self.0.endings.iter().find(taken) {
            Some(ending) => Err(format!("the ending .{ending} of `{name}` belongs to another language")),
            None => Ok(()),
        }
    }

    /// Every language of this process, the built-in ones first.
    pub fn all() -> Vec<Language> {
        let added = ADDED.get().into_iter().flatten();
        Language::BUILT_IN.iter().chain(added).copied().collect()
    }

    /// The language of this name.
    pub fn find(name: &str) -> Option<Language> {
        Language::all().into_iter().find(|language| language.0.name == name)
    }

    /// Its row.
    pub fn kind(self) -> &'static LanguageKind {
        self.0
    }

    /// The word for it in descriptions, lists and stored inputs.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// True if its inputs can be asked about in this role.
    pub fn has_role(self, role: Role) -> bool {
        self.0.usual_role == role || self.0.other_roles.contains(&role)
    }

    /// The endings of its seed files.
    pub fn endings(self) -> &'static [&'static str] {
        self.0.endings
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Language {}

impl PartialOrd for Language {
    fn partial_cmp(&self, other: &Language) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Language {
    fn cmp(&self, other: &Language) -> Ordering {
        self.0.name.cmp(other.0.name)
    }
}

impl Hash for Language {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Language").field(&self.0.name).finish()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.title)
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Language, D::Error> {
        let name = String::deserialize(deserializer)?;
        Language::find(&name).ok_or_else(|| {
            let known: Vec<String> = Language::all().iter().map(|it| format!("`{}`", it.name())).collect();
            D::Error::custom(format!("unknown language `{name}`, expected one of {}", known.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A row like that of C, with these differences.
    const fn row(name: &'static str, endings: &'static [&'static str]) -> LanguageKind {
        LanguageKind { name, endings, ..*Language::C.0 }
    }

    #[test]
    fn a_stored_language_is_found_by_its_name() {
        for language in Language::BUILT_IN {
            let stored = serde_json::to_string(&language).unwrap();
            assert_eq!(stored, format!("\"{}\"", language.name()));
            assert_eq!(serde_json::from_str::<Language>(&stored).unwrap(), language);
        }
        let error = serde_json::from_str::<Language>("\"cobol\"").unwrap_err().to_string();
        assert!(error.contains("unknown language `cobol`, expected one of `smt`, `c`, `datalog`"), "{error}");
    }

    #[test]
    fn an_ending_names_one_language() {
        let all: Vec<&str> = Language::BUILT_IN.iter().flat_map(|it| it.endings()).copied().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
    }

    #[test]
    fn a_language_without_a_name_or_an_ending_of_its_own_is_refused() {
        static SAME_NAME: LanguageKind = row("c", &["other"]);
        static SAME_ENDING: LanguageKind = row("other", &["other", "dl"]);
        static NO_ENDING: LanguageKind = row("other", &[]);
        for (kind, expected) in [
            (&SAME_NAME, "there is already a language `c`"),
            (&SAME_ENDING, "the ending .dl of `other` belongs to another language"),
            (&NO_ENDING, "needs an ending for its files"),
        ] {
            let error = Language::add(vec![Language::new(kind)]).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        static GOOD: LanguageKind = row("other", &["other"]);
        let twice = vec![Language::new(&GOOD), Language::new(&GOOD)];
        assert_eq!(Language::add(twice).unwrap_err(), "there is already a language `other`");
    }

    #[test]
    fn an_added_language_is_found_like_a_built_in_one() {
        static PASCAL: LanguageKind = row("pascal", &["pas"]);
        let pascal = Language::new(&PASCAL);
        Language::add(vec![pascal]).unwrap();
        assert_eq!(serde_json::from_str::<Language>("\"pascal\"").unwrap(), pascal);
        assert_eq!(Language::all().len(), Language::BUILT_IN.len() + 1);
        assert_eq!(Language::add(vec![]).unwrap_err(), "languages can be added only once");
    }
}
