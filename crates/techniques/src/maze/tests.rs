//! Tests of whole mazes: what is computed, read again, executed and reduced agrees.

use super::columns::Columns;
use super::draw::{Drawn, draw};
use super::grow::{Grow, Operators, Variable};
use super::plan::{Bits, Maze, declare};
use super::program::{inputs_text, write};
use super::tree::Grid;
use super::truth::{self, Status};
use super::{Knobs, NAME, TECHNIQUE, judge, suite};
use crate::execution;
use model::{AnalyzerId, FailingCheck, Input, Mode, Query, Random, Settings};
use smt::{Assignment, Evaluator, Script, Value};

fn knobs(set: &[(&str, &str)]) -> Knobs {
    let named = |(key, value): &(&str, &str)| (format!("{NAME}.{key}"), (*value).to_owned());
    Knobs::read(NAME, &Settings(set.iter().map(named).collect())).unwrap()
}

fn drawn(set: &[(&str, &str)], case: u64) -> Drawn {
    let knobs = knobs(set);
    let grid = Grid { rows: knobs.rows.unwrap_or(4), columns: knobs.columns.unwrap_or(4) };
    draw(&knobs, grid, None, &mut Random::for_case(7, case)).unwrap()
}

fn query() -> Query {
    let input =
        model::CInput { base: "".into(), data_model: model::DataModel::Lp64, annotations: Vec::new() };
    Query::new(AnalyzerId::new("a", "1", &[]), Input::C(input), Mode::Process)
}

