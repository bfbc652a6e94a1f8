//! Analyzers as techniques see them: their identity and what their description files declare.

use crate::{DataModel, ErrorKind, Language, Mode, Role};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// An analyzer at a version with a configuration: `z3@4.8.12` or `z3@4.8.12:smt.random_seed=3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AnalyzerId(Arc<str>);

impl AnalyzerId {
    /// Builds an identity from its parts; the configuration keeps its order.
    pub fn new(name: &str, version: &str, configuration: &[(String, String)]) -> AnalyzerId {
        let mut text = format!("{name}@{version}");
        for (index, (key, value)) in configuration.iter().enumerate() {
            text.push(if index == 0 { ':' } else { ',' });
            text.push_str(key);
            text.push('=');
            text.push_str(value);
        }
        AnalyzerId(text.into())
    }

    /// The identity as one word.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The analyzer's name without version and configuration.
    pub fn name(&self) -> &str {
        self.0.split('@').next().unwrap_or(&self.0)
    }

    /// The version without name and configuration.
    pub fn version(&self) -> &str {
        let rest = self.0.split_once('@').map_or("", |(_, rest)| rest);
        rest.split(':').next().unwrap_or(rest)
    }

    /// The configuration chosen by the user, as in `frama-c@25.0:precision=5,domains=equality,octagon`. What follows a comma
    /// and is no choice belongs to the value before it.
    pub fn choices(&self) -> Vec<(&str, &str)> {
        let rest = self.0.split_once('@').map_or("", |(_, rest)| rest);
        let text = rest.split_once(':').map_or("", |(_, choices)| choices);
        let mut starts: Vec<usize> = Vec::new();
        let mut start = 0;
        for item in text.split(',') {
            if item.contains('=') {
                starts.push(start);
            }
            start += item.len() + 1;
        }
        let ends = starts.iter().skip(1).map(|next| next - 1).chain([text.len()]);
        starts.iter().zip(ends).filter_map(|(start, end)| text.get(*start..end)?.split_once('=')).collect()
    }
}

impl From<&str> for AnalyzerId {
    fn from(text: &str) -> AnalyzerId {
        AnalyzerId(text.into())
    }
}

impl fmt::Display for AnalyzerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The analyzers of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineup {
    /// The analyzers under test.
    pub subjects: Vec<AnalyzerInfo>,
    /// The analyzers that help to judge findings.
    pub witnesses: Vec<AnalyzerInfo>,
}

impl Lineup {
    /// The subject or witness with this identity.
    pub fn member(&self, id: &AnalyzerId) -> Option<&AnalyzerInfo> {
        self.subjects.iter().chain(&self.witnesses).find(|member| member.id == *id)
    }
}

/// What a technique may know of an analyzer: the declarations of its description file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalyzerInfo {
    /// Its name, version and configuration.
    pub id: AnalyzerId,
    /// The language of most of its inputs; see [`AnalyzerInfo::accepts_inputs_in`].
    pub language: Language,
    /// Analyzers of one family share code; they are not independent judges of each other.
    pub family: String,
    /// The modes in which it can be driven.
    pub modes: Vec<Mode>,
    /// What it can be used for, at most once for each role.
    pub roles: Vec<RoleInfo>,
}

/// What an analyzer declares for one of its roles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoleInfo {
    /// It decides SMT-LIB scripts.
    Smt(SmtInfo),
    /// It decides which checks of a C program can fail.
    Reachability(ReachabilityInfo),
    /// It reports what its engine knows at a check of a C program. Such a check is verified if the engine knows that
    /// it holds, violated if it knows the opposite, and unknown if it reports nothing or several states.
    Debug(ReachabilityInfo),
    /// It warns of errors in C programs.
    Warnings(WarningsInfo),
    /// It computes the rows of a Datalog program.
    Datalog(DatalogInfo),
}

impl RoleInfo {
    /// The role that this is about.
    pub fn role(&self) -> Role {
        match self {
            RoleInfo::Smt(_) => Role::Smt,
            RoleInfo::Reachability(_) => Role::Reachability,
            RoleInfo::Debug(_) => Role::Debug,
            RoleInfo::Warnings(_) => Role::Warnings,
            RoleInfo::Datalog(_) => Role::Datalog,
        }
    }
}

impl AnalyzerInfo {
    /// True if it can be asked about inputs in this language: its own, or one to which a role belongs that its own
    /// language does not have, such as Datalog for an SMT solver that is also a Datalog engine.
    pub fn accepts_inputs_in(&self, language: Language) -> bool {
        let mut roles_elsewhere =
            self.roles.iter().map(RoleInfo::role).filter(|role| !self.language.has_role(*role));
        self.language == language || roles_elsewhere.any(|role| language.has_role(role))
    }

    /// Its declarations as an SMT solver, if it is one.
    pub fn smt(&self) -> Option<&SmtInfo> {
        self.roles.iter().find_map(|role| if let RoleInfo::Smt(info) = role { Some(info) } else { None })
    }

