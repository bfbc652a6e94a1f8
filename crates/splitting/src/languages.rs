//! The dependencies between the files of a project, by language.
//!
//! This takes two steps. [`references`] reads one file and says what it mentions and defines, without looking at any other;
//! the answer is small and can be cached by the content of the file. [`resolve`] then looks all mentions up among the files
//! that there are. Grammars read the files, so a file with syntax errors still yields what can be read.

mod c;
mod c_compile_commands;
mod c_files;
mod c_includes;
mod file_table;
mod go;
mod go_packages;
mod java;
mod java_types;
mod javascript;
mod javascript_modules;
mod javascript_packages;
mod javascript_paths;
mod python;
mod python_modules;
mod python_standard_library;
mod syntax;
mod tolerant_json;

use crate::files::DependencyGraph;
use file_table::FileTable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A language in which projects are written.
pub struct ProjectLanguage {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in texts.
    pub title: &'static str,
    /// How the names of its files end.
    pub endings: &'static [&'static str],
    /// Files that are no sources but say how names are resolved, by file name. A `*` stands for any text.
    pub configuration: &'static [&'static str],
    references: fn(&SourceText) -> References,
    resolve: fn(&Project, &mut Links),
}

/// The languages that are known.
pub const LANGUAGES: &[ProjectLanguage] = &[
    ProjectLanguage {
        name: "python",
        title: "Python",
        endings: &[".py", ".pyi"],
        configuration: &[],
        references: python::references,
        resolve: python_modules::resolve,
    },
    ProjectLanguage {
        name: "javascript",
        title: "JavaScript and TypeScript",
        endings: &[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"],
        configuration: &["package.json", "tsconfig*.json", "jsconfig*.json"],
        references: javascript::references,
        resolve: javascript_modules::resolve,
    },
    ProjectLanguage {
        name: "java",
        title: "Java",
        endings: &[".java"],
        configuration: &[],
        references: java::references,
        resolve: java_types::resolve,
    },
    ProjectLanguage {
        name: "c",
        title: "C and C++",
        endings: &[
            ".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".C", ".H", ".hh", ".hpp", ".hxx", ".h++", ".inl",
            ".ipp", ".tcc",
        ],
        configuration: &["compile_commands.json"],
        references: c::references,
        resolve: c_files::resolve,
    },
    ProjectLanguage {
        name: "go",
        title: "Go",
        endings: &[".go"],
        configuration: &["go.mod"],
        references: go::references,
        resolve: go_packages::resolve,
    },
];

impl ProjectLanguage {
    /// True if a file of this name is written in this language.
    pub fn includes(&self, name: &str) -> bool {
        let name = file_table::base_name(name);
        self.endings.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
    }

    /// True if a file of this name says how names of this language are resolved.
    pub fn is_configured_by(&self, name: &str) -> bool {
        let name = file_table::base_name(name);
        self.configuration.iter().any(|pattern| match pattern.split_once('*') {
            Some((start, end)) => name.starts_with(start) && name[start.len()..].ends_with(end),
            None => name == *pattern,
        })
    }
}

/// The language of a file, by its name.
pub fn language_of(name: &str) -> Option<&'static ProjectLanguage> {
    LANGUAGES.iter().find(|language| language.includes(name))
}

/// True if [`resolve`] wants the text of this file, although it is no source.
pub fn is_configuration(name: &str) -> bool {
    LANGUAGES.iter().any(|language| language.is_configured_by(name))
}

/// A file before it is read. Its text need not be UTF-8.
struct SourceText<'a> {
    name: &'a str,
    text: &'a [u8],
}

/// What one file mentions and defines, before anything is looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// What it mentions, each once, where it does so first.
    pub mentions: Vec<Mention>,
    /// What other files may mention: the types of Java, and the functions and variables of C that have external linkage.
    pub definitions: Vec<Box<str>>,
    /// The package that the file says to belong to, in Java and Go.
    pub package: Box<str>,
    /// Why the file was not read, or only in part.
    pub unread: Option<Box<str>>,
}

/// Something that a file mentions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mention {
    /// Where, counted from 1; 0 for a [`MentionKind::Use`].
    pub line: u32,
    /// How.
    pub kind: MentionKind,
    /// What, as the file writes it.
    pub target: Box<str>,
}

/// How a file mentions something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MentionKind {
    /// The module, package or type must exist.
    Import,
    /// Either a module, or a name that stands inside of the module before its last dot.
    Member,
    /// All names of a package or type are in scope.
    OnDemand,
    /// `#include "file"`
    Quoted,
    /// `#include <file>`
    Angled,
    /// `#include_next`
    Next,
    /// A name that another file may define.
    Use,
}

/// The longest path that a system takes. What others write can be longer, and is no path then.
const LONGEST_PATH: usize = 4096;

impl References {
    /// Notes a mention. What is longer than any path names no file.
    fn mention(&mut self, kind: MentionKind, line: usize, target: &str) {
        if target.len() > LONGEST_PATH {
            return;
        }
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.mentions.push(Mention { line, kind, target: target.into() });
    }

