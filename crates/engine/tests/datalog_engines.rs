//! Queries about Datalog programs: every installed engine computes the rows of the reference engine, and programs that
//! run together do not affect each other.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::Catalogue;
use datalog::generate::{Options, generate};
use datalog::{Literal, Program, check, reference};
use engine::{Asker, Engine, Journal, Locator, Resolved, Specification};
use model::{
    Answer, Input, Language, LimitKind, Limits, Mode, OutputRows, Query, Random, TextInput, Verdict,
};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Programs without known bugs of engines: z3 up to 5.4.0 considers an atom and its negation both true, so no
/// rule here has both. Half of them are for engines without negation or recursion.
fn programs() -> Vec<Program> {
    let options = |number: u64| {
        let is_plain = number.is_multiple_of(2);
        Options { groups: 2, rows: 6, negation: !is_plain, recursion: !is_plain, ..Options::default() }
    };
    let made = (0..).map(|number| generate(&options(number), &mut Random::for_case(7, number)));
    made.filter(|program| !program.rules.iter().any(|rule| contradicts_itself(&rule.body))).take(20).collect()
}

fn contradicts_itself(body: &[Literal]) -> bool {
    body.iter().any(|literal| match literal {
        Literal::Negative(atom) => body.contains(&Literal::Positive(atom.clone())),
        _ => false,
    })
}

/// Returns the rows of all outputs, in the order of their relations.
fn right_rows(program: &Program) -> Vec<OutputRows> {
    let strata = check(program).unwrap();
    let evaluation = reference::evaluate(program, &strata, 10_000_000).unwrap();
    let rows = |output| {
        let rows: BTreeSet<Vec<_>> = evaluation.rows(output);
        let shown = rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
        OutputRows { relation: program.relation(output).name.to_string(), rows: shown.collect() }
    };
    program.outputs().map(rows).collect()
}

fn query(resolved: &Resolved, text: &str, options: &[(String, String)]) -> Query {
    let input = Input::Text(TextInput { language: Language::DATALOG, text: text.into() });
    let limits = Limits { wall_milliseconds: 15_000, ..Limits::default() };
    let options = options.to_vec();
    Query { limits, options, ..Query::new(resolved.member.id.clone(), input, Mode::Process) }
}

fn ask(resolved: &Resolved, queries: &[Query]) -> Vec<Answer> {
    let engine = Engine::new(vec![resolved.clone()]).unwrap();
    Asker::new(&engine, None, Journal::Off).ask(queries).unwrap()
}

/// Asks an engine about all programs that its language can express, which must be some.
fn gives_the_right_rows(resolved: &Resolved, options: &[(String, String)]) {
    let role = resolved.member.datalog().unwrap();
    let dialect =
        options.iter().find(|(name, _)| name == "dialect").map_or(&role.dialect, |(_, value)| value);
    let mut programs = programs();
    programs.retain(|program| analyzers::can_say(dialect, &program.to_string()));
    assert!(programs.len() > 1, "{} can say {} programs", resolved.member.id, programs.len());
    let queries: Vec<Query> =
        programs.iter().map(|program| query(resolved, &program.to_string(), options)).collect();
    let answers = ask(resolved, &queries);
    // pyDatalog takes minutes for some programs of a few lines.
    let is_late = |answer: &Answer| answer.verdict == Verdict::Limit(LimitKind::Time);
    let late = answers.iter().filter(|answer| is_late(answer)).count();
    assert!(late * 4 < answers.len(), "{}: {late} of {} are late", resolved.member.id, answers.len());
    for (program, answer) in programs.iter().zip(&answers).filter(|(_, answer)| !is_late(answer)) {
        let right = right_rows(program);
        for output in &right {
            let given = answer.rows(&output.relation);
            assert_eq!(given, Some(&output.rows[..]), "{}: {answer:?}\n{program}", resolved.member.id);
        }
    }
}

#[test]
fn every_engine_gives_the_rows_of_the_reference_engine() {
    let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
    for description in locator.catalogue().descriptions().iter().filter(|it| it.datalog.is_some()) {
        match locator.resolve(&Specification::parse(&description.name).unwrap()) {
            Ok(resolved) => gives_the_right_rows(&resolved, &[]),
            Err(problem) => test_support::skip_without(&description.name, format_args!("{problem:#}")),
        }
    }
}

