//! The walk of one case: a program to every engine, then rewritten programs.

use super::judge::{agree, contradictory, difference, wrong};
use super::program::{Row, input_of, rows_of};
use super::{Knobs, Rewriting};
use crate::rewrites::{Effect, Rewrite, rewrite};
use crate::silence;
use crate::useless::Useless;
use crate::{Case, Notes, Opening, Step};
use datalog::{Program, RelationId, check, parse};
use model::{Answer, Limits, Member, Mode, Query, Random, SettingError, Verdict};
use std::collections::BTreeSet;

/// The state of a case.
pub struct Walk {
    technique: &'static str,
    kinds: &'static [&'static dyn Rewrite],
    subjects: Vec<Member>,
    program: Program,
    compared: RelationId,
    knobs: Knobs,
    random: Random,
    asked: Vec<Variant>,
}

/// A program that was asked about.
struct Variant {
    /// What it must do to the rows of the first program.
    effect: Effect,
    /// The rows by the reference engine, where it can tell.
    expected: Option<BTreeSet<Row>>,
    /// A query for each subject.
    queries: Vec<Query>,
}

impl Walk {
    /// A walk over one program; a useless one if the program is none.
    pub fn open(
        technique: &Rewriting,
        opening: &Opening<'_>,
        knobs: Knobs,
    ) -> Result<Box<dyn Case>, SettingError> {
        let useless = |reason: &'static str, detail: String| -> Result<Box<dyn Case>, SettingError> {
            Ok(Box::new(Useless::new(reason, format!("{}: {detail}", opening.seed.name))))
        };
        let program = match parse(&opening.seed.name, &opening.seed.text) {
            Ok(program) => program,
            Err(error) => return useless("juvenal does not understand the program", error.to_string()),
        };
        if let Err(problem) = check(&program) {
            return useless("the program is not safe or not stratified", problem);
        }
        let Some(compared) = program.outputs().next() else {
            return useless("the program has no output", "a line `.output NAME` is missing".to_owned());
        };
        Ok(Box::new(Walk {
            technique: technique.name,
            kinds: technique.kinds,
            subjects: opening.lineup.subjects.iter().filter(|it| it.datalog.is_some()).cloned().collect(),
            program,
            compared,
            knobs,
            random: opening.random.clone(),
            asked: Vec::new(),
        }))
    }

    fn ask(&mut self, notes: &mut Notes) -> Step {
        let first = self.variant(&self.program, Effect::Same);
        let mut variants = vec![first];
        for _ in 0..self.knobs.variants {
            let effects = [Effect::Same, Effect::Fewer, Effect::More];
            let effect = self.random.choose(&effects).copied().unwrap_or(Effect::Same);
            let mut program = self.program.clone();
            let steps = self.random.between(1, self.knobs.steps);
            let taken = rewrite(&mut program, self.compared, self.kinds, effect, steps, &mut self.random);
            notes.add("rewrites", taken.len() as u64);
            if taken.is_empty() {
                notes.count("rewritten programs that are the same");
                continue;
            }
            variants.push(self.variant(&program, effect));
        }
        self.count(&variants, notes);
        self.asked = variants;
        Step::Ask(self.asked.iter().flat_map(|variant| variant.queries.iter().cloned()).collect())
    }

    fn variant(&self, program: &Program, effect: Effect) -> Variant {
        let input = input_of(program);
        let limits = Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() };
        let query =
            |member: &Member| Query { limits, ..Query::new(member.id.clone(), input.clone(), Mode::Process) };
        let queries = self.subjects.iter().map(query).collect();
        let expected = rows_of(program, self.compared);
        Variant { effect, expected, queries }
    }

    /// How much of what is made can show anything.
    fn count(&self, variants: &[Variant], notes: &mut Notes) {
        let first = variants.first().and_then(|variant| variant.expected.as_ref());
        notes.add("programs", variants.len() as u64);
        for variant in variants {
            match &variant.expected {
                Some(rows) if rows.is_empty() => notes.count("programs with an empty output"),
                Some(_) => {}
                None => notes.count("programs that the reference engine cannot compute"),
            }
        }
        let changed = variants.iter().skip(1).filter(|variant| variant.expected.as_ref() != first);
        notes.add("rewritten programs with other rows", changed.count() as u64);
    }

    fn judge(&self, answers: &[Answer], notes: &mut Notes) {
        let name = self.program.relation(self.compared).name.clone();
        let mut rest = answers;
        let mut first: Vec<Option<(Query, Answer)>> = vec![None; self.subjects.len()];
        for (number, variant) in self.asked.iter().enumerate() {
            let (own, others) = rest.split_at(variant.queries.len().min(rest.len()));
            rest = others;
            for (place, (query, answer)) in variant.queries.iter().zip(own).enumerate() {
                self.accuse_of_silence(query, answer, notes);
                if let Some(difference) = difference(query, &name, answer) {
                    notes.exhibits.push(wrong(self.technique, query, &name, &difference));
                } else if variant.expected.is_none()
                    && let Some((before, said)) = &first[place]
                    && let Some((before_rows, rows)) = said.rows(&name).zip(answer.rows(&name))
                    && !agree(variant.effect, before_rows, rows)
                {
                    let pair = [before, query];
                    notes.exhibits.push(contradictory(self.technique, pair, &name, variant.effect));
                }
                if number == 0 {
                    first[place] = Some((query.clone(), answer.clone()));
                }
            }
        }
    }

    fn accuse_of_silence(&self, query: &Query, answer: &Answer, notes: &mut Notes) {
        notes.count(&format!("{} by {}", answer.verdict.word(), query.analyzer));
        if let Verdict::Crash(_) = answer.verdict {
            notes.exhibits.extend(silence::exhibit(self.technique, query, answer, None));
        }
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        if self.asked.is_empty() {
            return self.ask(notes);
        }
        self.judge(answers, notes);
        Step::Done
    }
}
