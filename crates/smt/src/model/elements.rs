//! The elements of declared sorts in a model. Every solver names them in its own way.

use crate::model::expression::Expressions;
use crate::model::reader::ModelError;
use crate::model::terms::ModelTerms;
use crate::print;
use crate::script::Command;
use crate::term::sort::SortId;
use std::collections::BTreeMap;

/// Finds the names of elements: in the comments of z3, cvc4, cvc5 and our own, in z3's declarations, in `(as @S_0 S)`,
/// and finally by the shape of a name.
pub(crate) fn find_elements(terms: &mut ModelTerms<'_, '_>, text: &str) -> Result<(), ModelError> {
    let announced = from_comments(terms, text);
    from_lists(terms, &announced)?;
    from_shapes(terms);
    for (sort, count) in announced {
        if terms.assignment.universes().get(&sort).is_some_and(|named| *named > count) {
            let sort = print::sort(&terms.script.terms, sort);
            return Err(ModelError::new(Some(&sort), "has more elements than the model announces"));
        }
    }
    Ok(())
}

/// Collects the names in comments. Returns the announced numbers of elements.
fn from_comments(terms: &mut ModelTerms<'_, '_>, text: &str) -> BTreeMap<SortId, u32> {
    let mut announced = BTreeMap::new();
    let mut current: Option<SortId> = None;
    for line in text.lines() {
        let Some(comment) = line.trim_start().strip_prefix(';') else { continue };
        let comment = comment.trim_start_matches(';').trim();
        if let Some((sort, names)) = universe_line(comment) {
            current = sort_of_text(terms, sort);
            add_names(terms, current, names);
        } else if let Some(rest) = comment.strip_prefix("cardinality of ") {
            let parts = rest.rsplit_once(" is ");
            current = parts.and_then(|(sort, _)| sort_of_text(terms, sort));
            let count = parts.and_then(|(_, count)| count.trim().parse().ok());
            announced.extend(current.zip(count));
        } else if let Some(name) = comment.strip_prefix("rep: ") {
            let name = name.strip_prefix("(as ").and_then(|rest| rest.split(' ').next()).unwrap_or(name);
            add_names(terms, current, name);
        } else if comment.starts_with("---") || comment.contains(':') {
            current = None;
        } else if line.trim_start().starts_with(";;") {
            add_names(terms, current, comment);
        }
    }
    announced
}

/// z3's `universe for S:` with the names on the next line, or our `universe of S: S!0 S!1`.
fn universe_line(comment: &str) -> Option<(&str, &str)> {
    let rest = comment.strip_prefix("universe for ").or_else(|| comment.strip_prefix("universe of "))?;
    match rest.split_once(": ") {
        Some((sort, names)) => Some((sort, names)),
        None => rest.strip_suffix(':').map(|sort| (sort, "")),
    }
}

fn sort_of_text(terms: &mut ModelTerms<'_, '_>, text: &str) -> Option<SortId> {
    let expressions = Expressions::read(text).ok()?;
    let &[id] = expressions.top() else { return None };
    let mut inner = ModelTerms::new(terms.script, &expressions);
    inner.sort(id).ok()
}

/// Adds the symbols of a text, which may be quoted.
fn add_names(terms: &mut ModelTerms<'_, '_>, sort: Option<SortId>, names: &str) {
    let (Some(sort), Ok(expressions)) = (sort, Expressions::read(names)) else { return };
    for id in expressions.top() {
        if let Some(name) = expressions.symbol(*id) {
            terms.add_element(name, sort);
        }
    }
}

fn from_lists(terms: &mut ModelTerms<'_, '_>, announced: &BTreeMap<SortId, u32>) -> Result<(), ModelError> {
    let expressions = terms.expressions;
    for list in expressions.lists() {
        let symbol = |position: usize| list.get(position).and_then(|id| expressions.symbol(*id));
        let is_declaration = matches!(symbol(0), Some("declare-fun" | "declare-const"));
        let (name, sort) = match (symbol(0), list) {
            (Some("declare-fun"), [_, _, parameters, sort]) if expressions.list(*parameters) == Some(&[]) => {
                (symbol(1), *sort)
            }
            (Some("declare-const"), [_, _, sort]) => (symbol(1), *sort),
            // bitwuzla and yices write `(as @const_1 S)`, and two such names are not necessarily two elements.
            (Some("as"), [_, name, _]) if symbol(1).is_some_and(|name| name.starts_with("@const")) => {
                let message = "names an element without saying which others it differs from";
                return Err(ModelError::new(expressions.symbol(*name), message));
            }
            (Some("as"), [_, _, sort]) if symbol(1).is_some_and(|name| name.starts_with('@')) => {
                (symbol(1), *sort)
            }
            _ => continue,
        };
        if let Some(name) = name
            && let Ok(sort) = terms.sort(sort)
            // cvc4 announces one element and declares another name, `groundTerm_1`, for an unused value.
            && !(is_declaration && announced.contains_key(&sort))
        {
            terms.add_element(name, sort);
        }
    }
    Ok(())
}

/// Names such as `S!val!0`, `@uc_S_0` and `@S_0` for each declared sort without parameters.
fn from_shapes(terms: &mut ModelTerms<'_, '_>) {
    let commands = &terms.script.commands;
    let names: Vec<String> = commands
        .iter()
        .filter_map(|command| match command {
            Command::DeclareSort { name, arity: 0 } => Some(terms.script.terms.symbol(*name).to_owned()),
            _ => None,
        })
        .collect();
    let expressions = terms.expressions;
    for name in names {
        let Some(sort) = terms.declared_sort(&name, Vec::new()) else { continue };
        let prefixes = [format!("{name}!val!"), format!("@uc_{name}_"), format!("@{name}_")];
        for token in expressions.atoms().filter(|token| token.is_name()) {
            let digits = prefixes.iter().find_map(|prefix| token.text.strip_prefix(prefix.as_str()));
            if digits
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
            {
                terms.add_element(token.text, sort);
            }
        }
    }
}
