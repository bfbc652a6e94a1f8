//! The output of a bug finder as a verdict. Readers turn formats into reports; here reports become warnings.

mod cppcheck_xml;
mod gcc_json;
mod json;
mod report;
mod rows;
mod sarif;

use crate::failing::text_of;
use crate::warnings::{WarningFormat, WarningsRole};
use model::{Claim, PathEvent, Position, Run, Verdict, Warning};
use report::{Fault, Report};

/// Reads the output of one run. The lines of the warnings are those of the program without the prelude.
pub fn read_warnings(role: &WarningsRole, run: &Run) -> Verdict {
    let output = &role.output;
    let rules = &output.failures;
    if let Some(verdict) = rules.failure(run) {
        return verdict;
    }
    let bad_exit = rules.bad_exit(run);
    let text = match text_of(run, output.file.as_deref()) {
        Ok(text) => text,
        Err(fault) => return bad_exit.unwrap_or(Verdict::Unreadable(fault)),
    };
    match (reports(role, &text), bad_exit) {
        // Formats that hold errors of the compiler say better than an exit code why there is no answer.
        (Err(Fault::Refused(message)), _) => Verdict::Rejected(message),
        (_, Some(bad_exit)) => bad_exit,
        (Err(Fault::Unreadable(message)), None) => Verdict::Unreadable(message),
        (Ok(_), None) if output.complete.as_ref().is_some_and(|pattern| !pattern.is_match(&text)) => {
            Verdict::Unreadable("the output is cut off".to_owned())
        }
        (Ok(_), None) if output.incomplete.iter().any(|pattern| pattern.is_match(&text)) => Verdict::Unknown,
        (Ok(reports), None) => {
            let warnings = reports.into_iter().flat_map(|report| warnings(role, report)).collect();
            Verdict::Claim(Claim::Warnings(warnings))
        }
    }
}

fn reports(role: &WarningsRole, text: &[u8]) -> Result<Vec<Report>, Fault> {
    match role.output.format {
        WarningFormat::GccJson => gcc_json::read(text),
        WarningFormat::Sarif => sarif::read(text),
        WarningFormat::CppcheckXml => cppcheck_xml::read(text),
        WarningFormat::Rows => Ok(rows::read(&role.output.rows, text)),
    }
}

/// The warnings that a report means: none if it is about the prelude or about something that no kind stands for.
fn warnings(role: &WarningsRole, report: Report) -> Vec<Warning> {
    let before = role.lines_before();
    let Some(place) = place_in_program(report.place, before) else { return Vec::new() };
    let in_program =
        |event: PathEvent| Some(PathEvent { place: place_in_program(event.place, before)?, ..event });
    let path: Vec<PathEvent> = report.path.into_iter().filter_map(in_program).collect();
    let kinds = role.kinds_of(&report.checker, &report.message);
    let warning = |kind| Warning {
        kind,
        place,
        checker: report.checker.clone(),
        message: report.message.clone(),
        path: path.clone(),
    };
    kinds.into_iter().map(warning).collect()
}

/// A place of the file as a place of the program after the prelude.
fn place_in_program(place: Position, lines_before: u32) -> Option<Position> {
    let line = place.line.checked_sub(lines_before).filter(|line| *line > 0)?;
    Some(Position { line, ..place })
}
