//! A comparison for a terminal, in plain text of at most 100 columns.
//!
//! A summary line for each analyzer comes first. Tables follow, and the most severe issues come last, where a terminal still
//! shows them.

use crate::by_delta::{Counted, issues_by_delta};
use crate::cost::{AnalyzerCost, costs};
use crate::counted::counted;
use crate::issues::{
    Issue, IssueKind, OrderViolation, Regression, Settled, issues, order_violations, regressions,
    version_steps,
};
use crate::matrix::{PairTable, Share, WORD_ORDER, disagreeing_pairs, matrices};
use crate::summary::{AnalyzerSummary, overview, summaries};
use crate::text_table::{COLUMNS, broken, columns_of, cut, side_by_side, table, wrapped};
use crate::vocabulary::{demand_in_words, location_in_words, vocabulary};
use crate::words::{
    answers_in_words, decimal, delta_in_words, executed_in_words, issue_in_words, letter, overview_in_words,
    weaknesses_in_words,
};
use model::{Comparison, ComparisonDomain};

/// The default number of issues to show.
pub const SHOWN_ISSUES: usize = 10;

/// The maximum number of tables of pairs; with many analyzers there are too many to read.
const SHOWN_PAIRS: usize = 15;

/// The maximum number of checks that are named for each pair of versions or configurations.
const NAMED_CHECKS: usize = 8;

/// Renders the whole comparison, with the given number of issues.
pub fn terminal_tables(comparison: &Comparison, shown_issues: usize) -> String {
    let sections = [
        head(comparison),
        matrix_sections(comparison),
        pair_section(comparison),
        delta_section(comparison, IssueKind::Unsound),
        delta_section(comparison, IssueKind::Imprecise),
        order_section(comparison),
        version_section(comparison),
        cost_section(comparison),
        issue_section(comparison, shown_issues),
    ];
    let full: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    full.join("\n")
}

/// An underlined heading and its text.
fn section(heading: &str, text: &str) -> String {
    format!("{heading}\n{}\n{text}", "-".repeat(columns_of(heading)))
}

fn paragraph(text: &str) -> String {
    wrapped(text, COLUMNS).join("\n") + "\n"
}

