//! A query as one analyzer is asked it: the request that is made of it, and how what comes back is read.
//!
//! Both are pure functions, so a recorded transcript can be read again by another version of the reader.

use crate::built_in::{BuiltIn, DatalogEngine};
use crate::c_role::CRole;
use crate::calling::{FilledStep, PROGRAM_FILE};
use crate::datalog_role::DatalogRole;
use crate::description::SmtRole;
use crate::file_access;
use crate::invocation::{Invocation, Wrapper};
use crate::modelled::{is_modelled, why_not_for_callers};
use crate::one_by_one::{merged, programs};
use crate::reachability::Rendered;
use crate::reading::read;
use crate::request::{Request, RunRequest};
use crate::roles::role_kind;
use datalog::{Dialect, Program};
use model::{
    CInput, Claim, Ending, Hash, Input, Language, Limits, Mode, Query, Run, SmtInput, TextInput, Transcript,
    Verdict,
};

/// This much of each stream is shown in a report.
const SHOWN_OUTPUT: usize = 64 << 10;

/// A query as one analyzer is asked it.
pub struct Question<'a> {
    /// What the analyzer is given.
    pub request: Request<'a>,
    reader: Reader<'a>,
}

enum Reader<'a> {
    /// The answer is known without running anything.
    Settled {
        verdict: Verdict,
        reason: String,
    },
    Smt {
        role: &'a SmtRole,
        checks: u32,
    },
    C(CReader<'a>),
    Datalog(Box<DatalogReader<'a>>),
    /// The built-in engine computes verdicts, and nothing is read.
    BuiltInDatalog(&'a DatalogEngine),
}

struct CReader<'a> {
    invocation: Invocation<'a>,
    query: &'a Query,
    role: CRole<'a>,
    input: &'a CInput,
    /// The program of each run.
    programs: Vec<(CInput, Rendered)>,
}

struct DatalogReader<'a> {
    role: &'a DatalogRole,
    language: Dialect,
    program: Program,
}

