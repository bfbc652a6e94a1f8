//! Carries out what searches propose, and remembers the outcomes.

use super::parts::Part;
use super::prepare::{Beginning, Program, Programs};
use super::tasks::Tasks;
use super::trials::{Accusation, Audit, AuditRound, Round, Trial};
use super::wrong_claims::{ClaimStatus, WrongClaims};
use super::{Report, TuneOptions, TuneState, caps, names};
use crate::Campaign;
use anyhow::Result;
use engine::Journal;
use model::Random;
use schedule::{InOrder, Job, Pool, Progress, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;
use techniques::assess::{Asked, Settled};
use tuning::{
    GridTrial, History, Objective, Outcome, ProgramResult, Recipe, RecipeSpace, ReplayPoint, Standing, State,
    Totals, UnusableProgram, front,
};

/// How long a search may go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// It ends once so much CPU time was spent; none for no limit.
    pub(super) until: Option<u64>,
    /// It ends once this share of the wall time is over, in percent.
    pub(super) wall_percent: u32,
}

/// What an audit showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audited {
    /// Nothing is wrong.
    Sound,
    /// A claim is wrong.
    Refuted,
    /// There was no time for it.
    Interrupted,
}

/// What a search found.
pub(super) struct Searched {
    /// All that it knows.
    pub(super) history: History,
    /// The best recipe whose claims were audited.
    pub(super) best: Recipe,
    /// True if it had nothing left to propose.
    pub(super) is_exhausted: bool,
}

/// Recipes that are audited at the end of a search although its budget is used up.
pub(super) const LATE_AUDITS: usize = 2;
/// Recipes that are tried at once after the search, between two looks at the budget.
const BATCH: usize = 4;

/// After so many recipes without an answer to anything, the limits are too low.
const RECIPES_WITHOUT_ANSWER: usize = 12;

/// Carries out what searches propose.
pub(super) struct Proposals<'t, 'a> {
    campaign: &'a Campaign<'a>,
    options: &'a TuneOptions,
    tasks: &'t Tasks<'a>,
    programs: Vec<Program>,
    unusable: Vec<UnusableProgram>,
    known: BTreeMap<Recipe, BTreeMap<usize, Outcome>>,
    /// The audits that found nothing wrong: how many claims of the recipe about the program were read.
    audits: BTreeMap<Recipe, BTreeMap<u64, usize>>,
    claims: WrongClaims<'a>,
    spent_microseconds: u64,
    progress: Progress,
    report: Report<'a>,
    state: TuneState,
}

impl<'t, 'a> Proposals<'t, 'a> {
    /// Begins with what the defaults settle. Programs about which the defaults are wrong are not used: nothing would be
    /// compared with the truth there.
    pub(super) fn new(
        campaign: &'a Campaign<'a>,
        tasks: &'t Tasks<'a>,
        options: &'a TuneOptions,
        report: Report<'a>,
    ) -> Result<Proposals<'t, 'a>> {
        let (programs, progress) = Programs::prepare(campaign, tasks, report)?;
        let mut proposals = Proposals {
            campaign,
            options,
            tasks,
            programs: Vec::new(),
            unusable: programs.unusable,
            known: BTreeMap::new(),
            audits: BTreeMap::new(),
            claims: WrongClaims::new(campaign)?,
            spent_microseconds: 0,
            progress,
            report,
            state: TuneState { budget: options.cpu, ..TuneState::default() },
        };
        let mut sound = Vec::new();
        for (name, unit, beginning) in programs.usable {
            if proposals.is_sound(&name, &beginning)? {
                sound.push((name, unit, beginning));
            }
        }
        let is_alone = sound.len() == 1;
        for (name, unit, beginning) in sound {
            proposals.begin_with(name, unit, &beginning, is_alone);
        }
        Ok(proposals)
    }

