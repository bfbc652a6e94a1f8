//! The end of a hunt: what was found, what to do next, and the exit code.

use crate::hunt::FailOn;
use crate::lineup::ResolvedLineup;
use crate::shell;
use crate::status::{counted, counts, found, vacuity};
use anyhow::Result;
use campaign::{HuntPlan, Progress};
use model::Kind;
use std::io::{self, Write};
use store::Store;

/// Bugs shown in full at the end.
const SHOWN: usize = 10;

/// Everything that the summary tells of.
pub struct Summary<'a> {
    pub hunt: &'a HuntPlan,
    pub store: &'a Store,
    pub chosen: &'a ResolvedLineup,
    pub progress: &'a Progress,
    /// True if somebody pressed Ctrl-C.
    pub interrupted: bool,
    /// One answer, if no analyzer made a claim.
    pub sample: Option<String>,
}

impl Summary<'_> {
    /// Prints it for people.
    pub fn print(&self) -> Result<()> {
        let mut out = io::stdout().lock();
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
        Ok(writeln!(io::stdout(), "{line}")?)
    }

    fn print_figures(&self, out: &mut dyn Write) -> Result<()> {
        let progress = self.progress;
        let before = |count: u64| if count == 0 { String::new() } else { format!(" ({count} before)") };
        writeln!(
            out,
            "\n{}{} and {}{} in {:.0} s{}; {}; {}.",
            counted(progress.cases, "case"),
            before(progress.cases_before),
            counted(progress.answers, "query"),
            before(progress.answers_before),
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
            ("did not hold when asked again", progress.fleeting),
            ("went unexamined, being like others", progress.not_examined),
        ] {
            if count > 0 {
                writeln!(out, "{} {what}.", counted(count, "exhibit"))?;
            }
        }
        if progress.broken_off > 0 {
            writeln!(
                out,
                "{} will be walked again on resuming.",
                counted(progress.broken_off, "unfinished case")
            )?;
        }
        // These are counts of the techniques, so the number stands behind the name.
        for count in ["self-checks failed", "assignments that do not read back"] {
            if let Some(number) = progress.counts.get(count).filter(|number| **number > 0) {
                writeln!(
                    out,
                    "{count}: {number}, a fault of juvenal's own that hid possible findings; please report it."
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
        match &self.sample {
            Some(sample) => writeln!(out, " For example, {sample}.")?,
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
                "\nThese are planted lies of the built-in liar ({analyzers}), found as bugs of a real solver would be."
            )?;
            writeln!(
                out,
                "To test a real solver: scripts/install-analyzers, or `{juvenal} analyzer install z3`."
            )?;
        }
        if self.progress.bugs > 0 {
            writeln!(out, "\nRead one:    {juvenal} findings {directory} F1")?;
            writeln!(out, "All of them: {juvenal} report {directory}")?;
        }
        // Where nothing could be judged, more of the same will not help.
        if self.progress.has_judged() || self.progress.bugs > 0 || self.interrupted {
            writeln!(out, "Go on:       {juvenal} resume {directory}{}", self.resumption())?;
        }
        Ok(())
    }

    /// The options without which `resume` would be refused, or would have nothing to do.
    fn resumption(&self) -> String {
        let mut options = String::new();
        for text in &self.chosen.texts_by_hand {
            options.push_str(&format!(" --analyzer {}", shell::word(text)));
        }
        if let Some(cases) = self.hunt.cases.filter(|cases| self.progress.cases >= *cases) {
            options.push_str(&format!(" --cases {}", cases.saturating_mul(2)));
        }
        options
    }

    /// 0 judged and nothing found, 1 findings, 3 nothing was judged.
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
            "\nB{} {} {}: {accused}: {} ({})\n   {}",
            bug.row.number,
            bug.best.weighed.evidence,
            bug.best.kind(),
            bug.title,
            counted(bug.row.hits, "hit"),
            store.directory.path().join("findings").join(findings::directory_name(&bug.best)).display()
        )?;
    }
    if bugs.len() > SHOWN {
        writeln!(out, "\n… and {}.", counted((bugs.len() - SHOWN) as u64, "more bug"))?;
    }
    Ok(())
}