#[test]
fn columns_agree_with_the_exact_evaluator() {
    let mut random = Random::for_case(1, 1);
    let mut compared = 0;
    for _ in 0..400 {
        let mut script = Script::default();
        let width = random.between(1, 64) as u32;
        let mut variables = Vec::new();
        for (name, sort) in [("x", Bits::Vector(width)), ("y", Bits::Vector(width)), ("b", Bits::Bool)] {
            let (symbol, term) = declare(&mut script.terms, name, sort);
            variables.push(Variable { symbol, term: term.unwrap(), sort });
        }
        let rows: Vec<[u64; 3]> = (0..6)
            .map(|_| {
                let word = |random: &mut Random| super::grow::special_value(width, random);
                [word(&mut random), word(&mut random), random.below(2) as u64]
            })
            .collect();
        let named = variables.iter().enumerate();
        let column = |index: usize| rows.iter().map(|row| row[index]).collect();
        let mut columns =
            Columns::new(rows.len(), named.map(|(index, it)| (it.symbol, column(index))).collect());
        let operators = Operators::default();
        let mut grow =
            Grow { script: &mut script, variables: &variables, operators: &operators, random: &mut random };
        let Some(term) = grow.boolean(3) else { continue };
        let values = columns.column(&script, term).unwrap();
        for (row, computed) in rows.iter().zip(values.iter()) {
            let mut assignment = Assignment::new();
            for (variable, bits) in variables.iter().zip(row) {
                let value = match variable.sort {
                    Bits::Bool => Value::Bool(*bits != 0),
                    Bits::Vector(width) => Value::bitvec(width, *bits),
                };
                assignment.set_constant(variable.symbol, value);
            }
            let exact = Evaluator::new(&script, &assignment).value(term);
            assert_eq!(
                exact,
                Some(Value::Bool(*computed == 1)),
                "{} at {row:?}",
                smt::print::term(&script.terms, term)
            );
            compared += 1;
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// Rows: settings of mazes that differ in how their truth is computed.
const KINDS: [&[(&str, &str)]; 6] = [
    &[("inputs", "window")],
    &[("inputs", "full"), ("guards", "typed")],
    &[("inputs", "wide")],
    &[("inputs", "window"), ("cycles", "60")],
    &[("mode", "satisfiable")],
    &[("mode", "unsatisfiable")],
];

#[test]
fn the_truth_is_the_same_when_a_maze_is_read_again() {
    for set in KINDS {
        for case in 0..8 {
            let Drawn { maze, truth } = drawn(set, case);
            let facts = maze.facts();
            let read = Maze::read(&facts).unwrap();
            assert_eq!(read.facts(), facts, "{set:?} {case}");
            for (check, status) in &truth {
                if let Status::Reachable(inputs) = status {
                    assert_eq!(truth::follow(&read, inputs), Ok(Some(*check)), "{set:?} {case}");
                }
            }
            let again = truth::truth(&read, &[]).unwrap();
            let is_known = |status: &Status| *status == Status::Unreachable;
            for (check, status) in &truth {
                assert_eq!(is_known(status), is_known(&again[check]), "{set:?} {case}");
            }
        }
    }
}

/// The interpreter stands for a compiler here; campaigns execute with two.
#[test]
fn programs_reach_what_their_mazes_say() {
    let (mut reached, mut excluded) = (0, 0);
    for form in ["calls", "nested", "goto", "machine"] {
        for set in KINDS {
            let set: Vec<(&str, &str)> = set.iter().copied().chain([("form", form), ("bits", "6")]).collect();
            for case in 0..3 {
                let Drawn { maze, truth } = drawn(&set, case);
                let program = write(&maze).unwrap();
                for (check, status) in &truth {
                    match status {
                        Status::Reachable(inputs) => {
                            let asked = program.on_input(&maze, inputs, |_| true);
                            let inputs = inputs_text(&maze.plan.inputs, inputs);
                            let confirmed = execution::confirm(&asked, *check, &inputs);
                            let text = asked.text();
                            assert!(confirmed.is_proof, "{}: {inputs}\n{text}", confirmed.reason);
                            reached += 1;
                        }
                        Status::Unreachable if maze.plan.input_bits() <= 8 => {
                            let asked = program.with_checks(|number| number == *check);
                            let confirmed = execution::confirm_absence(&asked, *check);
                            assert!(confirmed.is_proof, "{}\n{}", confirmed.reason, asked.text());
                            excluded += 1;
                        }
                        Status::Unreachable | Status::Open => {}
                    }
                }
            }
        }
    }
    assert!(reached > 50 && excluded > 20, "{reached} {excluded}");
}

#[test]
fn the_modes_with_one_error_have_one() {
    for case in 0..10 {
        let satisfiable = drawn(&[("mode", "satisfiable")], case);
        assert!(matches!(satisfiable.truth.values().collect::<Vec<_>>().as_slice(), [Status::Reachable(_)]));
        let barred = drawn(&[("mode", "unsatisfiable")], case);
        assert_eq!(barred.truth.values().collect::<Vec<_>>(), [&Status::Unreachable]);
        assert!((0..barred.maze.plan.cores.len()).all(|core| truth::is_never(&barred.maze, core)));
    }
}

#[test]
fn most_guided_dead_ends_are_as_they_were_meant() {
    let (mut reachable, mut all) = (0, 0);
    for case in 0..40 {
        let Drawn { truth, .. } = drawn(&[("inputs", "window"), ("rows", "5"), ("columns", "5")], case);
        reachable += truth.values().filter(|it| matches!(it, Status::Reachable(_))).count();
        all += truth.len();
    }
    let percent = 100 * reachable / all;
    assert!((30..75).contains(&percent), "{percent} %");
}

#[test]
fn each_pass_keeps_the_status_of_the_check() {
    let mut applied = 0;
    for set in KINDS {
        for case in 0..4 {
            let Drawn { maze, truth } = drawn(set, case);
            let program = write(&maze).unwrap();
            for (check, status) in &truth {
                let exhibit = match status {
                    Status::Reachable(inputs) => {
                        Some(judge::unsound(&query(), &query(), &maze, &program, *check, inputs))
                    }
                    Status::Unreachable => judge::imprecise(&query(), &query(), &maze, &program, *check),
                    Status::Open => None,
                };
                let Some(mut exhibit) = exhibit else { continue };
                for pass in TECHNIQUE.passes.iter().take(8) {
                    let patches = pass.proposals(&exhibit);
                    let Some(smaller) = pass.apply(&exhibit, &patches).or_else(|| {
                        patches.iter().find_map(|patch| pass.apply(&exhibit, std::slice::from_ref(patch)))
                    }) else {
                        continue;
                    };
                    let relation = super::relation::MazeRelation::of(&smaller).unwrap();
                    let read = Maze::read(&relation.maze).unwrap();
                    match relation.law {
                        super::relation::Law::ReachableIsNotVerified { check, inputs } => {
                            assert_eq!(truth::follow(&read, &inputs), Ok(Some(check)), "{}", pass.name());
                        }
                        super::relation::Law::UnreachableIsNotViolated { check, .. } => {
                            let truth = truth::truth(&read, &[]).unwrap();
                            assert_eq!(truth[&check], Status::Unreachable, "{}", pass.name());
                        }
                        super::relation::Law::Analyzed => unreachable!(),
                    }
                    exhibit = smaller;
                    applied += 1;
                }
            }
        }
    }
    assert!(applied > 300, "{applied}");
}

#[test]
fn a_task_has_a_verdict_and_a_reachable_one_has_a_witness() {
    let Drawn { maze, truth } = drawn(&[("inputs", "window")], 1);
    let program = write(&maze).unwrap();
    let tasks = suite::tasks(&maze, &truth, &program);
    assert_eq!(tasks.len(), truth.len());
    for (files, status) in tasks.iter().zip(truth.values()) {
        let text = |name: &str| files.iter().find(|file| file.name == name).map(|file| file.text.clone());
        let is_reachable = matches!(status, Status::Reachable(_));
        assert!(text("program.yml").unwrap().contains(&format!("expected_verdict: {}", !is_reachable)));
        assert_eq!(text("program.c").unwrap().matches("reach_error();").count(), 1);
        assert_eq!(text("violation-witness.yaml").is_some(), is_reachable);
        assert_eq!(files[0].name, "program.c");
    }
    let target = suite::target(&maze, &truth, &program);
    assert_eq!(target[0].text.matches("juvenal_exit(").count(), truth.len() + 1);
    let reproduced = execution::files(&program.with_checks(|_| true), 1, "-", FailingCheck::Ends);
    assert!(!reproduced.is_empty());
}
