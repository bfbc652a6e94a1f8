//! Evidence by execution, end to end: programs are traced, the harness of `execute-c` searches them, and its findings
//! become files that other compilers and an independent reader of witnesses confirm.

#![allow(clippy::disallowed_methods, reason = "the tests run compilers and what they compile")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod machine;
mod programs;
mod witness_reader;

use analyzers::Catalogue;
use machine::Machine;
use model::{
    AnalyzerId, Answer, CInput, Claim, Cost, DataModel, FailingCheck, Limits, Lineup, Mode, Query, Verdict,
};
use programs::{PROGRAMS, Row, annotated};
use techniques::execution::{CheckOutcome, files, questions, summarize, traced};
use test_support::has;

/// Returns a line-up with one analyzer of this description.
fn lineup(name: &str) -> Lineup {
    let catalogue = Catalogue::shipped().unwrap();
    let description = catalogue.find(name).unwrap();
    let member = description.member(analyzers::Driver::Program, "1", &[]);
    Lineup { subjects: vec![member.clone()], witnesses: vec![member] }
}

/// Asks one analyzer about a program and returns what was executions.
fn ask(machine: &Machine, name: &str, input: &CInput) -> techniques::execution::Executions {
    let asked = questions(input, &lineup(name), Limits::default());
    assert_eq!(asked.len(), 1, "an analyzer is asked once, even if it is subject and witness");
    let answers: Vec<(Query, Answer)> = asked
        .into_iter()
        .map(|query| {
            let verdict = machine.ask(name, query.input.c().unwrap());
            (query, Answer { verdict, cost: Cost::default(), output: Vec::new() })
        })
        .collect();
    summarize(input, &answers)
}

fn check(machine: &Machine, row: &Row) {
    let input = annotated(row.source);
    let executions = ask(machine, "execute-c", &input);
    let Some(CheckOutcome::Violated { inputs, .. }) = executions.checks.get(&row.check) else {
        panic!("{}: {executions:?}", row.name)
    };
    // The conventions differ only in the other checks, for which one compiler is enough.
    let conventions = [(FailingCheck::Ends, &["gcc", "clang-14"][..]), (FailingCheck::Continues, &["gcc"])];
    for (failing_check, compilers) in conventions {
        let made = files(&input, row.check, inputs, failing_check);
        assert_eq!(made, files(&input, row.check, inputs, failing_check));
        let text = |name: &str| made.iter().find(|file| file.name == name).unwrap().text.as_str();
        let (program, witness) = (text("program.c"), text("violation-witness.yml"));
        for compiler in compilers {
            if has(compiler) {
                machine.reproduces(compiler, row.name, text("reproduce.c"));
                machine.reaches_error(compiler, row.name, program, inputs);
            }
        }
        let waypoints = witness_reader::check(row.name, witness, program, &machine.sha256(program));
        assert_eq!(waypoints.calls, row.calls, "{}: {inputs}\n{witness}", row.name);
        assert!(waypoints.target.contains(row.target), "{}: {witness}", row.name);
    }
}

#[test]
fn violations_can_be_reproduced_without_juvenal() {
    if !has("gcc") {
        return;
    }
    let machine = Machine::new("gcc");
    for row in PROGRAMS {
        check(&machine, row);
    }
}

#[test]
fn clang_runs_the_same_harness() {
    if !has("clang-14") {
        return;
    }
    let machine = Machine::new("clang-14");
    for row in PROGRAMS.iter().take(4) {
        check(&machine, row);
    }
}

