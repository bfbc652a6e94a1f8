//! The summary of a hunt: what it found, what to do next, and the exit code.

use crate::hunt::FailOn;
use crate::lineup::ResolvedLineup;
use crate::status::{counted, counts, found, vacuity};
use crate::{screen, shell};
use anyhow::Result;
use campaign::{HuntPlan, Progress};
use model::{Kind, shown_name};
use std::io::Write;
use store::Store;

/// The maximum number of bugs in the summary.
const SHOWN: usize = 10;

/// Everything that the summary describes.
pub struct Summary<'a> {
    pub hunt: &'a HuntPlan,
    pub store: &'a Store,
    pub chosen: &'a ResolvedLineup,
    pub progress: &'a Progress,
    /// True if the user pressed Ctrl-C.
    pub interrupted: bool,
    /// An example of an answer, if no analyzer made a claim.
    pub example: Option<String>,
}

impl Summary<'_> {
    /// Prints it for people.
    pub fn print(&self) -> Result<()> {
        let mut out = screen::out();
        self.print_figures(&mut out)?;
        if !self.progress.has_judged() {
            self.print_why_nothing_was_judged(&mut out)?;
        }
        print_bugs(self.store, &mut out)?;
        self.print_next_steps(&mut out)
    }

    /// Prints it for machines.
    pub fn print_json(&self) -> Result<()> {
        let line = self.progress.statistics_line().replace("\"event\":\"status\"", "\"event\":\"finished\"");
        Ok(screen::json().write_all(format!("{line}\n").as_bytes())?)
    }

    fn print_figures(&self, out: &mut dyn Write) -> Result<()> {
        let progress = self.progress;
        let before = match progress.cases_before {
            0 => String::new(),
            cases => format!(" ({cases} before)"),
        };
        // As in the status: what this run asked, reductions and witnesses included.
        writeln!(
            out,
            "\n{}{before} and {} in {:.0} s{}; {}; {}.",
            counted(progress.cases, "case"),
            counted(progress.tally.asked, "query"),
            progress.seconds,
            if self.interrupted { ", interrupted" } else { "" },
            found(progress),
            vacuity(progress)
        )?;
        if progress.tally.asked > 0 {
            writeln!(out, "Answers: {}.", counts(progress.tally.verdicts.iter()))?;
        }
        for (reason, count) in &progress.skipped {
            let example = progress.skip_examples.get(reason).map_or("", String::as_str);
            let example = match (example, count) {
                ("", _) => String::new(),
                (example, 1) => format!(" ({example})"),
                (example, _) => format!(" (such as {example})"),
            };
            writeln!(out, "Skipped {}: {reason}{example}.", counted(*count, "case"))?;
        }
        for (what, count) in [
            ("not confirmed", progress.fleeting),
            ("not examined, because similar ones were", progress.not_examined),
        ] {
            if count > 0 {
                writeln!(out, "{} {what}.", counted(count, "exhibit"))?;
            }
        }
        if progress.broken_off > 0 {
            writeln!(out, "{} will be repeated on resume.", counted(progress.broken_off, "unfinished case"))?;
        }
        // Counters of the techniques that must stay at zero.
        for count in techniques::satisfiable::OWN_FAULTS.map(|fault| fault.name()) {
            if let Some(number) = progress.counts.get(count).filter(|number| **number > 0) {
                writeln!(
                    out,
                    "{count}: {number}. This is a bug in juvenal that may have hidden findings; please report it."
                )?;
            }
        }
        Ok(())
    }

    fn print_why_nothing_was_judged(&self, out: &mut dyn Write) -> Result<()> {
        if self.progress.cases > 0 && self.progress.all_seeds_unusable() {
            return Ok(writeln!(
                out,
                "None of the programs or scripts could be used, so nothing was judged."
            )?);
        }
        write!(out, "No analyzer made a claim, so nothing was judged.")?;
        match &self.example {
            Some(example) => writeln!(out, " For example, {example}.")?,
            None => writeln!(out)?,
        }
        Ok(())
    }

    fn print_next_steps(&self, out: &mut dyn Write) -> Result<()> {
        let juvenal = shell::juvenal();
        let directory = shell::word(&self.store.directory.path().display().to_string());
        if self.hunt.demonstration {
            let analyzers = counted(self.chosen.subjects.len() as u64, "analyzer");
            writeln!(
                out,
                "\nThese are planted bugs of the built-in liar ({analyzers}), found in the same way as those of a real solver."
            )?;
            writeln!(
                out,
                "To test a real solver: scripts/install-analyzers, or `{juvenal} analyzer install z3`."
            )?;
        }
        if self.progress.bugs > 0 {
            writeln!(out, "\nShow one:    {juvenal} findings {directory} F1")?;
            writeln!(out, "Show all:    {juvenal} report {directory}")?;
        }
        // If nothing was judged, more of the same will not help.
        if self.progress.has_judged() || self.progress.bugs > 0 || self.interrupted {
            writeln!(out, "Continue:    {juvenal} resume {directory}{}", self.resume_options())?;
        }
        Ok(())
    }

    /// The options without which `resume` would be refused, or would have nothing to do.
    fn resume_options(&self) -> String {
        let mut options = String::new();
        for text in &self.chosen.texts_by_hand {
            options.push_str(&format!(" --analyzer {}", shell::word(text)));
        }
        if let Some(cases) = self.hunt.cases.filter(|cases| self.progress.cases >= *cases) {
            options.push_str(&format!(" --cases {}", cases.max(self.progress.cases).saturating_mul(2)));
        }
        options
    }

    /// 0 if nothing was found, 1 if there are findings, 3 if nothing was judged.
    pub fn exit_code(&self, fail_on: FailOn) -> u8 {
        let counts = |wanted: &dyn Fn(Kind) -> bool| {
            self.progress.findings.iter().any(|((kind, _), count)| *count > 0 && wanted(*kind))
        };
        let failing = match fail_on {
            FailOn::Never => false,
            FailOn::Any => counts(&|_| true),
            FailOn::Soundness => counts(&|kind| kind == Kind::Soundness),
        };
        match (self.hunt.demonstration, failing, self.progress.has_judged()) {
            (true, _, _) => 0,
            (_, true, _) => 1,
            (_, false, false) => 3,
            _ => 0,
        }
    }
}

fn print_bugs(store: &Store, out: &mut dyn Write) -> Result<()> {
    let bugs = findings::listed_bugs(store)?;
    for bug in bugs.iter().take(SHOWN) {
        let accused = bug.best.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
        writeln!(
            out,
            "\nB{} {} {}: {}: {} ({})\n   {}",
            bug.row.number,
            bug.best.weighed.evidence,
            bug.best.kind(),
            shown_name(accused),
            shown_name(&bug.title),
            counted(bug.row.hits, "hit"),
            store.directory.path().join("findings").join(findings::directory_name(&bug.best)).display()
        )?;
    }
    if bugs.len() > SHOWN {
        writeln!(out, "\n… and {}.", counted((bugs.len() - SHOWN) as u64, "more bug"))?;
    }
    Ok(())
}
