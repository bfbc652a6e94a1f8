//! The checks of a page: one list for each cell of a table of a pair, and the checks that somebody gets wrong.
//!
//! A page must stay small enough for a browser. So lists are cut, and say so; and programs are shown as long as there
//! is room for them, those of the most severe issues first.

use super::issues::{Issue, issues};
use super::matrix::{PairTable, WORD_ORDER};
use super::vocabulary::{capitalized, demand_in_words, place_in_words, vocabulary};
use super::words::{executed_in_words, issue_in_words, letter, who_said_what};
use crate::escape::{html, one_line};
use crate::report_markdown::counted;
use model::{Annotation, AnnotationKind, CInput, CheckAnswer, ComparedCheck, Comparison, Input};
use std::collections::BTreeMap;

/// The most checks in the list of a cell, and in all of these lists together.
const LISTED_IN_A_CELL: usize = 200;
const LISTED_IN_CELLS: usize = 50_000;
/// The most checks among those that somebody gets wrong.
const LISTED_CHECKS: usize = 5_000;
/// The most programs that are shown, and their bytes in all.
const SHOWN_PROGRAMS: usize = 500;
const SHOWN_BYTES: usize = 16 << 20;
/// The most characters of a condition or a name.
const SHOWN_CHARACTERS: usize = 400;

/// The checks that are shown in full, with what they show.
pub(super) struct ShownChecks<'a> {
    comparison: &'a Comparison,
    /// Places of checks, most severe first.
    order: Vec<usize>,
    /// How many more there are.
    left_out: usize,
    /// The issues of each check.
    issues: BTreeMap<usize, Vec<Issue>>,
    /// True for the places of checks in `order`.
    is_shown: Vec<bool>,
}

