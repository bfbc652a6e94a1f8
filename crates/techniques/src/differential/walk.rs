//! The walk of one case: the seed without its assertions, then batches of checks, each put to every analyzer; where
//! they disagree, the batch is narrowed to one check, and that is executed.

use super::judge::{self, CHECK, Voice};
use super::relation::{Deviation, DifferentialRelation};
use super::synthesis::{Batch, Synthesis};
use super::{Knobs, counts};
use crate::checks::Unsettled;
use crate::execution::{self, CheckOutcome, Executions};
use crate::{Case, Notes, Step, failures};
use c::analyze::is_deterministic;
use model::{
    AnalyzerInfo, Annotation, AnnotationKind, Answer, Approximation, CInput, CheckAnswer, CheckStatus,
    ComparedCheck, Executed, Input, Limits, Lineup, Mode, Query, Random, ReachabilityInfo, Relation, Verdict,
};

/// An analyzer that takes part.
#[derive(Clone, Debug)]
pub struct Voter {
    /// The analyzer.
    pub member: AnalyzerInfo,
    /// Its role.
    pub role: ReachabilityInfo,
}

impl Voter {
    fn word(&self, answer: &Answer) -> CheckAnswer {
        judge::word(answer, Unsettled::of(&self.role))
    }

    fn voice(&self, query: &Query) -> Voice {
        Voice::new(query.clone(), &self.role)
    }

    /// False for an analyzer that drops paths or analyzes parts of a program in isolation, and for one that runs programs,
    /// which judges the others.
    fn is_verifier(&self) -> bool {
        self.role.approximation != Approximation::Neither && !self.role.executes
    }

    /// True if it may be held to what it verifies.
    fn is_held(&self) -> bool {
        self.role.approximation.binds_exclusions()
    }
}

/// The state of a case.
pub struct Walk {
    /// The analyzers that can be asked, in the order of the line-up.
    voters: Vec<Voter>,
    /// True for those that do not accept the seed.
    left_out: Vec<bool>,
    /// Pairs of indices of voters: the first verifies at least what the second does.
    orders: Vec<(usize, usize)>,
    versions: Vec<(usize, usize)>,
    lineup: Lineup,
    synthesis: Synthesis,
    knobs: Knobs,
    random: Random,
    rounds: usize,
    stage: Stage,
}

enum Stage {
    Start,
    /// The seed with a check that cannot fail was asked and executed.
    Seed,
    /// A batch was asked.
    Drawn(Batch),
    /// What was left of a batch without the checks that fail was asked.
    Left(Batch),
    /// All analyzers call a batch unsafe, and executions noted which of its checks fail.
    Noted(Batch),
    /// A half of a batch on which the analyzers disagree, and the other half if it was not asked yet.
    Half {
        whole: Box<Disagreement>,
        half: Batch,
        other: Option<Batch>,
    },
    /// What cannot be narrowed any more was executed.
    Executed(Box<Disagreement>, Vec<Query>),
}

/// A batch, and what was answered.
struct Disagreement {
    batch: Batch,
    answers: Vec<Answer>,
}

impl Walk {
    /// A walk over one program.
    pub fn new(
        voters: Vec<Voter>,
        lineup: &Lineup,
        synthesis: Synthesis,
        knobs: Knobs,
        random: Random,
    ) -> Walk {
        let members: Vec<&AnalyzerInfo> = voters.iter().map(|voter| &voter.member).collect();
        Walk {
            left_out: voters
                .iter()
                .map(|voter| !voter.role.data_models.contains(&synthesis.data_model))
                .collect(),
            orders: super::order::orders(&members),
            versions: super::order::versions(&members),
            voters,
            lineup: lineup.clone(),
            synthesis,
            knobs,
            random,
            rounds: 0,
            stage: Stage::Start,
        }
    }

