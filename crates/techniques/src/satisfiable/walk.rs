//! The walk of one case: the seed itself, then batches of instances under several assignments.

use super::instance::{BatchShape, Instance, Variant};
use super::{Knobs, NAME, counts};
use crate::scripts::judge::{self, Accusation};
use crate::scripts::mode::fitting;
use crate::scripts::pool::{Bounds, Pool};
use crate::scripts::predicates::{Unseen, initial_formulas};
use crate::scripts::prepared::Prepared;
use crate::{Case, MadeScripts, Notes, Step};
use model::{
    AnalyzerInfo, Answer, Exhibit, Input, Limits, Mode, Query, Random, SmtInfo, SmtInput, SmtStatus, Verdict,
};
use smt::print::Printer;
use smt::{Assignment, Flavour};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

/// Instances asked at once. One batch shares options, logic and mode, so that one warm session answers it.
const BATCH: usize = 32;

/// The number of instances of a batch of which one is a formula of the seed alone, as long as there are any.
const ALONE_SHARE: usize = 3;
/// The least bound on the length of constructed formulas that is drawn.
const SHORTEST_BOUND: usize = 120;
/// The number of batches in a row without a claim after which the rest of the case would be wasted.
const BARREN_BATCHES: u32 = 2;

/// The state of a case.
pub struct Walk {
    prepared: Prepared,
    subject: AnalyzerInfo,
    abilities: SmtInfo,
    knobs: Knobs,
    random: Random,
    stage: Stage,
    assignments: VecDeque<Assignment>,
    seen: BTreeSet<model::Hash>,
    seed_was_accepted: bool,
    left: usize,
    barren_batches: u32,
}

enum Stage {
    /// Nothing asked yet.
    Start,
    /// The seed itself was asked.
    Seed(Query),
    /// The negation of an unsatisfiable seed was asked.
    Negation(Query),
    /// A batch was asked.
    Batch { queries: Vec<Query>, instances: Vec<Instance>, material: Material },
    /// Between batches.
    Working(Material),
}

/// The material of instances under one assignment.
struct Material {
    assignment_text: Arc<str>,
    pool: Pool,
    /// How many of the seed's own formulas were asked alone.
    asked_alone: usize,
    instances_left: usize,
}

impl Walk {
    /// A walk over a prepared seed with one subject.
    pub fn new(
        prepared: Prepared,
        subject: AnalyzerInfo,
        abilities: SmtInfo,
        knobs: Knobs,
        random: Random,
    ) -> Walk {
        Walk {
            prepared,
            subject,
            abilities,
            knobs,
            random,
            stage: Stage::Start,
            assignments: VecDeque::new(),
            seen: BTreeSet::new(),
            seed_was_accepted: false,
            left: 0,
            barren_batches: 0,
        }
    }

    fn ask_seed(&mut self) -> Step {
        let Some(itself) = &self.prepared.itself else { return self.start_assignments() };
        let mut input = itself.clone();
        input.options = self.prepared.options_for(&self.abilities).into();
        if self.abilities.models {
            input.options = format!("(set-option :produce-models true)\n{}", input.options).into();
            input.body = format!("{}(get-model)\n", input.body).into();
        }
        let query = self.query(input, Mode::Process);
        self.stage = Stage::Seed(query.clone());
        Step::Ask(vec![query])
    }

    fn judge_seed(&mut self, query: &Query, answer: &Answer, notes: &mut Notes) -> Step {
        notes.count_with(counts::SEED_ANSWERED, &[answer.verdict.word()]);
        self.report_failures(query, answer, notes);
        let last = answer.smt_checks().last();
        self.seed_was_accepted = last.is_some();
        let model = last.and_then(|check| check.model.as_deref());
        if let Some(model) = model.filter(|_| self.prepared.flat) {
            self.take_model(query, model, notes);
        }
        let bound = self.abilities.approximation.binds_exclusions();
        let unsat = bound && last.is_some_and(|check| check.status == SmtStatus::Unsat);
        if unsat && self.prepared.flat {
            self.doubt_unsat(query, notes);
            return self.ask_negation();
        }
        self.start_assignments()
    }

