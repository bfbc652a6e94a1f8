//! Which seeds a job uses.

use crate::shipped;
use anyhow::{Context, Result};
use campaign::SeedPlan;
use engine::SeedFiles;
use model::{Hash, Language};
use std::path::PathBuf;

/// The paths as they are known in every directory.
pub fn absolute_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).with_context(|| format!("cannot tell where {} is", path.display()))
    };
    paths.iter().map(absolute).collect()
}

/// The seeds of these languages at the paths, or those that come with juvenal.
pub fn find_seeds(paths: &[PathBuf], languages: &[Language]) -> Result<SeedFiles> {
    if paths.is_empty() {
        return Ok(SeedFiles::shipped(shipped::SEEDS).only(languages));
    }
    SeedFiles::find(paths, languages)
}

/// What is written down of the seeds.
pub fn describe_seeds(paths: &[PathBuf], seeds: &SeedFiles) -> SeedPlan {
    let names = (0..seeds.count()).map(|place| seeds.name(place).as_bytes());
    let identity = Hash::of_parts(names).to_string();
    SeedPlan {
        paths: paths.iter().map(|path| path.display().to_string()).collect(),
        count: seeds.count(),
        identity,
    }
}
