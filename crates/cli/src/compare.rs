//! `juvenal compare`: analyzers, configurations and versions side by side, on the same checks of the same programs, or
//! solvers on the same scripts.

use crate::analyzer::refuse_bad_choices;
use crate::how_to_continue::how_to_continue;
use crate::knobs::{parse_settings, refuse_idle_settings};
use crate::lineup::{self, ResolvedLineup, identities};
use crate::open_campaign::{Again, Opened, Ready, open, open_for_reading};
use crate::option_values::{at_least_one, cores, free_directory, parse_duration};
use crate::seed_choice::{absolute_paths, describe_seeds, find_seeds};
use crate::status::{self, counted};
use crate::unit::{ByProcess, JobName};
use crate::{screen, shell};
use anyhow::{Context, Result, bail};
use campaign::{Budget, Campaign, Compare, ComparePlan, Plan, Progress, Stop};
use comparison::{AnswerCondition, SHOWN_ISSUES};
use engine::{Journal, Locator};
use model::{Comparison, ComparisonDomain};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Store;
use techniques::Technique;

/// The technique that compares verifiers of C programs.
const OF_PROGRAMS: &Technique = &techniques::differential::TECHNIQUE;
/// The technique that compares SMT solvers.
const OF_SCRIPTS: &Technique = &techniques::solver_differential::TECHNIQUE;

#[derive(clap::Args)]
pub struct Arguments {
    /// An existing comparison to show or to continue; recorded answers are reused
    directory: Option<PathBuf>,
    /// An analyzer to compare: NAME, NAME@VERSION, NAME=PATH or ./FILE.toml, each optionally followed by :key=value,…; with
    /// a directory, an analyzer to add
    #[arg(long = "analyzer", value_name = "ANALYZER")]
    analyzers: Vec<String>,
    /// A C program, an SMT-LIB script for solvers, or a directory of these; by default, the seeds that come with juvenal
    #[arg(long, value_name = "PATH", conflicts_with = "directory")]
    seeds: Vec<PathBuf>,
    /// The number from which all random choices are derived
    #[arg(long, default_value_t = 0, conflicts_with = "directory")]
    seed: u64,
    /// The maximum time, such as 60s, 10m or 2h; unlimited by default
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The number of cases, each a walk over one seed; one per seed by default
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// The number of cases that run in parallel; one per core by default
    #[arg(long, value_parser = at_least_one::<usize>())]
    jobs: Option<usize>,
    /// The directory to create; by default juvenal-out, or the next free name
    #[arg(long, value_name = "DIR", conflicts_with = "directory")]
    out: Option<PathBuf>,
    /// A knob, differential.KEY=VALUE, or solver_differential.KEY=VALUE for solvers; `juvenal explain differential` and
    /// `juvenal explain solver_differential` list them
    #[arg(long = "set", value_name = "KNOB", conflicts_with = "directory")]
    settings: Vec<String>,
    /// Show this check in full: its program or script, and what every analyzer said
    #[arg(long, value_name = "NUMBER", requires = "directory")]
    check: Option<u64>,
    /// List the checks to which an analyzer gives this answer: safe, unsafe or unknown, as in A=safe; for scripts, unsat, sat
    /// or unknown. May be repeated; all conditions must hold
    #[arg(long = "where", value_name = "LETTER=WORD", requires = "directory")]
    conditions: Vec<AnswerCondition>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Run every case in a process of its own
    #[arg(long, hide = true)]
    unit_processes: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    if let (Some(directory), true) = (&arguments.directory, arguments.only_looks()) {
        return look(directory, arguments);
    }
    let opened = match &arguments.directory {
        Some(directory) => go_on(directory, arguments)?,
        None => begin(arguments)?,
    };
    let ready = opened.ready()?;
    let (mut comparison, progress) = compare(arguments, &ready, Journal::ReadAndWrite)?;
    comparison.weaknesses = ready.opened.store.directory.weaknesses()?;
    let is_kept = write_files(&ready.opened.store, &comparison, &progress)?;
    if arguments.json {
        screen::json().write_all(comparison::json_report(&comparison)?.as_bytes())?;
        return Ok(0);
    }
    if !comparison.checks.is_empty() {
        say(&comparison::terminal_tables(&comparison, SHOWN_ISSUES))?;
        say("\n")?;
    }
    say(&ending(&ready.opened, &comparison, &progress, is_kept))?;
    Ok(if comparison.checks.is_empty() { NOTHING } else { 0 })
}

