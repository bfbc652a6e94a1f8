//! `juvenal resume DIR`: continues a campaign after Ctrl-C, kill -9 or a reboot.

use crate::hunt::{OutputOptions, carry_out};
use crate::knobs::refuse_idle_settings;
use crate::open_campaign::{Again, open};
use crate::option_values::{at_least_one, parse_duration};
use crate::tune;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// How much longer to run; by default, as long as the hunt was started with
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The total number of cases, including those of earlier runs
    #[arg(long, value_parser = at_least_one::<u64>())]
    cases: Option<u64>,
    /// The number of cases that run in parallel
    #[arg(long, value_parser = at_least_one::<usize>())]
    jobs: Option<usize>,
    #[command(flatten)]
    again: Again,
    #[command(flatten)]
    output: OutputOptions,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let mut opened = open(&arguments.directory, &arguments.again)?;
    if opened.plan.tune.is_some() {
        if arguments.cases.is_some() {
            bail!("a search of `tune` has no cases; use --time");
        }
        let (time, jobs, json) = (arguments.time, arguments.jobs, arguments.output.json);
        let analyzers = arguments.again.analyzers.clone();
        return tune::carry_out(opened, &tune::Continuation { time, cpu: None, jobs, json, analyzers });
    }
    refuse_idle_settings(&opened.plan.settings, &opened.techniques)?;
    let mut hunt = opened.plan.hunt();
    if let Some(time) = arguments.time {
        hunt.seconds = Some(time.as_secs_f64());
    }
    hunt.cases = arguments.cases.or(hunt.cases);
    opened.plan.jobs = arguments.jobs.unwrap_or(opened.plan.jobs);
    carry_out(&opened.ready()?, &hunt, &arguments.output)
}
