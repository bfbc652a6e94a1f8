//! What a campaign directory keeps: across reopening, after a kill, and from other versions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use model::{
    AnalyzerId, Answer, Claim, Cost, Ending, Evidence, Exhibit, Finding, Fingerprint, Hash, Input, KillMode,
    Kind, LimitKind, MeasureMode, Mode, Query, Run, RunRecord, SmtCheck, SmtInput, SmtStatus, Transcript,
    Verdict, Weighed,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use store::{
    AnswerLog, BugRow, CAMPAIGN_FILE, CaseRecord, CaseResults, FORMAT_VERSION, MemoryLog, Store, StoredAnswer,
};
use tempfile::TempDir;

const CAMPAIGN: &str = "made = \"by a test\"\n";

/// A place for campaign directories.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn create(&self, name: &str) -> Store {
        Store::create(&self.path(name), CAMPAIGN).unwrap()
    }

    fn open(&self, name: &str) -> Store {
        Store::open(&self.path(name)).unwrap()
    }
}

fn key(number: u64) -> Hash {
    Hash::of(&number.to_le_bytes())
}

fn answer(verdict: Verdict, output: &str) -> Answer {
    let cost = Cost {
        wall_microseconds: 1500,
        cpu_microseconds: 1200,
        peak_memory_bytes: 1 << 33,
        kill: KillMode::Namespace,
        measure: MeasureMode::CgroupV2,
    };
    Answer { verdict, cost, output: output.as_bytes().to_vec() }
}

fn claim(model: Option<&str>) -> Verdict {
    let sat = SmtCheck { status: SmtStatus::Sat, model: model.map(str::to_owned) };
    let unsat = SmtCheck { status: SmtStatus::Unsat, model: None };
    Verdict::Claim(Claim::Smt(vec![sat, unsat]))
}

fn exhibit(body: &str) -> Exhibit {
    let input = SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 };
    let query = Query::new(AnalyzerId::new("z3", "4.8.12", &[]), Input::Smt(input), Mode::Process);
    Exhibit {
        technique: "satisfiable".to_owned(),
        kind: Kind::Soundness,
        title: "unsat on a satisfiable script".to_owned(),
        queries: vec![query.clone(), query.fresh(1)],
        relation: serde_json::from_str(r#"{"schema": 1, "data": {"relation": "satisfiable"}}"#).unwrap(),
        sample_key: None,
    }
}

fn finding(number: u32, bug: u32, case_number: u64) -> Finding {
    Finding {
        number,
        bug,
        fingerprint: fingerprint(bug),
        case_number,
        seed_name: "seeds/a.smt2".to_owned(),
        exhibit: exhibit(&"(assert true)\n".repeat(1000)),
        reduced: exhibit("(assert true)\n(check-sat)\n"),
        fully_reduced: false,
        answers: vec![Answer { output: Vec::new(), ..answer(claim(None), "") }],
        runs: vec![RunRecord {
            command: vec!["z3".to_owned(), "-in".to_owned()],
            environment: vec![("A".to_owned(), "b".to_owned())],
            stdin: "(check-sat)\n".to_owned(),
            ..RunRecord::default()
        }],
        outputs: vec!["unsat\n".to_owned()],
        weighed: Weighed {
            kind: None,
            evidence: Evidence::Proved,
            reasons: vec!["It is so.".to_owned()],
            files: Vec::new(),
        },
    }
}

fn fingerprint(bug: u32) -> Fingerprint {
    Fingerprint { features: [format!("feature {bug}")].into(), ..Fingerprint::default() }
}

fn bug(number: u32, hits: u64) -> BugRow {
    BugRow { number, fingerprint: fingerprint(number), hits }
}

/// Records a case: settled with a record, or only to be seen.
fn record(store: &Store, number: u64, settled: bool, findings: &[Finding], bugs: &[BugRow]) {
    let record = CaseRecord { seed: Some(key(number)), ..CaseRecord::default() };
    let record = settled.then_some(&record);
    store.ledger.record_results(&CaseResults { number, record, findings, bugs, moved: &[] }).unwrap();
}

/// The message of what must fail, with all its causes.
fn refusal(opened: anyhow::Result<Store>) -> String {
    match opened {
        Ok(store) => panic!("{} was opened", store.directory.path().display()),
        Err(error) => format!("{error:#}"),
    }
}

