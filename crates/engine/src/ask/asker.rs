//! Asking: the store first, then a warm session or a new process, then the store again.

use super::analysis::describe_analysis;
use super::datalog_run::describe_computation;
use super::warm::WarmSessions;
use crate::{Backend, Engine, Program, Resolved, Tally};
use analyzers::{BuiltIn, DatalogRole, Ending, Run, SmtLiar, SmtRole};
use anyhow::{Context, Result};
use model::{Answer, Cost, DatalogInput, Hash, Input, Mode, Query, RunRecord, SmtInput, Verdict};
use std::collections::BTreeMap;
use std::ffi::OsString;
use store::Store;

/// Answers are recorded at the latest after this much time of asking, and always at the end of a step.
const RECORD_AFTER_MICROSECONDS: u64 = 100_000;
/// What is kept of an output for a report.
const KEPT_OUTPUT: usize = 64 << 10;

/// What the store is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journal {
    /// Known answers are taken from the store, new ones are recorded.
    ReadAndWrite,
    /// Only known answers count; nobody is asked.
    ReadOnly,
    /// Everybody is asked, nothing is recorded.
    Off,
}

/// Asks on behalf of one worker.
pub struct Asker<'a> {
    engine: &'a Engine,
    store: Option<&'a Store>,
    journal: Journal,
    sessions: WarmSessions,
    tally: Tally,
}

