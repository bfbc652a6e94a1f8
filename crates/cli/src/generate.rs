//! `juvenal generate TECHNIQUE`: the generator alone, with simulated answers.

use crate::dry_run::{any_analyzer, any_runner, simulated};
use crate::knobs::{parse_settings, refuse_idle_settings};
use crate::seed_choice::find_seeds;
use crate::technique_choice::choose_techniques;
use anyhow::{Context, Result, bail};
use campaign::{Cases, Generated, Generation};
use engine::Engine;
use model::{Input, Language, Lineup};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
    technique.check_knobs(&settings)?;
    let language = technique.language;
    let seeds = find_seeds(&arguments.seeds, &[language])?;
    let engine = Engine::new(Vec::new())?;
    let runner = (language == Language::C).then(any_runner);
    let subjects = (0..technique.least_subjects).map(|number| any_analyzer(language, number)).collect();
    let lineup = Lineup { subjects, witnesses: runner.into_iter().collect() };
    let cases = Cases {
        engine: &engine,
        ledger: None,
        techniques: vec![technique],
        lineup: &lineup,
        seeds: &seeds,
        settings: &settings,
        random_seed: arguments.seed,
    };
    let generation = Generation {
        count: arguments.count,
        analyzer: any_analyzer(language, 0).id,
        simulate: simulated,
        skipped: &|problem| eprintln!("juvenal: skipped a seed: {problem}"),
    };
    let mut sink = Sink::open(&arguments.out)?;
    campaign::generate(cases, &generation, &mut |item| sink.put(&item))?;
    sink.finish()?;
    Ok(0)
}

/// Where items go.
struct Sink {
    directory: Option<PathBuf>,
    stream: BufWriter<io::Stdout>,
    written: u64,
}

impl Sink {
    fn open(out: &Path) -> Result<Sink> {
        let directory = (out != Path::new("-")).then(|| out.to_owned());
        if let Some(directory) = &directory {
            if directory.exists() {
                bail!("{} exists already; choose another --out", directory.display());
            }
            fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        }
        Ok(Sink { directory, stream: BufWriter::with_capacity(1 << 20, io::stdout()), written: 0 })
    }

    fn put(&mut self, item: &Generated) -> Result<()> {
        self.written += 1;
        let Some(directory) = &self.directory else {
            return Ok(write_item(&mut self.stream, self.written, &item.input, item.is_satisfiable)?);
        };
        let path = directory.join(format!("{:06}.{}", self.written, item.input.extension()));
        let mut text = Vec::new();
        write_item(&mut text, self.written, &item.input, item.is_satisfiable)?;
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