    /// Asks every analyzer about the seed with one check that cannot fail, and executes it.
    fn ask_seed(&mut self) -> Step {
        let Some(program) = self.synthesis.first_place().map(|place| self.program(place, "1")) else {
            return Step::Done;
        };
        let mut queries = self.queries(&program);
        queries.extend(self.executions(&program));
        self.stage = Stage::Seed;
        Step::Ask(queries)
    }

    fn judge_seed(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        let asked: Vec<(usize, Voter)> =
            self.taking_part().map(|(index, voter)| (index, voter.clone())).collect();
        let (said, executed) = answers.split_at(asked.len().min(answers.len()));
        for ((index, voter), answer) in asked.iter().zip(said) {
            notes.count_with(counts::SEED_ANSWERED, &[answer.verdict.word(), voter.member.id.as_str()]);
            let is_clean = answer.checks().is_some_and(|claim| claim.undefined.is_none());
            // An analyzer that runs every input answers unknown if there are too many, and may still run the variants.
            let is_unknown = voter.role.executes && answer.verdict == Verdict::Unknown;
            self.left_out[*index] = !is_clean && !is_unknown;
        }
        let by_executing = asked.iter().zip(said).filter(|((_, voter), _)| voter.role.executes);
        let mut executed = executed.iter().chain(by_executing.map(|(_, answer)| answer));
        if let Some(detail) = executed.find_map(|answer| answer.checks()?.undefined.clone()) {
            return self.skip("the seed has undefined behaviour", &detail);
        }
        if self.left_out.iter().filter(|out| !**out).count() < 2 {
            let names: Vec<&str> = self.taking_part().map(|(_, voter)| voter.member.id.as_str()).collect();
            let supporting = match names.as_slice() {
                [] => "none does".to_owned(),
                names => format!("only {} does", names.join(", ")),
            };
            let others = asked.iter().zip(said).filter(|((index, _), _)| self.left_out[*index]);
            let others: Vec<String> = others
                .map(|((_, voter), answer)| format!("{}: {}", voter.member.id, why_not(answer)))
                .collect();
            let detail = format!("{supporting}; {}", others.join("; "));
            return self.skip("fewer than two analyzers support the seed", &detail);
        }
        self.next_round(notes)
    }

    fn skip(&self, reason: &str, detail: &str) -> Step {
        Step::Skip { reason: reason.to_owned(), detail: format!("{}: {detail}", self.synthesis.name) }
    }

    /// The next batch, or the end.
    fn next_round(&mut self, notes: &mut Notes) -> Step {
        if self.rounds >= self.synthesis.budget {
            return Step::Done;
        }
        self.rounds += 1;
        let Some(batch) = self.synthesis.draw(self.knobs.batch, &mut self.random) else { return Step::Done };
        notes.count(counts::BATCHES);
        notes.add(counts::CHECKS, batch.conjuncts.len() as u64);
        let step = self.ask(&batch);
        self.stage = Stage::Drawn(batch);
        step
    }

    fn ask(&self, batch: &Batch) -> Step {
        Step::Ask(self.queries(&self.program_of(batch)))
    }

    fn judge_drawn(&mut self, batch: Batch, answers: &[Answer], notes: &mut Notes) -> Step {
        self.synthesis.learn(spread(answers));
        self.judge_batch(batch, answers, notes)
    }

    fn judge_batch(&mut self, batch: Batch, answers: &[Answer], notes: &mut Notes) -> Step {
        self.report_crashes(&batch, answers, notes);
        let disagreement = Disagreement { batch, answers: answers.to_vec() };
        if self.disagree(answers) {
            notes.count(counts::BATCHES_WITH_DISAGREEMENT);
            return self.narrow(disagreement, notes);
        }
        let summary = execution::summarize(
            &self.program_of(&disagreement.batch),
            &self.executed_by_voters(&disagreement),
        );
        if let Some(detail) = &summary.undefined {
            return self.skip("the seed has undefined behaviour", detail);
        }
        self.record(&disagreement, &summary, notes);
        match self.noting(&disagreement) {
            Some(query) => {
                self.stage = Stage::Noted(disagreement.batch);
                Step::Ask(vec![query])
            }
            None => self.next_round(notes),
        }
    }

