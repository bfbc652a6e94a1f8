//! The walk of one case: an analyzer is asked about the checks of one maze, and what it says is compared with the truth.

use super::draw::Drawn;
use super::plan::Maze;
use super::program::Program;
use super::relation::{Law, MazeRelation};
use super::truth::{self, Status, Truth};
use super::{Knobs, Shape, counts, judge, suite};
use crate::drawn_options::drawn_options;
use crate::{Case, Notes, Step, failures};
use model::{
    AnalyzerInfo, Answer, CheckStatus, Exhibit, Input, Limits, Mode, Query, Random, ReachabilityInfo,
    Relation, Verdict,
};
use std::collections::BTreeMap;

/// At most so many answers of one kind are accused in a program; they mostly have one cause.
const MOST_ACCUSED: usize = 3;

/// Who runs programs.
#[derive(Clone, Debug)]
pub(super) struct Executors {
    /// An analyzer that runs a program on some inputs.
    pub search: Option<Query>,
    /// An analyzer that runs a program on every input.
    pub exhaustive: Option<Query>,
}

impl Executors {
    /// The one that runs a program on one input.
    fn on_one_input(&self) -> Option<&Query> {
        self.search.as_ref().or(self.exhaustive.as_ref())
    }
}

/// The state of a case.
pub(super) struct Walk {
    maze: Maze,
    truth: Truth,
    program: Program,
    subject: AnalyzerInfo,
    role: ReachabilityInfo,
    executors: Executors,
    knobs: Knobs,
    random: Random,
    stage: Stage,
}

enum Stage {
    Start,
    /// The analyzer was asked, and maybe the program was executed to test juvenal itself.
    Asked {
        query: Query,
        is_executed: bool,
    },
    /// What accuses was executed.
    Executed(Vec<Exhibit>, Box<Answer>),
}

impl Walk {
    /// A walk over one maze with one analyzer.
    pub fn new(
        drawn: Drawn,
        program: Program,
        (subject, role): (AnalyzerInfo, ReachabilityInfo),
        executors: Executors,
        knobs: Knobs,
        random: Random,
    ) -> Walk {
        let Drawn { maze, truth } = drawn;
        Walk { maze, truth, program, subject, role, executors, knobs, random, stage: Stage::Start }
    }

