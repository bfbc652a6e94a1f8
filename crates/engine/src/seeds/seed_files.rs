//! Seeds: the files that cases start from, in a fixed order.

use super::load_seed::unread;
use super::task::{Definition, Task};
use crate::read_given_file;
use anyhow::{Context, Result, bail};
use model::{Input, Language, Seed, TextInput, shown_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use store::ListedSeed;

/// Task definitions above this size are refused; real ones have some hundred bytes.
const LARGEST_DEFINITION: u64 = 1 << 20;
/// A directory of seeds with more entries, or deeper, is refused; the largest collections have half a million files.
const MOST_ENTRIES: u64 = 10_000_000;
const DEEPEST_DIRECTORY: u32 = 200;

/// The seeds of a campaign, in a fixed order, read one at a time.
pub struct SeedFiles {
    sources: Vec<Source>,
    /// The indices of the seeds of each language.
    places: BTreeMap<Language, Vec<usize>>,
}

/// One seed before it is read.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) language: Language,
    pub(crate) origin: Origin,
}

/// Where the text of a seed comes from.
pub(crate) enum Origin {
    Shipped(&'static str),
    File(PathBuf),
    Task(Result<Task, SeedProblem>),
    /// The file is missing; a campaign has recorded that it exists.
    Recorded,
}

/// Why a seed cannot be used. Its cases are skipped; the campaign continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedProblem {
    /// The general reason, for counting.
    pub reason: &'static str,
    /// The file and the exact problem.
    pub detail: String,
}

impl SeedProblem {
    /// What is wrong with a seed that makes analyzers touch files or load code. Stored seeds may come from anyone, so they
    /// are checked as well.
    pub fn of_file_access(seed: &Seed) -> Option<SeedProblem> {
        let input = Input::Text(TextInput { language: seed.language, text: seed.text.clone() });
        let problem = analyzers::file_access(&input)?;
        Some(SeedProblem { reason: "the seed touches files", detail: format!("{}: {problem}", seed.name) })
    }

    pub(crate) fn new(reason: &'static str, path: &Path, detail: impl fmt::Display) -> SeedProblem {
        SeedProblem { reason, detail: format!("{}: {detail}", name_of(path)) }
    }
}

