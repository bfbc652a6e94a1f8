//! Mazes as files of benchmarks: verification tasks, and targets of fuzzers.

use super::plan::{Input, Maze};
use super::program::{Program, inputs_text};
use super::truth::{Status, Truth};
use crate::execution;
use model::{AnnotationKind, FailingCheck, NamedFile};

const FUZZER: &str = include_str!("fuzzer.c.in");
const COVER: &str = include_str!("cover.sh.in");
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// The files of a verification task for each check of known status.
pub(super) fn tasks(maze: &Maze, truth: &Truth, program: &Program) -> Vec<Vec<NamedFile>> {
    let task = |(check, status): (&u32, &Status)| {
        let inputs = match status {
            Status::Reachable(inputs) => Some(inputs_text(&maze.plan.inputs, inputs)),
            Status::Unreachable => None,
            Status::Open => return None,
        };
        let alone = program.with_checks(|number| number == *check);
        // A witness of an unreachable check would be of no use, so only the program is taken.
        let given = inputs.as_deref().unwrap_or("-");
        let files = execution::files(&alone, *check, given, FailingCheck::Ends).into_iter();
        let mut files: Vec<NamedFile> = files.filter_map(|it| kept(it, inputs.is_some())).collect();
        if files.is_empty() {
            return None;
        }
        files.push(file("program.yml", definition(inputs.is_none())));
        files.push(file("unreach-call.prp", PROPERTY.to_owned()));
        Some(files)
    };
    truth.iter().filter_map(task).collect()
}

/// The program, and the witness under a name that is not taken for the definition of a task.
fn kept(found: NamedFile, has_witness: bool) -> Option<NamedFile> {
    match found.name.as_str() {
        "program.c" => Some(found),
        "violation-witness.yml" if has_witness => Some(file("violation-witness.yaml", found.text)),
        _ => None,
    }
}

fn definition(is_safe: bool) -> String {
    format!(
        "format_version: '2.0'\n\ninput_files: 'program.c'\n\nproperties:\n  - property_file: unreach-call.prp\n    \
         expected_verdict: {is_safe}\n\noptions:\n  language: C\n  data_model: LP64\n"
    )
}

fn file(name: &str, text: String) -> NamedFile {
    NamedFile { name: name.to_owned(), text }
}

/// The files of a target for fuzzers, with all checks.
pub(super) fn target(maze: &Maze, truth: &Truth, program: &Program) -> Vec<NamedFile> {
    let asked = program.with_checks(|_| true);
    let body = asked.render(|annotation| match annotation.what {
        AnnotationKind::Check(number) => format!("juvenal_exit({number}U);"),
        AnnotationKind::Assume => String::new(),
    });
    let mut calls: Vec<_> = maze.plan.inputs.iter().map(|input| input.call).collect();
    calls.sort_unstable();
    calls.dedup();
    let readers: Vec<String> = calls
        .into_iter()
        .map(|call| {
            let call = call.c();
            format!("JUVENAL_INPUT({}, {})", call.name, call.c_type)
        })
        .collect();
    let text = FUZZER.replace("@INPUTS@", &readers.join("\n")).replace("@PROGRAM@", body.trim_end());
    let reachable = truth.values().filter(|status| matches!(status, Status::Reachable(_))).count();
    let open = truth.values().filter(|status| matches!(status, Status::Open)).count();
    let cover = COVER.replace("@REACHABLE@", &reachable.to_string()).replace("@OPEN@", &open.to_string());
    vec![file("program.c", text), file("program.json", statuses(maze, truth)), file("cover.sh", cover)]
}

/// The status of every check, with the bytes of an input that reaches it.
fn statuses(maze: &Maze, truth: &Truth) -> String {
    let row = |(check, status): (&u32, &Status)| match status {
        Status::Reachable(inputs) => {
            format!(
                "  \"{check}\": {{\"status\": \"reachable\", \"input\": \"{}\"}}",
                bytes(&maze.plan.inputs, inputs)
            )
        }
        Status::Unreachable => format!("  \"{check}\": {{\"status\": \"unreachable\"}}"),
        Status::Open => format!("  \"{check}\": {{\"status\": \"unknown\"}}"),
    };
    let rows: Vec<String> = truth.iter().map(row).collect();
    format!("{{\n{}\n}}\n", rows.join(",\n"))
}

/// The bytes that a target reads, in hexadecimal, the lowest byte of each input first.
fn bytes(inputs: &[Input], values: &[u64]) -> String {
    let of_one = |(input, value): (&Input, &u64)| {
        let count = input.call.c().bits.div_ceil(8);
        (0..count).map(|index| format!("{:02x}", value >> (8 * index) & 0xff)).collect::<String>()
    };
    inputs.iter().zip(values).map(of_one).collect()
}
