//! Campaigns that do not go smoothly: stopped in the middle of a step, failing inside a case, with lost seeds, and
//! with bugs that are merged later.
//!
//! The technique here exists for these tests alone. It accuses an honest solver of answering `unsat`, so every
//! contradictory script is an exhibit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, and one is about panics")]

use campaign::{Budget, Campaign, Event, Progress, Stop, Watcher, hunt, judge};
use engine::{Asker, Engine, Journal, Locator, SeedFiles, Specification};
use findings::{ReduceBudget, directory_name, reduce, report_json, report_markdown};
use model::{
    AnalyzerId, Answer, Evidence, Exhibit, Finding, Input, Kind, Language, Lineup, Mode, Query, Relation,
    RelationData, SettingError, Settings, SmtInput, SmtStatus, Weighed,
};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use store::{AnswerLog, SkipReason, Store};
use techniques::{
    Case, Hearing, Judge, Judgement, Notes, Opening, Pass, Patch, ScriptPatch, Seeds, Stance, Step,
    Technique, Trials, every_query,
};

/// What a case does in a round, given the name of its seed and the analyzer to ask.
type Round = dyn Fn(&str, usize, &AnalyzerId) -> (Vec<Exhibit>, Step) + Send + Sync;

/// The assertions of an exhibit; the third and the sixth contradict each other.
const ASSERTIONS: &[&str] =
    &["q", "r", "p", "(or q r)", "(= q r)", "(not p)", "(or p q)", "(=> q r)", "true"];

struct Trouble {
    round: Arc<Round>,
    /// Called whenever an exhibit is judged.
    judging: Arc<dyn Fn() + Send + Sync>,
    /// True if all its exhibits have the same sample key.
    is_sampled: bool,
}

struct Walk {
    round: Arc<Round>,
    is_sampled: bool,
    seed: String,
    subject: AnalyzerId,
    rounds: usize,
}

fn query(subject: &AnalyzerId, assertions: &[&str]) -> Query {
    let mut body = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(declare-fun r () Bool)\n".to_owned();
    assertions.iter().for_each(|assertion| body.push_str(&format!("(assert {assertion})\n")));
    body.push_str("(check-sat)\n");
    let input = SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 };
    Query::new(subject.clone(), Input::Smt(input), Mode::Process)
}

/// No script is unsatisfiable. The features are those of the reduced exhibit.
#[derive(Serialize, Deserialize)]
struct NotUnsat {
    features: String,
}

impl RelationData for NotUnsat {
    const SCHEMA: u32 = 1;
}

fn exhibit(subject: &AnalyzerId, features: &str) -> Exhibit {
    Exhibit {
        technique: "trouble".to_owned(),
        kind: Kind::Soundness,
        title: "unsat".to_owned(),
        queries: vec![query(subject, ASSERTIONS)],
        relation: Relation::of(&NotUnsat { features: features.to_owned() }),
        sample_key: None,
    }
}

fn assertions_of(exhibit: &Exhibit) -> Vec<&'static str> {
    let input = exhibit.queries[0].input.smt().unwrap();
    let texts = input.body.lines().filter_map(|line| line.strip_prefix("(assert ")?.strip_suffix(')'));
    texts.filter_map(|text| ASSERTIONS.iter().copied().find(|assertion| *assertion == text)).collect()
}

impl Case for Walk {
    fn next(&mut self, _answers: &[Answer], notes: &mut Notes) -> Step {
        let (exhibits, step) = (self.round)(&self.seed, self.rounds, &self.subject);
        let sample_key = self.is_sampled.then(|| "trouble".to_owned());
        let sampled = |exhibit| Exhibit { sample_key: sample_key.clone(), ..exhibit };
        notes.exhibits = exhibits.into_iter().map(sampled).collect();
        self.rounds += 1;
        step
    }
}

