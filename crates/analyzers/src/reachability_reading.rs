//! The output of an analyzer of C programs as a verdict. As with solvers, what no rule explains is unreadable.

use crate::failing::text_of;
use crate::reachability::{ReachabilityOutput, ReachabilityRole, Rendered};
use crate::reading::message_text;
use model::{CInput, CheckClaim, CheckStatus, ChecksClaim, Claim, Run, Verdict};
use regex::bytes::Captures;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Reads the output of one run.
pub fn read_checks(role: &ReachabilityRole, program: &CInput, rendered: &Rendered, run: &Run) -> Verdict {
    let output = &role.output;
    let rules = &output.failures;
    if let Some(verdict) = rules.failure(run).or_else(|| rules.bad_exit(run)) {
        return verdict;
    }
    let text = match text_of(run, output.file.as_deref()) {
        Ok(text) => text,
        Err(fault) => return Verdict::Unreadable(fault),
    };
    let text: &[u8] = &text;
    if output.complete.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
        return Verdict::Unreadable("the output is cut off".to_owned());
    }
    match statuses(output, rendered, text) {
        Ok(stated) => claim(output, program, stated, text),
        Err(fault) => Verdict::Unreadable(fault),
    }
}

/// The claims of the rows, by check.
fn statuses(
    output: &ReachabilityOutput,
    rendered: &Rendered,
    text: &[u8],
) -> Result<BTreeMap<u32, CheckClaim>, String> {
    let mut stated: BTreeMap<u32, CheckClaim> = BTreeMap::new();
    for row in &output.rows {
        for captures in row.pattern.captures_all(text) {
            let named = row.names_its_check();
            let check = if named { check_of(&captures, rendered)? } else { only_check(rendered)? };
            // Inputs are kept whole: a list that is cut off gives another execution.
            let captured =
                |name| captures.name(name).map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
            let (inputs, values) = (captured("inputs"), captured("values"));
            let said = CheckClaim { check, status: row.status, inputs, values };
            match stated.entry(check) {
                Entry::Vacant(free) => {
                    free.insert(said);
                }
                Entry::Occupied(mut known) if output.agreement => agree(known.get_mut(), said),
                // The worst status of a check counts.
                Entry::Occupied(mut known) if severity(said.status) > severity(known.get().status) => {
                    known.insert(said);
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    Ok(stated)
}

/// Merges another row about the same check: the status stays only if both agree, and every word is kept
/// once, in alphabetical order, so that the order of the rows does not matter.
fn agree(known: &mut CheckClaim, said: CheckClaim) {
    if known.status != said.status {
        known.status = CheckStatus::Unknown;
    }
    let both = [known.values.take(), said.values];
    let words: BTreeSet<&str> = both.iter().flatten().flat_map(|words| words.split('+')).collect();
    if !words.is_empty() {
        known.values = Some(words.into_iter().collect::<Vec<_>>().join("+"));
    }
}

/// The check that a row is about. A line without a check makes the output unreadable.
fn check_of(captures: &Captures<'_>, rendered: &Rendered) -> Result<u32, String> {
    let number = |name: &str| -> Option<u32> {
        std::str::from_utf8(captures.name(name)?.as_bytes()).ok()?.trim().parse().ok()
    };
    if let Some(check) = number("check") {
        let known = rendered.lines.values().any(|known| *known == check);
        return if known { Ok(check) } else { Err(format!("check {check} was not asked for")) };
    }
    let Some(line) = number("line") else { return Err("a row names neither a check nor a line".to_owned()) };
    rendered.lines.get(&line).copied().ok_or_else(|| format!("line {line} holds no check"))
}

/// The check of a row that names none: the program must have exactly one.
fn only_check(rendered: &Rendered) -> Result<u32, String> {
    let mut checks = rendered.lines.values();
    match (checks.next(), checks.next()) {
        (Some(check), None) => Ok(*check),
        _ => Err(format!(
            "one answer for {} checks; this format supports a single check",
            rendered.lines.len()
        )),
    }
}

fn severity(status: CheckStatus) -> u8 {
    match status {
        CheckStatus::Verified => 0,
        CheckStatus::Unknown => 1,
        CheckStatus::Violated => 2,
    }
}

fn claim(
    output: &ReachabilityOutput,
    program: &CInput,
    mut stated: BTreeMap<u32, CheckClaim>,
    text: &[u8],
) -> Verdict {
    let incomplete = output.incomplete.iter().any(|pattern| pattern.is_match(text));
    let finished = !incomplete && output.finished.as_ref().is_none_or(|pattern| pattern.is_match(text));
    let mut checks = Vec::new();
    let mut numbers: Vec<u32> = program.checks().collect();
    numbers.sort_unstable();
    for check in numbers {
        checks.push(match (stated.remove(&check), output.silent) {
            (Some(said), _) if said.status == CheckStatus::Verified && incomplete => {
                CheckClaim { status: CheckStatus::Unknown, ..said }
            }
            (Some(said), _) => said,
            (None, Some(silent)) if finished => CheckClaim::new(check, silent),
            (None, Some(_)) => CheckClaim::new(check, CheckStatus::Unknown),
            (None, None) => {
                return Verdict::Unreadable(format!("the output says nothing about check {check}"));
            }
        });
    }
    let undefined = output.undefined.as_ref().and_then(|pattern| pattern.captures(text));
    let undefined = undefined.and_then(|captures| Some(message_text(captures.get(0)?.as_bytes())));
    // An analyzer that ended and could not settle anything has said so of every check; one that did not end has not.
    let says_nothing = checks.iter().all(|claim| claim.status == CheckStatus::Unknown);
    if says_nothing && !finished && undefined.is_none() {
        return Verdict::Unknown;
    }
    Verdict::Claim(Claim::Checks(ChecksClaim { checks, undefined }))
}
