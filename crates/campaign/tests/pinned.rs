//! The same seed gives the same findings, in every version. Hashes pin the findings of short campaigns.
//!
//! A change of a generator, a walk or the reduction may change them on purpose. The message of a failure has the new hash;
//! CHANGELOG then says that the same seed finds something else.
#![allow(clippy::unwrap_used, reason = "the helpers of tests fail by panicking, too")]

use campaign::{Budget, Campaign, Silent, Stop, hunt};
use engine::{Engine, Locator, SeedFiles, Specification};
use model::{Exhibit, Hash, Lineup, Settings};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use store::Store;
use test_support::repository;

struct Pinned {
    technique: &'static str,
    /// The analyzer under test and the witness, both of them built in.
    analyzers: [&'static str; 2],
    knobs: &'static [(&'static str, &'static str)],
    /// A single file, because a new file in a folder would change the findings.
    seed: &'static str,
    cases: u64,
    findings: usize,
    hash: &'static str,
}

/// The parts of an exhibit that do not depend on the version of juvenal, which is part of an analyzer's name.
fn text_of(exhibit: &Exhibit) -> String {
    let inputs: Vec<_> = exhibit.queries.iter().map(|query| (&query.input, query.mode)).collect();
    serde_json::to_string(&(exhibit.kind, &inputs, &exhibit.relation)).unwrap()
}

/// The exhibits of the findings, as they were found and reduced.
fn exhibits(pinned: &Pinned, jobs: usize) -> Vec<String> {
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let resolved =
        pinned.analyzers.map(|name| locator.resolve(&Specification::parse(name).unwrap()).unwrap());
    let [subject, witness] = &resolved;
    let technique = techniques::find(techniques::all(), pinned.technique).unwrap();
    let knobs =
        pinned.knobs.iter().map(|(key, value)| (format!("{}.{key}", technique.name), (*value).to_owned()));
    let seed = repository().join(pinned.seed);
    let home = tempfile::tempdir().unwrap();
    let store = Store::create(&home.path().join("out"), "made by a test").unwrap();
    hunt(&Campaign {
        lineup: &Lineup { subjects: vec![subject.member.clone()], witnesses: vec![witness.member.clone()] },
        engine: &Engine::new(resolved.to_vec()).unwrap(),
        store: &store,
        techniques: vec![technique],
        seeds: &SeedFiles::find(&[seed], &[technique.seed_language]).unwrap(),
        settings: &Settings(knobs.collect::<BTreeMap<_, _>>()),
        random_seed: 1,
        jobs,
        reduce_candidates: 40,
        stop: Stop {
            requested: &AtomicBool::new(false),
            budget: Budget::starting_now(None, Some(pinned.cases)),
        },
        watcher: &Silent,
    })
    .unwrap();
    let findings = store.ledger.findings().unwrap();
    findings.iter().flat_map(|finding| [text_of(&finding.exhibit), text_of(&finding.reduced)]).collect()
}

fn check(pinned: &Pinned) {
    for jobs in [1, 3] {
        let exhibits = exhibits(pinned, jobs);
        let hash = Hash::of_parts(exhibits.iter().map(String::as_bytes)).to_string();
        let about = format!("{} with {jobs} workers", pinned.technique);
        assert_eq!((exhibits.len() / 2, hash.as_str()), (pinned.findings, pinned.hash), "{about}");
    }
}

#[test]
fn findings_in_a_solver() {
    check(&Pinned {
        technique: "satisfiable",
        analyzers: ["liar-smt:lie=signed", "liar-smt:lie=none"],
        knobs: &[("instances", "40"), ("constructed", "60")],
        seed: "crates/techniques/planted/signed.smt2",
        cases: 12,
        findings: 20,
        hash: "c0d0d8f149740c2d64978bdb633f2d0e",
    });
}

#[test]
fn findings_in_a_datalog_engine() {
    check(&Pinned {
        technique: "precedence_graph",
        analyzers: ["liar-datalog", "reference-datalog"],
        knobs: &[],
        seed: "seeds/datalog/aggregates.dl",
        cases: 6,
        findings: 3,
        hash: "b040f4b3359cd7f47acdcc4d9e109845",
    });
}
