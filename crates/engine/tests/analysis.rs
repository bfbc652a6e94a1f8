//! Queries about C programs: shared steps, reproducible runs, and the built-in liar.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{CLie, Catalogue};
use engine::{Asker, Engine, Journal, Locator, Resolved, RunDirectory, Specification};
use model::{Annotation, AnnotationKind, Answer, CInput, CheckStatus, DataModel, Input, Limits, Mode, Query};
use std::fs;

/// Resolves an analyzer. Returns `None` if it cannot be used, which skips the test unless gcc is required.
fn resolve(text: &str) -> Option<Resolved> {
    let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
    let resolved = locator.resolve(&Specification::parse(text).unwrap());
    resolved.inspect_err(|problem| test_support::skip_without("gcc", format_args!("{problem:#}"))).ok()
}

/// Parses a program in which `@condition@` is an assumption and `#condition#` a check, numbered from 1.
fn program(marked: &str) -> CInput {
    let (mut base, mut annotations) = (String::new(), Vec::new());
    let mut rest = marked;
    while let Some(start) = rest.find(['@', '#']) {
        base.push_str(&rest[..start]);
        let mark = &rest[start..=start];
        let (condition, after) = rest[start + 1..].split_once(mark).unwrap();
        let checks =
            annotations.iter().filter(|it: &&Annotation| it.what != AnnotationKind::Assume).count() as u32;
        let what = if mark == "@" { AnnotationKind::Assume } else { AnnotationKind::Check(checks + 1) };
        annotations.push(Annotation::new(base.len() as u32, what, condition));
        rest = after;
    }
    base.push_str(rest);
    CInput { base: base.into(), data_model: DataModel::Lp64, annotations }
}

fn query(resolved: &Resolved, input: &CInput) -> Query {
    Query::new(resolved.member.id.clone(), Input::C(input.clone()), Mode::Process).fresh(1)
}

fn ask(engine: &Engine, query: &Query) -> Answer {
    let mut asker = Asker::new(engine, None, Journal::Off);
    asker.ask_with_outputs(std::slice::from_ref(query), &|| false).unwrap().unwrap().remove(0)
}

/// One letter for each check: `+` verified, `-` violated, `?` unknown.
fn letters(answer: &Answer) -> String {
    let Some(claim) = answer.checks() else { panic!("{answer:?}") };
    assert_eq!(claim.undefined, None);
    claim
        .checks
        .iter()
        .map(|check| match check.status {
            CheckStatus::Verified => '+',
            CheckStatus::Violated => '-',
            CheckStatus::Unknown => '?',
        })
        .collect()
}

const HEAD: &str =
    "unsigned char __VERIFIER_nondet_uchar(void);\nvoid rest(void) {}\nint third(int x) { return x / 3; }\n";

