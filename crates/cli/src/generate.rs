//! `juvenal generate TECHNIQUE`: the generator alone, with simulated answers.

use crate::hunt::{choose_techniques, find_seeds, parse_settings};
use anyhow::{Context, Result, bail};
use model::{
    AnalyzerId, Answer, Claim, Cost, Lineup, Member, Mode, Query, Random, SmtCheck, SmtInput, SmtMember,
    SmtStatus, Verdict,
};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use techniques::{Case, Notes, Opening, Step};

#[derive(clap::Args)]
pub struct Arguments {
    /// The technique whose inputs are generated
    technique: String,
    /// A seed file or a directory of seeds; those that come with juvenal if none is given
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
    let seeds = find_seeds(&arguments.seeds)?;
    let lineup = Lineup { subjects: vec![any_solver()], witnesses: Vec::new() };
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
        let before = sink.written;
        let random = Random::for_case(arguments.seed, case_number);
        let problem = match seeds.load(case_number as usize) {
            Ok(seed) => {
                let opening = Opening { seed: &seed, lineup: &lineup, settings: &settings, random };
                write_share(technique.open(opening)?.as_mut(), share, &mut sink)?
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
fn write_share(case: &mut dyn Case, share: u64, sink: &mut Sink) -> Result<Option<String>> {
    let end = sink.written + share;
    let mut answers = Vec::new();
    loop {
        let mut notes = Notes::default();
        let queries = match case.next(&answers, &mut notes) {
            Step::Ask(queries) => queries,
            Step::Done => return Ok(None),
            Step::Skip { reason, detail } => return Ok(Some(format!("{reason} ({detail})"))),
        };
        // What else is asked, such as the seed itself, was not made by the technique.
        if notes.counts.contains_key("instances") {
            for query in &queries {
                if sink.is_full() || sink.written == end {
                    return Ok(None);
                }
                sink.put(query)?;
            }
        }
        answers = queries.iter().map(simulated).collect();
    }
}

/// A solver that takes everything, since nobody is asked.
fn any_solver() -> Member {
    let theories = [
        "core",
        "ints",
        "reals",
        "bitvectors",
        "arrays",
        "functions",
        "quantifiers",
        "floats",
        "strings",
        "datatypes",
        "other",
    ];
    Member {
        id: AnalyzerId::new("any", "0", &[]),
        family: "any".to_owned(),
        modes: Mode::ALL.to_vec(),
        smt: Some(SmtMember {
            approximation: model::Approximation::Exact,
            theories: theories.map(str::to_owned).to_vec(),
            logics: Vec::new(),
            models: false,
            incremental: true,
            assuming: true,
            named: true,
            tactics: Vec::new(),
            options: Vec::new(),
            expected_refusals: Vec::new(),
        }),
        reachability: None,
    }
}

/// The answer that every instance should get.
fn simulated(query: &Query) -> Answer {
    let checks = query.input.smt().map_or(0, |input| input.checks);
    let check = SmtCheck { status: SmtStatus::Sat, model: None };
    let verdict = Verdict::Claim(Claim::Smt(vec![check; checks as usize]));
    Answer { verdict, cost: Cost::default(), output: Vec::new() }
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

    fn put(&mut self, query: &Query) -> Result<()> {
        let Some(input) = query.input.smt() else { return Ok(()) };
        self.written += 1;
        let Some(directory) = &self.directory else {
            return Ok(write_item(&mut self.stream, self.written, input)?);
        };
        let path = directory.join(format!("{:06}.{}", self.written, query.input.extension()));
        let mut text = Vec::new();
        write_item(&mut text, self.written, input)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    fn finish(&mut self) -> Result<()> {
        self.stream.flush()?;
        Ok(())
    }
}

/// An item with the answer that each of its checks must get.
fn write_item(out: &mut dyn Write, number: u64, input: &SmtInput) -> io::Result<()> {
    writeln!(out, "; juvenal item {number}\n; expected sat")?;
    out.write_all(input.options.as_bytes())?;
    if let Some(logic) = &input.logic {
        writeln!(out, "(set-logic {logic})")?;
    }
    out.write_all(input.body.as_bytes())
}
