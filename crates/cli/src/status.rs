//! Shows the progress of a job: a live block on a terminal, plain lines in a pipe, or JSON events, one per line.

use crate::columns::wrap;
use crate::lineup::ResolvedLineup;
use crate::{screen, shell};
use campaign::{Event, HuntPlan, Plan, Progress, Watcher};
use engine::Engine;
use model::{Finding, shown_name};
use parking_lot::Mutex;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of status updates of which one is printed if standard output is not a terminal.
const PLAIN_EVERY: u64 = 20;
/// Terminal codes around the live block. A terminal that is narrower than the block truncates its lines instead of
/// wrapping them, which keeps the number of lines on the screen known.
const CUT_LINES: &str = "\x1b[?7l";
const WRAP_LINES: &str = "\x1b[?7h";

/// Prints the events of a job.
pub struct ProgressPrinter {
    form: Form,
    directory: PathBuf,
    stop: &'static AtomicBool,
    state: Mutex<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Live,
    Plain,
    Json,
    /// Plain lines on standard error, because a table goes to standard output.
    Aside,
}

#[derive(Default)]
struct State {
    /// The number of lines of the live block on the screen.
    lines: usize,
    /// The live block, which is drawn again below lines that are printed in between.
    block: Vec<String>,
    updates: u64,
    /// What a job shows instead of the figures of a hunt.
    own_lines: Option<Vec<String>>,
    /// True once the user knows that the campaign is stopping.
    said_stopping: bool,
}

/// Returns the printer that suits standard output.
pub fn watcher(json: bool, directory: &Path, stop: &'static AtomicBool) -> ProgressPrinter {
    let form = match (json, screen::is_terminal()) {
        (true, _) => Form::Json,
        (false, true) => Form::Live,
        (false, false) => Form::Plain,
    };
    ProgressPrinter { form, directory: directory.to_owned(), stop, state: Mutex::default() }
}

/// A printer for a job that ends in a table. Unless standard output is a terminal, only the table goes there.
pub fn watcher_before_a_table(json: bool, directory: &Path, stop: &'static AtomicBool) -> ProgressPrinter {
    let printer = watcher(json, directory, stop);
    let form = if printer.form == Form::Live { Form::Live } else { Form::Aside };
    ProgressPrinter { form, ..printer }
}

impl ProgressPrinter {
    /// The printer as the campaign sees it.
    pub fn as_watcher(&self) -> &dyn Watcher {
        self
    }

    /// Announces the hunt.
    pub fn started(&self, plan: &Plan, hunt: &HuntPlan, chosen: &ResolvedLineup, engine: &Engine) {
        let (isolation, weaknesses) = (engine.isolation(), engine.weaknesses());
        if self.form == Form::Json {
            return say_json(
                &serde_json::json!({
                    "event": "started",
                    "directory": self.directory,
                    "techniques": hunt.techniques,
                    "analyzers": plan.lineup.subjects,
                    "witnesses": plan.lineup.witnesses,
                    "seeds": plan.seeds.count,
                    "isolation": isolation,
                    "weaknesses": weaknesses,
                })
                .to_string(),
            );
        }
        if hunt.demonstration {
            say(
                "No suitable analyzer is installed, so this is a demonstration: juvenal hunts its own built-in liar.",
            );
            say(&format!(
                "To test a real analyzer: scripts/install-analyzers, or `{} analyzer install z3`.\n",
                shell::juvenal()
            ));
        }
        let names: Vec<String> =
            chosen.subjects.iter().map(|resolved| resolved.member.id.to_string()).collect();
        say(&format!(
            "Hunting {} with {} on {}, {} in parallel; results are stored in {}.",
            names.join(", "),
            hunt.techniques.join(", "),
            starting_points(plan, hunt),
            counted(plan.jobs as u64, "case"),
            self.directory.display()
        ));
    }

