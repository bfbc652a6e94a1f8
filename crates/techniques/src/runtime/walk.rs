//! The walk of one case: the bug finder analyzes a closed program, and then the program with injected errors.

use super::injection::{Injection, inject};
use super::judge;
use super::relation::RuntimeRelation;
use super::stations;
use super::units::Units;
use super::{Knobs, Wanted, counts};
use crate::drawn_options::drawn_options;
use crate::{Case, Notes, Step, execution, failures};
use c::analyze::{sanitizers_detect, why_not_closed};
use c::{Program, Site};
use model::{
    AnalyzerInfo, Answer, CInput, ErrorKind, Exhibit, Input, Limits, Lineup, Mode, Query, Random, Relation,
    Role, UNPARSED_PROGRAM, Verdict, Warning, WarningsInfo,
};

/// At most this many options of the bug finder are drawn for a query.
const MOST_OPTIONS: usize = 2;
/// How many sites are instrumented to see whether they are executed.
const MOST_SITES: usize = 300;
/// Attempts to inject an error into a program before a round is abandoned.
const ATTEMPTS: usize = 20;

/// The state of a case.
pub struct Walk {
    input: CInput,
    program: Program,
    subject: AnalyzerInfo,
    role: WarningsInfo,
    executor: Query,
    knobs: Knobs,
    random: Random,
    rounds: usize,
    executed: Vec<Site>,
    stage: Stage,
}

enum Stage {
    Start,
    /// The program was shown to the bug finder.
    Shown(Query),
    /// Executions of what would refute its warnings, which are in the answer.
    Refuting(Vec<Exhibit>, Box<Answer>),
    /// The program was run to see which sites are executed.
    Run(Vec<Site>),
    /// Programs with errors were shown to the bug finder.
    Injected(Vec<(Injection, Query)>),
    /// The analyzer was asked whether it reaches the errors that it did not report, and they were executed.
    Unreported(Vec<(Injection, Query)>),
}

impl Walk {
    /// A walk over one program with one bug finder.
    pub fn new(
        input: CInput,
        program: Program,
        subject: AnalyzerInfo,
        role: WarningsInfo,
        executor: Query,
        knobs: Knobs,
        random: Random,
    ) -> Walk {
        let (executed, stage) = (Vec::new(), Stage::Start);
        Walk { input, program, subject, role, executor, knobs, random, rounds: 0, executed, stage }
    }

    /// Shows the program as it is: every warning is suspect.
    fn show(&mut self) -> Step {
        let options = drawn_options(&self.role.options, MOST_OPTIONS, &mut self.random);
        self.show_with(options)
    }

    fn show_with(&mut self, options: Vec<(String, String)>) -> Step {
        let query = self.question(self.input.clone(), options);
        self.stage = Stage::Shown(query.clone());
        Step::Ask(vec![query])
    }

    fn judge_shown(&mut self, query: &Query, answer: &Answer, notes: &mut Notes) -> Step {
        if let Verdict::Rejected(message) = &answer.verdict {
            // Compilers differ in what they take beyond the standard.
            return skip("the analyzer refuses the program", message);
        }
        if let Some(exhibit) = self.failures(query, answer) {
            notes.exhibits.push(exhibit);
            return Step::Done;
        }
        let Some(warnings) = answer.warnings() else {
            notes.count(counts::PROGRAMS_WITHOUT_ANSWER);
            return self.run();
        };
        if self.initialize(warnings).is_some() {
            notes.count(counts::PROGRAMS_INITIALIZED);
            return self.show_with(query.options.clone());
        }
        notes.count(counts::PROGRAMS);
        let refuting = self.refuting(query, warnings, notes);
        if refuting.is_empty() {
            return self.run();
        }
        let queries = refuting.iter().filter_map(|exhibit| exhibit.queries.get(1).cloned()).collect();
        self.stage = Stage::Refuting(refuting, Box::new(answer.clone()));
        Step::Ask(queries)
    }

    fn failures(&self, query: &Query, answer: &Answer) -> Option<Exhibit> {
        let execution = self.executor.with_input(query.input.clone());
        let relation = Relation::of(&RuntimeRelation::Analyzed);
        failures::exhibit(super::NAME, query, answer, Some(execution), relation)
    }

