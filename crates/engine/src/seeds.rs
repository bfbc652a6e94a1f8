//! Seeds: the files that cases start from.

use anyhow::{Context, Result, bail};
use model::Seed;
use std::fs;
use std::path::{Path, PathBuf};

/// Seeds above this size are refused: one case would take longer than the campaign.
const LARGEST_SEED: u64 = 16 << 20;

/// The seeds of a campaign, in a fixed order, read one at a time.
pub struct SeedFiles {
    sources: Vec<Source>,
}

enum Source {
    File(PathBuf),
    Shipped { name: &'static str, text: &'static str },
}

/// Why a seed cannot be used; a reason to skip a case, not to end a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedProblem {
    /// One of a few reasons.
    pub reason: &'static str,
    /// What exactly.
    pub detail: String,
}

impl SeedFiles {
    /// The seeds that come with juvenal, given as pairs of name and text.
    pub fn shipped(files: &'static [(&'static str, &'static str)]) -> SeedFiles {
        SeedFiles { sources: files.iter().map(|(name, text)| Source::Shipped { name, text }).collect() }
    }

    /// All files with one of the endings below the given paths, sorted by path.
    pub fn find(paths: &[PathBuf], extensions: &[&str]) -> Result<SeedFiles> {
        let mut files = Vec::new();
        for path in paths {
            let about = fs::metadata(path)
                .with_context(|| format!("cannot read the seeds {}; check the path", path.display()))?;
            if about.is_dir() { collect(path, extensions, &mut files)? } else { files.push(path.clone()) }
        }
        files.sort();
        files.dedup();
        if files.is_empty() {
            let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            bail!("no seeds below {}; seed files end in .{}", shown.join(", "), extensions.join(", ."));
        }
        Ok(SeedFiles { sources: files.into_iter().map(Source::File).collect() })
    }

    /// How many seeds there are.
    pub fn count(&self) -> usize {
        self.sources.len()
    }

    /// The name of one seed. Changes of its text are noticed when it is read.
    pub fn name(&self, index: usize) -> String {
        match self.sources.get(index) {
            Some(Source::Shipped { name, .. }) => (*name).to_owned(),
            Some(Source::File(path)) => path.display().to_string(),
            None => String::new(),
        }
    }

    /// Reads one seed.
    pub fn load(&self, index: usize) -> Result<Seed, SeedProblem> {
        match &self.sources[index % self.sources.len().max(1)] {
            Source::Shipped { name, text } => Ok(Seed { name: (*name).into(), text: (*text).into() }),
            Source::File(path) => read_seed(path),
        }
    }
}

fn read_seed(path: &Path) -> Result<Seed, SeedProblem> {
    let problem =
        |reason, detail: String| SeedProblem { reason, detail: format!("{}: {detail}", path.display()) };
    let unreadable = |error: std::io::Error| problem("the seed is unreadable", error.to_string());
    let about = fs::metadata(path).map_err(unreadable)?;
    if about.len() > LARGEST_SEED {
        return Err(problem("the seed is too large", format!("more than {} MB", LARGEST_SEED >> 20)));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(problem("the seed is empty", "nothing but white space".to_owned()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| problem("the seed is not UTF-8", error.utf8_error().to_string()))?;
    Ok(Seed { name: path.display().to_string().into(), text: text.into() })
}

fn collect(directory: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) -> Result<()> {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot list the seeds in {}", directory.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list the seeds in {}", directory.display()))?;
            let path = entry.path();
            // Links are followed for files only, so that a link to a parent cannot make the search endless.
            let kind = entry.file_type().with_context(|| format!("cannot look at {}", path.display()))?;
            let wanted = path.extension().is_some_and(|ending| extensions.iter().any(|it| ending == *it));
            if kind.is_dir() {
                waiting.push(path);
            } else if wanted {
                files.push(path);
            }
        }
    }
    Ok(())
}