    /// If all analyzers call several checks unsafe, one that fails may hide the others. Asks which of them fail.
    fn noting(&self, it: &Disagreement) -> Option<Query> {
        let all_alarmed = self
            .taking_part()
            .zip(&it.answers)
            .all(|((_, voter), answer)| voter.word(answer) == CheckAnswer::Unsafe);
        if !all_alarmed || it.batch.conjuncts.len() < 2 {
            return None;
        }
        let executor = execution::executor(&self.lineup, None, self.synthesis.data_model)?;
        let notes = it.batch.conjuncts.iter().zip(1..);
        let noted = notes.map(|(check, number)| execution::noted(it.batch.place, number, &check.text));
        let program = CInput { annotations: noted.collect(), ..self.synthesis.bare() };
        let limits = Limits { wall_milliseconds: self.knobs.execution, ..Limits::default() };
        Some(Query { limits, ..Query::new(executor.id.clone(), Input::C(program), Mode::Process) })
    }

    /// Goes on with the checks of a batch that no execution was seen to violate.
    fn judge_noted(&mut self, batch: Batch, answers: &[Answer], notes: &mut Notes) -> Step {
        let Some(claim) = answers.first().and_then(Answer::checks) else { return self.next_round(notes) };
        if let Some(detail) = &claim.undefined {
            return self.skip("the seed has undefined behaviour", detail);
        }
        let has_failed =
            |number: u32| execution::noted_counts(claim, number).is_some_and(|(_, failed)| failed > 0);
        let numbered = batch.conjuncts.iter().zip(1..);
        let left: Vec<_> =
            numbered.filter(|(_, number)| !has_failed(*number)).map(|(it, _)| it.clone()).collect();
        if left.is_empty() || left.len() == batch.conjuncts.len() {
            return self.next_round(notes);
        }
        notes.count(counts::BATCHES_ASKED_AGAIN);
        let rest = Batch { conjuncts: left, ..batch };
        let step = self.ask(&rest);
        self.stage = Stage::Left(rest);
        step
    }

    /// Asks about the first half of a batch, or executes what is one check.
    fn narrow(&mut self, whole: Disagreement, notes: &mut Notes) -> Step {
        match whole.batch.halves() {
            Some((first, second)) => self.ask_half(whole, first, Some(second)),
            None => self.execute(whole, notes),
        }
    }

    fn ask_half(&mut self, whole: Disagreement, half: Batch, other: Option<Batch>) -> Step {
        let step = self.ask(&half);
        self.stage = Stage::Half { whole: Box::new(whole), half, other };
        step
    }

    fn judge_half(
        &mut self,
        whole: Disagreement,
        (half, other): (Batch, Option<Batch>),
        answers: &[Answer],
        notes: &mut Notes,
    ) -> Step {
        self.report_crashes(&half, answers, notes);
        if self.disagree(answers) {
            return self.narrow(Disagreement { batch: half, answers: answers.to_vec() }, notes);
        }
        match other {
            Some(other) => self.ask_half(whole, other, None),
            // The analyzers disagree on the whole and on neither half: then the whole is what is shown.
            None => self.execute(whole, notes),
        }
    }

    fn execute(&mut self, disagreement: Disagreement, notes: &mut Notes) -> Step {
        let queries = self.executions(&self.program_of(&disagreement.batch));
        if queries.is_empty() {
            return self.settle(&disagreement, &[], &[], notes);
        }
        self.stage = Stage::Executed(Box::new(disagreement), queries.clone());
        Step::Ask(queries)
    }