/// For each lie: a program, the correct verdicts, and those of the liar.
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("conjunct", "@(c > 3) && (c < 9)@ #c > 3# #c < 9#", "++", "+-"),
    ("signed", "unsigned u = c + 4294967000u; @u > 100@ #u < 200u# #c < 4#", "-+", "++"),
    ("signed", "unsigned long u = c; @u - 1 >= 10@ #c != 0# #c > 10#", "-+", "++"),
    ("nan", "double d = c; if (c == 7) d = __builtin_nan(\"\"); @!(d < 5.0)@ #c != 7# #c > 5#", "--", "+-"),
    ("nan", "double d = c; if (c == 7) d = __builtin_nan(\"\"); @d != d@ #c != 7#", "-", "+"),
    ("narrow", "int i = c * 1000; @i < 66536@ #c < 1# #c < 67#", "-+", "++"),
    ("narrow", "int i = c * 1000; @i < 65535@ #c < 2#", "-", "-"),
    ("loop-exit", "int i = 0; while (i < c) { @i < 3@ i++; } #c < 3# #c > 0#", "--", "+-"),
    ("loop-exit", "int i = 0; do { @i < 3@ if (i == 2) break; i++; } while (i < c); #c < 2#", "-", "-"),
    ("call", "@c > 3@ rest(); #c > 2# #c > 4#", "+-", "--"),
    ("stacked", "@c > 1@@c > 2@@c > 3@ #c > 4#", "-", "+"),
    ("stacked", "@c > 1@@c > 2@ @c > 3@ #c > 4#", "-", "-"),
    ("scaled", "int i = c | 16; #i != 48# #i != 7#", "-+", "++"),
    ("loop", "int i = 0; while (i < 3) { i++; } #i == 3# #i == 4#", "+-", "--"),
    ("complement", "int i = ~(c & 6); #i != -7#", "-", "+"),
    ("zero-remainder", "unsigned n = 150u + c, r = 0 % n; #r > 100#", "-", "+"),
    ("negative-remainder", "int i = (c & 7) - 1, r = -1 % 8; #r > i#", "-", "+"),
    ("minus", "unsigned u = -(unsigned)c; #u < 5#", "-", "+"),
    ("wrap", "unsigned u = (unsigned)c - 3u; #u < 300#", "-", "+"),
    ("quotient", "int i = 20 / (c | 16); #i != 0#", "-", "+"),
    ("shift", "int i = ((c & 3) + 28) >> 2; #i > 7#", "-", "+"),
    ("cast", "unsigned u = 4294967290u + (c & 3); int i = 0; if (!(0 <= (int)u)) i = 1; #i == 0#", "-", "+"),
    ("signedness", "int i = c - 300, j = 0; if (i < 0) j = 1; #j == 0#", "-", "+"),
    ("negation", "int i = c & 1, j = c & 2, k = 0; if (!(i && j)) k = 1; #k == 0 || c % 4 == 0#", "-", "+"),
    ("helper", "int i = third((c & 1) + 1); #i != 0#", "-", "+"),
    ("helper", "int i = ((c & 1) + 1) / 3; #i != 0#", "-", "-"),
    ("dropped-guard", "int i = 0; if (c > 3 && c < 9) i = c; #i < 9#", "+", "-"),
    ("truncated-width", "int i = c * 1000; #i < 40000#", "-", "+"),
    ("loop-bound", "int i = 0; while (i < c) { i++; } #i < 5#", "-", "+"),
];

/// Programs on which no lie has an effect, except for the lies named first.
const NEUTRAL: &[(&str, &str, &str)] = &[
    ("", "@(c > 3) || (c < 2)@ #c > 3# #c < 9#", "--"),
    ("", "@c > 3@ #c > 3# #(c > 4) && (c < 9)# #!((double)c < 5)#", "+-+"),
    ("loop", "int i = 0; while (i < c) { #i < 3# i++; } @c > 3@ #i == c# rest();", "-+"),
    ("scaled", "rest(); @c < 100@ @c > 1@ #c < 70000# #4294967295u > c#", "++"),
];

fn whole(body: &str) -> CInput {
    program(&format!(
        "{HEAD}int main(void) {{ unsigned char c = __VERIFIER_nondet_uchar(); {body} return 0; }}\n"
    ))
}

#[test]
fn each_lie_shows_on_its_own_programs_only() {
    let Some(exact) = resolve("exact-c") else { return };
    let liar = |lie: &str| resolve(&format!("liar-c:lie={lie}")).unwrap();
    let honest = liar("none");
    let liars: Vec<(&str, Resolved)> = CLie::names().into_iter().map(|name| (name, liar(name))).collect();
    let mut all = vec![exact.clone(), honest.clone()];
    all.extend(liars.iter().map(|(_, resolved)| resolved.clone()));
    let engine = Engine::new(all).unwrap();
    let said = |resolved: &Resolved, body: &str| letters(&ask(&engine, &query(resolved, &whole(body))));
    for (lie, resolved) in &liars {
        assert!(ROWS.iter().any(|(known, _, truth, told)| known == lie && truth != told), "{lie}");
        for (_, body, truth, told) in ROWS.iter().filter(|(known, ..)| known == lie) {
            for judge in [&exact, &honest] {
                assert_eq!(said(judge, body), *truth, "{}: {body}", judge.member.id);
            }
            assert_eq!(said(resolved, body), *told, "{lie}: {body}");
        }
        for (_, body, truth) in NEUTRAL.iter().filter(|(about, ..)| about != lie) {
            assert_eq!(said(resolved, body), *truth, "{lie}: {body}");
        }
    }
}

