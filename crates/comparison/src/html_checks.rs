//! The checks of a page: a list for each cell of the table of a pair, and the disputed checks in full.
//!
//! A page must stay small enough for a browser. Long lists are truncated and say so, and programs are shown up to a limit,
//! those of the most severe issues first.

use crate::counted::counted;
use crate::issues::{Issue, issues};
use crate::matrix::{PairTable, WORD_ORDER};
use crate::vocabulary::{capitalized, demand_in_words, location_in_words, vocabulary};
use crate::words::{answers_in_words, executed_in_words, issue_in_words, letter};
use maud::{Markup, html};
use model::{Annotation, AnnotationKind, CInput, CheckAnswer, ComparedCheck, Comparison, Input, one_line};
use std::collections::BTreeMap;

/// The maximum number of checks in the list of a cell, and in all of these lists together.
const LISTED_IN_A_CELL: usize = 200;
const LISTED_IN_CELLS: usize = 50_000;
/// The maximum number of checks that are shown in full.
const LISTED_CHECKS: usize = 5_000;
/// The maximum number of programs that are shown, and their total size in bytes.
const SHOWN_PROGRAMS: usize = 500;
const SHOWN_BYTES: usize = 16 << 20;
/// The maximum number of characters of a condition or a name.
const SHOWN_CHARACTERS: usize = 400;

/// The checks that are shown in full, with their issues.
pub(crate) struct ShownChecks<'a> {
    comparison: &'a Comparison,
    /// The indices of the checks, the most severe first.
    order: Vec<usize>,
    /// The number of checks that are not shown.
    left_out: usize,
    /// The issues of each check.
    issues: BTreeMap<usize, Vec<Issue>>,
    /// Whether each check is in `order`.
    is_shown: Vec<bool>,
}