    /// Prints a line before the live block.
    pub fn note(&self, line: &str) {
        let mut state = self.state.lock();
        erase(&mut state);
        match self.form {
            Form::Live | Form::Plain => say(line),
            Form::Json | Form::Aside => {
                let _ = writeln!(screen::errors(), "{line}");
            }
        }
        draw(&mut state);
    }

    /// Shows these lines instead of the figures of a hunt from now on. In a pipe, they are printed now and then.
    pub fn show(&self, lines: &[String]) {
        let mut state = self.state.lock();
        state.own_lines = Some(lines.to_vec());
        if self.form == Form::Live {
            erase(&mut state);
            state.block = block(lines);
            draw(&mut state);
        }
    }

    /// Removes the live block from the screen.
    pub fn clear(&self) {
        let mut state = self.state.lock();
        erase(&mut state);
    }

    fn finding(&self, finding: &Finding, hits: u64) {
        let mut state = self.state.lock();
        let accused = finding.exhibit.queries.first().map_or("", |query| query.analyzer.as_str());
        if self.form == Form::Json {
            return say_json(
                &serde_json::json!({
                    "event": "finding",
                    "id": finding.name(),
                    "bug": format!("B{}", finding.bug),
                    "hits": hits,
                    "kind": finding.kind(),
                    "evidence": finding.weighed.evidence,
                    "analyzer": accused,
                    "title": finding.exhibit.title,
                })
                .to_string(),
            );
        }
        // One line for each bug; the summary has the number of hits.
        if hits > 1 {
            return;
        }
        erase(&mut state);
        say(&format!(
            "{} B{} {} {} {}: {}",
            finding.name(),
            finding.bug,
            finding.weighed.evidence,
            finding.kind(),
            shown_name(accused),
            shown_name(&finding.exhibit.title)
        ));
        draw(&mut state);
    }

    fn status(&self, progress: &Progress) {
        let mut state = self.state.lock();
        state.updates += 1;
        self.say_stopping(&mut state);
        let shown = state.own_lines.clone().unwrap_or_else(|| lines(progress));
        match self.form {
            Form::Live => {
                erase(&mut state);
                state.block = block(&shown);
                draw(&mut state);
            }
            Form::Plain if state.updates.is_multiple_of(PLAIN_EVERY) => say(&shown.join("; ")),
            Form::Aside if state.updates.is_multiple_of(PLAIN_EVERY) => {
                let _ = writeln!(screen::errors(), "{}", shown.join("; "));
            }
            Form::Json if state.updates.is_multiple_of(PLAIN_EVERY) => say_json(&progress.statistics_line()),
            _ => {}
        }
    }

    /// Acknowledges Ctrl-C once, because recording may take a while.
    fn say_stopping(&self, state: &mut State) {
        if state.said_stopping
            || matches!(self.form, Form::Json | Form::Aside)
            || !self.stop.load(Ordering::SeqCst)
        {
            return;
        }
        state.said_stopping = true;
        erase(state);
        say("stopping; press Ctrl-C again to stop at once");
    }
}

impl Watcher for ProgressPrinter {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Status(progress) => self.status(progress),
            Event::Finding { finding, hits } => self.finding(finding, *hits),
        }
    }
}

/// Prints a line. A closed pipe must not end the campaign, so errors are ignored.
fn say(line: &str) {
    let _ = screen::out().write_all(format!("{line}\n").as_bytes());
}

/// The same for an event.
fn say_json(line: &str) {
    let _ = screen::json().write_all(format!("{line}\n").as_bytes());
}

/// Draws the live block, if there is one.
fn draw(state: &mut State) {
    if !state.block.is_empty() {
        screen::control(CUT_LINES);
        say(&state.block.join("\n"));
        screen::control(WRAP_LINES);
        state.lines = state.block.len();
    }
}

fn erase(state: &mut State) {
    for _ in 0..std::mem::take(&mut state.lines) {
        // Go to the start of the line, where the terminal may have echoed ^C, then one line up, and clear it.
        screen::control("\r\x1b[1A\x1b[2K");
    }
    let _ = screen::finish();
}

