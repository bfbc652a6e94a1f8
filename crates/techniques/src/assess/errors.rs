//! Real errors that a bug finder should find, and the warnings that it should not give.
//!
//! The program has one execution, which meets no error. Errors are put where that execution passes, one for each variant of the
//! program, and executing each variant shows that the error happens. What the bug finder warns of in the program itself cannot
//! happen, as far as sanitizers would see it.

use super::{Asked, Failure, Open, Settled, Task, Unusable, failure};
use crate::execution;
use crate::runtime::{
    Injection, KINDS, arriving, closed_program, inject, is_reported, is_unreported, meets, missed, watching,
};
use c::analyze::sanitizers_detect;
use c::{Program, Site};
use model::{
    AnalyzerInfo, Answer, CInput, ErrorKind, Exhibit, Input, Limits, Lineup, Mode, Query, Random, Role, Seed,
    Warning,
};
use std::collections::{BTreeMap, BTreeSet};

/// Wall time for executing a program once.
const EXECUTION_MILLISECONDS: u64 = 5000;
/// How many sites are instrumented to see whether they are executed.
const MOST_SITES: usize = 300;
/// Attempts to put one error into a program.
const ATTEMPTS: usize = 20;

/// A program with variants that have errors.
pub struct ErrorTask {
    input: CInput,
    program: Program,
    executor: Query,
    kinds: Vec<ErrorKind>,
    wanted: usize,
    random: Random,
    stage: Stage,
    /// The errors that happen.
    errors: Vec<Injection>,
    /// How many false warnings the default gives.
    usual: u32,
}

enum Stage {
    /// The sites are to be executed.
    Sites(Vec<Site>),
    /// These errors are to be executed.
    Errors(Vec<Injection>),
    /// Everything is known.
    Known,
}

impl ErrorTask {
    /// The program with up to so many errors of the kinds that an analyzer looks for.
    pub fn new(
        seed: &Seed,
        wanted: usize,
        analyzer: &AnalyzerInfo,
        lineup: &Lineup,
        random: Random,
    ) -> Result<ErrorTask, Unusable> {
        let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
        let program =
            closed_program(&seed.name, &input).map_err(|(reason, detail)| Unusable::new(reason, detail))?;
        let executor = execution::executor(lineup, Some(analyzer), input.data_model)
            .ok_or_else(|| Unusable::new("no analyzer executes the program", seed.name.to_string()))?;
        let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
        let executor =
            Query { limits, ..Query::new(executor.id.clone(), Input::C(input.clone()), Mode::Process) };
        let looked_for = analyzer.warnings().map_or(Vec::new(), |role| role.kinds.clone());
        let mut sites = c::sites(&program);
        sites.truncate(MOST_SITES);
        Ok(ErrorTask {
            kinds: KINDS.into_iter().filter(|kind| looked_for.contains(kind)).collect(),
            input,
            program,
            executor,
            wanted,
            random,
            stage: Stage::Sites(sites),
            errors: Vec::new(),
            usual: 0,
        })
    }

    fn inject(&mut self, executed: &[Site]) -> Vec<Injection> {
        let executed: Vec<&Site> = executed.iter().collect();
        let mut injected = Vec::new();
        for _ in 0..self.wanted {
            let made = (0..ATTEMPTS).find_map(|_| {
                let kind = *self.random.choose(&self.kinds)?;
                inject(&self.program, &self.input, &executed, kind, &mut self.random)
            });
            injected.extend(made);
        }
        injected.dedup();
        injected
    }

    /// The variants with an error, as an analyzer that promises to miss nothing is asked about them.
    pub(super) fn variants(&self, ingredient: &Asked<'_>) -> Vec<Query> {
        self.errors.iter().map(|error| warnings_query(ingredient, &error.program)).collect()
    }

    /// The variants about whose error an analyzer is silent although it promises to miss nothing. What its authors say that it
    /// misses on purpose is left out, and so is what its engine does not reach, which is asked when a miss is confirmed.
    pub(super) fn missed(
        &self,
        ingredient: &Asked<'_>,
        queries: &[Query],
        answers: &[Answer],
    ) -> Vec<Exhibit> {
        let Some(role) = ingredient.analyzer.warnings().filter(|role| role.sound) else { return Vec::new() };
        let is_deliberate = |kind: ErrorKind| {
            role.deliberate_misses.iter().any(|(known, _)| known.is_none_or(|known| known == kind))
        };
        let mut exhibits = Vec::new();
        for (query, answer) in queries.iter().zip(answers).filter(|(query, _)| query.role == Role::Warnings) {
            let asked = query.input.c();
            let error =
                self.errors.iter().find(|error| asked.is_some_and(|program| *program == error.program));
            let silent = error.filter(|it| !is_deliberate(it.kind) && is_unreported(it, answer, true));
            exhibits.extend(silent.map(|error| {
                let arrival = ingredient.analyzer.reachability().map(|_| Query {
                    role: Role::Reachability,
                    limits: ingredient.limits,
                    ..Query::new(ingredient.analyzer.id.clone(), Input::C(arriving(error)), Mode::Process)
                });
                missed(query, error, role, &self.executor, arrival)
            }));
        }
        exhibits
    }