    /// Records a disagreement and what executions have shown, and reports the exhibits.
    fn settle(&mut self, it: &Disagreement, asked: &[Query], answers: &[Answer], notes: &mut Notes) -> Step {
        let program = self.program_of(&it.batch);
        let mut executions: Vec<(Query, Answer)> =
            asked.iter().cloned().zip(answers.iter().cloned()).collect();
        executions.extend(self.executed_by_voters(it));
        let summary = execution::summarize(&program, &executions);
        if let Some(detail) = &summary.undefined {
            return self.skip("the seed has undefined behaviour", detail);
        }
        self.record(it, &summary, notes);
        let queries: Vec<Query> = executions.iter().map(|(query, _)| query.clone()).collect();
        let sides = Sides::of(self, it);
        match summary.checks.get(&CHECK) {
            Some(CheckOutcome::Violated { .. }) => {
                self.report_refuted(&sides, &executions, notes);
                return self.next_round(notes);
            }
            Some(CheckOutcome::Never) if is_deterministic(&program) => {
                self.report_imprecise(&sides, &executions, notes)
            }
            Some(CheckOutcome::Never) => {}
            Some(CheckOutcome::NotFound) | None => self.report_deviant(&sides, &queries, notes),
        }
        self.report_pairs(&sides, (Deviation::MorePrecise, &self.orders), &queries, notes);
        self.report_pairs(&sides, (Deviation::Newer, &self.versions), &queries, notes);
        self.next_round(notes)
    }

    /// An analyzer that verifies a check which an execution violates is wrong.
    fn report_refuted(&self, sides: &Sides<'_>, executions: &[(Query, Answer)], notes: &mut Notes) {
        let Some(execution) = executed_as(executions, CheckStatus::Violated) else { return };
        for (voter, query) in sides.safe.iter().filter(|(voter, _)| !voter.role.executes) {
            notes.exhibits.push(judge::refuted(query.clone(), execution.clone(), voter.is_held()));
        }
    }

    /// An analyzer that does not verify a check which holds on every input is imprecise.
    fn report_imprecise(&self, sides: &Sides<'_>, executions: &[(Query, Answer)], notes: &mut Notes) {
        let Some(exhaustive) = executed_as(executions, CheckStatus::Verified) else { return };
        for (voter, query) in sides.unsafe_.iter().filter(|(voter, _)| voter.is_verifier()) {
            notes.exhibits.push(judge::imprecise(&voter.voice(query), exhaustive.clone()));
        }
    }

    /// Executions leave it open, so an analyzer that disagrees with several others is suspected. Analyzers that drop paths
    /// or analyze parts of a program in isolation do not count.
    fn report_deviant(&self, sides: &Sides<'_>, executions: &[Query], notes: &mut Notes) {
        let verifying: Vec<&(&Voter, Query)> = sides.safe.iter().filter(|(it, _)| it.is_verifier()).collect();
        let alarmed: Vec<&(&Voter, Query)> =
            sides.unsafe_.iter().filter(|(it, _)| it.is_verifier()).collect();
        let mut report = |deviation: Deviation, accused: &[&(&Voter, Query)], others: &[&(&Voter, Query)]| {
            let others: Vec<Voice> = others.iter().map(|(voter, query)| voter.voice(query)).collect();
            for (voter, query) in accused {
                let voice = voter.voice(query);
                notes.exhibits.push(judge::deviant(deviation, &voice, &others, executions.to_vec()));
            }
        };
        // An analyzer that shows an execution is right about it, one against all.
        let is_shown = alarmed.iter().any(|(voter, _)| voter.role.approximation.binds_showings());
        let held: Vec<&(&Voter, Query)> = verifying.into_iter().filter(|(it, _)| it.is_held()).collect();
        if is_shown || alarmed.len() >= self.knobs.delta {
            report(Deviation::AloneSafe, &held, &alarmed);
        }
        if held.len() >= self.knobs.delta {
            report(Deviation::AloneUnsafe, &alarmed, &held);
        }
    }

