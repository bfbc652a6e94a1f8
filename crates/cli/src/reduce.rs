//! `juvenal reduce DIR F12`: shrink it.

use crate::findings_list::find;
use crate::hunt::{at_least_one, cores};
use crate::open_campaign::{Again, open};
use anyhow::{Context, Result, bail};
use engine::{Asker, Engine, Journal};
use findings::{Confirmation, ReduceBudget, confirm};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The finding, such as F12
    finding: String,
    /// The largest number of candidates to try
    #[arg(long, default_value_t = 100_000)]
    candidates: usize,
    /// How many candidates are tried at once; one for each core if not given
    #[arg(long, value_parser = at_least_one())]
    jobs: Option<usize>,
    #[command(flatten)]
    again: Again,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let opened = open(&arguments.directory, &arguments.again)?;
    let finding = find(&opened.store, &arguments.finding)?;
    if !opened.store.is_settled(&finding)? {
        bail!(
            "{} is not settled: its case was broken off, or waits for one that was, and is walked again when the \
             campaign goes on; run `juvenal resume {}` first, then look its number up and reduce it",
            finding.name(),
            arguments.directory.display()
        );
    }
    let engine = Engine::new(opened.chosen.everybody())?;
    let technique = techniques::find(techniques::all(), &finding.exhibit.technique)
        .with_context(|| format!("this juvenal has no technique {}", finding.exhibit.technique))?;
    // The store remembers how the analyzer answered then; whether it still does must be asked.
    let mut doubter = Asker::new(&engine, None, Journal::Off);
    if let Confirmation::Fleeting = confirm(&mut doubter, technique, &finding.reduced)? {
        println!("{} does not hold any more, so there is nothing to reduce.", finding.name());
        return Ok(0);
    }
    let stop = process::stop_on_interrupt();
    let jobs = arguments.jobs.unwrap_or_else(cores);
    let mut askers: Vec<Asker<'_>> =
        (0..jobs).map(|_| Asker::new(&engine, Some(&opened.store), Journal::ReadAndWrite)).collect();
    let budget = ReduceBudget { candidates: arguments.candidates };
    let lineup = opened.chosen.lineup();
    let before: usize = finding.reduced.bytes();
    let stopped = || stop.load(Ordering::SeqCst);
    let examined = findings::examine_again(
        &mut askers,
        technique,
        &lineup,
        &finding.exhibit,
        &finding.reduced,
        budget,
        &stopped,
    )?;
    let Some(examined) = examined else {
        println!("{} does not hold any more, so there is nothing to reduce.", finding.name());
        return Ok(0);
    };
    let after = examined.reduced.bytes();
    let changed = campaign::update_finding(&opened.store, finding, examined)?;
    let state = if changed.fully_reduced {
        "nothing more can be taken away"
    } else {
        "there may be more to take away"
    };
    println!("{}: {after} bytes, from {before}; {state}.", changed.name());
    Ok(0)
}
