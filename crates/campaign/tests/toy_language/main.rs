//! A language from outside the tree: its parser, evaluator, generator, technique and analyzer are all in this directory,
//! and juvenal's own engine hunts it.
//!
//! The analyzer is a shell script. It is honest, or it lies about `|`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod formula;
mod technique;

use campaign::{Budget, Campaign, Progress, Silent, Stop, hunt, judge};
use engine::{Engine, Journal, Locator, SeedFiles, Specification};
use findings::directory_name;
use formula::FORMULAS;
use model::{Finding, Language, Lineup, Settings};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::AtomicBool;
use store::Store;
use technique::{FORMULAS_IN_A_CASE, TECHNIQUE, formula_of};
use techniques::Trial;
use techniques::conformance::defects;

/// Enough to reduce any formula that the generator makes.
const CANDIDATES: usize = 5000;

/// Adds the language to this process, as a program with languages of its own does when it starts.
fn add_language() {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| Language::add(vec![FORMULAS]).unwrap());
}

/// The seeds of a campaign whose technique makes its own.
fn no_seeds() -> SeedFiles {
    SeedFiles::shipped(&[(FORMULAS, &[("unused", "")])])
}

/// Hunts with one analyzer, then judges the recorded answers again.
fn run(home: &Path, trial: &Trial, seeds: &SeedFiles) -> (Progress, Vec<Finding>) {
    add_language();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy_language");
    let specification = format!("{}/{}", directory.display(), trial.subjects[0]);
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let subject = locator.resolve(&Specification::parse(&specification).unwrap()).unwrap();
    let lineup = Lineup { subjects: vec![subject.member.clone()], witnesses: Vec::new() };
    let engine = Engine::new(vec![subject]).unwrap();
    let store = Store::create(home, "made by a test").unwrap();
    let campaign = Campaign {
        engine: &engine,
        store: &store,
        techniques: vec![&TECHNIQUE],
        lineup: &lineup,
        seeds,
        settings: &Settings::default(),
        random_seed: trial.random_seed,
        jobs: 2,
        reduce_candidates: CANDIDATES,
        stop: Stop {
            requested: &AtomicBool::new(false),
            budget: Budget::starting_now(None, Some(trial.cases)),
        },
        watcher: &Silent,
    };
    let progress = hunt(&campaign).unwrap();
    let judged = judge(&campaign, Journal::ReadOnly).unwrap();
    let findings = store.ledger.findings().unwrap();
    assert_eq!((judged.incomplete, judged.upheld.len()), (0, findings.len()));
    (progress, findings)
}

#[test]
fn the_technique_has_everything_that_a_technique_must_have() {
    assert_eq!(defects(&TECHNIQUE), Vec::<String>::new());
}

#[test]
fn an_honest_analyzer_is_not_accused() {
    let home = tempfile::tempdir().unwrap();
    let trial = TECHNIQUE.trials.twin.unwrap();
    let (progress, findings) = run(&home.path().join("out"), &trial, &no_seeds());
    assert_eq!(progress.walks.claims, FORMULAS_IN_A_CASE as u64 * trial.cases);
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_liar_is_caught_reduced_grouped_and_reported() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let (_, findings) = run(&out, &TECHNIQUE.trials.liars[0], &no_seeds());
    assert!(!findings.is_empty());
    for finding in &findings {
        // Nothing smaller tells `|` from `&`.
        let formula = formula_of(&finding.reduced.queries[0]).unwrap().to_string();
        let smallest = match finding.exhibit.title.starts_with("unsat") {
            true => ["0 | 1", "1 | 0"],
            false => ["!(0 | 1)", "!(1 | 0)"],
        };
        assert!(smallest.contains(&&*formula) && finding.fully_reduced, "{finding:?}");
        let directory = out.join("findings").join(directory_name(finding));
        let report = fs::read_to_string(directory.join("README.md")).unwrap();
        assert!(report.contains(&formula) && report.contains("tiny-sat@1.0:lie=or"), "{report}");
    }
    // One operator is wrong, and it is wrong in two ways: each is a bug.
    let bugs: BTreeSet<(u32, &str)> =
        findings.iter().map(|finding| (finding.bug, finding.exhibit.title.as_str())).collect();
    assert_eq!(bugs.len(), 2, "{bugs:?}");
}

#[test]
fn seed_files_of_the_language_are_found_by_their_ending() {
    add_language();
    let home = tempfile::tempdir().unwrap();
    for (name, text) in [("good.formula", "a | !a\n"), ("bad.formula", "a |\n"), ("other.txt", "a\n")] {
        fs::write(home.path().join(name), text).unwrap();
    }
    let seeds = SeedFiles::find(&[home.path().to_owned()], &Language::all()).unwrap();
    assert_eq!((seeds.count(), seeds.count_of(FORMULAS)), (2, 2));
    let trial = Trial::of(&["tiny-sat.toml:lie=or"], 2);
    let (progress, findings) = run(&home.path().join("out"), &trial, &seeds);
    assert_eq!(progress.skipped.values().sum::<u64>(), 1, "{:?}", progress.skip_examples);
    assert!(!findings.is_empty());
}
