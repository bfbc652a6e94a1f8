//! `juvenal reduce DIR F12`: reduces a finding with juvenal's own passes, optionally after an external reducer.
//!
//! An external reducer proposes whole texts and calls `--candidate`, which applies the same judge as the passes do. C-Vise
//! is started here, confined, and its questions are answered here.

mod cvise;
mod questions;
mod strict;

use crate::findings_list::find;
use crate::open_campaign::{Again, analyzers_asked, open, refuse_file_access};
use crate::option_values::{at_least_one, cores};
use crate::screen;
use anyhow::{Context, Result, bail};
use engine::{Asker, Engine, Journal, LARGEST_SEED, read_given_file};
use findings::{Confirmation, ReduceBudget, confirm, still_broken};
use model::{Exhibit, Finding, Language};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use store::Store;
use techniques::Technique;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The finding, such as F12
    finding: String,
    /// The maximum number of candidates to try
    #[arg(long, default_value_t = 100_000)]
    candidates: usize,
    /// How many candidates are tried in parallel; one per core by default
    #[arg(long, value_parser = at_least_one::<usize>())]
    jobs: Option<usize>,
    /// Run another reducer on the C program before juvenal's own passes
    #[arg(long, value_enum, value_name = "REDUCER")]
    with: Option<ExternalReducer>,
    /// Only test whether the finding reproduces with FILE as its C program; the exit code is the answer: 0 if it does, 1 if
    /// not, 2 on failures. Start from `candidate.c` in the directory of the finding. External reducers call this, in
    /// parallel if they like; nothing is stored
    #[arg(long, value_name = "FILE", conflicts_with_all = ["with", "candidates", "jobs"])]
    candidate: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
}

/// The external reducers.
#[derive(Clone, Copy, clap::ValueEnum)]
enum ExternalReducer {
    /// C-Vise, a reducer of C programs: https://github.com/marxin/cvise
    Cvise,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    match &arguments.candidate {
        Some(file) => judge_candidate(arguments, file),
        None => reduce(arguments),
    }
}

/// Reports whether a finding reproduces with another program.
fn judge_candidate(arguments: &Arguments, file: &Path) -> Result<u8> {
    let bytes = read_given_file(file, LARGEST_SEED)
        .with_context(|| format!("cannot read the candidate {}", file.display()))?;
    let store = Store::open_for_reading(&arguments.directory)?;
    let finding = find(&store, &arguments.finding)?;
    let technique = techniques::judge_of(techniques::all(), &finding.reduced)?;
    refuse_other_languages("--candidate", technique, &finding)?;
    let candidate = match propose(technique, &finding.reduced, bytes)? {
        Proposal::Fair(exhibit) => exhibit,
        Proposal::Unfair(why) => {
            writeln!(screen::out(), "{} cannot reproduce with this program{why}.", finding.name())?;
            return Ok(1);
        }
    };
    let engine = Engine::new(analyzers_asked(&store, &arguments.again, &candidate)?)?;
    let stop = process::end_runs_on_interrupt();
    let mut asker = Asker::new(&engine, None, Journal::Off);
    let shows = still_broken(&mut asker, technique, &candidate, &|| stop.load(Ordering::SeqCst))?;
    if stop.load(Ordering::SeqCst) {
        bail!("interrupted before {} could be reproduced or refuted", finding.name());
    }
    writeln!(
        screen::out(),
        "{} {}.",
        finding.name(),
        if shows { "still reproduces" } else { "does not reproduce" }
    )?;
    Ok(u8::from(!shows))
}

