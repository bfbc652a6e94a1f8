//! What every technique must have, apart from what it does.
//!
//! `tests/conformance.rs` applies this to all techniques. The campaign's test of the same name runs the trials.

use crate::Technique;
use std::collections::BTreeSet;

/// The headings of a manual page, in their order.
pub const HEADINGS: [&str; 5] =
    ["## What it finds", "## How it works", "## Why its findings are true", "## Example", "## References"];

/// Everything that a technique lacks, one sentence each.
pub fn defects(technique: &Technique) -> Vec<String> {
    let mut defects = Vec::new();
    let headings: Vec<&str> = technique.manual.lines().filter(|line| line.starts_with("## ")).collect();
    if headings != HEADINGS {
        defects.push(format!("the manual has the headings {headings:?} instead of {HEADINGS:?}"));
    }
    for section in technique.manual.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        if text.trim().is_empty() {
            defects.push(format!("the manual has nothing under the heading {heading}"));
        }
    }
    if technique.passes.is_empty() {
        defects.push("there is no reduction pass".to_owned());
    }
    let mut keys = BTreeSet::new();
    for knob in technique.knobs {
        let key = knob.key;
        if !keys.insert(key) {
            defects.push(format!("the knob {key} is declared twice"));
        }
        if knob.meaning.is_empty() {
            defects.push(format!("the knob {key} has no meaning"));
        }
        if knob.range.to_string().is_empty() {
            defects.push(format!("the knob {key} has no range"));
        }
        if let Err(expected) = knob.range.check(knob.default) {
            defects.push(format!("the default of the knob {key} is not {expected}"));
        }
    }
    let passes: BTreeSet<&str> = technique.passes.iter().map(|pass| pass.name()).collect();
    if passes.len() != technique.passes.len() {
        defects.push("two passes have the same name".to_owned());
    }
    defects.extend(trial_defects(technique));
    defects
}

fn trial_defects(technique: &Technique) -> Vec<String> {
    let mut defects = Vec::new();
    if technique.trials.twin.is_none() {
        defects.push("there is no honest twin".to_owned());
    }
    if technique.trials.liars.is_empty() {
        defects.push("there is no liar that it can catch".to_owned());
    }
    for trial in technique.trials.twin.iter().chain(technique.trials.liars) {
        if trial.subjects.len() < technique.least_subjects {
            defects.push(format!("the trial of {:?} has too few analyzers", trial.subjects));
        }
        if trial.cases == 0 {
            defects.push(format!("the trial of {:?} has no cases", trial.subjects));
        }
        for (key, value) in trial.knobs {
            match technique.knobs.iter().find(|knob| knob.key == *key) {
                Some(knob) if knob.range.check(value).is_ok() => {}
                _ => defects.push(format!("a trial sets {key}={value}, which is not possible")),
            }
        }
    }
    defects
}
