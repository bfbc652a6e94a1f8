//! A campaign whose seeds all turn out to be unusable after analyzers were asked goes on, whether it is interrupted or runs its
//! units elsewhere.
//!
//! The technique here exists for these tests alone.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use campaign::{Budget, Campaign, CaseOutcome, Hunt, Progress, Silent, Stop, hunt, hunt_by};
use engine::{Engine, Journal, Locator, SeedFiles, Specification};
use model::{Answer, Evidence, Input, Language, Lineup, Mode, Query, Settings, SmtInput, Weighed};
use schedule::{Job, Readiness, Worker};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::Store;
use techniques::{Case, Judge, Judgement, Notes, Seeds, Stance, Step, Technique, Trials, every_query};

/// Asks once, and skips the seed whatever the answer.
struct AskAndSkip(model::AnalyzerId);

impl Case for AskAndSkip {
    fn next(&mut self, answers: &[Answer], _notes: &mut Notes) -> Step {
        if !answers.is_empty() {
            return Step::Skip { reason: "the analyzer rejects the seed".to_owned(), detail: String::new() };
        }
        let body = "(check-sat)\n".into();
        let input = Input::Smt(SmtInput { options: "".into(), logic: None, body, checks: 1 });
        Step::Ask(vec![Query::new(self.0.clone(), input, Mode::Process)])
    }
}

static ASK_AND_SKIP: Technique = Technique {
    name: "ask-and-skip",
    language: Language::SMT,
    seed_language: Language::SMT,
    manual: "Asks and skips.",
    knobs: &[],
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 1,
    shares: &[],
    stance: |_| Stance::SubjectAndWitness,
    open: &|opening| Ok(Box::new(AskAndSkip(opening.lineup.subjects[0].id.clone()))),
    judge: Judge {
        reads: |_| true,
        judge: &|_, _| Judgement::Intact,
        deciding_prefix: every_query,
        hearing: |_, _, _| Vec::new(),
        weigh: |_, _| Weighed {
            kind: None,
            evidence: Evidence::Suspicion,
            reasons: Vec::new(),
            files: Vec::new(),
        },
        features: |_, _| BTreeSet::new(),
    },
    passes: &[],
    with_text: None,
    trials: Trials { twin: None, liars: &[] },
};

fn with_campaign<T>(directory: &Path, cases: u64, action: impl FnOnce(&Campaign<'_>) -> T) -> T {
    let store = match Store::open(directory) {
        Ok(store) => store,
        Err(_) => Store::create(directory, "made by a test").unwrap(),
    };
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let subject = locator.resolve(&Specification::parse("liar-smt:lie=none").unwrap()).unwrap();
    action(&Campaign {
        lineup: &Lineup { subjects: vec![subject.member.clone()], witnesses: Vec::new() },
        engine: &Engine::new(vec![subject]).unwrap(),
        store: &store,
        techniques: vec![&ASK_AND_SKIP],
        seeds: &SeedFiles::shipped(&[(Language::SMT, &[("a", "(check-sat)"), ("b", "(check-sat)")])]),
        settings: &Settings::default(),
        random_seed: 1,
        jobs: 2,
        reduce_candidates: 0,
        stop: Stop { requested: &AtomicBool::new(false), budget: Budget::starting_now(None, Some(cases)) },
        watcher: &Silent,
    })
}

#[test]
fn it_goes_on_after_an_interruption() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let cases = |cases| with_campaign(&out, cases, |campaign| hunt(campaign).unwrap().cases);
    assert_eq!(cases(2), 2);
    assert_eq!(cases(6), 6);
}

/// Runs units as another process would: the figures of the hunt see nothing but their outcomes.
struct Elsewhere<'a> {
    campaign: &'a Campaign<'a>,
    job: Hunt<'a>,
}

impl Job for Elsewhere<'_> {
    type Outcome = CaseOutcome;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> anyhow::Result<CaseOutcome> {
        Ok(self.campaign.pool(Journal::ReadAndWrite).run_unit(&self.job, unit, None)?.outcome)
    }

    fn readiness(&self, unit: u64, progress: &Progress) -> Readiness {
        self.job.readiness(unit, progress)
    }
}

#[test]
fn it_goes_on_if_its_units_run_elsewhere() {
    let home = tempfile::tempdir().unwrap();
    let cases = with_campaign(&home.path().join("out"), 6, |campaign| {
        hunt_by(campaign, &Elsewhere { campaign, job: Hunt::new(campaign) }).unwrap().cases
    });
    assert_eq!(cases, 6);
}
