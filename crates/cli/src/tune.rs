//! `juvenal tune`: searches for the best configuration of an analyzer for given programs.

mod output;

use crate::analyzer::refuse_bad_choices;
use crate::how_to_continue::how_to_continue;
use crate::lineup::{self, ResolvedLineup, identities};
use crate::open_campaign::{Again, Opened, open};
use crate::option_values::{at_least_one, cores, free_directory, one_of, parse_duration};
use crate::seed_choice::{absolute_paths, describe_seeds, find_seeds};
use crate::status;
use crate::{screen, shell};
use anyhow::{Context, Result, bail};
use campaign::{Budget, Campaign, Plan, Stop, Subject, TuneOptions, TunePlan, TuneState};
use descriptions::nearest;
use engine::{Locator, Resolved};
use model::{AnalyzerInfo, Limits, Parameter, Settings, Space};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Store;
use tuning::{Objective, RecipeSpace, SEARCHES, SearchKind, Tuned, Verdict, search_named};

/// The exit code if no program could be used.
const NOTHING: u8 = 3;
/// Checks that are generated for a program, and errors that are injected into one.
const USUAL_CHECKS: usize = 20;
const USUAL_ERRORS: usize = 6;
/// How long a search runs if neither a time nor CPU time is given.
const USUAL_TIME: Duration = Duration::from_secs(600);
/// The file with the recipe, which `--analyzer NAME:@FILE` takes.
const RECIPE_FILE: &str = "tuned.toml";

#[derive(clap::Args)]
pub struct Arguments {
    /// An existing search to continue; recorded answers are reused
    directory: Option<PathBuf>,
    /// The analyzer to tune: NAME, NAME@VERSION, NAME=PATH or ./FILE.toml, each optionally followed by :key=value,…; if
    /// repeated, the search also chooses among the analyzers
    #[arg(long = "analyzer", value_name = "ANALYZER")]
    analyzers: Vec<String>,
    /// An analyzer that helps to judge claims; by default, all other installed analyzers
    #[arg(long = "witness", value_name = "ANALYZER", conflicts_with = "directory")]
    witnesses: Vec<String>,
    /// A program or a directory of programs; by default, the seeds that come with juvenal
    #[arg(long, value_name = "PATH", conflicts_with = "directory")]
    seeds: Vec<PathBuf>,
    /// The maximum time of the analyzer for one program
    #[arg(long, value_parser = parse_duration, default_value = "60s", conflicts_with = "directory")]
    limit: Duration,
    /// The maximum memory of the analyzer for one program, in megabytes
    #[arg(long, value_parser = at_least_one::<u64>(), default_value_t = 4096, conflicts_with = "directory")]
    memory: u64,
    /// How long to search, such as 10m or 1h; 10m if neither this nor --cpu is given
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The CPU time of the analyzer to spend; unlike with --time, a search with the same answers takes the same steps
    #[arg(long, value_parser = parse_duration)]
    cpu: Option<Duration>,
    /// What to measure on each program; by default, what suits the analyzer
    #[arg(long, value_parser = one_of(&Subject::ALL, Subject::name, Subject::summary), conflicts_with = "directory")]
    subject: Option<Subject>,
    /// What to minimize
    #[arg(long, value_parser = one_of(&Objective::ALL, Objective::name, Objective::summary), default_value = "unresolved", conflicts_with = "directory")]
    objective: Objective,
    /// How to search
    #[arg(long, value_name = "NAME", long_help = searches_in_words(), default_value = SEARCHES[0].name, value_parser = known_search, conflicts_with = "directory")]
    search: String,
    /// An option to vary, and optionally its values: OPTION or OPTION=VALUE|VALUE; may be repeated, and then only these are
    /// varied
    #[arg(long, value_name = "OPTION", conflicts_with = "directory")]
    vary: Vec<String>,
    /// Also vary options that may make the analyzer unsound
    #[arg(long, conflicts_with = "directory")]
    unsound: bool,
    /// The maximum number of analyses in a recipe; they run in sequence, and each may assume what the earlier ones verified
    #[arg(long, value_parser = at_least_one::<usize>(), default_value_t = 1, conflicts_with = "directory")]
    ingredients: usize,
    /// The number of folds for cross-validation; 1 disables it
    #[arg(long, value_parser = at_least_one::<usize>(), default_value_t = 3, conflicts_with = "directory")]
    folds: usize,
    /// The maximum number of programs to use
    #[arg(long, value_parser = at_least_one::<usize>(), conflicts_with = "directory")]
    programs: Option<usize>,
    /// The number of checks to generate for a program without assertions [default: 20], or of errors to inject into a
    /// program [default: 6]
    #[arg(long, value_parser = at_least_one::<usize>(), conflicts_with = "directory")]
    checks: Option<usize>,
    /// The number from which all random choices are derived
    #[arg(long, default_value_t = 0, conflicts_with = "directory")]
    seed: u64,
    /// The number of programs that are analyzed in parallel; one per core by default
    #[arg(long, value_parser = at_least_one::<usize>())]
    jobs: Option<usize>,
    /// The maximum number of reduction candidates for each finding
    #[arg(long, value_name = "COUNT", default_value_t = 200, conflicts_with = "directory")]
    candidates: usize,
    /// The directory to create; by default juvenal-out, or the next free name
    #[arg(long, value_name = "DIR", conflicts_with = "directory")]
    out: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let opened = match &arguments.directory {
        Some(directory) => open_search(directory, &arguments.analyzers)?,
        None => begin(arguments)?,
    };
    carry_out(
        opened,
        &Continuation {
            time: arguments.time,
            cpu: arguments.cpu,
            jobs: arguments.jobs,
            json: arguments.json,
            analyzers: arguments.analyzers.clone(),
        },
    )
}

