//! Carries out what searches propose, and remembers what became of it.

use super::prepare::{Program, Programs};
use super::trials::{Audit, AuditRound, Round, Trial};
use super::wrong_claims::{Shown, WrongClaims};
use super::{Report, TuneOptions, TuneState, caps, names};
use crate::Campaign;
use anyhow::Result;
use engine::Journal;
use model::Random;
use schedule::{InOrder, Job, Pool, Progress, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use techniques::assess::{Asked, Settled};
use tuning::{
    GridTrial, History, Outcome, ProgramResult, Recipe, RecipeSpace, ReplayPoint, State, Totals,
    UnusableProgram,
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
    /// The user interrupted it.
    Interrupted,
}

/// After so many recipes without an answer to anything, the limits are too low.
const RECIPES_WITHOUT_ANSWER: usize = 12;

/// Carries out what searches propose.
pub(super) struct Proposals<'a> {
    campaign: &'a Campaign<'a>,
    options: &'a TuneOptions,
    programs: Vec<Program>,
    unusable: Vec<UnusableProgram>,
    known: BTreeMap<Recipe, BTreeMap<usize, Outcome>>,
    claims: WrongClaims<'a>,
    spent_microseconds: u64,
    progress: Progress,
    report: Report<'a>,
    state: TuneState,
    audited: BTreeSet<usize>,
}

