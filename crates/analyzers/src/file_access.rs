//! Inputs that make an analyzer read or write files, or load code, of the input's choice.
//!
//! Inputs may come from an untrusted campaign directory or seed. What they name is never theirs to choose, so
//! these inputs are not asked about.

use crate::request::RunRequest;
use model::{CInput, Input, Language};
use std::borrow::Cow;

/// The command in an input that touches files, in words; `None` if there is none.
pub fn file_access(input: &Input) -> Option<String> {
    match input {
        Input::Smt(script) => in_script(&script.text()),
        Input::Text(input) if input.language == Language::SMT => in_script(&input.text),
        Input::Text(input) if input.language == Language::DATALOG => {
            in_program(&datalog::parse("program", &input.text).ok()?)
        }
        Input::C(program) => in_c(program),
        Input::Text(_) => None,
    }
}

/// The same for a script as the solver really gets it.
pub(crate) fn in_run(run: &RunRequest<'_>) -> Option<String> {
    let text = |bytes| String::from_utf8_lossy(bytes);
    let stdin = text(&run.stdin);
    let whole = match &run.session {
        Some(session) if !session.opening.is_empty() => Cow::Owned(format!("{}{stdin}", session.opening)),
        _ => stdin,
    };
    in_script(&whole).or_else(|| in_script(&text(&run.file.as_ref()?.1)))
}

/// The same for a C program with its checks and assumptions. Techniques ask about prepared programs only.
pub(crate) fn in_c(program: &CInput) -> Option<String> {
    let text = program.render(|annotation| format!("({});", annotation.condition));
    let (what, line) = c::find_unprepared(&text)?;
    Some(explain(&what, &format!(" in line {line} of the program")))
}

/// The same for a Datalog program.
pub(crate) fn in_program(program: &datalog::Program) -> Option<String> {
    Some(explain(&datalog::file_access(program)?, ""))
}

fn in_script(text: &str) -> Option<String> {
    let access = smt::file_access(text)?;
    Some(explain(&access.what, &format!(" in line {} of the script", access.line)))
}

fn explain(what: &str, place: &str) -> String {
    format!(
        "`{what}`{place} may make an analyzer touch files, load code or print what the input says, which juvenal does not allow an input"
    )
}
