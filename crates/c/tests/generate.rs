//! Generated programs are parsed and reproducible, and sanitizers and compilers find no errors in them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "the tests compile programs and run them")]

use c::generate::{Feature, Features, Options, generate};
use c::{DataModel, parse};
use model::Random;
use std::path::Path;
use std::process::Command;
use test_support::has;

fn program(options: &Options, seed: u64) -> String {
    generate(options, &mut Random::for_case(seed, 0))
}

#[test]
fn programs_are_parsed() {
    for seed in 0..400 {
        let size = [12, 40, 120][seed as usize % 3];
        let options = Options { size, inputs: seed % 2 == 1, ..Options::default() };
        let text = program(&options, seed);
        if let Err(error) = parse("generated.c", &text, DataModel::Lp64) {
            panic!("seed {seed}, size {size}: {error}\n{text}");
        }
    }
}

#[test]
fn every_set_of_features_gives_programs() {
    let sets = Feature::ALL
        .into_iter()
        .flat_map(|feature| [Features::none().with(feature), Features::all().without(feature)]);
    for (number, features) in sets.chain([Features::none(), Features::all()]).enumerate() {
        for size in [0, 1, 10, 150] {
            let options = Options { size, features: Some(features), pointer_depth: 3, ..Options::default() };
            let text = program(&options, number as u64);
            if let Err(error) = parse("generated.c", &text, DataModel::Lp64) {
                panic!("{features:?}, size {size}: {error}\n{text}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for seed in 0..50 {
        let options = Options { inputs: seed % 2 == 0, ..Options::default() };
        assert_eq!(program(&options, seed), program(&options, seed));
        assert_ne!(program(&options, seed), program(&options, seed + 1));
    }
}

#[test]
fn features_have_names() {
    for feature in Feature::ALL {
        assert_eq!(Feature::named(feature.name()), Some(feature));
    }
    assert_eq!(Feature::named("no such thing"), None);
}

#[test]
fn bodies_have_braces_and_there_are_no_directives() {
    for seed in 0..100 {
        let text = program(&Options::default(), seed);
        for line in text.lines() {
            let start = line.trim_start();
            assert!(!start.starts_with('#'), "{line}");
            let is_compound =
                ["if (", "for (", "while (", "switch (", "do "].iter().any(|word| start.starts_with(word));
            assert!(!is_compound || line.ends_with('{'), "{line}");
        }
    }
}

/// Returns inputs that include the least and greatest values of their types.
const INPUTS: &str = "
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
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)next(); }
char __VERIFIER_nondet_char(void) { return (char)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
short __VERIFIER_nondet_short(void) { return (short)next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)next(); }
long __VERIFIER_nondet_long(void) { return (long)next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
";

/// Combines several programs into one text; each prints a line.
fn joined(count: u64, seed: u64, size: usize, inputs: bool) -> String {
    let (mut text, mut calls) = (String::from(INPUTS), String::new());
    for case in 0..count {
        let options = Options { size, inputs, prefix: format!("p{case}_"), ..Options::default() };
        text.push_str(&generate(&options, &mut Random::for_case(seed, case)));
        calls.push_str(&format!("    p{case}_main();\n"));
    }
    text.push_str(&format!("int main(void)\n{{\n{calls}    return 0;\n}}\n"));
    text
}

/// Returns what the programs print when compiled with sanitizers.
fn run_sanitized(compiler: &str, level: &str, source: &Path) -> String {
    let program = source.with_extension(format!("{compiler}{level}"));
    let compiled = Command::new(compiler)
        .args(["-w", "-std=gnu17", level, "-fsanitize=address,undefined,float-cast-overflow"])
        .args(["-fno-sanitize-recover=all", "-o"])
        .args([&program, source])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).output().unwrap();
    let report = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && report.is_empty(), "{compiler} {level}: {report}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn sanitizers_are_silent_and_compilers_agree() {
    let compilers: Vec<&str> = ["gcc", "clang"].into_iter().filter(|compiler| has(compiler)).collect();
    let folder = std::env::temp_dir().join(format!("juvenal-generate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (number, (count, size, inputs)) in
        [(10, 120, false), (10, 120, true), (60, 12, false), (60, 12, true)].into_iter().enumerate()
    {
        let source = folder.join(format!("{number}.c"));
        std::fs::write(&source, joined(count, number as u64, size, inputs)).unwrap();
        let mut outputs = Vec::new();
        for compiler in &compilers {
            for level in ["-O0", "-O2"] {
                outputs.push(run_sanitized(compiler, level, &source));
            }
        }
        for output in &outputs {
            assert_eq!(output.lines().count() as u64, count);
            assert_eq!(output, &outputs[0], "batch {number}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
