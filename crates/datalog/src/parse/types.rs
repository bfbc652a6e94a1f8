//! Resolves type names.

use super::syntax::TypeDefinition;
use crate::program::Type;
use std::collections::{BTreeMap, BTreeSet};

/// The types of a program, by name.
pub(super) struct Types<'a> {
    plain: BTreeMap<&'a str, Type>,
    defined: BTreeSet<&'a str>,
}

/// The primitive types.
const PRIMITIVE: [(&str, Type); 4] = [
    ("number", Type::Signed),
    ("unsigned", Type::Unsigned),
    ("float", Type::Float),
    ("symbol", Type::Symbol),
];

impl<'a> Types<'a> {
    /// Finds the subtypes, synonyms and unions of primitive types. Each definition is visited once for each of its parts,
    /// however long the chains are.
    pub(super) fn new(definitions: &[&TypeDefinition<'a>]) -> Types<'a> {
        let mut users: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
        for (place, definition) in definitions.iter().enumerate() {
            for part in definition.parts.iter().flatten() {
                users.entry(part).or_default().push(place);
            }
        }
        let mut missing: Vec<usize> =
            definitions.iter().map(|it| it.parts.as_ref().map_or(usize::MAX, Vec::len)).collect();
        let mut plain: BTreeMap<&'a str, Type> = PRIMITIVE.into_iter().collect();
        let mut new: Vec<&'a str> = plain.keys().copied().collect();
        while let Some(known) = new.pop() {
            for place in users.get(known).into_iter().flatten() {
                let (Some(left), Some(definition)) = (missing.get_mut(*place), definitions.get(*place))
                else {
                    continue;
                };
                *left = left.saturating_sub(1);
                if *left == 0
                    && !plain.contains_key(definition.name)
                    && let Some(r#type) = common_type(definition, &plain)
                {
                    plain.insert(definition.name, r#type);
                    new.push(definition.name);
                }
            }
        }
        Types { plain, defined: definitions.iter().map(|definition| definition.name).collect() }
    }

    /// Returns the primitive type to which a type reduces, if any.
    pub(super) fn plain(&self, name: &str) -> Option<Type> {
        self.plain.get(name).copied()
    }

    /// Returns true if the type is defined.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.plain.contains_key(name) || self.defined.contains(name)
    }
}

/// Returns the primitive type to which all parts of a definition reduce.
fn common_type(definition: &TypeDefinition<'_>, plain: &BTreeMap<&str, Type>) -> Option<Type> {
    let mut types = definition.parts.iter().flatten().map(|part| plain.get(part).copied());
    let first = types.next()??;
    types.all(|other| other == Some(first)).then_some(first)
}
