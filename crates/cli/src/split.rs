//! `juvenal split`: analyzes a project in parts with a tool, and merges what it reports.

mod output;
mod parts_file;
mod size;

use crate::option_values::{at_least_one, cores, free_directory, one_of, parse_duration};
use crate::screen;
use crate::status::{self, ProgressPrinter};
use anyhow::{Context, Result, bail};
use campaign::{
    Analyzed, Budget, LineupPlan, Plan, Pool, Reference, SeedPlan, Silent, SplitOptions, SplitPlan,
    SplitProject, SplitState, Stop, analyze, calibrate, frontier, limit_for_recall,
};
use engine::{
    Engine, FoundTool, Journal, ProjectContents, ProjectTree, Relevance, ToolRights, ToolRunner, TreeOptions,
    WorkingCopies, find_tool, is_interruption,
};
use model::{Limits, Settings, Way};
use size::{MaxSize, parse_max_size};
use splitting::languages::language_of;
use splitting::{
    CutSettings, Measure, Part, PartOutcome, PartsFile, STRATEGIES, SizeLimit, SplitSummary, Strategy,
    limit_for,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::Store;
use tools::Dependencies;

/// The exit code if every part was analyzed, and if some were not.
const COMPLETE: u8 = 0;
const INCOMPLETE: u8 = 1;
/// The exit code if nothing was analyzed.
const NOTHING: u8 = 3;

#[derive(clap::Args)]
pub struct Arguments {
    /// The tool: NAME, NAME=PROGRAM, ./FILE.toml or ./FILE.toml=PROGRAM; `juvenal split --list` shows which are installed
    #[arg(long, value_name = "TOOL", required_unless_present = "list")]
    tool: Option<String>,
    /// The directory of the project; the tool runs on copies of it
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// The approximate number of parts; by default as many as are analyzed in parallel
    #[arg(long, value_parser = at_least_one::<usize>(), conflicts_with = "target_recall")]
    parts: Option<usize>,
    /// The maximum size of a part: 2MB, 500kB, `300 files` or `20000 lines`; `auto` runs a few probes to find what stays
    /// within --limit and --memory
    #[arg(long, value_name = "SIZE", value_parser = parse_max_size)]
    max_size: Option<MaxSize>,
    /// Choose the smallest parts that still find this share of the results of the whole, such as 0.99; a sample decides
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with = "max_size")]
    target_recall: Option<f64>,
    /// The strategy for cutting the project into parts
    #[arg(long, value_name = "NAME", long_help = strategies_in_words(), value_parser = known_strategy)]
    strategy: Option<&'static Strategy>,
    /// How far an isolated part reaches beyond its own files: the maximum distance, in dependencies, of the files that it
    /// gets because its own files need them
    #[arg(long, value_name = "DISTANCE", default_value_t = 2)]
    radius: u32,
    /// What the tool sees when it analyzes a part; by default, what suits the tool
    #[arg(long, value_parser = one_of(&Way::ALL, Way::name, Way::summary))]
    way: Option<Way>,
    /// The maximum time of the tool for one part; a part that takes longer is divided
    #[arg(long, value_parser = parse_duration, default_value = "10m")]
    limit: Duration,
    /// The maximum memory of the tool for one part, in megabytes; a part that needs more is divided
    #[arg(long, value_parser = at_least_one::<u64>(), default_value_t = 4096)]
    memory: u64,
    /// The time after which no further part is begun; the same command continues later
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The number of parts that are analyzed in parallel; one per core by default
    #[arg(long, value_parser = at_least_one::<usize>())]
    jobs: Option<usize>,
    /// Leave files or folders out, such as `build/**` or `*_pb2.py`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Run the tool with all your rights: it can read and write your files and use the network, though $HOME is empty. Many
    /// tools execute code of the project, such as its configuration, so do this only if you trust the project
    #[arg(long)]
    trust_project: bool,
    /// The directory for the results; if it holds those of an earlier run, only changed parts are analyzed; by default
    /// juvenal-out, or the next free name
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also analyze the whole in one run, or samples where it does not fit, and show which results the cut loses and adds
    #[arg(long)]
    compare_whole: bool,
    /// Also measure time, memory and recall of other cuts
    #[arg(long)]
    frontier: bool,
    /// Cut the project again instead of keeping the parts of an earlier run where they still fit
    #[arg(long)]
    recut: bool,
    /// Order files at random with this seed instead of by name, to see how much the cut relies on names
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// List the tools, with their versions or how to install them
    #[arg(long)]
    list: bool,
    /// Further arguments for the tool, after `--`
    #[arg(last = true, value_name = "ARGUMENT")]
    options: Vec<String>,
}

