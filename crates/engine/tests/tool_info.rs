//! BenchExec's tool-info modules with fake tools.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::Catalogue;
use engine::{Asker, Engine, Journal, Locator, Resolved, RunDirectory, Specification};
use model::{
    Annotation, AnnotationKind, Answer, CInput, CheckStatus, DataModel, Input, Mode, Query, Verdict,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Returns a locator if BenchExec is installed.
fn locator() -> Option<Locator> {
    let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
    let description = locator.description("benchexec").unwrap();
    let is_installed = !locator.installed(&description).is_empty();
    test_support::is_usable("benchexec", is_installed).then_some(locator)
}

fn resolve(locator: &Locator, text: &str) -> Result<Resolved, String> {
    locator.resolve(&Specification::parse(text).unwrap()).map_err(|problem| problem.to_string())
}

/// Creates a program whose checks have these conditions.
fn program(conditions: &[&str], data_model: DataModel) -> CInput {
    let check =
        |(number, condition): (u32, &&str)| Annotation::new(17, AnnotationKind::Check(number), *condition);
    let annotations = (1u32..).zip(conditions).map(check).collect();
    CInput { base: "int main(void) {\n return 0; }\n".into(), data_model, annotations }
}

fn query(resolved: &Resolved, input: CInput) -> Query {
    Query::new(resolved.member.id.clone(), Input::C(input), Mode::Process).fresh(1)
}

fn ask(engine: &Engine, query: &Query) -> Answer {
    let mut asker = Asker::new(engine, None, Journal::Off);
    asker.ask_with_outputs(std::slice::from_ref(query), &|| false).unwrap().unwrap().remove(0)
}

/// One letter for each check: `+` verified, `-` violated, `?` unknown; the verdict's word if there is no claim.
fn letters(answer: &Answer) -> String {
    let Some(claim) = answer.checks() else { return answer.verdict.word().to_owned() };
    let letter = |status| match status {
        CheckStatus::Verified => '+',
        CheckStatus::Violated => '-',
        CheckStatus::Unknown => '?',
    };
    claim.checks.iter().map(|check| letter(check.status)).collect()
}

fn plant(directory: &RunDirectory, name: &str, text: &str) {
    let path = directory.write(name, text.as_bytes()).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Prints the verdict that the program's check names, in the words of SV-COMP. The last argument is the program. The
/// complaint must not follow the answer, because the module would then miss the answer.
const PLANTED: &str = r#"#!/bin/sh
if [ "$1" = "--version" ]; then echo "1.2 (planted)"; exit 0; fi
for program; do :; done
echo "called with $*"
echo "complaint" >&2
grep -q '!(holds)' "$program" && { echo TRUE; exit 0; }
grep -q '!(fails)' "$program" && { echo "FALSE"; exit 10; }
grep -q '!(open)' "$program" && { echo UNKNOWN; exit 0; }
grep -q '!(dies)' "$program" && kill -SEGV $$
grep -q '!(hangs)' "$program" && sleep 100
grep -q '!(odd)' "$program" && { echo "Usage error!"; exit 64; }
exit 3
"#;

#[test]
fn the_real_module_runs_and_reads_a_fake_cbmc() {
    let Some(locator) = locator() else { return };
    let directory = RunDirectory::create().unwrap();
    plant(&directory, "cbmc", PLANTED);
    let text = format!("benchexec/cbmc={}", directory.path().display());
    let resolved = resolve(&locator, &text).unwrap();
    assert_eq!(resolved.member.id.as_str(), "benchexec/cbmc@1.2-planted");
    assert_eq!(resolved.member.family, "cprover", "as the plain program");
    let engine = Engine::new(vec![resolved.clone()]).unwrap();
    for (conditions, expected) in [
        (&["holds"][..], "+"),
        (&["fails"], "-"),
        (&["open"], "?"),
        (&["holds", "fails", "open"], "+-?"),
        (&["dies"], "crash"),
        (&["hangs"], "limit"),
        (&["odd"], "rejected"),
        (&["else"], "unreadable"),
        (&["fails", "else"], "unreadable"),
    ] {
        let mut query = query(&resolved, program(conditions, DataModel::Lp64));
        query.limits.wall_milliseconds = 3000;
        let answer = ask(&engine, &query);
        assert_eq!(letters(&answer), expected, "{conditions:?}: {answer:?}");
    }
    for (data_model, argument) in [(DataModel::Lp64, "--64"), (DataModel::Ilp32, "--32")] {
        let output = ask(&engine, &query(&resolved, program(&["fails"], data_model))).output;
        let expected =
            format!("called with --propertyfile unreach-call.prp {argument} program.c\ncomplaint\n");
        assert!(String::from_utf8_lossy(&output).starts_with(&expected), "{output:?}");
    }
}

#[test]
fn a_run_record_has_the_command_of_the_module() {
    let Some(locator) = locator() else { return };
    let directory = RunDirectory::create().unwrap();
    plant(&directory, "cbmc", PLANTED);
    let place = directory.path().display();
    let resolved = resolve(&locator, &format!("benchexec/cbmc={place}:option=--depth,option=7")).unwrap();
    let engine = Engine::new(vec![resolved.clone()]).unwrap();
    let query = query(&resolved, program(&["holds", "fails"], DataModel::Lp64));
    let record = Asker::new(&engine, None, Journal::Off).describe_run(&query).unwrap();
    let command = |number: u32| -> Vec<String> {
        let words = format!("{place}/cbmc --depth 7 --propertyfile unreach-call.prp --64 program-{number}.c");
        words.split(' ').map(str::to_owned).collect()
    };
    assert_eq!((record.preparation, record.command), (vec![command(1)], command(2)));
    let names: Vec<&str> = record.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["program-1.c", "program-2.c", "unreach-call.prp"]);
}

/// ESBMC's module requires the directory of the tool as working directory; so does DepthK's, which has the old interface.
#[test]
fn tools_run_in_the_working_directory_that_their_module_requires() {
    let Some(locator) = locator() else { return };
    for (module, file, words) in [
        ("esbmc", "esbmc-wrapper.py", "TRUE FALSE_REACH Unknown"),
        ("depthk", "depthk-wrapper.sh", "TRUE FALSE UNKNOWN"),
    ] {
        let [holds, fails, open]: [&str; 3] = words.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let directory = RunDirectory::create().unwrap();
        directory.write("beside", b"").unwrap();
        let script = format!(
            "#!/bin/sh\ntest -e beside || exit 9\nfor program; do :; done\n\
             grep -q '!(holds)' $program && echo {holds}\ngrep -q '!(fails)' $program && echo {fails}\n\
             grep -q '!(open)' $program && echo {open}\nexit 0\n"
        );
        plant(&directory, file, &script);
        let place = directory.path().display();
        let resolved = resolve(&locator, &format!("benchexec/{module}={place}")).unwrap();
        let engine = Engine::new(vec![resolved.clone()]).unwrap();
        let query = query(&resolved, program(&["holds", "fails", "open"], DataModel::Lp64));
        let answer = ask(&engine, &query);
        assert_eq!(letters(&answer), "+-?", "{module}: {answer:?}");
        let record = Asker::new(&engine, None, Journal::Off).describe_run(&query).unwrap();
        let by_hand = record.command.join(" ");
        assert!(by_hand.starts_with(&format!("sh -c here=$PWD; cd '{place}' && exec")), "{by_hand}");
        assert!(by_hand.contains("''\"$here\"'/program-3.c'"), "{by_hand}");
    }
}

#[test]
fn the_dummy_tool_of_benchexec_works() {
    let Some(locator) = locator() else { return };
    for (options, expected) in
        [("", "?"), (":option=true", "+"), (":option=false(unreach-call)", "-"), (":option=false", "-")]
    {
        let resolved = resolve(&locator, &format!("benchexec/dummy{options}")).unwrap();
        assert_eq!(resolved.member.id.as_str(), format!("benchexec/dummy@unknown{options}"));
        let engine = Engine::new(vec![resolved.clone()]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let answer = ask(&engine, &query(&resolved, program(&["x"], DataModel::Ilp32)));
                    assert_eq!(letters(&answer), expected, "{options}: {answer:?}");
                });
            }
        });
    }
}

