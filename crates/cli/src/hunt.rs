//! `juvenal hunt`: the main job.

use crate::analyzer::refuse_bad_choices;
use crate::lineup::{self, ResolvedLineup};
use crate::sample::sample;
use crate::summary::Summary;
use crate::{shell, shipped, status};
use analyzers::Catalogue;
use anyhow::{Context, Result, bail};
use campaign::{Budget, Campaign, Plan, SeedPlan, USUAL_CANDIDATES};
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use engine::{Engine, SeedFiles, Specification};
use model::{Hash, Language, Settings};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::Store;
use techniques::Technique;

/// What makes a hunt exit with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Soundness findings only
    Soundness,
    /// Any finding
    Any,
    /// Nothing
    Never,
}

/// How it is told.
#[derive(clap::Args)]
pub struct OutputOptions {
    /// Print one JSON event a line instead of the status
    #[arg(long)]
    pub json: bool,
    /// Which findings make the exit code 1
    #[arg(long, value_enum, default_value = "any")]
    pub fail_on: FailOn,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// The techniques; all that have something to ask an analyzer under test if none is given
    techniques: Vec<String>,
    /// An analyzer under test: NAME, NAME@VERSION, NAME=PATH, a description ./FILE.toml, or ./FILE.toml=PATH,
    /// each with :key=value,… behind it; the newest version of each on the machine if none is given
    #[arg(long = "analyzer", value_name = "ANALYZER")]
    analyzers: Vec<String>,
    /// An analyzer that helps to judge; all others on the machine if none is given
    #[arg(long = "witness", value_name = "ANALYZER")]
    witnesses: Vec<String>,
    /// A seed file (.smt2, .c, .i, .dl, or a .yml task of SV-COMP) or a directory of seeds; those that come with
    /// juvenal if none is given
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// The number from which everything random comes; another number is another hunt
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How long to hunt, such as 60s, 10m, 2h; 60s if neither this nor --cases is given
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// How many cases to run
    #[arg(long)]
    cases: Option<u64>,
    /// How many cases run at once; one for each core if not given
    #[arg(long, value_parser = at_least_one())]
    jobs: Option<usize>,
    /// How many smaller candidates are tried for each finding; 0 leaves findings as they were found, and
    /// `juvenal reduce` shrinks them later
    #[arg(long, value_name = "COUNT", default_value_t = USUAL_CANDIDATES)]
    candidates: usize,
    /// The campaign directory; juvenal-out, or the next free name, if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A knob of a technique, TECHNIQUE.KEY=VALUE; `juvenal explain TECHNIQUE` lists them
    #[arg(long = "set", value_name = "KNOB")]
    settings: Vec<String>,
    #[command(flatten)]
    telling: OutputOptions,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let settings = parse_settings(&arguments.settings)?;
    let techniques = choose_techniques(&arguments.techniques)?;
    for technique in &techniques {
        (technique.check_knobs)(&settings)?;
    }
    let seed_paths = absolute_paths(&arguments.seeds)?;
    let seeds = find_seeds(&seed_paths, &languages_of(&techniques))?;
    let techniques = with_seeds(techniques, &seeds);
    let locator = lineup::locator()?;
    let chosen = ResolvedLineup::resolve(&locator, &techniques, &arguments.analyzers, &arguments.witnesses)?;
    let were_named = !arguments.techniques.is_empty();
    let techniques = with_takers(techniques, &chosen, were_named, arguments.analyzers.is_empty())?;
    refuse_idle_settings(&settings, &techniques)?;
    refuse_bad_choices(&chosen.subjects)?;
    let seeds = seeds.only(&languages_of(&techniques));
    let time = match (arguments.time, arguments.cases) {
        (None, None) => Some(Duration::from_secs(60)),
        (time, _) => time,
    };
    let plan = Plan {
        juvenal: env!("CARGO_PKG_VERSION").to_owned(),
        techniques: techniques.iter().map(|technique| technique.name.to_owned()).collect(),
        subjects: chosen.subjects.iter().map(|resolved| resolved.member.id.to_string()).collect(),
        witnesses: chosen.witnesses.iter().map(|resolved| resolved.member.id.to_string()).collect(),
        by_hand: chosen.by_hand.clone(),
        demonstration: chosen.demonstration,
        random_seed: arguments.seed,
        seconds: time.map(|time| time.as_secs_f64()),
        cases: arguments.cases,
        jobs: arguments.jobs.unwrap_or_else(cores),
        candidates: arguments.candidates,
        seeds: describe_seeds(&seed_paths, &seeds),
        settings,
    };
    let out = arguments.out.clone().unwrap_or_else(free_directory);
    let store = Store::create(&out, &plan.text()?)?;
    carry_out(&plan, &store, &chosen, &techniques, &seeds, &arguments.telling)
}