/// What may change when a search is continued.
pub struct Continuation {
    pub time: Option<Duration>,
    pub cpu: Option<Duration>,
    pub jobs: Option<usize>,
    pub json: bool,
    /// The analyzers as the user has just named them.
    pub analyzers: Vec<String>,
}

fn open_search(directory: &Path, analyzers: &[String]) -> Result<Opened> {
    let opened = open(directory, &Again { analyzers: analyzers.to_vec() })?;
    if opened.plan.tune.is_none() {
        bail!("{} is not a search of `tune`; start one in another directory", directory.display());
    }
    Ok(opened)
}

/// Makes a new search.
fn begin(arguments: &Arguments) -> Result<Opened> {
    if arguments.analyzers.is_empty() {
        bail!(
            "name the analyzer to tune, such as --analyzer frama-c; `{} doctor` lists what is installed",
            shell::juvenal()
        );
    }
    let locator = lineup::locator()?;
    let subject = match arguments.subject {
        Some(subject) => subject,
        None => usual_subject(&locator, &arguments.analyzers)?,
    };
    let technique = subject.technique();
    let techniques = subject.techniques();
    let chosen = ResolvedLineup::resolve(&locator, &techniques, &arguments.analyzers, &arguments.witnesses)?;
    refuse_bad_choices(&chosen.subjects)?;
    if arguments.ingredients > 1 && !matches!(subject, Subject::Checks | Subject::Alarms) {
        bail!("--ingredients: only for checks and alarms can a recipe consist of several analyses");
    }
    if subject == Subject::Alarms && arguments.analyzers.len() > 1 {
        bail!(
            "alarms of different analyzers cannot be told apart; name one analyzer, or use --subject checks"
        );
    }
    let plan = TunePlan {
        subject,
        objective: arguments.objective,
        search: arguments.search.clone(),
        folds: arguments.folds,
        ingredients: arguments.ingredients,
        limit_milliseconds: u64::try_from(arguments.limit.as_millis()).unwrap_or(u64::MAX),
        memory_megabytes: arguments.memory,
        seconds: match (arguments.time, arguments.cpu) {
            (None, None) => Some(USUAL_TIME.as_secs_f64()),
            (time, _) => time.map(|time| time.as_secs_f64()),
        },
        cpu_seconds: arguments.cpu.map(|cpu| cpu.as_secs_f64()),
        programs: arguments.programs,
        per_program: arguments.checks.unwrap_or(if subject == Subject::Errors {
            USUAL_ERRORS
        } else {
            USUAL_CHECKS
        }),
        vary: arguments.vary.clone(),
        unsound: arguments.unsound,
        candidates: arguments.candidates,
    };
    // A space with nothing to vary is refused before anything is made.
    space(&plan, &chosen.subjects)?;
    let paths = absolute_paths(&arguments.seeds)?;
    let seeds = find_seeds(&paths, &[technique.seed_language])?;
    let plan = Plan {
        juvenal: env!("CARGO_PKG_VERSION").to_owned(),
        random_seed: arguments.seed,
        jobs: arguments.jobs.unwrap_or_else(cores),
        lineup: chosen.plan(),
        seeds: describe_seeds(&paths, &seeds),
        settings: Settings::default(),
        hunt: None,
        compare: None,
        tune: Some(plan),
        split: None,
    };
    let out = arguments.out.clone().unwrap_or_else(free_directory);
    let store = Store::create(&out, &plan.text()?)?;
    Ok(Opened { plan, store, chosen, techniques })
}

