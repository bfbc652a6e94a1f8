//! Runs that gave no answer: limits, refusals and crashes, classified in one way for all roles.

use crate::description::{Crash, ExitMeaning, Limit};
use crate::reading::{first_line, message_text, with_first_line};
use crate::signature::{declared_signature, runtime_signature};
use descriptions::Pattern;
use model::{Ending, LimitKind, Run, Verdict};
use regex::bytes::Regex;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::LazyLock;

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

/// Signs that a run failed, whatever the analyzer's role.
#[derive(Clone, Copy)]
pub(crate) struct FailureSigns<'a> {
    pub limits: &'a [Limit],
    pub rejections: &'a [Pattern],
    pub crashes: &'a [Crash],
    /// What the description says about the exit code of this run.
    pub exit_meaning: Option<ExitMeaning>,
}

impl FailureSigns<'_> {
    /// A limit, a crash or a refusal; none if the output is to be read.
    ///
    /// What the kernel or the analyzer says about a limit takes precedence over every crash: an analyzer that dies because
    /// memory ran out has no bug to report. What the description declares takes precedence over what any C++ program
    /// prints when it dies, because some analyzers refuse an input by an exception that nothing catches.
    pub(crate) fn failure(self, stdout: &[u8], stderr: &[u8], ending: Ending) -> Option<Verdict> {
        let declared_crash = declared_signature(self.crashes, stdout, stderr);
        if let (Some(signature), Ending::Limit(LimitKind::Time)) = (&declared_crash, ending) {
            // A program that reports its failure and then waits for a debugger has crashed all the same.
            return Some(Verdict::Crash(signature.clone()));
        }
        if let Some(kind) = self.limit(stdout, stderr, ending) {
            return Some(Verdict::Limit(kind));
        }
        declared_crash
            .map(Verdict::Crash)
            .or_else(|| self.rejection(stdout, stderr).map(Verdict::Rejected))
            .or_else(|| runtime_signature(stderr).map(Verdict::Crash))
            .or_else(|| self.failure_of_ending(stderr, ending))
    }

    /// The limit that was hit: ours, the kernel's, or one that the analyzer reports.
    fn limit(self, stdout: &[u8], stderr: &[u8], ending: Ending) -> Option<LimitKind> {
        let declared =
            self.limits.iter().find(|limit| limit.pattern.is_match(stderr) || limit.pattern.is_match(stdout));
        match (ending, ending.limit(), self.exit_meaning) {
            (Ending::Limit(kind), ..) => Some(kind),
            _ if declared.is_some() => declared.map(|limit| limit.kind),
            (_, Some(kind), _) => Some(kind),
            (_, _, Some(ExitMeaning::Memory)) => Some(LimitKind::Memory),
            (_, _, Some(ExitMeaning::Time)) => Some(LimitKind::Time),
            _ => says_out_of_memory(stderr).then_some(LimitKind::Memory),
        }
    }

    /// The message by which the analyzer refuses the input.
    fn rejection(self, stdout: &[u8], stderr: &[u8]) -> Option<String> {
        [stderr, stdout].into_iter().find_map(|output| {
            let captures = self.rejections.iter().find_map(|pattern| pattern.captures(output))?;
            let message = captures.name("message").or_else(|| captures.get(0))?;
            Some(message_text(message.as_bytes()))
        })
    }

    /// What the exit status alone implies.
    fn failure_of_ending(self, stderr: &[u8], ending: Ending) -> Option<Verdict> {
        match ending {
            Ending::Signaled(number) => Some(match ending.crash_signal() {
                Some(name) => Verdict::Crash(name.to_owned()),
                // Another program ended it, or it ended itself on purpose; neither is a crash.
                None => Verdict::Unreadable(with_first_line(format!("ended by signal {number}"), stderr)),
            }),
            Ending::Exited(code) if self.exit_meaning == Some(ExitMeaning::Crash) => {
                Some(Verdict::Crash(format!("exit code {code}")))
            }
            _ => None,
        }
    }
}

/// The texts of the C++ and Python runtimes for an allocation that failed.
fn says_out_of_memory(stderr: &[u8]) -> bool {
    static OUT_OF_MEMORY: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\bstd::bad_alloc\b|(?m:^MemoryError\b)").ok());
    OUT_OF_MEMORY.as_ref().is_some_and(|pattern| pattern.is_match(stderr))
}