    /// A configuration or version that must verify what another does, and does not.
    fn report_pairs(
        &self,
        sides: &Sides<'_>,
        (deviation, pairs): (Deviation, &[(usize, usize)]),
        executions: &[Query],
        notes: &mut Notes,
    ) {
        let find = |side: &[(&Voter, Query)], index: usize| {
            let wanted = self.voters.get(index)?;
            let found = side.iter().find(|(voter, _)| voter.member.id == wanted.member.id);
            found.filter(|(voter, _)| voter.is_held()).map(|(voter, query)| voter.voice(query))
        };
        for (first, second) in pairs {
            let pair = (find(&sides.unsafe_, *first), find(&sides.safe, *second));
            if let (Some(accused), Some(other)) = pair {
                notes.exhibits.push(judge::deviant(deviation, &accused, &[other], executions.to_vec()));
            }
        }
    }

    /// Reports crashes.
    fn report_crashes(&self, batch: &Batch, answers: &[Answer], notes: &mut Notes) {
        let queries = self.queries(&self.program_of(batch));
        for (query, answer) in queries.iter().zip(answers) {
            if let Verdict::Crash(_) = answer.verdict {
                let relation = Relation::of(&DifferentialRelation::Analyzed);
                notes.exhibits.extend(failures::exhibit(super::NAME, query, answer, None, relation));
            }
        }
    }

    /// Adds a row to the comparison.
    fn record(&self, it: &Disagreement, summary: &Executions, notes: &mut Notes) {
        let mut words = vec![CheckAnswer::Unknown; self.voters.len()];
        for ((index, voter), answer) in self.taking_part().zip(&it.answers) {
            words[index] = voter.word(answer);
        }
        let program = self.program_of(&it.batch);
        let executed = match summary.checks.get(&CHECK) {
            Some(CheckOutcome::Violated { inputs, .. })
                if execution::confirm(&program, CHECK, inputs).is_proof =>
            {
                Executed::Violated { inputs: inputs.clone() }
            }
            Some(CheckOutcome::Never)
                if is_deterministic(&program) && execution::confirm_absence(&program, CHECK).is_proof =>
            {
                Executed::Never
            }
            _ => Executed::Open,
        };
        notes.compared.push(ComparedCheck {
            number: 0,
            seed: self.synthesis.name.clone(),
            line: self.synthesis.line(it.batch.place),
            condition: it.batch.condition(),
            input: Input::C(program),
            words,
            executed,
        });
    }

    /// The answers of the voters that run programs.
    fn executed_by_voters(&self, it: &Disagreement) -> Vec<(Query, Answer)> {
        let queries = self.queries(&self.program_of(&it.batch));
        let said = self.taking_part().zip(queries).zip(&it.answers);
        let executed = said.filter(|(((_, voter), _), _)| voter.role.executes);
        executed.map(|((_, query), answer)| (query, answer.clone())).collect()
    }

    /// True if one analyzer answers safe and another unsafe.
    fn disagree(&self, answers: &[Answer]) -> bool {
        let words: Vec<CheckAnswer> =
            self.taking_part().zip(answers).map(|((_, voter), answer)| voter.word(answer)).collect();
        words.contains(&CheckAnswer::Safe) && words.contains(&CheckAnswer::Unsafe)
    }

    fn taking_part(&self) -> impl Iterator<Item = (usize, &Voter)> {
        self.voters.iter().enumerate().filter(|(index, _)| !self.left_out[*index])
    }

    fn program_of(&self, batch: &Batch) -> CInput {
        self.program(batch.place, &batch.condition())
    }

    fn program(&self, place: u32, condition: &str) -> CInput {
        let check = Annotation::new(place, AnnotationKind::Check(CHECK), condition);
        CInput { annotations: vec![check], ..self.synthesis.bare() }
    }

