//! A comparison as JSON: all tables, and the checks without the texts of their programs.
//!
//! Issues name analyzers by identity and checks by number. The rows and columns of tables are in the order of the list of
//! analyzers.

use crate::by_delta::{Counted, IssueCounts, issues_by_delta};
use crate::cost::costs;
use crate::issues::{Issue, IssueKind, OrderViolation, Regression, issues, order_violations, regressions};
use crate::matrix::{PairTable, Share, WORD_ORDER, matrices, pair_tables};
use crate::summary::{overview, summaries};
use crate::words::shown;
use model::{ComparedCheck, Comparison, ComparisonDomain, Executed};
use serde_json::{Value, json};

/// The whole comparison.
pub fn json_report(comparison: &Comparison) -> serde_json::Result<String> {
    let matrices = matrices(comparison);
    let pairs: Vec<Value> = pair_tables(comparison).iter().map(|pair| pair_value(comparison, pair)).collect();
    let checks: Vec<Value> = comparison.checks.iter().map(|check| check_value(comparison, check)).collect();
    let report = json!({
        "language": comparison.language,
        "overview": overview_value(comparison),
        "analyzers": analyzer_values(comparison),
        "precision": matrix_value(&matrices.precision),
        "soundness": matrix_value(&matrices.soundness),
        "pairs": pairs,
        "issues": issue_values(comparison),
        "order-violations": order_values(comparison),
        "regressions": regression_values(comparison),
        "checks": checks,
        "weaknesses": comparison.weaknesses,
    });
    let text = serde_json::to_string_pretty(&report)?;
    Ok(text + "\n")
}

fn overview_value(comparison: &Comparison) -> Value {
    let overview = overview(comparison);
    json!({
        "analyzers": overview.analyzers,
        "checks": overview.checks,
        "seeds": overview.seeds,
        "unanimous": overview.unanimous,
        "violated": overview.violated,
        "never": overview.never,
        "may-hold": overview.may_hold,
    })
}

fn analyzer_values(comparison: &Comparison) -> Vec<Value> {
    let unsound = issues_by_delta(comparison, IssueKind::Unsound);
    let imprecise = issues_by_delta(comparison, IssueKind::Imprecise);
    let (summaries, costs) = (summaries(comparison), costs(comparison));
    let mut values = Vec::new();
    for (place, analyzer) in comparison.analyzers.iter().enumerate() {
        let (Some(summary), Some(cost)) = (summaries.get(place), costs.get(place)) else { continue };
        values.push(json!({
            "id": analyzer.id,
            "name": analyzer.id.name(),
            "version": analyzer.id.version(),
            "configuration": analyzer.id.choices(),
            "approximation": analyzer.approximation,
            "verified": share_value(summary.verified),
            "unsound": unsound.get(place).map(counts_value),
            "imprecise": imprecise.get(place).map(counts_value),
            "cost": {
                "queries": cost.queries,
                "cpu-microseconds": analyzer.cpu_microseconds,
                "wall-microseconds": analyzer.wall_microseconds,
                "cpu-seconds-per-check": cost.cpu_seconds_per_check,
                "wall-milliseconds-per-query": cost.wall_milliseconds_per_query,
                "unknown-checks": share_value(cost.unknown),
                "unknowns": cost.unknowns,
                "limits": cost.limits,
                "crashes": cost.crashes,
                "refusals": cost.refusals,
            },
        }));
    }
    values
}

fn counts_value(counts: &IssueCounts) -> Value {
    let value = |counted: &Counted| json!({ "found": counted.found, "proved": counted.proved });
    let by_delta: Vec<Value> = counts.by_delta.iter().map(value).collect();
    json!({
        "all": value(&counts.all),
        "must": value(&counts.must),
        "by-delta": by_delta,
        "refuted": counts.refuted,
    })
}

fn share_value(share: Share) -> Value {
    json!({ "numerator": share.numerator, "denominator": share.denominator })
}

fn matrix_value(matrix: &[Vec<Share>]) -> Value {
    let rows = matrix.iter().map(|row| row.iter().copied().map(share_value).collect::<Vec<Value>>());
    Value::from(rows.collect::<Vec<Vec<Value>>>())
}

fn pair_value(comparison: &Comparison, pair: &PairTable) -> Value {
    json!({
        "first": id(comparison, pair.first),
        "second": id(comparison, pair.second),
        "words": WORD_ORDER.map(|word| comparison.spelled(word)),
        "counts": pair.counts,
        "disagreements": pair.disagreements(),
        "contradictions": pair.contradictions(),
    })
}