/// The overview, and a line for each analyzer.
fn head(comparison: &Comparison) -> String {
    let mut text = paragraph(&overview_in_words(comparison, &overview(comparison)).join(" "));
    weaknesses_in_words(&comparison.weaknesses).iter().for_each(|line| text.push_str(&paragraph(line)));
    if comparison.analyzers.is_empty() {
        return text;
    }
    text.push('\n');
    let rows: Vec<Vec<String>> = summaries(comparison).iter().map(summary_words).collect();
    let widest = |column: usize| rows.iter().map(|row| columns_of(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..4).map(widest).collect();
    let sentences: Vec<String> = rows.iter().map(|row| aligned_sentence(comparison, row, &widths)).collect();
    let ids: Vec<&str> = comparison.analyzers.iter().map(|analyzer| analyzer.id.as_str()).collect();
    text.push_str(&analyzer_lines(&ids, &sentences));
    let words = vocabulary(comparison);
    let counts = match comparison.language {
        ComparisonDomain::C => {
            "Verified: the share of the checks that may hold. Unsound, imprecise: answers proved wrong by execution."
                .to_owned()
        }
        ComparisonDomain::Smt => format!("Unsat: the share of {}. {}", words.may_hold, words.legend),
    };
    text.push_str(&format!("\n{}", paragraph(&counts)));
    text
}

/// Each identity with its sentence, on one line if all of them fit, otherwise with the sentences below the identities.
fn analyzer_lines(ids: &[&str], sentences: &[String]) -> String {
    let letters = columns_of(&letter(ids.len().saturating_sub(1)));
    let longest = ids.iter().map(|id| columns_of(id)).max().unwrap_or(0);
    let sentence = sentences.iter().map(|sentence| columns_of(sentence)).max().unwrap_or(0);
    let fits = letters + 2 + longest + 3 + sentence <= COLUMNS;
    let mut text = String::new();
    for (place, (id, sentence)) in ids.iter().zip(sentences).enumerate() {
        let indent = " ".repeat(letters + 2);
        if fits {
            let blanks = " ".repeat(longest - columns_of(id) + 3);
            text.push_str(&format!("{:<letters$}  {}{blanks}{sentence}\n", letter(place), cut(id, longest)));
            continue;
        }
        let lines = broken(id, COLUMNS - letters - 2);
        text.push_str(&format!("{:<letters$}  {}\n", letter(place), lines.join(&format!("\n{indent}"))));
        text.push_str(&format!("{indent}{sentence}\n"));
    }
    text
}

fn summary_words(summary: &AnalyzerSummary) -> Vec<String> {
    vec![
        summary.verified.percent(),
        summary.unsound.proved.to_string(),
        summary.imprecise.proved.to_string(),
        decimal(summary.cpu_seconds_per_check),
    ]
}

fn aligned_sentence(comparison: &Comparison, row: &[String], widths: &[usize]) -> String {
    let word = |column: usize| format!("{:>1$}", row[column], widths[column]);
    let words = vocabulary(comparison);
    let imprecise = match comparison.language {
        ComparisonDomain::C => format!(" {} imprecise,", word(2)),
        // Nothing proves that a script has no model.
        ComparisonDomain::Smt => String::new(),
    };
    let (verified, check) = (words.verified, words.check);
    format!("{} {verified}, {} unsound,{imprecise} {} s CPU per {check}", word(0), word(1), word(3))
}

fn matrix_sections(comparison: &Comparison) -> String {
    if comparison.analyzers.len() < 2 {
        return String::new();
    }
    let matrices = matrices(comparison);
    let words = vocabulary(comparison);
    let explained = |word: &str| {
        let checks = words.checks();
        format!("Of the {checks} that the column calls {word}, the share that the row also calls {word}.")
    };
    let precision = format!("{}\n\n{}", explained(words.safe), matrix_table(&matrices.precision));
    let soundness = format!("{}\n\n{}", explained(words.not_safe), matrix_table(&matrices.soundness));
    let sections = [section("Relative precision", &precision), section("Relative soundness", &soundness)];
    sections.join("\n")
}

fn matrix_table(matrix: &[Vec<Share>]) -> String {
    let header: Vec<String> = std::iter::once(String::new()).chain((0..matrix.len()).map(letter)).collect();
    let row = |(place, shares): (usize, &Vec<Share>)| {
        std::iter::once(letter(place)).chain(shares.iter().map(|share| format!("{share:>5}"))).collect()
    };
    let rows: Vec<Vec<String>> = matrix.iter().enumerate().map(row).collect();
    table(&header, &rows)
}

/// The tables of the pairs that disagree, and the number of those that agree.
fn pair_section(comparison: &Comparison) -> String {
    let count = comparison.analyzers.len();
    if count < 2 {
        return String::new();
    }
    let pairs = disagreeing_pairs(comparison);
    let all = count * (count - 1) / 2;
    let agreeing = match all - pairs.len() {
        0 => "Every pair disagrees somewhere.".to_owned(),
        1 => format!("1 pair agrees on every {}.", vocabulary(comparison).check),
        some => format!("{some} pairs agree on every {}.", vocabulary(comparison).check),
    };
    let mut text = paragraph(&format!(
        "The rows are the answers of the first analyzer, the columns those of the second. Pairs with the most \
         contradictions come first. {agreeing}"
    ));
    let tables: Vec<String> =
        pairs.iter().take(SHOWN_PAIRS).map(|pair| pair_text(comparison, pair)).collect();
    if !tables.is_empty() {
        text.push('\n');
        text.push_str(&side_by_side(&tables));
    }
    if pairs.len() > SHOWN_PAIRS {
        let more = pairs.len() - SHOWN_PAIRS;
        text.push_str(&format!("\n{more} more pairs disagree; the web page shows them all.\n"));
    }
    section("Pairs", &text)
}

fn pair_text(comparison: &Comparison, pair: &PairTable) -> String {
    let corner = format!("{} and {}", letter(pair.first), letter(pair.second));
    let spelled = |word: &model::CheckAnswer| comparison.spelled(*word).to_owned();
    let header: Vec<String> = std::iter::once(corner).chain(WORD_ORDER.iter().map(spelled)).collect();
    let row = |(word, counts): (&model::CheckAnswer, &[u64; 3])| {
        std::iter::once(spelled(word)).chain(counts.iter().map(|count| format!("{count:>5}"))).collect()
    };
    let rows: Vec<Vec<String>> = WORD_ORDER.iter().zip(&pair.counts).map(row).collect();
    table(&header, &rows)
}

/// The issues of a kind by delta, without empty columns.
fn delta_section(comparison: &Comparison, kind: IssueKind) -> String {
    let counts = issues_by_delta(comparison, kind);
    let refuted: u64 = counts.iter().map(|row| row.refuted).sum();
    let none = counts.iter().all(|row| row.all.found == 0);
    let heading = match kind {
        IssueKind::Unsound => "Unsound",
        IssueKind::Imprecise => "Imprecise",
    };
    let oracle = vocabulary(comparison).oracle;
    let settled = match refuted {
        0 => String::new(),
        1 => format!(" 1 more is contradicted by other analyzers, but confirmed by {oracle}."),
        _ => format!(" {refuted} more are contradicted by other analyzers, but confirmed by {oracle}."),
    };
    if none {
        return section(heading, &paragraph(&format!("No answer is suspicious.{settled}")));
    }
    let mut header = vec![String::new(), "all".to_owned()];
    let mut rows: Vec<Vec<String>> =
        counts.iter().enumerate().map(|(place, row)| vec![letter(place), cell(row.all)]).collect();
    let mut add = |name: String, cells: Vec<Counted>| {
        if cells.iter().any(|cell| cell.found > 0) {
            header.push(name);
            rows.iter_mut().zip(cells).for_each(|(row, counted)| row.push(cell(counted)));
        }
    };
    add("must".to_owned(), counts.iter().map(|row| row.must).collect());
    for delta in 0..counts.len() {
        let at_delta = counts.iter().map(|row| row.by_delta.get(delta).copied().unwrap_or_default());
        add(delta.to_string(), at_delta.collect());
    }
    let explained =
        format!("{}; in brackets, the number proved by {oracle}.{settled}", delta_in_words(comparison, kind));
    section(heading, &format!("{}\n{}", paragraph(&explained), table(&header, &rows)))
}

fn cell(counted: Counted) -> String {
    match counted {
        Counted { found: 0, .. } => ".".to_owned(),
        Counted { found, proved: 0 } => found.to_string(),
        Counted { found, proved } => format!("{found} ({proved})"),
    }
}

fn order_section(comparison: &Comparison) -> String {
    let violations = order_violations(comparison);
    let mut text = String::new();
    for &(more, less) in &comparison.orders {
        let of_pair =
            |violation: &&OrderViolation| (violation.more_precise, violation.less_precise) == (more, less);
        let found: Vec<&OrderViolation> = violations.iter().filter(of_pair).collect();
        if !found.is_empty() {
            let checks: Vec<usize> = found.iter().map(|violation| violation.check).collect();
            let proved = found.iter().filter(|violation| violation.settled == Settled::Proved).count();
            text.push_str(&paragraph(&format!(
                "{} does not verify {} that {} verifies, {proved} of them proved to hold: {}.",
                letter(more),
                counted(found.len() as u64, "check"),
                letter(less),
                named_checks(comparison, &checks)
            )));
        }
    }
    if text.is_empty() { text } else { section("More precise configurations that verify less", &text) }
}

fn version_section(comparison: &Comparison) -> String {
    let regressions = regressions(comparison);
    let mut text = String::new();
    for (older, newer) in version_steps(comparison) {
        let of_step = |regression: &&Regression| (regression.older, regression.newer) == (older, newer);
        let found: Vec<&Regression> = regressions.iter().filter(of_step).collect();
        text.push_str(&paragraph(&step_in_words(comparison, older, newer, &found)));
    }
    if text.is_empty() { text } else { section("Regressions between versions", &text) }
}

fn step_in_words(comparison: &Comparison, older: usize, newer: usize, found: &[&Regression]) -> String {
    let of_kind = |kind: IssueKind| -> Vec<usize> {
        found.iter().filter(|regression| regression.kind == kind).map(|regression| regression.check).collect()
    };
    let part = |checks: &[usize], what: &str| match checks {
        [] => String::new(),
        _ => format!(" {what} {}.", named_checks(comparison, checks)),
    };
    let (unsound, imprecise) = (of_kind(IssueKind::Unsound), of_kind(IssueKind::Imprecise));
    format!(
        "From {} to {}: {} in soundness and {} in precision.{}{}",
        letter(older),
        letter(newer),
        counted(unsound.len() as u64, "regression"),
        imprecise.len(),
        part(&unsound, "Newly wrong on"),
        part(&imprecise, &format!("No longer {}:", vocabulary(comparison).verified))
    )
}

/// The numbers of the first checks.
fn named_checks(comparison: &Comparison, places: &[usize]) -> String {
    let named = places.iter().filter_map(|place| comparison.checks.get(*place)).take(NAMED_CHECKS);
    let numbers: Vec<String> = named.map(|check| check.number.to_string()).collect();
    let more = match places.len().saturating_sub(NAMED_CHECKS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let words = vocabulary(comparison);
    let noun = if places.len() == 1 { words.check.to_owned() } else { words.checks() };
    format!("{noun} {}{more}", numbers.join(", "))
}

fn cost_section(comparison: &Comparison) -> String {
    if comparison.analyzers.is_empty() {
        return String::new();
    }
    let names = ["", "queries", "CPU s", "ms per query", "unknown", "limits", "crashes", "refusals"];
    let header: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let row = |(place, cost): (usize, &AnalyzerCost)| {
        vec![
            letter(place),
            cost.queries.to_string(),
            decimal(Some(cost.cpu_seconds)),
            decimal(cost.wall_milliseconds_per_query),
            cost.unknown.percent(),
            cost.limits.to_string(),
            cost.crashes.to_string(),
            cost.refusals.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = costs(comparison).iter().enumerate().map(row).collect();
    let explained = paragraph(&format!(
        "CPU time is the total of all queries; `ms per query` is wall time; `unknown` is a share of the {}.",
        vocabulary(comparison).checks()
    ));
    let text = format!("{explained}\n{}", table(&header, &rows));
    section("Cost", &text)
}

fn issue_section(comparison: &Comparison, shown: usize) -> String {
    let issues = issues(comparison);
    if issues.is_empty() || shown == 0 {
        return String::new();
    }
    let mut text = String::new();
    let last = issues.len().min(shown).to_string().len();
    for (index, issue) in issues.iter().take(shown).enumerate() {
        text.push_str(&issue_text(comparison, issue, &format!("{:>last$}. ", index + 1)));
    }
    let heading = match issues.len() - issues.len().min(shown) {
        0 => format!("All {}", counted(issues.len() as u64, "issue")),
        _ => format!("The {shown} most severe of {} issues", issues.len()),
    };
    section(&heading, &text)
}

fn issue_text(comparison: &Comparison, issue: &Issue, number: &str) -> String {
    let Some(check) = comparison.checks.get(issue.check) else { return String::new() };
    let indent = " ".repeat(columns_of(number));
    let width = COLUMNS - columns_of(number);
    let place = cut(&location_in_words(comparison, check), width);
    let said = format!("{}. {}", answers_in_words(comparison, check), executed_in_words(comparison, check));
    let mut lines = vec![
        format!("{number}{}", cut(&format!("{}.", issue_in_words(comparison, issue)), width)),
        format!("{indent}{place}"),
        format!("{indent}{}", demand_in_words(comparison, &cut(&check.condition, width - "assert();".len()))),
    ];
    lines.extend(wrapped(&said, width).iter().take(6).map(|line| format!("{indent}{line}")));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{analyzer, check, made_up, made_up_scripts, violated};
    use model::{Approximation, Executed, Random};

    fn assert_narrow(text: &str) {
        for line in text.lines() {
            assert!(columns_of(line) <= COLUMNS, "{} columns: {line}", columns_of(line));
            assert!(!line.ends_with(' ') && !line.contains('\x1b'), "{line:?}");
        }
    }

    #[test]
    fn what_can_be_acted_on_comes_first() {
        let comparison = made_up(&mut Random::for_case(1, 1), 6, 200);
        let text = terminal_tables(&comparison, SHOWN_ISSUES);
        println!("{text}");
        assert_narrow(&text);
        assert!(text.starts_with("6 analyzers answered 200 checks in 4 seeds and agree on "), "{text}");
        let order = [
            "A  frama-c@25.0 ",
            "Relative precision",
            "Pairs",
            "\nUnsound\n",
            "\nImprecise\n",
            "\nCost\n",
            "10. ",
        ];
        let places: Vec<usize> = order.iter().map(|words| text.find(words).unwrap()).collect();
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn any_comparison_fits_into_a_terminal() {
        for case in 0..60 {
            let mut random = Random::for_case(14, case);
            let mut comparison = made_up(&mut random, case as usize, case as usize % 17);
            let hostile = "\x1b[31m漢<script>\u{202e}".repeat(case as usize % 12);
            for analyzer in comparison.analyzers.iter_mut().filter(|_| case % 3 == 0) {
                analyzer.id = model::AnalyzerId::new(&hostile, "1", &[]);
            }
            for check in &mut comparison.checks {
                check.condition = format!("{} != {hostile}", check.condition);
                check.executed = violated(&hostile);
            }
            assert_narrow(&terminal_tables(&comparison, 1000));
        }
    }

    #[test]
    fn long_identities_stand_on_lines_of_their_own() {
        let mut long = analyzer("a", "1", Approximation::Over);
        long.id = model::AnalyzerId::new("a", "1", &[("key".repeat(10), "v".repeat(100))]);
        let comparison = Comparison {
            analyzers: vec![long, analyzer("b", "1", Approximation::Over)],
            checks: vec![check(1, "su", Executed::Open)],
            ..Comparison::default()
        };
        let text = terminal_tables(&comparison, 5);
        assert_narrow(&text);
        assert!(text.contains("\n   100 % verified, 0 unsound"), "{text}");
        assert!(text.contains("\nB  b@1\n     0 % verified"), "{text}");
    }

    #[test]
    fn agreement_is_said_and_not_shown() {
        let comparison = Comparison {
            analyzers: ["a", "b"].map(|name| analyzer(name, "1", Approximation::Over)).to_vec(),
            checks: vec![check(1, "ss", Executed::Open)],
            orders: vec![(0, 1)],
            ..Comparison::default()
        };
        let text = terminal_tables(&comparison, 5);
        assert!(
            text.contains("1 pair agrees on every check.") && text.contains("No answer is suspicious."),
            "{text}"
        );
        assert!(!text.contains("A and B") && !text.contains("issue"), "{text}");
    }

    #[test]
    fn versions_and_orders_are_told_of() {
        let comparison = Comparison {
            analyzers: ["1.9", "1.10"].map(|version| analyzer("a", version, Approximation::Over)).to_vec(),
            checks: vec![check(1, "su", Executed::Never), check(2, "us", violated("7"))],
            orders: vec![(1, 0)],
            ..Comparison::default()
        };
        let text = terminal_tables(&comparison, 5);
        assert!(
            text.contains("B does not verify 1 check that A verifies, 1 of them proved to hold: check 1."),
            "{text}"
        );
        let expected =
            "From A to B: 1 regression in soundness and 1 in precision. Newly wrong on check 2. No longer";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("assert(i != 13);\n"), "{text}");
    }

    #[test]
    fn solvers_say_sat_and_unsat() {
        for case in 0..20 {
            let comparison = made_up_scripts(&mut Random::for_case(5, case), 2 + case as usize % 5, 60);
            let text = terminal_tables(&comparison, SHOWN_ISSUES);
            assert_narrow(&text);
            for word in [" safe", "unsafe", "assert(", "xecution", " check", ":0"] {
                let legend = "For a script, unsat corresponds to safe and sat to unsafe";
                let rest = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(legend, "");
                assert!(!rest.contains(word), "`{word}` is not for scripts\n{text}");
            }
            for word in ["unsat", "60 scripts", "The evaluator confirms"] {
                assert!(text.contains(word), "`{word}` is missing\n{text}");
            }
        }
    }
}
