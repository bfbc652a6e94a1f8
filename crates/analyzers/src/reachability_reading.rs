//! What an analyzer of C programs printed, as a verdict. As with solvers, what no rule explains is unreadable.

use crate::reachability::{ReachabilityOutput, ReachabilityRole, Rendered};
use crate::reading::{Ending, first_line, message_text};
use crate::signature::{crash_signal, crash_signature};
use model::{CInput, CheckClaim, CheckStatus, ChecksClaim, Claim, LimitKind, Verdict};
use regex::bytes::Captures;
use std::collections::BTreeMap;

/// What one run left behind.
#[derive(Clone, Copy, Debug)]
pub struct Transcript<'a> {
    /// Standard output of the last step.
    pub stdout: &'a [u8],
    /// Standard error of the last step.
    pub stderr: &'a [u8],
    /// The file that the description names, if it was written.
    pub file: Option<&'a [u8]>,
    /// How the last step ended.
    pub ending: Ending,
    /// True if the last step that was run only prepares, so that it failed.
    pub preparing: bool,
}

/// Reads the output of one run.
pub fn read_checks(
    role: &ReachabilityRole,
    program: &CInput,
    rendered: &Rendered,
    transcript: Transcript<'_>,
) -> Verdict {
    let output = &role.output;
    if let Some(verdict) = failure(output, &transcript) {
        return verdict;
    }
    let printed;
    let text: &[u8] = match (&output.file, transcript.file) {
        (Some(name), None) => return Verdict::Unreadable(format!("the file {name} was not written")),
        (Some(_), Some(bytes)) => bytes,
        (None, _) => {
            printed = [transcript.stdout, b"\n", transcript.stderr].concat();
            &printed
        }
    };
    if output.complete.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
        return Verdict::Unreadable("the output is cut off".to_owned());
    }
    match statuses(output, rendered, text) {
        Ok(stated) => claim(output, program, stated, text),
        Err(fault) => Verdict::Unreadable(fault),
    }
}

/// A limit, a refusal or a crash; none if the output is to be read.
fn failure(output: &ReachabilityOutput, transcript: &Transcript<'_>) -> Option<Verdict> {
    let (stdout, stderr) = (transcript.stdout, transcript.stderr);
    let declared =
        output.limits.iter().find(|limit| limit.pattern.is_match(stderr) || limit.pattern.is_match(stdout));
    match transcript.ending {
        Ending::Limit(kind) => return Some(Verdict::Limit(kind)),
        Ending::Signaled(9) => return Some(Verdict::Limit(LimitKind::Memory)),
        _ => {}
    }
    if let Some(limit) = declared {
        return Some(Verdict::Limit(limit.kind));
    }
    if let Some(signature) = crash_signature(&output.crashes, stdout, stderr) {
        return Some(Verdict::Crash(signature));
    }
    for text in [stderr, stdout] {
        if let Some(captures) = output.rejections.iter().find_map(|pattern| pattern.captures(text)) {
            let message = captures.name("message").or_else(|| captures.get(0))?;
            return Some(Verdict::Rejected(message_text(message.as_bytes())));
        }
    }
    match transcript.ending {
        Ending::Signaled(number) => {
            let name = crash_signal(number).map_or_else(|| format!("signal {number}"), str::to_owned);
            Some(Verdict::Crash(name))
        }
        Ending::Exited(code) if transcript.preparing && code != 0 => {
            Some(Verdict::Rejected(first_line(if stderr.is_empty() { stdout } else { stderr })))
        }
        Ending::Exited(code) if code != 0 && !output.exit_codes.contains(&code) => {
            Some(Verdict::Unreadable(format!("exit code {code}; `{}`", first_line(stderr))))
        }
        _ => None,
    }
}

/// What the rows say, by check. The worst that is said of a check counts.
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
            let worse = stated.get(&check).is_none_or(|known| severity(row.status) > severity(known.status));
            if worse {
                let (inputs, values) = (captured("inputs"), captured("values"));
                stated.insert(check, CheckClaim { check, status: row.status, inputs, values });
            }
        }
    }
    Ok(stated)
}

/// The check that a row speaks of. A line that holds no check is a row that we do not understand.
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

/// The check that a row speaks of which names none: there must be no other.
fn only_check(rendered: &Rendered) -> Result<u32, String> {
    let mut checks = rendered.lines.values();
    match (checks.next(), checks.next()) {
        (Some(check), None) => Ok(*check),
        _ => Err(format!("one answer for {} checks; such an analyzer takes one", rendered.lines.len())),
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
            (None, None) => return Verdict::Unreadable(format!("nothing is said of check {check}")),
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
