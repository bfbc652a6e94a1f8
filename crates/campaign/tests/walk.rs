//! A walk of 2000 dependent rounds with exhibits of two inputs: killed, resumed, judged again and reduced.
//!
//! The technique here exists for these tests alone: an empty scope at the end of a script must not change its answer.
//! The built-in liar forgets an assertion after a pop, so it does.
#![allow(clippy::disallowed_methods, reason = "the test starts itself again to be killed")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use campaign::{Budget, Campaign, CaseOutcome, Event, Hunt, Progress, Stop, Watcher, hunt, hunt_by, judge};
use engine::{Engine, Journal, Locator, SeedFiles, Specification};
use model::{
    Answer, Evidence, Exhibit, Finding, Input, Kind, Language, Lineup, Mode, Query, Random, Relation,
    RelationData, Settings, SmtInput, SmtStatus, Weighed,
};
use schedule::{AsBytes, Job, Worker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use store::Store;
use techniques::{
    Case, Count, Judge, Judgement, Notes, Pass, Patch, ScriptPatch, Seeds, Stance, Step, Technique, Trials,
    every_query,
};

const ROUNDS: usize = 2000;
const DECLARATIONS: &str = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(declare-fun r () Bool)\n";
const LITERALS: [&str; 8] = ["p", "q", "r", "(not p)", "(not q)", "(not r)", "(or p q)", "(xor q r)"];
/// The line that the process prints halfway, before it is killed.
const HALFWAY: &str = "halfway through the walk";
const DIRECTORY_VARIABLE: &str = "JUVENAL_WALK_TEST_DIRECTORY";

struct Walk {
    subject: model::AnalyzerId,
    random: Random,
    kept: Vec<usize>,
    rounds: usize,
    asked: Vec<Query>,
}

fn script(literals: &[usize], scope: bool) -> Input {
    let mut body = DECLARATIONS.to_owned();
    for literal in literals {
        body.push_str(&format!("(assert {})\n", LITERALS[*literal]));
    }
    body.push_str(if scope { "(push 1)\n(pop 1)\n(check-sat)\n" } else { "(check-sat)\n" });
    Input::Smt(SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 })
}

fn literals_of(exhibit: &Exhibit) -> Vec<usize> {
    let input = exhibit.queries[0].input.smt().unwrap();
    let texts = input.body.lines().filter_map(|line| line.strip_prefix("(assert ")?.strip_suffix(')'));
    texts.filter_map(|text| LITERALS.iter().position(|literal| *literal == text)).collect()
}

/// An empty scope does not change the answer.
#[derive(Serialize, Deserialize)]
struct SameAnswer {}

impl RelationData for SameAnswer {
    const SCHEMA: u32 = 1;
}

fn exhibit(queries: Vec<Query>) -> Exhibit {
    Exhibit {
        technique: "empty-scope".to_owned(),
        kind: Kind::Soundness,
        title: "an empty scope changes the answer".to_owned(),
        queries,
        relation: Relation::of(&SameAnswer {}),
        sample_key: None,
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        if let [plain, _] = answers {
            notes.count(Count::new("rounds"));
            if differ(answers) {
                notes.exhibits.push(exhibit(self.asked.clone()));
            }
            // The walk depends on the answers: an unsatisfiable set loses its oldest literals.
            if plain.smt_checks().first().is_some_and(|check| check.status == SmtStatus::Unsat) {
                self.kept.drain(..self.kept.len() / 2 + 1);
            }
        }
        if self.rounds == 0 {
            return Step::Done;
        }
        self.rounds -= 1;
        if self.rounds == ROUNDS / 2 {
            pause_in_victim();
        }
        self.kept.push(self.random.below(LITERALS.len()));
        let ask = |scope| Query::new(self.subject.clone(), script(&self.kept, scope), Mode::Process);
        self.asked = vec![ask(false), ask(true)];
        Step::Ask(self.asked.clone())
    }
}

