//! The walk of one case: the seed, then rounds of changing a known program and asking about the result.

use super::annotated::{Annotated, Item};
use super::condition::Condition;
use super::judge::{self, Dispute};
use super::knowledge::{Knowledge, Known};
use super::material::Material;
use super::observation::{self, Trial};
use super::relation::{InterrogationRelation, PairRelation};
use super::transform::{Bounds, Change, Oracle, transform};
use super::{Knobs, counts};
use crate::checks::{self, Statuses, Unsettled};
use crate::drawn_options::drawn_options;
use crate::{Case, Notes, Step, execution, failures};
use model::{
    AnalyzerInfo, AnnotationKind, Answer, CheckStatus, Input, Limits, Lineup, Mode, Query, Random,
    ReachabilityInfo, Relation, Verdict,
};

/// At most this many options of the analyzer are drawn for a case, so cases stay different.
const MOST_OPTIONS: usize = 3;
/// After this many rounds, other conditions are tried in executions.
const ROUNDS_BETWEEN_TRIALS: usize = 200;
/// Percentage of strengthened programs that are changed evenly in the next round.
const FOLLOWED_UP: usize = 50;
/// Attempts to make a program to ask about before the case is abandoned.
const BARREN_ATTEMPTS: usize = 200;

/// The state of a case.
pub struct Walk {
    material: Material,
    subject: AnalyzerInfo,
    role: ReachabilityInfo,
    executor: Option<AnalyzerInfo>,
    options: Vec<(String, String)>,
    knobs: Knobs,
    random: Random,
    knowledge: Knowledge,
    rounds: usize,
    next_trial: usize,
    idle: usize,
    suspicions: usize,
    stage: Stage,
}

enum Stage {
    Start,
    /// The seed was put to the analyzer and executed.
    Seed(Query),
    /// The seed was executed without notes.
    Plain,
    /// Conditions were tried in executions.
    Trial(Trial),
    /// A program made from nothing was asked; only where there is no knowledge base.
    Fresh(Annotated, Query),
    /// A changed program was asked.
    Round(Box<Round>),
    /// Executions of both programs of a pair that contradict each other.
    Executed(Box<Pair>),
}

/// A known program and its variant.
struct Round {
    known: Known,
    change: Change,
    query: Query,
}

/// Two programs whose answers break a relation.
struct Pair {
    relation: PairRelation,
    disputes: Vec<Dispute>,
    queries: [Query; 2],
    answers: [Answer; 2],
    /// Executions of the first program and of the second; empty if no analyzer can execute them.
    executions: Vec<Query>,
}

impl Walk {
    /// A walk over one program with one subject.
    pub fn new(
        material: Material,
        subject: AnalyzerInfo,
        role: ReachabilityInfo,
        lineup: &Lineup,
        knobs: Knobs,
        mut random: Random,
    ) -> Walk {
        let options =
            if knobs.options { drawn_options(&role.options, MOST_OPTIONS, &mut random) } else { Vec::new() };
        let executor = execution::executor(lineup, Some(&subject), material.data_model).cloned();
        let knowledge = Knowledge::new(material.points.len(), knobs.life);
        Walk {
            material,
            subject,
            role,
            executor,
            options,
            knobs,
            random,
            knowledge,
            rounds: 0,
            next_trial: 0,
            idle: 0,
            suspicions: 0,
            stage: Stage::Start,
        }
    }

    /// The seed with one check that cannot fail: does the analyzer take it, and is it free of undefined behaviour?
    fn ask_seed(&mut self) -> Step {
        let check = Item::new(0, AnnotationKind::Check(1), Condition::Constant(true));
        let seed = self.query(&Annotated { items: vec![check] });
        let mut queries = vec![seed.clone()];
        queries.extend(self.execution_of(Input::C(observation::noting_values(&self.material))));
        self.stage = Stage::Seed(seed);
        Step::Ask(queries)
    }

