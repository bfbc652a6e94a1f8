//! gcc accepts every program with statements at its sites that read what a site offers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use c::patch::{Edit, apply};
use c::{DataModel, Program};
use support::{accepts, csmith, files, preprocess};
use test_support::has;

/// Inserts a comparison of some of the readable variables at every site.
fn edited(program: &Program) -> (Vec<u8>, usize) {
    let mut edits = Vec::new();
    for (number, site) in c::sites(program).iter().enumerate() {
        // Each site uses different variables, because using all of them would slow gcc down.
        let readables = site.numbers.iter().chain(site.pointers.iter()).skip(number % 7).step_by(7);
        for readable in readables {
            let text = &readable.text;
            edits.push(Edit::insert(site.place, format!("\nif (!({text} == {text})) ;\n")));
        }
    }
    let count = edits.len();
    (apply(&program.text, &edits).unwrap(), count)
}

fn check(name: &str, text: &[u8]) -> usize {
    let program = c::parse(name, text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
    let (edited, count) = edited(&program);
    if let Err(complaint) = accepts(&edited, DataModel::Lp64) {
        panic!("{name}: {complaint}");
    }
    count
}

#[test]
fn gcc_accepts_edited_files_of_the_corpus() {
    if !has("gcc") {
        return;
    }
    let mut edits = 0;
    for path in files("micro").into_iter().chain(files("samples")) {
        let text = std::fs::read(&path).unwrap();
        let Ok(text) = preprocess(&text) else { continue };
        edits += check(&path.display().to_string(), &text);
    }
    assert!(edits > 10, "{edits} edits");
}

#[test]
fn gcc_accepts_edited_random_programs() {
    if !has("gcc") || !has("csmith") {
        return;
    }
    let mut edits = 0;
    for seed in 1..=12 {
        let Some(text) = csmith(seed, &[]) else { continue };
        edits += check(&format!("csmith seed {seed}"), &text);
    }
    println!("{edits} edits");
    assert!(edits > 1000, "{edits} edits");
}
