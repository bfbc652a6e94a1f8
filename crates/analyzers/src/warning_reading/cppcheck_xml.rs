//! Warnings of Cppcheck in its XML format, version 2.

use super::report::{Fault, Report, event, is_program};
use model::{PathEvent, Position};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Errors that concern the program as a whole: Cppcheck did not analyze the rest of it.
const REFUSALS: [&str; 7] = [
    "syntaxError",
    "unknownMacro",
    "internalAstError",
    "internalError",
    "cppcheckError",
    "preprocessorErrorDirective",
    "unhandledChar",
];

/// An error whose locations are still being read.
struct OpenError {
    id: String,
    message: String,
    locations: Vec<Option<PathEvent>>,
}

/// Reads every error.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Report>, Fault> {
    let text = String::from_utf8_lossy(text);
    let mut reader = Reader::from_str(&text);
    // `<error/>` and `<error></error>` mean the same.
    reader.config_mut().expand_empty_elements = true;
    let (mut reports, mut open) = (Vec::new(), None);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if tag.name().as_ref() == b"error" => open = Some(open_error(&tag)?),
            Ok(Event::Start(tag)) if tag.name().as_ref() == b"location" => {
                open.iter_mut().for_each(|error| error.locations.push(station(&tag)));
            }
            Ok(Event::End(tag)) if tag.name().as_ref() == b"error" => {
                reports.extend(open.take().and_then(report))
            }
            Ok(Event::End(tag)) if tag.name().as_ref() == b"results" => return Ok(reports),
            Ok(Event::Eof) | Err(_) => return Err(Fault::Unreadable("the output is cut off".to_owned())),
            Ok(_) => {}
        }
    }
}

fn open_error(tag: &BytesStart<'_>) -> Result<OpenError, Fault> {
    let (id, message) = (attribute(tag, "id"), attribute(tag, "msg"));
    if REFUSALS.contains(&id.as_str()) {
        return Err(Fault::refused(&message));
    }
    Ok(OpenError { id, message, locations: Vec::new() })
}

/// The first location is that of the error; the others lead back to the start of the path.
fn report(error: OpenError) -> Option<Report> {
    let place = error.locations.first()?.as_ref()?.place;
    let has_path = error.locations.len() > 1;
    let path = if has_path { error.locations.into_iter().rev().flatten().collect() } else { Vec::new() };
    Some(Report::new(&error.id, &error.message, place, path))
}

fn station(tag: &BytesStart<'_>) -> Option<PathEvent> {
    let number = |name| attribute(tag, name).parse().unwrap_or(0);
    let place = Position { line: number("line"), column: number("column") };
    is_program(&attribute(tag, "file")).then(|| event(place, None, &attribute(tag, "info")))
}

/// The value of an attribute; empty if it is missing. Entities that are no entities of XML stay as they are.
fn attribute(tag: &BytesStart<'_>, name: &str) -> String {
    let Ok(Some(attribute)) = tag.try_get_attribute(name) else { return String::new() };
    match attribute.unescape_value() {
        Ok(value) => value.into_owned(),
        Err(_) => String::from_utf8_lossy(&attribute.value).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Report>, Fault> {
        read(text.as_bytes())
    }

    #[test]
    fn errors_have_their_first_location_as_place_and_the_others_as_path() {
        let text = "<results version=\"2\"><errors>\n\
            <error id=\"zerodiv\" severity=\"error\" msg=\"a &lt; &amp;lt; &apos;b&apos;\">\n\
            <location file=\"program.c\" line=\"5\" column=\"53\" info=\"Division by zero\"/>\n\
            <location file=\"program.c\" line=\"4\" column=\"27\" info=\"Assignment\"/>\n\
            </error></errors></results>";
        let reports = read_text(text).unwrap();
        assert_eq!(reports.len(), 1);
        assert_eq!((reports[0].checker.as_str(), reports[0].message.as_str()), ("zerodiv", "a < &lt; 'b'"));
        assert_eq!(reports[0].place, Position { line: 5, column: 53 });
        let lines: Vec<u32> = reports[0].path.iter().map(|event| event.place.line).collect();
        assert_eq!(lines, [4, 5]);
    }

    #[test]
    fn what_is_cut_off_or_refused_is_no_list_of_errors() {
        let cut = Fault::Unreadable("the output is cut off".to_owned());
        for text in ["", "<", "<error", "<error id=\"", "<error id=\"a\" msg=\"", "<=\"\"<<>>", "\u{0}"] {
            assert_eq!(read_text(text), Err(cut.clone()), "{text}");
        }
        let refused = "<results><error id=\"syntaxError\" msg=\"bad\"/></results>";
        assert_eq!(read_text(refused), Err(Fault::Refused("bad".to_owned())));
        let elsewhere = "<results><error id=\"zerodiv\" msg=\"bad\"><location file=\"other.h\" line=\"1\"/></error>\
            <error id=\"zerodiv\" msg=\"no place\"/></results>";
        assert_eq!(read_text(elsewhere), Ok(Vec::new()));
    }
}