    fn judge_seed(&mut self, query: &Query, answers: &[Answer], notes: &mut Notes) -> Step {
        let Some(answer) = answers.first() else { return Step::Done };
        notes.count_with(counts::SEED_ANSWERED, &[answer.verdict.word()]);
        if let Verdict::Crash(_) = answer.verdict {
            let relation = Relation::of(&InterrogationRelation::Analyzed);
            notes.exhibits.extend(failures::exhibit(super::NAME, query, answer, None, relation));
            return Step::Done;
        }
        if answer.checks().is_none() {
            let detail = match &answer.verdict {
                Verdict::Rejected(text) | Verdict::Unreadable(text) => text.clone(),
                Verdict::Unknown if self.role.executes => {
                    "it answered unknown; an analyzer that runs every input takes few of them".to_owned()
                }
                other => format!("it answered {}", other.word()),
            };
            let reason = format!("{} does not analyze the seed", self.subject.id.name());
            return Step::Skip { reason, detail: self.about_seed(&detail) };
        }
        let warned = answer.checks().filter(|_| !self.role.executes);
        if let Some(detail) = warned.and_then(|claim| claim.undefined.clone()) {
            let reason =
                format!("{} does not exclude undefined behaviour in the seed", self.subject.id.name());
            return Step::Skip { reason, detail: self.about_seed(&detail) };
        }
        if let Some(detail) = answers.iter().find_map(|answer| answer.checks()?.undefined.clone()) {
            return self.skip_undefined(&detail);
        }
        match answers.get(1).map(Answer::checks) {
            Some(Some(executed)) => observation::keep_values(&mut self.material, executed),
            // The notes may take too long; the seed alone shows whether it is free of undefined behaviour.
            Some(None) => {
                notes.count(counts::SEEDS_WITHOUT_NOTES);
                if let Some(plain) = self.execution_of(Input::C(self.material.bare())) {
                    self.stage = Stage::Plain;
                    return Step::Ask(vec![plain]);
                }
            }
            None => {}
        }
        self.next_round(notes)
    }

    fn judge_plain(&mut self, answer: &Answer, notes: &mut Notes) -> Step {
        match answer.checks().map(|claim| claim.undefined.clone()) {
            Some(Some(detail)) => self.skip_undefined(&detail),
            Some(None) => self.next_round(notes),
            None => {
                notes.count(counts::SEEDS_NOT_EXECUTED);
                self.next_round(notes)
            }
        }
    }

    fn skip_undefined(&self, detail: &str) -> Step {
        let reason = "the seed has undefined behaviour".to_owned();
        Step::Skip { reason, detail: self.about_seed(detail) }
    }

    fn about_seed(&self, detail: &str) -> String {
        format!("{}: {detail}", self.material.name)
    }

    /// Runs the seed to see how often conditions hold; `None` if no analyzer can run it.
    fn try_conditions(&mut self) -> Option<Step> {
        let trial = observation::trial(&self.material, &mut self.random);
        let noting = Input::C(observation::noting_conditions(&self.material, &trial));
        let query = self.execution_of(noting)?;
        self.stage = Stage::Trial(trial);
        Some(Step::Ask(vec![query]))
    }

    fn judge_trial(&mut self, trial: Trial, answers: &[Answer], notes: &mut Notes) -> Step {
        if let Some(executed) = answers.first().and_then(Answer::checks) {
            // Annotations bring in no undefined behaviour, so it is the seed's.
            if let Some(detail) = &executed.undefined {
                return self.skip_undefined(detail);
            }
            observation::keep_conditions(&mut self.material, trial, executed);
        }
        self.next_round(notes)
    }

    /// The next question, or the end.
    fn next_round(&mut self, notes: &mut Notes) -> Step {
        // Without a knowledge base nothing is ever kept.
        let is_idle = self.knobs.knowledge && self.idle >= self.knobs.idle;
        if self.rounds >= self.knobs.rounds || is_idle {
            notes.add(counts::KNOWN_PROGRAMS, self.knowledge.len() as u64);
            return Step::Done;
        }
        if self.rounds >= self.next_trial {
            self.next_trial += ROUNDS_BETWEEN_TRIALS;
            if let Some(step) = self.try_conditions() {
                return step;
            }
        }
        if !self.knobs.knowledge {
            return self.ask_fresh();
        }
        for _ in 0..BARREN_ATTEMPTS {
            let known = self.knowledge.choose(&mut self.random);
            let oracle = *self
                .random
                .choose(&[Oracle::Strengthen, Oracle::Weaken, Oracle::Even])
                .unwrap_or(&Oracle::Strengthen);
            if let Some(step) = self.ask_changed(known, oracle) {
                return step;
            }
        }
        Step::Done
    }