static EMPTY_SCOPE: Technique = Technique {
    name: "empty-scope",
    language: Language::SMT,
    seed_language: Language::SMT,
    manual: "An empty scope must not change the answer.",
    knobs: &[],
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 1,
    shares: &[],
    stance: |_| Stance::SubjectAndWitness,
    open: &|opening| {
        Ok(Box::new(Walk {
            subject: opening.lineup.subjects[0].id.clone(),
            random: opening.random,
            kept: Vec::new(),
            rounds: ROUNDS,
            asked: Vec::new(),
        }))
    },
    judge: Judge {
        reads: Relation::is::<SameAnswer>,
        judge: &|exhibit, answers| match answers.len() < exhibit.queries.len() {
            true => Judgement::NeedMore,
            false => Judgement::on_all(differ(answers)),
        },
        deciding_prefix: every_query,
        hearing: |_, _, _| Vec::new(),
        weigh: |_, _| Weighed {
            kind: None,
            evidence: Evidence::Contradiction,
            reasons: vec!["It differs.".to_owned()],
            files: Vec::new(),
        },
        features: |_, _| BTreeSet::from(["empty scope".to_owned()]),
    },
    passes: &[&DropLiterals],
    with_text: None,
    trials: Trials { twin: None, liars: &[] },
};

fn differ(answers: &[Answer]) -> bool {
    let words: Vec<SmtStatus> =
        answers.iter().filter_map(|answer| Some(answer.smt_checks().first()?.status)).collect();
    matches!(words.as_slice(), [SmtStatus::Unsat, SmtStatus::Sat] | [SmtStatus::Sat, SmtStatus::Unsat])
}

struct DropLiterals;

impl Pass for DropLiterals {
    fn name(&self) -> &'static str {
        "literals"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let positions = 0..literals_of(exhibit).len();
        positions.map(|position| Patch::Script(ScriptPatch::DropCommand(position))).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let is_kept = |position| !patches.contains(&Patch::Script(ScriptPatch::DropCommand(position)));
        let literals = literals_of(exhibit).into_iter().enumerate();
        let kept: Vec<usize> =
            literals.filter(|(position, _)| is_kept(*position)).map(|(_, it)| it).collect();
        let mut smaller = exhibit.clone();
        smaller.queries[0].input = script(&kept, false);
        smaller.queries[1].input = script(&kept, true);
        Some(smaller)
    }
}

struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

/// Creates the campaign of these tests and does something with it.
fn with_campaign<T>(directory: &Path, jobs: usize, cases: u64, action: impl FnOnce(&Campaign<'_>) -> T) -> T {
    let store = match Store::open(directory) {
        Ok(store) => store,
        Err(_) => Store::create(directory, "made by a test").unwrap(),
    };
    with_store(&store, jobs, cases, action)
}

fn with_store<T>(store: &Store, jobs: usize, cases: u64, action: impl FnOnce(&Campaign<'_>) -> T) -> T {
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let subject = locator.resolve(&Specification::parse("liar-smt:lie=pop").unwrap()).unwrap();
    let lineup = Lineup { subjects: vec![subject.member.clone()], witnesses: Vec::new() };
    let engine = Engine::new(vec![subject]).unwrap();
    let campaign = Campaign {
        engine: &engine,
        store,
        techniques: vec![&EMPTY_SCOPE],
        lineup: &lineup,
        seeds: &SeedFiles::shipped(&[(Language::SMT, &[("nothing", "nothing")])]),
        settings: &Settings::default(),
        random_seed: 1,
        jobs,
        reduce_candidates: 1000,
        stop: Stop { requested: &AtomicBool::new(false), budget: Budget::starting_now(None, Some(cases)) },
        watcher: &Silent,
    };
    action(&campaign)
}

fn run(directory: &Path, jobs: usize, cases: u64) -> Progress {
    with_campaign(directory, jobs, cases, |campaign| hunt(campaign).unwrap())
}

/// Everything that must not depend on workers and interruptions: all but times.
fn results(directory: &Path) -> Vec<(u32, u32, u64, Exhibit, Exhibit, bool)> {
    let store = Store::open_for_reading(directory).unwrap();
    let row = |it: Finding| (it.number, it.bug, it.case_number, it.exhibit, it.reduced, it.fully_reduced);
    store.ledger.findings().unwrap().into_iter().map(row).collect()
}

#[test]
fn a_walk_is_killed_resumed_judged_and_reduced() {
    if let Ok(directory) = std::env::var(DIRECTORY_VARIABLE) {
        run(Path::new(&directory), 1, 1);
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let undisturbed = home.path().join("undisturbed");
    let progress = run(&undisturbed, 1, 1);
    assert_eq!(progress.counts.get("rounds"), Some(&(ROUNDS as u64)));
    let expected = results(&undisturbed);
    assert!(!expected.is_empty(), "the liar was not caught");

    let killed = kill_in_mid_walk(home.path());
    let before = Store::open_for_reading(&killed).unwrap().answers.count().unwrap();
    let resumed = run(&killed, 1, 1);
    assert_eq!(results(&killed), expected);
    assert!(
        resumed.tally.recalled >= before / 2,
        "{} of {before} answers were used again",
        resumed.tally.recalled
    );

    let judged = with_campaign(&killed, 1, 1, |campaign| judge(campaign, Journal::ReadOnly).unwrap());
    assert_eq!((judged.cases, judged.incomplete), (1, 0));
    assert_eq!(judged.upheld.len(), expected.len());
    assert!(judged.overturned.is_empty() && judged.undecided.is_empty(), "{judged:?}");

    for (_, _, _, found, reduced, fully_reduced) in &expected {
        assert!(literals_of(reduced).len() <= 2 && literals_of(reduced).len() <= literals_of(found).len());
        assert!(fully_reduced);
    }
}

/// Runs the walk in a process of its own and kills it with SIGKILL halfway.
fn kill_in_mid_walk(home: &Path) -> PathBuf {
    let directory = home.join("killed");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_walk_is_killed_resumed_judged_and_reduced"])
        .env(DIRECTORY_VARIABLE, &directory)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains(HALFWAY)), "the walk was over before it could be killed");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        Store::open_for_reading(&directory).unwrap().ledger.cases().unwrap().len(),
        0,
        "no case has ended"
    );
    directory
}

