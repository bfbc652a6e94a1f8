//! The end of a hunt: what was found, what to do next, and the exit code.

use crate::hunt::FailOn;
use crate::lineup::Chosen;
use crate::status::{counted, found, vacuity};
use anyhow::Result;
use campaign::{Plan, Progress};
use model::Kind;
use std::collections::BTreeSet;
use std::io::{self, Write};
use store::Store;

/// Bugs shown in full at the end.
const SHOWN: usize = 10;

/// Prints the summary.
pub fn print(plan: &Plan, store: &Store, chosen: &Chosen, progress: &Progress, json: bool) -> Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let line = progress.statistics_line().replace("\"event\":\"status\"", "\"event\":\"finished\"");
        return Ok(writeln!(out, "{line}")?);
    }
    writeln!(
        out,
        "\n{} and {} in {:.0} s; {}; {}.",
        counted(progress.cases, "case"),
        counted(progress.tally.asked, "query"),
        progress.seconds,
        found(progress),
        vacuity(progress)
    )?;
    for (reason, count) in &progress.skipped {
        let example = progress.skip_examples.get(reason).map_or("", String::as_str);
        let example = if example.is_empty() { String::new() } else { format!(" (such as {example})") };
        writeln!(out, "Skipped {}: {reason}{example}.", counted(*count, "case"))?;
    }
    for (what, count) in [
        ("did not hold when asked again", progress.fleeting),
        ("went unexamined, being like others of the same case", progress.not_examined),
    ] {
        if count > 0 {
            writeln!(out, "{} {what}.", counted(count, "exhibit"))?;
        }
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
    if !progress.has_judged() {
        writeln!(
            out,
            "No analyzer made a claim, so nothing was judged: see the answers above and `juvenal doctor`."
        )?;
    }
    print_bugs(store, &mut out)?;
    let directory = store.directory().display();
    if plan.demonstration {
        let analyzers = counted(chosen.subjects.len() as u64, "analyzer");
        writeln!(
            out,
            "\nThese are planted lies of the built-in liar ({analyzers}), found as bugs of a real solver would be."
        )?;
        writeln!(out, "To test a real solver: scripts/install-analyzers, or `juvenal analyzer install z3`.")?;
    }
    if progress.bugs > 0 {
        writeln!(
            out,
            "\nRead one: juvenal findings {directory} F1      All of them: juvenal report {directory}"
        )?;
    }
    writeln!(out, "Go on:    juvenal resume {directory}")?;
    Ok(())
}

fn print_bugs(store: &Store, out: &mut dyn Write) -> Result<()> {
    let findings = findings::ranked(store.findings()?);
    let hits: Vec<store::BugRow> = store.bugs()?;
    let mut shown = BTreeSet::new();
    for finding in &findings {
        if shown.len() == SHOWN || !shown.insert(finding.bug) {
            continue;
        }
        let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
        let hits = hits.iter().find(|bug| bug.number == finding.bug).map_or(1, |bug| bug.hits);
        writeln!(
            out,
            "\nB{} {} {}: {accused}: {} ({})\n   {}",
            finding.bug,
            finding.weighed.evidence,
            finding.exhibit.kind,
            finding.exhibit.title,
            counted(hits, "hit"),
            store.directory().join("findings").join(findings::directory_name(finding)).display()
        )?;
    }
    if hits.len() > shown.len() {
        writeln!(out, "\n… and {}.", counted((hits.len() - shown.len()) as u64, "more bug"))?;
    }
    Ok(())
}

/// 0 judged and nothing found, 1 findings, 3 nothing was judged.
pub fn exit_code(plan: &Plan, progress: &Progress, fail_on: FailOn) -> Result<u8> {
    let counts = |wanted: &dyn Fn(Kind) -> bool| {
        progress.findings.iter().any(|((kind, _), count)| *count > 0 && wanted(*kind))
    };
    let failing = match fail_on {
        FailOn::Never => false,
        FailOn::Any => counts(&|_| true),
        FailOn::Soundness => counts(&|kind| kind == Kind::Soundness),
    };
    Ok(match (plan.demonstration, failing, progress.has_judged()) {
        (true, _, _) => 0,
        (_, true, _) => 1,
        (_, false, false) => 3,
        _ => 0,
    })
}
