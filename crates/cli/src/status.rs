//! Telling how a hunt goes: a live block on a terminal, plain lines in a pipe, or one JSON event a line.

use crate::lineup::Chosen;
use campaign::{Event, Plan, Progress, Watcher};
use model::Finding;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// In a pipe the status is printed at every so many refreshments of half a second.
const PLAIN_EVERY: u64 = 20;

/// Somebody who tells.
pub struct Teller {
    form: Form,
    directory: PathBuf,
    state: Mutex<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Live,
    Plain,
    Json,
}

#[derive(Default)]
struct State {
    /// Lines of the live block on the screen.
    lines: usize,
    refreshments: u64,
}

/// The teller that fits where the output goes.
pub fn watcher(json: bool, directory: &Path) -> Teller {
    let form = match (json, io::stdout().is_terminal()) {
        (true, _) => Form::Json,
        (false, true) => Form::Live,
        (false, false) => Form::Plain,
    };
    Teller { form, directory: directory.to_owned(), state: Mutex::default() }
}

impl Teller {
    /// The view of the campaign.
    pub fn as_watcher(&self) -> &dyn Watcher {
        self
    }

    /// Says what is about to happen.
    pub fn started(&self, plan: &Plan, chosen: &Chosen, isolation: &str) {
        if self.form == Form::Json {
            return say(&serde_json::json!({
                "event": "started",
                "directory": self.directory,
                "techniques": plan.techniques,
                "analyzers": plan.subjects,
                "witnesses": plan.witnesses,
                "seeds": plan.seeds.count,
                "isolation": isolation,
            })
            .to_string());
        }
        if plan.demonstration {
            say("No solver is installed, so juvenal hunts its own built-in liar to show what happens.");
            say("To test a real one: scripts/install-analyzers, or `juvenal analyzer install z3`.\n");
        }
        let names: Vec<String> =
            chosen.subjects.iter().map(|resolved| resolved.member.id.to_string()).collect();
        say(&format!(
            "Hunting {} with {} on {}, {} at once; everything is kept in {}.",
            names.join(", "),
            plan.techniques.join(", "),
            counted(plan.seeds.count as u64, "seed"),
            plan.jobs,
            self.directory.display()
        ));
    }

    /// Takes the live block off the screen.
    pub fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        erase(&mut state);
    }

    fn finding(&self, finding: &Finding, hits: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        erase(&mut state);
        let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
        if self.form == Form::Json {
            return say(&serde_json::json!({
                "event": "finding",
                "id": finding.name(),
                "bug": format!("B{}", finding.bug),
                "hits": hits,
                "kind": finding.exhibit.kind,
                "evidence": finding.weighed.evidence,
                "analyzer": accused,
                "title": finding.exhibit.title,
            })
            .to_string());
        }
        // One line for each bug; how often it was hit is in the summary.
        if hits > 1 {
            return;
        }
        say(&format!(
            "{} B{} {} {} {accused}: {}",
            finding.name(),
            finding.bug,
            finding.weighed.evidence,
            finding.exhibit.kind,
            finding.exhibit.title
        ));
    }

    fn status(&self, progress: &Progress) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.refreshments += 1;
        match self.form {
            Form::Live => {
                erase(&mut state);
                let lines = lines(progress);
                lines.iter().for_each(|line| say(line));
                state.lines = lines.len();
            }
            Form::Plain if state.refreshments.is_multiple_of(PLAIN_EVERY) => say(&lines(progress).join("; ")),
            Form::Json if state.refreshments.is_multiple_of(PLAIN_EVERY) => say(&progress.statistics_line()),
            _ => {}
        }
    }
}

impl Watcher for Teller {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Status(progress) => self.status(progress),
            Event::Finding { finding, hits } => self.finding(finding, *hits),
        }
    }
}

/// A reader that has gone away must not end the campaign.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn erase(state: &mut State) {
    for _ in 0..std::mem::take(&mut state.lines) {
        // One line up, and clear it.
        let _ = write!(io::stdout(), "\x1b[1A\x1b[2K");
    }
    let _ = io::stdout().flush();
}

/// The status in a few lines.
fn lines(progress: &Progress) -> Vec<String> {
    let rate = |count: u64| count as f64 / progress.seconds.max(0.001);
    let left = match (progress.seconds_left, progress.cases_wanted) {
        (Some(seconds), _) => format!("{seconds:.0} s left"),
        (None, Some(cases)) => {
            format!("{} of {} left", cases.saturating_sub(progress.cases), counted(cases, "case"))
        }
        (None, None) => "no limit".to_owned(),
    };
    let inside = progress
        .percent_inside()
        .map_or(String::new(), |percent| format!(", {percent} % of CPU in analyzers"));
    let mut lines = vec![
        format!(
            "{}, {} ({:.0}/s){inside}, {left}",
            counted(progress.cases, "case"),
            counted(progress.tally.asked, "query"),
            rate(progress.tally.asked)
        ),
        format!("answers: {}", counts(progress.tally.verdicts.iter().map(|(word, count)| (*word, *count)))),
    ];
    if !progress.skipped.is_empty() {
        lines.push(format!(
            "skipped: {}",
            counts(progress.skipped.iter().map(|(it, count)| (it.as_str(), *count)))
        ));
    }
    lines.push(format!("{}; {}", found(progress), vacuity(progress)));
    lines
}

/// Findings by evidence and kind.
pub fn found(progress: &Progress) -> String {
    if progress.findings.is_empty() {
        return "no findings".to_owned();
    }
    let list: Vec<String> = progress
        .findings
        .iter()
        .map(|((kind, evidence), count)| format!("{count} {evidence} {kind}"))
        .collect();
    format!("{} ({})", counted(progress.bugs, "bug"), list.join(", "))
}

/// A number with its noun: `1 query`, `2 queries`.
pub fn counted(count: u64, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// How much of the work was empty.
pub fn vacuity(progress: &Progress) -> String {
    let count = |name: &str| progress.counts.get(name).copied().unwrap_or(0);
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    let answers: u64 = progress.tally.verdicts.values().sum();
    let twice = count("instances drawn twice");
    format!(
        "vacuity: {:.1} % of answers without a claim, {:.1} % of instances drawn twice",
        share(answers - progress.claims().min(answers), answers),
        share(twice, twice + count("instances"))
    )
}

fn counts<'a>(items: impl Iterator<Item = (&'a str, u64)>) -> String {
    let list: Vec<String> = items.map(|(name, count)| format!("{count} {name}")).collect();
    if list.is_empty() { "none yet".to_owned() } else { list.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Evidence, Kind};

    #[test]
    fn numbers_agree_with_their_nouns() {
        let mut progress = Progress { cases: 1, cases_wanted: Some(1), bugs: 1, ..Progress::default() };
        progress.findings.insert((Kind::Soundness, Evidence::Proved), 3);
        progress.tally.asked = 1;
        let one = lines(&progress).join("\n");
        for words in ["1 case, 1 query (", "0 of 1 case left", "1 bug (3 proved soundness)"] {
            assert!(one.contains(words), "`{words}` is missing: {one}");
        }
        let mut progress = Progress { cases_wanted: Some(9), bugs: 2, ..progress };
        (progress.cases, progress.tally.asked) = (0, 2);
        let many = lines(&progress).join("\n");
        for words in ["0 cases, 2 queries (", "9 of 9 cases left", "2 bugs (3 proved soundness)"] {
            assert!(many.contains(words), "`{words}` is missing: {many}");
        }
    }
}
