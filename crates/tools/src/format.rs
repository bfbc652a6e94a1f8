//! The formats of reports. What a reader returns has paths and texts as the tool printed them.

mod cppcheck_xml;
mod json;
mod json_value;
mod sarif;
mod text;

use crate::output::{Output, ReportFormat};
use model::{FileFailure, Level, ProjectReport, ResultPlace, ToolResult};

/// The most results that one report may have.
const MOST_RESULTS: usize = 1_000_000;

/// The most places that belong to one result; of more, the first and the last are kept.
const MOST_RELATED: usize = 400;

/// The largest report. A larger one would take too much memory while it is read.
const LARGEST: usize = 128 << 20;

/// What the results of a report may hold in all: so many times its size, and this much more. Results of some formats refer
/// to texts, so a small report could stand for a very large one.
const MOST_TIMES: usize = 8;
const MOST_MORE: usize = 1 << 20;

/// The size that is left for the texts of results.
struct TextBudget {
    left: usize,
}

impl TextBudget {
    /// The budget of a report of this size.
    fn of(report: &[u8]) -> TextBudget {
        TextBudget { left: report.len().saturating_mul(MOST_TIMES).saturating_add(MOST_MORE) }
    }

    fn take(&mut self, result: &ToolResult) -> Result<(), String> {
        let place = |place: &ResultPlace| place.file.len();
        let related = result.related.iter().map(|it| place(&it.place) + it.message.len());
        let fingerprints = result.fingerprints.iter().map(|(name, value)| name.len() + value.len());
        let own = result.rule.len() + result.message.len() + result.place.as_ref().map_or(0, place);
        let size = own + related.sum::<usize>() + fingerprints.sum::<usize>();
        self.left = self.left.checked_sub(size).ok_or("its results repeat too much of its text")?;
        Ok(())
    }
}

/// Reads a report; the error says what is wrong with its format.
pub(crate) fn read(output: &Output, text: &[u8]) -> Result<ProjectReport, String> {
    if text.len() > LARGEST {
        return Err(format!("the report is larger than {} MiB; try smaller parts", LARGEST >> 20));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut report = match output.format {
        ReportFormat::Sarif => sarif::read(text)?,
        ReportFormat::Json => json::read(output, text)?,
        ReportFormat::JsonLines => json::read_lines(output, text)?,
        ReportFormat::Text => text::read(output, text),
        ReportFormat::CppcheckXml => cppcheck_xml::read(output, text)?,
    };
    if report.results.len() > MOST_RESULTS {
        return Err(format!("there are more than {MOST_RESULTS} results; try smaller parts"));
    }
    for result in &mut report.results {
        shorten(result);
        result.fingerprints.retain(|method, _| !output.ignored_fingerprints.contains(method));
    }
    let failing = report.results.iter().filter(|result| is_failing(output, result)).map(failure);
    let failing: Vec<FileFailure> = failing.collect();
    report.failures.extend(failing);
    Ok(report)
}

/// The level that a tool's word stands for.
fn level(output: &Output, word: Option<&str>) -> Level {
    word.and_then(|word| output.levels.get(word)).copied().unwrap_or(output.default_level)
}

/// Where a path starts and how it comes to the problem matters most.
fn shorten(result: &mut ToolResult) {
    let count = result.related.len();
    if count > MOST_RELATED {
        result.related.drain(MOST_RELATED / 2..count - MOST_RELATED / 2);
    }
}

fn is_failing(output: &Output, result: &ToolResult) -> bool {
    output.failing_results.iter().any(|failing| {
        failing.rule.is_match(result.rule.as_bytes())
            && failing.message.as_ref().is_none_or(|pattern| pattern.is_match(result.message.as_bytes()))
    })
}

fn failure(result: &ToolResult) -> FileFailure {
    FileFailure {
        file: result.place.as_ref().map(|place| place.file.clone()),
        message: result.message.clone(),
    }
}
