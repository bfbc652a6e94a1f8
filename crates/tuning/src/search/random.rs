//! Random sampling: the baseline of every other search.

use super::{BATCH, Search, SearchKind, Trial, draw_new, on_all_programs};
use crate::{History, RecipeSpace};
use model::Random;

pub(super) const KIND: SearchKind = SearchKind {
    name: "random",
    summary: "draws recipes from the whole space and tries each on every program",
    start: || Box::new(RandomSampling),
};

struct RandomSampling;

impl Search for RandomSampling {
    fn ask(&mut self, space: &RecipeSpace, history: &History, random: &mut Random) -> Vec<Trial> {
        let mut recipes = Vec::new();
        for _ in 0..BATCH {
            let drawn = draw_new(history, &recipes, || {
                let length = random.between(1, space.longest);
                space.draw(length, random)
            });
            recipes.extend(drawn);
        }
        on_all_programs(history, recipes)
    }
}