/// Runs a planned campaign, new or resumed, and says how it went.
pub fn carry_out(
    plan: &Plan,
    store: &Store,
    chosen: &ResolvedLineup,
    techniques: &[&'static Technique],
    seeds: &SeedFiles,
    telling: &OutputOptions,
) -> Result<u8> {
    let engine = Engine::new(chosen.everybody())?;
    let stop = process::stop_on_interrupt();
    let watcher = status::watcher(telling.json, store.directory.path(), stop);
    watcher.started(plan, chosen, &engine.isolation());
    let campaign = Campaign {
        engine: &engine,
        store,
        techniques: techniques.iter().map(|technique| *technique).collect(),
        lineup: &chosen.lineup(),
        seeds,
        settings: &plan.settings,
        random_seed: plan.random_seed,
        jobs: plan.jobs,
        reduce_candidates: plan.candidates,
        budget: Budget::starting_now(time_of(plan)?, plan.cases),
        stop,
        watcher: watcher.as_watcher(),
    };
    let progress = campaign.run()?;
    watcher.clear();
    let interrupted = stop.load(Ordering::SeqCst);
    let sample = match progress.has_judged() {
        true => None,
        false => sample(plan, store, &engine, chosen, techniques, seeds)?,
    };
    let summary = Summary { plan, store, chosen, progress: &progress, interrupted, sample };
    if telling.json {
        summary.print_json()?
    } else {
        summary.print()?
    }
    Ok(summary.exit_code(telling.fail_on))
}

fn time_of(plan: &Plan) -> Result<Option<Duration>> {
    let read =
        |seconds| Duration::try_from_secs_f64(seconds).context("the time in campaign.toml makes no sense");
    plan.seconds.map(read).transpose()
}

/// The techniques by name, each once; all if none is named.
pub fn choose_techniques(names: &[String]) -> Result<Vec<&'static Technique>> {
    if names.is_empty() {
        return Ok(techniques::all().to_vec());
    }
    let mut chosen: Vec<&'static Technique> = Vec::new();
    for name in names {
        let Some(technique) = techniques::find(techniques::all(), name) else {
            bail!("there is no technique `{name}`; {}", instead_of_technique(name));
        };
        if chosen.iter().all(|other| other.name != technique.name) {
            chosen.push(technique);
        }
    }
    Ok(chosen)
}

