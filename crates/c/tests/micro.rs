//! The micro corpus, with one feature of C in each file, is parsed, and gcc agrees on its types.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use c::patch::apply;
use c::{DataModel, needs_preprocessor, parse};
use support::{accepts, files, preprocess, with_claims};
use test_support::has;

/// Features of the 64-bit data model only.
const ONLY_LP64: [&str; 1] = ["int128.c"];

#[test]
fn every_file_is_parsed() {
    let files = files("micro");
    assert_eq!(files.len(), 84);
    for file in files {
        let mut text = std::fs::read(&file).unwrap();
        if needs_preprocessor(&text) {
            text = preprocess(&text).unwrap();
        }
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            let name = file.file_name().unwrap().to_str().unwrap();
            if data_model == DataModel::Ilp32 && ONLY_LP64.contains(&name) {
                continue;
            }
            let program = parse(name, &text, data_model).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(apply(&program.text, &[]).unwrap(), text, "{name}");
        }
    }
}

#[test]
fn gcc_agrees_on_every_expression() {
    if !has("gcc") {
        return;
    }
    let mut claims = 0;
    for file in files("micro") {
        let name = file.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read(&file).unwrap();
        let program = parse(name, &text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
        let (claimed, count) = with_claims(&program, 1);
        claims += count;
        if let Err(complaint) = accepts(&claimed, DataModel::Lp64) {
            panic!("{name}: {complaint}");
        }
    }
    println!("{claims} expressions");
}
