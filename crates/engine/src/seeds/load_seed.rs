//! Loading one seed: reading its file, up to a limit on size, and preparing its text.

use super::SeedLoader;
use super::prepare_c::Source as CSource;
use super::seed_files::{Origin, SeedFiles, SeedProblem, Source};
use super::task::Task;
use anyhow::Result;
use model::{DataModel, ExpectedVerdict, Language, Seed};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

/// Seeds above this size are refused: one case would take longer than the campaign.
pub(crate) const LARGEST_SEED: u64 = 16 << 20;

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
            Origin::Shipped(text) => (None, Ok((*text).to_owned())),
            Origin::File(path) => (Some(path.as_path()), read_text(path)),
        };
        match text {
            Ok(text) => loader_of(source.language)(self, source, path, text),
            Err(problem) => Ok(Err(problem)),
        }
    }

    fn load_task(&self, source: &Source, task: &Task) -> Result<Result<Seed, SeedProblem>> {
        if !task.program.is_file() {
            let detail = format!("{}: there is no {}", source.name, task.program.display());
            return Ok(Err(SeedProblem { reason: "the program of the task is missing", detail }));
        }
        self.load_c(source, &task.program, task.data_model, &task.expected)
    }

    fn load_c(
        &self,
        source: &Source,
        path: &Path,
        data_model: DataModel,
        expected: &[ExpectedVerdict],
    ) -> Result<Result<Seed, SeedProblem>> {
        match read_text(path) {
            Ok(text) => self.prepare_seed(source, Some(path), &text, data_model, expected),
            Err(problem) => Ok(Err(problem)),
        }
    }

    fn prepare_seed(
        &self,
        source: &Source,
        path: Option<&Path>,
        text: &str,
        data_model: DataModel,
        expected: &[ExpectedVerdict],
    ) -> Result<Result<Seed, SeedProblem>> {
        let directory = path.and_then(Path::parent);
        let shown = path.unwrap_or(Path::new(&source.name));
        let prepared = self.prepare_c(&CSource { path: shown, text, directory, data_model })?;
        let expected = expected.to_vec();
        Ok(prepared.map(|text| Seed { expected, ..Seed::c(&source.name, &text, data_model) }))
    }
}

/// Turns the text of a seed file into a seed. Shipped seeds have no path.
type Loader = fn(&SeedLoader<'_>, &Source, Option<&Path>, String) -> Result<Result<Seed, SeedProblem>>;

/// The table of loaders: what must be done to the text of a seed file in each language.
fn loader_of(language: Language) -> Loader {
    match language {
        Language::Smt => |_, source, _, text| Ok(Ok(Seed::smt(&source.name, &text))),
        Language::C => {
            |loader, source, path, text| loader.prepare_seed(source, path, &text, DataModel::default(), &[])
        }
        Language::Datalog => |_, source, path, text| {
            let text = match path {
                Some(path) => datalog_text(path, text),
                None => Ok(text),
            };
            Ok(text.map(|text| Seed::datalog(&source.name, &text)))
        },
    }
}

/// The text of a Datalog program, including the facts in files beside it. Programs written for bddbddb are translated
/// into the common dialect.
fn datalog_text(path: &Path, text: String) -> Result<String, SeedProblem> {
    let name = path.display().to_string();
    let problem = RefCell::new(None);
    let beside = |file: &str| {
        let is_plain = Path::new(file).file_name().is_some_and(|plain| plain == file);
        let facts = path.parent().filter(|_| is_plain)?.join(file);
        // Unlike a program, a file of facts may be empty.
        let is_empty = fs::metadata(&facts).is_ok_and(|about| about.len() == 0);
        let given = if is_empty { Ok(String::new()) } else { read_text(&facts) };
        given.map_err(|it| problem.borrow_mut().replace(it)).ok()
    };
    let program = datalog::parse_with_facts(&name, &text, &beside);
    if let Some(problem) = problem.into_inner() {
        return Err(problem);
    }
    match program.or_else(|error| datalog::parse::bddbddb::parse(&name, &text).map_err(|_| error)) {
        Ok(program) => Ok(program.to_string()),
        Err(error) => Err(SeedProblem::new("juvenal does not understand the program", path, &error)),
    }
}

fn read_text(path: &Path) -> Result<String, SeedProblem> {
    let problem = |reason, detail: &dyn std::fmt::Display| SeedProblem::new(reason, path, detail);
    let unreadable = |error: std::io::Error| problem("the seed is unreadable", &error);
    let about = fs::metadata(path).map_err(unreadable)?;
    if about.len() > LARGEST_SEED {
        let detail = format!("{} MB, and the limit is {} MB", about.len() >> 20, LARGEST_SEED >> 20);
        return Err(problem("the seed is too large", &detail));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(problem("the seed is empty", &"nothing but white space"));
    }
    if bytes.contains(&0) {
        return Err(problem("the seed is not text", &"it contains zero bytes"));
    }
    String::from_utf8(bytes).map_err(|error| problem("the seed is not UTF-8", &error.utf8_error()))
}
