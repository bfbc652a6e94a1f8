//! `juvenal generate TECHNIQUE`: the generator alone, with simulated answers.

use crate::hunt::{choose_techniques, find_seeds, parse_settings};
use anyhow::{Context, Result, bail};
use model::{
    AnalyzerId, Answer, Claim, Cost, Input, Lineup, Member, Mode, Query, Random, SmtCheck, SmtStatus, Verdict,
};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use techniques::{Notes, Opening, Step};

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
    /// The number from which everything random comes
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
    let mut barren = 0usize;
    for case_number in 0.. {
        if sink.is_full() {
            break;
        }
        if barren > seeds.count() {
            bail!("no seed gives anything for {}; the last {barren} cases were empty", arguments.technique);
        }
        let before = sink.written;
        let Ok(seed) = seeds.load(case_number as usize) else {
            barren += 1;
            continue;
        };
        let random = Random::for_case(arguments.seed, case_number);
        let opening = Opening { seed: &seed, case_number, lineup: &lineup, settings: &settings, random };
        let mut case = technique.open(opening)?;
        let mut answers = Vec::new();
        while let Step::Ask(queries) = case.next(&answers, &mut Notes::default()) {
            for query in &queries {
                sink.put(query)?;
            }
            if sink.is_full() {
                break;
            }
            answers = queries.iter().map(simulated).collect();
        }
        barren = if sink.written == before { barren + 1 } else { 0 };
    }
    sink.finish()?;
    Ok(0)
}

/// A solver that takes everything, since nobody is asked.
fn any_solver() -> Member {
    let theories = ["core", "ints", "reals", "bitvectors", "arrays", "functions", "quantifiers", "other"];
    Member {
        id: AnalyzerId::new("any", "0", &[]),
        family: "any".to_owned(),
        theories: theories.map(str::to_owned).to_vec(),
        logics: Vec::new(),
        modes: Mode::ALL.to_vec(),
        models: false,
        incremental: true,
        assuming: true,
        named: true,
        tactics: Vec::new(),
        options: Vec::new(),
        expected_refusals: Vec::new(),
    }
}

/// The answer that every instance should get.
fn simulated(query: &Query) -> Answer {
    let Input::Smt(input) = &query.input;
    let check = SmtCheck { status: SmtStatus::Sat, model: None };
    let verdict = Verdict::Claim(Claim::Smt(vec![check; input.checks as usize]));
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
        if self.is_full() {
            return Ok(());
        }
        self.written += 1;
        let Input::Smt(input) = &query.input;
        if let Some(directory) = &self.directory {
            let path = directory.join(format!("{:06}.{}", self.written, query.input.extension()));
            return fs::write(&path, input.text())
                .with_context(|| format!("cannot write {}", path.display()));
        }
        writeln!(self.stream, "; juvenal item {}", self.written)?;
        self.stream.write_all(input.options.as_bytes())?;
        if let Some(logic) = &input.logic {
            writeln!(self.stream, "(set-logic {logic})")?;
        }
        self.stream.write_all(input.body.as_bytes())?;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.stream.flush()?;
        Ok(())
    }
}