    /// Gives every variable a value where it is declared, if that is needed to refute a warning of a read without one.
    fn initialize(&mut self, warnings: &[Warning]) -> Option<()> {
        let kind = ErrorKind::UninitializedRead;
        let is_warned_of = warnings.iter().any(|warning| warning.kind == kind);
        if !is_warned_of || !self.refutes() || sanitizers_detect(&self.program, kind) {
            return None;
        }
        let input = c::reduce::initialized(&self.input)?;
        let program = c::parse_input("program", &input).ok()?;
        if !sanitizers_detect(&program, kind) {
            return None;
        }
        (self.input, self.program) = (input, program);
        Some(())
    }

    /// True if warnings of the bug finder are to be refuted. A bug finder that misses nothing warns of more than can happen
    /// by design.
    fn refutes(&self) -> bool {
        self.knobs.wanted != Wanted::Misses && !self.role.sound
    }

    /// What would refute the warnings, one for each place and kind.
    fn refuting(&mut self, query: &Query, warnings: &[Warning], notes: &mut Notes) -> Vec<Exhibit> {
        notes.add(counts::WARNINGS, warnings.len() as u64);
        if !self.refutes() {
            return Vec::new();
        }
        let units = Units::of(&self.program);
        let mut seen: Vec<(ErrorKind, u32)> = Vec::new();
        let mut refuting = Vec::new();
        for warning in warnings {
            let identity = (warning.kind, warning.place.line);
            if seen.contains(&identity) || !sanitizers_detect(&self.program, warning.kind) {
                continue;
            }
            let Some(stations) = stations::stations(&self.program, &units, warning, self.role.paths) else {
                notes.count(counts::WARNINGS_NOT_FROM_MAIN);
                continue;
            };
            seen.push(identity);
            refuting.extend(judge::false_warning(query, warning, &stations, &self.role, &self.executor));
        }
        refuting
    }

    fn judge_refuting(
        &mut self,
        exhibits: Vec<Exhibit>,
        shown: &Answer,
        answers: &[Answer],
        notes: &mut Notes,
    ) -> Step {
        for (exhibit, executed) in exhibits.into_iter().zip(answers) {
            if judge::broken(&exhibit, &[shown.clone(), executed.clone()]) {
                notes.exhibits.push(exhibit);
            } else {
                notes.count(counts::WARNINGS_NOT_EXECUTED);
            }
        }
        self.run()
    }

    /// Runs the program once, to see where errors can be put.
    fn run(&mut self) -> Step {
        if self.knobs.wanted == Wanted::FalseWarnings || self.knobs.rounds == 0 {
            return Step::Done;
        }
        let mut sites = c::sites(&self.program);
        sites.truncate(MOST_SITES);
        let note = |(number, site): (u32, &Site)| execution::noted(site.place, number, "1");
        let annotations = (1..).zip(&sites).map(note).collect();
        let noting = CInput { annotations, ..self.input.clone() };
        self.stage = Stage::Run(sites);
        Step::Ask(vec![self.executor.with_input(Input::C(noting))])
    }

    fn judge_run(&mut self, sites: Vec<Site>, answer: &Answer, notes: &mut Notes) -> Step {
        let Some(claim) = answer.checks() else {
            return skip("the program cannot be executed", answer.verdict.word());
        };
        if let Some(what) = &claim.undefined {
            return skip("the program has undefined behaviour", what);
        }
        let is_noted = |number: u32| claim.checks.iter().any(|it| it.check == number && it.values.is_some());
        self.executed =
            (1..).zip(sites).filter(|(number, _)| is_noted(*number)).map(|(_, site)| site).collect();
        self.next_round(notes)
    }

    /// Puts errors into the program and shows the results to the bug finder.
    fn next_round(&mut self, notes: &mut Notes) -> Step {
        if self.rounds >= self.knobs.rounds {
            return Step::Done;
        }
        self.rounds += 1;
        let kinds: Vec<ErrorKind> =
            super::injection::KINDS.into_iter().filter(|kind| self.role.kinds.contains(kind)).collect();
        let executed: Vec<&Site> = self.executed.iter().collect();
        let mut injected = Vec::new();
        for _ in 0..self.knobs.errors {
            let made = (0..ATTEMPTS).find_map(|_| {
                let kind = *self.random.choose(&kinds)?;
                inject(&self.program, &self.input, &executed, kind, &mut self.random)
            });
            injected.extend(made);
        }
        if injected.is_empty() {
            notes.count(counts::ROUNDS_WITHOUT_ERROR);
            return Step::Done;
        }
        // Optimizers may remove an error before the analyzer looks, so no options are drawn.
        let with_query = |injection: Injection| {
            let query = self.question(injection.program.clone(), Vec::new());
            (injection, query)
        };
        let injected: Vec<(Injection, Query)> = injected.into_iter().map(with_query).collect();
        let queries = injected.iter().map(|(_, query)| query.clone()).collect();
        self.stage = Stage::Injected(injected);
        Step::Ask(queries)
    }