impl<'a> Question<'a> {
    /// The query as an external program is asked it.
    pub fn new(invocation: Invocation<'a>, query: &'a Query) -> Question<'a> {
        if let Some(problem) = undeclared_option(invocation, query) {
            return Question::settled(query, Verdict::Unknown, problem);
        }
        let question = role_kind(query.role).and_then(|kind| (kind.question)(invocation, query));
        question.unwrap_or_else(|| no_role(query))
    }

    /// The query as a built-in analyzer is asked it.
    pub fn for_built_in(built_in: &'a BuiltIn, query: &'a Query) -> Question<'a> {
        let request = |text: String| {
            let run = RunRequest { stdin: text.into_bytes(), ..RunRequest::default() };
            Request::new(query, vec![run], query.input.identity())
        };
        match (&query.input, built_in) {
            (Input::Smt(input), BuiltIn::Smt(liar)) => Question {
                request: request(input.text()),
                reader: Reader::Smt { role: liar.role(), checks: input.checks },
            },
            (Input::Text(input), BuiltIn::Datalog(engine)) if input.language == Language::DATALOG => {
                Question { request: request(input.text.to_string()), reader: Reader::BuiltInDatalog(engine) }
            }
            _ => no_role(query),
        }
    }

    fn settled(query: &Query, verdict: Verdict, reason: String) -> Question<'a> {
        let reader = Reader::Settled { verdict, reason };
        Question { request: Request::new(query, Vec::new(), query.input.identity()), reader }
    }

    /// The verdict, if it is known without running anything.
    pub fn known_verdict(&self) -> Option<Verdict> {
        match &self.reader {
            Reader::Settled { verdict, .. } => Some(verdict.clone()),
            _ => None,
        }
    }

    /// The commands of one run under other limits, for a run that has only the time that earlier ones left.
    pub fn steps_within(&self, run: usize, limits: &Limits) -> Vec<FilledStep> {
        match (&self.reader, self.request.runs.get(run)) {
            (Reader::C(reader), Some(_)) if *limits != self.request.limits => reader.steps(run, limits),
            (_, Some(run)) => run.steps.clone(),
            (_, None) => Vec::new(),
        }
    }

    /// The language and the program of a question to a Datalog engine.
    pub fn datalog(&self) -> Option<(&'a DatalogRole, Dialect, &Program)> {
        match &self.reader {
            Reader::Datalog(reader) => Some((reader.role, reader.language, &reader.program)),
            _ => None,
        }
    }

    /// What the runs say together. None for a built-in engine, which prints nothing that could be read, and for a
    /// transcript that ends early although every run in it makes a claim: an earlier reader saw no claim in the last
    /// run, so the runs for the other checks were never made.
    pub fn read(&self, transcript: &Transcript) -> Option<Verdict> {
        if matches!(self.reader, Reader::BuiltInDatalog(_)) {
            return None;
        }
        let runs = transcript.runs.iter().enumerate();
        let verdicts: Vec<Verdict> = runs.map(|(number, run)| self.read_run(number, run)).collect();
        let is_claim = |verdict: &Verdict| matches!(verdict, Verdict::Claim(_));
        let is_complete = verdicts.len() >= self.request.runs.len() || !verdicts.iter().all(is_claim);
        is_complete.then(|| self.together(verdicts))
    }

    /// What one run says.
    pub fn read_run(&self, number: usize, run: &Run) -> Verdict {
        match &self.reader {
            Reader::Settled { verdict, .. } => verdict.clone(),
            Reader::Smt { role, checks } => read(role, &run.stdout, &run.stderr, run.ending, *checks),
            Reader::C(reader) => reader.read_run(number, run),
            Reader::Datalog(reader) => reader.role.read(reader.language, &reader.program, run),
            Reader::BuiltInDatalog(_) => Verdict::Unreadable("built-in engines print nothing".to_owned()),
        }
    }

    /// The verdict on the query, from those on its runs.
    pub fn together(&self, mut verdicts: Vec<Verdict>) -> Verdict {
        match &self.reader {
            Reader::C(reader) => reader.together(verdicts),
            Reader::Settled { verdict, .. } => verdict.clone(),
            _ => verdicts.pop().unwrap_or_else(|| Verdict::Unreadable("nothing was run".to_owned())),
        }
    }

    /// What is shown of an answer in reports.
    pub fn shown(&self, verdict: &Verdict, transcript: Option<&Transcript>) -> Vec<u8> {
        let runs = transcript.map_or(&[][..], |transcript| &transcript.runs);
        match &self.reader {
            Reader::Settled { reason, .. } => reason.clone().into_bytes(),
            Reader::BuiltInDatalog(engine) => engine.printed(verdict).into_bytes(),
            Reader::C(reader) => reader.shown(verdict, runs),
            Reader::Smt { .. } | Reader::Datalog(_) => runs.iter().flat_map(shown_run).collect(),
        }
    }
}

impl CReader<'_> {
    fn steps(&self, run: usize, limits: &Limits) -> Vec<FilledStep> {
        let Some((program, _)) = self.programs.get(run) else { return Vec::new() };
        self.invocation.steps(self.role, PROGRAM_FILE, program, self.query, limits)
    }

    fn read_run(&self, number: usize, run: &Run) -> Verdict {
        let Some((program, rendered)) = self.programs.get(number) else {
            return Verdict::Unreadable("more runs than programs".to_owned());
        };
        match self.invocation.wrapper {
            Wrapper::Module => self.read_word(program, rendered, run),
            Wrapper::None | Wrapper::Liar(_) => self.role.read(program, rendered, run),
        }
    }

    /// What the word of a BenchExec module says about the check.
    fn read_word(&self, program: &CInput, rendered: &Rendered, run: &Run) -> Verdict {
        let word = run.file.clone().unwrap_or_default();
        // The module has judged the exit code, but a signal is a crash whatever was printed before it.
        let ending = match run.ending {
            Ending::Exited(_) => Ending::Exited(0),
            ending => ending,
        };
        let shown = String::from_utf8_lossy(&word).into_owned();
        match self.role.read(program, rendered, &Run::new(ending, word, Vec::new())) {
            Verdict::Unreadable(reason) => {
                Verdict::Unreadable(format!("the tool-info module says `{shown}`: {reason}"))
            }
            verdict => verdict,
        }
    }

    fn together(&self, mut verdicts: Vec<Verdict>) -> Verdict {
        let mut only = || verdicts.pop().unwrap_or_else(|| Verdict::Unreadable("nothing was run".to_owned()));
        match self.invocation.wrapper {
            Wrapper::Liar(liar) => liar.reported(self.input, only()),
            _ if self.role.reports_all() => only(),
            _ => merged(verdicts),
        }
    }

    fn shown(&self, verdict: &Verdict, runs: &[Run]) -> Vec<u8> {
        match (self.invocation.wrapper, verdict) {
            (Wrapper::Liar(liar), Verdict::Claim(Claim::Checks(claim))) => liar.printed(claim).into_bytes(),
            (Wrapper::Module, _) => runs.iter().flat_map(shown_with_word).collect(),
            _ => runs.iter().flat_map(shown_run).collect(),
        }
    }
}

