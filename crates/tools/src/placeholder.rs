//! Placeholders such as `{file}` in the arguments of a description.

/// Placeholders that stand for several arguments; each is an argument of its own.
pub(crate) const WHOLE: [&str; 3] = ["{options}", "{configuration}", "{flags}"];

/// Replaces each placeholder, given without its braces, by its value. Values are never searched for placeholders.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_searched_again() {
        let values = [("file", "{scratch}.c"), ("scratch", "/tmp/{file}")];
        assert_eq!(fill("{file} in {scratch}, {other} {", &values), "{scratch}.c in /tmp/{file}, {other} {");
    }

    #[test]
    fn unknown_placeholders_are_found() {
        assert_eq!(first_unknown("{scratch}/{file}", &["scratch", "file"]), None);
        assert_eq!(first_unknown("{scratch}/{files}", &["scratch", "file"]), Some("{files}"));
        assert_eq!(first_unknown("{", &[]), Some("{"));
    }
}
