//! Runs that gave no answer: limits, refusals and crashes, classified in one way for all roles but `smt`.

use crate::description::{Crash, Limit};
use crate::pattern::Pattern;
use crate::reading::{first_line, message_text};
use crate::signature::{crash_signal, crash_signature};
use model::{Ending, LimitKind, Run, Verdict};
use serde::Deserialize;
use std::borrow::Cow;

/// What is to be read: the file that the description names, or everything that was printed.
pub(crate) fn text_of<'a>(run: &'a Run, file: Option<&str>) -> Result<Cow<'a, [u8]>, String> {
    match (file, &run.file) {
        (Some(name), None) => Err(format!("the file {name} was not written")),
        (Some(_), Some(bytes)) => Ok(Cow::Borrowed(bytes)),
        (None, _) => Ok(Cow::Owned([&run.stdout, &b"\n"[..], &run.stderr].concat())),
    }
}

/// How to recognize runs that fail. Every role that does not speak SMT-LIB has these keys in its section `output`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FailureRules {
    /// Exit codes of the last step, other than 0, that are not failures.
    #[serde(default)]
    pub exit_codes: Vec<i32>,
    /// Texts by which the analyzer reports that it hit a limit.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Texts by which the analyzer refuses the input.
    #[serde(default)]
    pub rejections: Vec<Pattern>,
    /// Texts by which the analyzer reports an internal failure.
    #[serde(default)]
    pub crashes: Vec<Crash>,
}

impl FailureRules {
    /// A limit, a refusal or a crash; none if the output is to be read.
    pub(crate) fn failure(&self, run: &Run) -> Option<Verdict> {
        let (stdout, stderr) = (run.stdout.as_slice(), run.stderr.as_slice());
        match run.ending {
            Ending::Limit(kind) => return Some(Verdict::Limit(kind)),
            Ending::Signaled(9) => return Some(Verdict::Limit(LimitKind::Memory)),
            _ => {}
        }
        let says = |limit: &&Limit| limit.pattern.is_match(stderr) || limit.pattern.is_match(stdout);
        if let Some(limit) = self.limits.iter().find(says) {
            return Some(Verdict::Limit(limit.kind));
        }
        if let Some(signature) = crash_signature(&self.crashes, stdout, stderr) {
            return Some(Verdict::Crash(signature));
        }
        for text in [stderr, stdout] {
            if let Some(captures) = self.rejections.iter().find_map(|pattern| pattern.captures(text)) {
                let message = captures.name("message").or_else(|| captures.get(0))?;
                return Some(Verdict::Rejected(message_text(message.as_bytes())));
            }
        }
        match run.ending {
            Ending::Signaled(number) => {
                let name = crash_signal(number).map_or_else(|| format!("signal {number}"), str::to_owned);
                Some(Verdict::Crash(name))
            }
            Ending::Exited(code) if run.preparing && code != 0 => {
                Some(Verdict::Rejected(first_line(if stderr.is_empty() { stdout } else { stderr })))
            }
            _ => None,
        }
    }

    /// An exit code that the description does not explain.
    pub(crate) fn bad_exit(&self, run: &Run) -> Option<Verdict> {
        match run.ending {
            Ending::Exited(code) if code != 0 && !self.exit_codes.contains(&code) => {
                Some(Verdict::Unreadable(format!("exit code {code}; `{}`", first_line(&run.stderr))))
            }
            _ => None,
        }
    }
}