    fn false_warnings(&self, warnings: &[Warning]) -> u32 {
        let cannot_happen = |warning: &&Warning| sanitizers_detect(&self.program, warning.kind);
        let places: BTreeSet<(ErrorKind, u32)> =
            warnings.iter().filter(cannot_happen).map(|warning| (warning.kind, warning.place.line)).collect();
        places.len() as u32
    }
}

impl Task for ErrorTask {
    fn evidence(&self) -> Vec<Query> {
        match &self.stage {
            Stage::Sites(sites) => {
                let note = |(number, site): (u32, &Site)| execution::noted(site.place, number, "1");
                let annotations = (1..).zip(sites).map(note).collect();
                vec![self.executor.with_input(Input::C(CInput { annotations, ..self.input.clone() }))]
            }
            Stage::Errors(errors) => {
                errors.iter().map(|error| self.executor.with_input(Input::C(watching(error)))).collect()
            }
            Stage::Known => Vec::new(),
        }
    }

    fn learn(&mut self, _asked: &[Query], answers: &[Answer]) -> Result<(), Unusable> {
        match std::mem::replace(&mut self.stage, Stage::Known) {
            Stage::Sites(sites) => {
                let claim = answers.first().and_then(Answer::checks);
                let claim = claim.ok_or_else(|| Unusable::new("the program cannot be executed", ""))?;
                if let Some(detail) = &claim.undefined {
                    return Err(Unusable::new("the program has undefined behaviour", detail.clone()));
                }
                let is_noted =
                    |number: u32| claim.checks.iter().any(|it| it.check == number && it.values.is_some());
                let executed: Vec<Site> =
                    (1..).zip(sites).filter(|(number, _)| is_noted(*number)).map(|(_, site)| site).collect();
                let errors = self.inject(&executed);
                refuse_none(&errors)?;
                self.stage = Stage::Errors(errors);
            }
            Stage::Errors(errors) => {
                let happens = |(error, answer): &(Injection, &Answer)| meets(error, answer);
                self.errors =
                    errors.into_iter().zip(answers).filter(happens).map(|(error, _)| error).collect();
                refuse_none(&self.errors)?;
            }
            Stage::Known => {}
        }
        Ok(())
    }

    fn note_default(&mut self, settled: &Settled) -> Result<(), Unusable> {
        self.usual = settled.false_warnings;
        Ok(())
    }

    /// The program itself, then each variant with an error.
    fn queries(&self, ingredient: &Asked<'_>, _settled: &Settled) -> Vec<Query> {
        let own = warnings_query(ingredient, &self.input);
        std::iter::once(own).chain(self.variants(ingredient)).collect()
    }

    fn settle(&self, _queries: &[Query], answers: &[Answer], settled: &mut Settled) -> Result<(), Failure> {
        for (number, answer) in (0u32..).zip(answers) {
            if let Some(failure) = failure(&answer.verdict) {
                return Err(failure);
            }
            match number.checked_sub(1).and_then(|index| self.errors.get(index as usize)) {
                None => settled.false_warnings += answer.warnings().map_or(0, |it| self.false_warnings(it)),
                Some(error) if is_reported(error, answer) => {
                    settled.found.insert(number);
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// A bug finder promises nothing, so nothing that it says about one configuration can be refuted.
    fn accuse(&self, _ingredient: &Asked<'_>, _queries: &[Query], _answers: &[Answer]) -> Vec<Exhibit> {
        Vec::new()
    }

    fn open(&self, settled: &Settled) -> Open {
        let errors = self.errors.len() as u32;
        let unresolved = errors - (settled.found.len() as u32).min(errors) + settled.false_warnings;
        let total = errors + self.usual.max(settled.false_warnings);
        Open { unresolved, total, has_evidence: true, by_function: BTreeMap::new() }
    }
}

fn warnings_query(ingredient: &Asked<'_>, program: &CInput) -> Query {
    Query {
        role: Role::Warnings,
        options: ingredient.options.to_vec(),
        limits: ingredient.limits,
        ..Query::new(ingredient.analyzer.id.clone(), Input::C(program.clone()), Mode::Process)
    }
}

/// Without errors, an analyzer that says nothing would be the best.
fn refuse_none(errors: &[Injection]) -> Result<(), Unusable> {
    match errors.is_empty() {
        true => Err(Unusable::new("no error can be put into the program", "")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_errors_is_not_used() {
        let problem = refuse_none(&[]).unwrap_err();
        assert_eq!(problem.reason, "no error can be put into the program");
    }
}
