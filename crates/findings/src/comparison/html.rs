//! A comparison as one page of HTML that needs nothing else: no scripts, no files, no network.
//!
//! The page follows the light or dark form that the reader has chosen. Every text that comes from outside is escaped:
//! names, conditions, programs and inputs are hostile. Links lead from each cell of a table of a pair to the list of
//! its checks, and from there to the check with its program.

use super::by_delta::{Counted, IssueCounts, issues_by_delta};
use super::cost::{AnalyzerCost, costs};
use super::html_charts::{cost_chart, issue_chart};
use super::html_checks::{ShownChecks, cell_anchor};
use super::issues::{IssueKind, order_violations, regressions};
use super::matrix::{PairTable, Share, WORD_ORDER, disagreeing_pairs, matrices};
use super::summary::{AnalyzerSummary, overview, summaries};
use super::vocabulary::{capitalized, vocabulary};
use super::words::{approximation_in_words, decimal, delta_in_words, letter, overview_in_words};
use crate::escape::{html, one_line};
use crate::report_markdown::counted;
use model::{CheckAnswer, ComparedAnalyzer, Comparison};

/// How many checks are named for each kind of change between configurations or versions.
const NAMED_CHANGES: usize = 200;

/// The whole page.
pub fn comparison_html(comparison: &Comparison) -> String {
    let pairs = disagreeing_pairs(comparison);
    let shown = ShownChecks::new(comparison);
    let mut page = String::from(HEAD);
    page.push_str(&format!("<style>\n{STYLE}{}</style>\n</head>\n<body>\n", heat_style()));
    page.push_str("<h1>Analyzers compared</h1>\n");
    page.push_str(&format!(
        "<p>{}</p>\n",
        html(&overview_in_words(comparison, &overview(comparison)).join(" "))
    ));
    page.push_str(&navigation(comparison));
    page.push_str(&section("analyzers", "Analyzers", &analyzers_table(comparison)));
    page.push_str(&matrices_section(comparison));
    page.push_str(&section("pairs", "Pairs", &pairs_text(comparison, &pairs)));
    page.push_str(&shown.cell_lists(&pairs));
    page.push_str(&issues_section(comparison));
    page.push_str(&changes_section(comparison));
    page.push_str(&section("cost", "Cost", &cost_text(comparison)));
    let heading = format!("{} that somebody gets wrong", capitalized(&vocabulary(comparison).checks()));
    page.push_str(&section("checks", &heading, &shown.text()));
    page.push_str("</body>\n</html>\n");
    page
}

const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"color-scheme\" content=\"light dark\">\n<title>Analyzers compared</title>\n";

fn navigation(comparison: &Comparison) -> String {
    format!(
        "<nav><a href=\"#analyzers\">Analyzers</a> <a href=\"#matrices\">Matrices</a> \
         <a href=\"#pairs\">Pairs</a> <a href=\"#issues\">Issues</a> <a href=\"#cost\">Cost</a> \
         <a href=\"#checks\">{}</a></nav>\n",
        capitalized(&vocabulary(comparison).checks())
    )
}

/// Colours are named once, for both forms of the page. A list of a cell is hidden until a link leads to it.
const STYLE: &str = "\
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

/// Eleven shades, from nothing to one that ink can still be read on in both forms.
fn heat_style() -> String {
    let shade = |step: usize| format!(".heat{step}{{background:rgb(var(--heat) / {}%)}}\n", step * 6);
    (0..=10).map(shade).collect()
}

/// The class of a cell that is this much of a whole.
fn heat(share: Share) -> String {
    share.value().map_or(String::new(), |value| format!("heat{}", (value * 10.0).round() as usize))
}

fn section(anchor: &str, heading: &str, text: &str) -> String {
    format!("<section id=\"{anchor}\">\n<h2>{heading}</h2>\n{text}</section>\n")
}