fn parse_share(text: &str) -> Result<f64> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => bail!("expected a share above 0 and at most 1, such as 0.99, found `{text}`"),
    }
}

fn strategies_in_words() -> String {
    let rows = STRATEGIES.iter().map(|strategy| format!("\n- {}: {}", strategy.name, strategy.summary));
    format!("The strategy for cutting the project into parts:{}", rows.collect::<String>())
}

fn known_strategy(name: &str) -> Result<&'static Strategy, String> {
    let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
    Strategy::find(name).ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let Some(tool) = arguments.tool.as_ref().filter(|_| !arguments.list) else { return output::list_tools() };
    // A project may be large, so reading it is part of the work that time and Ctrl-C end.
    let requested = process::end_runs_on_interrupt();
    let budget = Budget::starting_now(arguments.time, None);
    match run_tool(tool, arguments, requested, budget) {
        Err(error) if is_interruption(&error) => {
            screen::complain("stopped before any part was analyzed; the same command continues");
            Ok(NOTHING)
        }
        done => done,
    }
}

fn run_tool(tool: &str, arguments: &Arguments, requested: &'static AtomicBool, budget: Budget) -> Result<u8> {
    let stop = || Stop { requested, budget }.is_over();
    let found = find_tool(tool)?;
    let out = arguments.out.clone().unwrap_or_else(free_directory);
    let exclude = arguments.exclude.clone();
    let tree = ProjectTree::list(&arguments.root, &TreeOptions { exclude, output: out.clone() }, &stop)?;
    let copies = WorkingCopies::new(&arguments.root, tree, &stop)?;
    let contents = read(&found, &copies, arguments, &stop)?;
    let rights = match arguments.trust_project {
        true => ToolRights::OfUser,
        false => ToolRights::Confined,
    };
    let runner = ToolRunner::new(&found, &copies, rights)?;
    let weaknesses = runner.weaknesses();
    let limits = Limits {
        wall_milliseconds: u64::try_from(arguments.limit.as_millis()).unwrap_or(u64::MAX),
        memory_megabytes: arguments.memory,
        ..Limits::default()
    };
    if let Some(problem) = limits.problem() {
        bail!("{problem}");
    }
    let project = SplitProject::new(runner, &contents, arguments.options.clone(), limits);
    let store = open(&out, &found, arguments)?;
    store.directory.add_weaknesses(&weaknesses)?;
    for weakness in weaknesses {
        writeln!(screen::errors(), "note: {weakness}")?;
    }
    Split { arguments, project, copies: &copies, store: &store }.run(requested, budget)
}

/// What the tool is to analyze.
fn read(
    found: &FoundTool,
    copies: &WorkingCopies,
    arguments: &Arguments,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<ProjectContents> {
    let tool = &found.tool;
    let languages: Vec<&str> = tool.languages.iter().map(|language| language.project_language()).collect();
    let is_of_language = |name: &str| language_of(name).is_some_and(|it| languages.contains(&it.name));
    let relevance = Relevance {
        is_source: &|name| tool.takes(name) || is_of_language(name),
        is_configuration: &|name| tool.is_configured_by(name),
    };
    let contents = ProjectContents::read(copies, relevance, jobs(arguments), stop)?;
    if !contents.files.iter().any(|file| tool.takes(&file.name)) {
        let endings: Vec<String> = tool.endings().map(|ending| format!(".{ending}")).collect();
        bail!(
            "there is no file for {} ({}) in {}; name the directory of the project with --root",
            tool.title,
            endings.join(", "),
            arguments.root.display()
        );
    }
    Ok(contents)
}

fn jobs(arguments: &Arguments) -> usize {
    arguments.jobs.unwrap_or_else(cores)
}

/// Opens the results of an earlier run, or a new directory.
fn open(out: &Path, found: &FoundTool, arguments: &Arguments) -> Result<Store> {
    let name = &found.tool.name;
    if !out.join(store::CAMPAIGN_FILE).exists() {
        return Store::create(out, &plan(name, arguments).text()?);
    }
    let store = Store::open(out)?;
    match Plan::parse(&store.directory.campaign()?)?.split {
        Some(split) if split.tool == *name => Ok(store),
        Some(split) => bail!(
            "{} holds the results of {}; choose another --out for those of {name}",
            out.display(),
            model::shown_name(&split.tool)
        ),
        None => bail!("{} holds another campaign; choose another --out", out.display()),
    }
}

fn plan(tool: &str, arguments: &Arguments) -> Plan {
    Plan {
        juvenal: env!("CARGO_PKG_VERSION").to_owned(),
        random_seed: 0,
        jobs: jobs(arguments),
        lineup: LineupPlan { subjects: Vec::new(), witnesses: Vec::new(), by_hand: Vec::new() },
        seeds: SeedPlan { paths: Vec::new(), count: 0, identity: String::new() },
        settings: Settings::default(),
        hunt: None,
        compare: None,
        tune: None,
        split: Some(SplitPlan { tool: tool.to_owned() }),
    }
}

/// A project, ready to be analyzed in parts.
struct Split<'a> {
    arguments: &'a Arguments,
    project: SplitProject<'a>,
    copies: &'a WorkingCopies,
    store: &'a Store,
}