    /// A program made from nothing, for the baselines that have no history.
    fn ask_fresh(&mut self) -> Step {
        let bounds = Bounds { per_check: true, ..self.bounds() };
        let empty = (Annotated::default(), Statuses::new());
        for _ in 0..BARREN_ATTEMPTS {
            let made =
                transform(&self.material, &empty.0, &empty.1, Oracle::Strengthen, bounds, &mut self.random);
            // A program without a check cannot be compared with anything.
            if let Some(change) = made.filter(|change| change.program.checks().next().is_some()) {
                let query = self.query(&change.program);
                self.stage = Stage::Fresh(change.program, query.clone());
                return Step::Ask(vec![query]);
            }
        }
        Step::Done
    }

    fn judge_fresh(&mut self, program: Annotated, query: &Query, answer: &Answer, notes: &mut Notes) -> Step {
        self.rounds += 1;
        self.accuse_of_silence(query, answer, notes);
        let Some(statuses) = checks::statuses(answer) else { return self.next_round(notes) };
        let fails = |status: &CheckStatus| Unsettled::of(&self.role).fails(*status) == Some(true);
        let oracles: &[Oracle] = match (self.knobs.per_check, statuses.values().any(fails)) {
            (true, _) => &[Oracle::Strengthen, Oracle::Weaken, Oracle::Even],
            (false, true) => &[Oracle::Weaken],
            (false, false) => &[Oracle::Strengthen, Oracle::Even],
        };
        let oracle = *self.random.choose(oracles).unwrap_or(&Oracle::Strengthen);
        match self.ask_changed(Known { program, statuses, failing_places: 0, life: 0 }, oracle) {
            Some(step) => step,
            None => self.next_round(notes),
        }
    }

    /// Changes a program and asks about the result.
    fn ask_changed(&mut self, known: Known, oracle: Oracle) -> Option<Step> {
        let bounds = self.bounds();
        let change =
            transform(&self.material, &known.program, &known.statuses, oracle, bounds, &mut self.random)?;
        if change.program == known.program {
            return None;
        }
        let query = self.query(&change.program);
        self.stage = Stage::Round(Box::new(Round { known, change, query: query.clone() }));
        Some(Step::Ask(vec![query]))
    }

    fn judge_round(&mut self, round: Round, answer: &Answer, notes: &mut Notes) -> Step {
        let Round { known, change, query } = round;
        self.rounds += 1;
        self.idle += 1;
        change.steps.iter().for_each(|step| notes.count(*step));
        self.accuse_of_silence(&query, answer, notes);
        let Some(statuses) = checks::statuses(answer) else { return self.next_round(notes) };
        let relation = judge::relation(&change, &self.role, self.knobs.per_check);
        self.count_vacuity(&known, &change, &statuses, notes);
        let disputes = judge::disputes(&relation, &known.statuses, &statuses);
        if !disputes.is_empty() {
            notes.count(counts::CONTRADICTIONS);
            let first = self.query(&known.program);
            let first_answer = said(&known.statuses, answer);
            let executions = [&first, &query].into_iter().filter_map(|query| self.execution(query)).collect();
            let pair = Pair {
                relation,
                disputes,
                queries: [first, query],
                answers: [first_answer, answer.clone()],
                executions,
            };
            return self.execute(pair, notes);
        }
        let points = self.material.points.len();
        let profile = change.program.profile(points, &statuses, Unsettled::of(&self.role));
        let known = Known { program: change.program, statuses, failing_places: 0, life: 0 };
        if self.knobs.knowledge
            && self.knowledge.remember(profile, known.program.clone(), known.statuses.clone())
        {
            self.idle = 0;
        }
        self.follow_up(known, change.oracle).unwrap_or_else(|| self.next_round(notes))
    }

    /// What was just added and is verified may be assumed at once: an assumption that excludes nothing is where
    /// analyzers lose executions.
    fn follow_up(&mut self, known: Known, oracle: Oracle) -> Option<Step> {
        let fits = self.knobs.knowledge && oracle == Oracle::Strengthen && self.rounds < self.knobs.rounds;
        (fits && self.random.percent(FOLLOWED_UP)).then(|| self.ask_changed(known, Oracle::Even))?
    }

    fn execute(&mut self, pair: Pair, notes: &mut Notes) -> Step {
        let queries = pair.executions.clone();
        if queries.is_empty() {
            return self.report(&pair, &[], notes);
        }
        self.stage = Stage::Executed(Box::new(pair));
        Step::Ask(queries)
    }

