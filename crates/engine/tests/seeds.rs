//! Seeds: which files are used, how they are prepared, and the reasons for skipping the others.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::{Engine, SeedFiles, c_compiler};
use model::{DataModel, Language, Seed};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of a seed, and the seed or the reason and the detail of its problem.
type Loaded = (String, Result<Seed, (String, String)>);

const GOOD: &str = "int main(void) { return 0; }\n";

/// Returns whether C seeds can be used.
fn have_compiler() -> bool {
    test_support::is_usable("gcc", c_compiler().unwrap().is_some())
}

fn write(directory: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn task(file: &str, data_model: &str) -> String {
    format!(
        "format_version: '2.0'\ninput_files: {file}\noptions:\n  language: C\n  data_model: {data_model}\n"
    )
}

/// Loads all seeds in a directory. Details of problems do not contain the directory.
fn load_all(directory: &Path, languages: &[Language]) -> Vec<Loaded> {
    let engine = Engine::new(Vec::new()).unwrap();
    let seeds = SeedFiles::find(&[directory.to_owned()], languages).unwrap();
    let short = |text: &str| text.replace(&format!("{}/", directory.display()), "");
    let load = |place| {
        let loaded = engine.seed_loader().load(&seeds, place).unwrap();
        loaded.map_err(|problem| (problem.reason.to_owned(), short(&problem.detail)))
    };
    (0..seeds.count()).map(|place| (short(seeds.name(place)), load(place))).collect()
}

/// Returns the names of the seeds of a language, in the order of their turns.
fn turns(seeds: &SeedFiles, language: Language, directory: &Path) -> Vec<String> {
    let name = |turn| {
        let place = seeds.at_turn(language, turn).unwrap();
        Path::new(seeds.name(place)).strip_prefix(directory).unwrap().display().to_string()
    };
    (0..seeds.count_of(language) as u64 + 1).map(name).collect()
}

#[test]
fn seeds_take_turns_in_their_language_and_programs_of_tasks_are_used_once() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path();
    for name in [
        "b.smt2",
        "a/z.smt2",
        "free.c",
        "a/free.i",
        "a/task.c",
        "a/task.i",
        "a/other.c",
        "rules.dl",
        "notes.txt",
    ] {
        write(directory, name, GOOD);
    }
    write(directory, "a/task.yml", task("./task.i", "LP64"));
    write(directory, "a/two.yml", task("[other.c, more.c]", "LP64"));
    let seeds =
        SeedFiles::find(&[directory.to_owned(), directory.join("free.c")], &Language::BUILT_IN).unwrap();
    assert_eq!(seeds.count(), 7);
    assert_eq!(turns(&seeds, Language::SMT, directory), ["a/z.smt2", "b.smt2", "a/z.smt2"]);
    let programs = ["a/free.i", "a/task.yml", "a/two.yml", "free.c", "a/free.i"];
    assert_eq!(turns(&seeds, Language::C, directory), programs);
    // A search for one language finds the same seeds as a search for all.
    for language in Language::BUILT_IN {
        let found = SeedFiles::find(&[directory.to_owned()], &[language]).unwrap();
        let all = SeedFiles::find(&[directory.to_owned()], &Language::BUILT_IN).unwrap();
        let left = all.only(&[language]);
        assert_eq!(turns(&found, language, directory), turns(&left, language, directory));
        let other = Language::BUILT_IN.into_iter().find(|other| *other != language).unwrap();
        assert_eq!((left.count_of(other), left.at_turn(other, 0)), (0, None));
    }
}

#[test]
fn paths_without_seeds_are_rejected() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "only/a.smt2", "(check-sat)");
    write(home.path(), "word.txt", "x");
    for (path, languages, words) in [
        ("missing", &Language::BUILT_IN[..], &["cannot read the seeds", "check the path"][..]),
        (
            "word.txt",
            &Language::BUILT_IN,
            &["word.txt is not a seed file; seed files end in .smt2, .c, .i, .yml"],
        ),
        ("only", &[Language::C], &["no seeds below", "only; seed files end in .c, .i, .yml"]),
        ("only/a.smt2", &[Language::C], &["no seeds below", "a.smt2"]),
    ] {
        let paths: [PathBuf; 1] = [home.path().join(path)];
        let Err(error) = SeedFiles::find(&paths, languages) else { unreachable!("{path} was taken") };
        let error = format!("{error:#}");
        assert!(words.iter().all(|word| error.contains(word)), "{path}: {error}");
    }
}