    /// Each mention once, in the order of lines; each definition once.
    fn in_order(mut self) -> References {
        self.mentions.sort_unstable_by(|a, b| (a.kind, &a.target, a.line).cmp(&(b.kind, &b.target, b.line)));
        self.mentions.dedup_by(|later, first| later.kind == first.kind && later.target == first.target);
        self.mentions.sort_unstable();
        self.mentions.shrink_to_fit();
        self.definitions.sort_unstable();
        self.definitions.dedup();
        self.definitions.shrink_to_fit();
        self
    }

    fn of_kind(&self, kind: MentionKind) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |mention| mention.kind == kind)
    }
}

/// What this file mentions and defines. Nothing, if its language is not known.
pub fn references(name: &str, text: &[u8]) -> References {
    match language_of(name) {
        Some(language) => (language.references)(&SourceText { name, text }).in_order(),
        None => References::default(),
    }
}

/// A project when the mentions of its files are looked up.
struct Project<'a> {
    files: FileTable<'a>,
    references: &'a [References],
    configuration: &'a [(String, String)],
    language: &'a ProjectLanguage,
}

impl<'a> Project<'a> {
    /// The files of the language, by number, with what they mention.
    fn sources(&self) -> impl Iterator<Item = (u32, &'a str, &'a References)> {
        let named = self.files.all().zip(self.references);
        named
            .filter(|((_, name), _)| self.language.includes(name))
            .map(|((file, name), references)| (file, name, references))
    }

    /// The files that say how names are resolved, with the folder in which they are.
    fn configured(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let configuration = self.configuration.iter();
        configuration
            .filter(|(name, _)| self.language.is_configured_by(name))
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

/// What was found so far.
#[derive(Default)]
struct Links {
    needs: Vec<Vec<u32>>,
    uses: Vec<Vec<u32>>,
    unresolved: Vec<Unresolved>,
    outside: BTreeMap<String, u64>,
    unread_configuration: Vec<(String, String)>,
}

impl Links {
    fn new(file_count: usize) -> Links {
        let none = vec![Vec::new(); file_count];
        Links { needs: none.clone(), uses: none, ..Links::default() }
    }

    fn need(&mut self, from: u32, to: u32) {
        if let Some(list) = self.needs.get_mut(from as usize) {
            list.push(to);
        }
    }

    fn use_definition(&mut self, from: u32, to: u32) {
        if let Some(list) = self.uses.get_mut(from as usize) {
            list.push(to);
        }
    }

    fn unresolved(&mut self, file: u32, mention: &Mention) {
        self.unresolved.push(Unresolved { file, line: mention.line, target: mention.target.to_string() });
    }

    fn outside(&mut self, name: &str) {
        match self.outside.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(self.outside.insert(name.to_owned(), 1)),
        }
    }
}

/// The dependencies between the files of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependencies {
    /// What each file must see to be understood: the modules, types and headers that it names, and the rest of its package.
    pub needs: DependencyGraph,
    /// Which file defines what another calls or takes, where a declaration alone is enough to compile it: C and C++.
    pub uses: DependencyGraph,
    /// Mentions of files of the project that do not exist, by file and line.
    pub unresolved: Vec<Unresolved>,
    /// The libraries that the project mentions, each with the number of mentions.
    pub outside: BTreeMap<String, u64>,
    /// Files that were not read, or only in part, each with the reason.
    pub unread: Vec<(u32, String)>,
    /// Files of configuration that could not be read, each with the reason.
    pub unread_configuration: Vec<(String, String)>,
}

/// A mention of something that the project should have and has not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unresolved {
    /// The file that mentions it, by number.
    pub file: u32,
    /// Where, counted from 1.
    pub line: u32,
    /// What it mentions.
    pub target: String,
}

impl Dependencies {
    /// What each file needs, and the files that define what it uses: for tools that follow calls from file to file.
    pub fn with_uses(&self) -> DependencyGraph {
        let both = (0..self.needs.file_count()).map(|file| {
            let file = u32::try_from(file).unwrap_or(u32::MAX);
            [self.needs.targets(file), self.uses.targets(file)].concat()
        });
        DependencyGraph::new(both.collect())
    }
}

/// Looks up what the files of a project mention.
///
/// `names` are all files of the project, sorted, of whatever language; `references` are theirs, in the same order;
/// `configuration` are the names and texts of the files that [`is_configuration`] asks for.
pub fn resolve(
    names: &[String],
    references: &[References],
    configuration: &[(String, String)],
) -> Dependencies {
    let mut links = Links::new(names.len());
    let files = FileTable::new(names);
    let mut project = Project { files, references, configuration, language: &LANGUAGES[0] };
    for language in LANGUAGES {
        project.language = language;
        (language.resolve)(&project, &mut links);
    }
    links.unresolved.sort_unstable();
    links.unresolved.dedup();
    links.unread_configuration.sort_unstable();
    let unread = references
        .iter()
        .zip(0u32..)
        .filter_map(|(references, file)| references.unread.as_ref().map(|reason| (file, reason.to_string())));
    Dependencies {
        needs: DependencyGraph::new(links.needs),
        uses: DependencyGraph::new(links.uses),
        unresolved: links.unresolved,
        outside: links.outside,
        unread: unread.collect(),
        unread_configuration: links.unread_configuration,
    }
}
