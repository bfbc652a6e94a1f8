//! An analyzer's use as a Datalog engine: which language it reads, how it is called, how its rows are read.

use crate::calling::CommandOption;
use crate::description::{Crash, Limit};
use crate::failing::{FailureRules, Transcript};
use crate::pattern::Pattern;
use datalog::{Constant, Dialect, Program};
use model::{Claim, DatalogMember, Limits, OptionChoice, OutputRows, Verdict};
use serde::Deserialize;

/// The role `datalog`: the analyzer computes the rows of a program's outputs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DatalogRole {
    /// The language that it reads, by its name in `datalog::Dialect`.
    pub dialect: String,
    /// The arguments. `{file}` is the program, `{options}` stands for the options, `{milliseconds}` and `{seconds}` for
    /// the time that it has.
    pub arguments: Vec<String>,
    /// Options that must not change any row.
    #[serde(default)]
    pub options: Vec<CommandOption>,
    /// How to read what it prints.
    pub output: DatalogOutput,
}

/// How to tell answers from failures.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DatalogOutput {
    /// Exit codes other than 0 that are no failure.
    #[serde(default)]
    pub exit_codes: Vec<i32>,
    /// Texts that say that a limit was hit.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Texts that say that the program was refused.
    #[serde(default)]
    pub rejections: Vec<Pattern>,
    /// Texts that say that the engine failed internally.
    #[serde(default)]
    pub crashes: Vec<Crash>,
}

impl DatalogRole {
    /// What techniques may know of it.
    pub(crate) fn member(&self) -> DatalogMember {
        let sound = self.options.iter().filter(|option| option.sound);
        let choice = |option: &CommandOption| OptionChoice {
            name: option.name.clone(),
            values: option.values.clone(),
        };
        DatalogMember {
            dialect: self.dialect.clone(),
            is_reference: false,
            options: sound.map(choice).collect(),
        }
    }

    /// The language, which validation has found to be one.
    pub fn language(&self) -> Option<Dialect> {
        Dialect::from_name(&self.dialect)
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
        let milliseconds = (limits.wall_milliseconds - limits.wall_milliseconds / 10).max(1);
        let chosen = options.iter().flat_map(|(name, value)| {
            let known = self.options.iter().find(|option| option.name == *name);
            known.map(|option| option.filled(value)).unwrap_or_default()
        });
        let chosen: Vec<String> = chosen.chain(configuration.iter().cloned()).collect();
        let mut arguments = Vec::new();
        for argument in &self.arguments {
            match argument.as_str() {
                "{options}" => arguments.extend(chosen.iter().cloned()),
                argument => arguments.push(
                    argument
                        .replace("{file}", file)
                        .replace("{milliseconds}", &milliseconds.to_string())
                        .replace("{seconds}", &(milliseconds / 1000).max(1).to_string()),
                ),
            }
        }
        arguments
    }

    /// What a run says. An engine that prints nothing of an output has not answered.
    pub fn read(&self, program: &Program, transcript: Transcript<'_>) -> Verdict {
        let rules = FailureRules {
            exit_codes: &self.output.exit_codes,
            limits: &self.output.limits,
            rejections: &self.output.rejections,
            crashes: &self.output.crashes,
        };
        if let Some(verdict) = rules.failure(&transcript).or_else(|| rules.bad_exit(&transcript)) {
            return verdict;
        }
        let Some(language) = self.language() else {
            return Verdict::Unreadable(format!("there is no language {}", self.dialect));
        };
        match language.read(program, transcript.stdout) {
            Ok(outputs) => Verdict::Claim(Claim::Rows(
                outputs
                    .into_iter()
                    .map(|(relation, rows)| OutputRows {
                        relation: program.relation(relation).name.to_string(),
                        rows: rows.iter().map(|row| row.iter().map(Constant::to_string).collect()).collect(),
                    })
                    .collect(),
            )),
            Err(problem) => Verdict::Unreadable(problem),
        }
    }
}
