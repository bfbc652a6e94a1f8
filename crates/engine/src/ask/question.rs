//! A query with everything that is needed to ask it, and what comes back.

use crate::find::{Inspector, program_hash};
use crate::{Backend, Engine, Resolved};
use analyzers::{BuiltIn, Question};
use anyhow::Result;
use model::{Cost, Hash, Query, Run, Transcript, Verdict};

/// A query and how its analyzer is asked.
pub(super) struct Asked<'a> {
    pub(super) query: &'a Query,
    pub(super) resolved: &'a Resolved,
    pub(super) question: Question<'a>,
    /// The key of the answer.
    pub(super) key: Hash,
    /// The hash of the reader.
    pub(super) reader: Hash,
}

/// What came back for a query.
pub(super) struct Reply {
    pub(super) verdict: Verdict,
    pub(super) cost: Cost,
    /// None if nothing was run, or if a built-in engine computed the verdict.
    pub(super) transcript: Option<Transcript>,
}

impl Reply {
    /// An answer that took no run.
    pub(super) fn without_run(verdict: Verdict) -> Reply {
        Reply { verdict, cost: Cost::default(), transcript: None }
    }

    /// The answer that one run gives.
    pub(super) fn of_run(question: &Question<'_>, run: Run, cost: Cost) -> Reply {
        let verdict = question.together(vec![question.read_run(0, &run)]);
        Reply { verdict, cost, transcript: Some(Transcript::of(vec![run])) }
    }
}

impl Asked<'_> {
    /// True if a built-in analyzer computes the answer within this process.
    pub(super) fn is_computed_here(&self) -> bool {
        match &self.resolved.backend {
            Backend::BuiltIn(BuiltIn::Smt(liar)) => !liar.needs_process(),
            Backend::BuiltIn(BuiltIn::Datalog(_)) => true,
            Backend::Program(_) | Backend::ToolInfo(_) | Backend::CLiar(_) => false,
        }
    }
}

impl Engine {
    /// How to ask a query. Where nothing is recorded, the key serves only to tell queries apart, and programs need not
    /// be hashed.
    pub(super) fn asked<'a>(&'a self, query: &'a Query, is_recorded: bool) -> Result<Asked<'a>> {
        let known = self.known(&query.analyzer)?;
        let resolved = &known.resolved;
        let question = resolved.backend.question(query);
        let program = match (is_recorded, known.program_hash.get()) {
            (false, _) => Hash::of(&[]),
            (true, Some(hash)) => *hash,
            (true, None) => {
                let inspector = Inspector { runner: &self.runner, directory: self.directory.path() };
                let hash = program_hash(resolved, &inspector)?;
                *known.program_hash.get_or_init(|| hash)
            }
        };
        let key = question.request.key(&query.analyzer, program);
        Ok(Asked { query, resolved, question, key, reader: resolved.reader_hash })
    }
}

impl Asked<'_> {
    /// How many programs one run can answer about.
    pub(super) fn programs_at_once(&self) -> usize {
        match self.question.datalog() {
            Some((role, ..)) if !self.query.fresh => role.programs_at_once,
            _ => 1,
        }
    }

    /// True if another query differs in nothing but the program.
    pub(super) fn can_share_a_run_with(&self, other: &Asked<'_>) -> bool {
        let same = self.query.with_input(other.query.input.clone()) == *other.query;
        same && other.question.datalog().is_some()
    }
}

/// What a process printed, as the run of a transcript.
pub(crate) fn run_of(outcome: process::Outcome) -> Run {
    Run::new(outcome.ending, outcome.stdout, outcome.stderr)
}