/// An answer as it is recorded, with what its analyzer printed.
fn stored(verdict: Verdict, printed: &[u8]) -> StoredAnswer {
    let run = Run::new(Ending::Exited(0), printed.to_vec(), b"\xff\x00 no text".to_vec());
    let transcript = (!printed.is_empty()).then(|| Transcript::of(vec![run]));
    StoredAnswer { answer: answer(verdict, ""), reader: key(1000), transcript }
}

fn without_transcript(stored: &StoredAnswer) -> StoredAnswer {
    StoredAnswer { transcript: None, ..stored.clone() }
}

/// The only answer under a key.
fn get(log: &dyn AnswerLog, key: Hash) -> Option<StoredAnswer> {
    log.get(&[key]).unwrap().pop().unwrap()
}

#[test]
fn answers_survive_reopening() {
    let home = Home::new();
    let long = "(define-fun x () Int 1)\n".repeat(1000);
    let answers: Vec<(Hash, StoredAnswer)> = [
        stored(claim(None), b""),
        stored(claim(Some(&long)), long.as_bytes()),
        stored(Verdict::Unknown, b"unknown\n"),
        stored(Verdict::Limit(LimitKind::Memory), b""),
        stored(Verdict::Crash("SIGSEGV".to_owned()), "\u{0} \u{1F600} \"quoted\"\\".as_bytes()),
        stored(Verdict::Rejected("line 1: no".to_owned()), b"\xf0\x28"),
        stored(Verdict::Unreadable("?".to_owned()), b""),
    ]
    .into_iter()
    .enumerate()
    .map(|(number, answer)| (key(number as u64), answer))
    .collect();
    home.create("out").answers.put(&answers).unwrap();
    let store = home.open("out");
    let keys: Vec<Hash> = answers.iter().map(|(key, _)| *key).chain([key(99)]).collect();
    let expected = answers.iter().map(|(_, stored)| Some(without_transcript(stored))).chain([None]);
    assert_eq!(store.answers.get(&keys).unwrap(), expected.collect::<Vec<_>>());
    let expected = answers.iter().map(|(_, stored)| stored.transcript.clone()).chain([None]);
    assert_eq!(store.answers.transcripts(&keys).unwrap(), expected.collect::<Vec<_>>());
    assert_eq!(store.answers.count().unwrap(), answers.len() as u64);
    assert_eq!(store.directory.campaign().unwrap(), CAMPAIGN);
}

#[test]
fn the_first_answer_stays_until_it_is_read_again() {
    let home = Home::new();
    let store = home.create("out");
    let logs: [&dyn AnswerLog; 2] = [&*store.answers, &MemoryLog::default()];
    for log in logs {
        let first = stored(Verdict::Unknown, b"first");
        assert_eq!(log.put(&[(key(1), first.clone())]).unwrap(), [].into());
        let earlier = log.put(&[(key(1), stored(claim(None), b"second"))]).unwrap();
        assert_eq!(earlier, [(key(1), without_transcript(&first))].into());
        assert_eq!(get(log, key(1)), Some(without_transcript(&first)));
        log.replace(&[(key(1), stored(claim(None), b"")), (key(2), stored(claim(None), b""))]).unwrap();
        assert_eq!(get(log, key(1)), Some(stored(claim(None), b"")));
        assert_eq!(get(log, key(2)), None);
        let transcripts = log.transcripts(&[key(1), key(2)]).unwrap();
        let kept = stored(claim(None), b"first").transcript;
        assert_eq!(transcripts, [kept, None], "the transcript stays");
    }
    assert_eq!(store.answers.count().unwrap(), 1);
}

#[test]
fn findings_are_written_read_back_and_changed() {
    let home = Home::new();
    let (first, second) = (finding(1, 1, 0), finding(2, 1, 4));
    let store = home.create("out");
    record(&store, 4, true, std::slice::from_ref(&second), &[bug(1, 1)]);
    record(&store, 0, true, std::slice::from_ref(&first), &[bug(1, 2)]);
    drop(store);
    let store = home.open("out");
    assert_eq!(store.ledger.findings().unwrap(), [first.clone(), second.clone()]);
    assert_eq!(store.ledger.bugs().unwrap(), [bug(1, 2)]);
    let cases = store.ledger.cases().unwrap();
    assert_eq!(cases.keys().copied().collect::<Vec<_>>(), [0, 4]);
    assert_eq!(cases[&4].seed, Some(key(4)));
    let changed = Finding { fully_reduced: true, reduced: exhibit("(check-sat)\n"), ..first };
    store.ledger.replace_finding(&changed).unwrap();
    assert_eq!(store.ledger.findings().unwrap(), [changed, second]);
}