/// A question to an analyzer that answers `sat` or `unsat`. It gets an SMT-LIB script, or, if its description names
/// another language, a text of that language as it is.
pub(crate) fn smt_question<'a>(invocation: Invocation<'a>, query: &'a Query) -> Option<Question<'a>> {
    let role = invocation.description.smt.as_ref()?;
    match &query.input {
        Input::Smt(input) => Some(script_question(invocation, query, input, role)),
        Input::Text(input) if input.language == invocation.description.language => {
            Some(text_question(invocation, query, input, role))
        }
        Input::C(_) | Input::Text(_) => None,
    }
}

fn text_question<'a>(
    invocation: Invocation<'a>,
    query: &'a Query,
    input: &TextInput,
    role: &'a SmtRole,
) -> Question<'a> {
    if query.mode != Mode::Process {
        let message = format!("there are no sessions of the mode {} for {}", query.mode, input.language);
        return Question::settled(query, Verdict::Rejected(message), String::new());
    }
    let request = Request::new(query, vec![invocation.text_run(query, input)], query.input.identity());
    Question { request, reader: Reader::Smt { role, checks: 1 } }
}

fn script_question<'a>(
    invocation: Invocation<'a>,
    query: &'a Query,
    input: &SmtInput,
    role: &'a SmtRole,
) -> Question<'a> {
    let run = invocation.smt_run(query, input);
    if let Some(problem) = file_access::in_run(&run) {
        return Question::settled(query, Verdict::Unknown, problem);
    }
    // The text holds everything else about the input. The marker that ends an answer in a session depends on how the
    // solver echoes it.
    let checks = input.checks.to_le_bytes();
    let reading = Hash::of_parts([&checks[..], invocation.marker_line("marker").as_bytes()]);
    let request = Request::new(query, vec![run], reading);
    Question { request, reader: Reader::Smt { role, checks: input.checks } }
}

/// Why executions of a program prove nothing: it could reach the harness.
fn why_no_evidence(input: &CInput) -> Option<String> {
    match c::parse_input("program", input) {
        Ok(program) => c::analyze::why_no_evidence(&program, is_modelled),
        Err(problem) => Some(problem.to_string()),
    }
}

/// Why a program is not for an analyzer that calls its functions.
fn why_callers_are_not_asked(input: &CInput) -> Option<String> {
    match c::parse_input("program", input) {
        Ok(program) => why_not_for_callers(&program),
        Err(problem) => Some(problem.to_string()),
    }
}

/// A question about a C program, in any role that takes one.
pub(crate) fn c_question<'a>(invocation: Invocation<'a>, query: &'a Query) -> Option<Question<'a>> {
    let (role, input) = (invocation.description.c_role(query.role)?, query.input.c()?);
    if let Some(problem) = file_access::in_c(input) {
        return Some(Question::settled(query, Verdict::Unknown, problem));
    }
    let problem = match role.executes() {
        true => why_no_evidence(input),
        false if role.calls_programs() => why_callers_are_not_asked(input),
        false => None,
    };
    if let Some(problem) = problem {
        return Some(Question::settled(query, Verdict::Unknown, problem));
    }
    let asked = match invocation.wrapper {
        Wrapper::Liar(liar) => vec![liar.distort(input)],
        Wrapper::None | Wrapper::Module => programs(role, input),
    };
    let is_asked = |program: &CInput| role.reports_all() || program.checks().next().is_some();
    let rendered = |program: CInput| {
        let rendered = role.render(&program);
        (program, rendered)
    };
    let programs = asked.into_iter().filter(is_asked).map(rendered).collect();
    let reader = CReader { invocation, query, role, input, programs };
    let run = |number: usize| RunRequest {
        steps: reader.steps(number, &query.limits),
        file: Some((PROGRAM_FILE.to_owned(), reader.programs[number].1.text.clone().into_bytes())),
        support: role.files(),
        ..RunRequest::default()
    };
    let runs = (0..reader.programs.len()).map(run).collect();
    // Which file is collected and whether the program is confined are not in the commands.
    let reading = Hash::of_parts([
        &query.input.identity().0[..],
        role.output_file().unwrap_or_default().as_bytes(),
        &[u8::from(role.executes())],
    ]);
    let request = Request::new(query, runs, reading);
    Some(Question { request, reader: Reader::C(reader) })
}

