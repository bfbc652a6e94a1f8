//! Warnings of Cppcheck in its XML format, version 2. Only what Cppcheck writes is understood, not XML at large.

use super::report::{Fault, Report, event, is_program};
use model::{PathEvent, Place};

/// Errors that are about the program as a whole: nothing else in it was checked.
const REFUSALS: [&str; 7] = [
    "syntaxError",
    "unknownMacro",
    "internalAstError",
    "internalError",
    "cppcheckError",
    "preprocessorErrorDirective",
    "unhandledChar",
];

/// One tag with its attributes.
struct Tag<'a> {
    /// The name; of a closing tag with its slash in front.
    name: &'a str,
    attributes: Vec<(&'a str, String)>,
}

/// Reads every error.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Report>, Fault> {
    let text = String::from_utf8_lossy(text);
    let (mut reports, mut open, mut ended) = (Vec::new(), None, false);
    let mut rest: &str = &text;
    while let Some((tag, behind)) = next_tag(rest) {
        rest = behind;
        match tag.name {
            "error" => {
                reports.extend(open.take().and_then(finished));
                if REFUSALS.contains(&tag.attribute("id")) {
                    return Err(Fault::refused(tag.attribute("msg")));
                }
                open = Some((tag, Vec::new()));
            }
            "location" => {
                let locations = open.as_mut().map(|(_, locations)| locations);
                locations.into_iter().for_each(|locations| locations.push(station(&tag)));
            }
            "/error" => reports.extend(open.take().and_then(finished)),
            "/results" => ended = true,
            _ => {}
        }
    }
    if ended { Ok(reports) } else { Err(Fault::Unreadable("the output is cut off".to_owned())) }
}

/// The first location is that of the error; from there the path goes back to where it starts.
fn finished((tag, locations): (Tag<'_>, Vec<Option<PathEvent>>)) -> Option<Report> {
    let place = locations.first()?.as_ref()?.place;
    let path = if locations.len() > 1 { locations.into_iter().rev().flatten().collect() } else { Vec::new() };
    Some(Report::new(tag.attribute("id"), tag.attribute("msg"), place, path))
}

fn station(tag: &Tag<'_>) -> Option<PathEvent> {
    let number = |name| tag.attribute(name).parse().unwrap_or(0);
    let place = Place { line: number("line"), column: number("column") };
    is_program(tag.attribute("file")).then(|| event(place, None, tag.attribute("info")))
}

impl Tag<'_> {
    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }
}

/// The next tag and what follows it.
fn next_tag(text: &str) -> Option<(Tag<'_>, &str)> {
    let (_, inside) = text.split_once('<')?;
    let ends = |letter: char| letter.is_whitespace() || letter == '>';
    let name_length = inside.find(ends).unwrap_or(inside.len());
    let (name, mut rest) = inside.split_at(name_length);
    let mut attributes = Vec::new();
    while let Some((attribute, behind)) = next_attribute(rest) {
        attributes.push(attribute);
        rest = behind;
    }
    // A tag that does not end was cut off.
    let (_, behind) = rest.split_once('>')?;
    Some((Tag { name: name.trim_end_matches('/'), attributes }, behind))
}

/// The next `name="value"` before the end of the tag.
fn next_attribute(text: &str) -> Option<((&str, String), &str)> {
    let text = text.trim_start();
    let (name, behind) = text.split_once("=\"")?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let (value, rest) = behind.split_once('"')?;
    Some(((name, unescaped(value)), rest))
}

/// A value with its entities replaced. The ampersand comes last, so that nothing is replaced twice.
fn unescaped(value: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.iter().fold(value.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
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
        assert_eq!(reports[0].place, Place { line: 5, column: 53 });
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
