//! Options of an analyzer: drawn for a question, and dropped again in a reduction.

use crate::Edit;
use model::{Exhibit, OptionChoice, Random};
use std::collections::BTreeSet;

/// No more options than `most`, each with one of its values. All are sound, so that relations hold under any of them.
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

/// The pass that drops drawn options from the questions of an exhibit.
pub(crate) const OPTIONS: &str = "options";

/// The edits of that pass: each drops one option from all questions that have it.
pub(crate) fn option_edits(exhibit: &Exhibit) -> Vec<Edit> {
    (0..options_of(exhibit).len()).map(|place| Edit { place, choice: 0 }).collect()
}

/// The exhibit without some of its options.
pub(crate) fn without_options(exhibit: &Exhibit, edits: &[Edit]) -> Exhibit {
    let dropped = options_of(exhibit).into_iter().enumerate();
    let dropped: BTreeSet<_> = dropped
        .filter(|(place, _)| edits.iter().any(|edit| edit.place == *place))
        .map(|(_, option)| option)
        .collect();
    let mut smaller = exhibit.clone();
    smaller.queries.iter_mut().for_each(|query| query.options.retain(|option| !dropped.contains(option)));
    smaller
}

fn options_of(exhibit: &Exhibit) -> BTreeSet<(String, String)> {
    exhibit.queries.iter().flat_map(|query| query.options.iter().cloned()).collect()
}
