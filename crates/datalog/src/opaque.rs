//! Relations that opaque statements mention.
//!
//! An opaque statement may compute any relation that it mentions from any other. So a change to one of them may add rows
//! to the others or remove some.

use crate::program::Program;

/// Features that make rows depend on more than the rows they are computed from: counters, insertion order, the numbers
/// of interned strings, and user-defined functions.
const NONDETERMINISTIC: [&str; 8] =
    ["$", "autoinc", "choice-domain", "limitsize", "ord(", "@", ".functor", ".include"];

/// Returns, for each relation, whether an opaque statement mentions it.
pub fn named_in_opaque(program: &Program) -> Vec<bool> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '?';
    let words: std::collections::BTreeSet<&str> =
        program.opaque.iter().flat_map(|text| text.split(|letter| !is_part(letter))).collect();
    let may_name_all = program.opaque.iter().any(|text| text.contains(".include"));
    let is_named = |name: &str| may_name_all || words.contains(name);
    program.relations.iter().map(|relation| relation.is_opaque || is_named(&relation.name)).collect()
}

/// Returns true if an opaque statement may derive different rows from the same input.
pub fn is_nondeterministic(program: &Program) -> bool {
    program.opaque.iter().any(|text| NONDETERMINISTIC.iter().any(|word| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ancestry, ancestry, parse};

    /// `c` is computed from `b` by an opaque rule and by no other.
    #[test]
    fn opaque_statements_relate_all_relations_that_they_mention() {
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
        assert!(!is_nondeterministic(&program));
        let nondeterministic = parse("test", ".decl a(x:number)\n.output a\na($) :- a(_).\n").unwrap();
        assert!(is_nondeterministic(&nondeterministic));
    }
}