    /// The solver answers `unsat`; an assignment found by juvenal's own search would show that it is wrong.
    fn doubt_unsat(&mut self, query: &Query, notes: &mut Notes) {
        let mut random = self.random.split();
        let prepared = &self.prepared;
        if let Some(found) =
            smt::search::local_search(&prepared.script, &prepared.assertions, &mut random, self.knobs.search)
        {
            let text = found.describe(&prepared.script);
            notes.exhibits.extend(judge::wrong_unsat(NAME, query, &text, &title(&Variant::Plain, 0)));
            self.assignments.push_back(found);
        }
    }

    /// A model of the negation of an unsatisfiable seed gives an assignment near the border.
    fn ask_negation(&mut self) -> Step {
        if !self.abilities.models {
            return self.start_assignments();
        }
        let mut body = self.prepared.declarations.to_string();
        body.push_str("(assert (not (and true");
        let mut printer = Printer::new(&self.prepared.script.terms);
        for assertion in &self.prepared.assertions {
            body.push(' ');
            printer.write_term(*assertion, &mut body);
        }
        body.push_str(")))\n(check-sat)\n(get-model)\n");
        let input = SmtInput {
            options: "(set-option :produce-models true)\n".into(),
            logic: self.prepared.logic.clone(),
            body: body.into(),
            checks: 1,
        };
        let query = self.query(input, Mode::Process);
        self.stage = Stage::Negation(query.clone());
        Step::Ask(vec![query])
    }

    fn take_negation(&mut self, answer: &Answer, notes: &mut Notes) -> Step {
        let model = answer.smt_checks().first().and_then(|check| check.model.as_deref());
        if let Some(read) =
            model.and_then(|model| smt::model::read_model(&mut self.prepared.script, model).ok())
        {
            notes.count(counts::ASSIGNMENTS_FROM_MODELS);
            self.assignments.push_back(read.assignment);
        }
        self.start_assignments()
    }

    /// Checks the solver's model of the seed and keeps it as an assignment.
    fn take_model(&mut self, query: &Query, model: &str, notes: &mut Notes) {
        match smt::model::read_model(&mut self.prepared.script, model) {
            Ok(read) => {
                notes.count(counts::ASSIGNMENTS_FROM_MODELS);
                notes.exhibits.extend(self.accuse_of_model(query, model));
                self.assignments.push_back(read.assignment);
            }
            Err(_) => notes.count(counts::MODELS_NOT_READ),
        }
    }

    fn start_assignments(&mut self) -> Step {
        let mut unseen = Unseen::new(&self.prepared, self.knobs.depth);
        self.assignments.iter().for_each(|assignment| unseen.look(&self.prepared, assignment));
        while self.assignments.len() < self.knobs.assignments {
            let sought = if self.random.coin() {
                unseen.search(&mut self.prepared, &mut self.random, self.knobs.search)
            } else {
                None
            };
            let drawn = sought.unwrap_or_else(|| {
                let flavour = *self.random.choose(&Flavour::ALL).unwrap_or(&Flavour::Mixed);
                smt::search::draw_assignment(&self.prepared.script, &mut self.random, flavour)
            });
            unseen.look(&self.prepared, &drawn);
            self.assignments.push_back(drawn);
        }
        self.assignments.truncate(self.knobs.assignments.max(1));
        self.left = self.assignments.len();
        Step::Ask(Vec::new())
    }

    /// Evaluates the seed's predicates under the next assignment and builds formulas over them.
    fn next_material(&mut self, notes: &mut Notes) -> Option<Material> {
        while let Some(assignment) = self.assignments.pop_front() {
            let initial = initial_formulas(&self.prepared, &assignment, self.knobs.depth, notes);
            if initial.is_empty() {
                notes.count(counts::ASSIGNMENTS_WITHOUT_PREDICATES);
                continue;
            }
            notes.count(counts::ASSIGNMENTS);
            let total = self.knobs.instances.unwrap_or((initial.len() * 10).clamp(300, 1000));
            let constructed = self.knobs.constructed.unwrap_or((initial.len() * 20).clamp(200, 1500));
            // Short formulas are cheap to ask and long ones reach deeper, so each assignment draws its own bound.
            let length = (self.knobs.length >> self.random.below(5)).max(SHORTEST_BOUND);
            let paper = self.knobs.paper || self.random.percent(33);
            let bounds = Bounds { depth: self.knobs.depth, length, paper };
            let pool = Pool::construct(initial, constructed, bounds, &mut self.random);
            notes.add(counts::FORMULAS, pool.constructed_count() as u64);
            let assignment_text: Arc<str> = assignment.describe(&self.prepared.script).into();
            // An accusation carries the assignment as text, so the text must say all of it.
            if smt::model::read_model(&mut self.prepared.script, &assignment_text).is_err() {
                notes.count(counts::ASSIGNMENTS_NOT_READ_BACK);
                continue;
            }
            return Some(Material {
                assignment_text,
                pool,
                asked_alone: 0,
                instances_left: total.div_ceil(self.left.max(1)),
            });
        }
        None
    }

