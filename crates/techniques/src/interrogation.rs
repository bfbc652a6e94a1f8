//! `interrogation`: a verifier contradicts its own history. The manual page is `interrogation.md`.

mod annotated;
mod condition;
mod counts;
mod features;
mod judge;
mod knowledge;
mod material;
mod observation;
mod relation;
mod shrink;
mod transform;
mod walk;
mod weigh;

use crate::case::SkippedCase;
use crate::knobs::knobs;
use crate::subjects::{supporting, unsupported_data_model};
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, Trial, Trials, every_query};
use material::Material;
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, Approximation, Language, ReachabilityInfo, Relation, SettingError,
};
use relation::InterrogationRelation;
use walk::Walk;

const NAME: &str = "interrogation";

knobs! {
    struct Knobs {
        "rounds" rounds: usize = "2000", number(1..=usize::MAX), "queries per seed";
        "idle" idle: usize = "100", number(1..=usize::MAX),
            "number of consecutive queries that add nothing to the knowledge base after which a seed is abandoned";
        "doublings" doublings: usize = "4", number(0..=MOST_DOUBLINGS),
            "a query is made by at most 2 to the power of this many transformations";
        "life" life: usize = "250", number(0..=usize::MAX),
            "number of times a known program is changed before another replaces it; 0 means no limit";
        "annotations" annotations: usize = "24", number(1..=usize::MAX),
            "greatest number of checks and assumptions in a program";
        "calls" calls: usize = "6", number(1..=usize::MAX),
            "greatest number of checks in a program for analyzers that run once for each check";
        "oracle" per_check: bool = "checks", words("checks" => true, "verdict" => false),
            "what is compared; verdict means only the verdict on whole programs, as metamorphic testing does";
        "knowledge" knowledge: bool = "on", switch(),
            "continue from earlier programs; always off with oracle=verdict";
        "options" options: bool = "on", switch(), "draw options of the analyzer for each seed";
        "suspicions" suspicions: usize = "1", number(0..=usize::MAX),
            "how many suspicions of imprecision a seed may report; contradictions are always reported";
        "milliseconds" milliseconds: u64 = "10000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
        "execution" execution: u64 = "2000", number(ALLOWED_MILLISECONDS),
            "wall time for executing a program, in milliseconds";
    }
}

/// No more transformations are stacked than fit any program.
const MOST_DOUBLINGS: usize = 12;

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    seed_language: Language::C,
    manual: include_str!("interrogation.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 1,
    shares: counts::SHARES,
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<InterrogationRelation>,
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: features::features,
    },
    passes: shrink::PASSES,
    with_text: Some(shrink::with_text),
    trials: TRIALS,
};

const TRIALS: Trials = Trials {
    twin: Some(Trial { knobs: &[("rounds", "12")], ..trial(&["liar-c:lie=none"]) }),
    liars: &[Trial { knobs: &[("rounds", "30")], ..trial(&["liar-c:lie=signed"]) }],
};

const fn trial(subjects: &'static [&'static str]) -> Trial {
    let seed = Some("planted/signed.c");
    Trial { seed, witnesses: &["execute-c", "exact-c"], random_seed: 5, ..Trial::of(subjects, 1) }
}

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
    let mut knobs = Knobs::read(NAME, opening.settings)?;
    knobs.knowledge &= knobs.per_check;
    let mut random = opening.random;
    let seed = opening.seed;
    let material = match Material::new(&seed.name, &seed.text, seed.data_model) {
        Ok(material) => material,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let role = |subject: &AnalyzerInfo| {
        let is_usable =
            |role: &&ReachabilityInfo| is_interrogable(role) && role.data_models.contains(&seed.data_model);
        subject.reachability().filter(is_usable).cloned()
    };
    let mut subjects = supporting(opening.lineup, role);
    // Analyzers that are there for other techniques are interrogated only if there are no others.
    if subjects.iter().any(|(subject, _)| stance(subject).is_default_subject()) {
        subjects.retain(|(subject, _)| stance(subject).is_default_subject());
    }
    Ok(match random.choose(&subjects).cloned() {
        Some((subject, role)) => Box::new(Walk::new(material, subject, role, opening.lineup, knobs, random)),
        None => unsupported_data_model(seed),
    })
}

/// An analyzer that only shows what can happen never calls a check verified, so it cannot contradict itself.
fn is_interrogable(role: &ReachabilityInfo) -> bool {
    role.approximation != Approximation::Under
}