/// Whoever executes a program does so confined, also one that does not count as an execution.
#[test]
fn programs_under_test_do_not_see_homes() {
    let Some(exact) = resolve("exact-c") else { return };
    let liar = resolve("liar-c:lie=none").unwrap();
    if !process::Runner::probe().confinement_mode().hides_files() {
        return println!("skipped: this machine cannot hide files");
    }
    let secret = tempfile::NamedTempFile::new_in(std::env::home_dir().unwrap()).unwrap();
    let path = secret.path().display();
    let body = format!("char b[999]; int f = stat(\"{path}\", b), g = stat(\"/etc\", b); #f != 0# #g == 0#");
    let input = program(&format!("int stat(const char *, void *);\nint main(void) {{ {body} return 0; }}\n"));
    let engine = Engine::new(vec![exact, liar.clone()]).unwrap();
    assert_eq!(letters(&ask(&engine, &query(&liar, &input))), "++");
}

#[test]
fn a_run_record_reproduces_the_answer() {
    let Some(exact) = resolve("exact-c") else { return };
    let engine = Engine::new(vec![exact.clone()]).unwrap();
    let query = query(&exact, &whole("@c > 3@ #c > 2# #c != 77#"));
    let answer = ask(&engine, &query);
    let record = Asker::new(&engine, None, Journal::Off).describe_run(&query).unwrap();
    assert_eq!((record.files[0].name.as_str(), record.preparation.len()), ("program.c", 4));
    assert_eq!(record.input(), record.files[0].text);
    let directory = RunDirectory::create().unwrap();
    for file in &record.files {
        directory.write(&file.name, file.text.as_bytes()).unwrap();
    }
    let runner = process::Runner::probe();
    let mut printed = Vec::new();
    // Compiling may take long on a busy machine.
    let limits = Limits { wall_milliseconds: 120_000, ..Limits::default() };
    for words in record.preparation.iter().chain([&record.command]) {
        let mut command =
            engine::command(engine::Trust::Installed, directory.path().join(&words[0]), directory.path());
        command.arguments = words[1..].iter().map(Into::into).collect();
        let outcome = runner.run(&command, &limits).unwrap();
        assert_eq!(outcome.ending, process::Ending::Exited(0), "{words:?}");
        printed = outcome.stdout;
    }
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.contains("violated 2 uchar:77"), "{printed}");
    let lines = |text: &str| text.lines().filter(|it| it.starts_with("violated")).count();
    assert_eq!(lines(&printed), lines(&String::from_utf8_lossy(&answer.output)));
}

#[test]
fn a_run_record_of_a_liar_runs_juvenal() {
    let Some(liar) = resolve("liar-c:lie=call") else { return };
    let engine = Engine::new(vec![liar.clone()]).unwrap();
    let mut input = whole("@c > 3@ #c > 2#");
    input.data_model = DataModel::Ilp32;
    let record = Asker::new(&engine, None, Journal::Off).describe_run(&query(&liar, &input)).unwrap();
    assert_eq!(record.command, ["juvenal", "built-in", "liar-c:lie=call", "--data-model", "ilp32"]);
    assert_eq!(record.stdin, input.text());
}

