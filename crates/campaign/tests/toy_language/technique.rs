//! The technique of the toy language: an analyzer must agree with the evaluator.

use crate::formula::{FORMULAS, Formula};
use model::{
    AnalyzerId, Answer, Evidence, Exhibit, Input, Kind, Mode, Query, Random, Relation, RelationData, Seed,
    SmtStatus, TextInput, Weighed,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use techniques::{
    Case, Judge, Judgement, MadeSeed, Notes, Pass, Patch, Seeds, Stance, Step, Technique, Trial, Trials,
    every_query,
};

/// The depth of generated formulas.
const DEPTH: usize = 4;
/// The number of formulas in a case.
pub const FORMULAS_IN_A_CASE: usize = 8;

/// The answer that the evaluator gives, which the analyzer must not contradict.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Truth {
    Satisfiable,
    Unsatisfiable,
}

impl RelationData for Truth {
    const SCHEMA: u32 = 1;
}

pub static TECHNIQUE: Technique = Technique {
    name: "known_answers",
    language: FORMULAS,
    seed_language: FORMULAS,
    manual: include_str!("known_answers.md"),
    knobs: &[],
    seeds: Seeds::Made(|_, mut random| {
        let formula = Formula::generate(&mut random, DEPTH).to_string();
        let program = Seed { is_generated: true, ..Seed::new(FORMULAS, "a generated formula", &formula) };
        Ok(MadeSeed { program, csmith: None })
    }),
    cases_in_a_row: 1,
    least_subjects: 1,
    shares: &[],
    stance: |analyzer| if analyzer.smt().is_some() { Stance::Subject } else { Stance::No },
    open: &|opening| {
        Ok(Box::new(Walk {
            subject: opening.lineup.subjects[0].id.clone(),
            seed: opening.seed.text.to_string(),
            random: opening.random,
            asked: Vec::new(),
        }))
    },
    judge: Judge {
        reads: |relation| relation.is::<Truth>(),
        judge: &|exhibit, answers| match answers.first() {
            None => Judgement::NeedMore,
            Some(answer) => {
                let denied = denied_truth(&exhibit.queries[0], answer);
                Judgement::on_all(denied.is_some() && denied == exhibit.relation.read())
            }
        },
        deciding_prefix: every_query,
        hearing: |_, _, _| Vec::new(),
        weigh: |_, _| Weighed {
            kind: None,
            evidence: Evidence::Contradiction,
            reasons: vec!["The evaluator tried every assignment.".to_owned()],
            files: Vec::new(),
        },
        features: |exhibit, _| {
            let formula = formula_of(&exhibit.queries[0]);
            formula.iter().flat_map(Formula::operators).map(str::to_owned).collect::<BTreeSet<_>>()
        },
    },
    passes: &[&SmallerFormulas],
    with_text: None,
    trials: Trials {
        twin: Some(Trial::of(&["tiny-sat.toml"], 40)),
        liars: &[Trial::of(&["tiny-sat.toml:lie=or"], 20)],
    },
};

/// The formula that a query is about.
pub fn formula_of(query: &Query) -> Option<Formula> {
    Formula::parse(query.input.text_in(FORMULAS)?).ok()
}

fn input_of(formula: &Formula) -> Input {
    Input::Text(TextInput { language: FORMULAS, text: format!("{formula}\n").into() })
}

/// What the evaluator says, if the answer contradicts it.
fn denied_truth(query: &Query, answer: &Answer) -> Option<Truth> {
    let is_satisfiable = formula_of(query)?.is_satisfiable();
    match (answer.smt_checks().first()?.status, is_satisfiable) {
        (SmtStatus::Sat, false) => Some(Truth::Unsatisfiable),
        (SmtStatus::Unsat, true) => Some(Truth::Satisfiable),
        _ => None,
    }
}

/// Asks about the seed and about formulas that combine it with generated ones.
struct Walk {
    subject: AnalyzerId,
    seed: String,
    random: Random,
    asked: Vec<Query>,
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        for (query, answer) in self.asked.iter().zip(answers) {
            notes.exhibits.extend(denied_truth(query, answer).map(|truth| exhibit(query, truth)));
        }
        if !self.asked.is_empty() {
            return Step::Done;
        }
        let seed = match Formula::parse(&self.seed) {
            Ok(seed) => seed,
            Err(detail) => return Step::Skip { reason: "the seed is not a formula".to_owned(), detail },
        };
        let mut formulas = vec![seed.clone()];
        while formulas.len() < FORMULAS_IN_A_CASE {
            let other = Formula::generate(&mut self.random, DEPTH);
            formulas.push(Formula::And(Box::new(seed.clone()), Box::new(other)));
        }
        let ask = |formula| Query::new(self.subject.clone(), input_of(formula), Mode::Process);
        self.asked = formulas.iter().map(ask).collect();
        Step::Ask(self.asked.clone())
    }
}

fn exhibit(query: &Query, truth: Truth) -> Exhibit {
    let (kind, title) = match truth {
        Truth::Satisfiable => (Kind::Soundness, "unsat on a satisfiable formula"),
        Truth::Unsatisfiable => (Kind::Precision, "sat on an unsatisfiable formula"),
    };
    Exhibit {
        technique: TECHNIQUE.name.to_owned(),
        kind,
        title: title.to_owned(),
        queries: vec![query.clone()],
        relation: Relation::of(&truth),
        sample_key: None,
    }
}

/// Proposes every formula that is one step smaller.
struct SmallerFormulas;

impl Pass for SmallerFormulas {
    fn name(&self) -> &'static str {
        "formulas"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let formula = formula_of(&exhibit.queries[0]);
        let smaller = formula.iter().flat_map(Formula::smaller);
        smaller.map(|formula| Patch::WholeText(formula.to_string().into())).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let [Patch::WholeText(text)] = patches else { return None };
        let mut smaller = exhibit.clone();
        smaller.queries[0].input = input_of(&Formula::parse(text).ok()?);
        Some(smaller)
    }
}