/// A question about the rows of a Datalog program.
pub(crate) fn datalog_question<'a>(invocation: Invocation<'a>, query: &'a Query) -> Option<Question<'a>> {
    let role = invocation.description.datalog.as_ref()?;
    let text = query.input.text_in(Language::DATALOG)?;
    Some(match DatalogReader::new(invocation, query, text, role) {
        Ok((reader, run)) => {
            // Two dialects may write a program alike and still print rows differently.
            let dialect = format!("{:?}", reader.language);
            let reading = Hash::of_parts([
                &query.input.identity().0[..],
                dialect.as_bytes(),
                &role.compile_seconds.to_le_bytes(),
            ]);
            let request = Request::new(query, vec![run], reading);
            Question { request, reader: Reader::Datalog(Box::new(reader)) }
        }
        // An engine cannot know anything about a program that its language cannot express.
        Err(problem) => Question::settled(query, Verdict::Unknown, problem),
    })
}

impl<'a> DatalogReader<'a> {
    fn new(
        invocation: Invocation<'a>,
        query: &Query,
        text: &str,
        role: &'a DatalogRole,
    ) -> Result<(DatalogReader<'a>, RunRequest<'a>), String> {
        let language = role
            .language(&query.options, invocation.configuration)
            .ok_or_else(|| format!("there is no language {}", role.dialect))?;
        let program = datalog::parse("program", text).map_err(|error| error.to_string())?;
        if let Some(problem) = file_access::in_program(&program) {
            return Err(problem);
        }
        let name = format!("program.{}", language.extension());
        let text = language.render(&program)?;
        let limits = role.run_limits(&query.limits, 1);
        let run = RunRequest {
            steps: vec![FilledStep::own(invocation.datalog_arguments(role, query, &name, &limits))],
            file: Some((name, text.into_bytes())),
            stdin: language.input(&program).unwrap_or_default().into_bytes(),
            ..RunRequest::default()
        };
        Ok((DatalogReader { role, language, program }, run))
    }
}

/// Options of a query become arguments, and a stored query may hold any, so only values that the description lists count.
fn undeclared_option(invocation: Invocation<'_>, query: &Query) -> Option<String> {
    let is_declared = |(name, value): &&(String, String)| {
        invocation.description.command_options().any(|option| option.name == *name && option.declares(value))
    };
    let (name, value) = query.options.iter().find(|option| !is_declared(option))?;
    let option = format!("{name}={value}");
    Some(format!("the description does not list the option `{}`", option.escape_debug()))
}

/// The answer to a query in a role that the description does not have.
fn no_role<'a>(query: &Query) -> Question<'a> {
    let verdict = Verdict::Rejected(format!("{} has no section [{}]", query.analyzer, query.role));
    Question::settled(query, verdict, String::new())
}

fn shown_run(run: &Run) -> Vec<u8> {
    let cut = |bytes: &[u8]| bytes[..bytes.len().min(SHOWN_OUTPUT)].to_vec();
    [cut(&run.stdout), cut(&run.stderr)].concat()
}

/// What a tool printed and what its module made of it.
fn shown_with_word(run: &Run) -> Vec<u8> {
    let word = run.file.as_ref().map(|word| [b"\n", word.as_slice(), b"\n"].concat());
    [shown_run(run), word.unwrap_or_default()].concat()
}