/// The status, wrapped for a terminal.
fn block(lines: &[String]) -> Vec<String> {
    lines.iter().flat_map(|line| wrap(line, 2)).collect()
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
    let recalled = match progress.tally.recalled {
        0 => String::new(),
        recalled => format!(" and {recalled} cached"),
    };
    let mut lines = vec![
        format!(
            "{}, {} ({:.0}/s){recalled}{inside}, {left}",
            counted(progress.cases, "case"),
            counted(progress.tally.asked, "query"),
            rate(progress.tally.asked)
        ),
        format!("answers: {}", counts(progress.tally.verdicts.iter())),
    ];
    if !progress.skipped.is_empty() {
        lines.push(format!("skipped: {}", counts(progress.skipped.iter())));
    }
    if progress.examining > 0 {
        lines.push(format!("examining {}", counted(progress.examining, "exhibit")));
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

/// Describes what the cases start from.
fn starting_points(plan: &Plan, hunt: &HuntPlan) -> String {
    let makes_seeds = |name: &String| {
        techniques::find(techniques::all(), name).is_some_and(|technique| technique.makes_seeds())
    };
    let made = hunt.techniques.iter().filter(|name| plan.seeds.paths.is_empty() && makes_seeds(name)).count();
    let seeds = counted(plan.seeds.count as u64, "seed");
    match made {
        0 => seeds,
        _ if made == hunt.techniques.len() => "generated programs".to_owned(),
        _ => format!("{seeds} and generated programs"),
    }
}

/// Describes how much of the work was wasted.
pub fn vacuity(progress: &Progress) -> String {
    let count = |name: &str| progress.counts.get(name).copied().unwrap_or(0);
    let answers: u64 = progress.tally.verdicts.values().sum();
    let claims = progress.claims().min(answers);
    let silent = if answers == 0 { 0.0 } else { 100.0 * (answers - claims) as f64 / answers as f64 };
    let mut text = format!("vacuity: {silent:.1} % of answers without a claim");
    let mut last = None;
    for share in findings::empty_work(techniques::all(), count) {
        // The name of a technique precedes the first of its shares.
        match share.technique.filter(|_| share.technique != last) {
            Some(technique) => text.push_str(&format!("; {technique}: ")),
            None => text.push_str(", "),
        }
        last = share.technique;
        text.push_str(&format!("{:.1} % {}", share.percent, share.part));
    }
    text
}

/// Lists counts with their names.
pub fn counts<'a, Name: Display + 'a>(items: impl Iterator<Item = (&'a Name, &'a u64)>) -> String {
    let list: Vec<String> = items.map(|(name, count)| format!("{count} {name}")).collect();
    if list.is_empty() { "none yet".to_owned() } else { list.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Evidence, Kind};
    use store::SkipReason;

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

    #[test]
    fn the_live_block_fits_into_eighty_columns() {
        let mut progress = Progress { cases: 123_456, bugs: 12, seconds: 86_400.0, ..Progress::default() };
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            progress.findings.insert((kind, Evidence::Contradiction), 1000 + number as u64);
        }
        for word in ["claim", "unknown", "limit", "crash", "rejected", "unreadable"] {
            progress.tally.verdicts.insert(word.to_owned(), 1_234_567);
        }
        let unusable = |reason: &str| SkipReason::Unusable(reason.to_owned());
        progress.skipped.insert(unusable("no analyzer under test supports the seed's theories"), 999_999);
        progress.skipped.insert(unusable("the seed does not parse"), 999_999);
        let block = block(&lines(&progress));
        assert!(block.len() > lines(&progress).len(), "some lines are broken: {block:#?}");
        assert!(block.iter().all(|line| line.chars().count() < 80), "{block:#?}");
        assert_eq!(block.join(" ").replace("   ", " "), lines(&progress).join(" "), "nothing is left out");
    }
}
