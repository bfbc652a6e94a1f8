//! Names that no two relations share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names that are taken.
#[derive(Default)]
pub(super) struct UniqueNames {
    taken: BTreeSet<Arc<str>>,
    /// For each name that was asked for again, the first number that may be free. Without it, each of many relations
    /// with one name would try all numbers before its own.
    numbers: BTreeMap<Arc<str>, usize>,
}

impl UniqueNames {
    /// Takes names that are known to be unique.
    pub(super) fn of(names: impl IntoIterator<Item = Arc<str>>) -> UniqueNames {
        UniqueNames { taken: names.into_iter().collect(), numbers: BTreeMap::new() }
    }

    /// Takes a name, with the first number that makes it unique if it is taken.
    pub(super) fn take(&mut self, base: String) -> Arc<str> {
        let base: Arc<str> = base.into();
        let mut unique = base.clone();
        while !self.taken.insert(unique.clone()) {
            let number = self.numbers.entry(base.clone()).or_default();
            unique = format!("{base}_{number}").into();
            *number += 1;
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_makes_a_taken_name_unique() {
        let mut names = UniqueNames::of(["r".into(), "r_1".into()]);
        let mut take = |name: &str| names.take(name.to_owned()).to_string();
        assert_eq!(
            [take("r"), take("r"), take("r_1"), take("s"), take("r")],
            ["r_0", "r_2", "r_1_0", "s", "r_3"]
        );
    }
}