    fn next_batch(&mut self, mut material: Material, notes: &mut Notes) -> Step {
        let (shape, mode) = self.draw_shape();
        let wanted = BATCH.min(material.instances_left);
        material.instances_left -= wanted;
        let (mut queries, mut instances) = (Vec::with_capacity(wanted), Vec::with_capacity(wanted));
        let mut buffer = String::new();
        for index in 0..wanted {
            let alone =
                material.pool.initial().get(material.asked_alone).filter(|_| index < wanted / ALONE_SHARE);
            let instance = match alone {
                Some(formula) => {
                    material.asked_alone += 1;
                    shape.alone(formula, &mut self.random)
                }
                None => shape.draw(&material.pool, &mut self.random, &mut buffer),
            };
            let input = Input::Smt(instance.input.clone());
            if !self.seen.insert(input.identity()) {
                notes.count(counts::INSTANCES_DRAWN_TWICE);
                continue;
            }
            queries.push(self.query(instance.input.clone(), mode));
            instances.push(instance);
        }
        notes.scripts = Some(MadeScripts::Satisfiable);
        notes.add(counts::INSTANCES, queries.len() as u64);
        notes.add(counts::CHECKS, instances.iter().map(|instance| u64::from(instance.input.checks)).sum());
        self.stage = Stage::Batch { queries: queries.clone(), instances, material };
        Step::Ask(queries)
    }

    /// Draws what the next batch shares.
    fn draw_shape(&mut self) -> (BatchShape, Mode) {
        let subject = &self.abilities;
        let random = &mut self.random;
        let mode = fitting(self.knobs.mode.draw(random), &self.subject.modes);
        let model = subject.models && random.percent(self.knobs.models);
        let mut options = String::new();
        if model {
            options.push_str("(set-option :produce-models true)\n");
        }
        match random.below(100) {
            0..15 => options.push_str(&self.prepared.options_for(subject)),
            15..45 if self.knobs.tactics => draw_options(subject, random, &mut options),
            _ => {}
        }
        let logic = self.prepared.draw_logic(subject, random);
        let tactics = if self.knobs.tactics { subject.tactics.clone() } else { Vec::new() };
        let shape = BatchShape {
            options: options.into(),
            logic,
            declarations: self.prepared.declarations.clone(),
            assertions: (self.knobs.assertions >> random.below(7)).max(1),
            tactics,
            model,
            incremental: subject.incremental && self.knobs.incremental,
            assuming: subject.assuming && self.knobs.incremental,
            named: subject.named,
        };
        (shape, mode)
    }

    fn judge_batch(
        &mut self,
        queries: &[Query],
        instances: &[Instance],
        answers: &[Answer],
        assignment_text: &str,
        notes: &mut Notes,
    ) {
        let silent = answers.iter().all(|answer| answer.smt_checks().is_empty());
        self.barren_batches = if silent { self.barren_batches + 1 } else { 0 };
        for ((query, instance), answer) in queries.iter().zip(instances).zip(answers) {
            let unsat = answer.smt_checks().iter().position(|check| check.status == SmtStatus::Unsat);
            if let Some(check) = unsat.filter(|_| self.abilities.approximation.binds_exclusions()) {
                let text = with_fresh(assignment_text, &instance.fresh);
                match judge::wrong_unsat(NAME, query, &text, &title(&instance.variant, check)) {
                    Some(exhibit) => notes.exhibits.push(exhibit),
                    None => notes.count(counts::SELF_CHECKS_FAILED),
                }
            }
            if let Some(model) = answer.smt_checks().last().and_then(|check| check.model.as_deref()) {
                notes.count(counts::MODELS_ASKED_FOR);
                notes.exhibits.extend(self.accuse_of_model(query, model));
            }
            self.report_failures(query, answer, notes);
        }
    }

