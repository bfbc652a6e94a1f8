//! Every job does the same whether its outcomes are sent as bytes or handed over in memory.
#![cfg(test)]

use crate::compare::{Compare, compare, compare_by};
use crate::example_answer::{FindExample, example_answer, example_answer_by};
use crate::generate::{Generate, Generated, Generation, generate, generate_by};
use crate::hunt::{Hunt, hunt_by};
use crate::judge::{Judge, judge, judge_by};
use crate::probe::{Probing, probe_by, units_of};
use crate::split::rounds::SplitRound;
use crate::tune::prepare::Prepare;
use crate::tune::tasks::Tasks;
use crate::tune::trials::{AuditRound, Round};
use crate::{Budget, Campaign, Cases, Silent, SplitProject, Stop, Subject, TuneOptions};
use anyhow::Result;
use engine::{
    Engine, FoundTool, Journal, Locator, ProjectContents, ProjectTree, Relevance, Resolved, SeedFiles,
    Specification, ToolRights, ToolRunner, TreeOptions, WorkingCopies,
};
use model::{Answer, Language, Limits, Lineup, Mode, Parameter, Query, Scale, Settings, Space, Way};
use schedule::{AsBytes, InOrder, Job, Progress};
use splitting::Part;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::Store;
use techniques::Technique;
use test_support::repository;
use tuning::{Objective, Recipe, RecipeSpace, SEARCHES};

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

/// The outcomes of a job, as bytes.
fn outcomes_of(campaign: &Campaign<'_>, units: u64, job: &impl Job) -> Vec<String> {
    let mut outcomes = Vec::new();
    let mut recorder = InOrder::new(|_, outcome, _: &mut Progress| {
        outcomes.push(serde_json::to_string(&outcome)?);
        Ok(ControlFlow::Continue(()))
    });
    let mut pool = campaign.pool(Journal::ReadAndWrite);
    pool.stop.budget.units = Some(units);
    pool.run(job, &mut recorder, Progress::default()).unwrap();
    drop(recorder);
    outcomes
}

/// The liar that lies is tuned, so the outcomes hold accusations.
fn tune_options(campaign: &Campaign<'_>) -> TuneOptions {
    let parameter = Parameter {
        name: "random-seed".to_owned(),
        values: vec!["7".to_owned()],
        scale: Scale::Words,
        default: None,
        is_domain: false,
        finer: Vec::new(),
        needs: None,
        excludes: Vec::new(),
        sound: true,
    };
    TuneOptions {
        subject: Subject::Scripts,
        objective: Objective::Unresolved,
        analyzers: vec![campaign.lineup.witnesses[0].clone()],
        space: RecipeSpace::new(vec![Space { parameters: vec![parameter] }], 1).unwrap(),
        limits: Limits::default(),
        search: &SEARCHES[0],
        folds: 1,
        cpu: None,
        programs: 1,
        per_program: 1,
    }
}

/// The second half of each pair has a job of its own, which knows nothing but the plan, the store and the numbers.
#[test]
fn preparing_trying_and_auditing() {
    let liars = liars();
    let [honest, lying] = [0, 1].map(|index: usize| liars[index].member.clone());
    let lineup = Lineup { subjects: vec![lying.clone()], witnesses: vec![lying, honest] };
    with_campaign(&techniques::solver_differential::TECHNIQUE, |campaign| {
        let campaign = &Campaign { lineup: &lineup, techniques: campaign.techniques.clone(), ..*campaign };
        let options = tune_options(campaign);
        let tasks = || Tasks::new(campaign.cases(), &options);
        let (here, first, second) = (tasks(), tasks(), tasks());
        let expected = outcomes_of(campaign, 1, &Prepare { tasks: &here });
        assert_eq!(outcomes_of(campaign, 1, &AsBytes(Prepare { tasks: &first })), expected);
        assert!(expected[0].contains("signed.smt2") && expected[0].contains("\"Ok\""), "{expected:?}");
        let mut recipe = Recipe::default_recipe();
        recipe.0[0].options.insert("random-seed".to_owned(), "7".to_owned());
        let units = || vec![(Recipe::default_recipe(), 0), (recipe.clone(), 0)];
        let expected = outcomes_of(campaign, 2, &Round { tasks: &here, units: units() });
        let sent = outcomes_of(campaign, 2, &AsBytes(Round { tasks: &second, units: units() }));
        assert_eq!(sent, expected);
        assert!(expected.iter().all(|it| it.contains("cpu_microseconds")), "{expected:?}");
        let expected = outcomes_of(campaign, 2, &AuditRound { tasks: &here, units: units() });
        let third = tasks();
        let sent = outcomes_of(campaign, 2, &AsBytes(AuditRound { tasks: &third, units: units() }));
        assert_eq!(sent, expected);
        assert!(expected.iter().all(|it| it.contains("charge")), "{expected:?}");
    });
}

