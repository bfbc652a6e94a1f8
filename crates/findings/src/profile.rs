//! The precision profile: how often the engine of each analyzer knows what follows by each rule of `debug_check`.

use crate::escape::markdown;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use techniques::debug_check::PROFILE;

/// What an engine can say, in the order of the columns.
const WORDS: [&str; 6] = ["true", "unknown", "undefined", "several", "false", "not reached"];

/// How often each word was said, by analyzer and rule.
type Profile<'a> = BTreeMap<&'a str, BTreeMap<&'a str, [u64; WORDS.len()]>>;

/// Takes the profile out of the counts.
fn taken_out<'a>(counts: &mut BTreeMap<&'a str, u64>) -> Profile<'a> {
    let mut profile = Profile::new();
    counts.retain(|name, count| {
        let Some((analyzer, rule, column)) = parts(name) else { return true };
        profile.entry(analyzer).or_default().entry(rule).or_default()[column] += *count;
        false
    });
    profile
}

/// The profile for machines: analyzer, rule, word.
pub(crate) fn profile_json(counts: &mut BTreeMap<&str, u64>) -> Value {
    let words = |said: &[u64; WORDS.len()]| -> Value {
        WORDS.iter().zip(said).map(|(word, count)| ((*word).to_owned(), json!(count))).collect()
    };
    let mut analyzers = serde_json::Map::new();
    for (analyzer, rules) in taken_out(counts) {
        let rules: Value = rules.iter().map(|(rule, said)| ((*rule).to_owned(), words(said))).collect();
        analyzers.insert(analyzer.to_owned(), rules);
    }
    Value::Object(analyzers)
}

/// A table for each analyzer, taken out of the counts; empty if nothing was profiled.
pub(crate) fn profile_tables(counts: &mut BTreeMap<&str, u64>) -> String {
    let mut text = String::new();
    for (analyzer, rules) in &taken_out(counts) {
        text.push_str(&format!(
            "\n| what {} knows of what follows by | {} | known |\n|---|{}---|\n",
            markdown(analyzer),
            WORDS.join(" | "),
            "---|".repeat(WORDS.len())
        ));
        for (rule, said) in rules {
            let answered: u64 = said[..WORDS.len() - 1].iter().sum();
            let known =
                (said[0] * 100).checked_div(answered).map_or("".to_owned(), |share| format!("{share} %"));
            let cells: Vec<String> = said.iter().map(u64::to_string).collect();
            text.push_str(&format!("| {} | {} | {known} |\n", markdown(rule), cells.join(" | ")));
        }
    }
    text
}

/// Analyzer, rule and column of a count; none if it is another count.
fn parts(name: &str) -> Option<(&str, &str, usize)> {
    let (rest, word) = name.strip_prefix(PROFILE)?.rsplit_once(": ")?;
    let (analyzer, rule) = rest.rsplit_once(": ")?;
    Some((analyzer, rule, WORDS.iter().position(|known| *known == word)?))
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