/// An exhibit whose program was replaced by the text of an external reducer.
enum Proposal {
    /// An exhibit that may be put to analyzers.
    Fair(Exhibit),
    /// Why the text is not considered, as the end of a sentence.
    Unfair(&'static str),
}

/// The exhibit with another text as its program.
fn propose(technique: &Technique, exhibit: &Exhibit, bytes: Vec<u8>) -> Result<Proposal> {
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let proposed = text.and_then(|text| Some((technique.with_text?(exhibit, &text)?, text)));
    let Some((candidate, text)) = proposed else { return Ok(Proposal::Unfair("")) };
    if becomes_less_strict(exhibit, &text)? {
        return Ok(Proposal::Unfair(": gcc rejects it, but accepted the original"));
    }
    Ok(Proposal::Fair(candidate))
}

/// True if gcc accepts the program of an exhibit but not this text.
fn becomes_less_strict(exhibit: &Exhibit, text: &str) -> Result<bool> {
    let Some(before) = exhibit.queries.first().and_then(|query| query.input.c()) else { return Ok(false) };
    Ok(strict::is_accepted(text)? == Some(false) && strict::is_accepted(&before.base)? == Some(true))
}

fn refuse_other_languages(argument: &str, technique: &Technique, finding: &Finding) -> Result<()> {
    let language = technique.language;
    if language != Language::C {
        bail!(
            "{argument} is for C programs, but {} is about {}; leave it out",
            finding.name(),
            language.kind().an_input
        );
    }
    Ok(())
}

/// The finding as reduced by C-Vise; `None` if its result no longer shows the finding.
fn by_cvise(
    engine: &Engine,
    technique: &Technique,
    finding: &Finding,
    jobs: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Exhibit>> {
    refuse_other_languages("--with cvise", technique, finding)?;
    let program = cvise::find()?;
    let mut asker = Asker::new(engine, None, Journal::Off);
    let Some(text) = text_for_others(&mut asker, technique, finding, stop)? else {
        if stop() {
            return Ok(None);
        }
        bail!(
            "--with cvise: the program of {} uses variables or memory whose values cannot be tracked, so no other \
             text would be accepted; leave --with out",
            finding.name()
        );
    };
    let name = finding.name();
    let judge = |candidate: Vec<u8>, stop: &dyn Fn() -> bool| {
        let mut asker = Asker::new(engine, None, Journal::Off);
        match propose(technique, &finding.reduced, candidate)? {
            Proposal::Fair(exhibit) => still_broken(&mut asker, technique, &exhibit, stop),
            Proposal::Unfair(_) => Ok(false),
        }
    };
    writeln!(screen::out(), "{name}: C-Vise begins with a program of {} bytes.", text.len())?;
    let smaller = cvise::reduced(&program, &judge, &text, jobs, stop)?;
    let bytes = smaller.len();
    // C-Vise may leave a program that it never tested.
    let Proposal::Fair(exhibit) = propose(technique, &finding.reduced, smaller)? else {
        return discarded(&name);
    };
    // An interrupted search also has a result, which must not be lost.
    if !still_broken(&mut asker, technique, &exhibit, &|| false)? {
        return discarded(&name);
    }
    writeln!(screen::out(), "{name}: C-Vise ends with a program of {bytes} bytes.")?;
    Ok(Some(exhibit))
}

fn discarded(name: &str) -> Result<Option<Exhibit>> {
    writeln!(screen::out(), "{name} does not reproduce with the program left by C-Vise, so it is not used.")?;
    Ok(None)
}

/// The program for an external reducer, with every variable initialized if the finding still reproduces then, because later
/// assignments could not be removed otherwise. `None` if no text would be accepted.
fn text_for_others(
    asker: &mut Asker<'_>,
    technique: &Technique,
    finding: &Finding,
    stop: &dyn Fn() -> bool,
) -> Result<Option<String>> {
    let exhibit = &finding.reduced;
    let Some(with_text) = technique.with_text else { return Ok(None) };
    let pass = technique.pass(techniques::INITIALIZE);
    let initialized = pass.and_then(|pass| pass.apply(exhibit, &pass.proposals(exhibit)));
    for shown in initialized.iter().chain([exhibit]) {
        let Some(program) = shown.queries.first().and_then(|query| query.input.c()) else { return Ok(None) };
        if let Some(accepted) = with_text(exhibit, &program.base)
            && still_broken(asker, technique, &accepted, stop)?
        {
            return Ok(Some(program.base.to_string()));
        }
    }
    Ok(None)
}

fn reduce(arguments: &Arguments) -> Result<u8> {
    let opened = open(&arguments.directory, &arguments.again)?;
    let finding = find(&opened.store, &arguments.finding)?;
    refuse_file_access(&finding)?;
    if !opened.store.ledger.is_settled(&finding)? {
        bail!(
            "{} is provisional: its case, or an earlier one, was interrupted and will be repeated; run \
             `juvenal resume {}` first, then look up its new number with `juvenal findings`",
            finding.name(),
            arguments.directory.display()
        );
    }
    let engine = Engine::new(opened.chosen.all())?;
    let technique = techniques::judge_of(techniques::all(), &finding.reduced)?;
    // The stored answers are old, so check first that the analyzer still gives them.
    let mut fresh_asker = Asker::new(&engine, None, Journal::Off);
    if let Confirmation::Fleeting = confirm(&mut fresh_asker, technique, &finding.reduced)? {
        writeln!(screen::out(), "{} no longer holds, so there is nothing to reduce.", finding.name())?;
        return Ok(0);
    }
    let stop = process::stop_on_interrupt();
    let jobs = arguments.jobs.unwrap_or_else(cores);
    let mut askers: Vec<Asker<'_>> =
        (0..jobs).map(|_| Asker::new(&engine, Some(&*opened.store.answers), Journal::ReadAndWrite)).collect();
    let budget = ReduceBudget { candidates: arguments.candidates };
    let lineup = opened.chosen.lineup();
    let before: usize = finding.reduced.bytes();
    let stopped = || stop.load(Ordering::SeqCst);
    let left = match arguments.with {
        Some(ExternalReducer::Cvise) => by_cvise(&engine, technique, &finding, jobs, &stopped)?,
        None => None,
    };
    let examined = findings::examine_again(
        &mut askers,
        technique,
        &lineup,
        &finding.exhibit,
        left.as_ref().unwrap_or(&finding.reduced),
        budget,
        &stopped,
    )?;
    let Some(examined) = examined else {
        writeln!(screen::out(), "{} no longer holds, so there is nothing to reduce.", finding.name())?;
        return Ok(0);
    };
    let after = examined.reduced.bytes();
    let changed = campaign::update_finding(&opened.store, finding, examined)?;
    let state =
        if changed.fully_reduced { "no pass reduces it further" } else { "it may be reduced further" };
    writeln!(screen::out(), "{}: {after} bytes, from {before}; {state}.", changed.name())?;
    Ok(0)
}
