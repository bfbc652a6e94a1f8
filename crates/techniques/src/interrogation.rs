//! `interrogation`: a verifier contradicts its own history. The manual page is `interrogation.md`.

mod annotated;
mod condition;
mod features;
mod judge;
mod knowledge;
mod material;
mod observation;
mod shrink;
mod transform;
mod walk;
mod weigh;

use crate::case::SkippedCase;
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, every_query};
use material::Material;
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, Approximation, Language, ReachabilityInfo, Setting, SettingError,
    Settings,
};
use walk::Walk;

const NAME: &str = "interrogation";

const ROUNDS: Setting = Setting { key: "rounds", default: "2000", meaning: "questions per seed" };
const IDLE: Setting = Setting {
    key: "idle",
    default: "100",
    meaning: "questions in a row that add nothing to the knowledge base, after which a seed is given up",
};
const DOUBLINGS: Setting = Setting {
    key: "doublings",
    default: "4",
    meaning: "a question is made by at most 2 to the power of this many transformations",
};
const LIFE: Setting = Setting {
    key: "life",
    default: "250",
    meaning: "how often a known program is changed before another takes its place; 0 for ever",
};
const ANNOTATIONS: Setting = Setting {
    key: "annotations",
    default: "24",
    meaning: "greatest number of checks and assumptions in a program",
};
const CALLS: Setting = Setting {
    key: "calls",
    default: "6",
    meaning: "greatest number of checks in a program for analyzers that are run once for each check",
};
const ORACLE: Setting = Setting {
    key: "oracle",
    default: "checks",
    meaning: "checks, or verdict to look at the verdict on whole programs alone, as metamorphic testing does",
};
const KNOWLEDGE: Setting = Setting {
    key: "knowledge",
    default: "on",
    meaning: "on or off: go on from programs that were asked before; always off with oracle=verdict",
};
const OPTIONS: Setting = Setting {
    key: "options",
    default: "on",
    meaning: "on or off: draw options of the analyzer for each seed",
};
const SUSPICIONS: Setting = Setting {
    key: "suspicions",
    default: "1",
    meaning: "how many suspicions of imprecision a seed may put up; contradictions are always put up",
};
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "10000", meaning: "wall time for one question, in milliseconds" };
const EXECUTION: Setting = Setting {
    key: "execution",
    default: "2000",
    meaning: "wall time for executing a program, in milliseconds",
};

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    rounds: usize,
    idle: usize,
    doublings: usize,
    life: usize,
    annotations: usize,
    calls: usize,
    per_check: bool,
    knowledge: bool,
    options: bool,
    suspicions: usize,
    milliseconds: u64,
    execution: u64,
}

/// No more transformations are stacked than fit any program.
const MOST_DOUBLINGS: usize = 12;

impl Knobs {
    fn read(settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(NAME, setting, allowed);
        let per_check = settings.choice(NAME, &ORACLE, &["checks", "verdict"])? == "checks";
        Ok(Knobs {
            rounds: number(&ROUNDS, 1..=usize::MAX)?,
            idle: number(&IDLE, 1..=usize::MAX)?,
            doublings: number(&DOUBLINGS, 0..=MOST_DOUBLINGS)?,
            life: number(&LIFE, 0..=usize::MAX)?,
            annotations: number(&ANNOTATIONS, 1..=usize::MAX)?,
            calls: number(&CALLS, 1..=usize::MAX)?,
            per_check,
            knowledge: settings.choice(NAME, &KNOWLEDGE, &["on", "off"])? == "on" && per_check,
            options: settings.choice(NAME, &OPTIONS, &["on", "off"])? == "on",
            suspicions: number(&SUSPICIONS, 0..=usize::MAX)?,
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
            execution: number(&EXECUTION, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    manual: include_str!("interrogation.md"),
    knobs: &[
        ROUNDS,
        IDLE,
        DOUBLINGS,
        LIFE,
        ANNOTATIONS,
        CALLS,
        ORACLE,
        KNOWLEDGE,
        OPTIONS,
        SUSPICIONS,
        MILLISECONDS,
        EXECUTION,
    ],
    check_knobs: |settings| Knobs::read(settings).map(drop),
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 1,
    stance,
    open: &open,
    judge: Judge {
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: features::features,
    },
    passes: shrink::PASSES,
    with_text: Some(shrink::with_text),
};

/// Analyzers that run programs are judges, and those that drop paths by design may contradict themselves.
fn stance(analyzer: &AnalyzerInfo) -> Stance {
    match analyzer.reachability() {
        Some(role)
            if is_interrogable(role) && !role.executes && role.approximation != Approximation::Neither =>
        {
            Stance::SubjectAndWitness
        }
        Some(_) => Stance::OnRequest,
        None => Stance::No,
    }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(opening.settings)?;
    let mut random = opening.random;
    let seed = opening.seed;
    let material = match Material::new(&seed.name, &seed.text, seed.data_model) {
        Ok(material) => material,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let taker = |subject: &AnalyzerInfo| {
        let role = subject.reachability().cloned()?;
        (is_interrogable(&role) && role.data_models.contains(&seed.data_model))
            .then(|| (subject.clone(), role))
    };
    let mut takers: Vec<(AnalyzerInfo, ReachabilityInfo)> =
        opening.lineup.subjects.iter().filter_map(taker).collect();
    // Analyzers that are there for other techniques are interrogated only if there is nobody else.
    if takers.iter().any(|(member, _)| stance(member).is_default_subject()) {
        takers.retain(|(member, _)| stance(member).is_default_subject());
    }
    Ok(match random.choose(&takers).cloned() {
        Some((subject, role)) => Box::new(Walk::new(material, subject, role, opening.lineup, knobs, random)),
        None => {
            let detail = format!("{}: {}", seed.name, seed.data_model);
            Box::new(SkippedCase::new("no analyzer under test takes the seed's data model", detail))
        }
    })
}

/// Whoever only shows what can happen never calls a check verified, so that there is nothing to contradict.
fn is_interrogable(role: &ReachabilityInfo) -> bool {
    role.approximation != Approximation::Under
}
