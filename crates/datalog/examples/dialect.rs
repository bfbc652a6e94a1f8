//! Prints a generated program in a dialect, or compares the output of an engine with the reference engine.
//!
//! `dialect clingo 7` prints program number 7; `dialect clingo 7 OUTPUT` reads clingo's output from a file. The number may
//! be followed by the kind of program, `symbols`, `arithmetic`, `aggregates`, `positive`, `negative` or `many`, as in
//! `dialect clingo 7:symbols`. `dialect ascent 7,8,9` prints several programs in one file.

use datalog::generate::{Options, generate};
use datalog::{Constant, Dialect, Program, Type, check, reference};
use model::Random;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [dialect, numbers, output @ ..] = arguments else {
        return Err("name a dialect and a number".to_owned());
    };
    let dialect = Dialect::from_name(dialect).ok_or_else(|| format!("there is no dialect {dialect}"))?;
    let programs: Vec<Program> = numbers.split(',').map(program).collect::<Result<_, _>>()?;
    match (programs.as_slice(), output) {
        ([program], []) => dialect.render(program),
        (programs, []) => dialect.render_many(&programs.iter().collect::<Vec<_>>()),
        (programs, [output, ..]) => {
            let output = std::fs::read(output).map_err(|problem| problem.to_string())?;
            compare(dialect, programs, &output)
        }
    }
}

/// Generates the program with a number, which may be followed by a colon and the kind of program.
fn program(text: &str) -> Result<Program, String> {
    let (number, kind) = text.split_once(':').unwrap_or((text, "plain"));
    let number = number.parse().map_err(|_| format!("{number} is not a number"))?;
    let plain = Options::default();
    let options = match kind {
        "plain" | "negative" => plain,
        "symbols" => Options { types: vec![Type::Signed, Type::Symbol], ..plain },
        "arithmetic" => Options { arithmetic: true, ..plain },
        "aggregates" => Options { aggregates: true, arithmetic: true, ..plain },
        "positive" => Options { negation: false, ..plain },
        "many" => Options { types: vec![Type::Signed, Type::Unsigned, Type::Symbol], ..plain },
        other => return Err(format!("there are no {other} programs")),
    };
    let mut program = generate(&options, &mut Random::for_case(1, number));
    if kind == "many" {
        program.relations.iter_mut().for_each(|relation| relation.is_output = true);
    }
    if kind == "negative" {
        make_negative(&mut program);
    }
    Ok(program)
}

/// Subtracts three from all numbers in facts.
fn make_negative(program: &mut Program) {
    for value in program.relations.iter_mut().flat_map(|relation| relation.facts.iter_mut()).flatten() {
        if let Constant::Signed(number) = value {
            *number -= 3;
        }
    }
}

/// Returns the differences between an engine and the reference; empty if they agree.
fn compare(dialect: Dialect, programs: &[Program], output: &[u8]) -> Result<String, String> {
    let answers = match programs {
        [program] => vec![dialect.read(program, output)?],
        programs => dialect.read_many(&programs.iter().collect::<Vec<_>>(), output)?,
    };
    let mut text = String::new();
    for (program, answer) in programs.iter().zip(answers) {
        let strata = check(program)?;
        let evaluation =
            reference::evaluate(program, &strata, 10_000_000).map_err(|halt| format!("{halt:?}"))?;
        for (relation, rows) in answer {
            let right = evaluation.rows(relation);
            let name = &program.relation(relation).name;
            let lines = rows.difference(&right).map(|row| format!("+ {}\n", program.row_text(name, row)));
            text.extend(lines);
            let lines = right.difference(&rows).map(|row| format!("- {}\n", program.row_text(name, row)));
            text.extend(lines);
        }
    }
    Ok(text)
}
