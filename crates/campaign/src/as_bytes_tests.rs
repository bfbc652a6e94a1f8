//! Every job does the same whether its outcomes are sent as bytes or handed over in memory.

use crate::compare::{Compare, compare, compare_by};
use crate::example_answer::{FindExample, example_answer, example_answer_by};
use crate::generate::{Generate, Generated, Generation, generate, generate_by};
use crate::hunt::{Hunt, hunt_by};
use crate::judge::{Judge, judge, judge_by};
use crate::probe::{Probing, probe_by, units_of};
use crate::{Budget, Campaign, Cases, Silent, Stop};
use anyhow::Result;
use engine::{Engine, Journal, Locator, Resolved, SeedFiles, Specification};
use model::{Answer, Language, Lineup, Mode, Query, Settings};
use schedule::AsBytes;
use std::sync::atomic::AtomicBool;
use store::Store;
use techniques::Technique;
use test_support::repository;

const CASES: u64 = 2;

fn liars() -> Vec<Resolved> {
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let resolve = |name: &str| locator.resolve(&Specification::parse(name).unwrap()).unwrap();
    ["liar-smt:lie=none", "liar-smt:lie=signed"].map(resolve).to_vec()
}

fn seeds() -> SeedFiles {
    let seed = repository().join("crates/techniques/planted/signed.smt2");
    SeedFiles::find(&[seed], &[Language::SMT]).unwrap()
}

/// Does something with a new campaign of the two liars.
fn with_campaign(technique: &'static Technique, action: impl FnOnce(&Campaign<'_>)) {
    let liars = liars();
    let subjects = liars.iter().map(|liar| liar.member.clone()).collect();
    let home = tempfile::tempdir().unwrap();
    action(&Campaign {
        engine: &Engine::new(liars).unwrap(),
        store: &Store::create(&home.path().join("out"), "made by a test").unwrap(),
        techniques: vec![technique],
        lineup: &Lineup { subjects, witnesses: Vec::new() },
        seeds: &seeds(),
        settings: &Settings::default(),
        random_seed: 1,
        jobs: 2,
        reduce_candidates: 5,
        stop: Stop { requested: &AtomicBool::new(false), budget: Budget::starting_now(None, Some(CASES)) },
        watcher: &Silent,
    });
}

#[test]
fn hunting_judging_and_looking_for_an_example() {
    with_campaign(&techniques::solver_differential::TECHNIQUE, |campaign| {
        let progress = hunt_by(campaign, &AsBytes(Hunt::new(campaign))).unwrap();
        assert!(!progress.findings.is_empty(), "{:?}", progress.skip_examples);
        let judged = judge(campaign, Journal::ReadOnly).unwrap();
        let job = AsBytes(Judge::new(campaign).unwrap());
        assert_eq!(judge_by(campaign, Journal::ReadOnly, &job).unwrap(), judged);
        assert!(!judged.upheld.is_empty(), "{judged:?}");
        let example = example_answer(campaign).unwrap().unwrap();
        let job = AsBytes(FindExample { cases: campaign.cases() });
        let sent = example_answer_by(campaign, &job).unwrap().unwrap();
        assert_eq!((sent.seed_name, sent.verdict), (example.seed_name, example.verdict));
    });
}

#[test]
fn comparing() {
    with_campaign(&techniques::solver_differential::TECHNIQUE, |campaign| {
        compare(campaign, Journal::ReadAndWrite).unwrap();
        // Both read the recorded answers, so that costs are equal, too.
        let (expected, _) = compare(campaign, Journal::ReadOnly).unwrap();
        let job = AsBytes(Compare::new(campaign).unwrap());
        assert_eq!(compare_by(campaign, Journal::ReadOnly, &job).unwrap().0, expected);
        assert!(!expected.checks.is_empty());
    });
}

/// The technique chooses one analyzer of several, and only one is collected.
#[test]
fn generating() {
    let (engine, seeds, settings) = (Engine::new(Vec::new()).unwrap(), seeds(), Settings::default());
    let subjects = vec![liars().remove(0).member];
    let analyzer = subjects[0].id.clone();
    let lineup = Lineup { subjects, witnesses: Vec::new() };
    let cases = || Cases {
        engine: &engine,
        seed_log: None,
        techniques: vec![&techniques::satisfiable::TECHNIQUE],
        lineup: &lineup,
        seeds: &seeds,
        settings: &settings,
        random_seed: 1,
    };
    let generation = Generation {
        count: 4,
        analyzer,
        simulate: |query| liar_answer(query),
        skipped: &|problem| panic!("skipped: {problem}"),
    };
    let (mut expected, mut sent) = (Vec::new(), Vec::new());
    generate(cases(), &generation, &mut |item| keep(&mut expected, &item)).unwrap();
    let cases = cases();
    let job = AsBytes(Generate::new(&cases, &generation));
    generate_by(&cases, &generation, &job, &mut |item| keep(&mut sent, &item)).unwrap();
    assert_eq!((sent.len(), sent), (4, expected));
}

fn keep(texts: &mut Vec<String>, item: &Generated) -> Result<()> {
    texts.push(serde_json::to_string(item)?);
    Ok(())
}

fn liar_answer(query: &Query) -> Answer {
    answers_of(std::slice::from_ref(query)).remove(0)
}

/// The answers of the liars, asked directly.
fn answers_of(queries: &[Query]) -> Vec<Answer> {
    let engine = Engine::new(liars()).unwrap();
    engine::Asker::new(&engine, None, Journal::Off).ask(queries).unwrap()
}

#[test]
fn probing() {
    let liars = liars();
    let query = |liar: &Resolved, mode| {
        let script = model::SmtInput {
            options: "".into(),
            logic: None,
            body: "(declare-fun x () Int)\n(assert (< x 3))\n(check-sat)\n".into(),
            checks: 1,
        };
        Query::new(liar.member.id.clone(), model::Input::Smt(script), mode)
    };
    let queries: Vec<Query> = [Mode::Process, Mode::Push]
        .into_iter()
        .flat_map(|mode| liars.iter().map(move |liar| query(liar, mode)))
        .collect();
    let (engine, units) = (Engine::new(liars.clone()).unwrap(), units_of(&queries));
    let job = AsBytes(Probing { queries: &queries, units: &units });
    let mut verdicts = vec![None; queries.len()];
    probe_by(&engine, &units, 2, &job, &mut |number, answer| {
        verdicts[number] = Some(answer.verdict);
        Ok(())
    })
    .unwrap();
    let expected: Vec<_> = answers_of(&queries).into_iter().map(|answer| Some(answer.verdict)).collect();
    assert_eq!(verdicts, expected);
}