impl Split<'_> {
    fn run(&self, requested: &'static AtomicBool, budget: Budget) -> Result<u8> {
        let arguments = self.arguments;
        let directory = self.store.directory.path();
        let printer = status::watcher_before_a_table(arguments.json, directory, requested);
        let engine = Engine::new(Vec::new())?;
        let pool = Pool {
            engine: &engine,
            store: Some(self.store),
            journal: Journal::ReadAndWrite,
            workers: jobs(arguments),
            stop: Stop { requested, budget },
            watcher: &Silent,
        };
        let done = self.carry_out(&pool, &printer);
        printer.clear();
        done.with_context(
            || "juvenal had to stop; all saved results are intact, and the same command continues",
        )
    }

    fn carry_out(&self, pool: &Pool<'_>, printer: &ProgressPrinter) -> Result<u8> {
        let report = |state: &SplitState| printer.show(&output::lines(state));
        let (options, parts) = self.parts(pool, printer)?;
        printer.note(&output::announcement(&self.project, &options, &parts, self.arguments));
        let files = &self.project.contents().files;
        parts_file::write(self.store, &PartsFile::new(self.request(), options.cut.limit, &parts, files))?;
        let count = parts.len();
        let analyzed = analyze(&self.project, options.way, parts, pool, &report)?;
        let is_broken_off = analyzed.is_broken_off;
        let cost = self.cost_of_cut(&analyzed, &options, count, pool, printer)?;
        let has_results = analyzed.parts.iter().any(|part| part.outcome == PartOutcome::Ok);
        let is_complete = !is_broken_off && !analyzed.parts.iter().any(|part| part.outcome.is_failure());
        let summary =
            output::summary(&self.project, self.copies, &options, &self.arguments.root, analyzed, cost);
        let summary = SplitSummary { weaknesses: self.store.directory.weaknesses()?, ..summary };
        let warnings = output::write_files(self.store, &summary, self.copies, &self.project)?;
        output::print(self.store, &summary, &warnings, is_broken_off, self.arguments.json)?;
        Ok(match (has_results, is_complete) {
            (false, _) => NOTHING,
            (true, true) => COMPLETE,
            (true, false) => INCOMPLETE,
        })
    }

    /// What the cut costs, as far as the user asks and time remains.
    fn cost_of_cut(
        &self,
        analyzed: &Analyzed,
        options: &SplitOptions,
        parts: usize,
        pool: &Pool<'_>,
        printer: &ProgressPrinter,
    ) -> Result<output::CostOfCut> {
        let mut cost = output::CostOfCut::default();
        let wanted = self.arguments.compare_whole || self.arguments.frontier;
        if !wanted || analyzed.is_broken_off {
            return Ok(cost);
        }
        printer.show(&["analyzing the whole in one run".to_owned()]);
        let reference = match Reference::of_whole(&self.project, parts, pool) {
            Err(error) if is_interruption(&error) => None,
            reference => reference?,
        };
        let Some(reference) = reference else {
            printer.note("The whole was not analyzed, and no sample of it; what the cut costs is unknown.");
            return Ok(cost);
        };
        if let Reference::Whole { cost: whole, .. } = &reference {
            cost.whole = Some(*whole);
        }
        cost.loss = Some(reference.loss(&self.project, analyzed));
        cost.sampled = reference.sampled();
        if self.arguments.frontier {
            let report = |state: &SplitState| printer.show(&output::lines(state));
            cost.frontier = frontier(&self.project, options, &reference, pool, &report)?;
        }
        Ok(cost)
    }

    /// How the project is cut, and its parts.
    fn parts(&self, pool: &Pool<'_>, printer: &ProgressPrinter) -> Result<(SplitOptions, Vec<Part>)> {
        let mut options = self.options();
        let earlier = match self.arguments.recut {
            true => None,
            false => parts_file::read(self.store)?.filter(|file| file.request == self.request()),
        };
        options.cut.limit = match &earlier {
            Some(file) => file.limit,
            None => self.limit(&options, pool, printer)?,
        };
        let files = &self.project.contents().files;
        let earlier = earlier.map(|file| file.parts(files)).unwrap_or_default();
        let parts = options.parts(&self.project, earlier, pool.stop)?;
        Ok((options, parts))
    }

    /// Everything about the cut but the limit, which may have to be found out.
    fn options(&self) -> SplitOptions {
        let tool = &self.project.found().tool;
        let is_alone = tool.dependencies == Dependencies::None;
        let way = self.arguments.way.unwrap_or(tool.way);
        let baseline = Strategy::find("size-limiting").filter(|_| is_alone);
        let strategy = self.arguments.strategy.or(baseline).unwrap_or(&STRATEGIES[0]);
        let measure = match self.arguments.max_size {
            Some(MaxSize::Limit(limit)) => limit.measure,
            Some(MaxSize::Auto) | None => Measure::Bytes,
        };
        let cut = CutSettings {
            radius: self.arguments.radius,
            // A tool that sees the whole project finds what files need by itself.
            replicates: !is_alone && (way == Way::Isolated || self.project.names_all()),
            shuffle: self.arguments.shuffle,
            ..CutSettings::new(SizeLimit { most: u64::MAX, measure })
        };
        SplitOptions { way, strategy, cut }
    }

    /// The largest size of a part: what the user says, or what probes say, and no more than the wanted number of parts needs.
    fn limit(&self, options: &SplitOptions, pool: &Pool<'_>, printer: &ProgressPrinter) -> Result<SizeLimit> {
        let limit = match (self.arguments.max_size, self.arguments.target_recall) {
            (_, Some(share)) => return self.limit_for_recall(share, options, pool, printer),
            (Some(MaxSize::Limit(limit)), None) => Some(limit),
            (Some(MaxSize::Auto), None) => {
                let report =
                    |probe: &campaign::Probe| printer.note(&output::probe(probe, options.cut.limit.measure));
                Some(calibrate(&self.project, options, pool, &report)?.0)
            }
            (None, None) => None,
        };
        if let (Some(limit), None) = (limit, self.arguments.parts) {
            return Ok(limit);
        }
        let wanted = self.arguments.parts.unwrap_or_else(|| jobs(self.arguments));
        let (strategy, cut) = (options.strategy, options.cut.clone());
        let by_count = self
            .project
            .unless_stopped(pool.stop, move |files, graph| limit_for(wanted, strategy, files, graph, &cut))?;
        Ok(limit.filter(|limit| limit.most < by_count.most).unwrap_or(by_count))
    }

    fn limit_for_recall(
        &self,
        share: f64,
        options: &SplitOptions,
        pool: &Pool<'_>,
        printer: &ProgressPrinter,
    ) -> Result<SizeLimit> {
        let why = "a sample tells how small parts may be".to_owned();
        let reference = Reference::of_sample(&self.project, why, pool)?;
        let Some(reference) = reference else {
            if pool.stop.is_over() {
                return Err(engine::interruption().into());
            }
            bail!("the tool gives no report on any file of a sample")
        };
        let report = |state: &SplitState| printer.show(&output::lines(state));
        let found = limit_for_recall(share, &self.project, options, &reference, pool, &report)?;
        let files = reference.sampled().unwrap_or(0);
        printer.note(&output::recall_note(share, found, files, reference.results()));
        let measure = options.cut.limit.measure;
        let total = self.project.contents().files.iter().map(|file| measure.of(file)).sum();
        Ok(found.map_or(SizeLimit { most: total, measure }, |(limit, _)| limit))
    }

    /// What the user asked for, apart from what changes no cut: parts of an earlier run are kept if it was the same.
    fn request(&self) -> String {
        let Arguments { parts, max_size, target_recall, strategy, radius, way, shuffle, .. } = self.arguments;
        // What probes and samples say depends on the limits and on how the tool is run.
        let is_measured = matches!(max_size, Some(MaxSize::Auto)) || target_recall.is_some();
        let measured_under =
            is_measured.then_some((self.arguments.limit, self.arguments.memory, &self.arguments.options));
        let strategy = strategy.map(|strategy| strategy.name);
        let wanted = match (parts, max_size) {
            (None, None) => Some(jobs(self.arguments)),
            _ => *parts,
        };
        format!(
            "{wanted:?} {max_size:?} {target_recall:?} {strategy:?} {radius} {way:?} {shuffle:?} {measured_under:?}"
        )
    }
}