#[test]
fn programs_come_out_preprocessed_and_with_their_data_model() {
    if !have_compiler() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let directory = home.path();
    write(directory, "own.h", "#define ANSWER 42\nenum { SIZE = sizeof(long) };\n");
    let own = "#include \"own.h\"\nint main(void) { return ANSWER; } /* bye */\n";
    let plain = "/* kept */ int main ( void ) { return 0 ; }\n\n";
    let marked =
        "# 1 \"x.c\"\n# 1 \"y.h\" 1 3 4\nint a;\n#line 7\n#pragma pack(1)\nint main(void) { return a; }\n";
    let dated =
        "const char *d = __DATE__ __TIME__ __TIMESTAMP__, *f = __FILE__;\nint main(void) { return 0; }\n";
    let wide = "_Static_assert(sizeof(long) == 8, \"lp64\");\nint main(void) { return 0; }\n";
    for (name, text) in [("own.c", own), ("plain.c", plain), ("marked.i", marked), ("dated.c", dated)] {
        write(directory, name, text);
    }
    write(directory, "narrow/narrow.c", wide.replace('8', "4"));
    write(directory, "narrow/narrow.yml", task("narrow.c", "ILP32"));
    write(directory, "wide/wide.c", wide);
    write(directory, "wide/wide.yml", task("[\"wide.c\"]", "LP64"));
    let dates = "\"Jan  1 1970\" \"00:00:00\" \"Thu Jan  1 00:00:00 1970\"";
    let dated = dated.replace("__DATE__ __TIME__ __TIMESTAMP__", dates).replace("__FILE__", "\"program.c\"");
    let unmarked = "int a;\n#pragma pack(1)\nint main(void) { return a; }\n";
    let loaded = load_all(directory, &[Language::C]);
    for (name, text, data_model) in [
        ("own.c", "enum { SIZE = sizeof(long) };\nint main(void) { return 42; }\n", DataModel::Lp64),
        ("plain.c", plain, DataModel::Lp64),
        ("marked.i", unmarked, DataModel::Lp64),
        ("dated.c", &dated, DataModel::Lp64),
        ("narrow/narrow.yml", &wide.replace('8', "4"), DataModel::Ilp32),
        ("wide/wide.yml", wide, DataModel::Lp64),
    ] {
        let (_, seed) = loaded.iter().find(|(it, _)| it == name).unwrap();
        let seed = seed.as_ref().unwrap();
        assert_eq!((&*seed.text, seed.data_model, seed.language), (text, data_model, Language::C), "{name}");
    }
    assert_eq!(loaded.len(), 6);
    // Seeds stay the same until a header changes.
    let again = load_all(directory, &[Language::C]);
    assert_eq!(again, loaded);
    write(directory, "own.h", "#define ANSWER 43\n");
    let identity = |loaded: &[Loaded]| {
        loaded.iter().map(|(_, seed)| seed.as_ref().unwrap().identity()).collect::<Vec<_>>()
    };
    let (before, after) = (identity(&again), identity(&load_all(directory, &[Language::C])));
    let changed: Vec<&str> = again
        .iter()
        .zip(before.iter().zip(&after))
        .filter(|(_, (before, after))| before != after)
        .map(|((name, _), _)| name.as_str())
        .collect();
    assert_eq!(changed, ["own.c"]);
}

