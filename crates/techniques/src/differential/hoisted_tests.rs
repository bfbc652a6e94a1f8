//! Tests: checks of every candidate stand in programs without changing what they mean.

#![cfg(test)]
#![allow(clippy::disallowed_methods, reason = "the tests run compilers and what they compile")]

use super::candidate::Candidates;
use super::check::{batch, draw};
use super::constant::Pool;
use super::stripped::{Stripped, stripped};
use crate::debug_check::executed_tests::Machine;
use c::Program;
use c::generate::{Options, generate};
use c::patch::{Edit, apply};
use c::syntax::ExpressionKind;
use model::{CInput, DataModel, Random};
use std::path::Path;
use std::process::Command;
use test_support::has;

/// Bodies in which names mean something else a few bytes further on.
const SHADOWED: [&str; 10] = [
    "{ int y = x, x = y; int z = x; x = z; }",
    "for (int x = y, z = x; x < z; x++) { y = x; }",
    "{ int y = x + 1; { int x = y; y = x; } y = x; }",
    "{ enum { x = 3, w } e = x, f = (int)e + y; y = e + f; }",
    "{ struct t { int m; } *p = 0; int n = sizeof(struct t) + y; y = n + (p == (struct t *)0); }",
    "{ int n = sizeof(struct u { int m; }) + y; y = n; }",
    "{ extern int x; int x0 = x; y = x0; } { int x = y; { extern int x; y = x; } y = x; }",
    "{ typedef int t; { int a = (t)y, t = a; y = t + a; } }",
    "{ int a = y, b = (__typeof__(a))x; y = b; }",
    "switch (y) { int x; case 1: x = y; y = x; break; default: x = 2; y = x + y; }",
];

fn input(text: &str, data_model: DataModel) -> CInput {
    CInput { base: text.into(), data_model, annotations: Vec::new() }
}

/// The seeds that come with juvenal, by name.
fn seeds() -> Vec<(String, String)> {
    let folder = test_support::repository().join("seeds/c");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|file| (name(file), std::fs::read_to_string(file).unwrap())).collect()
}

fn generated(number: u64, size: usize) -> (String, String) {
    let options = Options { size, inputs: number % 2 == 1, ..Options::default() };
    (format!("generated {number}"), generate(&options, &mut Random::for_case(number, 0)))
}