    /// True if the defaults claim nothing wrong about a program.
    fn is_sound(&mut self, name: &str, beginning: &Beginning) -> Result<bool> {
        self.spent_microseconds += beginning.trial.charge + beginning.audit.charge;
        let accused = [&beginning.trial.accused[..], &beginning.audit.accused[..]].concat();
        let (reason, detail) = match self.examined(name, &accused, true)? {
            Some(State::Refuted(what)) => ("the default configuration makes a false claim about it", what),
            Some(State::Failed(why)) => ("a claim about it could not be checked", why),
            Some(State::Finished | State::Limit) | None => return Ok(true),
        };
        let (name, reason) = (name.to_owned(), reason.to_owned());
        self.unusable.push(UnusableProgram { name, reason, detail });
        Ok(false)
    }

    /// Uses a program. If it is the only one, its functions are held out in turn. Times cannot be held out by function.
    fn begin_with(&mut self, name: String, unit: u64, beginning: &Beginning, is_alone: bool) {
        let Beginning { trial, audit, has_evidence } = beginning;
        let default_recipe = Recipe::default_recipe();
        self.audits.entry(default_recipe.clone()).or_default().insert(unit, audit.read);
        let is_divided = is_alone
            && self.options.folds > 1
            && self.options.objective == Objective::Unresolved
            && trial.outcome.is_finished();
        let mut parts: Vec<Option<Part>> = Vec::new();
        if is_divided {
            parts.extend(Part::divide(trial, self.options.folds).into_iter().map(Some));
        }
        if parts.is_empty() {
            parts.push(None);
        }
        for part in parts {
            let file = name.clone();
            let name = part.as_ref().map_or_else(|| name.clone(), |part| part.name(&name));
            let (outcome, number) = (outcome_of(part.as_ref(), trial, &trial.outcome), self.programs.len());
            self.known.entry(default_recipe.clone()).or_default().insert(number, outcome.clone());
            let default = outcome;
            self.programs.push(Program { name, file, unit, part, default, has_evidence: *has_evidence });
        }
    }

    /// The state of a trial or an audit with wrong claims; none if there are none. `is_alone` says that each analysis was asked
    /// without what others verified.
    fn examined(&mut self, program: &str, accused: &[Accusation], is_alone: bool) -> Result<Option<State>> {
        let mut state = None;
        for accusation in accused {
            match self.claims.examine(program, accusation)? {
                ClaimStatus::Wrong => {
                    let what = format!("{program}: {}", accusation.exhibit.title);
                    return Ok(Some(State::Refuted(what)));
                }
                ClaimStatus::NotReproduced if is_alone => {}
                // Alone, the ingredient claims nothing wrong; after others, it does.
                ClaimStatus::NotReproduced => {
                    let why = format!("{program}: the recipe makes a claim that executions refute");
                    state = Some(State::Failed(why));
                }
                // Nothing that may be wrong is accepted.
                ClaimStatus::Interrupted => state = Some(State::Failed("the time was up".to_owned())),
            }
        }
        Ok(state)
    }

    /// The recipes that there are.
    pub(super) fn space(&self) -> &RecipeSpace {
        &self.options.space
    }

    /// The number of programs.
    pub(super) fn count(&self) -> usize {
        self.programs.len()
    }