impl SeedFiles {
    /// The seeds that come with juvenal: for each language, pairs of name and text.
    pub fn shipped(lists: &[(Language, &'static [(&'static str, &'static str)])]) -> SeedFiles {
        let source = |language, (name, text): (&str, &'static str)| Source {
            name: name.to_owned(),
            language,
            origin: Origin::Shipped(text),
        };
        let sources =
            lists.iter().flat_map(|(language, files)| files.iter().map(move |file| source(*language, *file)));
        SeedFiles::of(sources.collect())
    }

    /// All seed files of these languages at and below the given paths, sorted by path. A program named by a task
    /// definition is used once, as the definition specifies.
    pub fn find(paths: &[PathBuf], languages: &[Language]) -> Result<SeedFiles> {
        let mut files = Vec::new();
        for path in paths {
            let about = fs::metadata(path)
                .with_context(|| format!("cannot read the seeds {}; check the path", path.display()))?;
            if about.is_dir() {
                collect(path, &mut files)?;
            } else if !about.is_file() {
                bail!("{} is neither a file nor a directory of seeds; name one of these", path.display());
            } else if language_of(path).is_some() {
                files.push(path.clone());
            } else {
                let endings = endings(&Language::all());
                bail!("{} is not a seed file; seed files end in {endings}", path.display());
            }
        }
        files.sort();
        files.dedup();
        let found = files.into_iter().filter_map(|path| Some((language_of(&path)?, path)));
        let sources = sources(found.filter(|(language, _)| languages.contains(language)).collect());
        if sources.is_empty() {
            let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            bail!("no seeds below {}; seed files end in {}", shown.join(", "), endings(languages));
        }
        Ok(SeedFiles::of(sources))
    }

    /// The seeds that a campaign has recorded. Their texts are in its store, as far as cases have read them.
    pub fn recorded(seeds: Vec<ListedSeed>) -> SeedFiles {
        let source =
            |seed: ListedSeed| Source { name: seed.name, language: seed.language, origin: Origin::Recorded };
        SeedFiles::of(seeds.into_iter().map(source).collect())
    }

    /// Names and languages of the seeds, for the store.
    pub fn list(&self) -> Vec<ListedSeed> {
        let listed = |source: &Source| ListedSeed { name: source.name.clone(), language: source.language };
        self.sources.iter().map(listed).collect()
    }

    fn of(sources: Vec<Source>) -> SeedFiles {
        let mut places: BTreeMap<Language, Vec<usize>> = BTreeMap::new();
        for (place, source) in sources.iter().enumerate() {
            places.entry(source.language).or_default().push(place);
        }
        SeedFiles { sources, places }
    }

    /// The seeds of these languages.
    pub fn only(self, languages: &[Language]) -> SeedFiles {
        let wanted = |source: &Source| languages.contains(&source.language);
        SeedFiles::of(self.sources.into_iter().filter(wanted).collect())
    }

    /// True if the user gave no seeds, so these are the shipped ones.
    pub fn are_shipped(&self) -> bool {
        self.sources.iter().all(|source| matches!(source.origin, Origin::Shipped(_)))
    }

    /// The number of seeds.
    pub fn count(&self) -> usize {
        self.sources.len()
    }

    /// The number of seeds of one language.
    pub fn count_of(&self, language: Language) -> usize {
        self.places.get(&language).map_or(0, Vec::len)
    }

    /// The index of the seed for this turn; the seeds of a language take turns. `None` if the language has no seeds.
    pub fn at_turn(&self, language: Language, turn: u64) -> Option<usize> {
        let places = self.places.get(&language)?;
        let length = u64::try_from(places.len()).ok().filter(|length| *length > 0)?;
        places.get((turn % length) as usize).copied()
    }

    /// The name of one seed.
    pub fn name(&self, place: usize) -> &str {
        self.sources.get(place).map_or("", |source| &source.name)
    }

    pub(crate) fn source(&self, place: usize) -> Option<&Source> {
        self.sources.get(place)
    }
}

/// The name of a seed file on one line, whatever characters its path has.
pub(super) fn name_of(path: &Path) -> String {
    shown_name(&path.display().to_string()).into_owned()
}

/// The endings of these languages, for messages.
fn endings(languages: &[Language]) -> String {
    let endings: Vec<String> = languages
        .iter()
        .flat_map(|language| language.endings().iter().map(|ending| format!(".{ending}")))
        .collect();
    endings.join(", ")
}

/// The language of a seed file, by its ending.
fn language_of(path: &Path) -> Option<Language> {
    let ending = path.extension()?.to_str()?;
    Language::all().into_iter().find(|language| language.endings().contains(&ending))
}

/// Turns files into seeds. Task definitions are read here because each names the programs that belong to it.
fn sources(files: Vec<(Language, PathBuf)>) -> Vec<Source> {
    let mut claimed = BTreeSet::new();
    let mut sources = Vec::new();
    for (language, path) in &files {
        let is_task = path.extension().is_some_and(|ending| ending == "yml");
        let origin = if is_task {
            let definition = read_definition(path);
            for file in definition.files {
                // The source of a preprocessed program is often in the same directory.
                if file.extension().is_some_and(|ending| ending == "i") {
                    claimed.insert(file.with_extension("c"));
                }
                claimed.insert(file);
            }
            Origin::Task(definition.task)
        } else {
            Origin::File(path.clone())
        };
        sources.push(Source { name: name_of(path), language: *language, origin });
    }
    sources.retain(|source| !matches!(&source.origin, Origin::File(path) if claimed.contains(path)));
    sources
}

fn read_definition(path: &Path) -> Definition {
    let text = read_given_file(path, LARGEST_DEFINITION).map_err(|problem| unread(path, &problem));
    let text = text.and_then(|bytes| {
        String::from_utf8(bytes)
            .map_err(|error| SeedProblem::new("the seed is not UTF-8", path, error.utf8_error()))
    });
    match text {
        Ok(text) => Definition::read(path, &text),
        Err(problem) => Definition { files: Vec::new(), task: Err(problem) },
    }
}

/// All files below a directory that have the ending of a seed.
fn collect(root: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut waiting = vec![(root.to_owned(), 0)];
    let mut seen = 0;
    while let Some((directory, depth)) = waiting.pop() {
        let cannot_list = || format!("cannot list the seeds in {}", directory.display());
        for entry in fs::read_dir(&directory).with_context(cannot_list)? {
            let entry = entry.with_context(cannot_list)?;
            let path = entry.path();
            seen += 1;
            // Only links to files are followed: a link to a parent directory would make the search endless.
            let kind = entry.file_type().with_context(|| format!("cannot inspect {}", path.display()))?;
            if depth > DEEPEST_DIRECTORY || seen > MOST_ENTRIES {
                bail!(
                    "{} has more than {MOST_ENTRIES} entries or {DEEPEST_DIRECTORY} levels of directories; name the directories of the seeds instead",
                    root.display()
                );
            }
            if kind.is_dir() {
                waiting.push((path, depth + 1));
            } else if language_of(&path).is_some() {
                files.push(path);
            }
        }
    }
    Ok(())
}
