//! The walk of one case: the engine of an analyzer is asked about consequences of the conditions of a program.

use super::judge::{self, Asked};
use super::prepared::Prepared;
use super::relation::DebugCheckRelation;
use super::{Knobs, counts};
use crate::drawn_options::drawn_options;
use crate::{Case, Notes, Step, failures};
use model::{
    AnalyzerInfo, Annotation, AnnotationKind, Answer, CInput, CheckStatus, DataModel, Exhibit, Input, Limits,
    Mode, ProfileCell, Query, Random, ReachabilityInfo, Relation, Role, Verdict,
};
use std::collections::{BTreeMap, BTreeSet};

/// At most this many options of the analyzer are drawn for a query.
const MOST_OPTIONS: usize = 2;

/// The state of a case.
pub struct Walk {
    prepared: Prepared,
    data_model: DataModel,
    subject: AnalyzerInfo,
    role: ReachabilityInfo,
    executor: Option<Query>,
    knobs: Knobs,
    random: Random,
    rounds: usize,
    stage: Stage,
}

enum Stage {
    Start,
    /// Conditions were put to the engine.
    Put(Query, Vec<Asked>),
    /// What it calls false was executed.
    Executed(Vec<Exhibit>, Box<Answer>),
}

impl Walk {
    /// A walk over one program with one analyzer.
    pub fn new(
        prepared: Prepared,
        data_model: DataModel,
        (subject, role): (AnalyzerInfo, ReachabilityInfo),
        executor: Option<Query>,
        knobs: Knobs,
        random: Random,
    ) -> Walk {
        Walk { prepared, data_model, subject, role, executor, knobs, random, rounds: 0, stage: Stage::Start }
    }

    /// Puts some of what is known to the engine.
    fn ask(&mut self) -> Step {
        if self.rounds >= self.knobs.rounds {
            return Step::Done;
        }
        self.rounds += 1;
        let asked = self.choose();
        if asked.is_empty() {
            return Step::Done;
        }
        let annotation = |(number, it): (u32, &Asked)| Annotation {
            guard: it.derived.guard.as_deref().map(Into::into),
            within: it.within,
            ..Annotation::new(it.place, AnnotationKind::Check(number), it.derived.condition.as_str())
        };
        let annotations = (1..).zip(&asked).map(annotation).collect();
        let input = CInput { base: self.prepared.base.clone(), data_model: self.data_model, annotations };
        let query = self.question(input);
        self.stage = Stage::Put(query.clone(), asked);
        Step::Ask(vec![query])
    }

    /// All that is known, or as much as fits into a question: of each rule about as much as of the others, in order of
    /// the text.
    fn choose(&mut self) -> Vec<Asked> {
        let mut by_rule: BTreeMap<&'static str, Vec<Asked>> = BTreeMap::new();
        for (index, point) in self.prepared.points.iter().enumerate() {
            for derived in &point.derived {
                by_rule.entry(derived.rule).or_default().push(Asked {
                    point: index,
                    place: point.place,
                    within: point.within,
                    origin: point.origin,
                    derived: derived.clone(),
                });
            }
        }
        by_rule.values_mut().for_each(|list| self.random.shuffle(list));
        let mut chosen = Vec::new();
        while chosen.len() < self.knobs.checks && by_rule.values().any(|list| !list.is_empty()) {
            chosen.extend(by_rule.values_mut().filter_map(Vec::pop));
        }
        chosen.truncate(self.knobs.checks);
        chosen.sort_by_key(|asked| asked.place);
        chosen
    }

    fn question(&mut self, input: CInput) -> Query {
        Query {
            role: Role::Debug,
            options: drawn_options(&self.role.options, MOST_OPTIONS, &mut self.random),
            limits: Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() },
            ..Query::new(self.subject.id.clone(), Input::C(input), Mode::Process)
        }
    }

    fn judge_put(&mut self, query: &Query, asked: &[Asked], answer: &Answer, notes: &mut Notes) -> Step {
        notes.count(counts::PROGRAMS);
        if let Verdict::Rejected(message) = &answer.verdict {
            // Compilers differ in what they take beyond the standard.
            return Step::Skip {
                reason: "the analyzer refuses the program".to_owned(),
                detail: message.clone(),
            };
        }
        let relation = Relation::of(&DebugCheckRelation::Analyzed);
        notes.exhibits.extend(failures::exhibit(super::NAME, query, answer, None, relation));
        let Some(claim) = answer.checks() else {
            if let Verdict::Limit(_) = answer.verdict {
                notes.count(counts::QUERIES_ENDED_BY_LIMIT);
            }
            return self.ask();
        };
        let mut unexecuted = Vec::new();
        // What is wrong with the condition is wrong with all that follows from it, so each place accuses once.
        let mut blamed: BTreeSet<usize> = BTreeSet::new();
        for (number, it) in (1..).zip(asked) {
            let Some(said) = claim.checks.iter().find(|claim| claim.check == number) else { continue };
            let (analyzer, rule) = (self.subject.id.as_str(), it.derived.rule);
            notes.profile.count(ProfileCell { analyzer, rule, said: judge::said(said) }, 1);
            notes.count(match said.values {
                Some(_) => counts::EVALUATIONS_ANSWERED,
                None => counts::EVALUATIONS_NOT_REACHED,
            });
            if said.status == CheckStatus::Violated && blamed.insert(it.point) {
                unexecuted.extend(judge::called_false(query, it, number, self.executor.as_ref()));
            }
        }
        notes.exhibits.extend(judge::uneven(query, asked, claim, self.executor.as_ref()));
        if self.knobs.reports_unknown {
            notes.exhibits.extend(judge::unknown(query, asked, claim, self.executor.as_ref()));
        }
        if unexecuted.is_empty() {
            return self.ask();
        }
        let executions: Vec<Query> =
            unexecuted.iter().filter_map(|exhibit| exhibit.queries.get(1).cloned()).collect();
        if executions.is_empty() {
            notes.exhibits.extend(unexecuted.into_iter().filter_map(judge::unexecuted));
            return self.ask();
        }
        self.stage = Stage::Executed(unexecuted, Box::new(answer.clone()));
        Step::Ask(executions)
    }

    /// Reports what an execution refutes, and the rest as a contradiction of the analyzer with itself.
    fn judge_executed(
        &mut self,
        unexecuted: Vec<Exhibit>,
        said: &Answer,
        executions: &[Answer],
        notes: &mut Notes,
    ) -> Step {
        for (exhibit, executed) in unexecuted.into_iter().zip(executions) {
            if judge::broken(&exhibit, &[said.clone(), executed.clone()]) {
                notes.exhibits.push(exhibit);
            } else if judge::has_undefined(executed) {
                notes.count(counts::PROGRAMS_WITH_UNDEFINED_BEHAVIOUR);
            } else {
                notes.count(counts::FALSE_WITHOUT_EXECUTION);
                notes.exhibits.extend(judge::unexecuted(exhibit));
            }
        }
        self.ask()
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        match (std::mem::replace(&mut self.stage, Stage::Start), answers) {
            (Stage::Start, _) => self.ask(),
            (Stage::Put(query, asked), [answer]) => self.judge_put(&query, &asked, answer, notes),
            (Stage::Executed(unexecuted, said), answers) => {
                self.judge_executed(unexecuted, &said, answers, notes)
            }
            _ => Step::Done,
        }
    }
}
