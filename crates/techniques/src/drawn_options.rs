//! Options of an analyzer, drawn for a question.

use model::{OptionChoice, Random};

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
