//! A comparison as CSV, according to RFC 4180: fields with commas, quotes or line breaks are quoted, quotes in them are
//! doubled, and lines end in CR LF. Hidden characters are escapes, as everywhere else; texts are not escaped in any
//! other way.

use crate::matrix::{Share, matrices};
use crate::words::shown;
use model::{ComparedCheck, Comparison, ComparisonDomain};

/// A row for each check: its number, seed, line and condition, the result of execution (`violated`, `never` or `open`), and
/// the answer of each analyzer. A script has no line, and its model is `confirmed` or `open`.
pub fn checks_csv(comparison: &Comparison) -> String {
    let mut header: Vec<String> = match comparison.language {
        ComparisonDomain::C => {
            ["number", "seed", "line", "condition", "executed"].map(str::to_owned).to_vec()
        }
        ComparisonDomain::Smt => ["number", "seed", "script", "evaluated"].map(str::to_owned).to_vec(),
    };
    header.extend(comparison.analyzers.iter().map(|analyzer| analyzer.id.to_string()));
    let mut text = row(&header);
    for check in &comparison.checks {
        text.push_str(&row(&check_fields(comparison, check)));
    }
    text
}

fn check_fields(comparison: &Comparison, check: &ComparedCheck) -> Vec<String> {
    let mut fields = vec![check.number.to_string(), check.seed.clone()];
    if comparison.language == ComparisonDomain::C {
        fields.push(check.line.to_string());
    }
    fields.extend([check.condition.clone(), shown(comparison, check).to_owned()]);
    let words = (0..comparison.analyzers.len()).map(|place| comparison.spelled(check.word(place)).to_owned());
    fields.extend(words);
    fields
}

/// The matrices, a row for each cell: the table (`precision` or `soundness`), the analyzers of row and column, and
/// the two counts.
pub fn matrices_csv(comparison: &Comparison) -> String {
    let mut text = row(&["table", "row", "column", "numerator", "denominator"].map(str::to_owned));
    let matrices = matrices(comparison);
    for (name, matrix) in [("precision", &matrices.precision), ("soundness", &matrices.soundness)] {
        for (of_row, shares) in comparison.analyzers.iter().zip(matrix) {
            for (of_column, share) in comparison.analyzers.iter().zip(shares) {
                let Share { numerator, denominator } = *share;
                text.push_str(&row(&[
                    name.to_owned(),
                    of_row.id.to_string(),
                    of_column.id.to_string(),
                    numerator.to_string(),
                    denominator.to_string(),
                ]));
            }
        }
    }
    text
}

pub(crate) fn row(fields: &[String]) -> String {
    let quoted: Vec<String> = fields.iter().map(|text| field(&model::shown(text))).collect();
    quoted.join(",") + "\r\n"
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{check, random_comparison};
    use model::{Executed, Random};

    /// Reads CSV back, by the grammar of RFC 4180.
    fn parsed(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
        let mut quoted = false;
        let mut letters = text.chars().peekable();
        while let Some(c) = letters.next() {
            match (quoted, c) {
                (true, '"') if letters.peek() == Some(&'"') => field.extend(letters.next()),
                (_, '"') => quoted = !quoted,
                (false, ',') => fields.push(std::mem::take(&mut field)),
                (false, '\r') => {
                    assert_eq!(letters.next(), Some('\n'));
                    fields.push(std::mem::take(&mut field));
                    rows.push(std::mem::take(&mut fields));
                }
                (_, c) => field.push(c),
            }
        }
        assert!(!quoted && field.is_empty() && fields.is_empty());
        rows
    }

    #[test]
    fn every_check_has_a_row_that_reads_back() {
        let pieces = [",", "\"", "\n", "\r\n", "\"\"", " ", "x != 3", "<script>", "é", "\x1b[1m", "\u{202e}"];
        for case in 0..100 {
            let mut random = Random::for_case(15, case);
            let mut comparison = random_comparison(&mut random, case as usize % 5, case as usize % 20);
            for check in &mut comparison.checks {
                for text in [&mut check.seed, &mut check.condition] {
                    *text = (0..random.below(6)).filter_map(|_| random.choose(&pieces)).copied().collect();
                }
            }
            let rows = parsed(&checks_csv(&comparison));
            assert_eq!(rows.len(), comparison.checks.len() + 1);
            for (row, check) in rows.iter().skip(1).zip(&comparison.checks) {
                let expected: Vec<String> = check_fields(&comparison, check)
                    .iter()
                    .map(|text| model::shown(text).into_owned())
                    .collect();
                assert_eq!(*row, expected);
            }
            let cells = parsed(&matrices_csv(&comparison)).len() - 1;
            assert_eq!(cells, 2 * comparison.analyzers.len().pow(2));
        }
    }

    #[test]
    fn rows_look_as_expected() {
        let mut comparison = random_comparison(&mut Random::for_case(1, 1), 2, 0);
        comparison.checks = vec![check(7, "s?", Executed::Never)];
        comparison.checks[0].condition = "f(a, \"b\")".to_owned();
        let text = checks_csv(&comparison);
        let expected = "number,seed,line,condition,executed,frama-c@25.0,frama-c@26.1\r\n\
                        7,loops/count.c,4,\"f(a, \"\"b\"\")\",never,safe,unknown\r\n";
        assert_eq!(text, expected);
        let solvers = Comparison { language: ComparisonDomain::Smt, ..comparison.clone() };
        let text = checks_csv(&solvers);
        let expected = "number,seed,script,evaluated,frama-c@25.0,frama-c@26.1\r\n\
                        7,loops/count.c,\"f(a, \"\"b\"\")\",open,unsat,unknown\r\n";
        assert_eq!(text, expected);
        let matrices = matrices_csv(&comparison);
        assert!(matrices.contains("precision,frama-c@26.1,frama-c@25.0,0,1\r\n"), "{matrices}");
    }
}