impl<'a> Proposals<'a> {
    /// Begins with what the defaults settle. Programs about which the defaults are wrong are not used: nothing would be
    /// compared with the truth there.
    pub(super) fn new(
        campaign: &'a Campaign<'a>,
        options: &'a TuneOptions,
        programs: &mut Programs,
        report: Report<'a>,
    ) -> Result<Proposals<'a>> {
        let mut proposals = Proposals {
            campaign,
            options,
            programs: Vec::new(),
            unusable: std::mem::take(&mut programs.unusable),
            known: BTreeMap::new(),
            claims: WrongClaims::new(campaign)?,
            spent_microseconds: 0,
            progress: Progress::default(),
            report,
            state: TuneState { budget: options.cpu, ..TuneState::default() },
            audited: BTreeSet::new(),
        };
        for program in std::mem::take(&mut programs.usable) {
            proposals.begin_with(program)?;
        }
        Ok(proposals)
    }

    fn begin_with(&mut self, program: Program) -> Result<()> {
        let outcome = self.judged(&program.name, &Recipe::default_recipe(), program.trial.clone())?;
        if let State::Failed(why) = outcome.state {
            let reason = "it was not examined".to_owned();
            self.unusable.push(UnusableProgram { name: program.name, reason, detail: why });
            return Ok(());
        }
        if let State::Refuted(what) = outcome.state {
            let reason = "the analyzer's defaults are wrong about it".to_owned();
            self.unusable.push(UnusableProgram { name: program.name, reason, detail: what });
            return Ok(());
        }
        let number = self.programs.len();
        self.spent_microseconds += outcome.cpu_microseconds;
        self.known.entry(Recipe::default_recipe()).or_default().insert(number, outcome.clone());
        self.programs.push(Program { default: outcome, ..program });
        Ok(())
    }

    /// The outcome of a trial after its wrong claims were examined.
    fn judged(&mut self, program: &str, recipe: &Recipe, trial: Trial) -> Result<Outcome> {
        let mut outcome = trial.outcome;
        for exhibit in &trial.accused {
            match self.claims.examine(program, exhibit)? {
                Shown::Wrong => {
                    outcome.state = State::Refuted(format!("{program}: {}", exhibit.title));
                    break;
                }
                // Alone, the ingredient claims nothing wrong; after others, it does.
                Shown::NotReproduced if recipe.0.len() > 1 => {
                    outcome.state = State::Failed(format!("{program}: executions contradict the recipe"));
                }
                Shown::NotReproduced => {}
                // Nothing that may be wrong is accepted.
                Shown::Interrupted => outcome.state = State::Failed("the time was up".to_owned()),
            }
        }
        Ok(outcome)
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
        let defaults = programs.iter().map(|number| self.programs[*number].default.clone()).collect();
        let mut history = History::new(self.options.objective, caps(&self.options.limits), defaults);
        for (recipe, outcomes) in &self.known {
            for (place, number) in programs.iter().enumerate() {
                if let Some(outcome) = outcomes.get(number) {
                    history.tell(recipe, place, outcome.clone());
                }
            }
        }
        history
    }

    /// Searches on some programs until the budget is used up. Returns what the search knows, which is only what
    /// it has asked for itself, so what it finds does not depend on other programs.
    pub(super) fn search(&mut self, programs: &[usize], budget: Budget, stream: u64) -> Result<History> {
        let defaults = programs.iter().map(|number| self.programs[*number].default.clone()).collect();
        let mut history = History::new(self.options.objective, caps(&self.options.limits), defaults);
        let mut search = (self.options.search.start)();
        let mut random = Random::for_case(self.campaign.random_seed, u64::MAX - 1 - stream);
        self.state.curve = vec![point(&history)];
        while !self.is_used_up(budget) && !self.is_without_answer() {
            let trials = search.ask(&self.options.space, &history, &mut random);
            if trials.is_empty() {
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
            self.state.curve.push(point(&history));
            self.show(&history);
            if !is_complete {
                break;
            }
        }
        Ok(history)
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

    /// Carries out trials whose programs are numbered by their place in a list. False if there was no time for all of them.
    pub(super) fn carry_out(&mut self, trials: &[tuning::Trial], programs: &[usize]) -> Result<bool> {
        let mut wanted: Vec<(Recipe, usize)> = Vec::new();
        for trial in trials {
            for place in &trial.programs {
                let program = programs[*place];
                if self.outcome(&trial.recipe, program).is_none() {
                    wanted.push((trial.recipe.clone(), program));
                }
            }
        }
        let units = wanted
            .iter()
            .map(|(recipe, program)| (recipe.clone(), self.programs[*program].task.clone()))
            .collect();
        let round = Round { options: self.options, units };
        let outcomes = self.run(&round, wanted.len(), self.campaign.stop)?;
        let mut is_complete = outcomes.len() == wanted.len();
        for ((recipe, program), trial) in wanted.into_iter().zip(outcomes) {
            let Some(trial) = trial else {
                is_complete = false;
                break;
            };
            self.spent_microseconds += trial.outcome.cpu_microseconds;
            let name = self.programs[program].name.clone();
            let outcome = self.judged(&name, &recipe, trial)?;
            self.known.entry(recipe).or_default().insert(program, outcome);
        }
        Ok(is_complete)
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

    /// Asks about the claims of a recipe what its trials did not show, also after the time is up.
    pub(super) fn audit(&mut self, recipe: &Recipe) -> Result<Audited> {
        let tasks: Vec<_> = self.programs.iter().map(|program| Arc::clone(&program.task)).collect();
        let count = tasks.len();
        let round = AuditRound { options: self.options, recipe: recipe.clone(), tasks };
        let stop = Stop { budget: self.campaign.stop.budget.without_time(), ..self.campaign.stop };
        let audits: Vec<Option<Audit>> = self.run(&round, count, stop)?;
        let mut audited = if audits.len() < count { Audited::Interrupted } else { Audited::Sound };
        for (number, audit) in audits.into_iter().enumerate() {
            let Some(audit) = audit else {
                audited = Audited::Interrupted;
                continue;
            };
            if audit.read > 0 {
                self.audited.insert(number);
            }
            let (name, default) = (self.programs[number].name.clone(), self.programs[number].default.clone());
            let outcome = self.judged(&name, recipe, Trial { outcome: default, accused: audit.accused })?;
            match outcome.state {
                State::Refuted(_) => {
                    self.known.entry(recipe.clone()).or_default().insert(number, outcome);
                    return Ok(Audited::Refuted);
                }
                State::Failed(_) => audited = Audited::Interrupted,
                State::Finished | State::Limit => {}
            }
        }
        Ok(audited)
    }

    /// The programs whose claims no evidence could refute.
    pub(super) fn not_audited(&self) -> Vec<String> {
        let numbered = self.programs.iter().enumerate();
        let is_blind = |(number, program): &(usize, &Program)| {
            !self.audited.contains(number) && !program.task.open(&Settled::default()).has_evidence
        };
        numbered.filter(is_blind).map(|(_, program)| program.name.clone()).collect()
    }

    /// The commands that run a recipe on the first program.
    pub(super) fn commands(&self, recipe: &Recipe) -> Result<Vec<String>> {
        let Some(program) = self.programs.first() else { return Ok(Vec::new()) };
        let pool = self.campaign.pool(Journal::ReadOnly);
        let progress = parking_lot::Mutex::default();
        let worker = pool.worker(&progress);
        let mut commands = Vec::new();
        for ingredient in &recipe.0 {
            let choices = ingredient.choices();
            let asked = Asked {
                analyzer: &self.options.analyzers[ingredient.analyzer],
                options: &choices,
                limits: self.options.limits,
            };
            if let Some(query) = program.task.queries(&asked, &Settled::default()).first() {
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