impl Trouble {
    /// The technique. What it captures is never freed, since techniques are static.
    fn technique(&self) -> Technique {
        let (round, judging, is_sampled) =
            (Arc::clone(&self.round), Arc::clone(&self.judging), self.is_sampled);
        Technique {
            name: "trouble",
            language: Language::SMT,
            seed_language: Language::SMT,
            manual: "No script is unsatisfiable.",
            knobs: &[],
            seeds: Seeds::Given,
            cases_in_a_row: 1,
            least_subjects: 1,
            shares: &[],
            stance: |_| Stance::SubjectAndWitness,
            open: Box::leak(Box::new(move |opening: Opening<'_>| -> Result<Box<dyn Case>, SettingError> {
                Ok(Box::new(Walk {
                    round: Arc::clone(&round),
                    is_sampled,
                    seed: opening.seed.name.to_string(),
                    subject: opening.lineup.subjects[0].id.clone(),
                    rounds: 0,
                }))
            })),
            judge: Judge {
                reads: Relation::is::<NotUnsat>,
                judge: Box::leak(Box::new(move |_: &Exhibit, answers: &[Answer]| {
                    judging();
                    let first = answers[0].smt_checks().first();
                    Judgement::on_all(first.is_some_and(|check| check.status == SmtStatus::Unsat))
                })),
                deciding_prefix: every_query,
                hearing: |exhibit, _, _| vec![exhibit.queries[0].fresh(9)],
                weigh,
                features: |reduced, _| {
                    let relation: NotUnsat = reduced.relation.read().unwrap();
                    relation.features.split_whitespace().map(str::to_owned).collect()
                },
            },
            passes: &[&DropAssertions],
            with_text: None,
            trials: Trials { twin: None, liars: &[] },
        }
    }
}

fn weigh(_: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let evidence = if hearing.asked.is_empty() { Evidence::Suspicion } else { Evidence::Contradiction };
    Weighed { kind: None, evidence, reasons: vec!["It says unsat.".to_owned()], files: Vec::new() }
}

struct DropAssertions;

impl Pass for DropAssertions {
    fn name(&self) -> &'static str {
        "assertions"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let positions = 0..assertions_of(exhibit).len();
        positions.map(|position| Patch::Script(ScriptPatch::DropCommand(position))).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let is_kept = |position| !patches.contains(&Patch::Script(ScriptPatch::DropCommand(position)));
        let assertions = assertions_of(exhibit).into_iter().enumerate();
        let kept: Vec<&str> =
            assertions.filter(|(position, _)| is_kept(*position)).map(|(_, it)| it).collect();
        let queries = vec![query(&exhibit.queries[0].analyzer, &kept)];
        Some(Exhibit { queries, ..exhibit.clone() })
    }
}

impl Trouble {
    fn new(
        round: impl Fn(&str, usize, &AnalyzerId) -> (Vec<Exhibit>, Step) + Send + Sync + 'static,
    ) -> Trouble {
        Trouble { round: Arc::new(round), judging: Arc::new(|| {}), is_sampled: false }
    }

    /// A case asks one harmless query and produces one exhibit.
    fn one_exhibit() -> Trouble {
        Trouble::new(|_, round, subject| match round {
            0 => (Vec::new(), Step::Ask(vec![query(subject, &["p"])])),
            _ => (vec![exhibit(subject, "and")], Step::Done),
        })
    }
}

struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

fn engine() -> (Engine, Lineup) {
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let subject = locator.resolve(&Specification::parse("liar-smt:lie=none").unwrap()).unwrap();
    let lineup = Lineup { subjects: vec![subject.member.clone()], witnesses: Vec::new() };
    (Engine::new(vec![subject]).unwrap(), lineup)
}