    fn ask(&mut self, notes: &mut Notes) -> Step {
        notes.items = match self.knobs.form {
            Shape::Task => suite::tasks(&self.maze, &self.truth, &self.program),
            Shape::Fuzzer => vec![suite::target(&self.maze, &self.truth, &self.program)],
            Shape::Any | Shape::Form(_) => Vec::new(),
        };
        let mut asked: Vec<u32> = self.truth.keys().copied().collect();
        let most = match (self.knobs.checks, self.role.reports_all) {
            (Some(most), _) => most,
            (None, true) => asked.len(),
            (None, false) => super::CHECKS_OF_ONE_PROPERTY,
        };
        self.random.shuffle(&mut asked);
        asked.truncate(most);
        let input = self.program.with_checks(|number| asked.contains(&number));
        let query = Query {
            options: drawn_options(&self.role.options, self.knobs.options, &mut self.random),
            limits: Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() },
            ..Query::new(self.subject.id.clone(), Input::C(input), Mode::Process)
        };
        let own = if self.random.percent(self.knobs.share) { self.self_check() } else { None };
        let is_executed = own.is_some();
        let queries = std::iter::once(query.clone()).chain(own).collect();
        self.stage = Stage::Asked { query, is_executed };
        Step::Ask(queries)
    }

    /// The program on every input, or on one if there are too many.
    fn self_check(&self) -> Option<Query> {
        if self.maze.plan.input_bits() <= truth::MOST_EXHAUSTIVE_BITS
            && let Some(exhaustive) = &self.executors.exhaustive
        {
            return Some(exhaustive.with_input(Input::C(self.program.with_checks(|_| true))));
        }
        let inputs = self.truth.values().find_map(|status| match status {
            Status::Reachable(inputs) => Some(inputs),
            Status::Unreachable | Status::Open => None,
        })?;
        let program = self.program.on_input(&self.maze, inputs, |_| true);
        Some(self.executors.on_one_input()?.with_input(Input::C(program)))
    }

    fn judge_asked(
        &mut self,
        query: &Query,
        answer: &Answer,
        executed: Option<&Answer>,
        notes: &mut Notes,
    ) -> Step {
        notes.count(counts::PROGRAMS);
        if let Some(executed) = executed {
            notes.count(counts::PROGRAMS_EXECUTED);
            if let Some(detail) = self.difference(executed) {
                return self.fault(&detail);
            }
        }
        if let Verdict::Crash(_) | Verdict::Rejected(_) = answer.verdict {
            let execution = self.executors.search.as_ref().map(|it| it.with_input(query.input.clone()));
            let (law, maze) = (Law::Analyzed, self.maze.facts());
            let relation = Relation::of(&MazeRelation { law, maze, is_edited: false });
            notes.exhibits.extend(failures::exhibit(super::NAME, query, answer, execution, relation));
        }
        let claimed = crate::checks::statuses(answer).unwrap_or_default();
        self.count(&claimed, query, notes);
        match self.accusations(query, &claimed) {
            Err(detail) => self.fault(&detail),
            Ok(exhibits) if exhibits.is_empty() => Step::Done,
            Ok(exhibits) => {
                let queries = exhibits.iter().filter_map(|it| it.queries.get(1).cloned()).collect();
                self.stage = Stage::Executed(exhibits, Box::new(answer.clone()));
                Step::Ask(queries)
            }
        }
    }

    /// Counts what became of the checks that were asked about.
    fn count(&self, claimed: &BTreeMap<u32, CheckStatus>, query: &Query, notes: &mut Notes) {
        let mut decided = 0;
        for check in query.input.c().into_iter().flat_map(|program| program.checks()) {
            let said = claimed.get(&check).copied().unwrap_or(CheckStatus::Unknown);
            match self.truth.get(&check) {
                Some(Status::Reachable(_)) => {
                    notes.count(counts::REACHABLE);
                    notes.add(counts::REACHABLE_FOUND, u64::from(said == CheckStatus::Violated));
                }
                Some(Status::Unreachable) => {
                    notes.count(counts::UNREACHABLE);
                    notes.add(counts::UNREACHABLE_VERIFIED, u64::from(said == CheckStatus::Verified));
                    let is_alarm = said == CheckStatus::Violated && !self.role.approximation.binds_showings();
                    notes.add(counts::UNREACHABLE_ALARMS, u64::from(is_alarm));
                }
                Some(Status::Open) | None => notes.count(counts::OPEN),
            }
            decided += u64::from(said != CheckStatus::Unknown);
            let is_reachable = matches!(self.truth.get(&check), Some(Status::Reachable(_)));
            if !is_reachable || self.role.approximation.binds_showings() {
                notes.count(counts::CHECKS);
                notes.add(counts::CHECKS_UNDECIDED, u64::from(said == CheckStatus::Unknown));
            }
        }
        notes.add(counts::PROGRAMS_WITHOUT_DECISION, u64::from(decided == 0));
    }

    /// What the answer gets wrong, as exhibits. An error says that the truth of the maze changes when it is read from its
    /// text.
    fn accusations(
        &self,
        query: &Query,
        claimed: &BTreeMap<u32, CheckStatus>,
    ) -> Result<Vec<Exhibit>, String> {
        let wrong = |is_wrong: &dyn Fn(&Status, CheckStatus) -> bool| -> Vec<u32> {
            let told =
                claimed.iter().filter_map(|(check, said)| Some((check, self.truth.get(check)?, *said)));
            told.filter(|(_, status, said)| is_wrong(status, *said))
                .map(|it| *it.0)
                .take(MOST_ACCUSED)
                .collect()
        };
        let approximation = self.role.approximation;
        let unsound = wrong(&|status, said| {
            matches!(status, Status::Reachable(_))
                && said == CheckStatus::Verified
                && approximation.binds_exclusions()
        });
        let imprecise = wrong(&|status, said| {
            *status == Status::Unreachable && said == CheckStatus::Violated && approximation.binds_showings()
        });
        if unsound.is_empty() && imprecise.is_empty() {
            return Ok(Vec::new());
        }
        let read = Maze::read(&self.maze.facts()).ok_or("a maze cannot be read from its own text")?;
        let mut exhibits = Vec::new();
        for check in unsound {
            let Some(Status::Reachable(inputs)) = self.truth.get(&check) else { continue };
            if truth::follow(&read, inputs) != Ok(Some(check)) {
                return Err(format!(
                    "the inputs {inputs:?} do not lead to check {check} in the text of the maze"
                ));
            }
            let executor = self.executors.on_one_input();
            let exhibit =
                executor.map(|it| judge::unsound(query, it, &self.maze, &self.program, check, inputs));
            exhibits.extend(exhibit);
        }
        if imprecise.is_empty() {
            return Ok(exhibits);
        }
        let again = truth::truth(&read, &[]).ok_or("a maze cannot be evaluated from its own text")?;
        for check in imprecise {
            if again.get(&check) != Some(&Status::Unreachable) {
                return Err(format!("check {check} is reached in the text of the maze"));
            }
            let exhaustive = self.executors.exhaustive.as_ref();
            let exhibit =
                exhaustive.and_then(|it| judge::imprecise(query, it, &self.maze, &self.program, check));
            exhibits.extend(exhibit);
        }
        Ok(exhibits)
    }

    /// Why the execution of a program contradicts what was computed; `None` if it does not.
    fn difference(&self, executed: &Answer) -> Option<String> {
        let claim = executed.checks()?;
        if let Some(undefined) = &claim.undefined {
            return Some(format!("it has undefined behaviour: {undefined}"));
        }
        claim.checks.iter().find_map(|said| match (self.truth.get(&said.check)?, said.status) {
            (Status::Unreachable, CheckStatus::Violated) => {
                Some(format!("check {} was to be unreachable, and is reached", said.check))
            }
            (Status::Reachable(inputs), CheckStatus::Verified)
                if self.maze.plan.input_bits() <= truth::MOST_EXHAUSTIVE_BITS =>
            {
                Some(format!("check {} was to be reached by {inputs:?}, and is not", said.check))
            }
            _ => None,
        })
    }

    /// Reports what execution confirms.
    fn judge_executed(
        &self,
        exhibits: Vec<Exhibit>,
        claimed: &Answer,
        executions: &[Answer],
        notes: &mut Notes,
    ) -> Step {
        for (exhibit, executed) in exhibits.into_iter().zip(executions) {
            if judge::broken(&exhibit, &[claimed.clone(), executed.clone()]) {
                notes.exhibits.push(exhibit);
            } else if let Some(detail) = contradiction(&exhibit, executed) {
                return self.fault(&detail);
            }
        }
        Step::Done
    }

    /// The end of the campaign: what juvenal takes for the truth is none.
    fn fault(&self, detail: &str) -> Step {
        let text = self.program.with_checks(|_| true).text();
        Step::Fault(format!(
            "a program of the technique {} is not what it was meant to be: {detail}. Please report it with the program:\n{text}",
            super::NAME
        ))
    }
}