/// The newest versions do not read `.datalog` files, so this tries all installed ones.
#[test]
fn z3_reads_its_own_syntax_in_the_declared_versions() {
    let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
    let z3 = locator.description("z3").unwrap();
    let choice = ("dialect".to_owned(), "muz-datalog".to_owned());
    let resolved = locator.installed(&z3).into_iter().map(|found| locator.finish(&z3, found, &[]));
    let has_it = |it: &Resolved| {
        it.member.datalog().is_some_and(|role| role.options.iter().any(|it| it.name == "dialect"))
    };
    let Some(resolved) = resolved.into_iter().find(has_it) else {
        return println!("skipped: no z3 that reads .datalog files is here");
    };
    gives_the_right_rows(&resolved, std::slice::from_ref(&choice));
    let found =
        locator.resolve(&Specification::parse(&format!("z3@{}", resolved.member.id.version())).unwrap());
    let chosen =
        Specification::parse(&format!("z3@{}:dialect=muz-datalog", resolved.member.id.version())).unwrap();
    assert_eq!(found.unwrap().member.datalog().unwrap().dialect, "muz");
    let chosen = locator.resolve(&chosen).unwrap();
    assert_eq!(chosen.member.datalog().unwrap().dialect, "muz-datalog");
    gives_the_right_rows(&chosen, &[]);
}

/// An engine that accepts 16 programs at once, rejects files with the number 77777, and otherwise prints for each program
/// how many there were; 0 stands for one that is alone. It runs confined, so it cannot count its runs.
const ENGINE: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo version 1; exit; fi
if grep -q 77777 "$1"; then echo "error: to blame" >&2; exit 1; fi
count=$(grep -c '^mod program_' "$1")
if [ "$count" = 0 ]; then printf 'begin r_out\nr_out\t0\nend r_out\ndone\n'; fi
number=0
while [ "$number" -lt "$count" ]; do
    printf 'program %s\nbegin r_out\nr_out\t%s\nend r_out\ndone\n' "$number" "$count"
    number=$((number + 1))
done
"#;

const DESCRIPTION: &str = r#"
name = "fake"
title = "Fake"
summary = "A fake."
language = "datalog"
family = "fake"
homepage = "https://example.org"
install = {}
find = { programs = ["./engine"] }
version = { arguments = ["--version"], pattern = 'version (?<version>\d+)' }
configuration = { arguments = [] }

[datalog]
dialect = "ascent"
arguments = ["{file}"]
programs-at-once = 16

[datalog.output]
rejections = ['error: (?<message>.*)']
"#;

#[test]
fn a_rejected_program_does_not_affect_others_in_its_batch() {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("engine");
    fs::write(&program, ENGINE).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let description = home.path().join("fake.toml");
    fs::write(&description, DESCRIPTION).unwrap();
    let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
    let resolved =
        locator.resolve(&Specification::parse(&description.display().to_string()).unwrap()).unwrap();
    let text = |number: u32| {
        format!(
            ".decl fact(c0:number)\n.decl out(c0:number)\nfact({number}).\nout(x0) :- fact(x0), x0 > 99999.\n.output out\n"
        )
    };
    let numbers = [1, 2, 3, 4, 5, 77777, 6, 7, 5];
    let queries: Vec<Query> = numbers.iter().map(|number| query(&resolved, &text(*number), &[])).collect();
    let answers = ask(&resolved, &queries);
    // All eight, four, four, two, and one each; then the one that comes twice, since nothing is recorded here.
    let together = [Some(4), Some(4), Some(4), Some(4), Some(0), None, Some(2), Some(2), Some(0)];
    assert_eq!(answers.iter().map(programs_of_run).collect::<Vec<_>>(), together);
    assert_eq!(answers[5].verdict, Verdict::Rejected("to blame".to_owned()));
    let fresh: Vec<Query> = queries.iter().take(3).map(|query| query.fresh(0)).collect();
    let alone = ask(&resolved, &fresh);
    assert_eq!(
        alone.iter().map(programs_of_run).collect::<Vec<_>>(),
        [Some(0); 3],
        "a fresh query runs alone"
    );
}

/// How many programs the engine got together with the one of this answer.
fn programs_of_run(answer: &Answer) -> Option<u32> {
    answer.rows("out")?.concat().concat().parse().ok()
}