/// Creates the campaign of a test and does something with it. There are as many cases as seeds.
fn with_campaign<T>(
    directory: &Path,
    technique: &Trouble,
    seeds: &SeedFiles,
    stop: &AtomicBool,
    action: impl FnOnce(&Campaign<'_>) -> T,
) -> T {
    let (engine, lineup) = engine();
    let store = match Store::open(directory) {
        Ok(store) => store,
        Err(_) => Store::create(directory, "made by a test").unwrap(),
    };
    action(&Campaign {
        engine: &engine,
        store: &store,
        techniques: vec![&technique.technique()],
        lineup: &lineup,
        seeds,
        settings: &Settings::default(),
        random_seed: 1,
        jobs: 1,
        reduce_candidates: 1000,
        stop: Stop { requested: stop, budget: Budget::starting_now(None, Some(seeds.count() as u64)) },
        watcher: &Silent,
    })
}

fn run(directory: &Path, technique: &Trouble, seeds: &SeedFiles, stop: &AtomicBool) -> Progress {
    with_campaign(directory, technique, seeds, stop, |campaign| hunt(campaign).unwrap())
}

/// Runs a campaign to its end.
fn run_on(directory: &Path, technique: &Trouble, seeds: &SeedFiles) -> Progress {
    run(directory, technique, seeds, &AtomicBool::new(false))
}

fn one_seed() -> SeedFiles {
    SeedFiles::shipped(&[(Language::SMT, &[("a", "nothing")])])
}

fn findings_in(directory: &Path) -> Vec<Finding> {
    Store::open_for_reading(directory).unwrap().ledger.findings().unwrap()
}

#[test]
fn the_asker_looks_before_every_query() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::create(&home.path().join("out"), "made by a test").unwrap();
    let (engine, lineup) = engine();
    let subject = &lineup.subjects[0].id;
    let queries: Vec<Query> = (0..10).map(|attempt| query(subject, &["p"]).fresh(attempt)).collect();
    let mut asker = Asker::new(&engine, Some(&*store.answers), Journal::ReadAndWrite);
    let looks = AtomicU64::new(0);
    let stop = || looks.fetch_add(1, Ordering::SeqCst) >= 3;
    assert!(asker.ask_until(&queries, &stop).unwrap().is_none());
    assert_eq!(store.answers.count().unwrap(), 3, "answers are on disk");
    assert_eq!(asker.ask_until(&queries, &|| false).unwrap().unwrap().len(), 10);
    assert_eq!(asker.take_tally().asked, 10, "and are not asked for again");
}

#[test]
fn the_same_question_is_asked_once() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::create(&home.path().join("out"), "made by a test").unwrap();
    let (engine, lineup) = engine();
    let queries = vec![query(&lineup.subjects[0].id, &["p"]); 3];
    let log: &dyn AnswerLog = &*store.answers;
    for (log, journal, asked) in [
        (None, Journal::ReadAndWrite, 3),
        (Some(log), Journal::Off, 3),
        (Some(log), Journal::ReadAndWrite, 1),
    ] {
        let mut asker = Asker::new(&engine, log, journal);
        assert_eq!(asker.ask(&queries).unwrap().len(), 3);
        assert_eq!(asker.take_tally().asked, asked, "{journal:?}");
    }
    assert_eq!(store.answers.count().unwrap(), 1);
}

#[test]
fn a_step_is_broken_off_and_repeated_later() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let stop = Arc::new(AtomicBool::new(false));
    let stopper = Arc::clone(&stop);
    let technique = Trouble::new(move |_, round, subject| match round {
        0 => {
            stopper.store(true, Ordering::SeqCst);
            let ask = |attempt| query(subject, &["p"]).fresh(attempt);
            (Vec::new(), Step::Ask((0..100).map(ask).collect()))
        }
        _ => (Vec::new(), Step::Done),
    });
    let progress = run(&out, &technique, &one_seed(), &stop);
    assert_eq!((progress.tally.asked, progress.cases, progress.broken_off), (0, 0, 1));
    let resumed = run_on(&out, &technique, &one_seed());
    assert_eq!((resumed.tally.asked, resumed.cases, resumed.broken_off), (100, 1, 0));
    assert_eq!((resumed.cases_before, resumed.answers_before, resumed.answers), (0, 0, 100));
}