/// Waits for SIGKILL in the process that `kill_in_mid_walk` starts, and does nothing in others.
fn pause_in_victim() {
    if std::env::var_os(DIRECTORY_VARIABLE).is_some() {
        // The test harness captures what `println!` prints, but not this.
        std::io::stdout().write_all(HALFWAY.as_bytes()).unwrap();
        std::io::stdout().write_all(b"\n").unwrap();
        loop {
            std::thread::park();
        }
    }
}

#[test]
fn the_number_of_workers_does_not_matter() {
    let home = tempfile::tempdir().unwrap();
    let (one, three) = (home.path().join("one"), home.path().join("three"));
    run(&one, 1, 6);
    run(&three, 3, 6);
    assert_eq!(results(&one), results(&three));
}

/// A hunt whose units could run on other machines: every unit opens the store again, with an engine of its own, and its
/// outcome is sent as bytes.
struct Elsewhere<'a> {
    directory: &'a Path,
    cases: u64,
}

impl Elsewhere<'_> {
    fn outcome(&self, unit: u64, unfinished: Option<CaseOutcome>) -> anyhow::Result<CaseOutcome> {
        let store = Store::join(self.directory)?;
        let result = with_store(&store, 1, self.cases, |campaign| {
            let pool = campaign.pool(Journal::ReadAndWrite);
            pool.run_unit(&AsBytes(Hunt::new(campaign)), unit, unfinished)
        });
        Ok(result?.outcome)
    }
}

impl Job for Elsewhere<'_> {
    type Outcome = CaseOutcome;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> anyhow::Result<CaseOutcome> {
        self.outcome(unit, None)
    }

    fn finish(
        &self,
        unit: u64,
        outcome: CaseOutcome,
        _worker: &mut Worker<'_>,
    ) -> anyhow::Result<CaseOutcome> {
        self.outcome(unit, Some(outcome))
    }
}

#[test]
fn units_need_nothing_but_the_store_and_their_number() {
    let home = tempfile::tempdir().unwrap();
    let (here, elsewhere) = (home.path().join("here"), home.path().join("elsewhere"));
    run(&here, 2, 4);
    with_campaign(&elsewhere, 2, 4, |campaign| {
        hunt_by(campaign, &Elsewhere { directory: &elsewhere, cases: 4 }).unwrap()
    });
    assert_eq!(results(&here), results(&elsewhere));
}