    fn judge_injected(
        &mut self,
        injected: Vec<(Injection, Query)>,
        answers: &[Answer],
        notes: &mut Notes,
    ) -> Step {
        let mut unreported = Vec::new();
        for ((injection, query), answer) in injected.into_iter().zip(answers) {
            notes.count(counts::ERRORS);
            notes.exhibits.extend(self.failures(&query, answer));
            if answer.warnings().is_none() {
                notes.count(counts::PROGRAMS_WITHOUT_ANSWER);
            } else if judge::is_unreported(&injection, answer, self.role.sound) {
                notes.count(counts::ERRORS_NOT_REPORTED);
                unreported.push((injection, query));
            }
        }
        if unreported.is_empty() {
            return self.next_round(notes);
        }
        let mut queries = Vec::new();
        for (injection, _) in &unreported {
            queries.push(self.executor.with_input(Input::C(judge::watching(injection))));
            queries.extend(self.arrival(injection));
        }
        self.stage = Stage::Unreported(unreported);
        Step::Ask(queries)
    }

    /// Asks the analyzer whether its engine reaches the failing statement; `None` if it cannot be asked.
    fn arrival(&self, injection: &Injection) -> Option<Query> {
        let role = self.subject.reachability()?;
        let input = judge::arriving(injection);
        role.data_models
            .contains(&input.data_model)
            .then(|| Query { role: Role::Reachability, ..self.question(input, Vec::new()) })
    }

    fn judge_unreported(
        &mut self,
        unreported: Vec<(Injection, Query)>,
        answers: &[Answer],
        notes: &mut Notes,
    ) -> Step {
        let mut answers = answers.iter();
        for (injection, query) in unreported {
            let Some(executed) = answers.next() else { break };
            let arrival = self.arrival(&injection);
            let arrives = match arrival {
                Some(_) => answers.next().is_some_and(judge::is_reached),
                None => true,
            };
            if !judge::meets(&injection, executed) {
                notes.count(counts::ERRORS_THAT_DO_NOT_HAPPEN);
            } else if !arrives {
                notes.count(counts::ERRORS_NOT_REACHED);
            } else {
                notes.exhibits.push(judge::missed(&query, &injection, &self.role, &self.executor, arrival));
            }
        }
        self.next_round(notes)
    }

    fn question(&self, input: CInput, options: Vec<(String, String)>) -> Query {
        Query {
            role: Role::Warnings,
            options,
            limits: Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() },
            ..Query::new(self.subject.id.clone(), Input::C(input), Mode::Process)
        }
    }
}

fn skip(reason: &str, detail: &str) -> Step {
    Step::Skip { reason: reason.to_owned(), detail: detail.to_owned() }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        match (std::mem::replace(&mut self.stage, Stage::Start), answers) {
            (Stage::Start, _) => self.show(),
            (Stage::Shown(query), [answer]) => self.judge_shown(&query, answer, notes),
            (Stage::Refuting(exhibits, shown), answers) => {
                self.judge_refuting(exhibits, &shown, answers, notes)
            }
            (Stage::Run(sites), [answer]) => self.judge_run(sites, answer, notes),
            (Stage::Injected(injected), answers) => self.judge_injected(injected, answers, notes),
            (Stage::Unreported(unreported), answers) => self.judge_unreported(unreported, answers, notes),
            _ => Step::Done,
        }
    }
}

/// The query to an analyzer that runs programs of a data model, to be completed with a program; `None` if there is no
/// such analyzer.
pub fn executor(lineup: &Lineup, subject: &AnalyzerInfo, input: &CInput, milliseconds: u64) -> Option<Query> {
    let member = crate::execution::executor(lineup, Some(subject), input.data_model)?;
    Some(Query {
        limits: Limits { wall_milliseconds: milliseconds, ..Limits::default() },
        ..Query::new(member.id.clone(), Input::C(input.clone()), Mode::Process)
    })
}

/// The program of a seed; an error says in one sentence why the technique cannot use it.
pub fn closed_program(name: &str, input: &CInput) -> Result<Program, (&'static str, String)> {
    let program = c::parse_input(name, input).map_err(|error| (UNPARSED_PROGRAM, error.to_string()))?;
    match why_not_closed(&program) {
        Some(detail) => Err(("the program is not closed", format!("{name}: {detail}"))),
        None => Ok(program),
    }
}
