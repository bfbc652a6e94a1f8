//! `juvenal judge DIR`: judges the recorded answers again.

use crate::open_campaign::{Again, open};
use crate::screen;
use crate::status::counted;
use anyhow::Result;
use campaign::{Budget, Silent, Stop};
use engine::Journal;
use std::io::Write;
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
    let mut out = screen::out();
    let is_search = ready.opened.plan.tune.is_some();
    let judge = if is_search { campaign::judge_findings } else { campaign::judge };
    let judged = judge(&ready.campaign(stop, &Silent), journal)?;
    let recorded = counted(judged.recorded, "recorded answer");
    if is_search {
        writeln!(out, "Judged the findings of a search on {recorded}.")?;
    } else {
        let cases = counted(judged.cases - judged.incomplete, "case");
        writeln!(out, "Replayed {cases} from {recorded}, with {}.", counted(judged.exhibits, "exhibit"))?;
    }
    if arguments.reread || judged.reread + judged.not_rereadable > 0 {
        writeln!(
            out,
            "{} read again, {} changed; {} unchanged because the stored output is incomplete.",
            counted(judged.reread, "answer"),
            counted(judged.changed, "verdict"),
            counted(judged.not_rereadable, "verdict")
        )?;
    }
    if judged.skipped > 0 {
        writeln!(out, "{} skipped, as in the hunt.", counted(judged.skipped, "case"))?;
    }
    if judged.incomplete > 0 {
        let cases = counted(judged.incomplete, "case");
        writeln!(
            out,
            "{cases} could not be replayed completely, because some answers are not recorded (for instance, the analyzer was rebuilt or its description changed) or a seed is missing. This does not affect the judgement of findings."
        )?;
    }
    for (numbers, words) in [
        (&judged.upheld, "upheld"),
        (&judged.overturned, "overturned: the recorded answers no longer break the relation"),
        (&judged.undecided, "undecided: some answers are not recorded"),
        (
            &judged.unjudgeable,
            "not judged: another version of juvenal wrote them, or their technique is not in the plan",
        ),
    ] {
        if !numbers.is_empty() {
            let names: Vec<String> = numbers.iter().map(|number| format!("F{number}")).collect();
            writeln!(out, "{} {words}.", names.join(", "))?;
        }
    }
    Ok(u8::from(!judged.overturned.is_empty()))
}
