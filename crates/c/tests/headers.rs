//! Every expansion of a header of the C library or gcc that gcc accepts is parsed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "this test asks gcc where its headers are")]

mod support;

use c::{DataModel, parse};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{accepts, gcc, layout_claims};
use test_support::has;

/// The folders of the C library's headers, relative to those that gcc searches. `bits` is missing: its headers cannot
/// be included directly and come with the others.
const FOLDERS: [&str; 12] =
    ["", "arpa", "finclude", "gnu", "net", "netinet", "netpacket", "nfs", "protocols", "rpc", "scsi", "sys"];

/// Returns the folders that gcc searches for headers.
fn search_path() -> Vec<PathBuf> {
    let output = Command::new("gcc").args(["-E", "-v", "-x", "c", "/dev/null"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines()
        .filter_map(|line| line.strip_prefix(' '))
        .map(PathBuf::from)
        .filter(|path| path.is_dir())
        .collect()
}

fn headers() -> Vec<PathBuf> {
    let mut headers = Vec::new();
    for path in search_path() {
        for folder in FOLDERS {
            let Ok(entries) = std::fs::read_dir(path.join(folder)) else {
                continue;
            };
            headers.extend(entries.map(|entry| entry.unwrap().path()).filter(|path| is_header(path)));
        }
    }
    headers.sort();
    headers.dedup();
    headers
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "h") && path.is_file()
}

#[test]
fn every_expansion_is_parsed() {
    if !has("gcc") {
        return;
    }
    let (mut read, mut refused, mut layouts, mut bytes) = (0, 0, 0, 0);
    for header in headers() {
        for (standard, optimized) in [("-std=gnu17", "-O0"), ("-std=gnu11", "-O2")] {
            let source = format!("#include \"{}\"\n", header.display());
            let Ok(text) = gcc(&["-E", standard, optimized, "-D_GNU_SOURCE", "-x", "c"], source.as_bytes())
            else {
                refused += 1;
                continue;
            };
            match parse(&header.to_string_lossy(), &text, DataModel::Lp64) {
                Ok(program) => {
                    read += 1;
                    bytes += text.len();
                    // A sample of the layouts is enough.
                    if read % 20 == 0 {
                        layouts += 1;
                        let claimed = [text.as_slice(), layout_claims(&program).as_bytes()].concat();
                        let complaint = accepts(&claimed, DataModel::Lp64)
                            .err()
                            .filter(|_| accepts(&text, DataModel::Lp64).is_ok());
                        assert_eq!(complaint, None, "{}", header.display());
                    }
                }
                Err(error) => {
                    assert!(accepts(&text, DataModel::Lp64).is_err(), "{}: {error}", header.display());
                    refused += 1;
                }
            }
        }
    }
    println!(
        "{read} expansions read ({bytes} bytes), {refused} refused by gcc, {layouts} compared with gcc's layouts"
    );
    assert!(read > 100);
}