impl Arguments {
    /// True if recorded answers are only shown.
    fn only_looks(&self) -> bool {
        self.check.is_some() || !self.conditions.is_empty()
    }
}

/// Shows what is recorded, without running any analyzer.
fn look(directory: &Path, arguments: &Arguments) -> Result<u8> {
    let again = Again { analyzers: arguments.analyzers.clone() };
    let opened = open_for_reading(directory, &again)?;
    refuse_others(directory, &opened)?;
    let (comparison, _) = compare(arguments, &opened.ready()?, Journal::ReadOnly)?;
    if let Some(number) = arguments.check {
        return show_check(&comparison, number);
    }
    say(&comparison::checks_where(&comparison, &arguments.conditions).map_err(anyhow::Error::msg)?)
}

/// Refuses a campaign that is not a comparison.
fn refuse_others(directory: &Path, opened: &Opened) -> Result<()> {
    if technique_of(opened).is_none() {
        bail!(
            "{} is a campaign with {}, not a comparison; start a comparison in another directory",
            directory.display(),
            opened.plan.techniques().join(", ")
        );
    }
    Ok(())
}

/// The exit code if nothing was compared.
const NOTHING: u8 = 3;

/// Makes a new comparison.
fn begin(arguments: &Arguments) -> Result<Opened> {
    let settings = parse_settings(&arguments.settings)?;
    let locator = lineup::locator()?;
    let technique = technique_for(&locator, &arguments.analyzers)?;
    let techniques = vec![technique];
    technique.check_knobs(&settings)?;
    refuse_idle_settings(&settings, &techniques)?;
    let paths = absolute_paths(&arguments.seeds)?;
    let seeds = find_seeds(&paths, &[technique.language])?;
    let chosen = ResolvedLineup::resolve(&locator, &techniques, &arguments.analyzers, &[])?;
    refuse_few(&chosen, technique)?;
    refuse_bad_choices(&chosen.subjects)?;
    let plan = Plan {
        juvenal: env!("CARGO_PKG_VERSION").to_owned(),
        random_seed: arguments.seed,
        jobs: arguments.jobs.unwrap_or_else(cores),
        lineup: chosen.plan(),
        seeds: describe_seeds(&paths, &seeds),
        settings,
        hunt: None,
        compare: Some(ComparePlan {
            technique: technique.name.to_owned(),
            cases: arguments.cases.unwrap_or(seeds.count_of(technique.language) as u64),
        }),
        tune: None,
        split: None,
    };
    let out = arguments.out.clone().unwrap_or_else(free_directory);
    let store = Store::create(&out, &plan.text()?)?;
    Ok(Opened { plan, store, chosen, techniques })
}

/// The technique that suits all named analyzers; without names, that for C programs if two verifiers are installed.
fn technique_for(locator: &Locator, analyzers: &[String]) -> Result<&'static Technique> {
    if analyzers.is_empty() {
        let verifiers = ResolvedLineup::resolve(locator, &[OF_PROGRAMS], analyzers, &[])?;
        let are_enough = !verifiers.demonstration && verifiers.subjects.len() >= 2;
        return Ok(if are_enough { OF_PROGRAMS } else { OF_SCRIPTS });
    }
    let mut named = Vec::new();
    for text in analyzers {
        named.push(lineup::resolve_given(locator, text)?.member);
    }
    let solver = named.iter().find(|member| OF_SCRIPTS.stance_towards(member).can_be_subject());
    let other = named.iter().find(|member| !OF_SCRIPTS.stance_towards(member).can_be_subject());
    match (solver, other) {
        (Some(solver), Some(other)) => bail!(
            "{} is an SMT solver and {} is not; compare solvers with solvers and verifiers with verifiers",
            solver.id,
            other.id
        ),
        (Some(_), None) => Ok(OF_SCRIPTS),
        (None, _) => Ok(OF_PROGRAMS),
    }
}

