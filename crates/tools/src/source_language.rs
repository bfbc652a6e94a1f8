//! The languages whose files tools are given.

use serde::Deserialize;

/// A programming language of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceLanguage {
    /// Python.
    Python,
    /// JavaScript.
    Javascript,
    /// TypeScript.
    Typescript,
    /// Java.
    Java,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Go.
    Go,
}

impl SourceLanguage {
    /// The name of the language whose rules say what its files depend on.
    pub fn project_language(self) -> &'static str {
        match self {
            SourceLanguage::Python => "python",
            SourceLanguage::Javascript | SourceLanguage::Typescript => "javascript",
            SourceLanguage::Java => "java",
            SourceLanguage::C | SourceLanguage::Cpp => "c",
            SourceLanguage::Go => "go",
        }
    }

    /// The endings of its files, without headers.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            SourceLanguage::Python => &["py", "pyi"],
            SourceLanguage::Javascript => &["js", "mjs", "cjs", "jsx"],
            SourceLanguage::Typescript => &["ts", "mts", "cts", "tsx"],
            SourceLanguage::Java => &["java"],
            SourceLanguage::C => &["c"],
            SourceLanguage::Cpp => &["cc", "cpp", "cxx", "c++", "C"],
            SourceLanguage::Go => &["go"],
        }
    }
}