    /// The CPU time of analyzers so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent_microseconds
    }

    /// The number of recipes that were tried on some program.
    pub(super) fn recipes(&self) -> usize {
        self.known.len()
    }

    /// Names what is done next.
    pub(super) fn say(&mut self, phase: String) {
        self.state.phase = phase;
        (self.report)(&self.state);
    }

    /// What is known about these programs, which get new numbers in this order.
    pub(super) fn history(&self, programs: &[usize]) -> History {
        self.history_of(programs, |_, _| true)
    }

    /// What is known about these programs, of the recipes and places that a test accepts.
    fn history_of(&self, programs: &[usize], accepts: impl Fn(&Recipe, usize) -> bool) -> History {
        let defaults = programs.iter().map(|number| self.programs[*number].default.clone()).collect();
        let mut history = History::new(self.options.objective, caps(&self.options.limits), defaults);
        for (recipe, outcomes) in &self.known {
            for (place, number) in programs.iter().enumerate() {
                if let Some(outcome) = outcomes.get(number).filter(|_| accepts(recipe, place)) {
                    history.tell(recipe, place, outcome.clone());
                }
            }
        }
        history
    }

    /// The same history of only the recipes that were audited.
    pub(super) fn audited(&self, history: &History, programs: &[usize]) -> History {
        self.history_of(programs, |recipe, place| {
            history.outcome(recipe, place).is_some() && self.unaudited(recipe, programs).is_empty()
        })
    }

    /// Searches on some programs until the budget is used up. What it knows is only what it has asked for itself, so what it
    /// finds does not depend on other programs.
    pub(super) fn search(&mut self, programs: &[usize], budget: Budget, stream: u64) -> Result<Searched> {
        let mut history = self.history_of(programs, |recipe, _| *recipe == Recipe::default_recipe());
        let mut search = (self.options.search.start)();
        let mut random = Random::for_case(self.campaign.random_seed, u64::MAX - 1 - stream);
        self.state.curve = vec![point(&history)];
        let mut is_exhausted = false;
        while !self.is_used_up(budget) && !self.is_without_answer() {
            let trials = search.ask(&self.options.space, &history, &mut random);
            is_exhausted = trials.iter().all(|trial| trial.programs.is_empty());
            if is_exhausted {
                break;
            }
            let is_complete = self.carry_out(&trials, programs)?;
            for trial in &trials {
                for place in &trial.programs {
                    if let Some(outcome) = self.outcome(&trial.recipe, programs[*place]) {
                        history.tell(&trial.recipe, *place, outcome.clone());
                    }
                }
            }
            // A recipe that lies would attract the search, so the best is audited at once.
            let is_sound = self.audit_best(&mut history, programs, budget, 0)?;
            self.state.curve.push(point(&history));
            self.show(&history);
            if !is_complete || !is_sound {
                break;
            }
        }
        self.audit_best(&mut history, programs, budget, LATE_AUDITS)?;
        let best = self.audited(&history, programs).best();
        let best = best.map_or_else(Recipe::default_recipe, |standing| standing.recipe);
        Ok(Searched { history, best, is_exhausted })
    }

    /// Audits the best recipe, and if it is refuted the next best, until one is sound. Only a few are audited once the budget is
    /// used up. False if none is sound by then.
    pub(super) fn audit_best(
        &mut self,
        history: &mut History,
        programs: &[usize],
        budget: Budget,
        mut late: usize,
    ) -> Result<bool> {
        loop {
            let Some(Standing { recipe, .. }) = history.best() else { return Ok(false) };
            let audited = match self.audit(&recipe, programs, Some(budget))? {
                Audited::Interrupted if late > 0 => {
                    late -= 1;
                    self.audit(&recipe, programs, None)?
                }
                audited => audited,
            };
            match audited {
                Audited::Sound => return Ok(true),
                Audited::Interrupted => return Ok(false),
                Audited::Refuted => {
                    let earlier = history.clone();
                    *history =
                        self.history_of(programs, |recipe, place| earlier.outcome(recipe, place).is_some());
                }
            }
        }
    }

    /// How the best recipe of the last search got better.
    pub(super) fn curve(&self) -> Vec<ReplayPoint> {
        self.state.curve.clone()
    }

    fn is_used_up(&self, budget: Budget) -> bool {
        let stop = self.campaign.stop;
        let is_late = stop.budget.is_used_up_by(budget.wall_percent);
        stop.is_over() || is_late || budget.until.is_some_and(|until| self.spent_microseconds >= until)
    }

    /// True if many recipes were tried and each ran into a limit.
    pub(super) fn is_without_answer(&self) -> bool {
        let mut outcomes = self.known.values().flat_map(BTreeMap::values);
        let is_enough = self.known.len() >= RECIPES_WITHOUT_ANSWER || self.campaign.stop.is_over();
        is_enough && outcomes.all(|outcome| outcome.state == State::Limit)
    }

    fn show(&mut self, history: &History) {
        let totals = |recipe: &Recipe| Totals::of(history, recipe, 0..history.programs());
        let names = names(&self.options.analyzers);
        self.state.recipes = self.known.len();
        self.state.spent = Duration::from_micros(self.spent_microseconds);
        self.state.default = totals(&Recipe::default_recipe());
        self.state.best =
            history.best().and_then(|best| Some((best.recipe.in_words(&names), totals(&best.recipe)?)));
        (self.report)(&self.state);
    }

    fn outcome(&self, recipe: &Recipe, program: usize) -> Option<&Outcome> {
        self.known.get(recipe)?.get(&program)
    }

    /// Tries a recipe on more programs. False if there was no time for all of them.
    pub(super) fn try_on(&mut self, recipe: &Recipe, programs: &[usize]) -> Result<bool> {
        let all: Vec<usize> = (0..programs.len()).collect();
        self.carry_out(&[tuning::Trial { recipe: recipe.clone(), programs: all }], programs)
    }

    /// Carries out trials until the budget is used up. False if it was.
    pub(super) fn carry_out_within(
        &mut self,
        trials: &[tuning::Trial],
        programs: &[usize],
        budget: Budget,
    ) -> Result<bool> {
        for batch in trials.chunks(BATCH) {
            if self.is_used_up(budget) || !self.carry_out(batch, programs)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Carries out trials whose programs are numbered by their place in a list. False if there was no time for all of them.
    fn carry_out(&mut self, trials: &[tuning::Trial], programs: &[usize]) -> Result<bool> {
        let mut units: Vec<(Recipe, u64)> = Vec::new();
        for trial in trials {
            for program in trial.programs.iter().map(|place| programs[*place]) {
                let unit = (trial.recipe.clone(), self.programs[program].unit);
                // The parts of a program are tried together.
                if self.outcome(&trial.recipe, program).is_none() && !units.contains(&unit) {
                    units.push(unit);
                }
            }
        }
        let round = Round { tasks: self.tasks, units: units.clone() };
        let outcomes: Vec<Option<Trial>> = self.run(&round, units.len(), self.campaign.stop)?;
        let mut is_complete = outcomes.len() == units.len();
        for ((recipe, unit), trial) in units.into_iter().zip(outcomes) {
            let Some(trial) = trial else {
                is_complete = false;
                break;
            };
            self.spent_microseconds += trial.charge;
            self.take(&recipe, unit, &trial)?;
        }
        Ok(is_complete)
    }

    /// Takes the outcome of a trial after its wrong claims were examined.
    fn take(&mut self, recipe: &Recipe, unit: u64, trial: &Trial) -> Result<()> {
        let numbers = self.numbers_of(unit);
        let name = numbers.first().map_or(String::new(), |number| self.programs[*number].file.clone());
        let state = self.examined(&name, &trial.accused, recipe.0.len() == 1)?;
        let whole = Outcome { state: state.unwrap_or(trial.outcome.state.clone()), ..trial.outcome.clone() };
        for number in numbers {
            let outcome = outcome_of(self.programs[number].part.as_ref(), trial, &whole);
            self.known.entry(recipe.clone()).or_default().insert(number, outcome);
        }
        Ok(())
    }

    /// The program with this number, or its parts.
    fn numbers_of(&self, unit: u64) -> Vec<usize> {
        (0..self.programs.len()).filter(|number| self.programs[*number].unit == unit).collect()
    }

    /// Runs the units of a job, and returns the outcomes of the first ones up to the first that is missing.
    fn run<J: Job>(&mut self, job: &J, units: usize, stop: Stop<'_>) -> Result<Vec<J::Outcome>> {
        let mut outcomes = Vec::new();
        let mut recorder = InOrder::new(|_, outcome: J::Outcome, _: &mut Progress| {
            outcomes.push(outcome);
            Ok(ControlFlow::Continue(()))
        });
        let stop = Stop { budget: stop.budget.with_units(units as u64), ..stop };
        let pool = Pool { stop, ..self.campaign.pool(Journal::ReadAndWrite) };
        self.progress = pool.run(job, &mut recorder, std::mem::take(&mut self.progress))?;
        Ok(outcomes)
    }

    /// Asks about the claims of a recipe what its trials did not show, within a budget; without one, also after the time is up.
    pub(super) fn audit(
        &mut self,
        recipe: &Recipe,
        programs: &[usize],
        budget: Option<Budget>,
    ) -> Result<Audited> {
        let is_refuted = self.known.get(recipe).is_some_and(|outcomes| {
            programs.iter().filter_map(|number| outcomes.get(number)).any(Outcome::is_refuted)
        });
        let units = self.unaudited(recipe, programs);
        if is_refuted || units.is_empty() {
            return Ok(if is_refuted { Audited::Refuted } else { Audited::Sound });
        }
        let mut stop = self.campaign.stop;
        match budget {
            Some(budget) if self.is_used_up(budget) => return Ok(Audited::Interrupted),
            Some(_) => {}
            None => stop.budget = stop.budget.without_time(),
        }
        // A recipe that lies probably lies where others did.
        let (suspicious, others): (Vec<u64>, Vec<u64>) =
            units.into_iter().partition(|unit| self.has_refuted(*unit));
        for units in [suspicious, others] {
            let audited = self.audit_units(recipe, units, stop)?;
            if audited != Audited::Sound {
                return Ok(audited);
            }
        }
        Ok(Audited::Sound)
    }

    /// The programs on which a recipe was not audited.
    fn unaudited(&self, recipe: &Recipe, programs: &[usize]) -> BTreeSet<u64> {
        let done = self.audits.get(recipe);
        let units = programs.iter().map(|number| self.programs[*number].unit);
        units.filter(|unit| done.is_none_or(|done| !done.contains_key(unit))).collect()
    }

    /// True if some recipe claims something wrong about a program.
    fn has_refuted(&self, unit: u64) -> bool {
        let is_it = |(number, outcome): (&usize, &Outcome)| {
            self.programs[*number].unit == unit && outcome.is_refuted()
        };
        self.known.values().any(|outcomes| outcomes.iter().any(is_it))
    }

    fn audit_units(&mut self, recipe: &Recipe, units: Vec<u64>, stop: Stop<'_>) -> Result<Audited> {
        if units.is_empty() {
            return Ok(Audited::Sound);
        }
        let pairs = units.iter().map(|unit| (recipe.clone(), *unit)).collect();
        let round = AuditRound { tasks: self.tasks, units: pairs };
        let audits: Vec<Option<Audit>> = self.run(&round, units.len(), stop)?;
        let mut audited = if audits.len() < units.len() { Audited::Interrupted } else { Audited::Sound };
        for (unit, audit) in units.into_iter().zip(audits) {
            let Some(audit) = audit else {
                audited = Audited::Interrupted;
                continue;
            };
            self.spent_microseconds += audit.charge;
            let numbers = self.numbers_of(unit);
            let name = numbers.first().map_or(String::new(), |number| self.programs[*number].file.clone());
            // Every ingredient is audited alone.
            match self.examined(&name, &audit.accused, true)? {
                Some(state @ State::Refuted(_)) => {
                    self.refute(recipe, &numbers, &state);
                    return Ok(Audited::Refuted);
                }
                Some(_) => audited = Audited::Interrupted,
                None => {
                    self.audits.entry(recipe.clone()).or_default().insert(unit, audit.read);
                }
            }
        }
        Ok(audited)
    }

    fn refute(&mut self, recipe: &Recipe, numbers: &[usize], state: &State) {
        let known = self.known.entry(recipe.clone()).or_default();
        for number in numbers {
            let default = &self.programs[*number].default;
            known.entry(*number).or_insert_with(|| default.clone()).state = state.clone();
        }
    }

    /// Audits the recipes of the front while the budget lasts, and returns the front of those that are sound.
    pub(super) fn audited_front(
        &mut self,
        programs: &[usize],
        budget: Budget,
    ) -> Result<Vec<(Recipe, Totals)>> {
        loop {
            let history = self.history(programs);
            let mut is_settled = true;
            for (recipe, _) in front(&history) {
                match self.audit(&recipe, programs, Some(budget))? {
                    Audited::Sound => {}
                    // Without it, others may be in the front.
                    Audited::Refuted => {
                        is_settled = false;
                        break;
                    }
                    Audited::Interrupted => return Ok(front(&self.audited(&history, programs))),
                }
            }
            if is_settled {
                return Ok(front(&history));
            }
        }
    }

    /// The programs about which no claim of a recipe could have been refuted.
    pub(super) fn not_audited(&self, recipe: &Recipe) -> Vec<String> {
        let audits = self.audits.get(recipe);
        let is_read = |unit: &u64| audits.and_then(|audits| audits.get(unit)).is_some_and(|read| *read > 0);
        let is_blind = |program: &&Program| !program.has_evidence && !is_read(&program.unit);
        self.programs.iter().filter(is_blind).map(|program| program.name.clone()).collect()
    }

    /// The commands that run a recipe on the first program.
    pub(super) fn commands(&self, recipe: &Recipe) -> Result<Vec<String>> {
        let Some(program) = self.programs.first() else { return Ok(Vec::new()) };
        let pool = self.campaign.pool(Journal::ReadOnly);
        let progress = parking_lot::Mutex::default();
        let mut worker = pool.worker(&progress);
        let mut commands = Vec::new();
        for ingredient in &recipe.0 {
            let choices = ingredient.choices();
            let asked = Asked {
                analyzer: &self.options.analyzers[ingredient.analyzer],
                options: &choices,
                limits: self.options.limits,
            };
            let Some(task) = self.tasks.task(program.unit, &mut worker)? else { continue };
            if let Some(query) = task.queries(&asked, &Settled::default()).first() {
                let run = worker.asker.describe_run(query)?;
                commands
                    .extend(run.preparation.iter().chain([&run.command]).map(|words| command_line(words)));
                // The options of a solver stand in the script.
                if query.input.smt().is_some() {
                    commands
                        .extend(choices.iter().map(|(name, value)| format!("(set-option :{name} {value})")));
                }
            }
        }
        Ok(commands)
    }

    /// What the default and a recipe do on each program.
    pub(super) fn results(&self, recipe: &Recipe) -> Vec<ProgramResult> {
        let result = |(number, program): (usize, &Program)| ProgramResult {
            name: program.name.clone(),
            default: program.default.clone(),
            best: self.outcome(recipe, number).cloned(),
        };
        self.programs.iter().enumerate().map(result).collect()
    }

    /// The recipes that claim what is not true.
    pub(super) fn refuted(&self) -> Vec<(Recipe, String)> {
        let wrong = |outcomes: &BTreeMap<usize, Outcome>| {
            outcomes.values().find_map(|outcome| match &outcome.state {
                State::Refuted(what) => Some(what.clone()),
                _ => None,
            })
        };
        self.known.iter().filter_map(|(recipe, outcomes)| Some((recipe.clone(), wrong(outcomes)?))).collect()
    }

    /// The programs that could not be used.
    pub(super) fn unusable(&self) -> Vec<UnusableProgram> {
        self.unusable.clone()
    }

    /// The names of the programs.
    pub(super) fn program_names(&self) -> Vec<String> {
        self.programs.iter().map(|program| program.name.clone()).collect()
    }

    /// Everything that was tried.
    pub(super) fn grid_trials(&self) -> Vec<GridTrial> {
        let trial = |(recipe, outcomes): (&Recipe, &BTreeMap<usize, Outcome>)| GridTrial {
            recipe: recipe.clone(),
            outcomes: outcomes.clone(),
        };
        self.known.iter().map(trial).collect()
    }

    /// The figures of all rounds.
    pub(super) fn into_progress(mut self) -> Progress {
        self.claims.describe(&mut self.progress);
        self.progress
    }
}

/// The outcome of a trial for a program or a part of it.
fn outcome_of(part: Option<&Part>, trial: &Trial, whole: &Outcome) -> Outcome {
    part.map_or_else(|| whole.clone(), |part| part.outcome(trial, whole))
}

fn point(history: &History) -> ReplayPoint {
    let loss = history.best().map_or(tuning::WORST_LOSS, |best| best.loss.whole());
    ReplayPoint { spent_microseconds: history.spent_microseconds(), loss }
}

/// A command as a shell takes it.
fn command_line(words: &[String]) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+./:,@%".contains(letter);
    let quoted = |word: &String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(quoted).collect::<Vec<String>>().join(" ")
}