/// Describes an analyzer that records every run of its first step, which fails while a file is missing.
fn description(directory: &RunDirectory) -> String {
    let shown = directory.path().display();
    format!(
        r#"
name = "counting"
title = "Counting"
summary = "Counts."
language = "c"
family = "counting"
homepage = "none"
[install]
[find]
programs = ["sh"]
[version]
arguments = ["-c", "echo 1.0"]
pattern = '(?<version>\d+\.\d+)'
[configuration]
arguments = []
[reachability]
approximation = "exact"
reports-all = true
failing-check = "ends"
check = "check({{condition}});"
assume = "assume({{condition}});"
[reachability.data-models]
lp64 = ["lp64"]
ilp32 = ["ilp32"]
[[reachability.steps]]
once = true
arguments = ["-c", 'echo run >> {shown}/runs; test -e {shown}/ready && sleep 0.2 && echo "made for $1" > made', "once", "{{options}}"]
[[reachability.steps]]
arguments = ["-c", 'cat made && test -e program.c && echo made >> made']
[reachability.output]
rows = [{{ pattern = 'made for (?<check>\d+)', status = "violated" }}]
silent = "verified"
complete = 'made for lp64|made for ilp32'
"#
    )
}

/// An analyzer that calls functions of the program natively, as KLEE does, can do no more than a program under test.
#[test]
fn a_step_marked_confined_neither_sees_homes_nor_writes_outside() {
    if !process::Runner::probe().confinement_mode().hides_files() {
        return println!("skipped: this machine cannot hide files");
    }
    let directory = RunDirectory::create().unwrap();
    let secret = tempfile::NamedTempFile::new_in(std::env::home_dir().unwrap()).unwrap();
    fs::write(secret.path(), "made for 1").unwrap();
    let (home, written) = (secret.path().display(), directory.path().join("written"));
    let tries =
        format!("cat {home}; echo made > {}; echo own > own; cat own; echo made for lp64", written.display());
    let steps = description(&directory).replace("cat made && test -e program.c && echo made >> made", &tries);
    let confined = steps.replace("arguments = [\"-c\", 'cat", "confined = true\narguments = [\"-c\", 'cat");
    directory.write("ready", b"").unwrap();
    for (text, output, is_written) in
        [(confined, "own\nmade for lp64\n", false), (steps, "made for 1own\nmade for lp64\n", true)]
    {
        let path = directory.write("counting.toml", text.as_bytes()).unwrap();
        let resolved = resolve(&path.display().to_string()).unwrap();
        let engine = Engine::new(vec![resolved.clone()]).unwrap();
        let answer = ask(&engine, &query(&resolved, &whole("#c > 2#")));
        assert!(answer.output.starts_with(output.as_bytes()), "{}", String::from_utf8_lossy(&answer.output));
        assert_eq!(written.exists(), is_written);
    }
}

#[test]
fn a_step_marked_once_runs_once() {
    let directory = RunDirectory::create().unwrap();
    let path = directory.write("counting.toml", description(&directory).as_bytes()).unwrap();
    let resolved = resolve(&path.display().to_string()).unwrap();
    let engine = Engine::new(vec![resolved.clone()]).unwrap();
    let runs = || fs::read_to_string(directory.path().join("runs")).unwrap_or_default().lines().count();
    let input = whole("#c > 2#");
    // A failure is not shared with other queries.
    let failed = ask(&engine, &query(&resolved, &input));
    assert!(failed.checks().is_none() && runs() == 1, "{failed:?}");
    directory.write("ready", b"").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let answer = ask(&engine, &query(&resolved, &input));
                    assert_eq!(letters(&answer), "+", "{answer:?}");
                    assert_eq!(answer.output, b"made for lp64\n", "a run must not change the shared files");
                }
            });
        }
    });
    assert_eq!(runs(), 2);
    let small = CInput { data_model: DataModel::Ilp32, ..input };
    assert_eq!(ask(&engine, &query(&resolved, &small)).output, b"made for ilp32\n");
    assert_eq!(runs(), 3);
}
