//! A campaign with techniques of two languages: each gets the seeds of its language, also after an interruption.
//!
//! The techniques here exist for these tests alone. They ask nothing and count the seeds that they are given.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use campaign::{Budget, Campaign, Event, Progress, Stop, Watcher, hunt, judge};
use engine::{Engine, Journal, SeedFiles, c_compiler};
use model::{Answer, Evidence, Language, Lineup, Settings, Weighed};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::{SkipReason, Store};
use techniques::{Case, Count, Judge, Judgement, Notes, Seeds, Stance, Step, Technique, Trials, every_query};

/// The name of the seed's file, and nothing to ask.
struct Glance(String);

impl Case for Glance {
    fn next(&mut self, _answers: &[Answer], notes: &mut Notes) -> Step {
        notes.count_with(Count::new("*"), &[&self.0]);
        Step::Done
    }
}

/// A technique of a language that only counts its seeds.
const fn counting(name: &'static str, language: Language) -> Technique {
    Technique {
        name,
        language,
        seed_language: language,
        manual: "Counts seeds.",
        knobs: &[],
        seeds: Seeds::Given,
        cases_in_a_row: 1,
        least_subjects: 1,
        shares: &[],
        stance: |_| Stance::SubjectAndWitness,
        open: &|opening| {
            let name = Path::new(&*opening.seed.name).file_name().unwrap_or_default().to_string_lossy();
            Ok(Box::new(Glance(name.into_owned())))
        },
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
    }
}

static SCRIPTS: Technique = counting("count-scripts", Language::SMT);
static PROGRAMS: Technique = counting("count-programs", Language::C);

struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

fn with_campaign<T>(
    out: &Path,
    seeds: &Path,
    jobs: usize,
    cases: u64,
    action: impl FnOnce(&Campaign<'_>) -> T,
) -> T {
    let engine = Engine::new(Vec::new()).unwrap();
    let store = match Store::open(out) {
        Ok(store) => store,
        Err(_) => Store::create(out, "made by a test").unwrap(),
    };
    let campaign = Campaign {
        engine: &engine,
        store: &store,
        techniques: vec![&SCRIPTS, &PROGRAMS],
        lineup: &Lineup { subjects: Vec::new(), witnesses: Vec::new() },
        seeds: &SeedFiles::find(&[seeds.to_owned()], &Language::BUILT_IN).unwrap(),
        settings: &Settings::default(),
        random_seed: 1,
        jobs,
        reduce_candidates: 0,
        stop: Stop { requested: &AtomicBool::new(false), budget: Budget::starting_now(None, Some(cases)) },
        watcher: &Silent,
    };
    action(&campaign)
}

fn run(out: &Path, seeds: &Path, jobs: usize, cases: u64) -> Progress {
    with_campaign(out, seeds, jobs, cases, |campaign| hunt(campaign).unwrap())
}

/// The counts without those that campaigns add.
fn seen(progress: &Progress) -> Vec<(&str, u64)> {
    let is_seed = |name: &str| name.ends_with(".c") || name.ends_with(".smt2");
    progress.counts.iter().filter(|(name, _)| is_seed(name)).map(|(name, it)| (name.as_str(), *it)).collect()
}

#[test]
fn seeds_take_turns_within_their_language() {
    if !test_support::is_usable("gcc", c_compiler().unwrap().is_some()) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let seeds = home.path().join("seeds");
    fs::create_dir(&seeds).unwrap();
    let program = "#include \"own.h\"\nint main(void) { return ZERO; }\n";
    for (name, text) in [
        ("a.smt2", "(check-sat)"),
        ("b.smt2", "(check-sat)"),
        ("own.h", "#define ZERO 0\n"),
        ("x.c", program),
        ("y.c", "int main(void) { return 0; }\n"),
        ("z.c", "int main(void) { return zero; }\n"),
    ] {
        fs::write(seeds.join(name), text).unwrap();
    }
    let refused = SkipReason::Unusable("the seed does not compile".to_owned());
    for jobs in [1, 3] {
        let out = home.path().join(format!("out-{jobs}"));
        fs::write(seeds.join("own.h"), "#define ZERO 0\n").unwrap();
        let progress = run(&out, &seeds, jobs, 10);
        assert_eq!(seen(&progress), [("a.smt2", 3), ("b.smt2", 2), ("x.c", 2), ("y.c", 2)]);
        assert_eq!(progress.skipped, BTreeMap::from([(refused.clone(), 1)]));
        assert!(progress.skip_examples[&refused].contains("z.c:1:25: error"), "{:?}", progress.skip_examples);
        // The rest of the turns comes after an interruption.
        let resumed = run(&out, &seeds, jobs, 12);
        assert_eq!(seen(&resumed), [("a.smt2", 3), ("b.smt2", 3), ("x.c", 2), ("y.c", 2)]);
        assert_eq!(resumed.skipped, BTreeMap::from([(refused.clone(), 2)]));
        let judged =
            with_campaign(&out, &seeds, 1, 12, |campaign| judge(campaign, Journal::ReadOnly).unwrap());
        assert_eq!((judged.cases, judged.skipped, judged.incomplete), (10, 2, 0));
        // The campaign keeps the program that it has read, even if a header changes.
        fs::write(seeds.join("own.h"), "#define ZERO 0L\n").unwrap();
        let resumed = run(&out, &seeds, jobs, 16);
        assert_eq!(resumed.skipped, BTreeMap::from([(refused.clone(), 2)]));
        assert_eq!(seen(&resumed), [("a.smt2", 4), ("b.smt2", 4), ("x.c", 3), ("y.c", 3)]);
    }
}
