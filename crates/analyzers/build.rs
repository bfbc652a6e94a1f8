//! Hashes the sources of everything that reads outputs, so that a change of a reader is noticed: recorded transcripts
//! are then read again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The crates whose code takes part in reading, next to this one.
const READERS: [&str; 5] = ["analyzers", "model", "smt", "c", "datalog"];

fn main() -> io::Result<()> {
    let crates = Path::new("..");
    let mut files = Vec::new();
    for name in READERS {
        let sources = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        collect(&sources, &mut files)?;
    }
    files.sort();
    let mut hash = FNV_OFFSET;
    for file in files {
        hash = hashed(hash, file.to_string_lossy().as_bytes());
        hash = hashed(hash, &fs::read(&file)?);
    }
    println!("cargo::rustc-env=JUVENAL_READERS={hash:016x}");
    Ok(())
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a. Only changes by accident need to be told apart, which needs no dependency.
fn hashed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}
