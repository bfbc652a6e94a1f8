//! The precision profile: how often the engine of each analyzer knows what follows by each rule of `debug_check`.

use crate::escape::markdown;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use techniques::debug_check::{ProfileCell, Said};

const COLUMNS: usize = Said::ALL.len();

/// How often each word was said, by analyzer and rule.
type Profile<'a> = BTreeMap<&'a str, BTreeMap<&'a str, [u64; COLUMNS]>>;

/// Moves the cells of the profile out of the counts.
fn taken_out<'a>(counts: &mut BTreeMap<&'a str, u64>) -> Profile<'a> {
    let mut profile = Profile::new();
    counts.retain(|name, count| {
        let Some(cell) = ProfileCell::of_count(name) else { return true };
        let row = profile.entry(cell.analyzer).or_default().entry(cell.rule).or_default();
        row[cell.said as usize] += *count;
        false
    });
    profile
}

/// The profile as JSON, by analyzer, rule and word.
pub(crate) fn profile_json(counts: &mut BTreeMap<&str, u64>) -> Value {
    let words = |said: &[u64; COLUMNS]| -> Value {
        Said::ALL.iter().zip(said).map(|(said, count)| (said.word().to_owned(), json!(count))).collect()
    };
    let mut analyzers = serde_json::Map::new();
    for (analyzer, rules) in taken_out(counts) {
        let rules: Value = rules.iter().map(|(rule, said)| ((*rule).to_owned(), words(said))).collect();
        analyzers.insert(analyzer.to_owned(), rules);
    }
    Value::Object(analyzers)
}

/// A table for each analyzer, moved out of the counts; empty if nothing was profiled.
pub(crate) fn profile_tables(counts: &mut BTreeMap<&str, u64>) -> String {
    let mut text = String::new();
    for (analyzer, rules) in &taken_out(counts) {
        text.push_str(&format!(
            "\n| what {} knows of what follows by | {} | known |\n|---|{}---|\n",
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

    #[test]
    fn counts_of_rules_become_a_table_and_others_stay() {
        let mut counts = BTreeMap::from([
            ("profile: gcc@12.2.0: swap: true", 3),
            ("profile: gcc@12.2.0: swap: unknown", 1),
            ("profile: gcc@12.2.0: swap: not reached", 5),
            ("programs", 7),
        ]);
        assert_eq!(profile_json(&mut counts.clone())["gcc@12.2.0"]["swap"]["unknown"], 1);
        let text = profile_tables(&mut counts);
        assert!(text.contains("| swap | 3 | 1 | 0 | 0 | 0 | 5 | 75 % |"), "{text}");
        assert_eq!(counts, BTreeMap::from([("programs", 7)]));
    }
}