/// The languages of the techniques, each once.
pub fn languages_of(techniques: &[&'static Technique]) -> Vec<Language> {
    let taken = |language: &Language| techniques.iter().any(|technique| technique.language == *language);
    Language::ALL.into_iter().filter(taken).collect()
}

/// The techniques that have seeds in their language. The others are left out, which is said.
fn with_seeds(techniques: Vec<&'static Technique>, seeds: &SeedFiles) -> Vec<&'static Technique> {
    let mut kept = Vec::new();
    for technique in techniques {
        let language = technique.language;
        if seeds.count_of(language) > 0 {
            kept.push(technique);
        } else {
            let endings = language.endings().join(", .");
            eprintln!("juvenal: {} is left out: no seed is in {language} (.{endings})", technique.name);
        }
    }
    kept
}

/// The techniques that have something to ask an analyzer under test. Which of the others are left out is said if the
/// user named them.
fn with_takers(
    techniques: Vec<&'static Technique>,
    chosen: &ResolvedLineup,
    were_named: bool,
    are_usual: bool,
) -> Result<Vec<&'static Technique>> {
    // An analyzer that nobody asked for is asked only by the techniques that suspect it.
    let has_taker = |technique: &&Technique| {
        let members = chosen.subjects.iter().map(|it| &it.member);
        let is_asked = |it: &&model::AnalyzerInfo| {
            let stance = (technique.stance)(it);
            if are_usual && !chosen.demonstration {
                stance.is_default_subject()
            } else {
                stance.can_be_subject()
            }
        };
        members.filter(is_asked).count() >= technique.least_subjects
    };
    let (kept, left_out): (Vec<_>, Vec<_>) = techniques.into_iter().partition(has_taker);
    let names: Vec<&str> = left_out.iter().map(|technique| technique.name).collect();
    if kept.is_empty() {
        if let [technique] = left_out.as_slice()
            && technique.least_subjects > 1
        {
            bail!(
                "{} needs {} analyzers under test that it can ask; name more with --analyzer, or see `{} doctor`",
                technique.name,
                technique.least_subjects,
                shell::juvenal()
            );
        }
        bail!(
            "no analyzer under test can be asked by {}; `{} doctor` says which are here and how to get others",
            names.join(", "),
            shell::juvenal()
        );
    }
    for technique in left_out.iter().filter(|_| were_named) {
        let (name, least) = (technique.name, technique.least_subjects);
        let whom = if least > 1 { format!("fewer than {least}") } else { "none".to_owned() };
        eprintln!("juvenal: {name} is left out: it can ask {whom} of the analyzers under test");
    }
    Ok(kept)
}

/// What somebody may have meant by a name that no technique has.
fn instead_of_technique(name: &str) -> String {
    if is_analyzer(name) {
        let juvenal = shell::juvenal();
        return format!("to hunt the analyzer {name}: {juvenal} hunt --analyzer {}", shell::word(name));
    }
    let known: Vec<&str> = techniques::all().iter().map(|technique| technique.name).collect();
    format!("there is {}", known.join(", "))
}

fn is_analyzer(text: &str) -> bool {
    let Ok(specification) = Specification::parse(text) else { return false };
    let name = specification.name.as_str();
    let is_shipped = || Catalogue::shipped().is_ok_and(|catalogue| catalogue.find(name).is_ok());
    let is_built_in = analyzers::built_in_page(name).is_some();
    specification.is_file() || is_built_in || analyzers::benchexec_module(name).is_some() || is_shipped()
}

/// Reads `--set TECHNIQUE.KEY=VALUE` and refuses knobs that nobody has.
pub fn parse_settings(texts: &[String]) -> Result<Settings> {
    let mut settings = BTreeMap::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=') else {
            bail!("--set {text}: expected TECHNIQUE.KEY=VALUE");
        };
        let technique = name.split_once('.').and_then(|(technique, key)| {
            let technique = techniques::find(techniques::all(), technique)?;
            technique.knobs.iter().find(|setting| setting.key == key)
        });
        if technique.is_none() {
            let known: Vec<String> = techniques::all()
                .iter()
                .flat_map(|it| it.knobs.iter().map(|knob| format!("{}.{}", it.name, knob.key)))
                .collect();
            let suffix = format!(".{name}");
            match known.iter().find(|knob| knob.ends_with(&suffix)) {
                Some(meant) => bail!("--set {text}: there is no knob `{name}`; did you mean `{meant}`?"),
                None => bail!("--set {text}: there is no knob `{name}`; {}", known_knobs(name)),
            }
        }
        settings.insert(name.to_owned(), value.to_owned());
    }
    Ok(Settings(settings))
}

/// The knobs of the technique that is meant, or where to read about all of them.
fn known_knobs(name: &str) -> String {
    let technique = name.split_once('.').map_or(name, |(technique, _)| technique);
    match techniques::find(techniques::all(), technique) {
        Some(technique) => {
            let keys: Vec<String> =
                technique.knobs.iter().map(|it| format!("{}.{}", technique.name, it.key)).collect();
            format!("there is {}", keys.join(", "))
        }
        None => {
            let names: Vec<&str> = techniques::all().iter().map(|it| it.name).collect();
            format!("`juvenal explain TECHNIQUE` lists those of {}", names.join(", "))
        }
    }
}

/// What to do where Csmith is missing.
pub const CSMITH_HINT: &str = "try `apt-get install csmith libcsmith-dev`";

/// Refuses knobs that would do nothing: those of techniques that are not used, and Csmith's where it is not here.
pub fn refuse_idle_settings(settings: &Settings, techniques: &[&'static Technique]) -> Result<()> {
    let is_idle = |name: &&String| {
        let technique = name.split_once('.').map_or("", |(technique, _)| technique);
        techniques.iter().all(|used| used.name != technique)
    };
    if let Some(name) = settings.0.keys().find(is_idle) {
        let used: Vec<&str> = techniques.iter().map(|technique| technique.name).collect();
        bail!("--set {name}: this knob would do nothing; the techniques used here: {}", used.join(", "));
    }
    let wants_csmith =
        |(name, value): &(&String, &String)| name.ends_with(".csmith") && value.as_str() != "0";
    if let Some((name, value)) = settings.0.iter().find(wants_csmith)
        && engine::csmith().is_none()
    {
        bail!("--set {name}={value}: Csmith or its headers are not here; {CSMITH_HINT}");
    }
    Ok(())
}

/// The paths as they are known in every directory.
fn absolute_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).with_context(|| format!("cannot tell where {} is", path.display()))
    };
    paths.iter().map(absolute).collect()
}