/// The technique of an existing comparison.
fn technique_of(opened: &Opened) -> Option<&'static Technique> {
    // A search of `tune` has a technique, too.
    if opened.plan.tune.is_some() {
        return None;
    }
    let [name] = &opened.plan.techniques()[..] else { return None };
    [OF_PROGRAMS, OF_SCRIPTS].into_iter().find(|technique| technique.name == name)
}

/// Opens a comparison, and adds the named analyzers that it does not have yet.
fn go_on(directory: &Path, arguments: &Arguments) -> Result<Opened> {
    let again = Again { analyzers: arguments.analyzers.clone() };
    let mut opened = open(directory, &again)?;
    refuse_others(directory, &opened)?;
    let planned = match (&mut opened.plan.compare, &mut opened.plan.hunt) {
        (Some(compare), _) => Some(&mut compare.cases),
        (None, Some(hunt)) => hunt.cases.as_mut(),
        (None, None) => None,
    };
    if let (Some(cases), Some(planned)) = (arguments.cases, planned)
        && cases > *planned
    {
        *planned = cases;
        opened.store.directory.write_campaign(&opened.plan.text()?)?;
    }
    let named = ResolvedLineup::resolve(&lineup::locator()?, &opened.techniques, &arguments.analyzers, &[])?;
    let is_new = |it: &&engine::Resolved| !opened.plan.lineup.subjects.contains(&it.member.id.to_string());
    let added: Vec<engine::Resolved> = match arguments.analyzers.is_empty() {
        true => Vec::new(),
        false => named.subjects.iter().filter(is_new).cloned().collect(),
    };
    if added.is_empty() {
        return Ok(opened);
    }
    if !opened.store.ledger.cases()?.is_empty() {
        bail!(
            "this comparison has already been turned into findings, so no analyzer can be added; compare {} in another directory",
            identities(&added).join(", ")
        );
    }
    refuse_bad_choices(&added)?;
    opened.plan.lineup.subjects.extend(identities(&added));
    for identity in named.by_hand {
        if !opened.plan.lineup.by_hand.contains(&identity) {
            opened.plan.lineup.by_hand.push(identity);
        }
    }
    opened.chosen.subjects.extend(added);
    opened.store.directory.write_campaign(&opened.plan.text()?)?;
    Ok(opened)
}

fn refuse_few(chosen: &ResolvedLineup, technique: &Technique) -> Result<()> {
    if chosen.subjects.len() < 2 {
        let only = identities(&chosen.subjects).join(", ");
        let [first, second] = technique.language.kind().example_analyzers;
        bail!(
            "a comparison needs two analyzers, but there is only {only}; name more, such as --analyzer {first} --analyzer {second}, or see `{} doctor`",
            shell::juvenal()
        );
    }
    Ok(())
}

fn compare(arguments: &Arguments, ready: &Ready, journal: Journal) -> Result<(Comparison, Progress)> {
    let plan = &ready.opened.plan;
    let requested = process::end_runs_on_interrupt();
    let directory = ready.opened.store.directory.path();
    let watcher = status::watcher_before_a_table(arguments.json, directory, requested);
    let cases = plan.compare.as_ref().map(|compare| compare.cases).or(plan.hunt().cases);
    let cases = cases.unwrap_or(plan.seeds.count as u64);
    let stop = Stop { requested, budget: Budget::starting_now(arguments.time, Some(cases)) };
    let campaign = ready.campaign(stop, watcher.as_watcher());
    let campaign = Campaign { jobs: arguments.jobs.unwrap_or(plan.jobs), ..campaign };
    let job = Compare::new(&campaign)?;
    let texts = &ready.opened.chosen.texts_by_hand;
    let compared = match arguments.unit_processes && journal == Journal::ReadAndWrite {
        true => {
            let job = ByProcess::new(job, JobName::Compare, &campaign, texts);
            campaign::compare_by(&campaign, journal, &job)
        }
        false => campaign::compare_by(&campaign, journal, &job),
    };
    let compared = compared.with_context(|| how_to_continue("compare", ready))?;
    watcher.clear();
    Ok(compared)
}