#[test]
fn findings_that_are_not_settled_are_taken_back() {
    let home = Home::new();
    let settled = finding(1, 1, 0);
    let store = home.create("out");
    record(&store, 0, true, std::slice::from_ref(&settled), &[bug(1, 1)]);
    record(&store, 1, false, &[finding(2, 1, 1)], &[bug(1, 2)]);
    record(&store, 3, false, &[finding(3, 2, 3)], &[bug(1, 2), bug(2, 1)]);
    assert_eq!(store.ledger.findings().unwrap().len(), 3, "they are there to be seen");
    for (finding, is_settled) in [(&settled, true), (&finding(2, 1, 1), false), (&finding(3, 2, 3), false)] {
        assert_eq!(store.ledger.is_settled(finding).unwrap(), is_settled, "{}", finding.name());
    }
    drop(store);
    let store = home.open("out");
    for _ in 0..2 {
        store.ledger.remove_provisional().unwrap();
        assert_eq!(store.ledger.findings().unwrap(), std::slice::from_ref(&settled));
        assert_eq!(store.ledger.bugs().unwrap(), [bug(1, 1)]);
        assert_eq!(store.ledger.last_bug_number().unwrap(), 1);
        assert_eq!(store.ledger.cases().unwrap().len(), 1);
    }
}

#[test]
fn findings_follow_their_bug_into_another() {
    let home = Home::new();
    let store = home.create("out");
    record(&store, 0, true, &[finding(1, 1, 0), finding(2, 2, 0)], &[bug(1, 1), bug(2, 1)]);
    let record = CaseRecord::default();
    let bugs = [bug(1, 3)];
    let moved = [finding(2, 1, 0)];
    let results = CaseResults { number: 1, record: Some(&record), findings: &[], bugs: &bugs, moved: &moved };
    store.ledger.record_results(&results).unwrap();
    let numbers: Vec<(u32, u32)> =
        store.ledger.findings().unwrap().iter().map(|finding| (finding.number, finding.bug)).collect();
    assert_eq!(numbers, [(1, 1), (2, 1)]);
    assert_eq!(store.ledger.bugs().unwrap(), bugs);
    assert_eq!(store.ledger.last_bug_number().unwrap(), 2, "no other bug gets the number");
}

#[test]
fn only_directories_of_findings_that_are_no_more_are_removed() {
    let home = Home::new();
    let store = home.create("out");
    for name in ["F0001-z3", "F0002-z3", "Further notes", "notes"] {
        store.directory.write_file(&Path::new("findings").join(name).join("README.md"), b"text").unwrap();
    }
    store.directory.keep_finding_directories(&BTreeSet::from(["F0001-z3".to_owned()])).unwrap();
    for (name, stays) in [("F0001-z3", true), ("F0002-z3", false), ("Further notes", true), ("notes", true)] {
        assert_eq!(home.path("out").join("findings").join(name).exists(), stays, "{name}");
    }
}

#[test]
fn a_directory_of_a_newer_version_is_refused() {
    let home = Home::new();
    home.create("out").answers.put(&[(key(1), stored(Verdict::Unknown, b""))]).unwrap();
    let (newer, known) = (FORMAT_VERSION + 1, format!("this version reads format {FORMAT_VERSION}"));
    for (version, words) in [
        (newer, &["newer juvenal", &format!("format {newer}"), &known, "--out"][..]),
        (0, &["no complete campaign", "--out"]),
    ] {
        set_version(&home.path("out"), version);
        for opened in [Store::open(&home.path("out")), Store::open_for_reading(&home.path("out"))] {
            let message = refusal(opened);
            for word in words {
                assert!(message.contains(word), "`{word}` is missing: {message}");
            }
        }
    }
    // Refusing changes nothing.
    set_version(&home.path("out"), FORMAT_VERSION);
    assert_eq!(home.open("out").answers.count().unwrap(), 1);
}

fn set_version(directory: &Path, version: i64) {
    let connection = rusqlite::Connection::open(directory.join("store.db")).unwrap();
    connection.pragma_update(None, "user_version", version).unwrap();
}