fn issue_values(comparison: &Comparison) -> Vec<Value> {
    let value = |issue: &Issue| {
        json!({
            "analyzer": id(comparison, issue.analyzer),
            "check": number(comparison, issue.check),
            "kind": issue.kind.word(),
            "delta": issue.delta,
            "must": issue.must,
            "settled": issue.settled.word(),
        })
    };
    issues(comparison).iter().map(value).collect()
}

fn order_values(comparison: &Comparison) -> Vec<Value> {
    let value = |violation: &OrderViolation| {
        json!({
            "more-precise": id(comparison, violation.more_precise),
            "less-precise": id(comparison, violation.less_precise),
            "check": number(comparison, violation.check),
            "word": comparison.spelled(violation.word),
            "settled": violation.settled.word(),
        })
    };
    order_violations(comparison).iter().map(value).collect()
}

fn regression_values(comparison: &Comparison) -> Vec<Value> {
    let value = |regression: &Regression| {
        json!({
            "older": id(comparison, regression.older),
            "newer": id(comparison, regression.newer),
            "check": number(comparison, regression.check),
            "kind": regression.kind.word(),
            "settled": regression.settled.word(),
        })
    };
    regressions(comparison).iter().map(value).collect()
}

fn check_value(comparison: &Comparison, check: &ComparedCheck) -> Value {
    let words: Vec<&str> =
        (0..comparison.analyzers.len()).map(|place| comparison.spelled(check.word(place))).collect();
    match comparison.language {
        ComparisonDomain::C => json!({
            "number": check.number,
            "seed": check.seed,
            "line": check.line,
            "condition": check.condition,
            "words": words,
            "executed": check.executed,
        }),
        ComparisonDomain::Smt => json!({
            "number": check.number,
            "seed": check.seed,
            "script": check.condition,
            "words": words,
            "evaluated": shown(comparison, check),
            "model": model_value(&check.executed),
        }),
    }
}

/// The model that the evaluator confirms.
fn model_value(executed: &Executed) -> Option<&str> {
    match executed {
        Executed::Violated { inputs } => Some(inputs),
        Executed::Never | Executed::Open => None,
    }
}

fn id(comparison: &Comparison, place: usize) -> Option<&str> {
    comparison.analyzers.get(place).map(|analyzer| analyzer.id.as_str())
}

fn number(comparison: &Comparison, place: usize) -> Option<u64> {
    comparison.checks.get(place).map(|check| check.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{made_up, made_up_scripts};
    use model::Random;

    #[test]
    fn the_report_has_everything_except_programs() {
        let comparison = made_up(&mut Random::for_case(2, 1), 6, 50);
        let text = json_report(&comparison).unwrap();
        assert!(!text.contains("int main"));
        let value: Value = serde_json::from_str(&text).unwrap();
        let length = |name: &str| value[name].as_array().unwrap().len();
        let lengths = ["analyzers", "precision", "pairs", "checks", "issues"].map(length);
        assert_eq!(lengths, [6, 6, 15, 50, issues(&comparison).len()]);
        assert_eq!(value["overview"]["checks"], 50);
        assert_eq!(value["analyzers"][2]["approximation"], "under");
        assert_eq!(value["analyzers"][0]["cost"]["queries"], 50);
        assert_eq!(value["checks"][0]["words"].as_array().unwrap().len(), 6);
        assert_eq!(value["pairs"][0]["words"][0], "unsafe");
        let first = &issues(&comparison)[0];
        assert_eq!(value["issues"][0]["settled"], first.settled.word());
        assert_eq!(value["issues"][0]["must"], first.must);
        assert_eq!(value["issues"][0]["check"], comparison.checks[first.check].number);
        let share = &value["precision"][0][0];
        assert_eq!(share["numerator"], share["denominator"]);
    }

    #[test]
    fn scripts_have_words_and_models() {
        let comparison = made_up_scripts(&mut Random::for_case(2, 1), 3, 50);
        let value: Value = serde_json::from_str(&json_report(&comparison).unwrap()).unwrap();
        assert_eq!(value["language"], "smt");
        assert_eq!(value["pairs"][0]["words"], json!(["sat", "unknown", "unsat"]));
        let checks = value["checks"].as_array().unwrap();
        assert!(checks.iter().all(|check| check["line"].is_null() && check["script"].is_string()));
        let confirmed = checks.iter().find(|check| check["evaluated"] == "confirmed").unwrap();
        assert_eq!(confirmed["model"], "(define-fun x () Int 4)");
    }

    #[test]
    fn an_empty_comparison_is_not_an_error() {
        let value: Value = serde_json::from_str(&json_report(&Comparison::default()).unwrap()).unwrap();
        assert_eq!(value["overview"]["checks"], 0);
    }
}
