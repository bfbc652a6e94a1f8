//! The checks of a C program: the program's own assertions, and checks of values that its statements read.
//!
//! Executions show which checks fail. A check that fails counts for no analyzer: it cannot be verified, and verifying it is
//! wrong.

use super::functions::Functions;
use super::{Asked, Failure, Open, Settled, Task, Unusable, failure};
use crate::checks::statuses;
use crate::differential::{drawn_checks, own_checks, refuted};
use crate::execution;
use model::{
    Annotation, AnnotationKind, Answer, CInput, CheckStatus, Exhibit, Input, Limits, Lineup, Mode, Query,
    Random, Role, Seed,
};
use std::collections::BTreeSet;

/// Wall time for executing a program once.
const EXECUTION_MILLISECONDS: u64 = 5000;
/// Wrong claims about one program that are reported.
const MOST_ACCUSATIONS: usize = 4;

/// A C program with checks.
pub struct CheckTask {
    input: CInput,
    functions: Functions,
    lineup: Lineup,
    /// The checks that an execution violates.
    failing: BTreeSet<u32>,
    is_learned: bool,
    /// Drawn checks of the same program, if its own never fail.
    audit: Option<Box<CheckTask>>,
}

impl CheckTask {
    /// The program's own assertions; if it has none, so many drawn checks.
    pub fn new(seed: &Seed, drawn: usize, lineup: &Lineup, random: Random) -> Result<CheckTask, Unusable> {
        let audit = CheckTask::drawn(seed, drawn, lineup, random);
        let input = own_checks(seed).map_err(|(reason, detail)| Unusable::new(reason, detail))?;
        if input.annotations.is_empty() {
            return audit;
        }
        // The assertions of a good program never fail, so none of them can refute a claim.
        Ok(CheckTask { audit: audit.ok().map(Box::new), ..CheckTask::of(seed, input, lineup) })
    }

    /// So many drawn checks.
    pub fn drawn(seed: &Seed, drawn: usize, lineup: &Lineup, random: Random) -> Result<CheckTask, Unusable> {
        let input =
            drawn_checks(seed, drawn, random).map_err(|(reason, detail)| Unusable::new(reason, detail))?;
        if input.annotations.is_empty() {
            return Err(Unusable::new("the program has nothing to check", seed.name.to_string()));
        }
        Ok(CheckTask::of(seed, input, lineup))
    }

    fn of(seed: &Seed, input: CInput, lineup: &Lineup) -> CheckTask {
        let functions = Functions::of(&seed.name, &input);
        let lineup = lineup.clone();
        CheckTask { input, functions, lineup, failing: BTreeSet::new(), is_learned: false, audit: None }
    }

    /// The checks that can be verified, each with its place.
    fn verifiable(&self) -> impl Iterator<Item = (u32, u32)> {
        self.input.annotations.iter().filter_map(|it| match it.what {
            AnnotationKind::Check(number) if !self.failing.contains(&number) => Some((number, it.place)),
            AnnotationKind::Check(_) | AnnotationKind::Assume => None,
        })
    }

    /// True if some check fails, so that a claim about it can be refuted.
    pub fn can_refute(&self) -> bool {
        !self.failing.is_empty()
    }

    /// The program with its checks.
    pub fn input(&self) -> &CInput {
        &self.input
    }

    /// The program with one check, which has the number 1 as in all exhibits.
    fn with_only(&self, check: u32) -> CInput {
        let is_it = |it: &&Annotation| it.what == AnnotationKind::Check(check);
        let only = self.input.annotations.iter().filter(is_it);
        let annotations =
            only.map(|it| Annotation { what: AnnotationKind::Check(1), ..it.clone() }).collect();
        CInput { annotations, ..self.input.clone() }
    }

    /// The program in which what is verified is assumed.
    fn assuming(&self, verified: &BTreeSet<u32>) -> CInput {
        let assumed = |it: &Annotation| match it.what {
            AnnotationKind::Check(number) if verified.contains(&number) => {
                Annotation { what: AnnotationKind::Assume, ..it.clone() }
            }
            _ => it.clone(),
        };
        CInput { annotations: self.input.annotations.iter().map(assumed).collect(), ..self.input.clone() }
    }
}