/// The file whose presence says that the files of a comparison are complete.
const COMPLETE: &str = "complete.txt";

/// Writes the comparison as CSV, JSON and HTML. The files of a complete comparison are not replaced by those of an
/// interrupted one; returns false in that case.
fn write_files(store: &Store, comparison: &Comparison, progress: &Progress) -> Result<bool> {
    let is_complete = progress.broken_off == 0;
    if !is_complete && store.directory.has_file(COMPLETE)? {
        return Ok(false);
    }
    let write = |name: &str, text: String| store.directory.write_file(Path::new(name), text.as_bytes());
    write("checks.csv", comparison::checks_csv(comparison))?;
    write("matrices.csv", comparison::matrices_csv(comparison))?;
    write("compare.json", comparison::json_report(comparison)?)?;
    write("compare.html", comparison::html_page(comparison))?;
    if is_complete {
        write(
            COMPLETE,
            "The other files in this directory are those of a complete comparison.\n".to_owned(),
        )?;
    }
    Ok(true)
}

fn show_check(comparison: &Comparison, number: u64) -> Result<u8> {
    let found = comparison.checks.iter().find(|check| check.number == number);
    let noun = match comparison.language {
        ComparisonDomain::C => "check",
        ComparisonDomain::Smt => "script",
    };
    let check = found.with_context(|| {
        format!("there is no {noun} {number}; the comparison has {} of them", comparison.checks.len())
    })?;
    say(&comparison::check_in_full(comparison, check))
}

/// The last lines of the output: figures, skipped seeds, and what to do next.
fn ending(opened: &Opened, comparison: &Comparison, progress: &Progress, is_kept: bool) -> String {
    let language = comparison.language;
    let directory = shell::word(&opened.store.directory.path().display().to_string());
    let juvenal = shell::juvenal();
    let mut lines = vec![format!(
        "{} {} in {:.0} s; {} new queries, {} answered from the cache.",
        progress.cases,
        match (language, progress.cases) {
            (ComparisonDomain::C, 1) => "program",
            (ComparisonDomain::C, _) => "programs",
            (ComparisonDomain::Smt, 1) => "seed",
            (ComparisonDomain::Smt, _) => "seeds",
        },
        progress.seconds,
        progress.tally.asked,
        progress.tally.recalled
    )];
    for (reason, count) in &progress.skipped {
        let example = progress.skip_examples.get(reason).map_or("", String::as_str);
        lines.push(format!("Skipped {}: {reason} (such as {example}).", counted(*count, "case")));
    }
    if progress.broken_off > 0 {
        let left = counted(progress.broken_off, "case");
        lines.push(format!("Interrupted with {left} left; all answers so far are stored."));
        lines.push(format!("Continue:      {juvenal} compare {directory}"));
    }
    if !is_kept {
        lines.push("The files in the directory still show the last complete comparison.".to_owned());
    }
    if comparison.checks.is_empty() {
        return lines.join("\n") + "\n";
    }
    lines.push(String::new());
    let first = comparison::first_disputed(comparison);
    lines.push(format!("Show a check:  {juvenal} compare {directory} --check {first}"));
    lines.push(format!("Web page:      {directory}/compare.html"));
    lines.push(format!("Add another:   {juvenal} compare {directory} --analyzer NAME"));
    lines.push(format!("Bug reports:   {juvenal} resume {directory}"));
    lines.join("\n") + "\n"
}

fn say(text: &str) -> Result<u8> {
    screen::out().write_all(text.as_bytes())?;
    Ok(0)
}