    /// A solver that is not bound to what it shows may print models that are none.
    fn accuse_of_model(&self, query: &Query, model: &str) -> Option<Exhibit> {
        let bound = self.abilities.approximation.binds_showings();
        if bound { judge::wrong_model(NAME, query, model) } else { None }
    }

    /// Reports crashes, and refusals of scripts made from an accepted seed.
    fn report_failures(&self, query: &Query, answer: &Answer, notes: &mut Notes) {
        match &answer.verdict {
            Verdict::Crash(signature) => notes.exhibits.push(judge::crash(NAME, query, signature)),
            Verdict::Rejected(message) if self.seed_was_accepted => {
                match judge::refusal(NAME, query, message, &self.abilities) {
                    Accusation::Exhibit(exhibit) => notes.exhibits.push(*exhibit),
                    Accusation::Expected => notes.count(counts::EXPECTED_REFUSALS),
                    Accusation::Ours => notes.count(counts::SELF_CHECKS_FAILED),
                }
            }
            _ => {}
        }
    }

    fn query(&self, input: SmtInput, mode: Mode) -> Query {
        let limits = Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() };
        Query { limits, ..Query::new(self.subject.id.clone(), Input::Smt(input), mode) }
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        let step = match std::mem::replace(&mut self.stage, Stage::Start) {
            Stage::Start => self.ask_seed(),
            Stage::Seed(query) => match answers.first() {
                Some(answer) => self.judge_seed(&query, answer, notes),
                None => self.start_assignments(),
            },
            Stage::Negation(query) => match answers.first() {
                Some(answer) => {
                    self.report_failures(&query, answer, notes);
                    self.take_negation(answer, notes)
                }
                None => self.start_assignments(),
            },
            Stage::Batch { queries, instances, material } => {
                let assignment_text = material.assignment_text.clone();
                self.judge_batch(&queries, &instances, answers, &assignment_text, notes);
                self.stage = Stage::Working(material);
                Step::Ask(Vec::new())
            }
            Stage::Working(material) => {
                self.stage = Stage::Working(material);
                Step::Ask(Vec::new())
            }
        };
        match step {
            // Nothing to ask yet: go on with the material at hand, or with the next assignment.
            Step::Ask(queries) if queries.is_empty() => self.work(notes),
            other => other,
        }
    }
}

impl Walk {
    fn work(&mut self, notes: &mut Notes) -> Step {
        if self.barren_batches >= BARREN_BATCHES {
            notes.count(counts::CASES_GIVEN_UP);
            return Step::Done;
        }
        loop {
            let material = match std::mem::replace(&mut self.stage, Stage::Start) {
                Stage::Working(material) if material.instances_left > 0 => material,
                _ => match self.next_material(notes) {
                    Some(material) => material,
                    None => return Step::Done,
                },
            };
            match self.next_batch(material, notes) {
                Step::Ask(queries) if queries.is_empty() => {
                    if let Stage::Batch { material, .. } = std::mem::replace(&mut self.stage, Stage::Start) {
                        self.stage = Stage::Working(material);
                    }
                }
                step => return step,
            }
        }
    }
}

/// The title of a wrong `unsat`. `check` is the index of the wrong answer among the checks.
fn title(variant: &Variant, check: usize) -> String {
    let what = match variant {
        Variant::Plain => return judge::WRONG_UNSAT.to_owned(),
        Variant::Incremental => "scopes",
        Variant::Assuming => "assumptions",
        Variant::Tactics(tactics) => tactics.get(check).map_or("tactics", String::as_str),
    };
    format!("{} with {what}", judge::WRONG_UNSAT)
}

fn draw_options(subject: &SmtInfo, random: &mut Random, options: &mut String) {
    for _ in 0..random.between(1, 2) {
        let Some(choice) = random.choose(&subject.options) else { return };
        if let Some(value) = random.choose(&choice.values).filter(|_| !options.contains(&choice.name)) {
            let _ = writeln!(options, "(set-option :{} {value})", choice.name);
        }
    }
}

fn with_fresh(assignment: &str, fresh: &[String]) -> String {
    let mut text = assignment.to_owned();
    for name in fresh {
        let _ = writeln!(text, "(define-fun {name} () Bool true)");
    }
    text
}