    /// The program as a query to every participant.
    fn queries(&self, program: &CInput) -> Vec<Query> {
        let limits = Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() };
        let query = |voter: &Voter| {
            let mode = voter.member.modes.first().copied().unwrap_or(Mode::Process);
            Query { limits, ..Query::new(voter.member.id.clone(), Input::C(program.clone()), mode) }
        };
        self.taking_part().map(|(_, voter)| query(voter)).collect()
    }

    /// The program as a query to every analyzer that runs programs and does not take part.
    fn executions(&self, program: &CInput) -> Vec<Query> {
        let limits = Limits { wall_milliseconds: self.knobs.execution, ..Limits::default() };
        let mut queries = execution::questions(program, &self.lineup, limits);
        queries.retain(|query| self.taking_part().all(|(_, voter)| voter.member.id != query.analyzer));
        // What is executed here is what is reduced, and reductions know nothing of traces.
        queries.iter_mut().for_each(|query| query.input = Input::C(program.clone()));
        queries
    }
}

/// The analyzers that answer safe and those that answer unsafe, with their queries.
struct Sides<'a> {
    safe: Vec<(&'a Voter, Query)>,
    unsafe_: Vec<(&'a Voter, Query)>,
}

impl<'a> Sides<'a> {
    fn of(walk: &'a Walk, it: &Disagreement) -> Sides<'a> {
        let queries = walk.queries(&walk.program_of(&it.batch));
        let mut sides = Sides { safe: Vec::new(), unsafe_: Vec::new() };
        for (((_, voter), query), answer) in walk.taking_part().zip(queries).zip(&it.answers) {
            match voter.word(answer) {
                CheckAnswer::Safe => sides.safe.push((voter, query)),
                CheckAnswer::Unsafe => sides.unsafe_.push((voter, query)),
                CheckAnswer::Unknown => {}
            }
        }
        sides
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        match std::mem::replace(&mut self.stage, Stage::Start) {
            Stage::Start => self.ask_seed(),
            Stage::Seed => self.judge_seed(answers, notes),
            Stage::Drawn(batch) => self.judge_drawn(batch, answers, notes),
            Stage::Left(batch) => self.judge_batch(batch, answers, notes),
            Stage::Noted(batch) => self.judge_noted(batch, answers, notes),
            Stage::Half { whole, half, other } => self.judge_half(*whole, (half, other), answers, notes),
            Stage::Executed(it, asked) => self.settle(&it, &asked, answers, notes),
        }
    }
}

/// Why an analyzer does not take a seed, in a few words.
fn why_not(answer: &Answer) -> String {
    let undefined = answer.checks().and_then(|claim| claim.undefined.as_deref());
    let said = match &answer.verdict {
        Verdict::Claim(_) => {
            format!("warns of an error in it: {}", undefined.unwrap_or("undefined behaviour"))
        }
        Verdict::Rejected(message) | Verdict::Unreadable(message) | Verdict::Crash(message) => {
            message.clone()
        }
        Verdict::Unknown => "says that it does not know".to_owned(),
        Verdict::Limit(_) => "ran into a limit".to_owned(),
    };
    said.chars().take(MOST_LETTERS).collect()
}

/// Messages of analyzers are truncated to this length when a seed is left out.
const MOST_LETTERS: usize = 160;

/// The query of an execution with this result.
fn executed_as(executions: &[(Query, Answer)], status: CheckStatus) -> Option<&Query> {
    let came = |(_, answer): &&(Query, Answer)| {
        answer.checks().is_some_and(|claim| claim.status(CHECK) == Some(status))
    };
    executions.iter().find(came).map(|(query, _)| query)
}

/// How far the running times of the analyzers are apart, in microseconds.
fn spread(answers: &[Answer]) -> u64 {
    let times = answers.iter().map(|answer| answer.cost.wall_microseconds);
    times.clone().max().unwrap_or(0) - times.min().unwrap_or(0)
}
