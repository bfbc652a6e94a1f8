//! gcc accepts every program with the statements that techniques insert at sites.
//!
//! By default a few hundred programs are edited; `JUVENAL_LONG=1` edits 10,000, which takes some ten minutes:
//! `JUVENAL_LONG=1 cargo test --release -p c --test typed_edits -- --nocapture`
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use c::patch::{Edit, apply};
use c::{DataModel, Program};
use support::condition::Conditions;
use support::small_program::small_program;
use support::{Numbers, csmith, files, gcc, preprocess};
use test_support::has;

/// The number of programs of each origin: small ones, those of Csmith, and rounds over the micro corpus.
struct Amounts {
    small: u64,
    csmith: u64,
    rounds: u64,
}

fn amounts() -> Amounts {
    if std::env::var_os("JUVENAL_LONG").is_some() {
        Amounts { small: 8200, csmith: 1200, rounds: 16 }
    } else {
        Amounts { small: 150, csmith: 8, rounds: 1 }
    }
}

/// The number of programs and edits.
#[derive(Default)]
struct Counts {
    programs: usize,
    without_sites: usize,
    edits: usize,
}

/// Checks whether gcc accepts a text, with warnings about suspicious code as errors.
fn accepted(text: &[u8]) -> Result<(), String> {
    let errors = ["-Werror=implicit-function-declaration", "-Werror=int-conversion"];
    let options = ["-fsyntax-only", "-std=gnu17", "-x", "cpp-output"];
    gcc(&[&options[..], &errors[..]].concat(), text).map(|_| ())
}

/// Inserts a few statements at random sites. Returns `None` if there is no site.
fn edited(program: &Program, numbers: &mut Numbers) -> Option<(Vec<u8>, usize)> {
    let sites = c::sites(program);
    if sites.is_empty() {
        return None;
    }
    let count = 1 + numbers.below(12) as usize;
    let mut edits = vec![Edit::insert(0, "void juvenal_violated(int);\n")];
    for check in 0..count {
        let site = &sites[numbers.below(sites.len() as u64) as usize];
        let statement = Conditions::new(program, numbers).statement(site, check);
        edits.push(Edit::insert(site.place, statement));
    }
    Some((apply(&program.text, &edits).unwrap(), count))
}

fn check(name: &str, text: &[u8], numbers: &mut Numbers, counts: &mut Counts) {
    let program = c::parse(name, text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
    let Some((edited, edits)) = edited(&program, numbers) else {
        counts.without_sites += 1;
        return;
    };
    if let Err(complaint) = accepted(&edited) {
        panic!("{name}: {complaint}\n{}", String::from_utf8_lossy(&edited[..edited.len().min(20_000)]));
    }
    counts.programs += 1;
    counts.edits += edits;
}

fn report(origin: &str, counts: &Counts) {
    let Counts { programs, without_sites, edits } = counts;
    println!("{origin}: {programs} programs with {edits} edits accepted, {without_sites} without a site");
}

#[test]
fn edited_small_programs_compile() {
    if !has("gcc") {
        return;
    }
    let (mut numbers, mut counts) = (Numbers(5), Counts::default());
    for number in 0..amounts().small {
        let text = small_program(&mut numbers);
        check(&format!("small program {number}"), text.as_bytes(), &mut numbers, &mut counts);
    }
    report("small programs", &counts);
    assert_eq!(counts.programs as u64, amounts().small);
}

#[test]
fn the_edited_micro_corpus_compiles() {
    if !has("gcc") {
        return;
    }
    let (mut numbers, mut counts) = (Numbers(6), Counts::default());
    for path in files("micro").into_iter().chain(files("samples")) {
        let text = preprocess(&std::fs::read(&path).unwrap()).unwrap();
        let name = path.display().to_string();
        if accepted(&text).is_err() {
            println!("skipped: {name}, which calls functions that it does not declare");
            continue;
        }
        for _ in 0..amounts().rounds {
            check(&name, &text, &mut numbers, &mut counts);
        }
    }
    report("micro corpus", &counts);
    assert!(counts.programs as u64 > 40 * amounts().rounds, "{} programs", counts.programs);
}

#[test]
fn edited_csmith_programs_compile() {
    if !has("gcc") || !has("csmith") {
        return;
    }
    let (mut numbers, mut counts) = (Numbers(7), Counts::default());
    for seed in 1..=amounts().csmith {
        let seed = 5000 + seed;
        let options = ["--float", "--no-volatiles", "--max-funcs", "4", "--max-block-depth", "3"];
        let text = csmith(seed, &options).unwrap();
        check(&format!("csmith seed {seed}"), &text, &mut numbers, &mut counts);
    }
    report("csmith programs", &counts);
    assert_eq!(counts.programs as u64, amounts().csmith);
}
