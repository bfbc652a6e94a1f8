//! Recorded answers: what is asked anew, what is read again, and what is neither.
#![allow(clippy::unwrap_used, reason = "the helpers of tests fail by panicking, too")]

use analyzers::Catalogue;
use engine::{Asker, Engine, Journal, Locator, Specification, Tally};
use model::{Answer, Hash, Input, Limits, Mode, Query, SmtInput, Transcript, Verdict};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use store::{AnswerLog, MemoryLog, StoredAnswer};

/// A solver that always prints the same.
const DESCRIPTION: &str = r#"
name = "echo"
title = "Echo"
summary = "A solver for tests."
language = "smt"
family = "echo"
homepage = "https://example.org"
[install]
[find]
programs = ["./solver"]
parts = [["--parts"]]
[version]
arguments = ["--version"]
pattern = 'version (?<version>\S+)'
[configuration]
arguments = ["{key}={value}"]
[smt]
approximation = "exact"
theories = ["core"]
models = true
incremental = true
assuming = false
named = false
[smt.modes.process]
arguments = ["{file}"]
[smt.output]
echo = "plain"
RULES
"#;

/// A place for a description and a program.
struct Place {
    directory: tempfile::TempDir,
    log: MemoryLog,
}

impl Place {
    fn new() -> Place {
        let place = Place { directory: tempfile::tempdir().unwrap(), log: MemoryLog::default() };
        place.describe("");
        place.build("echo hm");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn describe(&self, rules: &str) {
        fs::write(self.path("echo.toml"), DESCRIPTION.replace("RULES", rules)).unwrap();
    }

    fn build(&self, script: &str) {
        // Each copy of the solver has its plugins beside it.
        let parts = "echo \"${0%/*}/plugins\"";
        let text = format!(
            "#!/bin/sh\ncase $1 in --version) echo version 1.0; exit;; --parts) {parts}; exit;; esac\n{script}\n"
        );
        let partial = self.path("partial");
        fs::write(&partial, text).unwrap();
        fs::set_permissions(&partial, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&partial, self.path("solver")).unwrap();
    }

    /// Asks one query, as the solver and its description are now.
    fn ask(&self, journal: Journal, change: impl Fn(&mut Query)) -> (Answer, Tally) {
        self.ask_with(&self.log, journal, change)
    }

    fn ask_with(
        &self,
        log: &dyn AnswerLog,
        journal: Journal,
        change: impl Fn(&mut Query),
    ) -> (Answer, Tally) {
        let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
        let file = self.path("echo.toml").display().to_string();
        let resolved = locator.resolve(&Specification::parse(&file).unwrap()).unwrap();
        let script = SmtInput { options: "".into(), logic: None, body: "(check-sat)\n".into(), checks: 1 };
        let mut query = Query::new(resolved.member.id.clone(), Input::Smt(script), Mode::Process);
        change(&mut query);
        let engine = Engine::new(vec![resolved]).unwrap();
        let mut asker = Asker::new(&engine, Some(log), journal);
        let answers = asker.ask_with_outputs(&[query], &|| false).unwrap().unwrap();
        (answers.into_iter().next().unwrap(), asker.take_tally())
    }

    /// How often the solver is run for the usual query.
    fn asked(&self) -> u64 {
        self.ask(Journal::ReadAndWrite, |_| {}).1.asked
    }
}

#[test]
fn another_build_is_asked_anew_and_another_place_is_not() {
    let place = Place::new();
    assert_eq!((place.asked(), place.asked()), (1, 0));
    place.build("echo sat");
    assert_eq!((place.asked(), place.asked()), (1, 0));
    place.build("echo hm");
    assert_eq!(place.asked(), 0, "the first build is known");
    let moved = Place { log: place.log, ..Place::new() };
    assert_eq!(moved.asked(), 0, "the same program and description in another directory");
}

#[test]
fn a_changed_part_makes_another_analyzer() {
    let place = Place::new();
    let before = place.asked();
    fs::create_dir(place.path("plugins")).unwrap();
    let mut asked = vec![before, place.asked()];
    for (name, text) in [("a", "one"), ("a", "another"), ("b", "one")] {
        fs::write(place.path("plugins").join(name), text).unwrap();
        asked.extend([place.asked(), place.asked()]);
    }
    assert_eq!(asked, [1, 0, 1, 0, 1, 0, 1, 0]);
    fs::write(place.path("libparser.so"), "library").unwrap();
    assert_eq!((place.asked(), place.asked()), (1, 0));
}

/// A log in which another worker is always a little faster.
struct Overtaken(MemoryLog);

impl AnswerLog for Overtaken {
    fn get(&self, keys: &[Hash]) -> anyhow::Result<Vec<Option<StoredAnswer>>> {
        self.0.get(keys)
    }

    fn transcripts(&self, keys: &[Hash]) -> anyhow::Result<Vec<Option<Transcript>>> {
        self.0.transcripts(keys)
    }

