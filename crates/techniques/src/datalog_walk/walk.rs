//! The walk of one case: a program to every engine, in its usual configuration and in another one, then rewritten
//! programs, then some of the same questions again.

use super::judge::{
    agree, changed_relation, contradictory, difference_from, sampled, unfounded, unsteady, wrong,
};
use super::program::{Outputs, Row, Untold, input_of, is_comparable, must_answer, outcome_of};
use super::relation::DatalogRelation;
use super::{Knobs, Rewriting, counts, stepwise};
use crate::case::SkippedCase;
use crate::drawn_options::drawn_options;
use crate::failures;
use crate::rewrites::{Effect, Rewrite, rewrite};
use crate::{Case, Notes, Opening, Step};
use datalog::generate::around;
use datalog::{Ancestry, Program, RelationId, ancestry, check, is_nondeterministic, named_in_opaque, parse};
use model::{
    AnalyzerInfo, Answer, Exhibit, Kind, Limits, Mode, Query, Random, Relation, SettingError,
    UNPARSED_PROGRAM, Verdict,
};
use std::collections::BTreeSet;

/// How often rewrites that should change the rows are drawn before one that changes nothing is taken.
const TRIES: usize = 8;
/// At most this many options are drawn for one query.
const MOST_OPTIONS: usize = 3;

/// Confirmations use other attempts, so they are not answered from the record of this one.
const SECOND_ATTEMPT: u32 = 8;

/// The state of a case.
pub struct Walk {
    technique: &'static str,
    kinds: &'static [&'static dyn Rewrite],
    subjects: Vec<AnalyzerInfo>,
    program: Program,
    compared: RelationId,
    knobs: Knobs,
    random: Random,
    stage: Stage,
}

/// The stage of a walk.
enum Stage {
    Begin,
    /// All variants were asked about.
    Asked(Vec<Variant>),
    /// Some questions were asked again.
    AskedAgain(Vec<Repeated>),
}

/// A question that is asked twice.
struct Repeated {
    query: Query,
    first: Answer,
    /// What is wrong with the first answer, if the second is the same.
    accusation: Option<Exhibit>,
}

/// A program that was asked about.
struct Variant {
    /// What it must do to the rows of the first program.
    effect: Effect,
    program: Program,
    /// The rows by the reference engine, where it can tell.
    expected: Result<Outputs, Untold>,
    /// A query for each subject.
    queries: Vec<Query>,
}

