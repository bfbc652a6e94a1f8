//! What is in the files of a project.

use super::{WorkingCopies, stop_if_interrupted};
use anyhow::{Context, Result};
use model::Hash;
use parking_lot::Mutex;
use splitting::SourceFile;
use splitting::languages::{Dependencies, References, references, resolve};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tools::CompileCommands;

/// A larger file is not searched for dependencies; it is data.
const LARGEST_SOURCE: usize = 8 << 20;
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
    pub fn read(copies: &WorkingCopies, relevance: Relevance<'_>, threads: usize) -> Result<ProjectContents> {
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
        for read in read_all(copies, &sources, threads)? {
            contents.files.push(read.file);
            contents.hashes.push(read.hash);
            all_references.push(read.references);
        }
        let mut texts = Vec::new();
        for name in names {
            if (relevance.is_configuration)(name) || COMPILE_COMMANDS.contains(&name) {
                let bytes = copies.read(Path::new(name))?.unwrap_or_default();
                contents.configuration.push((name.to_owned(), Hash::of(&bytes)));
            }
            if splitting::languages::is_configuration(name) {
                let bytes = copies.read(Path::new(name))?.unwrap_or_default();
                texts.push((name.to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
        let names: Vec<String> = sources.into_iter().map(str::to_owned).collect();
        contents.dependencies = resolve(&names, &all_references, &texts);
        Ok(contents)
    }
}

/// One file, read.
struct ReadFile {
    file: SourceFile,
    hash: Hash,
    references: References,
}

fn read_all(copies: &WorkingCopies, names: &[&str], threads: usize) -> Result<Vec<ReadFile>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(names.len()));
    let read_some = || -> Result<()> {
        loop {
            stop_if_interrupted()?;
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(name) = names.get(at) else { return Ok(()) };
            let read = read_one(copies, name)?;
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

fn read_one(copies: &WorkingCopies, name: &str) -> Result<ReadFile> {
    let bytes = copies.read(Path::new(name))?.unwrap_or_default();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    let file = SourceFile { name: name.to_owned(), bytes: bytes.len() as u64, lines };
    let references = match bytes.len() <= LARGEST_SOURCE {
        true => references(name, &bytes),
        false => {
            References { unread: Some("it is too large to be searched".into()), ..References::default() }
        }
    };
    Ok(ReadFile { file, hash: Hash::of(&bytes), references })
}

fn compile_commands(copies: &WorkingCopies) -> Result<Option<CompileCommands>> {
    for name in COMPILE_COMMANDS {
        let Some(bytes) = copies.read(Path::new(name))? else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let root = copies.original().to_string_lossy();
        let parsed = CompileCommands::parse(&text, &root).map_err(anyhow::Error::msg);
        return parsed.with_context(|| format!("cannot use {name} of the project")).map(Some);
    }
    Ok(None)
}
