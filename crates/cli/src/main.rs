//! juvenal puts program analyzers under test and proves their wrong answers.

mod analyzer;
mod built_in;
mod columns;
mod compare;
mod doctor;
mod dry_run;
mod explain;
mod findings_list;
mod generate;
mod hunt;
mod judge;
mod knobs;
mod lineup;
mod open_campaign;
mod option_values;
mod reduce;
mod replay;
mod report;
mod resume;
mod seed_choice;
mod shell;
mod shipped;
mod status;
mod summary;
mod technique_choice;
mod unit;
mod verdict_words;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// juvenal puts program analyzers under test: it generates inputs whose answers are known, asks the analyzers,
/// catches wrong answers, proves them, shrinks them, groups them, and writes the bug report.
#[derive(Parser)]
#[command(name = "juvenal", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say which analyzers are here, which versions, and how to get the others
    Doctor(doctor::Arguments),
    /// Hunt for wrong answers: the main job; everything has a default. Exit code 0: judged and nothing found, 1:
    /// findings, 2: failed, 3: nothing was judged
    Hunt(hunt::Arguments),
    /// Go on with a campaign after Ctrl-C, kill -9 or a reboot
    Resume(resume::Arguments),
    /// List the findings of a campaign, or show one in full
    Findings(findings_list::Arguments),
    /// Ask again and say whether a finding still holds: exit code 1 if it does, 0 if not
    Replay(replay::Arguments),
    /// Shrink a finding
    Reduce(reduce::Arguments),
    /// Judge the recorded answers again, without asking anybody
    Judge(judge::Arguments),
    /// Write the report of a campaign
    Report(report::Arguments),
    /// Put the same checks to several analyzers, configurations or versions, and show side by side who verifies what
    Compare(compare::Arguments),
    /// Run the generator of a technique alone
    Generate(generate::Arguments),
    /// List, check and install the programs under test
    Analyzer(analyzer::Arguments),
    /// Show the manual page of a technique, kind, verdict or analyzer
    Explain(explain::Arguments),
    /// Run one unit of a hunt
    #[command(hide = true)]
    Unit(unit::Arguments),
    /// Run a built-in analyzer as a program
    #[command(hide = true)]
    BuiltIn(built_in::Arguments),
}

/// The exit code when juvenal itself failed.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("juvenal: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn run(command: Command) -> Result<u8> {
    match command {
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Hunt(arguments) => hunt::run(&arguments),
        Command::Resume(arguments) => resume::run(&arguments),
        Command::Findings(arguments) => findings_list::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Reduce(arguments) => reduce::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Analyzer(arguments) => analyzer::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Unit(arguments) => unit::run(&arguments),
        Command::BuiltIn(arguments) => built_in::run(&arguments),
    }
}

/// Somebody who pipes our output into `head` has seen enough; that is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