#[test]
fn every_bad_program_or_task_has_a_reason() {
    if !have_compiler() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let directory = home.path();
    // Each macro is 16 times as long as the previous one, which exceeds 16 MB within a second.
    let level = |level: u32| format!("#define A{} {}\n", level + 1, format!("A{level} ").repeat(16));
    let bomb =
        (0..5).fold(format!("#define A0 {}\n", "x".repeat(100)), |text, it| text + &level(it)) + "A5\n";
    let deep = format!("int main(void) {{ return {}1{}; }}\n", "(".repeat(50_000), ")".repeat(50_000));
    let rows: Vec<(&str, Vec<u8>, &str, &str)> = vec![
        (
            "bad.c",
            b"int main(void) {\n  return y;\n}\n".into(),
            "the seed does not compile",
            "bad.c:2:10: error: 'y' undeclared",
        ),
        (
            "macro.c",
            b"#include <limits.h>\nint main(void) {\n  return INT_MAX + y;\n}\n".into(),
            "the seed does not compile",
            "macro.c:3:20: error: 'y' undeclared",
        ),
        (
            "missing.c",
            b"int a;\n#include \"no-such-header.h\"\n".into(),
            "the seed includes a file that is missing",
            "missing.c:2:10: fatal error: no-such-header.h",
        ),
        (
            "error.c",
            b"#error \x1b[31mno\n".into(),
            "the seed cannot be preprocessed",
            "error.c:1:2: error: #error \\u{1b}[31mno",
        ),
        ("empty.c", b"".into(), "the seed is empty", "empty.c: nothing but white space"),
        (
            "nothing.c",
            b"#define X 1\n".into(),
            "the seed is empty",
            "nothing.c: nothing is left after preprocessing",
        ),
        (
            "large.c",
            vec![b' '; 50 << 20],
            "the seed is too large",
            "large.c: it has more than 16 MB, which is the limit",
        ),
        ("binary.c", b"\x7fELF\0\0\x01".into(), "the seed is not text", "binary.c: it contains zero bytes"),
        (
            "latin.c",
            b"/* \xe9 */ int main(void) { return 0; }\n".into(),
            "the seed is not UTF-8",
            "latin.c: invalid utf-8",
        ),
        (
            "bomb.c",
            bomb.into(),
            "the compiler fails on the seed",
            "bomb.c: more than 16 MB after preprocessing",
        ),
        ("itself.c", b"#include \"itself.c\"\n".into(), "the seed cannot be preprocessed", "nested"),
        (
            "model.yml",
            task("good.c", "LLP64").into(),
            "the task has an unknown data model",
            "model.yml: data_model is LLP64",
        ),
        (
            "gone.yml",
            task("gone.c", "LP64").into(),
            "the program of the task is missing",
            "gone.yml: there is no gone.c",
        ),
        (
            "two.yml",
            task("[good.c, more.c]", "LP64").into(),
            "the task has several input files",
            "two.yml: it names 2",
        ),
        (
            "java.yml",
            task("A.java", "LP64").replace(": C", ": Java").into(),
            "the task is not about C",
            "java.yml",
        ),
        ("odd.yml", b"a: [\n".into(), "the task definition cannot be used", "odd.yml: line 1: expected `]`"),
        ("latin.yml", b"a: \xe9\n".into(), "the seed is not UTF-8", "latin.yml: invalid utf-8"),
        ("large.yml", vec![b'#'; 2 << 20], "the seed is too large", "large.yml: it has more than 1 MB"),
        (
            "is-bad.yml",
            task("bad.c", "ILP32").into(),
            "the seed does not compile",
            "bad.c:2:10: error: 'y' undeclared",
        ),
    ];
    for (name, text, _, _) in &rows {
        write(directory, name, text);
    }
    write(directory, "deep.c", deep);
    write(directory, "good.c", GOOD);
    let loaded = load_all(directory, &[Language::C]);
    for (name, _, reason, detail) in rows.iter().filter(|row| row.0 != "bad.c") {
        let (_, problem) = loaded.iter().find(|(it, _)| it == name).unwrap();
        let (found, found_detail) = problem.as_ref().unwrap_err();
        assert!(found == reason && found_detail.contains(detail), "{name}: {found}: {found_detail}");
    }
    // Tasks name these files, so they are not seeds themselves, even if the tasks are bad.
    for name in ["good.c", "bad.c"] {
        assert!(loaded.iter().all(|(it, _)| it != name), "{name}");
    }
    // A deeply nested program is either good or has a reason, depending on the compiler.
    assert!(loaded.iter().any(|(name, _)| name == "deep.c"));
}
