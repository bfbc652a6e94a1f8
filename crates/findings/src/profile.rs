//! The precision profile: how often the engine of each analyzer knows what follows by each rule of `debug_check`.

use crate::escape::markdown;
use model::{Profile, Said};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const COLUMNS: usize = Said::ALL.len();

/// The rows of a profile: how often each answer was given, by analyzer and rule.
type Rows<'a> = BTreeMap<&'a str, BTreeMap<&'a str, [u64; COLUMNS]>>;

fn rows(profile: &Profile) -> Rows<'_> {
    let mut rows = Rows::new();
    for (cell, count) in profile.cells() {
        let row = rows.entry(cell.analyzer).or_default().entry(cell.rule).or_default();
        row[cell.said as usize] += count;
    }
    rows
}

/// The profile as JSON, by analyzer, rule and word.
pub(crate) fn profile_json(profile: &Profile) -> Value {
    let words = |said: &[u64; COLUMNS]| -> Value {
        Said::ALL.iter().zip(said).map(|(said, count)| (said.word().to_owned(), json!(count))).collect()
    };
    let mut analyzers = serde_json::Map::new();
    for (analyzer, rules) in rows(profile) {
        let rules: Value = rules.iter().map(|(rule, said)| ((*rule).to_owned(), words(said))).collect();
        analyzers.insert(analyzer.to_owned(), rules);
    }
    Value::Object(analyzers)
}

/// A table for each analyzer; empty if nothing was profiled.
pub(crate) fn profile_tables(profile: &Profile) -> String {
    let mut text = String::new();
    for (analyzer, rules) in &rows(profile) {
        text.push_str(&format!(
            "\n| rule ({}) | {} | known |\n|---|{}---|\n",
            markdown(analyzer),
            Said::ALL.map(Said::word).join(" | "),
            "---|".repeat(COLUMNS)
        ));
        for (rule, said) in rules {
            let answered: u64 = said[..COLUMNS - 1].iter().sum();
            let known =
                (said[0] * 100).checked_div(answered).map_or("".to_owned(), |share| format!("{share} %"));
            let cells: Vec<String> = said.iter().map(u64::to_string).collect();
            text.push_str(&format!("| {} | {} | {known} |\n", markdown(rule), cells.join(" | ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ProfileCell;

    #[test]
    fn answers_become_a_table_by_rule() {
        let mut profile = Profile::default();
        for (said, count) in [(Said::True, 3), (Said::Unknown, 1), (Said::NotReached, 5)] {
            profile.count(ProfileCell { analyzer: "gcc@12.2.0", rule: "swap", said }, count);
        }
        assert_eq!(profile_json(&profile)["gcc@12.2.0"]["swap"]["unknown"], 1);
        let text = profile_tables(&profile);
        assert!(text.contains("| swap | 3 | 1 | 0 | 0 | 0 | 5 | 75 % |"), "{text}");
    }
}
