//! The interpreter agrees with native executions: of generated programs, and of the shipped seeds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "the tests compile programs and run them")]

use c::generate::{Options, generate};
use c::interpret::{Conditions, Input, Outcome, interpret};
use c::{DataModel, parse};
use model::{FailingCheck, Random};
use std::path::{Path, PathBuf};
use std::process::Command;
use test_support::has;

/// The types of inputs that programs read: the name, the C type, and the letters that print it.
const TYPES: [(&str, &str, &str); 12] = [
    ("int", "int", "lld"),
    ("uint", "unsigned int", "lld"),
    ("char", "char", "lld"),
    ("uchar", "unsigned char", "lld"),
    ("short", "short", "lld"),
    ("ushort", "unsigned short", "lld"),
    ("long", "long", "lld"),
    ("ulong", "unsigned long", "lld"),
    ("bool", "_Bool", "lld"),
    ("float", "float", "f"),
    ("double", "double", "d"),
    ("longlong", "long long", "lld"),
];

/// A harness that prints each input and each failing check, and the status at the end.
fn harness() -> String {
    let mut text = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n
static unsigned long state = 88172645463325252UL;
static unsigned long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    switch (state >> 20 & 7) {
    case 0: return 0;
    case 1: return state >> 33 & 7;
    case 2: return -1UL;
    case 3: return 0x80000000UL;
    case 4: return 0x8000000000000000UL;
    case 5: return 0x7fffffffUL;
    default: return state;
    }
}
void juvenal_violated(unsigned number) { printf(\"violated %u\\n\", number); }
int program_main(void);
int main(int count, char **words)
{
    state ^= strtoul(words[count - 1], 0, 10) * 2654435761UL;
    printf(\"status %d\\n\", program_main());
    return 0;
}\n",
    );
    for (name, c_type, letters) in TYPES {
        let value = match letters {
            // A small quotient, so that sums and products stay finite most of the time.
            "f" | "d" => format!("({c_type})((long)next() % 100000) / 8"),
            _ if name == "bool" => "next() & 1".to_owned(),
            _ => format!("({c_type})next()"),
        };
        text.push_str(&format!(
            "{c_type} __VERIFIER_nondet_{name}(void)\n{{\n    {c_type} value = {value};\n    unsigned long bits = 0;\n    \
             memcpy(&bits, &value, sizeof value);\n    printf(\"input {name} %lu\\n\", bits);\n    return value;\n}}\n",
        ));
    }
    text
}

/// What an execution did.
#[derive(Debug, Default, PartialEq, Eq)]
struct Run {
    inputs: Vec<Input>,
    violated: Vec<u32>,
    status: Option<i64>,
}

fn compile(source: &Path, harness: &Path) -> PathBuf {
    let program = source.with_extension("run");
    let object = source.with_extension("o");
    let flags =
        ["-w", "-std=gnu17", "-O1", "-ffp-contract=off", "-fsanitize=address,undefined,float-cast-overflow"];
    let compiled = Command::new("gcc")
        .args(flags)
        .args(["-fno-sanitize-recover=all", "-Dmain=program_main", "-c", "-o"])
        .args([&object, source])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let linked =
        Command::new("gcc").args(flags).arg("-o").args([&program, &object, harness]).output().unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    program
}

fn native(program: &Path, seed: u64) -> Option<Run> {
    let ran = Command::new(program).arg(seed.to_string()).output().unwrap();
    let mut run = Run::default();
    for line in String::from_utf8_lossy(&ran.stdout).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["input", name, bits] => {
                run.inputs.push(Input { name: (*name).to_owned(), bits: bits.parse().unwrap() });
            }
            ["violated", number] => {
                let number = number.parse().unwrap();
                if !run.violated.contains(&number) {
                    run.violated.push(number);
                }
            }
            ["status", status] => run.status = Some(status.parse().unwrap()),
            _ => {}
        }
    }
    // Without a status, a sanitizer ended the program.
    run.status.is_some().then_some(run)
}

/// Compares runs of programs, and returns how many programs were interpreted to the end.
fn compare(programs: &[(String, String)], runs: u64) -> usize {
    let folder = tempfile_folder();
    let harness_source = folder.join("harness.c");
    let harness_object = folder.join("harness.o");
    std::fs::write(&harness_source, harness()).unwrap();
    let built =
        Command::new("gcc").args(["-w", "-O1", "-c", "-o"]).args([&harness_object, &harness_source]).output();
    assert!(built.unwrap().status.success());
    let mut interpreted = 0;
    for (index, (name, text)) in programs.iter().enumerate() {
        let source = folder.join(format!("{index}.c"));
        std::fs::write(&source, text).unwrap();
        let program = compile(&source, &harness_object);
        let parsed = parse(name, text, DataModel::Lp64).unwrap();
        let mut is_interpreted = true;
        for seed in 0..runs {
            let Some(expected) = native(&program, seed) else {
                panic!("{name}: a sanitizer ended the native execution");
            };
            let conditions = Conditions {
                inputs: expected.inputs.clone(),
                failing_check: FailingCheck::Continues,
                fuel: 20_000_000,
            };
            let found = interpret(&parsed, &conditions);
            match found.outcome {
                Outcome::Ended(status) => {
                    assert_eq!(
                        (found.violated, Some(status)),
                        (expected.violated, expected.status),
                        "{name}, run {seed}\n{text}"
                    );
                }
                Outcome::Unsupported(what) => {
                    println!("{name}: {what}");
                    is_interpreted = false;
                }
                Outcome::OutOfFuel => is_interpreted = false,
                other => panic!("{name}, run {seed}: {other:?}\n{text}"),
            }
        }
        interpreted += usize::from(is_interpreted);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    interpreted
}

fn tempfile_folder() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("juvenal-interpret-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A generated program that reports its checksum as the numbers of failing checks instead of printing it.
fn generated(seed: u64, size: usize, inputs: bool) -> (String, String) {
    let options = Options { size, inputs, ..Options::default() };
    let text = generate(&options, &mut Random::for_case(seed, 0));
    let (before, call) = text.rsplit_once("printf(").unwrap();
    let (_, value) = call.split_once(", ").unwrap();
    let (value, after) = value.split_once(");").unwrap();
    let reports =
        format!("juvenal_violated((unsigned)({value})); juvenal_violated((unsigned)(({value}) >> 32));");
    (format!("generated {seed}"), format!("void juvenal_violated(unsigned);\n{before}{reports}{after}"))
}

#[test]
fn generated_programs_behave_as_compiled() {
    if !has("gcc") {
        return;
    }
    let count: u64 = std::env::var("JUVENAL_INTERPRETED").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    let programs: Vec<(String, String)> =
        (0..count).map(|seed| generated(seed, [12, 40, 120][seed as usize % 3], seed % 2 == 1)).collect();
    let interpreted = compare(&programs, 3);
    println!("{interpreted} of {count} generated programs were interpreted");
    assert!(interpreted * 100 >= programs.len() * 95, "{interpreted} of {count}");
}

#[test]
fn seeds_behave_as_compiled() {
    if !has("gcc") {
        return;
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(test_support::repository().join("seeds/c"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let programs: Vec<(String, String)> = paths
        .iter()
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let interpreted = compare(&programs, 5);
    println!("{interpreted} of {} seeds were interpreted", programs.len());
    assert!(interpreted * 100 >= programs.len() * 95, "{interpreted} of {}", programs.len());
}