/// A tool that reports the first word of each file.
const TOOL: &str = r#"#!/bin/sh
for file in "$@"; do read -r word < "$file"; echo "$file:1: $word"; done
"#;

const DESCRIPTION: &str = r#"
name = "words"
title = "Words"
summary = "A tool for tests."
homepage = "https://example.org"
languages = ["python"]
dependencies = "none"
[install]
[find]
programs = ["./words"]
[version]
arguments = ["--version"]
pattern = '(?<version>1)'
[[steps]]
arguments = ["{file}"]
[output]
format = "text"
rows = [{ pattern = '^(?<file>[^:]+):(?<line>\d+): (?<message>.*)$' }]
"#;

/// Does something with two projects that know nothing of each other, and the parts of both.
fn with_projects(root: &Path, action: impl FnOnce([&SplitProject<'_>; 2], &[(u32, Part)])) {
    fs::write(root.join("words"), TOOL).unwrap();
    fs::set_permissions(root.join("words"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(root.join("project")).unwrap();
    for name in ["a.py", "b.py"] {
        fs::write(root.join("project").join(name), format!("word_of_{name}\n")).unwrap();
    }
    let tool = tools::Tool::parse("words.toml", DESCRIPTION).unwrap();
    let found = FoundTool { tool, program: root.join("words"), version: "1".to_owned() };
    let options = TreeOptions { exclude: Vec::new(), output: root.join("out") };
    let tree = ProjectTree::list(&root.join("project"), &options, &|| false).unwrap();
    let copies = WorkingCopies::new(&root.join("project"), tree, &|| false).unwrap();
    let relevance = Relevance { is_source: &|_| true, is_configuration: &|_| false };
    let contents = ProjectContents::read(&copies, relevance, 1, &|| false).unwrap();
    let project = || {
        let runner = ToolRunner::new(&found, &copies, ToolRights::OfUser).unwrap();
        SplitProject::new(runner, &contents, Vec::new(), Limits::default())
    };
    let parts = [(1, Part::owning(vec![0])), (2, Part::owning(vec![1]))];
    action([&project(), &project()], &parts);
}

#[test]
fn splitting() {
    with_campaign(&techniques::solver_differential::TECHNIQUE, |campaign| {
        let root = tempfile::tempdir().unwrap();
        with_projects(root.path(), |[here, elsewhere], parts| {
            let (log, state) = (&*campaign.store.answers, &Default::default());
            let round =
                || SplitRound { project: here, way: Way::Isolated, parts, log, state, report: &|_| {} };
            // The first round asks; the others read the recorded answers, so that costs are equal.
            outcomes_of(campaign, 2, &round());
            let expected = outcomes_of(campaign, 2, &round());
            let sent = outcomes_of(campaign, 2, &AsBytes(SplitRound { project: elsewhere, ..round() }));
            assert_eq!(sent, expected);
            assert!(
                expected[0].contains("word_of_a.py") && expected[1].contains("word_of_b.py"),
                "{expected:?}"
            );
        });
    });
}

/// The name of the type of a line such as `impl Job for Hunt<'_> {`.
fn job_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?.split_once("Job for ")?.1;
    rest.split(|letter: char| !letter.is_alphanumeric()).next()
}

#[test]
fn no_job_is_forgotten() {
    let root = repository().join("crates/campaign/src");
    let tests = fs::read_to_string(root.join("as_bytes_tests.rs")).unwrap();
    let folders = [root.clone(), root.join("split"), root.join("tune")].into_iter();
    let files = folders.flat_map(|it| fs::read_dir(it).unwrap());
    let mut jobs = 0;
    for path in files.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        for job in fs::read_to_string(&path).unwrap().lines().filter_map(job_of) {
            assert!(tests.contains(&format!("AsBytes({job}")), "{}: {job} is not tested", path.display());
            jobs += 1;
        }
    }
    assert!(jobs >= 10, "only {jobs}");
}