impl<'a> Asker<'a> {
    /// An asker with no warm sessions yet.
    pub fn new(engine: &'a Engine, store: Option<&'a Store>, journal: Journal) -> Asker<'a> {
        Asker { engine, store, journal, sessions: WarmSessions::default(), tally: Tally::default() }
    }

    /// The answers, in order. Each is on disk before this returns.
    pub fn ask(&mut self, queries: &[Query]) -> Result<Vec<Answer>> {
        self.ask_in_order(queries, &|| false)
    }

    /// The same, but `stop` is looked at before each query; none if it broke the asking off. What was answered
    /// until then is on disk.
    pub fn ask_until(&mut self, queries: &[Query], stop: &dyn Fn() -> bool) -> Result<Option<Vec<Answer>>> {
        let answers = self.ask_in_order(queries, stop)?;
        Ok((answers.len() == queries.len()).then_some(answers))
    }

    /// The answers to as many of the queries as were asked before `stop`.
    fn ask_in_order(&mut self, queries: &[Query], stop: &dyn Fn() -> bool) -> Result<Vec<Answer>> {
        let mut answers = Vec::with_capacity(queries.len());
        let mut unrecorded = Vec::new();
        let mut spent = 0;
        // Answers that came with an earlier one, by the place of their queries.
        let mut early = BTreeMap::new();
        for (place, query) in queries.iter().enumerate() {
            if stop() {
                break;
            }
            let resolved = self.engine.resolved(&query.analyzer)?;
            let key = query.key(resolved.description_hash);
            // The same question twice in a row is one question: another answer would take the place of the first
            // in the store, and walking the case again would not see what was seen here.
            let just_given = unrecorded.iter().find(|(known, _)| *known == key).filter(|_| self.records());
            let known = match just_given {
                Some((_, answer)) => Some(Answer::clone(answer)),
                None => self.recall(key)?,
            };
            let answer = match known {
                Some(answer) => answer,
                None => {
                    let mut answer = match early.remove(&place) {
                        Some(answer) => answer,
                        None => self.put_with_others(queries, place, resolved, &mut early)?,
                    };
                    // A report shows what was printed when an exhibit was confirmed; nothing else needs it.
                    if !(query.fresh && query.attempt > 0) {
                        answer.output = Vec::new();
                    }
                    spent += answer.cost.wall_microseconds;
                    self.tally.count(query.mode, &answer);
                    unrecorded.push((key, answer.clone()));
                    answer
                }
            };
            if spent > RECORD_AFTER_MICROSECONDS {
                self.record(&mut unrecorded)?;
                spent = 0;
            }
            answers.push(answer);
        }
        self.record(&mut unrecorded)?;
        Ok(answers)
    }

    /// The answer to the query at this place. Later ones that one run can take with it are answered, too, and kept.
    fn put_with_others(
        &mut self,
        queries: &[Query],
        place: usize,
        resolved: &Resolved,
        early: &mut BTreeMap<usize, Answer>,
    ) -> Result<Answer> {
        let query = &queries[place];
        let Some((program, role)) = several_at_once(query, resolved) else {
            return self.put(query, resolved);
        };
        let places = self.places_together(queries, place, resolved, role.programs_at_once)?;
        let inputs: Vec<&DatalogInput> =
            places.iter().filter_map(|place| queries[*place].input.datalog()).collect();
        let mut answers = self.engine.compute(query, &inputs, program, role)?.into_iter();
        let first = answers.next().context("an engine without an answer")?;
        early.extend(places.into_iter().skip(1).zip(answers));
        Ok(first)
    }

    /// The query at this place and later ones that differ from it in nothing but the program and have no recorded answer.
    fn places_together(
        &self,
        queries: &[Query],
        first: usize,
        resolved: &Resolved,
        most: usize,
    ) -> Result<Vec<usize>> {
        let store = self.store.filter(|_| self.journal != Journal::Off);
        let mut keys = Vec::new();
        let mut places = Vec::new();
        for (place, query) in queries.iter().enumerate().skip(first) {
            let key = query.key(resolved.description_hash);
            let is_same = queries[first].with_input(query.input.clone()) == *query && !keys.contains(&key);
            let is_known = match store {
                Some(store) if is_same && place > first => store.database.answer(key)?.is_some(),
                _ => false,
            };
            if is_same && !is_known {
                keys.push(key);
                places.push(place);
            }
            if places.len() == most {
                break;
            }
        }
        Ok(places)
    }

    /// What was done since this was last called.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// How to put a query to its analyzer by hand.
    pub fn describe_run(&self, query: &Query) -> Result<RunRecord> {
        Ok(match (&query.input, &self.engine.resolved(&query.analyzer)?.backend) {
            (input, Backend::BuiltIn(_)) => RunRecord {
                command: vec!["juvenal".to_owned(), "built-in".to_owned(), built_in_specification(query)],
                stdin: input.text(),
                ..RunRecord::default()
            },
            (Input::Smt(input), Backend::Program(program)) => describe_program_run(program, input, query),
            (Input::C(input), Backend::Program(program)) => match &program.tool_info {
                Some(tool) => self.engine.describe_tool(query, input, program, tool)?,
                None => describe_analysis(program, input, query),
            },
            (Input::Datalog(input), Backend::Program(program)) => describe_computation(program, input, query),
        })
    }

    /// A recorded answer, or the note that there is none where nobody may be asked.
    fn recall(&mut self, key: Hash) -> Result<Option<Answer>> {
        let Some(store) = self.store.filter(|_| self.journal != Journal::Off) else { return Ok(None) };
        if let Some(known) = store.database.answer(key)? {
            self.tally.recalled += 1;
            return Ok(Some(known));
        }
        if self.journal == Journal::ReadOnly {
            self.tally.missing += 1;
            let verdict = Verdict::Unreadable("no answer is recorded".to_owned());
            return Ok(Some(Answer { verdict, cost: Cost::default(), output: Vec::new() }));
        }
        Ok(None)
    }

    /// True if new answers go to the store.
    fn records(&self) -> bool {
        self.store.is_some() && self.journal == Journal::ReadAndWrite
    }

    fn record(&self, unrecorded: &mut Vec<(Hash, Answer)>) -> Result<()> {
        let answers = std::mem::take(unrecorded);
        match self.store {
            Some(store) if self.records() && !answers.is_empty() => store.database.record_answers(&answers),
            _ => Ok(()),
        }
    }

    fn put(&mut self, query: &Query, resolved: &Resolved) -> Result<Answer> {
        match (&query.input, &resolved.backend) {
            (input, Backend::BuiltIn(built_in)) => self.ask_built_in(query, input, built_in),
            (Input::Smt(input), Backend::Program(program)) => {
                let Some(role) = &program.description.smt else { return Ok(no_role(query, "[smt]")) };
                if query.mode != Mode::Process {
                    return self.sessions.ask(self.engine, query, input, program, role);
                }
                self.run_process(query, input, program, role)
            }
            (Input::C(input), Backend::Program(program)) => match program.description.c_role(query.role) {
                Some(role) => self.engine.analyze(query, input, program, role),
                None => Ok(no_role(query, &format!("[{}]", query.role))),
            },
            (Input::Datalog(input), Backend::Program(program)) => match &program.description.datalog {
                Some(role) => {
                    let answers = self.engine.compute(query, &[input], program, role)?;
                    answers.into_iter().next().context("an engine without an answer")
                }
                None => Ok(no_role(query, &format!("[{}]", query.role))),
            },
        }
    }

    fn ask_built_in(&self, query: &Query, input: &Input, built_in: &BuiltIn) -> Result<Answer> {
        match (input, built_in) {
            (Input::Smt(input), BuiltIn::Smt(liar)) if liar.needs_process() => {
                self.run_own_program(query, input, liar)
            }
            (Input::Smt(input), BuiltIn::Smt(liar)) => {
                let output = liar.answer(&input.text()).into_bytes();
                let verdict = analyzers::read(liar.role(), &output, &[], Ending::Exited(0), input.checks);
                Ok(Answer { verdict, cost: Cost::default(), output })
            }
            (Input::Datalog(input), BuiltIn::Datalog(engine)) => {
                let verdict = engine.answer(&input.text);
                let output = engine.printed(&verdict).into_bytes();
                Ok(Answer { verdict, cost: Cost::default(), output })
            }
            _ => Ok(no_role(query, &format!("[{}]", query.role))),
        }
    }

    /// One process for one script.
    fn run_process(
        &self,
        query: &Query,
        input: &SmtInput,
        program: &Program,
        role: &SmtRole,
    ) -> Result<Answer> {
        let run = program.invocation().run(input, &query.limits);
        let command = self.engine.command(program, &run)?;
        let outcome = self.engine.runner.run(&command, &query.limits).context("cannot run an analyzer")?;
        let ending = translate(&outcome.ending);
        let verdict = analyzers::read(role, &outcome.stdout, &outcome.stderr, ending, input.checks);
        Ok(Answer { verdict, cost: outcome.cost, output: kept_output(&outcome.stdout, &outcome.stderr) })
    }

    /// A built-in liar that dies, hangs or floods runs as a process, so that only the process suffers.
    fn run_own_program(&self, query: &Query, input: &SmtInput, liar: &SmtLiar) -> Result<Answer> {
        let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let mut command = process::Command::new(program, self.engine.run_root());
        command.arguments = ["built-in".into(), OsString::from(built_in_specification(query))].to_vec();
        command.stdin = input.text().into_bytes();
        let outcome =
            self.engine.runner.run(&command, &query.limits).context("cannot run the built-in liar")?;
        let ending = translate(&outcome.ending);
        let verdict = analyzers::read(liar.role(), &outcome.stdout, &outcome.stderr, ending, input.checks);
        Ok(Answer { verdict, cost: outcome.cost, output: kept_output(&outcome.stdout, &outcome.stderr) })
    }
}