/// A table from cells that are HTML already; the first cell of each row is its header.
fn table(caption: &str, header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("<div class=\"wide\"><table>\n<caption>{}</caption>\n<thead><tr>", html(caption));
    for name in header {
        text.push_str(&format!("<th scope=\"col\">{}</th>", html(name)));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        let mut cells = row.iter();
        let first = cells.next().map(String::as_str).unwrap_or_default();
        text.push_str(&format!("<tr><th scope=\"row\">{first}</th>"));
        cells.for_each(|cell| text.push_str(&format!("<td>{cell}</td>")));
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table></div>\n");
    text
}

/// The letter of an analyzer, with its identity where the pointer rests.
fn named(comparison: &Comparison, place: usize) -> String {
    let id = comparison.analyzers.get(place).map_or("", |analyzer| analyzer.id.as_str());
    format!("<abbr title=\"{}\">{}</abbr>", html(&one_line(id, 400)), letter(place))
}

fn analyzers_table(comparison: &Comparison) -> String {
    let words = vocabulary(comparison);
    let cost = format!("CPU s per {}", words.check);
    let header = [
        "letter",
        "analyzer",
        "what binds",
        words.verified,
        "unsound, proved",
        "unsound, open",
        "imprecise, proved",
        "imprecise, open",
        cost.as_str(),
    ];
    let row = |(place, (analyzer, summary)): (usize, (&ComparedAnalyzer, &AnalyzerSummary))| {
        vec![
            letter(place),
            format!("<code>{}</code>", html(&one_line(analyzer.id.as_str(), 1000))),
            approximation_in_words(comparison, analyzer.approximation),
            html(&summary.verified.percent()),
            summary.unsound.proved.to_string(),
            (summary.unsound.found - summary.unsound.proved).to_string(),
            summary.imprecise.proved.to_string(),
            (summary.imprecise.found - summary.imprecise.proved).to_string(),
            decimal(summary.cpu_seconds_per_check),
        ]
    };
    let summaries = summaries(comparison);
    let rows: Vec<Vec<String>> = comparison.analyzers.iter().zip(&summaries).enumerate().map(row).collect();
    let caption = format!(
        "{}: the share of {}. Proved: by {}. {}",
        capitalized(words.verified),
        words.may_hold,
        words.oracle,
        words.legend
    );
    table(caption.trim_end(), &header, &rows)
}

fn matrices_section(comparison: &Comparison) -> String {
    let matrices = matrices(comparison);
    let words = vocabulary(comparison);
    let caption = |what: &str, word: &str| {
        let checks = words.checks();
        format!(
            "Relative {what}: the share that the row says is {word} of the {checks} that the column says are {word}"
        )
    };
    let text = matrix_table(comparison, &caption("precision", words.safe), &matrices.precision)
        + &matrix_table(comparison, &caption("soundness", words.not_safe), &matrices.soundness);
    section("matrices", "Precision and soundness, relative to each other", &text)
}

fn matrix_table(comparison: &Comparison, caption: &str, matrix: &[Vec<Share>]) -> String {
    let mut text = format!("<div class=\"wide\"><table>\n<caption>{caption}</caption>\n<thead><tr><td></td>");
    for place in 0..matrix.len() {
        text.push_str(&format!("<th scope=\"col\">{}</th>", named(comparison, place)));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for (place, shares) in matrix.iter().enumerate() {
        text.push_str(&format!("<tr><th scope=\"row\">{}</th>", named(comparison, place)));
        for share in shares {
            let counts = format!("{} of {}", share.numerator, share.denominator);
            let shown = html(&share.to_string());
            text.push_str(&format!("<td class=\"{}\" title=\"{counts}\">{shown}</td>", heat(*share)));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table></div>\n");
    text
}

fn pairs_text(comparison: &Comparison, pairs: &[PairTable]) -> String {
    let count = comparison.analyzers.len();
    let agreeing = count * count.saturating_sub(1) / 2 - pairs.len();
    let mut text = format!(
        "<p>The first of two stands in the rows, the second in the columns; those that contradict each other most \
         come first. A number leads to its {}. {} on every {}.</p>\n<div class=\"tables\">\n",
        vocabulary(comparison).checks(),
        if agreeing == 1 { "1 pair agrees".to_owned() } else { format!("{agreeing} pairs agree") },
        vocabulary(comparison).check,
    );
    pairs.iter().for_each(|pair| text.push_str(&pair_table(comparison, pair)));
    text.push_str("</div>\n");
    text
}

fn pair_table(comparison: &Comparison, pair: &PairTable) -> String {
    let (first, second) = (named(comparison, pair.first), named(comparison, pair.second));
    let mut text = format!("<table>\n<caption>{first} and {second}</caption>\n<thead><tr><td></td>");
    for word in WORD_ORDER {
        text.push_str(&format!(
            "<th scope=\"col\">{} {}</th>",
            letter(pair.second),
            comparison.spelled(word)
        ));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for (word, counts) in WORD_ORDER.iter().zip(&pair.counts) {
        text.push_str(&format!(
            "<tr><th scope=\"row\">{} {}</th>",
            letter(pair.first),
            comparison.spelled(*word)
        ));
        for (other, count) in WORD_ORDER.iter().zip(counts) {
            let share = Share { numerator: *count, denominator: comparison.checks.len() as u64 };
            let shown = linked_count(pair, *word, *other, *count);
            text.push_str(&format!("<td class=\"{}\">{shown}</td>", heat(share)));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n");
    text
}

fn linked_count(pair: &PairTable, first: CheckAnswer, second: CheckAnswer, count: u64) -> String {
    match count {
        0 => "0".to_owned(),
        _ => format!("<a href=\"#{}\">{count}</a>", cell_anchor(pair, first, second)),
    }
}

fn issues_section(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (kind, heading) in [(IssueKind::Unsound, "Unsound"), (IssueKind::Imprecise, "Imprecise")] {
        text.push_str(&format!("<h3>{heading}</h3>\n{}", issue_chart(comparison, kind)));
        text.push_str(&delta_table(comparison, kind));
    }
    section("issues", "Issues by the number of others that disagree", &text)
}

fn delta_table(comparison: &Comparison, kind: IssueKind) -> String {
    let counts = issues_by_delta(comparison, kind);
    let deltas: Vec<String> = (0..counts.len()).map(|delta| delta.to_string()).collect();
    let mut header = vec!["analyzer", "all", "must", "refuted"];
    header.extend(deltas.iter().map(String::as_str));
    let row = |(place, counts): (usize, &IssueCounts)| {
        let mut cells = vec![
            named(comparison, place),
            counted_cell(counts.all),
            counted_cell(counts.must),
            counts.refuted.to_string(),
        ];
        cells.extend(counts.by_delta.iter().copied().map(counted_cell));
        cells
    };
    let rows: Vec<Vec<String>> = counts.iter().enumerate().map(row).collect();
    let caption = format!(
        "{}; in brackets, how many {} proves. Those that it refutes are counted in that column only.",
        delta_in_words(comparison, kind).replace('`', ""),
        vocabulary(comparison).oracle
    );
    table(&caption, &header, &rows)
}

fn counted_cell(counted: Counted) -> String {
    match counted {
        Counted { found, proved: 0 } => found.to_string(),
        Counted { found, proved } => format!("{found} <span class=\"proved\">({proved})</span>"),
    }
}

/// Violated orders and regressions, if there are any.
fn changes_section(comparison: &Comparison) -> String {
    let number = |place: usize| comparison.checks.get(place).map_or(0, |check| check.number);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let violations = order_violations(comparison);
    let regressions = regressions(comparison);
    let count = violations.len() + regressions.len();
    for violation in violations.iter().take(NAMED_CHANGES) {
        rows.push(vec![
            number(violation.check).to_string(),
            named(comparison, violation.more_precise),
            format!(
                "more precise than {}, says {}",
                named(comparison, violation.less_precise),
                comparison.spelled(violation.word)
            ),
            violation.settled.word().to_owned(),
        ]);
    }
    for regression in regressions.iter().take(NAMED_CHANGES) {
        rows.push(vec![
            number(regression.check).to_string(),
            named(comparison, regression.newer),
            format!("newer than {}, {}", named(comparison, regression.older), regression.kind.word()),
            regression.settled.word().to_owned(),
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let caption = match count - rows.len() {
        0 => "All of them".to_owned(),
        _ => format!("{} of {}", counted(rows.len() as u64, "row"), count),
    };
    let words = vocabulary(comparison);
    let text = table(&caption, &[words.check, "analyzer", "what", words.oracle], &rows);
    section("changes", "More precise or newer, and worse", &text)
}

fn cost_text(comparison: &Comparison) -> String {
    let header = ["analyzer", "queries", "CPU s", "ms per query", "unknown", "limits", "crashes", "refusals"];
    let row = |(place, cost): (usize, &AnalyzerCost)| {
        vec![
            named(comparison, place),
            cost.queries.to_string(),
            decimal(Some(cost.cpu_seconds)),
            decimal(cost.wall_milliseconds_per_query),
            html(&cost.unknown.percent()),
            cost.limits.to_string(),
            cost.crashes.to_string(),
            cost.refusals.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = costs(comparison).iter().enumerate().map(row).collect();
    let caption = format!(
        "CPU time is of all queries; the time of a query is on the clock; unknown is a share of the {}",
        vocabulary(comparison).checks()
    );
    cost_chart(comparison) + &table(&caption, &header, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::fixtures::{made_up, made_up_scripts, violated};
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
                Input::Datalog(program) => program.text = format!("{evil}\n{}", program.text).into(),
            }
            if check.executed.is_violated() {
                check.executed = violated(evil);
            }
        }
        comparison
    }

    #[test]
    fn hostile_texts_change_nothing_of_the_page() {
        for make in [made_up, made_up_scripts] {
            let page = comparison_html(&hostile(make(&mut Random::for_case(3, 3), 4, 60)));
            let names = elements(&page);
            let has_all = names.contains("details") && names.contains("svg");
            assert!(!names.contains("script") && has_all, "{names:?}");
            assert!(page.contains("&lt;script&gt;alert(&quot;&amp;&quot;)"));
            assert!(!page.contains("<!--") && !page.contains('\u{1b}'));
        }
        for case in 0..40 {
            let comparison = made_up(&mut Random::for_case(16, case), case as usize % 9, case as usize % 30);
            elements(&comparison_html(&comparison));
        }
    }

    #[test]
    fn every_link_stays_in_the_page_and_leads_somewhere() {
        let evil = hostile(made_up(&mut Random::for_case(3, 3), 4, 60));
        let scripts = made_up_scripts(&mut Random::for_case(4, 4), 4, 60);
        for comparison in [evil, scripts, made_up(&mut Random::for_case(4, 4), 6, 200)] {
            let page = comparison_html(&comparison);
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
    fn cells_and_headers_can_be_read_by_everybody() {
        let page = comparison_html(&made_up(&mut Random::for_case(4, 4), 6, 200));
        let headers = page.matches("<th").count() - page.matches("<thead").count();
        assert_eq!(headers, page.matches("<th scope=").count());
        assert_eq!(page.matches("<svg").count(), page.matches("<svg role=\"img\"").count());
        assert_eq!(page.matches("<table").count(), page.matches("<caption").count());
        assert!(page.contains("prefers-color-scheme:dark"));
        assert!(page.contains("class=\"heat10\" title="), "diagonals are full");
    }
}
