//! Datalog programs: an engine settles a program by computing the rows that follow from it.
//!
//! The reference engine says what follows. Where it cannot, the rows of other engines stand for it if they agree, and those of the
//! analyzer's defaults if there is no other engine; nothing is accused then.

use super::{Asked, Failure, Open, Settled, Task, Unusable, failure};
use crate::datalog_walk::{Outputs, outputs_of, wrong_rows};
use model::{
    Answer, Claim, Exhibit, Input, Language, Limits, Lineup, Mode, Query, Role, Seed, TextInput, Verdict,
};
use std::collections::{BTreeMap, BTreeSet};

/// Wall time for another engine.
const OTHER_ENGINE_MILLISECONDS: u64 = 20_000;

/// A Datalog program.
pub struct RowTask {
    input: Input,
    lineup: Lineup,
    /// The rows of each output.
    expected: Option<Outputs>,
    /// True if the reference engine computed them.
    is_certain: bool,
    is_learned: bool,
}

impl RowTask {
    /// The program as it is.
    pub fn new(seed: &Seed, lineup: &Lineup) -> Result<RowTask, Unusable> {
        let input = Input::Text(TextInput { language: Language::DATALOG, text: seed.text.clone() });
        let program = datalog::parse(&seed.name, &seed.text)
            .map_err(|error| Unusable::new(model::UNPARSED_PROGRAM, error.to_string()))?;
        if program.outputs().next().is_none() {
            return Err(Unusable::new("the program has no output", seed.name.to_string()));
        }
        let expected = outputs_of(&program);
        let is_certain = expected.is_some();
        Ok(RowTask { input, lineup: lineup.clone(), expected, is_certain, is_learned: is_certain })
    }

    fn query(&self, analyzer: &model::AnalyzerInfo, options: &[(String, String)], limits: Limits) -> Query {
        Query {
            role: Role::Datalog,
            options: options.to_vec(),
            limits,
            ..Query::new(analyzer.id.clone(), self.input.clone(), Mode::Process)
        }
    }
}

impl Task for RowTask {
    fn evidence(&self) -> Vec<Query> {
        if self.is_learned {
            return Vec::new();
        }
        let limits = Limits { wall_milliseconds: OTHER_ENGINE_MILLISECONDS, ..Limits::default() };
        let engines = self.lineup.witnesses.iter().filter(|it| it.datalog().is_some());
        engines.map(|it| self.query(it, &[], limits)).collect()
    }

    fn learn(&mut self, _asked: &[Query], answers: &[Answer]) -> Result<(), Unusable> {
        self.is_learned = true;
        let mut given: Vec<Outputs> = answers.iter().filter_map(outputs).collect();
        given.dedup();
        match <[Outputs; 1]>::try_from(given) {
            Ok([only]) => self.expected = Some(only),
            Err(given) if given.is_empty() => {
                return Err(Unusable::new("no engine says what follows from the program", ""));
            }
            Err(_) => return Err(Unusable::new("engines disagree about the program", "")),
        }
        Ok(())
    }

    fn note_default(&mut self, settled: &Settled) -> Result<(), Unusable> {
        if self.expected.is_none() {
            self.expected = settled.rows.clone();
        }
        match self.expected {
            Some(_) => Ok(()),
            None => Err(Unusable::new("no engine says what follows from the program", "")),
        }
    }

    fn queries(&self, ingredient: &Asked<'_>, _settled: &Settled) -> Vec<Query> {
        vec![self.query(ingredient.analyzer, ingredient.options, ingredient.limits)]
    }

    fn settle(&self, _queries: &[Query], answers: &[Answer], settled: &mut Settled) -> Result<(), Failure> {
        for answer in answers {
            if let Some(failure) = failure(&answer.verdict) {
                return Err(failure);
            }
            let Some(given) = outputs(answer) else { continue };
            // Nothing is expected only while the defaults are asked, whose rows are then taken.
            settled.is_answered |= self.expected.as_ref().is_none_or(|expected| given == *expected);
            settled.rows = Some(given);
        }
        Ok(())
    }

    fn accuse(&self, _ingredient: &Asked<'_>, queries: &[Query], answers: &[Answer]) -> Vec<Exhibit> {
        let Some(expected) = self.expected.as_ref().filter(|_| self.is_certain) else { return Vec::new() };
        let mut exhibits = Vec::new();
        for (query, answer) in queries.iter().zip(answers) {
            exhibits.extend(wrong_rows(query, answer, expected));
        }
        exhibits
    }

    fn open(&self, settled: &Settled) -> Open {
        Open {
            unresolved: u32::from(!settled.is_answered),
            total: 1,
            has_evidence: self.is_certain,
            by_function: BTreeMap::new(),
        }
    }
}

/// The rows of an answer by output.
fn outputs(answer: &Answer) -> Option<Outputs> {
    let Verdict::Claim(Claim::Rows(outputs)) = &answer.verdict else { return None };
    let rows = |rows: &Vec<Vec<String>>| rows.iter().cloned().collect::<BTreeSet<_>>();
    Some(outputs.iter().map(|output| (output.relation.clone(), rows(&output.rows))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Cost, OutputRows};

    /// A program of which only an engine says what follows.
    fn task() -> RowTask {
        let seed = Seed::datalog("a.dl", ".decl p(x:number)\n.output p\np(1).\n");
        let task = RowTask::new(&seed, &Lineup::default()).unwrap();
        RowTask { expected: None, is_certain: false, is_learned: false, ..task }
    }

    fn settled(task: &RowTask, value: &str) -> Settled {
        let rows = vec![OutputRows { relation: "p".to_owned(), rows: vec![vec![value.to_owned()]] }];
        let verdict = Verdict::Claim(Claim::Rows(rows));
        let answer = Answer { verdict, cost: Cost::default(), output: Vec::new() };
        let mut settled = Settled::default();
        task.settle(&[], &[answer], &mut settled).unwrap();
        settled
    }

    #[test]
    fn without_another_engine_the_rows_of_the_defaults_are_expected() {
        let mut task = task();
        let default = settled(&task, "1");
        task.note_default(&default).unwrap();
        assert_eq!(task.open(&default).unresolved, 0);
        assert_eq!(task.open(&settled(&task, "1")).unresolved, 0);
        assert_eq!(task.open(&settled(&task, "2")).unresolved, 1);
    }

    #[test]
    fn without_any_rows_the_program_is_not_used() {
        let problem = task().note_default(&Settled::default()).unwrap_err();
        assert_eq!(problem.reason, "no engine says what follows from the program");
    }
}
