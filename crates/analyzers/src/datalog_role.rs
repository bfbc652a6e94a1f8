//! The section `[datalog]`: the dialect of an engine, how it is called and how its rows are read.

use crate::calling::CommandOption;
use crate::failing::FailureRules;
use crate::placeholder::{OwnTime, fill_arguments};
use datalog::{Constant, Dialect, Program, RelationId, Tuple};
use model::{Claim, Limits, OutputRows, Run, Verdict};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The engine computes the rows of a program's outputs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DatalogRole {
    /// Its dialect, by the name in `datalog::Dialect`. An option `dialect` lists others.
    pub dialect: String,
    /// The arguments. `{file}` is the program, `{options}` the options, `{milliseconds}` and `{seconds}` the available
    /// time.
    pub arguments: Vec<String>,
    /// Options that must not change any row.
    #[serde(default)]
    pub options: Vec<CommandOption>,
    /// How many programs one run can take, for engines that compile programs.
    #[serde(default = "one")]
    pub programs_at_once: usize,
    /// The time for compiling, in addition to the time for the question.
    #[serde(default)]
    pub compile_seconds: u64,
    /// How to recognize runs that fail; the dialect says how rows are printed.
    pub output: FailureRules,
}

/// Most engines run one program at a time.
fn one() -> usize {
    1
}

/// The option that selects the dialect of an engine; it is never an argument.
pub(crate) const DIALECT: &str = "dialect";

impl DatalogRole {
    /// The language of a question, which validation has found to be one: that of the question's own options, or of the
    /// user's choices, or the usual one.
    pub fn language(
        &self,
        options: &[(String, String)],
        configuration: &[(String, String)],
    ) -> Option<Dialect> {
        Dialect::from_name(self.dialect(options, configuration))
    }

    /// The name of the language of a question.
    pub(crate) fn dialect<'a>(
        &'a self,
        options: &'a [(String, String)],
        configuration: &'a [(String, String)],
    ) -> &'a str {
        let has = |value: &String| {
            self.options.iter().any(|option| option.name == DIALECT && option.values.contains(value))
        };
        let chosen = options.iter().chain(configuration).find(|(name, value)| name == DIALECT && has(value));
        chosen.map_or(&self.dialect, |(_, value)| value)
    }

    /// What a run of several programs may cost: the time of each, and that of the compiler.
    pub fn run_limits(&self, limits: &Limits, programs: usize) -> Limits {
        let questions = limits.wall_milliseconds.saturating_mul(programs as u64);
        let wall_milliseconds = questions.saturating_add(self.compile_seconds.saturating_mul(1000));
        Limits { wall_milliseconds, ..*limits }
    }

    /// The arguments for a program in a file. `options` are among those declared, `configuration` holds the arguments of
    /// the user's own choices.
    pub fn arguments(
        &self,
        file: &str,
        options: &[(String, String)],
        configuration: &[String],
        limits: &Limits,
    ) -> Vec<String> {
        let chosen = options.iter().flat_map(|(name, value)| {
            let known = self.options.iter().find(|option| option.name == *name);
            known.map(|option| option.filled(value)).unwrap_or_default()
        });
        let chosen: Vec<String> = chosen.chain(configuration.iter().cloned()).collect();
        let time = OwnTime::below(limits, 10);
        let [milliseconds, seconds] = time.values();
        fill_arguments(&self.arguments, &[("file", file), milliseconds, seconds], &chosen)
    }

    /// What a run says about a program.
    pub fn read(&self, language: Dialect, program: &Program, run: &Run) -> Verdict {
        self.failure(run).unwrap_or_else(|| match language.read(program, &run.stdout) {
            Ok(outputs) => claim(program, outputs),
            Err(problem) => Verdict::Unreadable(problem),
        })
    }

    /// The part of a run that each of several programs would have printed alone; none if the run failed as a whole or
    /// cannot be split.
    pub fn split(&self, language: Dialect, programs: usize, run: &Run) -> Option<Vec<Run>> {
        if self.failure(run).is_some() {
            return None;
        }
        let parts = language.split_output(programs, &run.stdout).ok()?;
        Some(parts.into_iter().map(|stdout| Run { stdout, ..run.clone() }).collect())
    }

    /// Why there is nothing to read. An engine that prints nothing of an output has not answered.
    fn failure(&self, run: &Run) -> Option<Verdict> {
        self.output.failure(run).or_else(|| self.output.bad_exit(run))
    }
}

/// True if a program can be said in the language of this name.
pub fn can_say(dialect: &str, program: &str) -> bool {
    let program = datalog::parse("program", program).ok();
    let language = Dialect::from_name(dialect);
    program.zip(language).is_some_and(|(program, language)| language.render(&program).is_ok())
}

fn claim(program: &Program, outputs: BTreeMap<RelationId, BTreeSet<Tuple>>) -> Verdict {
    let shown = |(relation, rows): (RelationId, BTreeSet<Tuple>)| OutputRows {
        relation: program.relation(relation).name.to_string(),
        rows: rows.iter().map(|row| row.iter().map(Constant::to_string).collect()).collect(),
    };
    Verdict::Claim(Claim::Rows(outputs.into_iter().map(shown).collect()))
}
