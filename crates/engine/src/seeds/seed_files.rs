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
    /// The places of the seeds of each language.
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

/// Why a seed cannot be used; a reason to skip a case, not to end a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedProblem {
    /// One of a few reasons.
    pub reason: &'static str,
    /// What exactly.
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

    /// All seed files of these languages at and below the given paths, sorted by path. A program that a task
    /// definition names is taken once, as the definition says.
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
                bail!("{} does not end as a seed file must: {endings}", path.display());
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

    /// Those of these languages alone.
    pub fn only(self, languages: &[Language]) -> SeedFiles {
        let wanted = |source: &Source| languages.contains(&source.language);
        SeedFiles::of(self.sources.into_iter().filter(wanted).collect())
    }

    /// True if the user gave none, so that these are the ones that come with juvenal.
    pub fn are_shipped(&self) -> bool {
        self.sources.iter().all(|source| matches!(source.origin, Origin::Shipped(_)))
    }

    /// How many seeds there are.
    pub fn count(&self) -> usize {
        self.sources.len()
    }

    /// How many there are of one language.
    pub fn count_of(&self, language: Language) -> usize {
        self.places.get(&language).map_or(0, Vec::len)
    }

    /// The place of the seed whose turn it is: those of a language take turns. None if there is none.
    pub fn at_turn(&self, language: Language, turn: u64) -> Option<usize> {
        let places = self.places.get(&language)?;
        let length = u64::try_from(places.len()).ok().filter(|length| *length > 0)?;
        places.get((turn % length) as usize).copied()
    }

    /// The name of one seed. Changes of its text are noticed when it is read.
    pub fn name(&self, place: usize) -> &str {
        self.sources.get(place).map_or("", |source| &source.name)
    }

    pub(crate) fn source(&self, place: usize) -> Option<&Source> {
        self.sources.get(place)
    }
}

/// How the seed files of these languages end, in words.
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

/// The seeds that these files are. Definitions are read here, since they say which programs are theirs.
fn sources(files: Vec<(Language, PathBuf)>) -> Vec<Source> {
    let mut claimed = BTreeSet::new();
    let mut sources = Vec::new();
    for (language, path) in &files {
        let is_task = path.extension().is_some_and(|ending| ending == "yml");
        let origin = if is_task {
            let definition = read_definition(path);
            for file in definition.files {
                // A task about preprocessed text often has the text that it was made from beside it.
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

/// All files below a directory that end as seeds do.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot list the seeds in {}", directory.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list the seeds in {}", directory.display()))?;
            let path = entry.path();
            // Links are followed for files only, so that a link to a parent cannot make the search endless.
            let kind = entry.file_type().with_context(|| format!("cannot look at {}", path.display()))?;
            if kind.is_dir() {
                waiting.push(path);
            } else if language_of(&path).is_some() {
                files.push(path);
            }
        }
    }
    Ok(())
}
