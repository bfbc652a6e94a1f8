//! The trials of every technique: honest analyzers are not accused, liars are caught, and recorded answers give the same
//! walks and the same judgements again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use campaign::{Budget, Campaign, Event, Progress, Stop, Watcher, hunt, judge};
use engine::{Engine, Journal, Locator, Resolved, SeedFiles, Specification};
use model::{Lineup, Settings};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::sync::atomic::AtomicBool;
use store::Store;
use techniques::{Technique, Trial};
use test_support::{repository, skip_without};

/// Reductions are tested elsewhere; a few candidates are enough to see that reduced exhibits are still broken.
const CANDIDATES: usize = 10;

struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

/// Resolves analyzers; `None` if a tool that they need is not installed.
///
/// # Panics
///
/// Panics if an analyzer of this repository cannot be used for any other reason: a misspelled liar must not pass as a skip.
fn resolved(names: &[&str]) -> Option<Vec<Resolved>> {
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let resolve = |name: &&str| {
        let text = match name.ends_with(".toml") {
            true => repository().join("crates/techniques").join(name).display().to_string(),
            false => (*name).to_owned(),
        };
        match (locator.resolve(&Specification::parse(&text).unwrap()), tool_of(name)) {
            (Ok(resolved), _) => Some(resolved),
            (Err(error), Some(tool)) if error.to_string().contains("is not installed") => {
                skip_without(tool, error);
                None
            }
            (Err(error), _) => panic!("{name}: {error:#}"),
        }
    };
    names.iter().map(resolve).collect()
}

/// The tool without which an analyzer cannot run, as `JUVENAL_REQUIRE` names it; `None` if it needs none.
fn tool_of(name: &str) -> Option<&str> {
    let needs_none = ["liar-smt", "liar-datalog", "reference-"].iter().any(|prefix| name.starts_with(prefix));
    let needs_gcc = name.ends_with(".toml") || name.ends_with("-c") || name.starts_with("liar-c");
    match (needs_none, needs_gcc) {
        (true, _) => None,
        (false, true) => Some("gcc"),
        (false, false) => Some(name),
    }
}

fn seeds(technique: &Technique, trial: &Trial) -> SeedFiles {
    let shipped = |folder: &str| repository().join("seeds").join(folder);
    match (trial.seed, technique.seed_language) {
        (Some(file), language) => {
            SeedFiles::find(&[repository().join("crates/techniques").join(file)], &[language])
        }
        // A technique that makes its own seeds does not read those that are shipped, but a campaign must have some.
        (None, language) if technique.makes_seeds() => {
            Ok(SeedFiles::shipped(&[(language, &[("unused", "")])]))
        }
        (None, language) => SeedFiles::find(&[shipped(language.name())], &[language]),
    }
    .unwrap()
}

/// Runs a trial, judges its recorded answers again, and returns the final figures.
fn run(technique: &'static Technique, trial: &Trial) -> Option<Progress> {
    let (subjects, witnesses) = (resolved(trial.subjects)?, resolved(trial.witnesses)?);
    let members = |resolved: &[Resolved]| resolved.iter().map(|it| it.member.clone()).collect();
    let lineup = Lineup { subjects: members(&subjects), witnesses: members(&witnesses) };
    let engine = Engine::new(subjects.into_iter().chain(witnesses).collect()).unwrap();
    let home = tempfile::tempdir().unwrap();
    let store = Store::create(&home.path().join("out"), "made by a test").unwrap();
    let knob = |(key, value): &(&str, &str)| (format!("{}.{key}", technique.name), (*value).to_owned());
    let settings: BTreeMap<String, String> = trial.knobs.iter().map(knob).collect();
    let campaign = Campaign {
        engine: &engine,
        store: &store,
        techniques: vec![technique],
        lineup: &lineup,
        seeds: &seeds(technique, trial),
        settings: &Settings(settings),
        random_seed: trial.random_seed,
        jobs: 1,
        reduce_candidates: CANDIDATES,
        stop: Stop {
            requested: &AtomicBool::new(false),
            budget: Budget::starting_now(None, Some(trial.cases)),
        },
        watcher: &Silent,
    };
    let progress = hunt(&campaign).unwrap();
    let about = format!("{}: {:?}", technique.name, trial.subjects);
    assert!(progress.answers > 0, "{about}: nothing was asked: {:?}", progress.skip_examples);
    for finding in store.ledger.findings().unwrap() {
        for exhibit in [&finding.exhibit, &finding.reduced] {
            let is_read = (technique.judge.reads)(&exhibit.relation);
            assert!(is_read, "{about}: the relation of {} does not read back", finding.name());
        }
    }
    let judged = judge(&campaign, Journal::ReadOnly).unwrap();
    assert_eq!(judged.incomplete, 0, "{about}: a walk asks different queries the second time");
    assert_eq!((&judged.overturned, &judged.undecided), (&vec![], &vec![]), "{about}");
    assert_eq!(judged.upheld.len() as u64, progress.findings.values().sum::<u64>(), "{about}");
    Some(progress)
}

fn conforms(name: &str) {
    let technique = techniques::find(techniques::all(), name).unwrap();
    let twin = technique.trials.twin.as_ref().unwrap();
    if let Some(progress) = run(technique, twin) {
        assert_eq!(progress.findings, BTreeMap::new(), "{name} accuses {:?}", twin.subjects);
    }
    for liar in technique.trials.liars {
        if let Some(progress) = run(technique, liar) {
            assert!(!progress.findings.is_empty(), "{name} does not catch {:?}", liar.subjects);
        }
    }
}

/// Rows: an analyzer that a trial could name by mistake, and a part of the message.
#[test]
fn an_analyzer_of_this_repository_is_never_skipped_by_mistake() {
    for (name, expected) in [
        ("liar-smt:lie=modle", "modle"),
        ("liar-c:lie=sgined", "sgined"),
        ("liar-datalogg", "liar-datalogg"),
        ("planted/no-such-file.toml", "no-such-file"),
    ] {
        let panic = catch_unwind(|| resolved(&[name])).err().unwrap();
        let message = panic.downcast_ref::<String>().unwrap();
        assert!(message.contains(expected), "{name}: {message}");
    }
}

/// Declares a test for each technique; they run in parallel.
macro_rules! conform {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            conforms(stringify!($name));
        })*

        #[test]
        fn every_technique_is_tried() {
            let tried = [$(stringify!($name)),*];
            let names: Vec<&str> = techniques::all().iter().map(|technique| technique.name).collect();
            assert_eq!(tried.as_slice(), names);
        }
    };
}

conform!(
    debug_check,
    runtime,
    maze,
    satisfiable,
    solver_differential,
    differential,
    interrogation,
    precedence_graph,
    conjunctive_query
);

/// An analyzer may have roles in more than one language, as z3 does: each role must be of use to a technique.
#[test]
fn every_role_of_a_shipped_analyzer_is_of_use_to_a_technique() {
    for description in analyzers::Catalogue::shipped().unwrap().descriptions() {
        let whole = description.member(analyzers::Driver::Program, "1", &[]);
        for role in &whole.roles {
            let alone = model::AnalyzerInfo { roles: vec![role.clone()], ..whole.clone() };
            let is_used = techniques::all().iter().any(|technique| {
                let stance = technique.stance_towards(&alone);
                stance.can_be_subject() || stance.can_be_witness()
            });
            assert!(is_used, "{}: no technique uses the role {}", whole.id, role.role());
        }
    }
}
