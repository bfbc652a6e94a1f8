//! Reports of Cppcheck in its XML format, version 2.

use super::level;
use crate::output::Output;
use model::{ProjectReport, RelatedPlace, ResultPlace, ToolResult};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Reads every error. The first location is that of the error; the others lead back to the start of a path.
pub(super) fn read(output: &Output, text: &[u8]) -> Result<ProjectReport, String> {
    let text = String::from_utf8_lossy(text);
    // Progress and remarks may stand before the XML.
    let start = text.find("<?xml").or_else(|| text.find("<results")).unwrap_or(0);
    let mut reader = Reader::from_str(&text[start..]);
    // `<error/>` and `<error></error>` mean the same.
    reader.config_mut().expand_empty_elements = true;
    let (mut report, mut open) = (ProjectReport::default(), None::<OpenError>);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if tag.name().as_ref() == b"error" => open = Some(open_error(output, &tag)),
            Ok(Event::Start(tag)) if tag.name().as_ref() == b"location" => {
                open.iter_mut().for_each(|error| error.locations.push(location(&tag)));
            }
            Ok(Event::End(tag)) if tag.name().as_ref() == b"error" => {
                report.results.extend(open.take().map(OpenError::result));
            }
            Ok(Event::End(tag)) if tag.name().as_ref() == b"results" => return Ok(report),
            Ok(Event::Eof) | Err(_) => return Err("the report is cut off".to_owned()),
            Ok(_) => {}
        }
    }
}

/// An error whose locations are still being read.
struct OpenError {
    result: ToolResult,
    locations: Vec<RelatedPlace>,
}

impl OpenError {
    fn result(self) -> ToolResult {
        let mut locations = self.locations.into_iter();
        let place = locations.next().map(|first| first.place).filter(|place| !place.file.is_empty());
        ToolResult { place, related: locations.rev().collect(), ..self.result }
    }
}

fn open_error(output: &Output, tag: &BytesStart<'_>) -> OpenError {
    let result = ToolResult {
        rule: attribute(tag, "id"),
        level: level(output, Some(&attribute(tag, "severity"))),
        message: attribute(tag, "msg"),
        place: None,
        related: Vec::new(),
        fingerprints: Default::default(),
        suppressed: false,
    };
    OpenError { result, locations: Vec::new() }
}

fn location(tag: &BytesStart<'_>) -> RelatedPlace {
    let number = |name| attribute(tag, name).parse().unwrap_or(0);
    let place =
        ResultPlace { column: number("column"), ..ResultPlace::line(attribute(tag, "file"), number("line")) };
    RelatedPlace { place, message: attribute(tag, "info") }
}

/// The value of an attribute; empty if it is missing. Entities that are no entities of XML stay as they are.
fn attribute(tag: &BytesStart<'_>, name: &str) -> String {
    // The check for attributes of the same name takes the square of their number.
    let mut attributes = tag.attributes();
    let named = attributes.with_checks(false).flatten().find(|it| it.key.as_ref() == name.as_bytes());
    let Some(attribute) = named else { return String::new() };
    match attribute.unescape_value() {
        Ok(value) => value.into_owned(),
        Err(_) => String::from_utf8_lossy(&attribute.value).into_owned(),
    }
}