impl<'a> ShownChecks<'a> {
    /// Checks on which analyzers disagree with each other or with execution, those with the most severe issues first.
    pub(crate) fn new(comparison: &'a Comparison) -> ShownChecks<'a> {
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

    /// The articles of all shown checks.
    pub(crate) fn articles(&self) -> Markup {
        let words = vocabulary(self.comparison);
        let mut room = SHOWN_BYTES;
        html! {
            @if self.order.is_empty() {
                p {
                    "All analyzers agree on every " (words.check) ", and " (words.oracle)
                    " does not contradict them."
                }
            }
            @for (index, place) in self.order.iter().enumerate() {
                @if let Some(check) = self.comparison.checks.get(*place) {
                    @let program = (index < SHOWN_PROGRAMS).then(|| program(&check.input, &mut room)).flatten();
                    (self.article(*place, check, program.as_ref()))
                }
            }
            @if self.left_out > 0 {
                p {
                    (counted(self.left_out as u64, &format!("more {}", words.check)))
                    " are not listed here; the CSV file has all of them."
                }
            }
        }
    }

    fn article(&self, place: usize, check: &ComparedCheck, program: Option<&Markup>) -> Markup {
        html! {
            article id={ "check-" (place + 1) } {
                h3 {
                    (self.place_of(check)) " "
                    code { (demand_in_words(self.comparison, &shortened(&check.condition))) }
                }
                p { (self.chips(check)) }
                p { (shortened(&executed_in_words(self.comparison, check))) }
                @if let Some(issues) = self.issues.get(&place) {
                    ul { @for issue in issues { li { (issue_in_words(self.comparison, issue)) "." } } }
                }
                @if let Some(program) = program {
                    details {
                        summary { (capitalized(vocabulary(self.comparison).program)) }
                        pre { (program) }
                    }
                }
            }
        }
    }

    fn place_of(&self, check: &ComparedCheck) -> String {
        capitalized(&shortened(&location_in_words(self.comparison, check)))
    }

    /// The answers of all analyzers, each in a coloured box.
    fn chips(&self, check: &ComparedCheck) -> Markup {
        html! {
            @for (place, analyzer) in self.comparison.analyzers.iter().enumerate() {
                @let word = check.word(place);
                span class={ "word " (word.to_string()) } title=(shortened(analyzer.id.as_str())) {
                    (letter(place)) " " (self.comparison.spelled(word))
                }
                " "
            }
        }
    }

    /// The lists of the cells of these tables. Each becomes visible when its cell is clicked.
    pub(crate) fn cell_lists(&self, pairs: &[PairTable]) -> Markup {
        let limit = (LISTED_IN_CELLS / (9 * pairs.len()).max(1)).clamp(1, LISTED_IN_A_CELL);
        html! {
            @for pair in pairs {
                @for first in WORD_ORDER {
                    @for second in WORD_ORDER { (self.cell_list(pair, first, second, limit)) }
                }
            }
        }
    }

    fn cell_list(&self, pair: &PairTable, first: CheckAnswer, second: CheckAnswer, limit: usize) -> Markup {
        let is_in =
            |check: &ComparedCheck| check.word(pair.first) == first && check.word(pair.second) == second;
        let checks = self.comparison.checks.iter().enumerate();
        let found: Vec<(usize, &ComparedCheck)> = checks.filter(|(_, check)| is_in(check)).collect();
        if found.is_empty() {
            return html! {};
        }
        html! {
            section class="cell" id=(cell_anchor(pair, first, second)) {
                h3 {
                    (letter(pair.first)) " says " (self.comparison.spelled(first)) ", "
                    (letter(pair.second)) " says " (self.comparison.spelled(second)) ": "
                    (counted(found.len() as u64, vocabulary(self.comparison).check))
                }
                p {
                    a href="#pairs" { "Back to the tables." }
                    @if found.len() > limit { " The first " (limit) " are listed." }
                }
                ul { @for (place, check) in found.iter().take(limit) { (self.cell_item(*place, check)) } }
            }
        }
    }

    fn cell_item(&self, place: usize, check: &ComparedCheck) -> Markup {
        let name = self.place_of(check);
        html! {
            li {
                @if self.is_shown.get(place) == Some(&true) {
                    a href={ "#check-" (place + 1) } { (name) }
                } @else {
                    (name)
                }
                " " code { (shortened(&check.condition)) } " " (answers_in_words(self.comparison, check)) ". "
                (shortened(&executed_in_words(self.comparison, check)))
            }
        }
    }
}

/// The anchor of the list of a cell.
pub(crate) fn cell_anchor(pair: &PairTable, first: CheckAnswer, second: CheckAnswer) -> String {
    format!("cell-{}-{}-{first}-{second}", letter(pair.first), letter(pair.second))
}

fn shortened(text: &str) -> String {
    one_line(text, SHOWN_CHARACTERS)
}

/// The text of a program or a script, if there is room for it.
fn program(input: &Input, room: &mut usize) -> Option<Markup> {
    if input.text().len() > *room {
        return None;
    }
    let markup = match input {
        Input::C(program) => marked_program(program),
        input => html! { (input.text()) },
    };
    *room = room.checked_sub(markup.0.len())?;
    Some(markup)
}

/// The text of a program, with its checks marked.
fn marked_program(input: &CInput) -> Markup {
    let text = input.render(spelled);
    let marked = check_lines(input);
    html! {
        @for (index, line) in text.split('\n').enumerate() {
            @if index > 0 { "\n" }
            @if marked.binary_search(&index).is_ok() { mark { (line) } } @else { (line) }
        }
    }
}

fn spelled(annotation: &Annotation) -> String {
    let statement = match annotation.what {
        AnnotationKind::Check(_) => format!("assert({});", annotation.condition),
        AnnotationKind::Assume => format!("assume({});", annotation.condition),
    };
    annotation.in_its_place(&statement)
}

/// The line numbers of the checks in the rendered text, from 0 and in ascending order. Each annotation has a line of its own.
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
    use crate::fixtures::{analyzer, check, violated};
    use crate::matrix::pair_tables;
    use model::{Approximation, Executed};

    fn pair(checks: Vec<ComparedCheck>) -> Comparison {
        let analyzers = ["a", "b"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec();
        Comparison { analyzers, checks, ..Comparison::default() }
    }

    #[test]
    fn disputed_checks_are_shown_with_their_programs() {
        let comparison = pair(vec![
            check(1, "ss", Executed::Open),
            check(2, "s?", Executed::Open),
            check(3, "su", Executed::Open),
            check(4, "ss", violated("5")),
        ]);
        let shown = ShownChecks::new(&comparison);
        assert_eq!(shown.order, [3, 2, 1], "proved, suspicious, different");
        let text = shown.articles().into_string();
        assert_eq!(text.matches("<details>").count(), 3);
        assert!(text.contains("\n<mark>assert(i != 13);</mark>\n"), "{text}");
        assert!(text.contains("It fails when executed with the inputs 5."), "{text}");
        assert!(text.contains("<span class=\"word unsafe\" title=\"b@1\">B unsafe</span>"), "{text}");
    }

    #[test]
    fn cells_list_their_checks_and_say_if_a_list_is_truncated() {
        let comparison = pair((1..=250).map(|number| check(number, "su", Executed::Open)).collect());
        let shown = ShownChecks::new(&comparison);
        let pairs = pair_tables(&comparison);
        let text = shown.cell_lists(&pairs).into_string();
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
        let text = ShownChecks::new(&comparison).articles().into_string();
        assert_eq!(text.matches("<article").count(), LISTED_CHECKS);
        assert_eq!(text.matches("<details>").count(), SHOWN_PROGRAMS);
        assert!(text.contains("2 more checks are not listed here"));
        assert!(program(&comparison.checks[0].input, &mut 20).is_none());
    }
}