#[test]
fn a_directory_whose_creation_was_killed_is_used_again() {
    let home = Home::new();
    drop(home.create("out"));
    let campaign = home.path("out").join("campaign.toml");
    fs::remove_file(&campaign).unwrap();
    drop(home.create("out"));
    fs::remove_file(&campaign).unwrap();
    fs::write(home.path("out").join("findings").join("notes.txt"), "mine").unwrap();
    let message = refusal(Store::create(&home.path("out"), CAMPAIGN));
    assert!(message.contains("is not empty"), "{message}");
    assert_eq!(fs::read_to_string(home.path("out").join("findings").join("notes.txt")).unwrap(), "mine");
}

#[test]
fn what_is_there_is_neither_overwritten_nor_used_twice() {
    let home = Home::new();
    let store = home.create("out");
    fs::create_dir(home.path("other")).unwrap();
    fs::write(home.path("other").join("notes.txt"), "mine").unwrap();
    let rows = [
        (Store::create(&home.path("out"), CAMPAIGN), "already holds a campaign"),
        (Store::open(&home.path("out")), "in use by another juvenal"),
        (Store::create(&home.path("other"), CAMPAIGN), "is not empty"),
        (Store::open(&home.path("other")), "holds no campaign"),
        (Store::open(&home.path("missing")), "holds no campaign"),
    ];
    for (opened, words) in rows {
        let message = refusal(opened);
        assert!(message.contains(words), "`{words}` is missing: {message}");
    }
    assert!(Store::open_for_reading(&home.path("out")).is_ok(), "it can be read meanwhile");
    drop(store);
    home.open("out");
}

/// A kill leaves the files as they are at some moment, and may leave the last transaction half written.
#[test]
fn a_half_written_last_record_is_dropped_as_a_whole() {
    let home = Home::new();
    let store = home.create("out");
    let batch = |from: u64| -> Vec<(Hash, StoredAnswer)> {
        (from..from + 20).map(|number| (key(number), stored(claim(None), b"sat\nunsat\n"))).collect()
    };
    store.answers.put(&batch(0)).unwrap();
    let whole = fs::read(home.path("out").join("store.db-wal")).unwrap().len();
    store.answers.put(&batch(100)).unwrap();
    let log = fs::read(home.path("out").join("store.db-wal")).unwrap();
    assert!(log.len() > whole, "the second batch is in the log");
    for (number, length) in [whole, whole + 1, whole + 100, log.len() - 1, log.len()].into_iter().enumerate()
    {
        let name = format!("killed-{number}");
        fs::create_dir(home.path(&name)).unwrap();
        for file in [CAMPAIGN_FILE, "store.db"] {
            fs::copy(home.path("out").join(file), home.path(&name).join(file)).unwrap();
        }
        fs::write(home.path(&name).join("store.db-wal"), &log[..length]).unwrap();
        // A file that was not moved to its place is ignored.
        fs::write(home.path(&name).join("campaign.partial"), "made = ").unwrap();
        let killed = home.open(&name);
        let expected = if length == log.len() { 40 } else { 20 };
        assert_eq!(killed.answers.count().unwrap(), expected, "{length} of {} bytes", log.len());
        killed.answers.put(&batch(100)).unwrap();
        drop(killed);
        let again = home.open(&name);
        for (key, answer) in batch(0).iter().chain(&batch(100)) {
            assert_eq!(get(&*again.answers, *key), Some(without_transcript(answer)));
            assert_eq!(again.answers.transcripts(&[*key]).unwrap().pop(), Some(answer.transcript.clone()));
        }
    }
}

#[test]
fn a_missing_file_is_named() {
    for (name, words) in
        [(CAMPAIGN_FILE, "holds no campaign (no campaign.toml)"), ("store.db", "lost its store.db")]
    {
        let home = Home::new();
        drop(home.create("out"));
        fs::remove_file(home.path("out").join(name)).unwrap();
        for opened in [Store::open(&home.path("out")), Store::open_for_reading(&home.path("out"))] {
            let message = refusal(opened);
            assert!(message.contains(words), "`{words}` is missing: {message}");
        }
    }
}

#[test]
fn a_damaged_store_is_an_error_that_says_so() {
    let home = Home::new();
    drop(home.create("out"));
    fs::write(
        home.path("out").join("store.db"),
        "no database at all, but long enough to be looked at".repeat(9),
    )
    .unwrap();
    let message = refusal(Store::open(&home.path("out")));
    assert!(message.contains("is damaged"), "{message}");
}