/// The names in a range of a program, in order, each as the number of its entity.
fn names(program: &Program, from: u32, to: u32) -> Vec<usize> {
    let mut names: Vec<(u32, usize)> = program
        .expressions
        .iter()
        .filter(|node| (from..to).contains(&node.span.start))
        .filter_map(|node| match node.kind {
            ExpressionKind::Name(entity) => Some((node.span.end, entity.index())),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.into_iter().map(|(_, entity)| entity).collect()
}

/// Puts the text of each candidate in its place; its names must mean there what they mean in the candidate.
fn names_keep_their_meaning(name: &str, seed: &Stripped, data_model: DataModel) -> usize {
    let candidates = Candidates::of(&seed.program);
    let statement = |text: &str| format!("(void)({text});");
    let edits: Vec<Edit> =
        candidates.all.iter().map(|it| Edit::insert(it.place, statement(&it.text))).collect();
    let text = apply(seed.text.as_bytes(), &edits).unwrap();
    let text = String::from_utf8(text).unwrap();
    let instrumented = c::parse_input(name, &input(&text, data_model))
        .unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(instrumented.entities.len(), seed.program.entities.len(), "{name}");
    let mut order: Vec<usize> = (0..candidates.all.len()).collect();
    order.sort_by_key(|number| candidates.all[*number].place);
    let mut added = 0;
    for candidate in order.into_iter().map(|number| &candidates.all[number]) {
        let start = candidate.place + added;
        added += statement(&candidate.text).len() as u32;
        let span = seed.program.expressions[candidate.expression].span;
        let here = names(&instrumented, start, candidate.place + added);
        assert_eq!(here, names(&seed.program, span.start, span.end), "{name}: {}", candidate.text);
        assert!(!here.is_empty(), "{name}: {}", candidate.text);
    }
    candidates.all.len()
}

/// A program with a batch of checks for each candidate; each is noted by a call, and never fails.
fn noted(seed: &Stripped, random: &mut Random) -> (String, usize) {
    let (candidates, pool) = (Candidates::of(&seed.program), Pool::of(&seed.program));
    let mut edits = vec![Edit::insert(0, "void juvenal_require(int holds, int number);\n")];
    for (number, candidate) in candidates.all.iter().enumerate() {
        // Both conjuncts are evaluated, whatever the first one gives.
        for _ in 0..2 {
            let conjuncts = vec![draw(&candidates, &pool, number, random).unwrap()];
            assert_eq!(candidates.all[conjuncts[0].candidate].place, candidate.place);
            let call = format!("\njuvenal_require(({}) || 1, {number});\n", batch(&conjuncts));
            edits.push(Edit::insert(candidate.place, call));
        }
    }
    let text = String::from_utf8(apply(seed.text.as_bytes(), &edits).unwrap()).unwrap();
    (text, candidates.all.len())
}

fn stripped_program((name, text): &(String, String), data_model: DataModel) -> Stripped {
    stripped(name, &input(text, data_model)).unwrap_or_else(|(reason, detail)| panic!("{reason}: {detail}"))
}

#[test]
fn candidates_mean_the_same_in_their_places() {
    let (mut programs, mut count) = (seeds(), 0);
    assert!(programs.len() > 40);
    for body in SHADOWED {
        let text = format!("int x = 1; int main(void) {{ int y = 2; {body} return y + x; }}");
        programs.push((body.to_owned(), text));
    }
    programs.extend((0..300).map(|number| generated(number, [12, 40, 120][number as usize % 3])));
    for program in &programs {
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            let seed = stripped_program(program, data_model);
            count += names_keep_their_meaning(&program.0, &seed, data_model);
        }
    }
    println!("{} programs, {count} candidates", programs.len());
    assert!(count > 20 * programs.len());
}

#[test]
fn checks_are_understood() {
    let mut random = Random::for_case(6, 6);
    let mut programs = seeds();
    programs.extend((1000..1200).map(|number| generated(number, 40)));
    for program in &programs {
        let seed = stripped_program(program, DataModel::Lp64);
        let (text, _) = noted(&seed, &mut random);
        if let Err(error) = c::parse_input(&program.0, &input(&text, DataModel::Lp64)) {
            panic!("{}: {error}\n{text}", program.0);
        }
    }
}

#[test]
fn checks_add_no_undefined_behaviour() {
    if !has("gcc") {
        return;
    }
    let machine = Machine::new();
    let mut random = Random::for_case(8, 8);
    let mut programs: Vec<_> = (2000..2012).map(|number| generated(number, 120)).collect();
    programs.extend(seeds().into_iter().step_by(4));
    let (mut all, mut reached) = (0, 0);
    for program in &programs {
        let seed = stripped_program(program, DataModel::Lp64);
        let (text, count) = noted(&seed, &mut random);
        machine.build(&program.0, &text, "undefined,address,float-cast-overflow");
        for run in 0..3 {
            let (code, lines, complaints) = machine.execute(run);
            assert!(code.is_some() && complaints.is_empty(), "{}: {complaints}\n{text}", program.0);
            all += count;
            reached += lines.lines().filter(|line| line.starts_with("reached ")).count();
        }
    }
    println!("{} programs, {all} candidates, {reached} reached", programs.len());
    assert!(reached * 3 > all, "many are reached: {reached} of {all}");
}

/// Neither of gcc's sanitizers sees a variable that is read without a value; clang has one that does.
#[test]
fn checks_read_nothing_without_a_value() {
    if !has("gcc") || !has("clang") {
        return;
    }
    let machine = Machine::new();
    let mut random = Random::for_case(9, 8);
    let mut programs: Vec<_> = (2100..2106).map(|number| generated(number, 120)).collect();
    programs.extend(seeds().into_iter().skip(1).step_by(4));
    for program in &programs {
        let (text, _) = noted(&stripped_program(program, DataModel::Lp64), &mut random);
        std::fs::write(machine.path().join("program.c"), &text).unwrap();
        let mut clang = Command::new("clang");
        clang.args(["-w", "-std=gnu17", "-fsanitize=memory", "program.c", "support.c", "-o", "program"]);
        let compiled = clang.current_dir(machine.path()).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        for run in 0..3 {
            let (code, _, complaints) = machine.execute(run);
            assert!(code.is_some() && complaints.is_empty(), "{}: {complaints}\n{text}", program.0);
        }
    }
}