impl<'a> ShownChecks<'a> {
    /// Checks on which analyzers disagree with each other or with execution, those with the most severe issues first.
    pub(super) fn new(comparison: &'a Comparison) -> ShownChecks<'a> {
        let mut of_checks: BTreeMap<usize, Vec<Issue>> = BTreeMap::new();
        let mut is_shown = vec![false; comparison.checks.len()];
        let mut order = Vec::new();
        for issue in issues(comparison) {
            if !std::mem::replace(&mut is_shown[issue.check], true) {
                order.push(issue.check);
            }
            of_checks.entry(issue.check).or_default().push(issue);
        }
        for (place, check) in comparison.checks.iter().enumerate() {
            if !is_shown[place] && !comparison.is_unanimous(check) {
                is_shown[place] = true;
                order.push(place);
            }
        }
        let left_out = order.len().saturating_sub(LISTED_CHECKS);
        for place in order.drain(order.len() - left_out..) {
            is_shown[place] = false;
        }
        ShownChecks { comparison, order, left_out, issues: of_checks, is_shown }
    }

    /// All of them.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if self.order.is_empty() {
            let words = vocabulary(self.comparison);
            text.push_str(&format!(
                "<p>All analyzers say the same of every {}, and {} does not contradict them.</p>\n",
                words.check, words.oracle
            ));
        }
        let mut room = SHOWN_BYTES;
        for (index, place) in self.order.iter().enumerate() {
            let Some(check) = self.comparison.checks.get(*place) else { continue };
            let program = (index < SHOWN_PROGRAMS).then(|| program(&check.input, room)).flatten();
            room -= program.as_ref().map_or(0, |program| program.len().min(room));
            text.push_str(&self.entry(*place, check, program));
        }
        if self.left_out > 0 {
            let more = counted(self.left_out as u64, &format!("more {}", vocabulary(self.comparison).check));
            text.push_str(&format!("<p>{more} are not listed here; the CSV file has all.</p>\n"));
        }
        text
    }

    fn entry(&self, place: usize, check: &ComparedCheck, program: Option<String>) -> String {
        let mut text = format!(
            "<article id=\"check-{}\">\n<h3>{} <code>{}</code></h3>\n<p>{}</p>\n<p>{}</p>\n",
            place + 1,
            self.place_of(check),
            html(&demand_in_words(self.comparison, &shortened(&check.condition))),
            self.chips(check),
            html(&shortened(&executed_in_words(self.comparison, check)))
        );
        if let Some(issues) = self.issues.get(&place) {
            let items = issues
                .iter()
                .map(|issue| format!("<li>{}.</li>\n", html(&issue_in_words(self.comparison, issue))));
            text.push_str(&format!("<ul>\n{}</ul>\n", items.collect::<String>()));
        }
        if let Some(program) = program {
            let what = capitalized(vocabulary(self.comparison).program);
            text.push_str(&format!("<details><summary>{what}</summary>\n<pre>{program}</pre></details>\n"));
        }
        text.push_str("</article>\n");
        text
    }

    fn place_of(&self, check: &ComparedCheck) -> String {
        html(&capitalized(&shortened(&place_in_words(self.comparison, check))))
    }

    /// The words of all analyzers, each in a coloured box.
    fn chips(&self, check: &ComparedCheck) -> String {
        let chip = |(place, analyzer): (usize, &model::ComparedAnalyzer)| {
            let word = check.word(place);
            let id = html(&shortened(analyzer.id.as_str()));
            let said = self.comparison.spelled(word);
            format!("<span class=\"word {word}\" title=\"{id}\">{} {said}</span>", letter(place))
        };
        self.comparison.analyzers.iter().enumerate().map(chip).collect::<Vec<String>>().join(" ")
    }

    /// The lists of the cells of all these tables; each is seen when its cell is clicked.
    pub(super) fn cell_lists(&self, pairs: &[PairTable]) -> String {
        let limit = (LISTED_IN_CELLS / (9 * pairs.len()).max(1)).clamp(1, LISTED_IN_A_CELL);
        let mut text = String::new();
        for pair in pairs {
            for first in WORD_ORDER {
                for second in WORD_ORDER {
                    text.push_str(&self.cell_list(pair, first, second, limit));
                }
            }
        }
        text
    }

    fn cell_list(&self, pair: &PairTable, first: CheckAnswer, second: CheckAnswer, limit: usize) -> String {
        let is_in =
            |check: &ComparedCheck| check.word(pair.first) == first && check.word(pair.second) == second;
        let checks = self.comparison.checks.iter().enumerate();
        let found: Vec<(usize, &ComparedCheck)> = checks.filter(|(_, check)| is_in(check)).collect();
        if found.is_empty() {
            return String::new();
        }
        let cut = match found.len().saturating_sub(limit) {
            0 => String::new(),
            _ => format!(" The first {limit} are listed."),
        };
        let mut text = format!(
            "<section class=\"cell\" id=\"{}\">\n<h3>{} says {}, {} says {}: {}</h3>\n\
             <p><a href=\"#pairs\">Back to the tables.</a>{cut}</p>\n<ul>\n",
            cell_anchor(pair, first, second),
            letter(pair.first),
            self.comparison.spelled(first),
            letter(pair.second),
            self.comparison.spelled(second),
            counted(found.len() as u64, vocabulary(self.comparison).check)
        );
        for (place, check) in found.iter().take(limit) {
            text.push_str(&self.cell_item(*place, check));
        }
        text.push_str("</ul>\n</section>\n");
        text
    }

    fn cell_item(&self, place: usize, check: &ComparedCheck) -> String {
        let name = match self.is_shown.get(place) {
            Some(true) => format!("<a href=\"#check-{}\">{}</a>", place + 1, self.place_of(check)),
            _ => self.place_of(check),
        };
        format!(
            "<li>{name} <code>{}</code> {}. {}</li>\n",
            html(&shortened(&check.condition)),
            who_said_what(self.comparison, check),
            html(&shortened(&executed_in_words(self.comparison, check)))
        )
    }
}

/// The name of the list of a cell in links.
pub(super) fn cell_anchor(pair: &PairTable, first: CheckAnswer, second: CheckAnswer) -> String {
    format!("cell-{}-{}-{first}-{second}", letter(pair.first), letter(pair.second))
}

fn shortened(text: &str) -> String {
    one_line(text, SHOWN_CHARACTERS)
}