impl FailureRules {
    /// A limit, a refusal or a crash; none if the output is to be read.
    pub(crate) fn failure(&self, run: &Run) -> Option<Verdict> {
        let FailureRules { limits, rejections, crashes, .. } = self;
        let signs = FailureSigns { limits, rejections, crashes, exit_meaning: None };
        signs.failure(&run.stdout, &run.stderr, run.ending).or_else(|| match run.ending {
            Ending::Exited(code) if run.preparing && code != 0 => {
                let message = if run.stderr.is_empty() { &run.stdout } else { &run.stderr };
                Some(Verdict::Rejected(first_line(message)))
            }
            _ => None,
        })
    }

    /// An exit code that the description does not explain.
    pub(crate) fn bad_exit(&self, run: &Run) -> Option<Verdict> {
        match run.ending {
            Ending::Exited(code) if code != 0 && !self.exit_codes.contains(&code) => {
                Some(Verdict::Unreadable(with_first_line(format!("exit code {code}"), &run.stderr)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, SmtRole, read};

    fn rules() -> FailureRules {
        let text = r#"
            limits = [{ kind = "resource", pattern = "steps used up" }]
            rejections = ["no such sort"]
            crashes = [{ pattern = "internal error" }]
        "#;
        toml::from_str(text).unwrap()
    }

    /// A solver with the same rules.
    fn solver() -> SmtRole {
        let mut role = Catalogue::shipped().unwrap().find("z3").unwrap().smt.clone().unwrap();
        let FailureRules { limits, rejections, crashes, .. } = rules();
        role.output.limits = limits;
        role.output.rejections = rejections;
        role.output.crashes = crashes;
        role
    }

    #[test]
    fn every_role_classifies_failures_in_the_same_way() {
        let exception = "terminate called after throwing an instance of 'std::out_of_range'\n";
        let no_memory =
            "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n";
        let rejecting_exception = format!("{exception}no such sort\n");
        let limited_crash = "internal error: steps used up\n";
        let rows: [(&str, Ending, &str); 17] = [
            ("", Ending::Limit(LimitKind::Time), "limit time"),
            ("internal error\n", Ending::Limit(LimitKind::Time), "crash internal error"),
            ("internal error\n", Ending::Limit(LimitKind::Memory), "limit memory"),
            (limited_crash, Ending::Exited(1), "limit resource"),
            (limited_crash, Ending::Signaled(6), "limit resource"),
            (no_memory, Ending::Signaled(6), "limit memory"),
            ("Traceback (most recent call last):\nMemoryError\n", Ending::Exited(1), "limit memory"),
            ("", Ending::Signaled(9), "limit memory"),
            ("", Ending::Signaled(24), "limit time"),
            ("", Ending::Signaled(25), "limit output"),
            ("internal error\n", Ending::Exited(1), "crash internal error"),
            ("internal error: no such sort\n", Ending::Signaled(6), "crash internal error"),
            (&rejecting_exception, Ending::Signaled(6), "rejected no such sort"),
            (exception, Ending::Signaled(6), "crash std::out_of_range"),
            ("", Ending::Signaled(6), "crash SIGABRT"),
            ("", Ending::Signaled(15), "unreadable ended by signal 15"),
            ("hangup\n", Ending::Signaled(1), "unreadable ended by signal 1; `hangup`"),
        ];
        for (stderr, ending, expected) in rows {
            let run = Run::new(ending, b"sat\n".to_vec(), stderr.as_bytes().to_vec());
            let verdicts =
                [rules().failure(&run), Some(read(&solver(), b"sat\n", stderr.as_bytes(), ending, 2))];
            for verdict in verdicts {
                assert_eq!(verdict.map(description).as_deref(), Some(expected), "{stderr:?}, {ending:?}");
            }
        }
    }

    fn description(verdict: Verdict) -> String {
        match verdict {
            Verdict::Limit(kind) => format!("limit {kind:?}").to_lowercase(),
            Verdict::Crash(signature) => format!("crash {signature}"),
            Verdict::Rejected(message) => format!("rejected {message}"),
            Verdict::Unreadable(message) => format!("unreadable {message}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn only_an_unexplained_exit_code_of_the_last_step_is_unreadable() {
        let rules = FailureRules { exit_codes: vec![2], ..rules() };
        let run =
            |code, preparing| Run { preparing, ..Run::new(Ending::Exited(code), Vec::new(), Vec::new()) };
        assert_eq!(rules.failure(&run(2, false)), None);
        assert_eq!(rules.bad_exit(&run(2, false)), None);
        assert_eq!(rules.bad_exit(&run(3, false)), Some(Verdict::Unreadable("exit code 3".to_owned())));
        assert_eq!(rules.failure(&run(3, true)), Some(Verdict::Rejected(String::new())));
    }
}