/// What suits the first analyzer.
fn usual_subject(locator: &Locator, analyzers: &[String]) -> Result<Subject> {
    let Some(first) = analyzers.first() else { bail!("no analyzer is named") };
    let member = lineup::resolve_given(locator, first)?.member;
    let is_sound = |member: &AnalyzerInfo| member.warnings().is_some_and(|role| role.sound);
    Ok(match &member {
        it if is_sound(it) => Subject::Alarms,
        it if it.warnings().is_some() => Subject::Errors,
        it if it.reachability().is_some() => Subject::Checks,
        it if it.smt().is_some() => Subject::Scripts,
        it if it.datalog().is_some() => Subject::Rows,
        it => bail!("{} has no role in which it could be tuned", it.id),
    })
}

/// The recipes to search; an error if there is nothing to vary.
fn space(plan: &TunePlan, subjects: &[Resolved]) -> Result<RecipeSpace> {
    let role = plan.subject.role();
    let mut spaces = Vec::new();
    for resolved in subjects {
        let id = &resolved.member.id;
        if !resolved.member.roles.iter().any(|info| info.role() == role) {
            bail!(
                "{id} has no section [{role}] in its description, so it cannot be tuned for {}",
                plan.subject.noun()
            );
        }
        let description = resolved.backend.description();
        let mut space = description.space(role, id.version(), plan.unsound);
        if space.parameters.is_empty() {
            bail!(
                "the description of {id} declares no space: none of its options in [{role}] has `tune`; see docs/description-fields.md"
            );
        }
        // What the user has chosen stays as it is.
        let chosen = id.choices();
        refuse_contradiction(&space, &chosen).with_context(|| format!("the options of {id}"))?;
        let whole = space.clone();
        space.parameters.retain(|parameter| !chosen.iter().any(|(key, _)| *key == parameter.name));
        let wanted = restricted(space, &plan.vary).with_context(|| format!("--vary for {id}"))?;
        let spoken_for = !plan.vary.is_empty();
        let open = without_contradictions(wanted, &whole, &chosen, spoken_for);
        spaces.push(open.with_context(|| format!("--vary for {id}"))?);
    }
    let names = identities(subjects);
    let space = RecipeSpace::new(spaces, plan.ingredients).map_err(|problem| {
        let tuning::SpaceProblem::NoOptions { analyzer } = problem;
        anyhow::anyhow!("{} has no option left to vary", names.get(analyzer).map_or("", String::as_str))
    })?;
    if space.size() <= 1 {
        bail!("there is only one configuration; vary more options or more values");
    }
    Ok(space)
}

