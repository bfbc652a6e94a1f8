//! A comparison as one self-contained HTML page: no scripts, no other files, no network.
//!
//! The page follows the reader's preference for light or dark colours. Names, conditions, programs and inputs are hostile:
//! `maud` escapes every text, and [`without_control_characters`] replaces invisible characters. Each number in the table of
//! a pair links to the list of its checks, and each check in a list to its program.

use crate::by_delta::{Counted, IssueCounts, issues_by_delta};
use crate::cost::{AnalyzerCost, costs};
use crate::counted::counted;
use crate::html_charts::{cost_chart, issue_chart};
use crate::html_checks::{ShownChecks, cell_anchor};
use crate::issues::{IssueKind, order_violations, regressions};
use crate::matrix::{PairTable, Share, WORD_ORDER, disagreeing_pairs, matrices};
use crate::summary::{AnalyzerSummary, overview, summaries};
use crate::vocabulary::{capitalized, vocabulary};
use crate::words::{
    approximation_in_words, decimal, delta_in_words, letter, overview_in_words, weaknesses_in_words,
};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use model::{CheckAnswer, ComparedAnalyzer, Comparison, one_line};

/// The maximum number of checks that are named for each kind of change between configurations or versions.
const NAMED_CHANGES: usize = 200;

/// Renders the whole page.
pub fn html_page(comparison: &Comparison) -> String {
    let pairs = disagreeing_pairs(comparison);
    let shown = ShownChecks::new(comparison);
    let checks = vocabulary(comparison).checks();
    let style = html! { (PreEscaped(STYLE)) (heat_style()) };
    let body = html! {
        h1 { "Analyzers compared" }
        p { (overview_in_words(comparison, &overview(comparison)).join(" ")) }
        @for line in weaknesses_in_words(&comparison.weaknesses) { p { (line) } }
        (navigation(&capitalized(&checks)))
        (section("analyzers", "Analyzers", &analyzers_table(comparison)))
        (section("matrices", "Relative precision and soundness", &matrix_tables(comparison)))
        (section("pairs", "Pairs", &pair_tables(comparison, &pairs)))
        (shown.cell_lists(&pairs))
        (section("issues", "Issues by the number of analyzers that disagree", &issue_tables(comparison)))
        (changes_section(comparison))
        (section("cost", "Cost", &cost_section(comparison)))
        (section("checks", &format!("Disputed {checks}"), &shown.articles()))
    };
    whole_page("Analyzers compared", &style, &body)
}

/// A page with its head.
pub(crate) fn whole_page(title: &str, style: &Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (style) }
            }
            body { (body) }
        }
    };
    // A page must show the characters of a program in the order in which a compiler reads them.
    model::shown(&page.into_string()).into_owned()
}

fn navigation(checks: &str) -> Markup {
    let links =
        [("analyzers", "Analyzers"), ("matrices", "Matrices"), ("pairs", "Pairs"), ("issues", "Issues")];
    html! {
        nav {
            @for (anchor, name) in links.into_iter().chain([("cost", "Cost"), ("checks", checks)]) {
                a href={ "#" (anchor) } { (name) } " "
            }
        }
    }
}

