//! Hashes the sources of everything that reads outputs, so that a change of a reader is noticed: recorded transcripts
//! are then read again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The code that takes part in reading what analyzers and what tools print, below the folder of all crates.
const READERS: [(&str, &[&str]); 2] = [
    (
        "JUVENAL_ANALYZER_READERS",
        &[
            "descriptions/src",
            "analyzers/src",
            "model/src",
            "smt/src",
            "c/src",
            "datalog/src",
            "engine/src/ask/tool_run.rs",
        ],
    ),
    (
        "JUVENAL_TOOL_READERS",
        &["descriptions/src", "tools/src", "model/src", "engine/src/project/read_report.rs"],
    ),
];

fn main() -> io::Result<()> {
    for (name, sources) in READERS {
        println!("cargo::rustc-env={name}={:016x}", hash_of(sources)?);
    }
    Ok(())
}

fn hash_of(sources: &[&str]) -> io::Result<u64> {
    let mut files = Vec::new();
    for name in sources {
        let sources = Path::new("..").join(name);
        println!("cargo::rerun-if-changed={}", sources.display());
        collect(&sources, &mut files)?;
    }
    files.sort();
    let mut hash = FNV_OFFSET;
    for file in files {
        hash = hashed(hash, file.to_string_lossy().as_bytes());
        hash = hashed(hash, &fs::read(&file)?);
    }
    Ok(hash)
}

/// Adds a file, or every file below a directory.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a. Only changes by accident need to be told apart, which needs no dependency.
fn hashed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}