/// Refuses options that the user gives together although one excludes the other.
fn refuse_contradiction(space: &Space, chosen: &[(&str, &str)]) -> Result<()> {
    for (name, _) in chosen {
        let Some(parameter) = space.parameter(name) else { continue };
        if let Some((other, _)) =
            chosen.iter().find(|(other, _)| parameter.excludes.iter().any(|it| it == other))
        {
            bail!("`{name}` and `{other}` exclude each other; give only one of them");
        }
    }
    Ok(())
}

/// The space without options that could never have an effect beside what the user has chosen and what else is varied: those
/// that a chosen option excludes, and those whose condition cannot be met. If the user has named them, they are refused.
fn without_contradictions(
    mut space: Space,
    whole: &Space,
    chosen: &[(&str, &str)],
    is_named: bool,
) -> Result<Space> {
    while let Some((name, why)) = contradicted(&space, whole, chosen) {
        if is_named {
            bail!("`{name}` cannot be varied: {why}");
        }
        space.parameters.retain(|parameter| parameter.name != name);
    }
    Ok(space)
}

/// An option of a space that could never be given, and why.
fn contradicted(space: &Space, whole: &Space, chosen: &[(&str, &str)]) -> Option<(String, String)> {
    space.parameters.iter().find_map(|parameter| {
        let excludes = |one: &Parameter, other: &str| one.excludes.iter().any(|it| it == other);
        let by = chosen.iter().map(|(key, _)| *key).find(|key| {
            excludes(parameter, key) || whole.parameter(key).is_some_and(|it| excludes(it, &parameter.name))
        });
        let why = match by {
            Some(by) => format!("it and the chosen option `{by}` exclude each other"),
            None => unmet(parameter, space, whole, chosen)?,
        };
        Some((parameter.name.clone(), why))
    })
}

/// Why the condition of an option cannot be met; none if it can, or if there is none.
fn unmet(parameter: &Parameter, space: &Space, whole: &Space, chosen: &[(&str, &str)]) -> Option<String> {
    let needs = parameter.needs.as_ref()?;
    let fits = |value: &str| value.split(',').any(|word| needs.values.iter().any(|it| it == word));
    let given = chosen.iter().find(|(key, _)| *key == needs.option).map(|(_, value)| *value);
    let can_be_met = match (given, space.parameter(&needs.option)) {
        (Some(given), _) => fits(given),
        (None, Some(other)) => other.values.iter().chain(&other.default).any(|value| fits(value)),
        (None, None) => whole.parameter(&needs.option).and_then(|it| it.default.as_deref()).is_some_and(fits),
    };
    let values = needs.values.join(" or ");
    (!can_be_met).then(|| {
        format!(
            "it has an effect only if `{0}` is {values}; vary that, too, with --vary {0}, or give it",
            needs.option
        )
    })
}

/// The space with only the options, and only the values, that the user names.
fn restricted(space: Space, vary: &[String]) -> Result<Space> {
    if vary.is_empty() {
        return Ok(space);
    }
    let mut kept: Vec<Parameter> = Vec::new();
    for text in vary {
        let (name, values) = match text.split_once('=') {
            Some((name, values)) => (name, Some(values)),
            None => (text.as_str(), None),
        };
        if kept.iter().any(|known| known.name == name) {
            bail!("`{name}` is named twice; give all of its values at once, as in {name}=1|2");
        }
        let known: Vec<&str> = space.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let Some(parameter) = space.parameter(name) else {
            let meant = nearest(name, known.iter().copied());
            let meant = meant.map_or(String::new(), |it| format!(" (did you mean `{it}`?)"));
            bail!("there is no option `{name}` to vary{meant}; the options are {}", known.join(", "));
        };
        let mut parameter = parameter.clone();
        if let Some(values) = values {
            let wanted: Vec<&str> = values.split('|').collect();
            let is_known = |value: &&&str| {
                parameter.values.iter().any(|it| it == **value)
                    || parameter.default.as_deref() == Some(**value)
            };
            if let Some(unknown) = wanted.iter().find(|value| !is_known(value)) {
                bail!("`{name}` has no value `{unknown}`; its values are {}", parameter.values.join(", "));
            }
            parameter.values.retain(|value| wanted.contains(&value.as_str()));
            if parameter.values.is_empty() {
                bail!(
                    "`{name}={values}` is the default and leaves nothing to vary; name other values, or words of the set"
                );
            }
        }
        kept.push(parameter);
    }
    Ok(Space { parameters: kept })
}