impl Task for CheckTask {
    /// One run notes how often each condition fails, and no check ends it.
    fn evidence(&self) -> Vec<Query> {
        if self.is_learned {
            return Vec::new();
        }
        let Some(executor) = execution::executor(&self.lineup, None, self.input.data_model) else {
            return Vec::new();
        };
        let noted = self.input.annotations.iter().filter_map(|it| match it.what {
            AnnotationKind::Check(number) => Some(execution::noted(it.place, number, &it.condition)),
            AnnotationKind::Assume => None,
        });
        let program = CInput { annotations: noted.collect(), ..self.input.clone() };
        let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
        let own = Query { limits, ..Query::new(executor.id.clone(), Input::C(program), Mode::Process) };
        let audit = self.audit.iter().flat_map(|audit| audit.evidence());
        std::iter::once(own).chain(audit).collect()
    }

    fn learn(&mut self, asked: &[Query], answers: &[Answer]) -> Result<(), Unusable> {
        if let (Some(audit), [_, _]) = (&mut self.audit, answers) {
            audit.learn(&asked[1..], &answers[1..])?;
        }
        self.is_learned = true;
        let Some(claim) = answers.first().and_then(Answer::checks) else { return Ok(()) };
        if let Some(detail) = &claim.undefined {
            return Err(Unusable::new("the program has undefined behaviour", detail.clone()));
        }
        let fails =
            |number: &u32| execution::noted_counts(claim, *number).is_some_and(|(_, failed)| failed > 0);
        self.failing = self.input.checks().filter(fails).collect();
        Ok(())
    }

    fn queries(&self, ingredient: &Asked<'_>, settled: &Settled) -> Vec<Query> {
        let program = self.assuming(&settled.verified);
        // Everything may have been settled already.
        if program.checks().next().is_none() {
            return Vec::new();
        }
        vec![reachability_query(ingredient, program)]
    }

    fn settle(&self, _queries: &[Query], answers: &[Answer], settled: &mut Settled) -> Result<(), Failure> {
        for answer in answers {
            if let Some(failure) = failure(&answer.verdict) {
                return Err(failure);
            }
            let verified = statuses(answer).unwrap_or_default().into_iter();
            let verified = verified.filter(|(_, status)| *status == CheckStatus::Verified);
            settled.verified.extend(verified.map(|(check, _)| check));
        }
        Ok(())
    }

    fn accuse(&self, ingredient: &Asked<'_>, queries: &[Query], answers: &[Answer]) -> Vec<Exhibit> {
        let asked = queries.first().and_then(|query| query.input.c());
        let is_audited = |audit: &&CheckTask| asked.is_some_and(|program| *program == audit.input);
        if let Some(audit) = self.audit.as_deref().filter(is_audited) {
            return audit.accuse(ingredient, queries, answers);
        }
        let claimed: BTreeSet<u32> = answers
            .iter()
            .flat_map(|answer| statuses(answer).unwrap_or_default())
            .filter(|(check, status)| *status == CheckStatus::Verified && self.failing.contains(check))
            .map(|(check, _)| check)
            .collect();
        claimed
            .into_iter()
            .filter_map(|check| self.accusation(ingredient, check))
            .take(MOST_ACCUSATIONS)
            .collect()
    }

    fn audit(&self, ingredient: &Asked<'_>) -> Vec<Query> {
        let audit = self.audit.as_ref().filter(|audit| audit.can_refute());
        audit.map_or(Vec::new(), |audit| audit.queries(ingredient, &Settled::default()))
    }

    fn open(&self, settled: &Settled) -> Open {
        let all: Vec<u32> = self.verifiable().map(|(_, place)| place).collect();
        let open: Vec<u32> = self
            .verifiable()
            .filter(|(check, _)| !settled.verified.contains(check))
            .map(|(_, place)| place)
            .collect();
        Open {
            unresolved: open.len() as u32,
            total: all.len() as u32,
            has_evidence: self.can_refute(),
            by_function: self.functions.count_places(&open, &all),
        }
    }
}

impl CheckTask {
    /// The analyzer verifies a check, alone in its program, that an execution violates.
    fn accusation(&self, ingredient: &Asked<'_>, check: u32) -> Option<Exhibit> {
        let program = self.with_only(check);
        let accused = reachability_query(ingredient, program.clone());
        let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
        let executor = execution::executor(&self.lineup, None, program.data_model)?;
        let questions = execution::questions(&program, &self.lineup, limits);
        let execution = questions.into_iter().find(|query| query.analyzer == executor.id)?;
        let role = ingredient.analyzer.reachability()?;
        Some(refuted(accused, execution, role.approximation.binds_exclusions()))
    }
}

fn reachability_query(ingredient: &Asked<'_>, program: CInput) -> Query {
    Query {
        role: Role::Reachability,
        options: ingredient.options.to_vec(),
        limits: ingredient.limits,
        ..Query::new(ingredient.analyzer.id.clone(), Input::C(program), Mode::Process)
    }
}
