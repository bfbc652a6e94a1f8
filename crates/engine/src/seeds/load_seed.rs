//! Loading one seed: reading its file, up to a limit on size, and preparing its text.

use super::SeedLoader;
use super::prepare_c::Source as CSource;
use super::seed_files::{Origin, SeedFiles, SeedProblem, Source};
use super::task::Task;
use crate::{FileProblem, read_given_file};
use anyhow::Result;
use model::{DataModel, Language, Seed};
use std::cell::{Cell, RefCell};
use std::path::Path;

/// Seeds above this size are refused: one case would take longer than the campaign.
pub const LARGEST_SEED: u64 = 16 << 20;

impl SeedLoader<'_> {
    /// Loads the seed with this index. C programs go through the compiler each time, so a change in anything that they
    /// include counts as a change of the seed.
    pub fn load(&self, seeds: &SeedFiles, place: usize) -> Result<Result<Seed, SeedProblem>> {
        let Some(source) = seeds.source(place) else {
            let detail = format!("index {place} of {} seeds", seeds.count());
            return Ok(Err(SeedProblem { reason: "there is no such seed", detail }));
        };
        let (path, text) = match &source.origin {
            Origin::Task(Err(problem)) => return Ok(Err(problem.clone())),
            Origin::Task(Ok(task)) => return self.load_task(source, task),
            Origin::Recorded => {
                let reason = "the text of the seed is not stored";
                return Ok(Err(SeedProblem { reason, detail: source.name.clone() }));
            }
            Origin::Shipped(text) => (None, Ok((*text).to_owned())),
            Origin::File(path) => (Some(path.as_path()), read_program(path, LARGEST_SEED)),
        };
        match text {
            Ok(text) => loader_of(source.language)(self, source, path, text),
            Err(problem) => Ok(Err(problem)),
        }
    }

    fn load_task(&self, source: &Source, task: &Task) -> Result<Result<Seed, SeedProblem>> {
        if !task.program.exists() {
            let detail = format!("{}: there is no {}", source.name, task.program.display());
            return Ok(Err(SeedProblem { reason: "the program of the task is missing", detail }));
        }
        match read_program(&task.program, LARGEST_SEED) {
            Ok(text) => self.prepare_seed(source, Some(&task.program), &text, task.data_model),
            Err(problem) => Ok(Err(problem)),
        }
    }

    fn prepare_seed(
        &self,
        source: &Source,
        path: Option<&Path>,
        text: &str,
        data_model: DataModel,
    ) -> Result<Result<Seed, SeedProblem>> {
        let directory = path.and_then(Path::parent);
        let shown = path.unwrap_or(Path::new(&source.name));
        let prepared = self.prepare_c(&CSource { path: shown, text, directory, data_model })?;
        Ok(prepared.map(|text| Seed::c(&source.name, &text, data_model)))
    }
}

/// Turns the text of a seed file into a seed. Shipped seeds have no path.
type Loader = fn(&SeedLoader<'_>, &Source, Option<&Path>, String) -> Result<Result<Seed, SeedProblem>>;

/// The languages whose seeds need preparation.
const LOADERS: [(Language, Loader); 2] = [
    (Language::C, |loader, source, path, text| {
        loader.prepare_seed(source, path, &text, DataModel::default())
    }),
    (Language::DATALOG, |_, source, path, text| {
        let text = match path {
            Some(path) => datalog_text(path, &text),
            None => Ok(text),
        };
        Ok(text.map(|text| Seed::datalog(&source.name, &text)))
    }),
];

/// The loader of a language. Without one of its own, the text is the seed.
fn loader_of(language: Language) -> Loader {
    let own = LOADERS.iter().find(|(known, _)| *known == language);
    own.map_or(as_it_is, |(_, loader)| *loader)
}

fn as_it_is(
    _: &SeedLoader<'_>,
    source: &Source,
    _: Option<&Path>,
    text: String,
) -> Result<Result<Seed, SeedProblem>> {
    Ok(Ok(Seed::new(source.language, &source.name, &text)))
}

/// The text of a Datalog program, including the facts in files beside it. Programs written for bddbddb are translated
/// into the common dialect.
fn datalog_text(path: &Path, text: &str) -> Result<String, SeedProblem> {
    let name = path.display().to_string();
    let problem = RefCell::new(None);
    // A program may name many files, or one file many times; the limit on a seed holds for all facts together.
    let room = Cell::new(LARGEST_SEED);
    let beside = |file: &str| {
        let is_plain = Path::new(file).file_name().is_some_and(|plain| plain == file);
        let facts = path.parent().filter(|_| is_plain)?.join(file);
        let given = read_text(&facts, room.get());
        room.set(room.get().saturating_sub(given.as_ref().map_or(0, |text| text.len() as u64)));
        given.map_err(|it| problem.borrow_mut().replace(it)).ok()
    };
    let program = datalog::parse_with_facts(&name, text, &beside);
    if let Some(problem) = problem.into_inner() {
        return Err(problem);
    }
    match program.or_else(|error| datalog::parse::bddbddb::parse(&name, text).map_err(|_| error)) {
        Ok(program) => Ok(program.to_string()),
        Err(error) => Err(SeedProblem::new(model::UNPARSED_PROGRAM, path, &error)),
    }
}

/// The text of a program or script. Unlike a file of facts, it must not be empty.
fn read_program(path: &Path, most_bytes: u64) -> Result<String, SeedProblem> {
    let text = read_text(path, most_bytes)?;
    if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return Err(SeedProblem::new("the seed is empty", path, "nothing but white space"));
    }
    Ok(text)
}

fn read_text(path: &Path, most_bytes: u64) -> Result<String, SeedProblem> {
    let bytes = read_given_file(path, most_bytes).map_err(|problem| unread(path, &problem))?;
    if bytes.contains(&0) {
        return Err(SeedProblem::new("the seed is not text", path, "it contains zero bytes"));
    }
    String::from_utf8(bytes)
        .map_err(|error| SeedProblem::new("the seed is not UTF-8", path, error.utf8_error()))
}

/// Why a file of a seed was not read.
pub(super) fn unread(path: &Path, problem: &FileProblem) -> SeedProblem {
    let reason = match problem {
        FileProblem::Unreadable(_) => "the seed is unreadable",
        FileProblem::NotRegular(_) => "the seed is not a regular file",
        FileProblem::TooLarge(_) => "the seed is too large",
    };
    SeedProblem::new(reason, path, problem)
}