/// Each judgement comes after one query; whichever of them is the last before the stop, nothing is asked after it.
fn break_examinations_off(is_sampled: bool) {
    let home = tempfile::tempdir().unwrap();
    let undisturbed = home.path().join("undisturbed");
    let whole = run_on(&undisturbed, &Trouble { is_sampled, ..Trouble::one_exhibit() }, &one_seed());
    let expected = findings_in(&undisturbed);
    assert_eq!(assertions_of(&expected[0].reduced), ["p", "(not p)"]);
    // The first query is the walk's, the last the witness's; between them each is followed by a judgement.
    for last in 1..whole.tally.asked + whole.tally.recalled - 1 {
        let out = home.path().join(format!("stopped-{last}"));
        let stop = Arc::new(AtomicBool::new(false));
        let (stopper, judged) = (Arc::clone(&stop), AtomicU64::new(0));
        let judging = move || {
            if judged.fetch_add(1, Ordering::SeqCst) + 1 == last {
                stopper.store(true, Ordering::SeqCst);
            }
        };
        let technique = Trouble { judging: Arc::new(judging), is_sampled, ..Trouble::one_exhibit() };
        let progress = run(&out, &technique, &one_seed(), &stop);
        let answered = progress.tally.asked + progress.tally.recalled;
        assert_eq!(answered, last + 1, "stopped in judgement {last}");
        assert_eq!((progress.cases, progress.broken_off, progress.fleeting), (0, 1, 0));
        // Two judgements confirm the exhibit; from then on there is a finding, but no witness was asked about it.
        let shown = findings_in(&out);
        assert_eq!(shown.len(), usize::from(last >= 2), "stopped in judgement {last}");
        assert!(shown.iter().all(|finding| finding.weighed.evidence == Evidence::Suspicion));
        let store = Store::open(&out).unwrap();
        assert!(shown.iter().all(|finding| !store.ledger.is_settled(finding).unwrap()));
        drop(store);
        run_on(&out, &Trouble { is_sampled, ..Trouble::one_exhibit() }, &one_seed());
        let found = findings_in(&out);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].reduced, expected[0].reduced, "stopped in judgement {last}");
        assert_eq!(found[0].weighed, expected[0].weighed, "stopped in judgement {last}");
    }
}

#[test]
fn examinations_are_broken_off_and_repeated_later() {
    break_examinations_off(false);
}

#[test]
fn examinations_of_routine_exhibits_are_broken_off_and_repeated_later() {
    break_examinations_off(true);
}

fn many_seeds() -> SeedFiles {
    const NAMES: &[(&str, &str)] =
        &[("a", ""), ("b", ""), ("c", ""), ("d", ""), ("e", ""), ("f", ""), ("g", ""), ("h", "")];
    SeedFiles::shipped(&[(Language::SMT, NAMES)])
}

#[test]
fn the_first_routine_exhibits_are_examined_whoever_walks_faster() {
    let home = tempfile::tempdir().unwrap();
    for jobs in [1, 3] {
        let out = home.path().join(jobs.to_string());
        let technique = Trouble { is_sampled: true, ..Trouble::one_exhibit() };
        let progress = with_campaign(&out, &technique, &many_seeds(), &AtomicBool::new(false), |campaign| {
            let technique = technique.technique();
            hunt(&Campaign { jobs, techniques: vec![&technique], watcher: &Silent, ..*campaign }).unwrap()
        });
        let cases: Vec<u64> = findings_in(&out).iter().map(|finding| finding.case_number).collect();
        assert_eq!((cases, progress.not_examined, progress.cases), (vec![0, 1, 2], 5, 8), "{jobs} at once");
        assert_eq!(progress.walks.not_examined, 5);
        // Another run continues from there.
        assert_eq!(run_on(&out, &technique, &many_seeds()).cases, 8);
        assert_eq!(findings_in(&out).len(), 3);
    }
}