/// The text of a program or a script for a page; nothing if there is no room for it.
fn program(input: &Input, room: usize) -> Option<String> {
    match input {
        Input::C(program) => marked_program(program, room),
        input => Some(html(&input.text())).filter(|text| text.len() <= room),
    }
}

/// The text of a program, with its checks marked.
fn marked_program(input: &CInput, room: usize) -> Option<String> {
    if input.base.len() > room {
        return None;
    }
    let escaped = html(&input.render(spelled));
    let marked = check_lines(input);
    let line = |(index, line): (usize, &str)| match marked.binary_search(&index) {
        Ok(_) => format!("<mark>{line}</mark>"),
        Err(_) => line.to_owned(),
    };
    let text = escaped.split('\n').enumerate().map(line).collect::<Vec<String>>().join("\n");
    (text.len() <= room).then_some(text)
}

fn spelled(annotation: &Annotation) -> String {
    let statement = match annotation.what {
        AnnotationKind::Check(_) => format!("assert({});", annotation.condition),
        AnnotationKind::Assume => format!("assume({});", annotation.condition),
    };
    annotation.in_its_place(&statement)
}

/// The lines of the rendered text that checks stand on, from 0 and rising: each annotation has a line of its own.
fn check_lines(input: &CInput) -> Vec<usize> {
    let mut lines = Vec::new();
    let (mut done, mut line) = (0, 0);
    for annotation in &input.annotations {
        if let Some(between) = input.base.get(done..annotation.place as usize) {
            line += between.matches('\n').count();
            done = annotation.place as usize;
        }
        line += 1;
        if matches!(annotation.what, AnnotationKind::Check(_)) {
            lines.push(line);
        }
        line += spelled(annotation).matches('\n').count() + 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::fixtures::{analyzer, check, violated};
    use crate::comparison::pair_tables;
    use model::{Approximation, Executed};

    fn pair(checks: Vec<ComparedCheck>) -> Comparison {
        let analyzers = ["a", "b"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec();
        Comparison { analyzers, checks, ..Comparison::default() }
    }

    #[test]
    fn checks_that_somebody_gets_wrong_are_shown_with_their_programs() {
        let comparison = pair(vec![
            check(1, "ss", Executed::Open),
            check(2, "s?", Executed::Open),
            check(3, "su", Executed::Open),
            check(4, "ss", violated("5")),
        ]);
        let shown = ShownChecks::new(&comparison);
        assert_eq!(shown.order, [3, 2, 1], "proved, suspicious, different");
        let text = shown.text();
        assert_eq!(text.matches("<details>").count(), 3);
        assert!(text.contains("\n<mark>assert(i != 13);</mark>\n"), "{text}");
        assert!(text.contains("it fails with the inputs 5."), "{text}");
        assert!(text.contains("<span class=\"word unsafe\" title=\"b@1\">B unsafe</span>"), "{text}");
    }

    #[test]
    fn cells_list_their_checks_and_say_where_lists_are_cut() {
        let comparison = pair((1..=250).map(|number| check(number, "su", Executed::Open)).collect());
        let shown = ShownChecks::new(&comparison);
        let pairs = pair_tables(&comparison);
        let text = shown.cell_lists(&pairs);
        assert_eq!(text.matches("<section").count(), 1, "empty cells have no list");
        assert_eq!(text.matches("<li>").count(), LISTED_IN_A_CELL);
        assert!(text.contains("250 checks</h3>") && text.contains("The first 200 are listed."), "{text}");
        assert!(
            text.contains(&format!(
                "id=\"{}\"",
                cell_anchor(&pairs[0], CheckAnswer::Safe, CheckAnswer::Unsafe)
            ))
        );
    }

    #[test]
    fn long_lists_and_large_programs_are_left_out() {
        let comparison = pair((1..=5002).map(|number| check(number, "su", Executed::Open)).collect());
        let text = ShownChecks::new(&comparison).text();
        assert_eq!(text.matches("<article").count(), LISTED_CHECKS);
        assert_eq!(text.matches("<details>").count(), SHOWN_PROGRAMS);
        assert!(text.contains("2 more checks are not listed here"));
        assert_eq!(program(&comparison.checks[0].input, 20), None);
    }
}
