//! Reading one seed: its file under a limit on size, and what must be done to a C program before it can be used.

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
    /// Reads the seed at a place. C programs go through the compiler each time, so that a change of anything that
    /// they include is noticed as a change of the seed.
    pub fn load(&self, seeds: &SeedFiles, place: usize) -> Result<Result<Seed, SeedProblem>> {
        let Some(source) = seeds.source(place) else {
            let detail = format!("there are {} seeds, and this is number {place}", seeds.count());
            return Ok(Err(SeedProblem { reason: "there is no such seed", detail }));
        };
        match (source.language, &source.origin) {
            (_, Origin::Task(Err(problem))) => Ok(Err(problem.clone())),
            (_, Origin::Task(Ok(task))) => self.load_task(source, task),
            (Language::Smt, Origin::Shipped(text)) => Ok(Ok(Seed::smt(&source.name, text))),
            (Language::Smt, Origin::File(path)) => {
                Ok(read_text(path).map(|text| Seed::smt(&source.name, &text)))
            }
            (Language::Datalog, Origin::Shipped(text)) => Ok(Ok(Seed::datalog(&source.name, text))),
            (Language::Datalog, Origin::File(path)) => {
                let text = read_text(path).and_then(|text| datalog_text(path, text));
                Ok(text.map(|text| Seed::datalog(&source.name, &text)))
            }
            (Language::C, Origin::Shipped(text)) => {
                self.prepare_seed(source, None, text, DataModel::default(), &[])
            }
            (Language::C, Origin::File(path)) => self.load_c(source, path, DataModel::default(), &[]),
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

/// The text of a Datalog program with the facts of the files beside it that it names. What is written for bddbddb is
/// turned into the common language.
fn datalog_text(path: &Path, text: String) -> Result<String, SeedProblem> {
    let name = path.display().to_string();
    let problem = RefCell::new(None);
    let beside = |file: &str| {
        let is_plain = Path::new(file).file_name().is_some_and(|plain| plain == file);
        let facts = path.parent().filter(|_| is_plain)?.join(file);
        // A file of facts may be empty, other than a program.
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
        return Err(problem("the seed is no text", &"it holds zero bytes"));
    }
    String::from_utf8(bytes).map_err(|error| problem("the seed is not UTF-8", &error.utf8_error()))
}