    /// Reports a claim that an execution refutes as one program, and otherwise the pair.
    fn report(&mut self, pair: &Pair, executed: &[Answer], notes: &mut Notes) -> Step {
        if let Some(detail) = executed.iter().find_map(|answer| answer.checks()?.undefined.clone()) {
            return self.skip_undefined(&detail);
        }
        for (index, answer) in executed.iter().enumerate() {
            if !checks::refuted_checks(&pair.answers[index], answer).is_empty() {
                let (asked, execution) = (pair.queries[index].clone(), pair.executions[index].clone());
                notes.exhibits.push(judge::refuted(asked, execution));
                return self.next_round(notes);
            }
        }
        // A program that cannot be executed could become anything while it is reduced.
        if !executed.iter().all(checks::is_clean) {
            notes.count(counts::CONTRADICTIONS_NOT_EXECUTED);
            return self.next_round(notes);
        }
        let is_suspicion = pair.disputes.iter().all(|dispute| dispute.other != CheckStatus::Violated);
        self.suspicions += usize::from(is_suspicion);
        if is_suspicion && self.suspicions > self.knobs.suspicions {
            notes.count(counts::SUSPICIONS_DROPPED);
            return self.next_round(notes);
        }
        let queries = pair.queries.iter().chain(&pair.executions).cloned().collect();
        notes.exhibits.push(judge::contradiction(&pair.relation, &pair.disputes, queries));
        self.next_round(notes)
    }

    /// How much of the work was empty: answers without a failing check, pairs without a check in common.
    fn count_vacuity(&self, known: &Known, change: &Change, statuses: &Statuses, notes: &mut Notes) {
        let fails = |status: &CheckStatus| Unsettled::of(&self.role).fails(*status) == Some(true);
        notes.count(counts::PAIRS);
        if !statuses.values().any(fails) {
            notes.count(counts::PROGRAMS_WITHOUT_FAILING_CHECK);
        }
        let is_compared = |check: &u32| statuses.contains_key(check) && !change.touched.contains(check);
        if !known.statuses.keys().any(is_compared) {
            notes.count(counts::PAIRS_WITHOUT_COMMON_CHECK);
        }
    }

    fn accuse_of_silence(&self, query: &Query, answer: &Answer, notes: &mut Notes) {
        match answer.verdict {
            Verdict::Crash(_) | Verdict::Rejected(_) => {
                let relation = Relation::of(&InterrogationRelation::Analyzed);
                let execution = self.execution(query);
                notes.exhibits.extend(failures::exhibit(super::NAME, query, answer, execution, relation));
            }
            Verdict::Limit(_) => notes.count(counts::ROUNDS_ENDED_BY_LIMIT),
            _ => {}
        }
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            doublings: self.knobs.doublings,
            annotations: self.knobs.annotations,
            // An analyzer with a single property is asked once for each check.
            checks: if self.role.reports_all { usize::MAX } else { self.knobs.calls },
            per_check: self.knobs.per_check,
        }
    }

    fn query(&self, program: &Annotated) -> Query {
        Query {
            options: self.options.clone(),
            limits: Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() },
            ..Query::new(self.subject.id.clone(), Input::C(program.input(&self.material)), Mode::Process)
        }
    }

    /// The query that executes the same program; `None` if no analyzer can.
    fn execution(&self, query: &Query) -> Option<Query> {
        self.execution_of(query.input.clone())
    }

    fn execution_of(&self, input: Input) -> Option<Query> {
        let executor = self.executor.as_ref()?;
        Some(Query {
            limits: Limits { wall_milliseconds: self.knobs.execution, ..Limits::default() },
            ..Query::new(executor.id.clone(), input, Mode::Process)
        })
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        match (std::mem::replace(&mut self.stage, Stage::Start), answers) {
            (Stage::Start, _) => self.ask_seed(),
            (Stage::Seed(query), _) => self.judge_seed(&query, answers, notes),
            (Stage::Plain, [answer]) => self.judge_plain(answer, notes),
            (Stage::Trial(trial), _) => self.judge_trial(trial, answers, notes),
            (Stage::Fresh(program, query), [answer]) => self.judge_fresh(program, &query, answer, notes),
            (Stage::Round(round), [answer]) => self.judge_round(*round, answer, notes),
            (Stage::Executed(pair), executed) => self.report(&pair, executed, notes),
            _ => Step::Done,
        }
    }
}

/// What was said earlier, as an answer.
fn said(statuses: &Statuses, like: &Answer) -> Answer {
    let claims = statuses.iter().map(|(check, status)| model::CheckClaim::new(*check, *status));
    let claim = model::ChecksClaim { checks: claims.collect(), undefined: None };
    Answer { verdict: Verdict::Claim(model::Claim::Checks(claim)), cost: like.cost, output: Vec::new() }
}