    fn put(&self, answers: &[(Hash, StoredAnswer)]) -> anyhow::Result<BTreeMap<Hash, StoredAnswer>> {
        let of_another = |(key, stored): &(Hash, StoredAnswer)| {
            let mut stored = stored.clone();
            stored.answer.verdict = Verdict::Unknown;
            (*key, stored)
        };
        self.0.put(&answers.iter().map(of_another).collect::<Vec<_>>())?;
        self.0.put(answers)
    }

    fn replace(&self, answers: &[(Hash, StoredAnswer)]) -> anyhow::Result<()> {
        self.0.replace(answers)
    }

    fn count(&self) -> anyhow::Result<u64> {
        self.0.count()
    }
}

#[test]
fn the_answer_that_was_recorded_first_is_used() {
    let place = Place::new();
    let log = Overtaken(MemoryLog::default());
    let (first, _) = place.ask_with(&log, Journal::ReadAndWrite, |_| {});
    assert_eq!(first.verdict, Verdict::Unknown, "not what this worker heard");
    assert_eq!(first.output, b"hm\n");
    let (again, tally) = place.ask_with(&log, Journal::ReadOnly, |_| {});
    assert_eq!((again.verdict, tally.missing), (Verdict::Unknown, 0));
}

#[test]
fn everything_that_reaches_the_analyzer_counts() {
    let place = Place::new();
    assert_eq!(place.asked(), 1);
    let changes: [fn(&mut Query); 6] = [
        |query| query.attempt = 1,
        |query| query.fresh = true,
        |query| query.limits = Limits { wall_milliseconds: 9_000, ..query.limits },
        |query| query.limits = Limits { memory_megabytes: 1024, ..query.limits },
        |query| {
            let script = SmtInput { options: "".into(), logic: None, body: "(exit)\n".into(), checks: 1 };
            query.input = Input::Smt(script);
        },
        |query| {
            let logic = Some("QF_BV".into());
            query.input =
                Input::Smt(SmtInput { options: "".into(), logic, body: "(exit)\n".into(), checks: 1 });
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert_eq!(place.ask(Journal::ReadAndWrite, change).1.asked, 1, "change {number}");
        assert_eq!(place.ask(Journal::ReadAndWrite, change).1.asked, 0, "change {number}");
    }
    // Another argument is another request.
    let text = fs::read_to_string(place.path("echo.toml")).unwrap();
    fs::write(place.path("echo.toml"), text.replace("[\"{file}\"]", "[\"-v\", \"{file}\"]")).unwrap();
    assert_eq!(place.asked(), 1);
}

#[test]
fn another_reader_reads_the_transcript_again_and_runs_nothing() {
    let place = Place::new();
    let (answer, _) = place.ask(Journal::ReadAndWrite, |_| {});
    assert!(matches!(answer.verdict, Verdict::Unreadable(_)), "{answer:?}");
    assert_eq!(answer.output, b"hm\n");
    place.describe("rejections = ['^hm']");
    let (answer, tally) = place.ask(Journal::ReadAndWrite, |_| {});
    assert_eq!(answer.verdict, Verdict::Rejected("hm".to_owned()));
    assert_eq!(answer.output, b"hm\n", "the output comes from the transcript");
    assert_eq!((tally.asked, tally.recalled, tally.reread, tally.changed), (0, 1, 1, 1));
    let (answer, tally) = place.ask(Journal::ReadAndWrite, |_| {});
    assert_eq!(answer.verdict, Verdict::Rejected("hm".to_owned()));
    assert_eq!(tally.reread, 0, "the new verdict is recorded");
    let (_, tally) = place.ask(Journal::ReadOnly, |_| {});
    assert_eq!((tally.recalled, tally.reread), (1, 0));
    let (_, tally) = place.ask(Journal::Reread, |_| {});
    assert_eq!((tally.recalled, tally.reread, tally.changed), (1, 1, 0), "read again whatever the reader");
}

#[test]
fn a_truncated_transcript_keeps_its_verdict() {
    let place = Place::new();
    place.build("head -c 300000 /dev/zero | tr '\\0' x");
    let (first, _) = place.ask(Journal::ReadAndWrite, |_| {});
    place.describe("rejections = ['^x+']");
    let (answer, tally) = place.ask(Journal::ReadAndWrite, |_| {});
    assert_eq!(answer.verdict, first.verdict);
    assert_eq!((tally.asked, tally.reread, tally.not_rereadable), (0, 0, 1));
}

#[test]
fn reading_only_runs_nothing() {
    let place = Place::new();
    for journal in [Journal::ReadOnly, Journal::Reread] {
        let (answer, tally) = place.ask(journal, |_| {});
        assert_eq!(answer.verdict, Verdict::Unreadable("no answer is recorded".to_owned()));
        assert_eq!((tally.asked, tally.missing), (0, 1));
    }
}
