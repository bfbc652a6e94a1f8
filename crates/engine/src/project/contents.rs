//! What is in the files of a project.

use super::{WorkingCopies, stop_if};
use crate::{interruption, unless_stopped};
use anyhow::{Context, Result, bail};
use model::Hash;
use parking_lot::Mutex;
use process::is_interrupted;
use splitting::SourceFile;
use splitting::languages::{Dependencies, References, references, resolve};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tools::CompileCommands;

/// A larger file is not searched for dependencies; it is data.
const LARGEST_SOURCE: usize = 8 << 20;
/// A larger file may take long to search, so that is done where it can be left.
const QUICK_SOURCE: usize = 64 << 10;
/// A larger compilation database is refused: its entries take several times as much memory.
const LARGEST_COMPILE_COMMANDS: usize = 128 << 20;
/// The compilation database of a project, in its root or in the usual folder of builds.
const COMPILE_COMMANDS: [&str; 2] = ["compile_commands.json", "build/compile_commands.json"];

/// Which files matter, by name.
#[derive(Clone, Copy)]
pub struct Relevance<'a> {
    /// True for files that are cut into parts.
    pub is_source: &'a (dyn Fn(&str) -> bool + Sync),
    /// True for files that are no sources but change the results of the tool.
    pub is_configuration: &'a (dyn Fn(&str) -> bool + Sync),
}

/// What is in the files of a project, as they were when it was copied.
pub struct ProjectContents {
    /// The files that are cut into parts, sorted by name.
    pub files: Vec<SourceFile>,
    /// The hash of each of them.
    pub hashes: Vec<Hash>,
    /// What depends on what.
    pub dependencies: Dependencies,
    /// The files that change the results of the tool, with their hashes.
    pub configuration: Vec<(String, Hash)>,
    /// The compilation database.
    pub compile_commands: Option<CompileCommands>,
    /// Files whose names are not UTF-8. Tools see them, but they are not analyzed.
    pub unnamed: Vec<PathBuf>,
}

impl ProjectContents {
    /// Reads the files of a project with this many threads.
    ///
    /// # Errors
    ///
    /// Fails if juvenal is to stop, and if the compilation database cannot be used.
    pub fn read(
        copies: &WorkingCopies,
        relevance: Relevance<'_>,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<ProjectContents> {
        let all = &copies.tree().files;
        let (named, unnamed): (Vec<&PathBuf>, Vec<&PathBuf>) =
            all.iter().partition(|path| path.to_str().is_some());
        // The order of texts, not of paths: `a-b` comes before `a/b` here.
        let mut names: Vec<&str> = named.into_iter().filter_map(|path| path.to_str()).collect();
        names.sort_unstable();
        let sources: Vec<&str> = names.iter().copied().filter(|name| (relevance.is_source)(name)).collect();
        let mut contents = ProjectContents {
            files: Vec::with_capacity(sources.len()),
            hashes: Vec::with_capacity(sources.len()),
            dependencies: Dependencies::default(),
            configuration: Vec::new(),
            compile_commands: compile_commands(copies)?,
            unnamed: unnamed.into_iter().cloned().collect(),
        };
        let mut all_references = Vec::with_capacity(sources.len());
        for read in read_all(copies, &sources, threads, stop)? {
            contents.files.push(read.file);
            contents.hashes.push(read.hash);
            all_references.push(read.references);
        }
        let (mut texts, mut too_large) = (Vec::new(), Vec::new());
        for name in names {
            stop_if(stop)?;
            if (relevance.is_configuration)(name) || COMPILE_COMMANDS.contains(&name) {
                let bytes = copies.read(Path::new(name))?.unwrap_or_default();
                contents.configuration.push((name.to_owned(), Hash::of(&bytes)));
            }
            if splitting::languages::is_configuration(name) {
                let bytes = copies.read(Path::new(name))?.unwrap_or_default();
                match bytes.len() <= LARGEST_SOURCE {
                    true => texts.push((name.to_owned(), String::from_utf8_lossy(&bytes).into_owned())),
                    false => too_large.push((name.to_owned(), TOO_LARGE.to_owned())),
                }
            }
        }
        let names: Vec<String> = sources.into_iter().map(str::to_owned).collect();
        let should_stop = || stop() || is_interrupted();
        let resolved = unless_stopped(&should_stop, move || resolve(&names, &all_references, &texts))?;
        contents.dependencies = resolved.ok_or_else(interruption)?;
        contents.dependencies.unread_configuration.extend(too_large);
        Ok(contents)
    }
}

/// One file, read.
struct ReadFile {
    file: SourceFile,
    hash: Hash,
    references: References,
}

/// Why a file is not searched.
const TOO_LARGE: &str = "it is too large to be searched";

fn read_all(
    copies: &WorkingCopies,
    names: &[&str],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<ReadFile>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(names.len()));
    let read_some = || -> Result<()> {
        loop {
            stop_if(stop)?;
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(name) = names.get(at) else { return Ok(()) };
            let read = read_one(copies, name, stop)?;
            done.lock().push((at, read));
        }
    };
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(read_some)).collect();
        let ended = handles.into_iter().map(|handle| match handle.join() {
            Ok(ended) => ended,
            Err(_) => anyhow::bail!("juvenal itself failed while it read the project; please report it"),
        });
        ended.collect::<Result<()>>()
    })?;
    let mut done = done.into_inner();
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, read)| read).collect())
}

fn read_one(copies: &WorkingCopies, name: &str, stop: &dyn Fn() -> bool) -> Result<ReadFile> {
    let bytes = copies.read(Path::new(name))?.unwrap_or_default();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    let file = SourceFile { name: name.to_owned(), bytes: bytes.len() as u64, lines };
    let hash = Hash::of(&bytes);
    let references = match bytes.len() {
        0..=QUICK_SOURCE => references(name, &bytes),
        _ if bytes.len() <= LARGEST_SOURCE => {
            let name = name.to_owned();
            let should_stop = || stop() || is_interrupted();
            unless_stopped(&should_stop, move || references(&name, &bytes))?.ok_or_else(interruption)?
        }
        _ => References { unread: Some(TOO_LARGE.into()), ..References::default() },
    };
    Ok(ReadFile { file, hash, references })
}

fn compile_commands(copies: &WorkingCopies) -> Result<Option<CompileCommands>> {
    for name in COMPILE_COMMANDS {
        let Some(bytes) = copies.read(Path::new(name))? else { continue };
        if bytes.len() > LARGEST_COMPILE_COMMANDS {
            let most = LARGEST_COMPILE_COMMANDS >> 20;
            bail!(
                "{name} of the project has more than {most} MB, which is the limit; leave it out with --exclude"
            );
        }
        let text = String::from_utf8_lossy(&bytes);
        let root = copies.original().to_string_lossy();
        let parsed = CompileCommands::parse(&text, &root).map_err(anyhow::Error::msg);
        return parsed.with_context(|| format!("cannot use {name} of the project")).map(Some);
    }
    Ok(None)
}
