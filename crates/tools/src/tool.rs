//! The description of one tool, as its file states it.

use crate::output::Output;
use crate::source_language::SourceLanguage;
use crate::validation;
use descriptions::{DescriptionError, Pattern, TOOL_READERS};
use model::{Hash, Way};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One file of `tools/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tool {
    /// The word that users type.
    pub name: String,
    /// The name as its authors write it.
    pub title: String,
    /// What it is, in a sentence or two.
    pub summary: String,
    /// Where to read about it.
    pub homepage: String,
    /// The languages that it analyzes.
    pub languages: Vec<SourceLanguage>,
    /// The endings of the files that it is given, such as `py`; without them, those of its languages. Headers are not among
    /// these: they come with the files that include them.
    #[serde(default)]
    pub endings: Vec<String>,
    /// What a result about a file may depend on in other files.
    pub dependencies: Dependencies,
    /// The usual way in which it is given a part of a project.
    #[serde(default)]
    pub way: Way,
    /// Which files of a part its command line names.
    #[serde(default)]
    pub named: Named,
    /// How many files one command names at most. What needs more commands is reported as if it were one run.
    #[serde(default)]
    pub most_files: Option<usize>,
    /// The packages that contain it.
    pub install: Packages,
    /// How to find it on a machine.
    pub find: Programs,
    /// How to ask for its version.
    pub version: VersionQuestion,
    /// What of the project changes its results, apart from the sources.
    #[serde(default)]
    pub configuration: ProjectConfiguration,
    /// Environment variables, which may hold `{scratch}`.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Files that juvenal writes into the empty directory of the run before the first step.
    #[serde(default)]
    pub files: Vec<WrittenFile>,
    /// The commands of a run, in order.
    pub steps: Vec<ToolStep>,
    /// How to read what it prints.
    pub output: Output,
    #[serde(skip, default = "unread")]
    reader: Hash,
}

/// What a result about a file may depend on in other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependencies {
    /// Nothing: the tool analyzes each file by itself, and parts need no dependencies.
    None,
    /// What other files declare: headers, and the modules that a file imports.
    Declarations,
    /// What other files do: the tool follows calls into them, and the files that define a function count, not only those
    /// that declare it.
    Definitions,
}

/// Which files of a part a command names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// Those that the part owns; the tool finds those that they need by itself.
    #[default]
    Owned,
    /// Every file of the part that has an ending of the tool.
    All,
}

/// Package names by package manager.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Packages {
    /// Debian and Ubuntu.
    #[serde(default)]
    pub apt: Vec<String>,
    /// The Python package index.
    #[serde(default)]
    pub pip: Vec<String>,
    /// The registry of Node.js packages.
    #[serde(default)]
    pub npm: Vec<String>,
    /// Where to get it by hand, if no package manager has it.
    #[serde(default)]
    pub by_hand: Option<String>,
}

/// The programs to look for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Programs {
    /// Best first. A name with a slash is a path, relative to the description file.
    pub programs: Vec<String>,
    /// Arguments with which the program prints absolute paths of files and directories that it consists of, such as the
    /// compiler proper or plugins; one list for each call. If these change, parts are analyzed again. Shared libraries and
    /// installed packages of Python and Node.js need no mention.
    #[serde(default)]
    pub parts: Vec<Vec<String>>,
}

/// How to ask for the version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VersionQuestion {
    /// Arguments for the program.
    pub arguments: Vec<String>,
    /// A pattern for the output; the capture `version` is the version.
    pub pattern: Pattern,
}

/// What of a project changes a tool's results, apart from the sources.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProjectConfiguration {
    /// The names of configuration files, in any folder, best first. They are copied into isolated parts.
    #[serde(default)]
    pub files: Vec<String>,
    /// The names of further files that count, such as those that configuration files refer to.
    #[serde(default)]
    pub also: Vec<String>,
    /// What `{configuration}` stands for if one of `files` is in the root of the project.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// What it stands for otherwise.
    #[serde(default)]
    pub default_arguments: Vec<String>,
}

/// A file that juvenal writes into the empty directory of the run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WrittenFile {
    /// Its name.
    pub name: String,
    /// Its text. `{lines}` stands for the named files, one on each line; `{json}` for a JSON list of their absolute paths;
    /// `{compile-commands}` for a compilation database with one command for each, as the project's own has it or else a
    /// plain one; `{root}` and `{scratch}` for the two directories.
    pub text: String,
}

/// One command of a run. It is started in the root of the copy of the project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ToolStep {
    /// A program other than the tool itself.
    #[serde(default)]
    pub program: Option<String>,
    /// True if there is one command for each named file; a file whose command fails takes no part in later steps.
    #[serde(default)]
    pub each: bool,
    /// Its arguments. `{file}` is a named file and `{number}` its number; outside of a step for each file, an argument with
    /// one of these stands for one argument for each file. `{root}` is the copy of the project, `{scratch}` an empty
    /// directory. As whole arguments, `{options}` are those that the user adds, `{configuration}` those of the section
    /// `configuration`, and `{flags}`, in a step for each file, what the compilation database says about include
    /// directories, macros and the version of the language.
    pub arguments: Vec<String>,
    /// The file to which it writes its report, with the same placeholders; without it, its standard output or error.
    #[serde(default)]
    pub output: Option<String>,
}

impl Tool {
    /// Parses a description; `file` is its name in error messages.
    pub fn parse(file: &str, text: &str) -> Result<Tool, DescriptionError> {
        let mut tool: Tool = descriptions::parse(file, text, validation::check)?;
        tool.reader = reader_of(text, TOOL_READERS);
        Ok(tool)
    }

    /// The hash of everything that determines how its output is read: the description, and the code that reads.
    pub fn reader(&self) -> Hash {
        self.reader
    }

    /// True if it is given files with this name.
    pub fn takes(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        let Some((_, ending)) = name.rsplit_once('.') else { return false };
        self.endings().any(|known| known == ending)
    }

    /// The endings of the files that it is given.
    pub fn endings(&self) -> impl Iterator<Item = &str> {
        let of_languages = self.languages.iter().filter(|_| self.endings.is_empty());
        let of_languages = of_languages.flat_map(|language| language.endings().iter().copied());
        self.endings.iter().map(String::as_str).chain(of_languages)
    }

    /// True if a file with this name changes its results without being a source.
    pub fn is_configured_by(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        let ProjectConfiguration { files, also, .. } = &self.configuration;
        files.iter().chain(also).any(|known| known == name)
    }

    /// The programs other than the tool itself that its steps run.
    pub fn step_programs(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| step.program.as_deref())
    }

    /// The version in the output of the version command.
    pub fn version_in(&self, output: &[u8]) -> Option<String> {
        let captures = self.version.pattern.captures(output)?;
        let version = captures.name("version")?;
        Some(String::from_utf8_lossy(version.as_bytes()).into_owned())
    }
}

/// The reader of a description before its text is hashed.
fn unread() -> Hash {
    Hash([0; 16])
}

fn reader_of(text: &str, code: &str) -> Hash {
    Hash::of_parts([text.as_bytes(), code.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise what an older reader made of an output would stay.
    #[test]
    fn another_text_and_other_code_are_other_readers() {
        let readers = [reader_of("a", "1"), reader_of("a", "2"), reader_of("b", "1"), reader_of("b", "2")];
        for (number, one) in readers.iter().enumerate() {
            assert!(!readers[..number].contains(one));
        }
        assert_eq!(reader_of("a", "1"), readers[0]);
    }
}