/// The engine and its role, if the query may be answered by a run that answers others.
fn several_at_once<'a>(query: &Query, resolved: &'a Resolved) -> Option<(&'a Program, &'a DatalogRole)> {
    let Backend::Program(program) = &resolved.backend else { return None };
    let role = program.description.datalog.as_ref()?;
    let is_asked = matches!(query.input, Input::Datalog(_)) && !query.fresh;
    (is_asked && role.programs_at_once > 1).then_some((program, role))
}

/// What an analyzer answers to a question that its description does not provide for.
fn no_role(query: &Query, section: &str) -> Answer {
    let verdict = Verdict::Rejected(format!("{} has no section {section}", query.analyzer));
    Answer { verdict, cost: Cost::default(), output: Vec::new() }
}

impl Engine {
    /// The command of a run, in the private directory.
    pub(crate) fn command(&self, program: &Program, run: &Run) -> Result<process::Command> {
        let mut words = program.command.iter();
        let first = words.next().context("an analyzer without a program")?;
        let mut command = process::Command::new(first, self.run_root());
        command.arguments = words.cloned().collect();
        for argument in &run.arguments {
            command.arguments.push(self.fill_in(argument, run)?);
        }
        command.environment.extend(program.environment.iter().cloned());
        command.stdin = run.stdin.clone();
        Ok(command)
    }

    /// An analyzer that takes no standard input gets its script as a file of the run directory.
    fn fill_in(&self, argument: &str, run: &Run) -> Result<OsString> {
        match &run.file {
            Some((name, bytes)) if argument == name => {
                let thread = format!("{:?}", std::thread::current().id());
                let unique: String = thread.chars().filter(char::is_ascii_digit).collect();
                Ok(self.directory.write(&format!("{unique}-{name}"), bytes)?.into_os_string())
            }
            _ => Ok(argument.into()),
        }
    }
}

pub(crate) fn translate(ending: &process::Ending) -> Ending {
    match ending {
        process::Ending::Exited(code) => Ending::Exited(*code),
        process::Ending::Signaled(signal) => Ending::Signaled(*signal),
        process::Ending::Limit(kind) => Ending::Limit(*kind),
    }
}

pub(crate) fn kept_output(stdout: &[u8], stderr: &[u8]) -> Vec<u8> {
    let mut output = stdout[..stdout.len().min(KEPT_OUTPUT)].to_vec();
    output.extend_from_slice(&stderr[..stderr.len().min(KEPT_OUTPUT)]);
    output
}

/// `liar-smt:lie=hang`, without the version that is our own.
pub(crate) fn built_in_specification(query: &Query) -> String {
    let id = query.analyzer.as_str();
    let configuration = id.split_once(':').map_or(String::new(), |(_, rest)| format!(":{rest}"));
    format!("{}{configuration}", query.analyzer.name())
}

fn describe_program_run(program: &Program, input: &SmtInput, query: &Query) -> RunRecord {
    let shown = |word: &OsString| word.to_string_lossy().into_owned();
    let invocation = program.invocation();
    let (arguments, stdin) = match query.mode {
        Mode::Process => {
            let run = invocation.run(input, &query.limits);
            // The script stands in a file beside the report, which the shell gives as standard input.
            let file = run.file.map(|(name, _)| name);
            let from_stdin =
                |word: String| if Some(&word) == file.as_ref() { "/dev/stdin".to_owned() } else { word };
            (run.arguments.into_iter().map(from_stdin).collect(), input.text())
        }
        mode => (
            invocation.session_arguments(mode, &query.limits).unwrap_or_default(),
            format!("{}{}", invocation.opening(input, mode), invocation.request(input, mode, "end")),
        ),
    };
    RunRecord {
        command: program.command.iter().map(shown).chain(arguments).collect(),
        environment: program.environment.iter().map(|(key, value)| (shown(key), shown(value))).collect(),
        stdin,
        ..RunRecord::default()
    }
}
