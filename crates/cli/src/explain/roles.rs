//! The roles of an analyzer of C programs on its page: what it is asked in each, and what it can say.

use analyzers::{Checker, CommandOption, Description, ReachabilityRole, WarningsRole};
use model::{DataModel, ErrorKind};
use std::collections::BTreeMap;

/// The lines of the page, each with its label.
pub fn lines(description: &Description) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    if let Some(role) = &description.reachability {
        lines.extend(of_checks("reachability", "says which checks can fail", role));
    }
    if let Some(role) = &description.debug {
        lines.extend(of_checks("debug", "says what its engine knows of a condition", role));
    }
    if let Some(role) = &description.warnings {
        lines.extend(of_warnings(role));
    }
    lines
}

fn of_checks(name: &str, what: &str, role: &ReachabilityRole) -> Vec<(String, String)> {
    let mut lines = vec![
        (format!("role {name}"), format!("{what}; {}", data_models(&role.data_models))),
        ("a check is".to_owned(), role.check.clone()),
        ("an assumption is".to_owned(), role.assume.clone()),
    ];
    lines.extend(options(&role.options));
    lines
}

fn of_warnings(role: &WarningsRole) -> Vec<(String, String)> {
    let path = if role.paths { "shows the path to an error" } else { "shows no paths" };
    let promise = if role.sound { "its authors promise to overlook nothing; " } else { "" };
    let what = format!("warns of errors; {path}; {promise}{}", data_models(&role.data_models));
    let mut lines = vec![("role warnings".to_owned(), what)];
    for kind in ErrorKind::ALL {
        let checkers: Vec<String> =
            role.checkers.iter().filter(|checker| checker.kind == kind).map(checker_in_words).collect();
        if !checkers.is_empty() {
            lines.push((kind.to_string(), checkers.join(", ")));
        }
    }
    lines.extend(options(&role.options));
    for miss in &role.deliberate_misses {
        let kind = miss.kind.map_or(String::new(), |kind| format!("{kind}: "));
        lines.push(("does not look for".to_owned(), format!("{kind}{} ({})", miss.what, miss.source)));
    }
    lines
}

/// Every option that is drawn, with its values.
fn options(options: &[CommandOption]) -> Option<(String, String)> {
    let drawn: Vec<String> = options
        .iter()
        .filter(|option| option.sound)
        .map(|option| format!("{}={}", option.name, option.values.join("|")))
        .collect();
    (!drawn.is_empty()).then(|| ("options drawn".to_owned(), drawn.join(", ")))
}

fn data_models(known: &BTreeMap<DataModel, Vec<String>>) -> String {
    let names: Vec<String> = known.keys().map(DataModel::to_string).collect();
    let noun = if names.len() == 1 { "data model" } else { "data models" };
    format!("{noun} {}", names.join(", "))
}

/// The checker, what its messages must match if it looks for several things, and the versions that have it.
fn checker_in_words(checker: &Checker) -> String {
    let name = without_anchors(checker.pattern.as_str());
    let message = checker.message.as_ref().map(|it| format!("message {}", without_anchors(it.as_str())));
    let since = checker.since.as_ref().map(|version| format!("since {version}"));
    let until = checker.until.as_ref().map(|version| format!("before {version}"));
    let details: Vec<String> = [message, since, until].into_iter().flatten().collect();
    if details.is_empty() { name } else { format!("{name} ({})", details.join(", ")) }
}

/// A pattern as people read it: names, with `or` between those that differ.
fn without_anchors(pattern: &str) -> String {
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    inner.replace("(?:", "(").replace("\\.", ".").replace('|', " or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use analyzers::Catalogue;

    #[test]
    fn every_role_of_gcc_is_on_its_page() {
        let catalogue = Catalogue::shipped().unwrap();
        let lines = lines(catalogue.find("gcc").unwrap());
        for (label, text) in [
            ("role reachability", "data models lp64, ilp32"),
            ("role debug", "what its engine knows"),
            ("a check is", "__analyzer_eval({condition});"),
            ("role warnings", "shows the path"),
            ("leak", "-Wanalyzer-malloc-leak (since 10)"),
            ("options drawn", "optimize=0|1|2"),
            ("does not look for", "leak: memory that `main` still holds"),
        ] {
            let fits = |(name, value): &(String, String)| name == label && value.contains(text);
            assert!(lines.iter().any(fits), "{label}: {text}\n{lines:?}");
        }
    }
}
