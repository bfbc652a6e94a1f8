//! Parts of SMT-LIB scripts as material of guards.

use super::grow::Variable;
use super::plan::Bits;
use model::Random;
use smt::{Command, Head, Operator, Script, Sort, SymbolId, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Larger parts of a script are not used.
const MOST_NODES: usize = 300;
/// At most so many parts of a script are used in a maze.
const MOST_PARTS: usize = 24;
/// At most so many constants of a script become variables of a maze.
const MOST_VARIABLES: usize = 6;

/// Boolean terms over variables that have the names of a maze.
pub(super) struct Material {
    pub script: Script,
    pub terms: Vec<TermId>,
    pub variables: Vec<Variable>,
}

/// Chooses parts of a script; an error says what keeps all of them from being used.
pub(super) fn material(name: &str, text: &str, random: &mut Random) -> Result<Material, String> {
    let mut script = smt::parse(name, text).map_err(|error| error.to_string())?;
    let mut usable = Vec::new();
    let mut obstacle = "it asserts nothing".to_owned();
    for term in boolean_parts(&script) {
        match constants(&script.terms, term) {
            Ok(symbols) if !symbols.is_empty() => usable.push((term, symbols)),
            Ok(_) => {}
            Err(found) => obstacle = found,
        }
    }
    random.shuffle(&mut usable);
    let mut chosen: Vec<TermId> = Vec::new();
    let mut symbols: BTreeSet<SymbolId> = BTreeSet::new();
    for (term, of_term) in usable {
        let together: BTreeSet<SymbolId> = symbols.union(&of_term).copied().collect();
        if chosen.len() < MOST_PARTS && together.len() <= MOST_VARIABLES {
            symbols = together;
            chosen.push(term);
        }
    }
    if chosen.is_empty() {
        return Err(obstacle);
    }
    renamed(&mut script, &chosen, &symbols).ok_or(obstacle)
}

/// The closed Boolean terms in the assertions, each once.
fn boolean_parts(script: &Script) -> Vec<TermId> {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<TermId> = script.assertions().collect();
    let mut parts = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend(script.terms.children(term));
        let is_boolean = script.terms.sort(term) == smt::SortId::BOOL;
        if is_boolean && script.terms.is_closed(term) && !super::grow::is_constant(script, term) {
            parts.push(term);
        }
    }
    parts.sort_unstable();
    parts
}

/// The constants of a term; an error names what a maze cannot be about.
fn constants(terms: &Terms, root: TermId) -> Result<BTreeSet<SymbolId>, String> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_NODES {
            return Err(format!("a part has more than {MOST_NODES} terms"));
        }
        match terms.sort_of(terms.sort(term)) {
            Sort::Bool => {}
            Sort::BitVec(width) if (1..=64).contains(width) => {}
            _ => return Err(format!("a term of sort {}", smt::print::sort(terms, terms.sort(term)))),
        }
        match terms.head(term) {
            Head::Function(symbol) if terms.children(term).is_empty() => {
                let is_free = terms.function(symbol).is_some_and(|info| info.definition.is_none());
                if !is_free {
                    return Err(format!("the defined function {}", terms.symbol(symbol)));
                }
                found.insert(symbol);
            }
            Head::BitVec { .. } | Head::Operator(_) => {}
            Head::Function(symbol) => return Err(format!("the function {}", terms.symbol(symbol))),
            _ => {
                return Err(
                    "a quantifier, a match, an annotation or an operator of another theory".to_owned()
                );
            }
        }
        stack.extend(terms.children(term));
    }
    Ok(found)
}

/// The terms in a script of their own, over constants named `x0`, `x1` and so on.
fn renamed(script: &mut Script, chosen: &[TermId], symbols: &BTreeSet<SymbolId>) -> Option<Material> {
    let mut text = String::new();
    let mut names: BTreeMap<SymbolId, TermId> = BTreeMap::new();
    let mut sorts = Vec::new();
    for (index, symbol) in symbols.iter().enumerate() {
        let sort = script.terms.function(*symbol)?.result;
        let bits = match script.terms.sort_of(sort) {
            Sort::Bool => Bits::Bool,
            Sort::BitVec(width) => Bits::Vector(*width),
            _ => return None,
        };
        text.push_str(&format!("(declare-const x{index} {})\n", smt::print::sort(&script.terms, sort)));
        // A name that no script has stands for the new one, until everything is read again.
        let (_, term) = super::plan::declare(&mut script.terms, &format!("juvenal maze {index}"), bits);
        names.insert(*symbol, term?);
        sorts.push(bits);
    }
    let rebuilt = smt::rebuild(
        &mut script.terms,
        chosen,
        |_, _| None,
        |terms, term, children| match terms.head(term) {
            Head::Function(symbol) => names.get(&symbol).copied(),
            _ => smt::same_head(terms, term, children),
        },
    )?;
    for term in rebuilt {
        let mut printed = smt::print::term(&script.terms, term);
        for index in (0..sorts.len()).rev() {
            printed = printed.replace(&format!("|juvenal maze {index}|"), &format!("x{index}"));
        }
        text.push_str(&format!("(get-value ({printed}))\n"));
    }
    let mut script = smt::parse("maze", &text).ok()?;
    let terms = script.commands.iter().filter_map(|command| match command {
        Command::GetValue(values) => values.first().copied(),
        _ => None,
    });
    let terms: Vec<TermId> = terms.collect();
    let mut variables = Vec::with_capacity(sorts.len());
    for (index, sort) in sorts.into_iter().enumerate() {
        let symbol = script.terms.find_symbol(&format!("x{index}"))?;
        let term = script.terms.make(Head::Function(symbol), &[]).ok()?;
        variables.push(Variable { symbol, term, sort });
    }
    script.commands.clear();
    Some(Material { script, terms, variables })
}

/// Turns a term into one that holds where it does not.
pub(super) fn negated(terms: &mut Terms, term: TermId) -> Option<TermId> {
    match (terms.head(term), terms.children(term)) {
        (Head::Operator(Operator::Not), [inner]) => Some(*inner),
        _ => terms.not(term).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_script_get_the_names_of_a_maze() {
        let text = "(declare-const |x 0| (_ BitVec 8))(declare-const x0 (_ BitVec 8))(declare-const n Int)
            (assert (and (bvult |x 0| (bvadd x0 #x01)) (> n 3)))(check-sat)";
        let found = material("seed", text, &mut Random::for_case(1, 1)).unwrap();
        let printed: Vec<String> =
            found.terms.iter().map(|term| smt::print::term(&found.script.terms, *term)).collect();
        assert_eq!(printed.len(), 1, "the part about n cannot be used, and the whole neither");
        assert!(
            ["(bvult x0 (bvadd x1 #x01))", "(bvult x1 (bvadd x0 #x01))"].contains(&printed[0].as_str()),
            "{printed:?}"
        );
        assert_eq!(found.variables.len(), 2);
    }

    #[test]
    fn what_keeps_a_script_from_being_used_is_named() {
        for (text, expected) in [
            ("(declare-const n Int)(assert (> n 3))", "Int"),
            ("(assert true)", "asserts nothing"),
            ("(declare-fun f ((_ BitVec 8)) Bool)(assert (f #x00))", "the function f"),
            ("(assert (forall ((b Bool)) b))", "a quantifier"),
            ("(declare-const b (_ BitVec 10000))(assert (= b b))", "BitVec 10000"),
            ("(assert", "expected"),
        ] {
            let error = material("seed", text, &mut Random::for_case(1, 1)).map(|_| ()).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