impl Walk {
    /// A walk over one program; a skipped case if the program cannot be used.
    pub fn open(
        technique: &Rewriting,
        opening: &Opening<'_>,
        knobs: Knobs,
    ) -> Result<Box<dyn Case>, SettingError> {
        let skipped = |reason: &'static str, detail: String| -> Result<Box<dyn Case>, SettingError> {
            Ok(Box::new(SkippedCase::new(reason, format!("{}: {detail}", opening.seed.name))))
        };
        let program = match parse(&opening.seed.name, &opening.seed.text) {
            Ok(program) => program,
            Err(error) => return skipped(UNPARSED_PROGRAM, error.to_string()),
        };
        if let Err(problem) = check(&program) {
            return skipped("the program is not safe or not stratified", problem);
        }
        if program.outputs().next().is_none() {
            return skipped("the program has no output", "a line `.output NAME` is missing".to_owned());
        }
        let mut random = opening.random.clone();
        let is_given = !opening.seed.is_generated;
        let surrounded = (is_given && random.percent(knobs.around)).then(|| {
            let options = knobs.options(&mut random);
            around(&program, &options, &mut random)
        });
        let (program, compared) = match surrounded {
            Some((program, output)) => (program, vec![output]),
            None => {
                let outputs = program.outputs().collect();
                (program, outputs)
            }
        };
        let compared: Vec<RelationId> = compared.into_iter().filter(|id| is_steady(&program, *id)).collect();
        let Some(compared) = random.choose(&compared).copied() else {
            let detail = "every output depends on statements whose rows may differ from run to run";
            return skipped("the rows of the outputs are not determined", detail.to_owned());
        };
        Ok(Box::new(Walk {
            technique: technique.name,
            kinds: technique.kinds,
            subjects: opening.lineup.subjects.iter().filter(|it| it.datalog().is_some()).cloned().collect(),
            program,
            compared,
            knobs,
            random,
            stage: Stage::Begin,
        }))
    }

    fn ask(&mut self, notes: &mut Notes) -> Step {
        let mut variants = vec![self.variant(self.program.clone(), Effect::Same, false)];
        let has_options = |member: &AnalyzerInfo| member.datalog().is_some_and(|it| !it.options.is_empty());
        if self.subjects.iter().any(has_options) {
            variants.push(self.variant(self.program.clone(), Effect::Same, true));
        }
        if self.random.percent(self.knobs.stepwise) {
            variants.push(self.variant(with_all_outputs(&self.program), Effect::Same, true));
        }
        let first = variants[0].expected.clone().ok();
        for _ in 0..self.knobs.variants {
            variants.extend(self.rewritten(first.as_ref(), notes));
        }
        self.count_emptiness(&variants, notes);
        let queries = variants.iter().flat_map(|variant| variant.queries.iter().cloned()).collect();
        self.stage = Stage::Asked(variants);
        Step::Ask(queries)
    }

    /// A rewritten program. Where the rows are meant to change, some are drawn until they do.
    fn rewritten(&mut self, first: Option<&Outputs>, notes: &mut Notes) -> Option<Variant> {
        // No row can be lost of none.
        let is_empty = first.is_some_and(|it| it.get(self.compared_name()).is_some_and(BTreeSet::is_empty));
        let effects = [Effect::Same, Effect::More, Effect::Fewer];
        let effects = if is_empty { &effects[..2] } else { &effects };
        let effect = self.random.choose(effects).copied().unwrap_or(Effect::Same);
        notes.count(counts::REWRITTEN);
        let mut drawn = None;
        for _ in 0..TRIES {
            let mut program = self.program.clone();
            let steps = self.random.between(1, self.knobs.steps);
            let taken = rewrite(&mut program, self.compared, self.kinds, effect, steps, &mut self.random);
            if taken.is_empty() {
                continue;
            }
            let expected = outcome_of(&program);
            let is_telling = first.is_none() || self.is_telling(effect, first, expected.as_ref().ok());
            if is_telling || drawn.is_none() {
                drawn = Some((program, expected, taken));
            }
            if is_telling {
                break;
            }
        }
        let Some((program, expected, taken)) = drawn else {
            notes.count(counts::REWRITTEN_TO_THE_SAME);
            return None;
        };
        notes.add(counts::REWRITES, taken.len() as u64);
        taken.iter().for_each(|step| notes.count_with(counts::REWRITES_BY_KIND, &[step.name]));
        if effect != Effect::Same {
            notes.count(counts::ROWS_TO_CHANGE);
            if expected.as_ref().ok() == first {
                notes.count(counts::ROWS_UNCHANGED);
            }
        }
        let queries = self.queries(&program, true);
        Some(Variant { effect, program, expected, queries })
    }

    /// True if the compared relation has rows, and others than at first where they were to change.
    fn is_telling(&self, effect: Effect, first: Option<&Outputs>, expected: Option<&Outputs>) -> bool {
        let rows = |outputs: Option<&Outputs>| outputs.and_then(|it| it.get(self.compared_name()).cloned());
        let (before, after) = (rows(first), rows(expected));
        after.as_ref().is_some_and(|rows| !rows.is_empty()) && (effect == Effect::Same || before != after)
    }

    fn variant(&mut self, program: Program, effect: Effect, draws: bool) -> Variant {
        let expected = outcome_of(&program);
        let queries = self.queries(&program, draws);
        Variant { effect, program, expected, queries }
    }

    /// The program to every subject, with options drawn for half of them if wished.
    fn queries(&mut self, program: &Program, draws: bool) -> Vec<Query> {
        let input = input_of(program);
        let limits = Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() };
        let mut queries = Vec::new();
        for member in &self.subjects {
            let choices = member.datalog().map_or(&[][..], |role| &role.options);
            let options = if draws && self.random.percent(50) {
                drawn_options(choices, MOST_OPTIONS, &mut self.random)
            } else {
                Vec::new()
            };
            let query = Query::new(member.id.clone(), input.clone(), Mode::Process);
            queries.push(Query { limits, options, ..query });
        }
        queries
    }

    /// How much of what is made can show anything.
    fn count_emptiness(&self, variants: &[Variant], notes: &mut Notes) {
        let name = self.compared_name();
        for variant in variants {
            notes.count(counts::PROGRAMS);
            match &variant.expected {
                Ok(outputs) if outputs.get(name).is_none_or(BTreeSet::is_empty) => {
                    notes.count(counts::PROGRAMS_WITH_EMPTY_OUTPUT);
                }
                Ok(_) => {}
                Err(_) => notes.count(counts::PROGRAMS_NOT_COMPUTED),
            }
        }
    }

    fn compared_name(&self) -> &str {
        &self.program.relation(self.compared).name
    }

    /// Judges all answers, and asks some of the questions again.
    fn judge(&mut self, variants: &[Variant], answers: &[Answer], notes: &mut Notes) -> Step {
        let questions = variants.iter().flat_map(|variant| {
            variant.queries.iter().enumerate().map(move |(subject, query)| (variant, subject, query))
        });
        let mut again: Vec<Repeated> = Vec::new();
        let mut seen: Vec<&Query> = Vec::new();
        for ((variant, subject, query), answer) in questions.clone().zip(answers) {
            // Where no option was drawn, a question may be the same as an earlier one.
            if seen.contains(&query) {
                continue;
            }
            seen.push(query);
            notes.count_with(counts::ANSWERS, &[answer.verdict.word(), query.analyzer.as_str()]);
            match self.accusation(variant, subject, query, answer, answers) {
                Some(accusation) if accusation.kind == Kind::Soundness => again.push(Repeated {
                    query: query.clone(),
                    first: answer.clone(),
                    accusation: Some(accusation),
                }),
                accusation => notes.exhibits.extend(accusation),
            }
        }
        let is_claim = |(_, answer): &(&Query, &Answer)| matches!(answer.verdict, Verdict::Claim(_));
        let asked = questions.map(|(_, _, query)| query).zip(answers);
        let asked: Vec<(&Query, &Answer)> = asked.filter(is_claim).collect();
        for _ in 0..self.knobs.repeats * self.subjects.len() {
            let Some((query, answer)) = self.random.choose(&asked) else { break };
            if again.iter().all(|known| known.query != **query) {
                again.push(Repeated { query: (*query).clone(), first: (*answer).clone(), accusation: None });
            }
        }
        if again.is_empty() {
            return Step::Done;
        }
        let queries = again.iter().map(|repeated| repeated.query.fresh(SECOND_ATTEMPT)).collect();
        self.stage = Stage::AskedAgain(again);
        Step::Ask(queries)
    }

    /// What is wrong with one answer.
    fn accusation(
        &self,
        variant: &Variant,
        subject: usize,
        query: &Query,
        answer: &Answer,
        answers: &[Answer],
    ) -> Option<Exhibit> {
        match &answer.verdict {
            Verdict::Crash(_) | Verdict::Rejected(_) if must_answer(&variant.program) => {
                let relation = Relation::of(&DatalogRelation::Analyzed);
                return failures::exhibit(self.technique, query, answer, None, relation).map(sampled);
            }
            Verdict::Claim(_) => {}
            _ => return None,
        }
        for (name, rows) in variant.expected.iter().flatten() {
            if difference_from(rows, name, answer).is_some() {
                return Some(wrong(self.technique, query, name));
            }
        }
        // Rewrites of programs that the reference engine computes are a test of juvenal, not of an engine.
        let is_reference = self.subjects[subject].datalog().is_some_and(|role| role.is_reference);
        let is_compared = match variant.expected {
            Ok(_) => is_reference,
            Err(untold) => is_comparable(&variant.program, untold),
        };
        if !is_compared {
            return None;
        }
        if let Some((relation, _)) = stepwise::contradictions(&variant.program, answer).first() {
            return Some(unfounded(self.technique, query, relation));
        }
        let name = self.compared_name();
        let first = answers.get(subject)?;
        let rows: Option<(&[Row], &[Row])> = first.rows(name).zip(answer.rows(name));
        let (before, after) = rows?;
        if agree(variant.effect, before, after) {
            return None;
        }
        let before = Query { input: input_of(&self.program), options: Vec::new(), ..query.clone() };
        Some(contradictory(self.technique, [&before, query], name, variant.effect))
    }

    /// Compares second answers with the first ones. An engine that changes its answer is not accused of the first one.
    fn judge_again(&self, asked: Vec<Repeated>, answers: &[Answer], notes: &mut Notes) {
        notes.add(counts::QUERIES_ASKED_AGAIN, asked.len() as u64);
        for (repeated, second) in asked.into_iter().zip(answers) {
            // Other outputs may depend on statements whose rows differ from run to run.
            let is_steady =
                |name: &&str| *name == self.compared_name() || !is_nondeterministic(&self.program);
            notes.exhibits.extend(match changed_relation(&repeated.first, second).filter(is_steady) {
                Some(relation) => Some(unsteady(self.technique, &repeated.query, relation)),
                None => repeated.accusation,
            });
        }
    }
}

/// True if the rows of a relation cannot differ from run to run.
fn is_steady(program: &Program, relation: RelationId) -> bool {
    if !is_nondeterministic(program) {
        return true;
    }
    let named = named_in_opaque(program);
    ancestry(program, relation).iter().zip(named).all(|(it, is_named)| !is_named || *it == Ancestry::None)
}

/// The same program with all rows asked for.
fn with_all_outputs(program: &Program) -> Program {
    let mut program = program.clone();
    for relation in program.relations.iter_mut().filter(|relation| !relation.is_opaque) {
        (relation.is_output, relation.is_inlined) = (true, false);
    }
    program
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        match std::mem::replace(&mut self.stage, Stage::Begin) {
            Stage::Begin => self.ask(notes),
            Stage::Asked(variants) => self.judge(&variants, answers, notes),
            Stage::AskedAgain(asked) => {
                self.judge_again(asked, answers, notes);
                Step::Done
            }
        }
    }
}