/// The seeds of these languages at the paths, or those that come with juvenal.
pub fn find_seeds(paths: &[PathBuf], languages: &[Language]) -> Result<SeedFiles> {
    if paths.is_empty() {
        return Ok(SeedFiles::shipped(shipped::SEEDS).only(languages));
    }
    SeedFiles::find(paths, languages)
}

/// What is written down of the seeds.
pub fn describe_seeds(paths: &[PathBuf], seeds: &SeedFiles) -> SeedPlan {
    let names = (0..seeds.count()).map(|place| seeds.name(place).as_bytes());
    let identity = Hash::of_parts(names).to_string();
    SeedPlan {
        paths: paths.iter().map(|path| path.display().to_string()).collect(),
        count: seeds.count(),
        identity,
    }
}

/// Reads a number of workers.
pub fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The first of juvenal-out, juvenal-out-2, … that does not exist.
pub fn free_directory() -> PathBuf {
    let mut number = 1u32;
    loop {
        let name = if number == 1 { "juvenal-out".to_owned() } else { format!("juvenal-out-{number}") };
        let path = PathBuf::from(name);
        if !path.exists() {
            return path;
        }
        number += 1;
    }
}

/// Reads 90s, 10m, 2h or 500ms.
pub fn parse_duration(text: &str) -> Result<Duration> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 =
        number.parse().with_context(|| format!("expected a time such as 60s, found `{text}`"))?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        "" => bail!("expected a time with its unit, such as {text}s or {text}m, found `{text}`"),
        _ => bail!("expected a time in ms, s, m or h, found `{text}`"),
    };
    let time =
        Duration::try_from_secs_f64(seconds).with_context(|| format!("the time `{text}` is too long"))?;
    if time.is_zero() {
        bail!("expected a time above zero, found `{text}`");
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, milliseconds) in [("60s", 60_000), ("1.5m", 90_000), ("2h", 7_200_000), ("5ms", 5)] {
            assert_eq!(parse_duration(text).unwrap(), Duration::from_millis(milliseconds), "{text}");
        }
        for text in ["", "s", "1d", "-1s", "1.2.3s", "0s", "0", "10"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn techniques_with_nothing_to_do_are_left_out() {
        let techniques: Vec<&'static Technique> = vec![&techniques::satisfiable::TECHNIQUE];
        assert_eq!(languages_of(&techniques), [Language::Smt]);
        for (language, kept) in [(Language::Smt, 1), (Language::C, 0)] {
            let seeds = SeedFiles::shipped(&[(language, &[("name", "text")])]);
            assert_eq!(with_seeds(techniques.clone(), &seeds).len(), kept, "{language}");
        }
        for (analyzer, is_kept) in [(analyzers::LIAR_SMT, true), ("", false)] {
            let locator = lineup::locator().unwrap();
            let resolve = |name| locator.resolve(&Specification::parse(name)?);
            let chosen = ResolvedLineup {
                subjects: resolve(analyzer).into_iter().collect(),
                witnesses: Vec::new(),
                by_hand: Vec::new(),
                texts_by_hand: Vec::new(),
                demonstration: false,
            };
            assert_eq!(with_takers(techniques.clone(), &chosen, true, false).is_ok(), is_kept, "{analyzer}");
        }
    }

    #[test]
    fn unknown_knobs_are_refused() {
        assert!(parse_settings(&["satisfiable.depth=3".to_owned()]).is_ok());
        assert!(parse_settings(&["satisfiable.deepness=3".to_owned()]).is_err());
        assert!(parse_settings(&["depth".to_owned()]).is_err());
    }

    #[test]
    fn knobs_of_techniques_that_are_not_used_are_refused() {
        let settings = parse_settings(&["satisfiable.depth=3".to_owned()]).unwrap();
        let runtime: &'static Technique = &techniques::runtime::TECHNIQUE;
        assert!(refuse_idle_settings(&settings, &[runtime, &techniques::satisfiable::TECHNIQUE]).is_ok());
        let message = refuse_idle_settings(&settings, &[runtime]).unwrap_err().to_string();
        assert!(message.contains("satisfiable.depth") && message.contains("used here: runtime"), "{message}");
    }
}
