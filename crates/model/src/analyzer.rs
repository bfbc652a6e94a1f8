//! Analyzers as techniques see them: who they are and what their files declare.

use crate::{DataModel, ErrorKind, Mode};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// An analyzer at a version with a configuration: `z3@4.8.12` or `z3@4.8.12:smt.random_seed=3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AnalyzerId(Arc<str>);

impl AnalyzerId {
    /// Joins the parts of an identity.
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

    /// What the user has chosen for it, as in `frama-c@25.0:precision=5,slevel=100`.
    pub fn choices(&self) -> Vec<(&str, &str)> {
        let rest = self.0.split_once('@').map_or("", |(_, rest)| rest);
        let choices = rest.split_once(':').map_or("", |(_, choices)| choices);
        choices.split(',').filter_map(|choice| choice.split_once('=')).collect()
    }
}

impl fmt::Display for AnalyzerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who is under test, and who may be asked for evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineup {
    /// The analyzers under test.
    pub subjects: Vec<AnalyzerInfo>,
    /// The analyzers that help to judge.
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
    /// Its identity.
    pub id: AnalyzerId,
    /// Relatives share code; they are not independent judges of each other.
    pub family: String,
    /// The ways it can be driven.
    pub modes: Vec<Mode>,
    /// Its use as an SMT solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<SmtInfo>,
    /// Its use on C programs with checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reachability: Option<ReachabilityInfo>,
    /// Its use to say what its engine knows at a check. A check that holds there is verified, one that does not is
    /// violated; of one that it says nothing or several things of, its engine does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debug: Option<ReachabilityInfo>,
    /// Its use as a bug finder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<WarningsInfo>,
    /// Its use as a Datalog engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datalog: Option<DatalogInfo>,
}

/// What a Datalog engine takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatalogInfo {
    /// The name of its dialect.
    pub dialect: String,
    /// True if it computes exactly by construction and may be a judge of others.
    pub is_reference: bool,
    /// Options whose values must not change any row, to be drawn at random.
    pub options: Vec<OptionChoice>,
}

/// What a bug finder looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningsInfo {
    /// The kinds of errors that this version has a checker for.
    pub kinds: Vec<ErrorKind>,
    /// Kinds of errors that it overlooks on purpose in some programs, with its authors' reason; no kind means all.
    pub deliberate_misses: Vec<(Option<ErrorKind>, String)>,
    /// True if its authors promise to overlook nothing: then it warns of more than can happen by design.
    pub sound: bool,
    /// True if it shows the path to an error.
    pub paths: bool,
    /// The data models it can be told to use.
    pub data_models: Vec<DataModel>,
    /// Options to be drawn at random.
    pub options: Vec<OptionChoice>,
}

/// What an SMT solver takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtInfo {
    /// What its answers mean.
    pub approximation: Approximation,
    /// The theories it takes: `core`, `ints`, `reals`, `bitvectors`, `arrays`, `functions`, and others.
    pub theories: Vec<String>,
    /// The logics it knows by name; empty if it takes any logic, `ALL` included.
    pub logics: Vec<String>,
    /// True if `get-model` after `sat` is understood.
    pub models: bool,
    /// True if several `check-sat` with `push` and `pop` are understood.
    pub incremental: bool,
    /// True if `check-sat-assuming` is understood.
    pub assuming: bool,
    /// True if `:named` annotations are understood.
    pub named: bool,
    /// Tactics for `check-sat-using` that preserve satisfiability in both directions.
    pub tactics: Vec<String>,
    /// Options whose values are all sound, to be drawn at random.
    pub options: Vec<OptionChoice>,
    /// Refusals that are no finding, as regular expressions over the message.
    pub expected_refusals: Vec<String>,
}

/// What an analyzer of C programs with checks does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachabilityInfo {
    /// What its answers mean.
    pub approximation: Approximation,
    /// True if every failing check is reported, false if the analyzer stops at the first.
    pub reports_all: bool,
    /// What a failing check does to the execution.
    pub failing_check: FailingCheck,
    /// The data models it can be told to use.
    pub data_models: Vec<DataModel>,
    /// Options whose values are all sound, to be drawn at random.
    pub options: Vec<OptionChoice>,
    /// Options of which every value is meant to settle at least the checks that the one before it settles.
    pub ordered: Vec<OptionChoice>,
    /// True if it runs the program: a violation that it shows has happened.
    pub executes: bool,
}

/// What the answers of an analyzer mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approximation {
    /// Both answers are binding.
    Exact,
    /// It considers more than can happen: only what it excludes is binding (`unsat`, verified).
    Over,
    /// It considers less than can happen: only what it shows is binding (`sat`, violated).
    Under,
    /// Neither is binding.
    Neither,
}

impl Approximation {
    /// True if it may be held to what it excludes.
    pub fn binds_exclusions(self) -> bool {
        matches!(self, Approximation::Exact | Approximation::Over)
    }

    /// True if it may be held to what it shows.
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
    /// The execution goes on.
    Continues,
}

/// One option with the values that may be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionChoice {
    /// The option's name without the colon.
    pub name: String,
    /// Values as they are written in `set-option`.
    pub values: Vec<String>,
}