#[test]
fn a_fault_of_ours_in_a_routine_examination_is_not_the_end() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let judged = AtomicU64::new(0);
    let judging = move || {
        assert!(
            judged.fetch_add(1, Ordering::SeqCst) > 0,
            "this test fails inside an examination on purpose"
        );
    };
    let technique = Trouble { judging: Arc::new(judging), is_sampled: true, ..Trouble::one_exhibit() };
    let progress = run_on(&out, &technique, &many_seeds());
    assert_eq!(progress.skip_examples[&SkipReason::OwnFault], "a (case 0)");
    let cases: Vec<u64> = findings_in(&out).iter().map(|finding| finding.case_number).collect();
    assert_eq!(cases, [1, 2]);
}

#[test]
fn what_was_found_before_a_fault_of_ours_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let technique = Trouble::new(|seed, round, subject| match (seed, round) {
        ("a", 1) => panic!("this test fails inside a case on purpose"),
        _ => (
            vec![exhibit(subject, "and")],
            if round == 0 { Step::Ask(vec![query(subject, &["p"])]) } else { Step::Done },
        ),
    });
    let seeds = SeedFiles::shipped(&[(Language::SMT, &[("a", "nothing"), ("b", "nothing")])]);
    let progress = run_on(&out, &technique, &seeds);
    assert_eq!(progress.skipped.get(&SkipReason::OwnFault), Some(&1));
    assert_eq!(progress.skip_examples[&SkipReason::OwnFault], "a (case 0)");
    let cases: Vec<u64> = findings_in(&out).iter().map(|finding| finding.case_number).collect();
    assert_eq!(cases, [0, 1, 1]);
    // The case that failed is not walked again.
    let judge_it = |technique: &Trouble| {
        with_campaign(&out, technique, &seeds, &AtomicBool::new(false), |it| {
            judge(it, Journal::ReadOnly).unwrap()
        })
    };
    let judged = judge_it(&technique);
    assert_eq!((judged.cases, judged.skipped, judged.incomplete), (1, 1, 0));
    assert_eq!(judged.upheld, [1, 2, 3]);
    // A failure that only judging meets does not end the judging.
    let faulty = Trouble::new(|_, _, _| panic!("this test fails while judging on purpose"));
    let judged = judge_it(&faulty);
    assert_eq!((judged.cases, judged.skipped, judged.incomplete), (1, 1, 1));
    assert_eq!(judged.upheld, [1, 2, 3]);
    let judging = Arc::new(|| panic!("this test fails while judging a finding on purpose"));
    let judged = judge_it(&Trouble { judging, ..technique });
    assert_eq!((judged.incomplete, judged.undecided), (0, vec![1, 2, 3]));
}

#[test]
fn findings_of_another_version_are_not_judged() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let seeds = SeedFiles::shipped(&[(Language::SMT, &[("a", "nothing")])]);
    let technique = Trouble::one_exhibit();
    run_on(&out, &technique, &seeds);
    let judged = with_campaign(&out, &technique, &seeds, &AtomicBool::new(false), |campaign| {
        let mut newer = technique.technique();
        newer.judge.reads = |_| false;
        let newer: &'static Technique = Box::leak(Box::new(newer));
        judge(&Campaign { techniques: vec![newer], ..*campaign }, Journal::ReadOnly)
    });
    let judged = judged.unwrap();
    assert_eq!((judged.unjudgeable, judged.upheld, judged.undecided), (vec![1], vec![], vec![]));
}

