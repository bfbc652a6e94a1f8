//! Options of an analyzer: drawn for a query, and dropped again in a reduction.

use crate::{Pass, Patch};
use model::{Exhibit, OptionChoice, Random};
use std::collections::BTreeSet;

/// Draws up to `most` options, each with one of its values. All of them are sound, so relations hold under any of them.
pub(crate) fn drawn_options(
    choices: &[OptionChoice],
    most: usize,
    random: &mut Random,
) -> Vec<(String, String)> {
    let mut options: Vec<&OptionChoice> = choices.iter().collect();
    random.shuffle(&mut options);
    options.truncate(random.between(0, most));
    let mut value =
        |option: &OptionChoice| Some((option.name.clone(), random.choose(&option.values)?.clone()));
    options.into_iter().filter_map(&mut value).collect()
}

/// The pass that drops drawn options from the queries of an exhibit.
pub(crate) struct DropOptions;

impl Pass for DropOptions {
    fn name(&self) -> &'static str {
        "options"
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let options: BTreeSet<&(String, String)> =
            exhibit.queries.iter().flat_map(|query| &query.options).collect();
        let drop_option =
            |(name, value): &(String, String)| Patch::DropOption { name: name.clone(), value: value.clone() };
        options.into_iter().map(drop_option).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let is_dropped = |(name, value): &(String, String)| {
            patches.iter().any(|patch| {
                matches!(patch, Patch::DropOption { name: dropped, value: of } if dropped == name && of == value)
            })
        };
        let mut smaller = exhibit.clone();
        smaller.queries.iter_mut().for_each(|query| query.options.retain(|option| !is_dropped(option)));
        Some(smaller)
    }
}
