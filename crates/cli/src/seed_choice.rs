//! Which seeds a job uses.

use crate::shipped;
use anyhow::{Context, Result};
use campaign::SeedPlan;
use engine::SeedFiles;
use model::{Hash, Language};
use std::path::PathBuf;

/// Makes the paths absolute, since the campaign may be continued from another directory.
pub fn absolute_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path)
            .with_context(|| format!("cannot determine the absolute path of {}", path.display()))
    };
    paths.iter().map(absolute).collect()
}

/// Finds the seeds of these languages at the paths; without paths, those that come with juvenal.
pub fn find_seeds(paths: &[PathBuf], languages: &[Language]) -> Result<SeedFiles> {
    if paths.is_empty() {
        return Ok(SeedFiles::shipped(shipped::SEEDS).only(languages));
    }
    SeedFiles::find(paths, languages)
}

/// Describes the seeds for `campaign.toml`.
pub fn describe_seeds(paths: &[PathBuf], seeds: &SeedFiles) -> SeedPlan {
    let names = (0..seeds.count()).map(|place| seeds.name(place).as_bytes());
    let identity = Hash::of_parts(names).to_string();
    SeedPlan {
        paths: paths.iter().map(|path| path.display().to_string()).collect(),
        count: seeds.count(),
        identity,
    }
}