#[test]
fn exhaustive_runs_exclude_violations_and_undefined_behaviour_is_reported() {
    if !has("gcc") {
        return;
    }
    let machine = Machine::new("gcc");
    let small = annotated(
        "unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); [[check 1: x <= 255]] [[check 2: x != 77]] }",
    );
    let executions = ask(&machine, "exact-c", &small);
    assert_eq!(executions.checks[&1], CheckOutcome::Never);
    assert_eq!(executions.violation(2), Some("uchar:77@1"));
    assert_eq!((executions.violation(1), &executions.undefined), (None, &None));
    let executions = ask(&machine, "execute-c", &small);
    assert_eq!(executions.checks[&1], CheckOutcome::NotFound);
    let undefined = annotated(
        "int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); [[check 1: x != 5]] x = x + 1; [[check 2: x != 0]] }",
    );
    let executions = ask(&machine, "execute-c", &undefined);
    assert_eq!(executions.violation(1), Some("int:5@1"));
    assert_eq!(executions.violation(2), Some("int:-1@1"));
    assert!(executions.undefined.is_some_and(|what| what.contains("int:2147483647@1")));
}

#[test]
fn contradictory_answers_show_nothing() {
    let input = annotated(
        "int main(void) { int x = 1; [[check 1: x]] [[check 2: x]] [[check 3: x]] [[check 4: x]] }",
    );
    let answer = |rows: &[(u32, model::CheckStatus, Option<&str>)]| {
        let checks = rows
            .iter()
            .map(|(check, status, inputs)| model::CheckClaim {
                inputs: inputs.map(str::to_owned),
                ..model::CheckClaim::new(*check, *status)
            })
            .collect();
        let claim = model::ChecksClaim { checks, undefined: None };
        let query = Query::new(AnalyzerId::new("x", "1", &[]), model::Input::C(input.clone()), Mode::Process);
        let verdict = Verdict::Claim(Claim::Checks(claim));
        (query, Answer { verdict, cost: Cost::default(), output: Vec::new() })
    };
    use model::CheckStatus::{Unknown, Verified, Violated};
    let first = answer(&[
        (1, Violated, Some("int:1000")),
        (2, Violated, Some("-")),
        (3, Unknown, None),
        (4, Violated, Some("int:1,in")),
    ]);
    let second = answer(&[(1, Violated, Some("int:3")), (2, Verified, None), (3, Verified, None)]);
    let executions = summarize(&input, &[first, second]);
    let by = vec![AnalyzerId::new("x", "1", &[]); 2];
    assert_eq!(executions.checks[&1], CheckOutcome::Violated { inputs: "int:3".to_owned(), by });
    assert_eq!(executions.checks[&2], CheckOutcome::NotFound);
    assert_eq!(executions.checks[&3], CheckOutcome::Never);
    assert_eq!(executions.checks[&4], CheckOutcome::NotFound);
}

#[test]
fn without_a_check_or_inputs_there_are_no_files() {
    let input = annotated("int main(void) { [[check 1: 0]] }");
    assert_eq!(files(&input, 1, "-", FailingCheck::Ends).len(), 3);
    assert!(files(&input, 2, "-", FailingCheck::Ends).is_empty());
    assert!(files(&input, 1, "int:", FailingCheck::Ends).is_empty());
}

#[test]
fn programs_that_do_not_parse_are_not_traced() {
    let mut input = annotated("int main(void) { [[check 1: 0]] }");
    input.base = format!("{} int f(", input.base).into();
    assert!(traced(&input).is_none());
    let asked = questions(&input, &lineup("execute-c"), Limits::default());
    assert_eq!(asked[0].input, model::Input::C(input.clone()));
    assert_eq!(files(&input, 1, "-", FailingCheck::Ends).len(), 3);
    input.data_model = DataModel::Ilp32;
    assert_eq!(questions(&input, &lineup("execute-c"), Limits::default()).len(), 1);
    let mut lineup = lineup("execute-c");
    for role in &mut lineup.subjects[0].roles {
        if let model::RoleInfo::Reachability(info) = role {
            info.data_models.retain(|known| *known == DataModel::Lp64);
        }
    }
    lineup.witnesses.clear();
    assert!(questions(&input, &lineup, Limits::default()).is_empty());
}
