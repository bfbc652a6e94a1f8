//! Placeholders such as `{file}` in the arguments and spellings of a description.

use model::Limits;

/// The placeholder for all options of a run.
pub(crate) const OPTIONS: &str = "{options}";

/// Replaces each placeholder, given without its braces, by its value. Values are never searched for placeholders:
/// `(struct s){check}` is C.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find('{') {
        let (before, from_brace) = rest.split_at(start);
        filled.push_str(before);
        let found =
            values.iter().find_map(|(name, value)| Some((value, after_placeholder(from_brace, name)?)));
        match found {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = &from_brace[1..];
            }
        }
    }
    filled + rest
}

/// The arguments with every placeholder replaced; an argument `{options}` becomes all of `options`.
pub(crate) fn fill_arguments(
    arguments: &[String],
    values: &[(&str, &str)],
    options: &[String],
) -> Vec<String> {
    let mut filled = Vec::with_capacity(arguments.len() + options.len());
    for argument in arguments {
        if argument == OPTIONS {
            filled.extend_from_slice(options);
        } else {
            filled.push(fill(argument, values));
        }
    }
    filled
}

/// The text from the first `{` that does not begin one of the allowed placeholders, if there is one.
pub(crate) fn first_unknown<'a>(text: &'a str, allowed: &[&str]) -> Option<&'a str> {
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let from_brace = &rest[start..];
        match allowed.iter().find_map(|name| after_placeholder(from_brace, name)) {
            Some(after) => rest = after,
            None => return Some(from_brace),
        }
    }
    None
}

fn after_placeholder<'a>(from_brace: &'a str, name: &str) -> Option<&'a str> {
    from_brace.strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')
}

/// The time that an analyzer may use by its own clock, for `{milliseconds}` and `{seconds}`.
pub(crate) struct OwnTime {
    milliseconds: String,
    seconds: String,
}

impl OwnTime {
    /// The wall limit less one part in `parts`, so that the analyzer can still report that it ran out of time.
    pub(crate) fn below(limits: &Limits, parts: u64) -> OwnTime {
        let milliseconds = (limits.wall_milliseconds - limits.wall_milliseconds / parts).max(1);
        let seconds = (milliseconds / 1000).max(1);
        OwnTime { milliseconds: milliseconds.to_string(), seconds: seconds.to_string() }
    }

    /// The values of the two placeholders.
    pub(crate) fn values(&self) -> [(&str, &str); 2] {
        [("milliseconds", &self.milliseconds), ("seconds", &self.seconds)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_searched_again() {
        let values = [("check", "7"), ("condition", "((struct s){check}).x")];
        let filled = fill("reach({check}); if (!({condition})) { stop({check}); }", &values);
        assert_eq!(filled, "reach(7); if (!(((struct s){check}).x)) { stop(7); }");
        assert_eq!(fill("{unknown} {", &values), "{unknown} {");
    }

    #[test]
    fn unknown_placeholders_are_found() {
        assert_eq!(first_unknown("-t {seconds} {file}", &["seconds", "file"]), None);
        assert_eq!(first_unknown("-t {second} {file}", &["seconds", "file"]), Some("{second} {file}"));
        assert_eq!(first_unknown("{", &[]), Some("{"));
    }

    #[test]
    fn an_analyzer_stops_before_its_wall_limit() {
        let limits = |wall_milliseconds| Limits { wall_milliseconds, ..Limits::default() };
        let values = |wall, parts| {
            let time = OwnTime::below(&limits(wall), parts);
            time.values().map(|(name, value)| format!("{name}={value}")).join(" ")
        };
        assert_eq!(values(10_000, 10), "milliseconds=9000 seconds=9");
        assert_eq!(values(10_000, 2), "milliseconds=5000 seconds=5");
        assert_eq!(values(1, 10), "milliseconds=1 seconds=1");
    }
}
