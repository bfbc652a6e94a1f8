//! Seeds: the files that cases start from, in a fixed order.

use super::task::{Definition, Task};
use anyhow::{Context, Result, bail};
use model::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Task definitions above this size are refused; real ones have some hundred bytes.
const LARGEST_DEFINITION: u64 = 1 << 20;

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
    pub(crate) fn new(reason: &'static str, path: &Path, detail: impl fmt::Display) -> SeedProblem {
        SeedProblem { reason, detail: format!("{}: {detail}", path.display()) }
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
            } else if language_of(path).is_some() {
                files.push(path.clone());
            } else {
                let endings = endings(&Language::ALL);
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
    Language::ALL.into_iter().find(|language| language.endings().contains(&ending))
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
        sources.push(Source { name: path.display().to_string(), language: *language, origin });
    }
    sources.retain(|source| !matches!(&source.origin, Origin::File(path) if claimed.contains(path)));
    sources
}

fn read_definition(path: &Path) -> Definition {
    let unusable = |reason, detail: &dyn fmt::Display| Definition {
        files: Vec::new(),
        task: Err(SeedProblem::new(reason, path, detail)),
    };
    let size = fs::metadata(path).map_or(0, |about| about.len());
    if size > LARGEST_DEFINITION {
        return unusable("the task definition cannot be used", &"more than 1 MB");
    }
    match fs::read_to_string(path) {
        Ok(text) => Definition::read(path, &text),
        Err(error) => unusable("the seed is unreadable", &error),
    }
}

/// All files below a directory that have the ending of a seed.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot list the seeds in {}", directory.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list the seeds in {}", directory.display()))?;
            let path = entry.path();
            // Only links to files are followed: a link to a parent directory would make the search endless.
            let kind = entry.file_type().with_context(|| format!("cannot inspect {}", path.display()))?;
            if kind.is_dir() {
                waiting.push(path);
            } else if language_of(&path).is_some() {
                files.push(path);
            }
        }
    }
    Ok(())
}
