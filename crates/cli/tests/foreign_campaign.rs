//! A campaign from an untrusted source is data: whatever is done with it, no program runs and no file is written that the user did
//! not name.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use model::{AnalyzerId, Annotation, AnnotationKind, CInput, DataModel, Finding, Input, Seed, SmtInput};
use stage::{SMALL, Stage, TINY, have_solver, lines, tool};
use std::fs;
use std::os::unix::fs::symlink;
use store::Store;

const HONEST: &str = "liar-smt:lie=none";
const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (< 0 x))\n(check-sat)\n";

/// A hunt with findings.
fn hunt(stage: &Stage, witness: &str) {
    let words = ["--analyzer", "liar-smt", "--witness", witness, "--cases", "24", "--candidates", "20"];
    let run = stage.hunt("out", &[&words, SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
}

/// A hunt with findings, and a comparison.
fn campaigns(stage: &Stage) {
    hunt(stage, HONEST);
    stage.write("seeds/a.smt2", SCRIPT);
    let words = ["--analyzer", "liar-smt", "--analyzer", HONEST, "--seeds", "seeds", "--out", "table"];
    stage.exits(0, &[&["compare"], &words[..]].concat());
}

/// Replaces a text in `campaign.toml`.
fn forge(stage: &Stage, out: &str, old: &str, new: &str) {
    let path = stage.path(out).join("campaign.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{text}");
    fs::write(path, text.replace(old, new)).unwrap();
}

/// The line of the subjects or the witnesses, as it is in `campaign.toml`.
fn members(stage: &Stage, out: &str, key: &str) -> String {
    let text = fs::read_to_string(stage.path(out).join("campaign.toml")).unwrap();
    let start = text.find(&format!("{key} = ")).unwrap();
    let length = text[start..].find(']').unwrap() + 1;
    text[start..start + length].to_owned()
}

/// Everything that continues or repeats a campaign.
const CONTINUING: &[&[&str]] = &[
    &["resume", "out", "--cases", "25"],
    &["replay", "out", "F1"],
    &["reduce", "out", "F1"],
    &["judge", "out"],
    &["judge", "out", "--reread"],
    &["unit", "out", "1"],
    &["compare", "table"],
    &["compare", "table", "--check", "1"],
    &["resume", "table"],
];

#[test]
fn programs_and_options_that_run_something_are_not_taken_from_a_campaign() {
    let stage = Stage::new();
    campaigns(&stage);
    let evil =
        format!("#!/bin/sh\necho 'Cppcheck 2.10'\necho 'Z3 version 9.8.7'\necho > '{}'\n", stage.at("ran"));
    for name in ["cppcheck", "z3", "evil"] {
        stage.program(name, &evil);
    }
    stage.write("evil.toml", stage::fake_description().replace("fake-solver", "evil"));
    let path = format!("z3={}", stage.at("bin/evil"));
    for analyzer in [
        "cppcheck@2.10:addon=/tmp/evil.py",
        "cppcheck@2.10:max-configs=1,addon=evil",
        "z3@9.8.7:trace_file_name=/tmp/x",
        "z3@9.8.7:sat.drat.file=x",
        "benchexec/evil.module",
        "benchexec/cbmc@6:option=--outfile",
        "./evil.toml",
        &path,
    ] {
        for key in ["subjects", "witnesses"] {
            let forged = format!("{key} = [\"{analyzer}\"]");
            let kept = ["out", "table"].map(|out| (out, members(&stage, out, key)));
            kept.iter().for_each(|(out, kept)| forge(&stage, out, kept, &forged));
            for words in CONTINUING {
                let name = analyzer.split(['@', '=', ':']).next().unwrap();
                stage.refuses(words, &[name, "if you trust it, name it again with --analyzer"]);
            }
            kept.iter().for_each(|(out, kept)| forge(&stage, out, &forged, kept));
        }
        assert!(!stage.path("ran").exists(), "{analyzer}");
    }
    for words in [&["resume", "out", "--cases", "25"][..], &["replay", "out", "F1"], &["judge", "out"]] {
        let run = stage.juvenal(words);
        assert!(matches!(run.code, Some(0 | 1)), "{run}");
    }
}

#[test]
fn harmless_options_are_taken_and_others_work_when_they_are_named_again() {
    if !have_solver("z3") {
        return;
    }
    let stage = Stage::with_solvers();
    for (out, option, is_harmless) in
        [("plain", "smt.random_seed=3", true), ("word", "smt.logic=QF_LIA", false)]
    {
        let analyzer = format!("z3:{option}");
        let chosen = ["--analyzer", &analyzer, "--witness", HONEST, "--cases", "1"];
        let run = stage.hunt(out, &[&chosen, TINY]);
        assert!(matches!(run.code, Some(0 | 1 | 3)), "{run}");
        let resume = ["resume", out, "--cases", "2"];
        if is_harmless {
            assert_ne!(stage.juvenal(&resume).code, Some(2));
            continue;
        }
        stage.refuses(&resume, &["`smt.logic=QF_LIA`", "does not declare to be harmless", "name it again"]);
        let named = stage.juvenal(&[&resume[..], &["--analyzer", &analyzer]].concat());
        assert_ne!(named.code, Some(2), "{named}");
    }
}

/// Puts an input for z3 into the first finding.
fn plant(stage: &Stage, input: &Input) {
    let witnesses = members(stage, "out", "witnesses");
    let z3 = witnesses.split('"').find(|word| word.starts_with("z3@")).unwrap().to_owned();
    let store = Store::open(&stage.path("out")).unwrap();
    let mut finding: Finding = store.ledger.findings().unwrap().remove(0);
    for query in finding.exhibit.queries.iter_mut().chain(&mut finding.reduced.queries) {
        query.analyzer = serde_json::from_value::<AnalyzerId>(z3.clone().into()).unwrap();
        query.input = input.clone();
        query.role = input.language().kind().usual_role;
    }
    store.ledger.replace_finding(&finding).unwrap();
}

#[test]
fn stored_scripts_write_and_read_no_files() {
    if !have_solver("z3") {
        return;
    }
    let stage = Stage::with_solvers();
    hunt(&stage, "z3");
    let target = stage.at("written");
    let channel = format!("(set-option :regular-output-channel \"{target}\")\n");
    // The attack is real.
    let script = stage.write("attack.smt2", format!("{channel}{SCRIPT}")).display().to_string();
    tool("z3", &[&script]);
    fs::remove_file(&target).unwrap();

    let input = |options: &str, logic: Option<&str>, body: &str| {
        let logic = logic.map(Into::into);
        Input::Smt(SmtInput { options: options.into(), logic, body: body.into(), checks: 1 })
    };
    let check = "(check-sat)\n";
    for (input, named) in [
        (input(&channel, None, check), ":regular-output-channel"),
        (input("", None, &format!("{channel}{check}")), ":regular-output-channel"),
        (input("", Some(&format!("ALL)\n{channel}(push 1")), check), ":regular-output-channel"),
        (input(&channel.replace("regular", "diagnostic"), None, check), ":diagnostic-output-channel"),
        (input(&format!("(set-option :sat.drat.file |{target}|)\n"), None, check), ":sat.drat.file"),
        (
            input("", None, &format!("(set-option :dot_proof_file \"{target}\")(check-sat)\n")),
            ":dot_proof_file",
        ),
        (
            input("", None, &format!("(check-sat-using (using-params sat :drat.file |{target}|))\n")),
            ":drat.file",
        ),
        (input("", None, &format!("(include \"{script}\")\n(check-sat)\n")), "include"),
        (
            input("", None, &format!("(echo \"\\\")\n{channel}(check-sat)\n(echo \"\\\")\n")),
            ":regular-output-channel",
        ),
    ] {
        plant(&stage, &input);
        for words in [&["replay", "out", "F1"][..], &["reduce", "out", "F1"]] {
            stage.refuses(words, &["F1 cannot be used", named, "line "]);
        }
        assert!(!stage.path("written").exists(), "{input:?}");
    }
}

#[test]
fn stored_programs_have_no_directives() {
    if !have_solver("z3") {
        return;
    }
    let stage = Stage::with_solvers();
    hunt(&stage, "z3");
    let header = stage.write("evil.h", "int evil;").display().to_string();
    let marker = "# 5 \"program.c:12:1: warning: FALSE\"";
    for (base, condition, named) in [
        (format!("int main(void) {{ int x = 1;\n{marker}\nreturn 0; }}"), "1".to_owned(), "warning: FALSE"),
        (format!("#include \"{header}\"\nint main(void) {{ return 0; }}"), "1".to_owned(), "#include"),
        ("int main(void) { return 0; }".to_owned(), format!("1\n{marker}\n"), "warning: FALSE"),
    ] {
        let place = base.find("return").unwrap() as u32;
        let annotations = vec![Annotation::new(place, AnnotationKind::Check(1), condition)];
        plant(&stage, &Input::C(CInput { base: base.into(), data_model: DataModel::Lp64, annotations }));
        for words in [&["replay", "out", "F1"][..], &["reduce", "out", "F1"]] {
            stage.refuses(words, &["F1 cannot be used", named, "of the program"]);
        }
    }
}

#[test]
fn seeds_that_touch_files_are_skipped_whether_they_are_stored_or_not() {
    let stage = Stage::new();
    let evil = format!("(set-option :regular-output-channel \"{}\")\n{SCRIPT}", stage.at("written"));
    stage.write("seeds/a.smt2", SCRIPT);
    stage.write("seeds/b.smt2", &evil);
    let words = ["satisfiable", "--seeds", "seeds", "--analyzer", HONEST, "--witness", HONEST, "--cases"];
    stage.hunt("both", &[&words, &["2"], TINY]);
    let reasons = |out: &str| stage.statistics(out)["skipped"].clone();
    assert_eq!(reasons("both")["the seed touches files"].as_u64(), Some(1), "{:#}", stage.statistics("both"));

    stage.write("seeds/b.smt2", SCRIPT);
    stage.hunt("stored", &[&words, &["1"], TINY]);
    let store = Store::open(&stage.path("stored")).unwrap();
    store.seeds.keep_seed(1, Seed::smt("b.smt2", &evil)).unwrap();
    drop(store);
    stage.juvenal(&["resume", "stored", "--cases", "2"]);
    assert_eq!(
        reasons("stored")["the seed touches files"].as_u64(),
        Some(1),
        "{:#}",
        stage.statistics("stored")
    );
}

#[test]
fn links_in_a_campaign_lead_nowhere() {
    // What stands in the place of a file, and what says so; none for files that are replaced.
    for (out, name, target, refused) in [
        ("out", "stats.jsonl", "precious", Some("stats.jsonl is a symbolic link")),
        ("out", "lock", "precious", Some("lock is a symbolic link")),
        ("out", "lock", "dangling", Some("lock is a symbolic link")),
        ("out", "store.db", "precious", Some("store.db is a symbolic link")),
        ("out", "store.db-wal", "precious", Some("store.db-wal is a symbolic link")),
        ("out", "store.db-shm", "dangling", Some("store.db-shm is a symbolic link")),
        ("out", "campaign.toml", "precious", Some("campaign.toml is a symbolic link")),
        ("out", "findings", "directory", Some("findings is a symbolic link")),
        ("table", "compare.html", "precious", None),
        ("table", "compare.html.partial", "precious", None),
        ("table", "compare.json.partial", "dangling", None),
        ("table", "checks.csv", "dangling", None),
        ("table", "matrices.csv.partial", "precious", None),
        ("table", "complete.txt.partial", "precious", None),
        ("table", "complete.txt", "loop", None),
    ] {
        let stage = Stage::new();
        campaigns(&stage);
        stage.write("outside/precious", "precious");
        stage.write("outside/directory/F0001-mine/precious", "precious");
        let outside = stage.path("outside");
        symlink("loop", outside.join("loop")).unwrap();
        let path = stage.path(out).join(name);
        match fs::symlink_metadata(&path) {
            Ok(about) if about.is_dir() => fs::remove_dir_all(&path).unwrap(),
            Ok(_) => fs::remove_file(&path).unwrap(),
            Err(_) => {}
        }
        symlink(outside.join(target), &path).unwrap();
        let run = match out {
            "out" => stage.juvenal(&["resume", "out", "--cases", "25"]),
            _ => stage.juvenal(&["compare", "table"]),
        };
        match refused {
            Some(words) => assert!(run.code == Some(2) && run.stderr.contains(words), "{name}: {run}"),
            None => assert!(run.code == Some(0) && !path.is_symlink(), "{name}: {run}"),
        }
        for words in [&["report", out][..], &["findings", out], &["replay", out, "F1"], &["judge", out]] {
            stage.juvenal(words);
        }
        let text = |name: &str| fs::read_to_string(outside.join(name)).unwrap();
        assert_eq!(text("precious"), "precious", "{name}");
        assert_eq!(text("directory/F0001-mine/precious"), "precious", "{name}");
        assert!(!outside.join("dangling").exists(), "{name}");
    }
}

/// The section of the settings, as it is in `campaign.toml`.
fn settings(stage: &Stage, out: &str) -> String {
    let text = fs::read_to_string(stage.path(out).join("campaign.toml")).unwrap();
    let start = text.find("[settings]").unwrap();
    let length = text[start..].find("\n\n").unwrap_or(text.len() - start);
    text[start..start + length].to_owned()
}

#[test]
fn numbers_of_a_campaign_take_neither_all_memory_nor_all_threads() {
    let stage = Stage::new();
    hunt(&stage, HONEST);
    let resume = &["resume", "out", "--cases", "25"][..];
    for (old, new, words) in [
        ("candidates = 20", "candidates = 1000000000000", &["candidates", "juvenal does not write"][..]),
        ("cases = 24", "cases = 24\nseconds = 1e300", &["seconds", "juvenal does not write"]),
        ("cases = 24", "cases = 24\nseconds = nan", &["seconds", "juvenal does not write"]),
        ("[settings]", "[settings]\n\"satisfiable.depth\" = \"100000000\"", &["satisfiable.depth"]),
    ] {
        forge(&stage, "out", old, new);
        stage.refuses(resume, words);
        forge(&stage, "out", new, old);
    }
    let huge = "[settings]\n\"satisfiable.instances\" = \"100000000000\"\n\"satisfiable.constructed\" = \"100000000000\"";
    let settings = settings(&stage, "out");
    forge(&stage, "out", &settings, huge);
    let run = stage.juvenal(&[resume, &["--time", "1s"]].concat());
    assert_eq!(run.code, Some(1), "{run}");
    forge(&stage, "out", huge, &settings);
    forge(&stage, "out", "jobs = ", "jobs = 1000000 # ");
    let run = stage.juvenal(resume);
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("asks for 1000000 workers; without --jobs"), "{run}");
}

#[test]
fn limits_of_a_stored_query_are_bounded() {
    let stage = Stage::new();
    hunt(&stage, HONEST);
    let limits = [
        model::Limits { wall_milliseconds: u64::MAX, ..model::Limits::default() },
        model::Limits { memory_megabytes: u64::MAX, ..model::Limits::default() },
        model::Limits { output_kilobytes: u64::MAX, ..model::Limits::default() },
    ];
    for limits in limits {
        let store = Store::open(&stage.path("out")).unwrap();
        let mut finding: Finding = store.ledger.findings().unwrap().remove(0);
        finding.reduced.queries.iter_mut().for_each(|query| query.limits = limits);
        store.ledger.replace_finding(&finding).unwrap();
        drop(store);
        for command in ["replay", "reduce"] {
            stage.refuses(&[command, "out", "F1"], &["F1 cannot be used", "for a query, found"]);
        }
    }
}

/// Analyzes a small project in `project` with a tool of the stage; the results are in `parts`.
fn split(stage: &Stage) -> stage::Run {
    stage.juvenal(&["split", "--tool", "./lines.toml", "--root", "project", "--out", "parts", "--parts", "2"])
}

fn with_parts() -> Stage {
    let stage = Stage::new();
    lines::prepare(&stage, "echo \"$name:1: rule: message\"");
    for name in ["a.py", "b.py", "c.py"] {
        stage.write(&format!("project/{name}"), "# a line\n");
    }
    let run = split(&stage);
    assert_eq!(run.code, Some(0), "{run}");
    stage
}

fn results_in_parts(stage: &Stage) -> usize {
    let text = fs::read_to_string(stage.path("parts/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    report["merged"]["report"]["results"].as_array().unwrap().len()
}

#[test]
fn results_of_a_tool_say_neither_what_is_run_nor_where_to_write() {
    let stage = with_parts();
    stage.program("evil", &format!("#!/bin/sh\necho > '{}'\n", stage.at("ran")));
    // A tool that the directory names is only compared, and never shown as a part of a command.
    for tool in ["./evil.toml", "lines=bin/evil", "$(bin/evil)", "\u{1b}[2J"] {
        let forged = format!("tool = {tool:?}").replace("\\u{1b}", "\\u001b");
        forge(&stage, "parts", "tool = \"lines\"", &forged);
        let run = split(&stage);
        assert_eq!(run.code, Some(2), "{run}");
        assert!(run.stderr.contains("choose another --out"), "{run}");
        let run = stage.juvenal(&["resume", "parts"]);
        assert_eq!(run.code, Some(2), "{run}");
        assert!(run.stderr.contains("split --tool TOOL --root DIR --out parts`"), "{run}");
        assert!(!run.stderr.contains(&format!("--tool {tool}")) && !run.stderr.contains('\u{1b}'), "{run}");
        forge(&stage, "parts", &forged, "tool = \"lines\"");
    }
    forge(&stage, "parts", "tool = \"lines\"", "tool = \"lines\"\ncommand = \"bin/evil\"");
    stage.refuses(&["resume", "parts"], &["command"]);
    forge(&stage, "parts", "\ncommand = \"bin/evil\"", "");
    assert!(!stage.path("ran").exists());
    // Nothing is written through links.
    stage.write("outside/precious", "precious");
    for name in ["report.json", "report.txt", "report.sarif", "split.html", "parts.json", "weaknesses.txt"] {
        for suffix in ["", ".partial"] {
            let path = stage.path(&format!("parts/{name}{suffix}"));
            if path.exists() {
                fs::remove_file(&path).unwrap();
            }
            symlink(stage.path("outside/precious"), &path).unwrap();
            let run = split(&stage);
            assert!(matches!(run.code, Some(0 | 2)), "{name}{suffix}: {run}");
            let text = fs::read_to_string(stage.path("outside/precious")).unwrap();
            assert_eq!(text, "precious", "{name}{suffix}: {run}");
            if path.is_symlink() {
                fs::remove_file(&path).unwrap();
            }
        }
    }
}

#[test]
fn parts_that_others_wrote_lose_no_file() {
    let stage = with_parts();
    let written = fs::read_to_string(stage.path("parts/parts.json")).unwrap();
    let request = serde_json::from_str::<serde_json::Value>(&written).unwrap()["request"].clone();
    let parts = |list: serde_json::Value| {
        serde_json::json!({ "request": request, "limit": { "most": 1, "measure": "bytes" }, "parts": list })
            .to_string()
    };
    let part = |owned: &[&str], needed: &[&str]| serde_json::json!({ "owned": owned, "needed": needed });
    for list in [
        serde_json::json!([]),
        serde_json::json!([part(&["/etc/passwd", "../secret"], &["a.py"])]),
        serde_json::json!([part(&["a.py", "a.py"], &["a.py"]), part(&["a.py"], &["b.py", "b.py"])]),
        serde_json::Value::Array(vec![part(&[], &[]); 10_000]),
    ] {
        stage.write("parts/parts.json", parts(list.clone()));
        let run = split(&stage);
        assert_eq!(run.code, Some(0), "{run}");
        assert_eq!(results_in_parts(&stage), 3, "{list}");
    }
    for text in ["{", "[]", &"[".repeat(100_000), "{\"request\": 1}"] {
        stage.write("parts/parts.json", text);
        let run = split(&stage);
        assert_eq!(run.code, Some(2), "{run}");
        assert!(run.stderr.contains("--recut"), "{run}");
    }
}

#[test]
fn a_recipe_that_others_wrote_gives_only_harmless_options() {
    let stage = Stage::new();
    let recipe = |analyzer: &str, options: &str| {
        stage.write(
            "tuned.toml",
            format!("[[ingredients]]\nanalyzer = \"{analyzer}\"\n[ingredients.options]\n{options}\n"),
        );
    };
    for (analyzer, name, options) in [
        ("cppcheck@2.10", "cppcheck", "addon = \"/tmp/evil.py\""),
        ("z3@4.8.12", "z3", "trace_file_name = \"/tmp/x\""),
        ("z3@4.8.12", "z3", "\"sat.drat.file\" = \"x\""),
        ("benchexec/cbmc@6", "benchexec/cbmc", "option = \"--outfile\""),
    ] {
        recipe(analyzer, options);
        let given = format!("{name}:@tuned.toml");
        for words in [&["tune", "--analyzer"][..], &["hunt", "--analyzer"], &["analyzer", "check"]] {
            let run = stage.juvenal(&[words, &[given.as_str()]].concat());
            assert_eq!(run.code, Some(2), "{given}: {run}");
            for word in ["tuned.toml", "does not declare to be harmless", ":OPTION=VALUE"] {
                assert!(run.stderr.contains(word), "`{word}` is missing: {run}");
            }
        }
    }
    recipe("z3@4.8.12", "\"smt.random_seed\" = \"3\"");
    let run = stage.juvenal(&["analyzer", "check", "z3:@tuned.toml"]);
    assert!(run.stderr.contains("not installed"), "it is taken as far as that: {run}");
}

#[test]
fn a_search_that_others_wrote_runs_nothing_that_is_not_named_again() {
    let stage = Stage::new();
    hunt(&stage, HONEST);
    let path = stage.path("out/campaign.toml");
    let text = fs::read_to_string(&path).unwrap();
    let (before, _) = text.split_once("[hunt]").unwrap();
    let search = "[tune]\nsubject = \"scripts\"\nobjective = \"time\"\nsearch = \"SEARCH\"\nfolds = 1\ningredients = 1\n\
                  limit_milliseconds = 1000\nmemory_megabytes = 512\nper_program = 1\ncandidates = CANDIDATES\n";
    let write = |before: &str, candidates: &str| {
        let search = search.replace("SEARCH", tuning::SEARCHES[0].name).replace("CANDIDATES", candidates);
        fs::write(&path, format!("{before}{search}")).unwrap();
    };
    let subjects = members(&stage, "out", "subjects");
    for analyzer in ["z3=/tmp/evil", "./evil.toml", "z3@9.8.7:trace_file_name=/tmp/x"] {
        write(&before.replace(&subjects, &format!("subjects = [\"{analyzer}\"]")), "1");
        for words in [&["tune", "out"][..], &["resume", "out"]] {
            stage.refuses(words, &["if you trust it, name it again with --analyzer"]);
        }
    }
    write(before, "1000000000000");
    stage.refuses(&["tune", "out"], &["candidates"]);
}