fn searches_in_words() -> String {
    let rows = SEARCHES.iter().map(|kind| format!("\n- {}: {}", kind.name, kind.summary));
    format!("How to search:{}", rows.collect::<String>())
}

fn known_search(name: &str) -> Result<String, String> {
    if search_named(name).is_some() {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = SEARCHES.iter().map(|kind| kind.name).collect();
    Err(format!("expected one of {}", names.join(", ")))
}

/// Runs a search, new or continued, and prints its result.
pub fn carry_out(opened: Opened, again: &Continuation) -> Result<u8> {
    let Some(plan) = opened.plan.tune.clone() else { bail!("campaign.toml has no section [tune]") };
    let seconds = again.time.map(|time| time.as_secs_f64()).or(plan.seconds.filter(|_| again.cpu.is_none()));
    let cpu_seconds = again.cpu.map(|cpu| cpu.as_secs_f64()).or(plan.cpu_seconds);
    let options = options(&plan, &opened, cpu_seconds)?;
    let ready = opened.ready()?;
    let requested = process::end_runs_on_interrupt();
    let directory = ready.opened.store.directory.path();
    let printer = status::watcher_before_a_table(again.json, directory, requested);
    let time = seconds
        .map(|seconds| Duration::try_from_secs_f64(seconds).context("the time is not valid"))
        .transpose()?;
    let stop = Stop { requested, budget: Budget::starting_now(time, None) };
    output::announce(&printer, &ready, &options);
    let campaign = ready.campaign(stop, printer.as_watcher());
    let campaign = Campaign {
        jobs: again.jobs.unwrap_or(ready.opened.plan.jobs),
        reduce_candidates: plan.candidates,
        ..campaign
    };
    let report = |state: &TuneState| printer.show(&output::lines(state));
    let (mut tuned, progress) =
        campaign::tune(&campaign, &options, &report).with_context(|| how_to_continue("tune", &ready))?;
    printer.clear();
    tuned.weaknesses = ready.opened.store.directory.weaknesses()?;
    write_files(&ready.opened.store, &tuned)?;
    if again.json {
        screen::json().write_all(serde_json::to_string_pretty(&tuned)?.as_bytes())?;
    } else {
        screen::out().write_all(comparison::tuned_tables(&tuned).as_bytes())?;
        let ending = output::ending(&ready, &tuned, progress.findings_total(), &again.analyzers);
        screen::out().write_all(ending.as_bytes())?;
    }
    Ok(if tuned.verdict == Verdict::Nothing { NOTHING } else { 0 })
}

fn options(plan: &TunePlan, opened: &Opened, cpu_seconds: Option<f64>) -> Result<TuneOptions> {
    let search: &'static SearchKind =
        search_named(&plan.search).with_context(|| format!("there is no search `{}`", plan.search))?;
    let technique = plan.subject.technique();
    let is_generated = technique.makes_seeds() && opened.plan.seeds.paths.is_empty();
    let most = if is_generated { GENERATED_PROGRAMS } else { opened.plan.seeds.count };
    let limits = Limits {
        wall_milliseconds: plan.limit_milliseconds,
        memory_megabytes: plan.memory_megabytes,
        ..Limits::default()
    };
    Ok(TuneOptions {
        subject: plan.subject,
        objective: plan.objective,
        analyzers: opened.chosen.subjects.iter().map(|resolved| resolved.member.clone()).collect(),
        space: space(plan, &opened.chosen.subjects)?,
        limits,
        search,
        folds: plan.folds,
        cpu: cpu_seconds
            .map(|seconds| Duration::try_from_secs_f64(seconds).context("the CPU time is not valid"))
            .transpose()?,
        programs: match (plan.programs, is_generated) {
            (Some(wanted), true) => wanted,
            (wanted, _) => wanted.unwrap_or(most).min(most),
        },
        per_program: plan.per_program,
    })
}

/// Programs that are generated where the user gives none.
const GENERATED_PROGRAMS: usize = 24;

fn write_files(store: &Store, tuned: &Tuned) -> Result<()> {
    let write = |name: &str, text: String| store.directory.write_file(Path::new(name), text.as_bytes());
    write(RECIPE_FILE, comparison::tuned_toml(tuned))?;
    write("trials.csv", comparison::trials_csv(&tuned.grid))?;
    write("tune.json", serde_json::to_string(tuned).context("cannot write tune.json")?)?;
    write("tune.html", comparison::tuned_page(tuned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str) -> Parameter {
        Parameter {
            name: name.to_owned(),
            values: ["1", "2", "3"].map(str::to_owned).to_vec(),
            scale: model::Scale::Ascending,
            default: Some("0".to_owned()),
            is_domain: false,
            finer: Vec::new(),
            needs: None,
            excludes: Vec::new(),
            sound: true,
        }
    }

    #[test]
    fn options_that_contradict_each_other_are_named() {
        let needy = Parameter {
            needs: Some(model::Condition { option: "slevel".to_owned(), values: vec!["3".to_owned()] }),
            ..parameter("history")
        };
        let exclusive = Parameter { excludes: vec!["plevel".to_owned()], ..parameter("fast") };
        let whole = Space { parameters: vec![parameter("slevel"), parameter("plevel"), needy, exclusive] };
        let vary = |words: &[&str], chosen: &[(&str, &str)]| {
            refuse_contradiction(&whole, chosen)?;
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let mut open = whole.clone();
            open.parameters.retain(|parameter| !chosen.iter().any(|(key, _)| *key == parameter.name));
            let named = !words.is_empty();
            without_contradictions(restricted(open, &words)?, &whole, chosen, named)
        };
        let refused = |words: &[&str], chosen: &[(&str, &str)]| vary(words, chosen).unwrap_err().to_string();
        assert!(refused(&["history"], &[]).contains("only if `slevel` is 3"));
        assert!(refused(&["history", "slevel=1|2"], &[]).contains("`history` cannot be varied"));
        assert!(refused(&["history"], &[("slevel", "2")]).contains("only if `slevel` is 3"));
        assert!(
            refused(&["plevel"], &[("fast", "1")]).contains("the chosen option `fast` exclude each other")
        );
        assert!(refused(&[], &[("fast", "1"), ("plevel", "2")]).contains("`fast` and `plevel` exclude"));
        assert_eq!(vary(&["history"], &[("slevel", "3")]).unwrap().parameters.len(), 1);
        assert_eq!(vary(&["history", "slevel"], &[]).unwrap().parameters.len(), 2);
        let names = |space: Space| space.parameters.into_iter().map(|it| it.name).collect::<Vec<String>>();
        assert_eq!(names(vary(&[], &[("fast", "1")]).unwrap()), ["slevel", "history"]);
        assert_eq!(names(vary(&[], &[("slevel", "1")]).unwrap()), ["plevel", "fast"]);
    }

    #[test]
    fn only_known_options_and_values_are_varied() {
        let space = Space { parameters: vec![parameter("slevel"), parameter("plevel")] };
        let vary = |text: &str| restricted(space.clone(), &[text.to_owned()]);
        assert_eq!(vary("slevel=0|3").unwrap().parameters[0].values, ["3"]);
        assert_eq!(vary("plevel").unwrap().parameters.len(), 1);
        let error = vary("slevl").unwrap_err().to_string();
        assert!(error.contains("did you mean `slevel`?"), "{error}");
        assert!(vary("slevel=9").unwrap_err().to_string().contains("no value `9`"));
        assert!(vary("slevel=0").unwrap_err().to_string().contains("nothing to vary"));
    }
}