/// Colours are defined once for light and once for dark. The list of a cell is hidden until its link is followed.
pub(crate) const STYLE: &str = "\
:root{--ground:#fff;--ink:#1b1d22;--faint:#5d6470;--line:#d5d8de;--link:#0b57d0;--bar:#6a8fd4;--part:#8c1d18;\
--heat:37 99 235;--safe:#dcefe0;--unsafe:#f9dcd9;--unknown:#eceef2;--mark:#fff0a8}
@media (prefers-color-scheme:dark){:root{--ground:#14161a;--ink:#eceef2;--faint:#a3a9b5;--line:#3a3f4a;\
--link:#8ab4f8;--bar:#4a6db5;--part:#ffb4ab;--heat:37 99 235;--safe:#1d4429;--unsafe:#5c2320;--unknown:#2b2f38;\
--mark:#5a4c00}}
body{background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;\
padding:1.5rem}
a{color:var(--link)}
nav{position:sticky;top:0;background:var(--ground);border-bottom:1px solid var(--line);padding:.4rem 0}
nav a{margin-right:1rem}
h2{margin-top:2.5rem}
h3{font-size:1rem;overflow-wrap:anywhere}
[id]{scroll-margin-top:3rem}
table{border-collapse:collapse;margin:.5rem 0;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--faint);padding:.2rem 0}
th,td{border:1px solid var(--line);padding:.2rem .6rem;text-align:right}
td code{display:block;text-align:left}
td a{color:inherit}
.wide{overflow-x:auto}
.tables{display:flex;flex-wrap:wrap;gap:1rem 2rem}
.cell{display:none}
.cell:target{display:block;border-left:4px solid var(--link);padding-left:1rem}
svg{max-width:100%;height:auto;font-size:12px}
svg text{fill:var(--ink)}
.bar{fill:var(--bar)}
.part,.proved{fill:var(--part);color:var(--part)}
article{border-top:1px solid var(--line)}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
code{overflow-wrap:anywhere}
pre{overflow-x:auto;border:1px solid var(--line);padding:.6rem}
mark{background:var(--mark);color:inherit}
.word{border-radius:.3rem;padding:.1rem .4rem;white-space:nowrap}
.safe{background:var(--safe)}
.unsafe{background:var(--unsafe)}
.unknown{background:var(--unknown)}
";

/// Eleven shades, from none to one on which text is legible in light and dark.
fn heat_style() -> String {
    let shade = |step: usize| format!(".heat{step}{{background:rgb(var(--heat) / {}%)}}\n", step * 6);
    (0..=10).map(shade).collect()
}

/// The class of a cell that is this share of a whole.
fn heat(share: Share) -> String {
    share.value().map_or(String::new(), |value| format!("heat{}", (value * 10.0).round() as usize))
}

/// A part of the page with an anchor.
pub(crate) fn section(anchor: &str, heading: &str, content: &Markup) -> Markup {
    html! {
        section id=(anchor) {
            h2 { (heading) }
            (content)
        }
    }
}

/// A table in which the first cell of each row is its header.
fn table(caption: &str, header: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div class="wide" {
            table {
                caption { (caption) }
                thead { tr { @for name in header { th scope="col" { (name) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @if let Some((first, others)) = row.split_first() {
                                th scope="row" { (first) }
                                @for cell in others { td { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A cell of plain text.
fn cell(text: impl std::fmt::Display) -> Markup {
    html! { (text.to_string()) }
}

/// The letter of an analyzer, with its identity where the pointer rests.
fn named(comparison: &Comparison, place: usize) -> Markup {
    let id = comparison.analyzers.get(place).map_or("", |analyzer| analyzer.id.as_str());
    html! { abbr title=(one_line(id, 400)) { (letter(place)) } }
}

fn analyzers_table(comparison: &Comparison) -> Markup {
    let words = vocabulary(comparison);
    let cost = format!("CPU s per {}", words.check);
    let header = [
        "letter",
        "analyzer",
        "binding answers",
        words.verified,
        "unsound, proved",
        "unsound, open",
        "imprecise, proved",
        "imprecise, open",
        cost.as_str(),
    ];
    let row = |(place, (analyzer, summary)): (usize, (&ComparedAnalyzer, &AnalyzerSummary))| {
        vec![
            cell(letter(place)),
            html! { code { (one_line(analyzer.id.as_str(), 1000)) } },
            cell(approximation_in_words(comparison, analyzer.approximation)),
            cell(summary.verified.percent()),
            cell(summary.unsound.proved),
            cell(summary.unsound.found - summary.unsound.proved),
            cell(summary.imprecise.proved),
            cell(summary.imprecise.found - summary.imprecise.proved),
            cell(decimal(summary.cpu_seconds_per_check)),
        ]
    };
    let summaries = summaries(comparison);
    let rows: Vec<Vec<Markup>> = comparison.analyzers.iter().zip(&summaries).enumerate().map(row).collect();
    let caption = format!(
        "{}: the share of {}. Proved: by {}. {}",
        capitalized(words.verified),
        words.may_hold,
        words.oracle,
        words.legend
    );
    table(caption.trim_end(), &header, &rows)
}

fn matrix_tables(comparison: &Comparison) -> Markup {
    let matrices = matrices(comparison);
    let words = vocabulary(comparison);
    let caption = |what: &str, word: &str| {
        let checks = words.checks();
        format!(
            "Relative {what}: of the {checks} that the column calls {word}, the share that the row also calls {word}"
        )
    };
    html! {
        (matrix_table(comparison, &caption("precision", words.safe), &matrices.precision))
        (matrix_table(comparison, &caption("soundness", words.not_safe), &matrices.soundness))
    }
}

fn matrix_table(comparison: &Comparison, caption: &str, matrix: &[Vec<Share>]) -> Markup {
    html! {
        div class="wide" {
            table {
                caption { (caption) }
                thead {
                    tr {
                        td {}
                        @for place in 0..matrix.len() { th scope="col" { (named(comparison, place)) } }
                    }
                }
                tbody {
                    @for (place, shares) in matrix.iter().enumerate() {
                        tr {
                            th scope="row" { (named(comparison, place)) }
                            @for share in shares {
                                td class=(heat(*share)) title={ (share.numerator) " of " (share.denominator) } {
                                    (share.to_string())
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn pair_tables(comparison: &Comparison, pairs: &[PairTable]) -> Markup {
    let count = comparison.analyzers.len();
    let agreeing = count * count.saturating_sub(1) / 2 - pairs.len();
    let words = vocabulary(comparison);
    html! {
        p {
            "The rows are the answers of the first analyzer, the columns those of the second. Pairs with the most \
             contradictions come first. A number links to its " (words.checks()) ". "
            @if agreeing == 1 { "1 pair agrees" } @else { (agreeing) " pairs agree" }
            " on every " (words.check) "."
        }
        div class="tables" {
            @for pair in pairs { (pair_table(comparison, pair)) }
        }
    }
}

fn pair_table(comparison: &Comparison, pair: &PairTable) -> Markup {
    html! {
        table {
            caption { (named(comparison, pair.first)) " and " (named(comparison, pair.second)) }
            thead {
                tr {
                    td {}
                    @for word in WORD_ORDER {
                        th scope="col" { (letter(pair.second)) " " (comparison.spelled(word)) }
                    }
                }
            }
            tbody {
                @for (word, counts) in WORD_ORDER.iter().zip(&pair.counts) {
                    tr {
                        th scope="row" { (letter(pair.first)) " " (comparison.spelled(*word)) }
                        @for (other, count) in WORD_ORDER.iter().zip(counts) {
                            td class=(heat(Share { numerator: *count, denominator: comparison.checks.len() as u64 })) {
                                (linked_count(pair, *word, *other, *count))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn linked_count(pair: &PairTable, first: CheckAnswer, second: CheckAnswer, count: u64) -> Markup {
    html! {
        @if count == 0 { "0" } @else { a href={ "#" (cell_anchor(pair, first, second)) } { (count) } }
    }
}

fn issue_tables(comparison: &Comparison) -> Markup {
    html! {
        @for (kind, heading) in [(IssueKind::Unsound, "Unsound"), (IssueKind::Imprecise, "Imprecise")] {
            h3 { (heading) }
            (issue_chart(comparison, kind))
            (delta_table(comparison, kind))
        }
    }
}

fn delta_table(comparison: &Comparison, kind: IssueKind) -> Markup {
    let counts = issues_by_delta(comparison, kind);
    let deltas: Vec<String> = (0..counts.len()).map(|delta| delta.to_string()).collect();
    let mut header = vec!["analyzer", "all", "must", "refuted"];
    header.extend(deltas.iter().map(String::as_str));
    let row = |(place, counts): (usize, &IssueCounts)| {
        let mut cells = vec![
            named(comparison, place),
            counted_cell(counts.all),
            counted_cell(counts.must),
            cell(counts.refuted),
        ];
        cells.extend(counts.by_delta.iter().copied().map(counted_cell));
        cells
    };
    let rows: Vec<Vec<Markup>> = counts.iter().enumerate().map(row).collect();
    let caption = format!(
        "{}; in brackets, the number proved by {}. Refuted issues are counted in that column only.",
        delta_in_words(comparison, kind).replace('`', ""),
        vocabulary(comparison).oracle
    );
    table(&caption, &header, &rows)
}

fn counted_cell(counted: Counted) -> Markup {
    html! {
        (counted.found)
        @if counted.proved > 0 { " " span class="proved" { "(" (counted.proved) ")" } }
    }
}

/// The section with order violations and regressions, if there are any.
fn changes_section(comparison: &Comparison) -> Markup {
    let number = |place: usize| comparison.checks.get(place).map_or(0, |check| check.number);
    let mut rows: Vec<Vec<Markup>> = Vec::new();
    let violations = order_violations(comparison);
    let regressions = regressions(comparison);
    let count = violations.len() + regressions.len();
    for violation in violations.iter().take(NAMED_CHANGES) {
        rows.push(vec![
            cell(number(violation.check)),
            named(comparison, violation.more_precise),
            html! {
                "more precise than " (named(comparison, violation.less_precise)) ", says "
                (comparison.spelled(violation.word))
            },
            cell(violation.settled.word()),
        ]);
    }
    for regression in regressions.iter().take(NAMED_CHANGES) {
        rows.push(vec![
            cell(number(regression.check)),
            named(comparison, regression.newer),
            html! { "newer than " (named(comparison, regression.older)) ", " (regression.kind.word()) },
            cell(regression.settled.word()),
        ]);
    }
    if rows.is_empty() {
        return html! {};
    }
    let caption = match count - rows.len() {
        0 => "All changes".to_owned(),
        _ => format!("{} of {}", counted(rows.len() as u64, "row"), count),
    };
    let words = vocabulary(comparison);
    let changes = table(&caption, &[words.check, "analyzer", "what", words.oracle], &rows);
    section("changes", "Regressions", &changes)
}

fn cost_section(comparison: &Comparison) -> Markup {
    let header = ["analyzer", "queries", "CPU s", "ms per query", "unknown", "limits", "crashes", "refusals"];
    let row = |(place, cost): (usize, &AnalyzerCost)| {
        vec![
            named(comparison, place),
            cell(cost.queries),
            cell(decimal(Some(cost.cpu_seconds))),
            cell(decimal(cost.wall_milliseconds_per_query)),
            cell(cost.unknown.percent()),
            cell(cost.limits),
            cell(cost.crashes),
            cell(cost.refusals),
        ]
    };
    let rows: Vec<Vec<Markup>> = costs(comparison).iter().enumerate().map(row).collect();
    let caption = format!(
        "CPU time is the total of all queries; ms per query is wall time; unknown is a share of the {}",
        vocabulary(comparison).checks()
    );
    html! { (cost_chart(comparison)) (table(&caption, &header, &rows)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{made_up, made_up_scripts, violated};
    use model::{AnalyzerId, Input, Random};
    use std::collections::BTreeSet;

    /// Elements that have no end.
    const VOID: [&str; 2] = ["meta", "!DOCTYPE"];

    /// Checks that every element is closed where it must be, and returns the names of all elements.
    fn elements(page: &str) -> BTreeSet<String> {
        let mut open: Vec<String> = Vec::new();
        let mut names = BTreeSet::new();
        for part in page.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("`{part}` has no end"));
            assert!(!text.contains('>') && !text.contains('"') || text.contains("{"), "not escaped: {text}");
            assert_eq!(tag.matches('"').count() % 2, 0, "quotes: {tag}");
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap().to_owned();
            if tag.starts_with('/') {
                assert_eq!(open.pop().as_ref(), Some(&name), "</{name}> is in a wrong place");
            } else if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
                open.push(name.clone());
            }
            names.insert(name);
        }
        assert!(open.is_empty(), "{open:?}");
        names
    }

    fn hostile(mut comparison: Comparison) -> Comparison {
        let evil = "</pre></code><script>alert(\"&\")</script>'\u{1b}<!--";
        for (place, analyzer) in comparison.analyzers.iter_mut().enumerate() {
            analyzer.id = AnalyzerId::new(evil, &place.to_string(), &[]);
        }
        for check in &mut comparison.checks {
            check.seed.push_str(evil);
            check.condition.push_str(evil);
            match &mut check.input {
                Input::C(program) => program.base = format!("{evil}\n{}", program.base).into(),
                Input::Smt(script) => script.body = format!("{evil}\n{}", script.body).into(),
                Input::Text(input) => input.text = format!("{evil}\n{}", input.text).into(),
            }
            if check.executed.is_violated() {
                check.executed = violated(evil);
            }
        }
        comparison
    }

    #[test]
    fn hostile_texts_do_not_change_the_structure_of_the_page() {
        for make in [made_up, made_up_scripts] {
            let page = html_page(&hostile(make(&mut Random::for_case(3, 3), 4, 60)));
            let names = elements(&page);
            let has_all = names.contains("details") && names.contains("svg");
            assert!(!names.contains("script") && has_all, "{names:?}");
            assert!(page.contains("&lt;script&gt;alert(&quot;&amp;&quot;)"));
            assert!(!page.contains("<!--") && !page.contains('\u{1b}'));
        }
        for case in 0..40 {
            let comparison = made_up(&mut Random::for_case(16, case), case as usize % 9, case as usize % 30);
            elements(&html_page(&comparison));
        }
    }

    #[test]
    fn every_link_stays_in_the_page_and_leads_somewhere() {
        let evil = hostile(made_up(&mut Random::for_case(3, 3), 4, 60));
        let scripts = made_up_scripts(&mut Random::for_case(4, 4), 4, 60);
        for comparison in [evil, scripts, made_up(&mut Random::for_case(4, 4), 6, 200)] {
            let page = html_page(&comparison);
            let ids: Vec<&str> =
                page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            let known: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(ids.len(), known.len(), "an anchor is there twice");
            for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let anchor = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads away"));
                assert!(known.contains(anchor), "{link} leads nowhere");
            }
            for outside in ["http", "src=", "url(", "@import", "<link"] {
                assert!(!page.contains(outside), "{outside}");
            }
        }
    }

    #[test]
    fn cells_and_headers_are_accessible() {
        let page = html_page(&made_up(&mut Random::for_case(4, 4), 6, 200));
        let headers = page.matches("<th").count() - page.matches("<thead").count();
        assert_eq!(headers, page.matches("<th scope=").count());
        assert_eq!(page.matches("<svg").count(), page.matches("<svg role=\"img\"").count());
        assert_eq!(page.matches("<table").count(), page.matches("<caption").count());
        assert!(page.contains("prefers-color-scheme:dark"));
        assert!(page.contains("class=\"heat10\" title="), "diagonals are full");
    }
}
