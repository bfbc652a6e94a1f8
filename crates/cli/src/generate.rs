//! `juvenal generate TECHNIQUE`: the generator alone, with simulated answers.

use crate::dry_run::{any_analyzer, any_runner, simulated};
use crate::hunt::{choose_techniques, find_seeds, parse_settings, refuse_idle_settings};
use anyhow::{Context, Result, bail};
use engine::Engine;
use model::{Input, Language, Lineup, Query, Random};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use techniques::{Notes, Opening, Step, Technique};

#[derive(clap::Args)]
pub struct Arguments {
    /// The technique whose inputs are generated
    technique: String,
    /// A seed file (.smt2, .c, .i, .dl, or a .yml task of SV-COMP) or a directory of seeds; those that come with
    /// juvenal if none is given
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// How many items
    #[arg(long, default_value_t = 10)]
    count: u64,
    /// The number from which everything random comes; another number gives other items
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A knob of the technique, TECHNIQUE.KEY=VALUE
    #[arg(long = "set", value_name = "KNOB")]
    settings: Vec<String>,
    /// Where the items go: a new directory, or - for standard output
    #[arg(long, default_value = "-")]
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let settings = parse_settings(&arguments.settings)?;
    let technique = choose_techniques(std::slice::from_ref(&arguments.technique))?
        .into_iter()
        .next()
        .context("a technique is needed")?;
    refuse_idle_settings(&settings, &[technique])?;
    (technique.check_knobs)(&settings)?;
    let language = technique.language;
    let seeds = find_seeds(&arguments.seeds, &[language])?;
    let engine = Engine::new(Vec::new())?;
    let runner = (language == Language::C).then(any_runner);
    let subjects = (0..technique.least_subjects).map(|number| any_analyzer(language, number)).collect();
    let lineup = Lineup { subjects, witnesses: runner.into_iter().collect() };
    let mut sink = Sink::open(&arguments.out, arguments.count)?;
    // Seeds take turns, and each gives its share before the next one is opened.
    let share = arguments.count.div_ceil(seeds.count().max(1) as u64);
    let mut barren = 0usize;
    for case_number in 0.. {
        if sink.is_full() {
            break;
        }
        if barren >= seeds.count() {
            bail!("no seed gives anything for {}", arguments.technique);
        }
        let place = campaign::place_of_seed(&seeds, technique, case_number);
        let before = sink.written;
        let random = Random::for_case(arguments.seed, case_number);
        let problem = match campaign::seed_of(&engine, &seeds, technique, place, &settings, random.clone())? {
            Ok(seed) => {
                let opening = Opening { seed: &seed, lineup: &lineup, settings: &settings, random };
                write_share(technique, opening, share, &mut sink)?
            }
            Err(problem) => Some(format!("{} ({})", problem.reason, problem.detail)),
        };
        if let Some(problem) = problem.filter(|_| case_number < seeds.count() as u64) {
            eprintln!("juvenal: skipped a seed: {problem}");
        }
        barren = if sink.written == before { barren + 1 } else { 0 };
    }
    sink.finish()?;
    Ok(0)
}

/// Writes what a case makes, up to a number of items; returns what is wrong with the seed, if anything.
fn write_share(
    technique: &Technique,
    opening: Opening<'_>,
    share: u64,
    sink: &mut Sink,
) -> Result<Option<String>> {
    let mut case = (technique.open)(opening)?;
    let end = sink.written + share;
    let mut answers = Vec::new();
    loop {
        let mut notes = Notes::default();
        let queries = match case.next(&answers, &mut notes) {
            Step::Ask(queries) => queries,
            Step::Done => return Ok(None),
            Step::Skip { reason, detail } => return Ok(Some(format!("{reason} ({detail})"))),
        };
        // A solver is also asked about the seed itself, which was not made by the technique.
        let is_satisfiable = notes.counts.contains_key("instances");
        let is_made = is_satisfiable || notes.counts.contains_key("scripts");
        if technique.language != Language::Smt || is_made {
            // Where several are asked the same, one of them is enough.
            let first = any_analyzer(technique.language, 0).id;
            for query in queries.iter().filter(|query| query.analyzer == first) {
                if sink.is_full() || sink.written == end {
                    return Ok(None);
                }
                sink.put(query, is_satisfiable)?;
            }
        }
        answers = queries.iter().map(simulated).collect();
    }
}

/// Where items go.
struct Sink {
    directory: Option<PathBuf>,
    stream: BufWriter<io::Stdout>,
    written: u64,
    wanted: u64,
}

impl Sink {
    fn open(out: &Path, wanted: u64) -> Result<Sink> {
        let directory = (out != Path::new("-")).then(|| out.to_owned());
        if let Some(directory) = &directory {
            if directory.exists() {
                bail!("{} exists already; choose another --out", directory.display());
            }
            fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        }
        Ok(Sink { directory, stream: BufWriter::with_capacity(1 << 20, io::stdout()), written: 0, wanted })
    }

    fn is_full(&self) -> bool {
        self.written >= self.wanted
    }

    fn put(&mut self, query: &Query, is_satisfiable: bool) -> Result<()> {
        self.written += 1;
        let Some(directory) = &self.directory else {
            return Ok(write_item(&mut self.stream, self.written, &query.input, is_satisfiable)?);
        };
        let path = directory.join(format!("{:06}.{}", self.written, query.input.extension()));
        let mut text = Vec::new();
        write_item(&mut text, self.written, &query.input, is_satisfiable)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    fn finish(&mut self) -> Result<()> {
        self.stream.flush()?;
        Ok(())
    }
}

/// An item; a script comes with the answer that each of its checks must get, if that is known.
fn write_item(out: &mut dyn Write, number: u64, input: &Input, is_satisfiable: bool) -> io::Result<()> {
    match input {
        Input::Smt(script) => {
            let expected = if is_satisfiable { "sat" } else { "unknown" };
            writeln!(out, "; juvenal item {number}\n; expected {expected}")?;
            out.write_all(script.options.as_bytes())?;
            if let Some(logic) = &script.logic {
                writeln!(out, "(set-logic {logic})")?;
            }
            out.write_all(script.body.as_bytes())
        }
        Input::C(program) => {
            writeln!(out, "// juvenal item {number}")?;
            writeln!(out, "{}", program.text().trim_end())
        }
        Input::Datalog(program) => {
            writeln!(out, "// juvenal item {number}")?;
            out.write_all(program.text.as_bytes())
        }
    }
}
