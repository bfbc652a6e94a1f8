//! `juvenal generate TECHNIQUE`: runs a generator alone, with simulated answers.

use crate::dry_run::{any_analyzer, any_runner, simulated};
use crate::knobs::{parse_settings, refuse_idle_settings};
use crate::screen::{self, Screen};
use crate::seed_choice::find_seeds;
use crate::technique_choice::choose_techniques;
use anyhow::{Context, Result, bail};
use campaign::{Cases, Generated, Generation};
use engine::Engine;
use model::{Input, Language, Lineup, NamedFile};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use store::{Folder, Permissions};

#[derive(clap::Args)]
pub struct Arguments {
    /// The technique whose inputs are generated
    technique: String,
    /// A seed file (.smt2, .c, .i, .dl, or a .yml task of SV-COMP) or a directory of seeds; by default, the seeds that
    /// come with juvenal
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// The number of items
    #[arg(long, default_value_t = 10)]
    count: u64,
    /// The number from which all random choices are derived; another number gives other items
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
    let seeds = find_seeds(&arguments.seeds, &[technique.seed_language])?;
    let engine = Engine::new(Vec::new())?;
    let runner = (language == Language::C).then(any_runner);
    let subjects = (0..technique.least_subjects).map(|number| any_analyzer(language, number)).collect();
    let lineup = Lineup { subjects, witnesses: runner.into_iter().collect() };
    let cases = Cases {
        engine: &engine,
        seed_log: None,
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
        skipped: &|problem| screen::complain(format_args!("skipped a seed: {problem}")),
    };
    let mut sink = Sink::open(&arguments.out)?;
    campaign::generate(cases, &generation, &mut |item| sink.put(&item))?;
    Ok(0)
}

/// Where items go.
struct Sink {
    directory: Option<Folder>,
    stream: Screen,
    written: u64,
}

impl Sink {
    fn open(out: &Path) -> Result<Sink> {
        let directory = (out != Path::new("-")).then(|| out.to_owned());
        if let Some(directory) = &directory {
            if directory.exists() {
                bail!("{} already exists; choose another --out", directory.display());
            }
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot create {}", directory.display()))?;
        }
        let directory = directory.map(|path| Folder::open(&path)).transpose()?;
        Ok(Sink { directory, stream: screen::data(), written: 0 })
    }

    fn put(&mut self, item: &Generated) -> Result<()> {
        self.written += 1;
        if let Some(main) = item.files.first() {
            return self.put_files(main, &item.files);
        }
        let mut text = Vec::new();
        write_item(&mut text, self.written, &item.input, item.is_satisfiable)?;
        let Some(directory) = &self.directory else { return Ok(self.stream.write_all(&text)?) };
        let name = format!("{:06}.{}", self.written, item.input.extension());
        directory.write(Path::new(&name), &text, Permissions::Plain)
    }
}

impl Sink {
    /// Writes the files of an item to a directory of its own, or the main one to standard output.
    fn put_files(&mut self, main: &NamedFile, files: &[NamedFile]) -> Result<()> {
        let Some(directory) = &self.directory else {
            return Ok(self.stream.write_all(main.text.as_bytes())?);
        };
        for file in files {
            let path = Path::new(&format!("{:06}", self.written)).join(&file.name);
            let is_script = file.name.ends_with(".sh");
            let permissions = if is_script { Permissions::Executable } else { Permissions::Plain };
            directory.write(&path, file.text.as_bytes(), permissions)?;
        }
        Ok(())
    }
}

/// Writes an item; a script comes with the answer that each of its checks must get, if that is known.
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
        Input::Text(input) => {
            writeln!(out, "{} juvenal item {number}", input.language.kind().line_comment)?;
            out.write_all(input.text.as_bytes())
        }
    }
}