#[test]
fn a_campaign_keeps_the_seeds_that_it_has_read() {
    let home = tempfile::tempdir().unwrap();
    let (out, directory) = (home.path().join("out"), home.path().join("seeds"));
    fs::create_dir(&directory).unwrap();
    for name in ["a.smt2", "b.smt2", "c.smt2"] {
        fs::write(directory.join(name), name).unwrap();
    }
    let seeds = SeedFiles::find(std::slice::from_ref(&directory), &[Language::SMT]).unwrap();
    let technique = Trouble::one_exhibit();
    run_on(&out, &technique, &seeds);
    fs::write(directory.join("b.smt2"), "other").unwrap();
    let stop = AtomicBool::new(false);
    let resumed = with_campaign(&out, &technique, &seeds, &stop, |campaign| {
        let stop = Stop { budget: Budget::starting_now(None, Some(6)), ..campaign.stop };
        hunt(&Campaign { stop, techniques: campaign.techniques.clone(), ..*campaign }).unwrap()
    });
    assert_eq!((resumed.cases, resumed.cases_before), (6, 3));
    assert!(resumed.skipped.is_empty(), "{:?}", resumed.skipped);
    fs::remove_file(directory.join("c.smt2")).unwrap();
    let judged = with_campaign(&out, &technique, &seeds, &stop, |campaign| {
        judge(campaign, Journal::ReadOnly).unwrap()
    });
    assert_eq!((judged.cases, judged.skipped, judged.incomplete), (6, 0, 0));
}

#[test]
fn bugs_that_turn_out_to_be_one_take_their_findings_along() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let technique = Trouble::new(|seed, _, subject| {
        let features = match seed {
            "a" => "xor distinct",
            "b" => "xor let",
            "c" => "xor",
            _ => "concat",
        };
        (vec![exhibit(subject, features)], Step::Done)
    });
    let seeds = SeedFiles::shipped(&[(Language::SMT, &[("a", "-"), ("b", "-"), ("c", "-"), ("d", "-")])]);
    assert_eq!(run_on(&out, &technique, &seeds).bugs, 2);
    let one = ("B1", "liar-smt|wrong answer|xor");
    let other = ("B3", "liar-smt|wrong answer|concat");
    for (finding, (bug, fingerprint)) in findings_in(&out).iter().zip([one, one, one, other]) {
        let path = out.join("findings").join(directory_name(finding)).join("finding.json");
        let on_disk: Finding = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for finding in [finding, &on_disk] {
            assert_eq!(
                (format!("B{}", finding.bug).as_str(), finding.fingerprint.to_string()),
                (bug, fingerprint.to_owned())
            );
        }
    }
    let store = Store::open_for_reading(&out).unwrap();
    let report: serde_json::Value =
        serde_json::from_str(&report_json(&store, techniques::all()).unwrap()).unwrap();
    let bug = &report["bugs"][0];
    for (field, value) in [
        ("bug", "B1".into()),
        ("title", "unsat".into()),
        ("kind", "soundness".into()),
        ("evidence", "contradiction".into()),
        ("features", vec!["xor"].into()),
        ("hits", 3.into()),
        ("findings", 3.into()),
        ("shown-by", serde_json::Value::from("F1")),
    ] {
        assert_eq!(bug[field], value, "{field} of {bug}");
    }
    let markdown = report_markdown(&store, techniques::all()).unwrap();
    for words in [
        "2 bugs in 4 findings; 4 cases and",
        "## B1: unsat (xor)\n",
        "## B3: unsat (concat)\n",
        "### Command\n",
    ] {
        assert!(markdown.contains(words), "`{words}` is missing: {markdown}");
    }
}

#[test]
fn a_reduction_does_not_depend_on_the_number_of_processes() {
    let (engine, lineup) = engine();
    let technique = Trouble::one_exhibit();
    let exhibit = exhibit(&lineup.subjects[0].id, "and");
    let never = || false;
    for candidates in 0..30 {
        let reduced = |jobs: usize| {
            let mut askers: Vec<Asker<'_>> =
                (0..jobs).map(|_| Asker::new(&engine, None, Journal::Off)).collect();
            let budget = ReduceBudget { candidates };
            let reduced = reduce(&mut askers, &technique.technique(), &exhibit, budget, &never).unwrap();
            (assertions_of(&reduced.exhibit), reduced.fully_reduced)
        };
        let one = reduced(1);
        for jobs in [2, 3, 5] {
            assert_eq!(reduced(jobs), one, "{jobs} processes, {candidates} candidates");
        }
    }
}