/// Why an execution contradicts the exhibit that it was to confirm; nothing if it only shows nothing.
fn contradiction(exhibit: &Exhibit, executed: &Answer) -> Option<String> {
    let relation = MazeRelation::of(exhibit)?;
    let claim = executed.checks()?;
    if let Some(undefined) = &claim.undefined {
        return Some(format!("it has undefined behaviour: {undefined}"));
    }
    match relation.law {
        Law::Analyzed => None,
        Law::ReachableIsNotVerified { check, inputs } => {
            // A run passes one check at most.
            let is_elsewhere =
                claim.checks.iter().any(|it| it.check != check && it.status == CheckStatus::Violated);
            let is_excluded = is_elsewhere || claim.status(check) == Some(CheckStatus::Verified);
            is_excluded.then(|| format!("check {check} was to be reached by {inputs:?}, and is not"))
        }
        Law::UnreachableIsNotViolated { check, executed } => {
            let is_reached = claim.status(executed) == Some(CheckStatus::Violated);
            is_reached.then(|| format!("check {check} was to be unreachable, and is reached"))
        }
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        match (std::mem::replace(&mut self.stage, Stage::Start), answers) {
            (Stage::Start, _) => self.ask(notes),
            (Stage::Asked { query, is_executed: false }, [answer]) => {
                self.judge_asked(&query, answer, None, notes)
            }
            (Stage::Asked { query, is_executed: true }, [answer, executed]) => {
                self.judge_asked(&query, answer, Some(executed), notes)
            }
            (Stage::Executed(exhibits, claimed), answers) => {
                self.judge_executed(exhibits, &claimed, answers, notes)
            }
            _ => Step::Done,
        }
    }
}