    /// Its declarations as a verifier of checks, if it is one.
    pub fn reachability(&self) -> Option<&ReachabilityInfo> {
        self.roles
            .iter()
            .find_map(|role| if let RoleInfo::Reachability(info) = role { Some(info) } else { None })
    }

    /// Its declarations as an engine that reports what it knows, if it is one.
    pub fn debug(&self) -> Option<&ReachabilityInfo> {
        self.roles.iter().find_map(|role| if let RoleInfo::Debug(info) = role { Some(info) } else { None })
    }

    /// Its declarations as a bug finder, if it is one.
    pub fn warnings(&self) -> Option<&WarningsInfo> {
        self.roles.iter().find_map(|role| if let RoleInfo::Warnings(info) = role { Some(info) } else { None })
    }

    /// Its declarations as a Datalog engine, if it is one.
    pub fn datalog(&self) -> Option<&DatalogInfo> {
        self.roles.iter().find_map(|role| if let RoleInfo::Datalog(info) = role { Some(info) } else { None })
    }
}

/// What a Datalog engine accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatalogInfo {
    /// The dialect of the programs it is given, by name.
    pub dialect: String,
    /// True if it is exact by construction, and may judge others.
    pub is_reference: bool,
    /// Options to draw at random; their values must not change any row.
    pub options: Vec<OptionChoice>,
}

/// What a bug finder looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningsInfo {
    /// The kinds of errors that this version has a checker for.
    pub kinds: Vec<ErrorKind>,
    /// Kinds of errors that it misses by design in some programs, with its authors' reason; `None` means every kind.
    pub deliberate_misses: Vec<(Option<ErrorKind>, String)>,
    /// True if its authors promise to miss nothing: false positives are then by design.
    pub sound: bool,
    /// True if it shows the path to an error.
    pub paths: bool,
    /// The data models it supports.
    pub data_models: Vec<DataModel>,
    /// Options to be drawn at random.
    pub options: Vec<OptionChoice>,
}

/// What an SMT solver accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtInfo {
    /// What its answers mean.
    pub approximation: Approximation,
    /// The theories it supports: `core`, `ints`, `reals`, `bitvectors`, `arrays`, `functions`, and others.
    pub theories: Vec<String>,
    /// The logics it accepts by name; empty if it accepts any, `ALL` included.
    pub logics: Vec<String>,
    /// True if `get-model` after `sat` is supported.
    pub models: bool,
    /// True if several `check-sat` with `push` and `pop` are supported.
    pub incremental: bool,
    /// True if `check-sat-assuming` is supported.
    pub assuming: bool,
    /// True if `:named` annotations are supported.
    pub named: bool,
    /// Tactics for `check-sat-using` that preserve satisfiability in both directions.
    pub tactics: Vec<String>,
    /// Options to draw at random; all of their values are sound.
    pub options: Vec<OptionChoice>,
    /// Refusals that are not findings, as regular expressions over the message.
    pub expected_refusals: Vec<String>,
}

/// What a verifier of C programs with checks does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachabilityInfo {
    /// What its answers mean.
    pub approximation: Approximation,
    /// True if every failing check is reported, false if the analyzer stops at the first.
    pub reports_all: bool,
    /// What a failing check does to the execution.
    pub failing_check: FailingCheck,
    /// The data models it supports.
    pub data_models: Vec<DataModel>,
    /// Options to draw at random; all of their values are sound.
    pub options: Vec<OptionChoice>,
    /// Options whose values are ordered by precision: each is meant to settle at least what the previous one settles.
    pub ordered: Vec<OptionChoice>,
    /// True if it executes the program, so every violation it reports has happened.
    pub executes: bool,
}

/// What the answers of an analyzer mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approximation {
    /// Both answers are binding.
    Exact,
    /// It over-approximates: only what it excludes is binding (`unsat`, verified).
    Over,
    /// It under-approximates: only what it shows is binding (`sat`, violated).
    Under,
    /// Neither is binding.
    Neither,
}

impl Approximation {
    /// True if `unsat` and verified are binding.
    pub fn binds_exclusions(self) -> bool {
        matches!(self, Approximation::Exact | Approximation::Over)
    }

    /// True if `sat` and violated are binding.
    pub fn binds_showings(self) -> bool {
        matches!(self, Approximation::Exact | Approximation::Under)
    }
}

/// What a failing check does to the execution. Relations between answers hold only within one convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailingCheck {
    /// The execution ends.
    Ends,
    /// The execution continues.
    Continues,
}

/// An option with the values to draw from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionChoice {
    /// The option's name without the colon.
    pub name: String,
    /// The values, as `set-option` or the command line spells them.
    pub values: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_back_with_their_commas() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let given = [pair("precision", "5"), pair("domains", "equality,octagon"), pair("slevel", "3")];
        let id = AnalyzerId::new("frama-c", "25.0", &given);
        assert_eq!(id.choices(), [("precision", "5"), ("domains", "equality,octagon"), ("slevel", "3")]);
        assert!(AnalyzerId::new("z3", "4.8.12", &[]).choices().is_empty());
    }
}
