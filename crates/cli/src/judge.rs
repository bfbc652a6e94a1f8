//! `juvenal judge DIR`: judge the recorded answers again.

use crate::open_campaign::{Again, open};
use crate::status::counted;
use anyhow::Result;
use campaign::{Budget, Silent, Stop};
use engine::Journal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// Read every recorded output again, even if the description that read it has not changed
    #[arg(long)]
    reread: bool,
    #[command(flatten)]
    again: Again,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let ready = open(&arguments.directory, &arguments.again)?.ready()?;
    let requested = AtomicBool::new(false);
    let stop = Stop { requested: &requested, budget: Budget::starting_now(None, None) };
    let journal = if arguments.reread { Journal::Reread } else { Journal::ReadOnly };
    let judged = campaign::judge(&ready.campaign(stop, &Silent), journal)?;
    println!(
        "{} walked again on {} of {}: {}.",
        counted(judged.cases, "case"),
        judged.answers,
        counted(judged.recorded, "recorded answer"),
        counted(judged.exhibits, "exhibit")
    );
    if arguments.reread || judged.reread + judged.not_rereadable > 0 {
        println!(
            "{} read again: {} changed; {} kept without reading, because the output is not recorded in full.",
            counted(judged.reread, "answer"),
            counted(judged.changed, "verdict"),
            counted(judged.not_rereadable, "verdict")
        );
    }
    if judged.skipped > 0 {
        println!("{} skipped by the hunt: nothing to judge.", counted(judged.skipped, "case"));
    }
    if judged.incomplete > 0 {
        let cases = counted(judged.incomplete, "case");
        println!(
            "{cases} could not be walked to the end: an answer is not recorded, as after a rebuild of its analyzer, or the seed is gone."
        );
    }
    for (numbers, words) in [
        (&judged.upheld, "upheld"),
        (&judged.overturned, "overturned: their recorded answers no longer break the relation"),
        (&judged.undecided, "undecided: some of their answers are not recorded"),
    ] {
        if !numbers.is_empty() {
            let names: Vec<String> = numbers.iter().map(|number| format!("F{number}")).collect();
            println!("{} {words}.", names.join(", "));
        }
    }
    Ok(u8::from(!judged.overturned.is_empty()))
}
