//! `juvenal resume DIR`: go on after Ctrl-C, kill -9 or a reboot.

use crate::hunt::{OutputOptions, at_least_one, carry_out, parse_duration, refuse_idle_settings};
use crate::open_campaign::{Again, open};
use anyhow::Result;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// How much longer; as long as the first time if not given
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// How many cases in all
    #[arg(long)]
    cases: Option<u64>,
    /// How many cases run at once
    #[arg(long, value_parser = at_least_one())]
    jobs: Option<usize>,
    #[command(flatten)]
    again: Again,
    #[command(flatten)]
    telling: OutputOptions,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let mut opened = open(&arguments.directory, &arguments.again)?;
    let seeds = opened.seeds()?;
    refuse_idle_settings(&opened.plan.settings, &opened.techniques)?;
    if let Some(time) = arguments.time {
        opened.plan.seconds = Some(time.as_secs_f64());
    }
    if arguments.cases.is_some() {
        opened.plan.cases = arguments.cases;
    }
    if let Some(jobs) = arguments.jobs {
        opened.plan.jobs = jobs;
    }
    carry_out(&opened.plan, &opened.store, &opened.chosen, &opened.techniques, &seeds, &arguments.telling)
}
