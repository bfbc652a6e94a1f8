//! The command line of juvenal, which tests program analyzers and proves their wrong answers.

mod analyzer;
mod built_in;
mod columns;
mod compare;
mod doctor;
mod dry_run;
mod explain;
mod findings_list;
mod generate;
mod glossary;
mod how_to_continue;
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
mod screen;
mod seed_choice;
mod shell;
mod shipped;
mod split;
mod status;
mod summary;
mod technique_choice;
mod tune;
mod unit;
mod verdict_words;

use anyhow::Result;
use clap::{Parser, Subcommand};
use model::shown_name;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Tests program analyzers: generates inputs whose answers are known or related, asks the analyzers, catches wrong
/// answers, proves, reduces and groups them, and writes the bug report
#[derive(Parser)]
#[command(name = "juvenal", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the installed analyzers with their versions, and how to install the others
    Doctor(doctor::Arguments),
    /// Hunt for wrong answers; every option has a default. Exit code: 0 nothing found, 1 findings, 2 failure, 3 nothing
    /// was judged
    Hunt(hunt::Arguments),
    /// Continue a campaign after Ctrl-C, kill -9 or a reboot
    Resume(resume::Arguments),
    /// List the findings of a campaign, or show one in full
    Findings(findings_list::Arguments),
    /// Run the analyzer again and say whether a finding still holds: exit code 1 if it does, 0 if not
    Replay(replay::Arguments),
    /// Reduce a finding further
    Reduce(reduce::Arguments),
    /// Judge the recorded answers again, without running any analyzer
    Judge(judge::Arguments),
    /// Print the report of a campaign
    Report(report::Arguments),
    /// Compare analyzers, configurations or versions on the same checks, and show side by side what each verifies
    Compare(compare::Arguments),
    /// Search for the best configuration of an analyzer for your programs, within limits on time and memory
    Tune(tune::Arguments),
    /// Analyze a project in parts with a linter, type checker or static analyzer, and merge the results. Exit code: 0 every part
    /// was analyzed, 1 some were not, 2 failure, 3 none was
    Split(split::Arguments),
    /// Run the generator of a technique alone
    Generate(generate::Arguments),
    /// List, check and install analyzers
    Analyzer(analyzer::Arguments),
    /// Show the manual page of a technique, kind, verdict or analyzer
    Explain(explain::Arguments),
    /// Run one unit of a hunt or a comparison
    #[command(hide = true)]
    Unit(unit::Arguments),
    /// Run a built-in analyzer as a program
    #[command(hide = true)]
    BuiltIn(built_in::Arguments),
}

/// The exit code when juvenal itself failed.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    process::survive_full_files();
    let code = parse().and_then(|parsed| match parsed {
        ControlFlow::Continue(command) => run(command),
        ControlFlow::Break(code) => Ok(code),
    });
    match code.and_then(|code| screen::finish().map(|()| code).map_err(anyhow::Error::new)) {
        Ok(code) => ExitCode::from(code),
        Err(error) if screen::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            screen::complain(format_args!("{error:#}"));
            ExitCode::from(FAILED)
        }
    }
}

/// The command; an exit code if the command line asked for help or was refused, which has been printed then.
fn parse() -> Result<ControlFlow<u8, Command>> {
    let error = match Arguments::try_parse() {
        Ok(arguments) => return Ok(ControlFlow::Continue(arguments.command)),
        Err(error) => error,
    };
    // The message quotes arguments, so it is made again from arguments without hidden characters.
    let shown = std::env::args_os().map(|argument| shown_name(&argument.to_string_lossy()).into_owned());
    let error = Arguments::try_parse_from(shown).err().unwrap_or(error);
    error.print().map_err(|failure| screen::cannot_print(error.use_stderr(), failure))?;
    Ok(ControlFlow::Break(u8::try_from(error.exit_code()).unwrap_or(FAILED)))
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
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Split(arguments) => split::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Analyzer(arguments) => analyzer::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Unit(arguments) => unit::run(&arguments),
        Command::BuiltIn(arguments) => built_in::run(&arguments),
    }
}
