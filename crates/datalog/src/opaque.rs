//! What can be said of relations that statements name which are not understood.
//!
//! Such a statement may use every relation that it names to compute every other one, and in any way. So a change of one
//! of them may make the others have more rows or fewer.

use crate::program::Program;

/// What makes the rows of a relation depend on more than the rows that they are computed from: counters, the order of
/// insertion, the numbers of texts, functions of the user's own.
const UNSTEADY: [&str; 8] =
    ["$", "autoinc", "choice-domain", "limitsize", "ord(", "@", ".functor", ".include"];

/// For each relation, whether a statement that is not understood names it.
pub fn named_in_opaque(program: &Program) -> Vec<bool> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '?';
    let words: std::collections::BTreeSet<&str> =
        program.opaque.iter().flat_map(|text| text.split(|letter| !is_part(letter))).collect();
    let may_name_all = program.opaque.iter().any(|text| text.contains(".include"));
    let is_named = |name: &str| may_name_all || words.contains(name);
    program.relations.iter().map(|relation| relation.is_opaque || is_named(&relation.name)).collect()
}

/// True if a statement that is not understood may give other rows although everything that it reads is the same.
pub fn is_unsteady(program: &Program) -> bool {
    program.opaque.iter().any(|text| UNSTEADY.iter().any(|word| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ancestry, ancestry, parse};

    /// `c` is computed from `b` by a rule that is not understood, and from nothing else that is known.
    #[test]
    fn what_is_not_understood_joins_what_it_names() {
        let text = ".decl a(x:symbol)\na(\"1\").\n.decl b(x:symbol)\nb(x) :- a(x).\n.decl c(x:symbol)\n\
                    c(x) :- b(y), x = substr(y, 0, 1).\n.decl d(x:symbol)\nd(\"1\").\n\
                    .decl o(x:symbol)\n.output o\no(x) :- c(x).\n";
        let program = parse("test", text).unwrap();
        assert!(!program.opaque.is_empty());
        let named = named_in_opaque(&program);
        let found = ancestry(&program, program.find("o").unwrap());
        for (name, is_named, bearing) in [
            ("a", false, Ancestry::Both),
            ("b", true, Ancestry::Both),
            ("c", true, Ancestry::Both),
            ("d", false, Ancestry::None),
            ("o", false, Ancestry::Positive),
        ] {
            let place = program.find(name).unwrap().index();
            assert_eq!((named[place], found[place]), (is_named, bearing), "{name}");
        }
        assert!(!is_unsteady(&program));
        let unsteady = parse("test", ".decl a(x:number)\n.output a\na($) :- a(_).\n").unwrap();
        assert!(is_unsteady(&unsteady));
    }
}