#[test]
fn messages_about_missing_tools_say_what_to_do() {
    let Some(locator) = locator() else { return };
    let directory = RunDirectory::create().unwrap();
    directory.write("cbmc", b"not executable").unwrap();
    let place = directory.path().display().to_string();
    for (text, expected) in [
        ("benchexec/esbmk".to_owned(), "has no tool-info module `esbmk`; did you mean benchexec/esbmc?"),
        ("benchexec/xyzzyqq".to_owned(), "a module of your own is named with its package"),
        ("benchexec/no.such.module".to_owned(), "a module of your own is named with its package"),
        ("benchexec/os.path".to_owned(), "the module os.path has no class Tool"),
        ("benchexec/divine".to_owned(), "give its directory with --analyzer benchexec/divine=PATH"),
        (format!("benchexec/esbmc={place}"), "name the directory that holds its executable"),
        (format!("benchexec/cbmc={place}"), "that is not executable"),
        ("benchexec/dummy@7".to_owned(), "benchexec/dummy@7 is not installed (found unknown)"),
    ] {
        let problem = resolve(&locator, &text).map(|it| it.member.id).unwrap_err();
        assert!(problem.contains(expected), "{text}: {problem}");
    }
}

/// The module expects the words of SV-COMP, so the output of the plain program is never mistaken for an answer.
#[test]
fn the_plain_program_is_not_misread() {
    let Some(locator) = locator() else { return };
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/../analyzers/recorded/c/cbmc-6.3.1");
    let directory = RunDirectory::create().unwrap();
    for (file, code) in
        [("safe.txt", 0), ("checks.txt", 10), ("unbounded-unwinding.txt", 10), ("syntax.txt", 6)]
    {
        plant(&directory, "cbmc", &format!("#!/bin/sh\ncat {recorded}/{file}\nexit {code}\n"));
        let resolved = resolve(&locator, &format!("benchexec/cbmc={}", directory.path().display())).unwrap();
        let engine = Engine::new(vec![resolved.clone()]).unwrap();
        let answer = ask(&engine, &query(&resolved, program(&["x"], DataModel::Lp64)));
        let expected = Verdict::Unreadable(
            "the tool-info module says `ERROR`: the output says nothing about check 1".to_owned(),
        );
        assert_eq!(answer.verdict, expected, "{file}");
    }
}
