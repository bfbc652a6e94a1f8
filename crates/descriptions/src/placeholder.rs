//! Placeholders such as `{file}` in the arguments and texts of a description.

/// Replaces each placeholder, given without its braces, by its value. Values are never searched for placeholders:
/// `(struct s){check}` is C.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
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
pub fn first_unknown<'a>(text: &'a str, allowed: &[&str]) -> Option<&'a str> {
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
        let values = [("check", "7"), ("condition", "((struct s){check}).x")];
        let filled = fill("reach({check}); if (!({condition})) { stop({check}); }", &values);
        assert_eq!(filled, "reach(7); if (!(((struct s){check}).x)) { stop(7); }");
    }

    #[test]
    fn unknown_placeholders_are_found() {
        assert_eq!(first_unknown("{scratch}/{file}", &["scratch", "file"]), None);
        assert_eq!(first_unknown("{scratch}/{files}", &["scratch", "file"]), Some("{files}"));
        assert_eq!(first_unknown("{", &[]), Some("{"));
    }
}
